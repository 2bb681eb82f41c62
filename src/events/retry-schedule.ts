// When a failed delivery is retried: the Standard Webhooks schedule over three days. Each wait varies by up to 20%, so
// that receivers that failed together are not all retried together.

/** Waits after the first, second, … attempt, in seconds: 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. */
export const retrySeconds = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400] as const

const jitter = 0.2

/** A longer Retry-After is cut to this. */
const maxRetryAfterSeconds = 86_400

interface Failure {
  /** Attempts made, including this one. */
  attempts: number
  /** From a 429 or 503. */
  retryAfterSeconds?: number
}

/** Seconds to wait before the next attempt; undefined when none is left. `random` is from 0 to 1. */
export const retryDelaySeconds = ({ attempts, retryAfterSeconds }: Failure, random: number): number | undefined => {
  const base = retrySeconds[attempts - 1]
  if (base === undefined) return undefined
  const wait = base * (1 - jitter + 2 * jitter * random)
  return Math.max(wait, Math.min(retryAfterSeconds ?? 0, maxRetryAfterSeconds))
}
