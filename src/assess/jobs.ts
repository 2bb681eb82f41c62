// Assessments as jobs: a market is split into batches that several workers process, and properties touched by new records
// are assessed again with a view that is cached for the day. Another worker repeats what a killed one left.
import { dayOf } from '../domain/day.ts'
import type { MarketId } from '../domain/facts.ts'
import { marketIds } from '../domain/packs/markets.ts'
import {
  batchTotals,
  beginAssessRun,
  endAssessRun,
  endBatch,
  forgetOtherBasis,
  type IdRange,
  idRanges,
  lastRun,
  marketsToAssessFirst,
  marketsTouched,
  setBatches,
  takeTouched,
  touchAgain,
} from '../store/assessments/assess-runs.ts'
import { pastDays } from '../store/assessments/score-distributions.ts'
import { type Db, inTransaction } from '../store/engine/database.ts'
import type { Queue } from '../store/engine/queue.ts'
import { groupOf, shareLockMarkets } from '../store/engine/shard-groups.ts'
import { traceJob } from '../store/engine/trace-channels.ts'
import { announceTo, type EventSettings } from './announce.ts'
import {
  type AssessResult,
  addCounts,
  assessProperties,
  assessRange,
  changeDays,
  finishRun,
  openView,
  runBasis,
} from './assess-market.ts'
import { fitMarketModels } from './fit-and-assess.ts'
import type { MarketView } from './market-view.ts'
import { isValuationDue } from './valuation.ts'

export type AssessJob =
  /** A whole market, or all markets, split into batches; with `fit`, or when a valuation is due, its models are fitted first. */
  | { market?: MarketId; touched?: false; fit?: boolean }
  /** Only the properties in touched_property, of one market or all; starts the first assessment of a market that was just loaded. */
  | { market?: MarketId; touched: true }
  /** One batch of a run. */
  | ({ market: MarketId; runId: string; begun: string } & IdRange)

interface AssessorOptions extends EventSettings {
  db: Db
  clock?: () => Date
  batchSize?: number
}

interface CachedView {
  day: string
  runId?: string
  view: Promise<MarketView>
  /** The last run when it was opened. */
  after: string | undefined
  /** Set when the view is open. Its memory grows with them. */
  sales: number
}

/** Drops the views not used for longest until the rest has at most this many sales. The last one always stays. */
export const evictOldestViews = (views: Map<unknown, { sales: number }>, maxSales: number): void => {
  let totalSales = [...views.values()].reduce((sum, { sales }) => sum + sales, 0)
  for (const [market, { sales }] of views) {
    if (totalSales <= maxSales || views.size === 1) return
    views.delete(market)
    totalSales -= sales
  }
}

/** Slightly more than one view of the largest county has. */
const maxCachedSales = 300_000
/** A batch takes seconds. One not finished after this time is retried: its worker has died. */
const batchExpirySeconds = 300
const touchedBatchSize = 500

export const assessor = ({ db, clock = () => new Date(), batchSize = 2_000, ...settings }: AssessorOptions) => {
  const views = new Map<MarketId, CachedView>()
  const { queue } = settings
  /** One view per market and day. A whole run opens a new one; after it, touched properties are assessed with a new one. */
  const viewOf = async (market: MarketId, now: Date, runId?: string): Promise<CachedView> => {
    const day = dayOf(now)
    const after = (await lastRun(db, market))?.id
    const known = views.get(market)
    // The most recently used view is the last one.
    views.delete(market)
    if (known && known.day === day && (runId === undefined ? known.after === after : known.runId === runId)) {
      views.set(market, known)
      return known
    }
    const today = (await chosenDay(db, market)) ?? now
    const opening: CachedView = { day, runId, view: openView(db, market, today), after, sales: 0 }
    views.set(market, opening)
    try {
      const view = await opening.view
      opening.sales = view.sales.length
      evictOldestViews(views, maxCachedSales)
      return opening
    } catch (error) {
      if (views.get(market) === opening) views.delete(market)
      throw error
    }
  }

  const begin = async (market: MarketId, fit = false): Promise<AssessResult> => {
    const now = clock()
    // Recorded before the fit, which can take minutes: meanwhile no other worker must start the same.
    const runId = await beginAssessRun(db, market, now)
    const asOf = await chosenDay(db, market)
    const prepare = async () => {
      if (fit || (await isValuationDue(db, market, dayOf(asOf ?? now))))
        await fitMarketModels(db, market, { now, asOf })
      const { view } = await viewOf(market, now, runId)
      return changeDays(db, await view, runId, { now, onlyChanged: true })
    }
    const changed = await prepare().catch(async (error: Error) => {
      const failed = { considered: 0, changed: 0, error: error.message }
      await endAssessRun(db, market, runId, failed, clock()).catch(() => {})
      throw error
    })
    await inTransaction(groupOf(db, market), async (tx) => {
      await shareLockMarkets(tx, [market])
      const ranges = await idRanges(tx, market, batchSize, changed)
      await setBatches(tx, market, runId, ranges.length)
      for (const range of ranges)
        await queue.send(
          tx,
          'assess',
          { market, runId, ...range, begun: now.toISOString() },
          { expireInSeconds: batchExpirySeconds, retryLimit: 5, retryDelay: 1 },
        )
    })
    return { considered: 0, changed: 0 }
  }

  const batch = async (job: Extract<AssessJob, { runId: string }>): Promise<AssessResult> => {
    const now = new Date(job.begun)
    const view = await (await viewOf(job.market, now, job.runId)).view
    const asOf = await chosenDay(db, job.market)
    const options = { now, asOf, announce: announceTo(settings, now) }
    // Batches of one run use its start time, so that a repeated batch writes the same rows.
    const result = await assessRange(db, job, view, options)
    const group = groupOf(db, job.market)
    await forgetOtherBasis(group, job.market, job.runId, await runBasis(db, view, now))
    const last = await inTransaction(group, (tx) => endBatch(tx, job.market, job.runId, job.afterId, result))
    if (last) {
      const totals = await batchTotals(group, job.market, job.runId)
      await finishRun(db, view, job.runId, now, totals, { asOf, changed: job.changed })
    }
    return result
  }

  /** Dequeueing, scores, history and events are one transaction: when the worker is killed, the property stays queued. */
  const touched = async (market: MarketId): Promise<AssessResult> => {
    const sum: AssessResult = { considered: 0, changed: 0 }
    const now = clock()
    const { view: opening, after } = await viewOf(market, now)
    const view = await opening
    const asOf = await chosenDay(db, market)
    if (after) await forgetOtherBasis(groupOf(db, market), market, after, await runBasis(db, view, now))
    for (let again = false; !again; ) {
      const part = await inTransaction(groupOf(db, market), async (tx) => {
        await shareLockMarkets(tx, [market])
        const ids = await takeTouched(tx, market, touchedBatchSize)
        if (ids.length === 0) return undefined
        const options = { now: clock(), asOf, announce: announceTo(settings, now) }
        const assessed = await assessProperties(tx, ids, view, options)
        again = await touchAgain(tx, market, ids, after, clock())
        return assessed
      })
      if (!part) return sum
      addCounts(sum, part)
    }
    return sum
  }

  return {
    run: async (job: AssessJob): Promise<AssessResult> => {
      if ('runId' in job) return batch(job)
      const markets = job.touched
        ? (await marketsTouched(db, clock())).filter((market) => !job.market || market === job.market)
        : job.market
          ? [job.market]
          : marketIds()
      const sum: AssessResult = { considered: 0, changed: 0 }
      for (const market of markets) addCounts(sum, await (job.touched ? touched(market) : begin(market, job.fit)))
      const first = job.touched && !job.market ? await marketsToAssessFirst(db, clock()) : []
      for (const market of first) await begin(market, true)
      return first.length > 0 ? { ...sum, begun: first } : sum
    },
  }
}

/** The day an operator chose with `assess --as-of`. */
export const chosenDay = async (db: Db, market: MarketId): Promise<Date | undefined> => {
  const day = (await pastDays(db, [market])).get(market)
  return day === undefined ? undefined : new Date(`${day}T12:00:00Z`)
}

interface AssessJobsOptions {
  queue: Queue
  /** Runs a job: an `assessor`, or a thread with one. */
  run: (job: AssessJob) => Promise<AssessResult>
  onDone?: (job: AssessJob, result: AssessResult) => void
  onFailed?: (job: AssessJob, error: unknown) => void
}

/** Touched properties every minute, whole markets daily after the feeds. The first run of a month fits the models. */
export const registerAssessJobs = async ({ queue, run, onDone, onFailed }: AssessJobsOptions): Promise<void> => {
  const { boss } = queue
  await boss.schedule('assess', '* * * * *', { touched: true }, { key: 'touched' })
  await boss.schedule('assess', '40 10 * * *', {}, { key: 'daily' })
  await boss.work<AssessJob>('assess', { pollingIntervalSeconds: 2 }, async ([job]) => {
    if (!job) return
    try {
      const result = await traceJob('assess', () => run(job.data ?? {}))
      if (result.considered > 0 || result.begun) onDone?.(job.data, result)
    } catch (error) {
      onFailed?.(job.data, error)
      throw error
    }
  })
}
