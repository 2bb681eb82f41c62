// The delivery worker: takes due jobs in batches, sends what the lanes admit, and records what came of it in batches.
// A process that dies leaves its jobs to expire and be taken by another: a delivery may then arrive twice, under the
// same webhook-id, but is never lost.
import { setTimeout as delay } from 'node:timers/promises'
import type { Sealer } from '../secrets/seal.ts'
import type { Db } from '../store/engine/database.ts'
import type { FetchedJob, Queue } from '../store/engine/queue.ts'
import {
  type DueDelivery,
  discard,
  dueDeliveries,
  postpone,
  rescueOverdue,
  type Settlement,
} from '../store/webhooks/deliveries.ts'
import { deliveryAgent, type Resolve } from './address-guard.ts'
import { type LaneLimits, openLanes } from './lanes.ts'
import type { Log } from './log.ts'
import { retryDelaySeconds } from './retry-schedule.ts'
import { attemptTimeoutMs, type Outcome, type Sender, send } from './send.ts'
import { openSettling } from './settling.ts'
import { workLoop } from './work-loop.ts'

export interface DeliveryOptions {
  db: Db
  queue: Queue
  sealer: Sealer
  publicUrl: string
  allowPrivate: boolean
  version: string
  log: Log
  now?: () => Date
  random?: () => number
  /** For tests: what looks names up, whom to believe, how long to wait. */
  resolve?: Resolve
  ca?: string
  timeoutMs?: number
  graceMs?: number
  lanes?: LaneLimits
}

export interface Deliveries {
  /** Takes and sends for as long as it is not stopped. */
  start(): void
  /** Takes what is due, once. Answers how many jobs there were. */
  take(): Promise<number>
  /** Ends when nothing is under way and all is recorded. */
  idle(): Promise<void>
  stop(): Promise<void>
}

/** A delivery waits a twenty-fifth of a second for its turn while there is work, a quarter after a quiet time. */
const pace = { many: 100, soonMs: 40, quietMs: 250 }

/** Jobs taken at a time: enough for a thousand a second at ten takes. */
const batch = 300

/** What is held here may wait this long for a slot; then it goes back, well before its job expires. */
const longestHoldMs = 5_000

/** A stopping worker waits this long for its attempts, and as long for the database: those still under way go back to
 *  the queue. */
const graceMs = 5_000

/** A job that comes this much before its delivery's time is an extra one. */
const earlyMs = 1_000

const unopened = 'secret cannot be opened: SECRET_KEY is not the one it was sealed with'

interface Held {
  job: FetchedJob
  due: DueDelivery
  since: number
}

export const openDeliveries = (options: DeliveryOptions): Deliveries => {
  const { db, queue, log, now = () => new Date(), random = Math.random, graceMs: grace = graceMs } = options
  const agent = deliveryAgent({ ...options, timeoutMs: options.timeoutMs ?? attemptTimeoutMs })
  const sender: Sender = {
    dispatcher: agent,
    allowPrivate: options.allowPrivate,
    userAgent: `Lotline/${options.version}`,
    timeoutMs: options.timeoutMs,
  }
  const lanes = openLanes(options.lanes)
  const settling = openSettling({ ...options, now })
  const held = new Map<string, Held[]>()
  const underWay = new Map<string, Promise<void>>()
  let abandoned = false
  let puttingBack: Promise<void> | undefined
  let postponed: { job: FetchedJob; deliveryId: string; until: Date }[] = []

  const admit = (job: FetchedJob, due: DueDelivery, since: number) => {
    const waiting = held.get(due.endpointId)
    const admission = lanes.admit(due.endpointId, since, waiting?.length ?? 0)
    if (admission.verdict === 'start') start(job, due)
    else if (admission.verdict === 'hold') {
      if (waiting) waiting.push({ job, due, since })
      else held.set(due.endpointId, [{ job, due, since }])
    } else putOff(job, due, admission.until)
  }

  const start = (job: FetchedJob, due: DueDelivery) => {
    const attempt = attemptOnce(job, due)
      // Nobody waits for each of these: one that were thrown on would end the process.
      .catch((error) => log.error({ err: error, delivery: due.id }, 'a delivery attempt went wrong; it comes again'))
      .finally(() => {
        underWay.delete(due.id)
        next(due.endpointId)
      })
    underWay.set(due.id, attempt)
  }

  /** Starts what was held for an endpoint, now that one of its attempts has ended. */
  const next = (endpointId: string) => {
    const waiting = held.get(endpointId)
    while (waiting?.[0]) {
      const { job, due, since } = waiting[0]
      const admission = lanes.admit(endpointId, Date.now(), 0)
      if (admission.verdict === 'start') start(job, due)
      else if (admission.verdict === 'later') putOff(job, due, admission.until)
      else if (Date.now() - since > longestHoldMs) putOff(job, due, Date.now())
      else return
      waiting.shift()
    }
    held.delete(endpointId)
  }

  /** What waits behind an attempt that does not end goes back before its job expires. */
  const releaseHeld = () => {
    const at = Date.now()
    for (const [endpointId, waiting] of held) {
      while (waiting[0] && at - waiting[0].since > longestHoldMs) {
        const { job, due } = waiting.shift()!
        putOff(job, due, at + longestHoldMs)
      }
      if (waiting.length === 0) held.delete(endpointId)
    }
  }

  const putOff = (job: FetchedJob, due: DueDelivery, until: number) => {
    const wait = Math.max(0, until - Date.now())
    postponed.push({ job, deliveryId: due.id, until: new Date(now().getTime() + wait) })
  }

  const attemptOnce = async (job: FetchedJob, due: DueDelivery) => {
    const startedAt = now()
    const outcome = await signAndSend(due, startedAt)
    lanes.finish(due.endpointId, outcome.ok, outcome.durationMs, Date.now())
    // Cut off by our own stopping: not the receiver's failure.
    if (abandoned && !outcome.ok) postponed.push({ job, deliveryId: due.id, until: now() })
    else settling.add(settlementOf(job, due, startedAt, outcome, random()))
  }

  /** Never throws: whatever went wrong, the attempt is over and its slot is given back. */
  const signAndSend = async (due: DueDelivery, at: Date): Promise<Outcome> => {
    let secrets: ReturnType<typeof secretsOf>
    try {
      secrets = secretsOf(options.sealer, due, at)
    } catch (error) {
      log.error({ err: error, endpoint: due.endpointId }, 'a signing secret cannot be opened; is SECRET_KEY right?')
      return { durationMs: 0, ok: false, error: unopened }
    }
    const { url, eventId, body } = due
    return send(sender, { url, eventId, body, at, ...secrets }).catch(() => ({
      durationMs: 0,
      ok: false,
      error: 'the delivery could not be prepared',
    }))
  }

  const take = async (): Promise<number> => {
    const room = Math.min(batch, lanes.room())
    if (room <= 0) return 0
    const jobs = await queue.fetch('webhook-delivery', room)
    if (jobs.length > 0) await sort(jobs)
    releaseHeld()
    putBackSoon()
    return jobs.length
  }

  /** Beside the taking, which others wait for. What cannot be put back now is taken again when its job expires. */
  const putBackSoon = () => {
    puttingBack ??= putBack()
      .catch((error) =>
        log.error({ err: error }, 'deliveries could not be put back; they come again when their jobs expire'),
      )
      .finally(() => {
        puttingBack = undefined
      })
  }

  const putBack = async () => {
    if (postponed.length === 0) return
    const back = postponed
    postponed = []
    await postpone(db, queue, back)
  }

  const sort = async (jobs: readonly FetchedJob[]) => {
    const idOf = (job: FetchedJob) => (job.data as { deliveryId: string }).deliveryId
    const found = new Map((await dueDeliveries(db, jobs.map(idOf), now())).map((due) => [due.id, due]))
    const ended: FetchedJob[] = []
    const stopped: { id: string; reason: string }[] = []
    const at = now().getTime()
    for (const job of jobs) {
      const due = found.get(idOf(job))
      if (!due) ended.push(job)
      // The same delivery a second time (its job expired, or it had two): the attempt under way will most likely do.
      else if (underWay.has(due.id) || settling.has(due.id))
        postponed.push({ job, deliveryId: due.id, until: new Date(at + 2 * attemptTimeoutMs) })
      else if (due.stopped) {
        ended.push(job)
        stopped.push({ id: due.id, reason: due.stopped })
      } else if (due.nextAttemptAt.getTime() > at + earlyMs)
        postponed.push({ job, deliveryId: due.id, until: due.nextAttemptAt })
      else admit(job, due, Date.now())
    }
    if (ended.length > 0) await discard(db, queue, { jobs: ended, stopped })
  }

  const idle = async () => {
    while (underWay.size > 0 || settling.size() > 0) {
      await Promise.all(underWay.values())
      await settling.flush()
    }
    await puttingBack
  }

  const loop = workLoop(pace, {
    take,
    rescue: async () => {
      const rescued = await rescueOverdue(db, queue, now())
      if (rescued > 0) log.warn({ rescued }, 'deliveries without a job were queued again')
      lanes.forget(Date.now() - 3600_000)
    },
    onError: (error) => log.error({ err: error }, 'the delivery worker could not take jobs; it will try again'),
  })

  return {
    start: loop.start,
    take,
    idle,
    stop: async () => {
      await loop.stop()
      const waiting = [...held.values()].flat()
      held.clear()
      postponed.push(...waiting.map(({ job, due }) => ({ job, deliveryId: due.id, until: now() })))
      await within(grace, Promise.all(underWay.values()))
      abandoned = true
      await agent.destroy()
      // A database that is away must not keep the process: what is not recorded or put back now is taken again when
      // its job expires.
      await within(grace, idle())
      const unrecorded = settling.abandon()
      if (unrecorded > 0) log.warn({ unrecorded }, 'outcomes were not recorded in time; these deliveries come again')
      await within(
        grace,
        putBack().catch(() => {}),
      )
    },
  }
}

const within = (ms: number, work: Promise<unknown>) => Promise.race([work, delay(ms, undefined, { ref: false })])

const secretsOf = (sealer: Sealer, due: DueDelivery, at: Date) => ({
  secret: sealer.open('webhook-secret', due.secret),
  previousSecret:
    due.previousSecret && due.previousUntil && at < due.previousUntil
      ? sealer.open('webhook-secret', due.previousSecret)
      : undefined,
})

const settlementOf = (
  job: FetchedJob,
  due: DueDelivery,
  startedAt: Date,
  { ok, durationMs, status, error, response, retryAfterSeconds }: Outcome,
  random: number,
): Settlement => {
  const attempt = due.attempts + 1
  const gone = status === 410
  const delay = ok || gone ? undefined : retryDelaySeconds({ attempts: attempt, retryAfterSeconds }, random)
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
    state: ok ? 'delivered' : delay === undefined ? 'failed' : 'waiting',
    nextAttemptAt:
      delay === undefined ? undefined : new Date(startedAt.getTime() + durationMs + Math.round(delay * 1000)),
  }
}
