// The webhook delivery worker. It fetches due jobs in batches, sends what the concurrency limits allow, and records the
// outcomes in batches. When the process dies, its jobs expire and another worker fetches them: a delivery may then
// arrive twice, with the same webhook-id, but none is lost.
import { setTimeout as delay } from 'node:timers/promises'
import type { Sealer } from '../secrets/seal.ts'
import type { Db } from '../store/engine/database.ts'
import type { FetchedJob, Queue } from '../store/engine/queue.ts'
import { traceJob } from '../store/engine/trace-channels.ts'
import { type DueDelivery, discardDeliveries, dueDeliveries, requeueOverdue } from '../store/webhooks/deliveries.ts'
import { deliveryAgent, type Resolve } from './address-guard.ts'
import { type Attempt, attemptRecord, openAttempts } from './delivery-attempt.ts'
import { openDispatcher } from './dispatcher.ts'
import type { ConcurrencyLimits } from './endpoint-concurrency.ts'
import type { Log } from './log.ts'
import { openOutcomeRecorder } from './outcome-recorder.ts'
import { pollLoop } from './poll-loop.ts'
import { openPostponements } from './postponements.ts'
import { attemptTimeoutMs, type Outcome } from './send.ts'

export interface DeliveryOptions {
  db: Db
  queue: Queue
  sealer: Sealer
  publicUrl: string
  allowPrivate: boolean
  version: string
  log: Log
  /** Called for every attempt that is recorded. */
  onOutcome?: (outcome: 'delivered' | 'retried' | 'failed') => void
  now?: () => Date
  /** From 0 to 1: spreads the retries. */
  random?: () => number
  /** The rest is for tests: name resolution, an extra certificate authority, timeouts and limits. */
  resolve?: Resolve
  ca?: string
  timeoutMs?: number
  graceMs?: number
  concurrency?: ConcurrencyLimits
}

export interface DeliveryWorker {
  /** Polls until stopped. */
  start(): void
  /** Fetches the due jobs once. Returns their number. */
  poll(): Promise<number>
  /** Resolves when no attempt is in flight and every outcome is recorded. */
  idle(): Promise<void>
  stop(): Promise<void>
}

/** At most 40 ms until the next poll while there is work, 250 ms after five seconds without any. */
const pollIntervals = { busyFrom: 100, busyMs: 40, quietMs: 250 }

/** Jobs per poll: enough for a thousand deliveries a second at ten polls. */
const batchSize = 300

/** On stop, the time attempts in flight get to finish, and again the time the database gets to take the outcomes. */
const stopGraceMs = 5_000

/** A job that comes this long before its delivery is due is a duplicate of a later one. */
const earlyMs = 1_000

/** Endpoints not used for this long lose their learned concurrency. */
const forgetEndpointsAfterMs = 3_600_000

export const openDeliveryWorker = (options: DeliveryOptions): DeliveryWorker => {
  const { db, queue, log, now = () => new Date(), random = Math.random, graceMs = stopGraceMs } = options
  const agent = deliveryAgent({ ...options, timeoutMs: options.timeoutMs ?? attemptTimeoutMs })
  const attempt = openAttempts({ ...options, dispatcher: agent })
  const recorder = openOutcomeRecorder({ ...options, now })
  const postponements = openPostponements({ db, queue, log })
  let connectionsClosed = false

  const attemptAndRecord = async ({ job, due }: Attempt): Promise<Outcome> => {
    const startedAt = now()
    const outcome = await traceJob('webhook-delivery', () => attempt(due, startedAt))
    // An attempt that our own stop cut off is not the receiver's failure.
    if (connectionsClosed && !outcome.ok) postponements.add(job, due.id, now())
    else {
      const record = attemptRecord({ job, due }, startedAt, outcome, random())
      recorder.add(record)
      options.onOutcome?.(record.state === 'waiting' ? 'retried' : record.state)
    }
    return outcome
  }

  const dispatcher = openDispatcher({
    limits: options.concurrency,
    attempt: attemptAndRecord,
    postpone: ({ job, due }, waitMs) => postponements.add(job, due.id, new Date(now().getTime() + waitMs)),
    log,
  })

  const poll = async (): Promise<number> => {
    // Also without room: the job of a delivery that waits here longer would expire, and another worker would send it too.
    dispatcher.postponeStale()
    const room = Math.min(batchSize, dispatcher.room())
    const jobs = room > 0 ? await queue.fetch('webhook-delivery', room) : []
    if (jobs.length > 0) await dispatchJobs(jobs)
    postponements.flushInBackground()
    return jobs.length
  }

  const dispatchJobs = async (jobs: readonly FetchedJob[]) => {
    const dueById = new Map((await dueDeliveries(db, jobs.map(deliveryIdOf), now())).map((due) => [due.id, due]))
    const finished: FetchedJob[] = []
    const stopped: { id: string; reason: string }[] = []
    const at = now().getTime()
    for (const job of jobs) {
      const due = dueById.get(deliveryIdOf(job))
      if (!due) finished.push(job)
      else if (isInProgress(due)) postponements.add(job, due.id, new Date(at + 2 * attemptTimeoutMs))
      else if (due.stopped) {
        finished.push(job)
        stopped.push({ id: due.id, reason: due.stopped })
      } else if (due.nextAttemptAt.getTime() > at + earlyMs) postponements.add(job, due.id, due.nextAttemptAt)
      else dispatcher.submit({ job, due })
    }
    if (finished.length > 0) await discardDeliveries(db, queue, { jobs: finished, stopped })
  }

  /** A delivery is fetched again if its job expired or it had two. The attempt in progress usually completes it. */
  const isInProgress = ({ id }: DueDelivery) => dispatcher.has(id) || recorder.isPending(id)

  const idle = async () => {
    while (dispatcher.inFlight() > 0 || recorder.pending() > 0) {
      await dispatcher.settled()
      await recorder.flush()
    }
    await postponements.settled()
  }

  const loop = pollLoop(pollIntervals, {
    poll,
    everyMinute: async () => {
      const rescued = await requeueOverdue(db, queue, now())
      if (rescued > 0) log.warn({ rescued }, 'queued deliveries again that had lost their job')
      dispatcher.forgetEndpoints(Date.now() - forgetEndpointsAfterMs)
    },
    onError: (error) => log.error({ err: error }, 'the delivery worker could not fetch jobs and will retry'),
  })

  return {
    start: loop.start,
    poll,
    idle,
    stop: async () => {
      await loop.stop()
      dispatcher.postponeWaiting()
      await within(graceMs, dispatcher.settled())
      connectionsClosed = true
      await agent.destroy()
      // An unavailable database must not block the exit. Without its outcome a job expires and is fetched again.
      await within(graceMs, idle())
      const unrecorded = recorder.abandon()
      if (unrecorded > 0)
        log.warn({ unrecorded }, 'outcomes were not recorded in time; these deliveries are sent again')
      await within(graceMs, postponements.flush())
    },
  }
}

const deliveryIdOf = (job: FetchedJob): string => (job.data as { deliveryId: string }).deliveryId

const within = (ms: number, work: Promise<unknown>) => Promise.race([work, delay(ms, undefined, { ref: false })])
