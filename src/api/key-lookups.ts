// Limits the queries for keys that are not cached. A key is looked up before its caller is known, so without these limits a
// flood of random keys would cause an unlimited number of queries.

import { unavailable } from '../common/errors.ts'
import { limiter } from '../common/limiter.ts'
import { valueAt } from '../common/typed.ts'
import { isWellFormedKey } from '../store/keys/api-key.ts'
import type { ApiKey } from '../store/keys/keys.ts'
import { keyLookupMs } from './budgets.ts'
import { deadline } from './deadline.ts'
import type { KeyCache } from './key-cache.ts'
import type { RateLimits } from './rate-limits.ts'

/** Finds a valid key on behalf of the client with this address. Synchronous when the key is cached. */
export type FindKey = (key: string, client: string, now: Date) => ApiKey | undefined | Promise<ApiKey | undefined>

interface LookupLimits {
  /** Queries at once, of the ten connections of callers with a key. */
  total: number
  perClient: number
  /** Requests of one client that wait for their query; further ones get 503 at once. */
  waitingPerClient: number
  waitingClients: number
}

const defaults: LookupLimits = { total: 4, perClient: 2, waitingPerClient: 400, waitingClients: 200 }

/** Unknown keys with a correct checksum per minute and client. A typing error does not produce one, because it breaks the checksum. */
export const unknownKeysPerMinute = 100

/** Failed authentications are counted under this name. */
export const failedBucket = (client: string): string => `anonymous:${client}`

/** After this many unknown keys in a minute, the next uncached key of a client, valid or not, gets 401 or 429 without a query. */
export const limitedLookups = (
  keys: Pick<KeyCache, 'find' | 'findCached'>,
  limits: Pick<RateLimits, 'hit' | 'peek'>,
  databaseAnswers: () => boolean = () => true,
  { total, perClient, waitingPerClient, waitingClients }: LookupLimits = defaults,
): FindKey => {
  const slots = limiter({ total, waitingPerKey: waitingPerClient, waitingKeys: waitingClients })
  const overloaded = unavailable()

  const lookUp = async (text: string, client: string, now: Date): Promise<ApiKey | undefined> => {
    const ending = deadline(keyLookupMs, databaseAnswers)
    const release = await slots.take(client, perClient, ending.signal).catch(() => {
      ending.clear()
      throw overloaded
    })
    try {
      const bucket = `unknown-keys:${client}`
      const { allowed } = await limits.peek(bucket, unknownKeysPerMinute)
      const storedKey = allowed ? await keys.find(text, now, ending.signal) : undefined
      if (!storedKey) await limits.hit(bucket, unknownKeysPerMinute)
      return storedKey
    } finally {
      ending.clear()
      release()
    }
  }

  /** A burst of requests with one key that is not cached shares one lookup. */
  const pending = new Map<string, Promise<ApiKey | undefined>>()
  const lookUpOnce = (text: string, client: string, now: Date) =>
    valueAt(pending, text, () => lookUp(text, client, now).finally(() => pending.delete(text)))

  return (text, client, now) =>
    keys.findCached(text, now) ?? (isWellFormedKey(text) ? lookUpOnce(text, client, now) : undefined)
}
