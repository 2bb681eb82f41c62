// When a failed delivery is tried again: the Standard Webhooks schedule, over three days, each wait moved by up to a
// fifth so that receivers that failed together are not all tried together.

/** Waits after the first, second, … attempt, in seconds: 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. */
export const retrySeconds = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400] as const

export const jitter = 0.2

/** A receiver that asks for more patience than this is taken to mean this. */
const longestRetryAfterSeconds = 86_400

export interface Failure {
  /** Attempts made, this one included. */
  attempts: number
  status?: number
  /** From a 429 or 503. */
  retryAfterSeconds?: number
}

/** Seconds to wait before the next attempt; undefined when there is none left. `random` is from 0 to 1. */
export const retryDelaySeconds = ({ attempts, retryAfterSeconds }: Failure, random: number): number | undefined => {
  const base = retrySeconds[attempts - 1]
  if (base === undefined) return undefined
  const wait = base * (1 - jitter + 2 * jitter * random)
  return Math.max(wait, Math.min(retryAfterSeconds ?? 0, longestRetryAfterSeconds))
}

/** A Retry-After header: seconds, or a date. */
export const retryAfterOf = (status: number, header: string | undefined, now: Date): number | undefined => {
  if ((status !== 429 && status !== 503) || header === undefined) return undefined
  const seconds = /^\d{1,9}$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now.getTime()) / 1000
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}
