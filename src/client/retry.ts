// Decides whether to retry a call and how long to wait.
import type { LotlineError } from './error.ts'

export interface RetryRules {
  /** Retries after the first attempt. */
  retries: number
  /** A longer wait is not done here; the error is thrown instead. */
  maxWaitMs: number
}

/** Milliseconds to wait before the retry; undefined if the call must not be retried. */
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

// A 429 is sent before any work is done, so every method can be retried.
const mayRetry = ({ code, status }: LotlineError, idempotent: boolean): boolean => {
  if (status === 429) return true
  return idempotent && (status >= 500 || code === 'network' || code === 'timeout')
}

// Full jitter spreads callers that failed together.
const backOff = (attempt: number): number => Math.random() * Math.min(8000, 300 * 2 ** attempt)
