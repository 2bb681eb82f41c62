// Requests per minute, counted per key, or per address for the demo key and for failed authentication. The window starts
// with the first request. One process counts in memory; several share Redis, where counting is one atomic step.
import { Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import { unavailable } from '../common/errors.ts'
import { valueAt } from '../common/typed.ts'
import { rateWindowSeconds } from '../wire/plans.ts'

export interface LimitResult {
  allowed: boolean
  remaining: number
  /** Until the window ends. */
  resetMs: number
}

export interface RateLimits {
  /** Counts one request. */
  hit(bucket: string, limit: number): LimitResult | Promise<LimitResult>
  /** Looks without counting. */
  peek(bucket: string, limit: number): LimitResult | Promise<LimitResult>
  close(): Promise<void>
}

const windowMs = rateWindowSeconds * 1000

/** How the names of the counters of keys begin. */
export const keyedBucket = 'key:'

/**
 * A fixed window per bucket. Expired windows are removed as new ones open, so memory follows the active callers. Uses the
 * monotonic clock: setting the system clock would otherwise lock callers out or reset their counts.
 */
export const memoryLimits = (clock: () => number = () => performance.now()): RateLimits => {
  const windows = new Map<string, { started: number; used: number }>()
  let swept = clock()
  const sweep = (now: number) => {
    if (now - swept < windowMs) return
    swept = now
    for (const [bucket, window] of windows) if (now - window.started >= windowMs) windows.delete(bucket)
  }
  const look = (bucket: string, now: number) => {
    const window = windows.get(bucket)
    return window && now - window.started < windowMs ? window : undefined
  }
  return {
    hit: (bucket, limit) => {
      const now = clock()
      let window = look(bucket, now)
      if (!window) {
        sweep(now)
        window = { started: now, used: 0 }
        windows.set(bucket, window)
      }
      const allowed = window.used < limit
      if (allowed) window.used++
      return { allowed, remaining: Math.max(0, limit - window.used), resetMs: window.started + windowMs - now }
    },
    peek: (bucket, limit) => {
      const now = clock()
      const window = look(bucket, now)
      const used = window?.used ?? 0
      return {
        allowed: used < limit,
        remaining: Math.max(0, limit - used),
        resetMs: window ? window.started + windowMs - now : windowMs,
      }
    },
    close: async () => {},
  }
}

export const redisOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  lazyConnect: true,
  // A Redis that no longer answers counts as unreachable.
  commandTimeout: 1_000,
  connectTimeout: 5_000,
  // By default the wait grows to 5 s, in which requests with a key get 503 although Redis is back.
  retryStrategy: (times: number) => Math.min(100 * times, 1_000),
}

/**
 * Shared by all API processes. While Redis cannot be reached, requests with a key get 503: counted by each process on its own, a
 * key would have its limit once per process. Requests without a key are counted by each process.
 */
export const redisLimits = async (url: string): Promise<RateLimits> => {
  const redis = new Redis(url, redisOptions)
  redis.on('error', () => {})
  await redis.connect().catch((cause: unknown) => {
    redis.disconnect()
    throw new Error(`REDIS_URL is set but Redis does not answer there. Start it, or unset REDIS_URL.`, { cause })
  })
  const limiters = new Map<number, RateLimiterRedis>()
  const limiterOf = (limit: number) =>
    valueAt(limiters, limit, () => {
      const counted = { keyPrefix: `lotline:${limit}`, points: limit, duration: rateWindowSeconds }
      return new RateLimiterRedis({ storeClient: redis, ...counted })
    })
  const inMemory = memoryLimits()
  interface Outcome {
    remainingPoints: number
    msBeforeNext: number
  }
  return {
    hit: async (bucket, limit) => {
      try {
        const outcome: Outcome = await limiterOf(limit).consume(bucket, 1)
        return { allowed: true, remaining: Math.max(0, outcome.remainingPoints), resetMs: outcome.msBeforeNext }
      } catch (refusal) {
        if (refusal instanceof Error) {
          if (bucket.startsWith(keyedBucket)) throw unavailable(refusal)
          return inMemory.hit(bucket, limit)
        }
        return { allowed: false, remaining: 0, resetMs: (refusal as Outcome).msBeforeNext }
      }
    },
    peek: async (bucket, limit) => {
      const outcome: Outcome | null | undefined = await limiterOf(limit)
        .get(bucket)
        .catch(() => undefined)
      if (outcome === undefined) return inMemory.peek(bucket, limit)
      const remaining = outcome ? Math.max(0, outcome.remainingPoints) : limit
      return { allowed: remaining > 0, remaining, resetMs: outcome?.msBeforeNext ?? windowMs }
    },
    close: async () => {
      redis.disconnect()
    },
  }
}
