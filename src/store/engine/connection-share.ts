// The connections of a pool that one caller may use at the same time, over all its requests. A request may send several
// queries at once, so a limit on requests alone would let one caller use the whole pool.
import { QueryCanceled } from './unavailable.ts'

export interface ConnectionShare {
  /** Resolves when the caller may use one more connection, with the function that gives it back. */
  take(signal: AbortSignal | undefined): Promise<() => void>
}

export const connectionShare = (most: number): ConnectionShare => {
  let used = 0
  const waiting = new Set<() => void>()
  const giveBackOnce = () => {
    let given = false
    return () => {
      if (given) return
      given = true
      const [next] = waiting
      if (next) next()
      else used--
    }
  }
  return {
    take: (signal) => {
      if (signal?.aborted) return Promise.reject(new QueryCanceled())
      if (used < most) {
        used++
        return Promise.resolve(giveBackOnce())
      }
      return new Promise((resolve, reject) => {
        const start = () => {
          waiting.delete(start)
          signal?.removeEventListener('abort', cancel)
          resolve(giveBackOnce())
        }
        const cancel = () => {
          waiting.delete(start)
          reject(new QueryCanceled())
        }
        signal?.addEventListener('abort', cancel, { once: true })
        waiting.add(start)
      })
    },
  }
}
