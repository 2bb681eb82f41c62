// When a call is worth another try, and how long to wait before it.
import type { LotlineError } from './error.ts'

export interface RetryRules {
  /** Further tries after the first. */
  retries: number
  /** A wait longer than this is left to the caller. */
  maxWaitMs: number
}

/** Milliseconds to wait before trying again; undefined when it should not be tried. */
export const waitBeforeRetry = (
  error: LotlineError,
  attempt: number,
  idempotent: boolean,
  { retries, maxWaitMs }: RetryRules,
): number | undefined => {
  if (attempt >= retries || !mayRetry(error, idempotent)) return undefined
  const asked = error.retryAfter === undefined ? backOff(attempt) : error.retryAfter * 1000
  return asked > maxWaitMs ? undefined : asked
}

// A 429 was refused before anything was done, so it is safe for any method.
const mayRetry = ({ code, status }: LotlineError, idempotent: boolean): boolean => {
  if (status === 429) return true
  return idempotent && (status >= 500 || code === 'network' || code === 'timeout')
}

// Full jitter spreads callers that failed together.
const backOff = (attempt: number): number => Math.random() * Math.min(8000, 300 * 2 ** attempt)

export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done)
    if (signal?.aborted) done()
  })
