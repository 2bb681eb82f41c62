// The webhook delivery worker. It fetches due jobs in batches, a limited number for each endpoint, sends them, and records the
// outcomes in batches. When the process dies, its jobs expire and another worker fetches them: a delivery may then
// arrive twice, with the same webhook-id, but none is lost.
import { setTimeout as delay } from 'node:timers/promises'
import type { FetchedJob } from '../store/engine/queue.ts'
import { traceJob } from '../store/engine/trace-channels.ts'
import {
  type DueDelivery,
  discardDeliveries,
  dueDeliveries,
  postpone,
  requeueOverdue,
} from '../store/webhooks/deliveries.ts'
import type { NewsletterServices } from '../watches/newsletter.ts'
import { type AgentOptions, deliveryAgent } from './address-guard.ts'
import { type Attempt, attemptRecord, openAttempts } from './delivery-attempt.ts'
import type { Log } from './log.ts'
import { openOutcomeRecorder } from './outcome-recorder.ts'
import { pollLoop } from './poll-loop.ts'
import { attemptTimeoutMs } from './send.ts'

export interface DeliveryOptions
  extends Pick<NewsletterServices, 'db' | 'queue' | 'sealer' | 'publicUrl'>,
    Omit<AgentOptions, 'timeoutMs'> {
  version: string
  log: Log
  /** Called for every attempt that is recorded. */
  onOutcome?: (outcome: 'delivered' | 'retried' | 'failed') => void
  now?: () => Date
  /** From 0 to 1: spreads the retries. */
  random?: () => number
  /** The rest is for tests. */
  timeoutMs?: number
  graceMs?: number
  maxInFlight?: number
}

export type DeliveryWorker = ReturnType<typeof openDeliveryWorker>

/** At most 40 ms until the next poll while there is work, 250 ms after five seconds without any. */
const pollIntervals = { busyFrom: 100, busyMs: 40, quietMs: 250 }

/** Jobs per poll: enough for a thousand deliveries a second at ten polls. */
const batchSize = 300

/** On stop, the time attempts in flight get to finish, and again the time the database gets to take the outcomes. */
const stopGraceMs = 5_000

/** A job that comes this long before its delivery is due is a duplicate of a later one. */
const earlyMs = 1_000

/** Attempts in flight in this process. */
const defaultMaxInFlight = 4_000

/** Deliveries of one endpoint in progress, in all processes. One that fails keeps few, so that it takes no capacity from others. */
export const perEndpoint = { default: 32, tiers: { failing: 2 } }

export const openDeliveryWorker = (options: DeliveryOptions) => {
  const { db, queue, log, now = () => new Date(), random = Math.random, graceMs = stopGraceMs } = options
  const agent = deliveryAgent({ ...options, timeoutMs: options.timeoutMs ?? attemptTimeoutMs })
  const attempt = openAttempts({ ...options, dispatcher: agent })
  const recorder = openOutcomeRecorder({ ...options, now })
  const { maxInFlight = defaultMaxInFlight } = options
  const inFlight = new Map<string, Promise<void>>()
  /** Attempts that our own stop cut off, which is not the receiver's failure. */
  const cutOff: Attempt[] = []
  let connectionsClosed = false

  const attemptAndRecord = async ({ job, due }: Attempt): Promise<void> => {
    const startedAt = now()
    const outcome = await traceJob('webhook-delivery', () => attempt(due, startedAt))
    if (connectionsClosed && !outcome.ok) return void cutOff.push({ job, due })
    const record = attemptRecord({ job, due }, startedAt, outcome, random())
    recorder.add(record)
    options.onOutcome?.(record.state === 'waiting' ? 'retried' : record.state)
  }

  const start = (each: Attempt) => {
    const { id } = each.due
    const ended = attemptAndRecord(each)
      .catch((error) =>
        log.error({ err: error, delivery: id }, 'a delivery attempt threw; it is retried when its job expires'),
      )
      .finally(() => inFlight.delete(id))
    inFlight.set(id, ended)
  }

  /**
   * Fetches until nothing is due. A batch may hold only jobs of a few busy endpoints, so the next one ignores them. A small batch is
   * not the last one: the limit of an endpoint applies to the rows that the batch size has already cut off.
   */
  const poll = async (): Promise<number> => {
    const served = new Set<string>()
    let fetched = 0
    for (;;) {
      const room = Math.min(batchSize, maxInFlight - inFlight.size)
      const limits = { perGroup: perEndpoint, ignoreGroups: [...served] }
      const jobs = room > 0 ? await queue.fetch('webhook-delivery', room, limits) : []
      if (jobs.length === 0) return fetched
      fetched += jobs.length
      for (const endpointId of await startJobs(jobs)) served.add(endpointId)
    }
  }

  /** Returns the endpoints of the jobs. */
  const startJobs = async (jobs: readonly FetchedJob[]): Promise<string[]> => {
    const due = await dueDeliveries(db, jobs.map(deliveryIdOf), now())
    const dueById = new Map(due.map((each) => [each.id, each]))
    const finished: FetchedJob[] = []
    const stopped: { id: string; reason: string }[] = []
    const postponed: (Attempt & { until: Date })[] = []
    const at = now().getTime()
    for (const job of jobs) {
      const due = dueById.get(deliveryIdOf(job))
      if (!due) finished.push(job)
      else if (isInProgress(due)) postponed.push({ job, due, until: new Date(at + 2 * attemptTimeoutMs) })
      else if (due.stopped) {
        finished.push(job)
        stopped.push({ id: due.id, reason: due.stopped })
      } else if (due.nextAttemptAt.getTime() > at + earlyMs) postponed.push({ job, due, until: due.nextAttemptAt })
      else start({ job, due })
    }
    if (finished.length > 0) await discardDeliveries(db, queue, { jobs: finished, stopped })
    if (postponed.length > 0) await postpone(db, queue, postponed)
    return due.map(({ endpointId }) => endpointId)
  }

  /** A delivery is fetched again if its job expired or it had two. The attempt in progress usually completes it. */
  const isInProgress = ({ id }: DueDelivery) => inFlight.has(id) || recorder.isPending(id)

  const idle = async () => {
    while (inFlight.size > 0 || recorder.pending() > 0) {
      await Promise.all(inFlight.values())
      await recorder.flush()
    }
  }

  const loop = pollLoop(pollIntervals, {
    poll,
    everyMinute: async () => {
      const rescued = await requeueOverdue(db, queue, now())
      if (rescued > 0) log.warn({ rescued }, 'queued deliveries again that had lost their job')
    },
    onError: (error) => log.error({ err: error }, 'the delivery worker could not fetch jobs and will retry'),
  })

  return {
    /** Polls until stopped. */
    start: loop.start,
    /** Fetches the due jobs once. Returns their number. */
    poll,
    /** Resolves when no attempt is in flight and every outcome is recorded. */
    idle,
    stop: async () => {
      await loop.stop()
      await within(graceMs, Promise.all(inFlight.values()))
      connectionsClosed = true
      await agent.destroy()
      // An unavailable database must not block the exit. Without its outcome a job expires and is fetched again.
      await within(graceMs, idle())
      const unrecorded = recorder.abandon()
      if (unrecorded > 0)
        log.warn({ unrecorded }, 'outcomes were not recorded in time; these deliveries are sent again')
      const until = now()
      const returned = cutOff.map((each) => ({ ...each, until }))
      // What cannot be written is fetched again when its job expires.
      if (returned.length > 0)
        await within(
          graceMs,
          postpone(db, queue, returned).catch(() => {}),
        )
    },
  }
}

const deliveryIdOf = (job: FetchedJob): string => (job.data as { deliveryId: string }).deliveryId

const within = (ms: number, work: Promise<unknown>) => Promise.race([work, delay(ms, undefined, { ref: false })])
