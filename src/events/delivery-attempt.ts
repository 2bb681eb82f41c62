// One attempt to deliver: sign the body, send it, and derive what to record and when to retry.
import type { Dispatcher } from 'undici'
import type { Sealer } from '../secrets/seal.ts'
import type { FetchedJob } from '../store/engine/queue.ts'
import type { AttemptOutcome, DueDelivery } from '../store/webhooks/deliveries.ts'
import type { Log } from './log.ts'
import { retryDelaySeconds } from './retry-schedule.ts'
import { type Outcome, send } from './send.ts'

/** A due delivery with the queue job that brought it. */
export interface Attempt {
  job: FetchedJob
  due: DueDelivery
}

interface AttemptOptions {
  dispatcher: Dispatcher
  sealer: Sealer
  allowPrivate: boolean
  version: string
  timeoutMs?: number
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
  const retryIn = ok || gone ? undefined : retryDelaySeconds({ attempts: attempt, retryAfterSeconds }, random)
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
