// Limits how many things run at once, in total and for each key, and queues the rest. A free slot goes to the waiting key that has
// used the least time in this minute, relative to its own limit, so a key that uses much waits behind those that use little. A key that
// has used more than another one that is active is held to a share, so that what it runs does not slow down the other.

export interface LimiterOptions {
  /** A function may return less for a while; at least 1, because a slot that is freed starts those that wait. */
  total?: number | (() => number)
  /** More requests of one key are rejected. */
  waitingPerKey?: number
  /** When more keys wait, the one that has used the most time is rejected with all its waiting requests. */
  waitingKeys?: number
  /** How many a key may run while an active one with no lower limit has used less time. Active: runs, waits or asked within `activeMs`. */
  share?: { most: number; activeMs: number }
  now?: () => number
}

export class LimiterFull extends Error {}

interface Use {
  most: number
  running: number
  /** Of those that ended in this minute, and the sum of the start times of those that run. */
  endedMs: number
  startsMs: number
  /** When it last asked for a slot. */
  askedAt: number
  waiting: Set<{ start(): void; reject(reason: unknown): void }>
}

const windowMs = 60_000

export const limiter = (options: LimiterOptions = {}) => {
  const { total = Infinity, waitingPerKey = Infinity, waitingKeys = Infinity, share } = options
  const now = options.now ?? (() => performance.now())
  const uses = new Map<string, Use>()
  /** In the order in which they last asked. Those that neither run nor wait leave it after `activeMs`. */
  const active = new Set<Use>()
  const queued = new Set<Use>()
  const totalNow = typeof total === 'function' ? total : () => total
  let running = 0
  let windowStart = now()

  const beginWindow = () => {
    windowStart = now()
    for (const [key, use] of uses) {
      use.endedMs = 0
      if (use.running > 0 || use.waiting.size > 0) continue
      uses.delete(key)
      active.delete(use)
    }
  }
  /** Those in the queue, the one that has used the least time first, and of equal ones the one that has waited longest. */
  const byUse = (): Use[] => {
    const at = now()
    return [...queued].sort((a, b) => used(a, at) - used(b, at))
  }
  const used = ({ most, endedMs, startsMs, running }: Use, at: number) => (endedMs + running * at - startsMs) / most
  const isOver = (use: Use): boolean => {
    if (use.running >= use.most) return true
    if (!share || use.running < share.most) return false
    const at = now()
    const own = used(use, at)
    for (const other of active) {
      if (other.running === 0 && other.waiting.size === 0 && at - other.askedAt >= share.activeMs) active.delete(other)
      else if (other !== use && other.most >= use.most && used(other, at) < own) return true
    }
    return false
  }
  const start = (use: Use) => {
    const at = now()
    running++
    use.running++
    use.startsMs += at
    let released = false
    return () => {
      if (released) return
      released = true
      running--
      use.running--
      use.startsMs -= at
      use.endedMs += now() - at
      while (queued.size > 0 && running < totalNow()) {
        const next = byUse().find((each) => !isOver(each))
        if (!next) return
        next.waiting.values().next().value!.start()
      }
    }
  }

  return {
    /** How many keys are in memory. */
    size: () => uses.size,
    /** How many slots are taken. */
    running: () => running,
    /** Resolves with the function that frees the slot again. Rejects with `LimiterFull`, or with the reason of the signal. */
    take: (key: string, most: number, signal?: AbortSignal): Promise<() => void> => {
      if (signal?.aborted) return Promise.reject(signal.reason)
      if (now() - windowStart >= windowMs) beginWindow()
      const use = uses.get(key) ?? { most, running: 0, endedMs: 0, startsMs: 0, askedAt: 0, waiting: new Set() }
      uses.set(key, use)
      if (share) {
        use.askedAt = now()
        active.delete(use)
        active.add(use)
      }
      if (!isOver(use) && running < totalNow()) return Promise.resolve(start(use))
      if (use.waiting.size >= waitingPerKey) return Promise.reject(new LimiterFull())
      return new Promise((resolve, reject) => {
        const leave = () => {
          use.waiting.delete(waiter)
          if (use.waiting.size === 0) queued.delete(use)
          signal?.removeEventListener('abort', cancel)
        }
        const waiter = {
          start: () => {
            leave()
            resolve(start(use))
          },
          reject: (reason: unknown) => {
            leave()
            reject(reason)
          },
        }
        const cancel = () => waiter.reject(signal!.reason)
        signal?.addEventListener('abort', cancel)
        use.waiting.add(waiter)
        queued.add(use)
        if (queued.size > waitingKeys) for (const each of [...byUse().at(-1)!.waiting]) each.reject(new LimiterFull())
      })
    },
  }
}
