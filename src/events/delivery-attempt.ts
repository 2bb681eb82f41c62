// One attempt to deliver: sign the body, send it, and derive what to record and when to retry.
import type { Sealer } from '../secrets/seal.ts'
import type { FetchedJob } from '../store/engine/queue.ts'
import type { AttemptOutcome, DueDelivery } from '../store/webhooks/deliveries.ts'
import type { Log } from './log.ts'
import { type Outcome, type Sender, send } from './send.ts'

/** A due delivery with the queue job that brought it. */
export interface Attempt {
  job: FetchedJob
  due: DueDelivery
}

interface AttemptOptions extends Omit<Sender, 'userAgent'> {
  sealer: Sealer
  version: string
  log: Log
}

/** The returned function never rejects: errors are part of the outcome. */
export const openAttempts = ({ sealer, version, log, ...connection }: AttemptOptions) => {
  const sender = { ...connection, userAgent: `Lotline/${version}` }

  return async (due: DueDelivery, at: Date): Promise<Outcome> => {
    let secrets: ReturnType<typeof secretsOf>
    try {
      secrets = secretsOf(sealer, due, at)
    } catch (error) {
      log.error({ err: error, endpoint: due.endpointId }, 'a signing secret cannot be decrypted; check SECRET_KEY')
      return failed('the signing secret cannot be decrypted: SECRET_KEY has changed since it was stored')
    }
    const { url, eventId, body } = due
    return send(sender, { url, eventId, body, at, ...secrets }).catch(() => failed('the request could not be prepared'))
  }
}

const failed = (error: string): Outcome => ({ durationMs: 0, ok: false, error })

const secretsOf = (sealer: Sealer, due: DueDelivery, at: Date) => ({
  secret: sealer.open('webhook-secret', due.secret),
  previousSecret:
    due.previousSecret && due.previousUntil && at < due.previousUntil
      ? sealer.open('webhook-secret', due.previousSecret)
      : undefined,
})

/** What to record of an attempt: delivered, failed for good, or waiting for the next attempt. */
export const attemptRecord = (
  { job, due }: Attempt,
  startedAt: Date,
  { ok, durationMs, status, error, response, retryAfterSeconds }: Outcome,
  random: number,
): AttemptOutcome => {
  const attempt = due.attempts + 1
  const gone = status === 410
  const retryIn = ok || gone ? undefined : retryDelaySeconds(attempt, retryAfterSeconds, random)
  return {
    job,
    deliveryId: due.id,
    endpointId: due.endpointId,
    attempt,
    startedAt,
    durationMs,
    status,
    error,
    response,
    gone,
    state: ok ? 'delivered' : retryIn === undefined ? 'failed' : 'waiting',
    nextAttemptAt:
      retryIn === undefined ? undefined : new Date(startedAt.getTime() + durationMs + Math.round(retryIn * 1000)),
  }
}

/** Waits after the first, second, … attempt, in seconds: 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. */
export const retrySeconds = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400] as const

const jitter = 0.2

/** A longer Retry-After is cut to this. */
const maxRetryAfterSeconds = 86_400

/** Seconds to wait after the last of `attempts`, no less than a 429 or 503 asked for; undefined when none is left. `random`: 0 to 1. */
const retryDelaySeconds = (
  attempts: number,
  retryAfterSeconds: number | undefined,
  random: number,
): number | undefined => {
  const base = retrySeconds[attempts - 1]
  if (base === undefined) return undefined
  const wait = base * (1 - jitter + 2 * jitter * random)
  return Math.max(wait, Math.min(retryAfterSeconds ?? 0, maxRetryAfterSeconds))
}
