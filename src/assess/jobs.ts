// Assessments as jobs: a market is cut into batches that workers share, and properties touched by new records are
// assessed again against a view kept warm for the day. What a killed worker left is done again by another.
import { dayOf } from '../contract/day.ts'
import { type MarketId, marketIds } from '../contract/facts.ts'
import {
  batchTotals,
  beginAssessRun,
  endBatch,
  type IdRange,
  idRanges,
  marketsTouched,
  setBatches,
  takeTouched,
} from '../store/assessments/assess-runs.ts'
import { type Db, inTransaction } from '../store/engine/database.ts'
import type { Queue } from '../store/engine/queue.ts'
import { announceScores } from './announce-scores.ts'
import {
  type AssessResult,
  assessProperties,
  assessRange,
  assessShares,
  finishRun,
  readyView,
} from './assess-market.ts'
import { fitAndAssess, fitMarketModels } from './fit-and-assess.ts'
import { type FittedModels, type LearnedValues, type MarketView, openMarketView, withModels } from './market-view.ts'
import { noneLeft, type Shares } from './shares.ts'

export type AssessJob =
  /** The whole market, or every market: cut into batches; with `fit`, by models fitted anew. */
  | { market?: MarketId; touched?: false; fit?: boolean }
  /** Only what waits in touched_property, of one market or all. */
  | { market?: MarketId; touched: true }
  /** One batch of a run. */
  | ({ market: MarketId; runId: string; begun: string } & IdRange)

/** What one thread asks of another: no job of the queue, since what is known goes along. */
export type BesideJob =
  /** A market never assessed, as of an instant: models fitted without the forward back-test, then all of it in one go. */
  | { market: MarketId; firstAt: string; learned?: LearnedValues }
  /** Shares of a run that the other began, by the view it has. */
  | { market: MarketId; at: string; shares: Shares; seen: Seen }

type Seen = FittedModels & Pick<MarketView, 'sales' | 'value' | 'meanRoiPct'>

export interface AssessorOptions {
  db: Db
  queue: Queue
  clock?: () => Date
  /** Properties in one batch job. */
  batchSize?: number
}

export interface Assessor {
  run(job: AssessJob | BesideJob): Promise<AssessResult>
  /** Lets the views go, and with them most of the memory. */
  forget(): void
}

const defaultBatch = 2_000
/** A batch takes seconds; one not done in this time died with its worker. */
const batchExpirySeconds = 300
const touchedAtOnce = 500

export const assessor = ({
  db,
  queue,
  clock = () => new Date(),
  batchSize = defaultBatch,
}: AssessorOptions): Assessor => {
  const views = new Map<MarketId, { day: string; runId?: string; view: Promise<MarketView> }>()
  /** One per market and day; a whole run looks at the market afresh. */
  const viewOf = (market: MarketId, now: Date, runId?: string): Promise<MarketView> => {
    const day = dayOf(now)
    const known = views.get(market)
    if (known && known.day === day && (runId === undefined || known.runId === runId)) return known.view
    const view = readyView(db, market, now)
    views.set(market, { day, runId, view })
    view.catch(() => views.delete(market))
    return view
  }

  const begin = async (market: MarketId, fit = false): Promise<AssessResult> => {
    const now = clock()
    if (fit) await fitMarketModels(db, market, { now })
    await inTransaction(db, async (tx) => {
      const runId = await beginAssessRun(tx, market, 'market', now)
      const ranges = await idRanges(tx, market, batchSize)
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
    const view = await viewOf(job.market, now, job.runId)
    const options = { now, announce: announceScores(queue, now) }
    // Batches of one run share its moment, so that a repeated one writes the same rows.
    const result = await assessRange(db, job, view, options)
    const last = await inTransaction(db, (tx) => endBatch(tx, job.market, job.runId, job.afterId, result))
    if (last) await finishRun(db, job.market, job.runId, now, await batchTotals(db, job.market, job.runId))
    return result
  }

  /** Taking off, scores, history and events are one transaction: a kill leaves the property waiting. */
  const touched = async (market: MarketId): Promise<AssessResult> => {
    const sum = { considered: 0, changed: 0 }
    const now = clock()
    const view = await viewOf(market, now)
    for (;;) {
      const part = await inTransaction(db, async (tx) => {
        const ids = await takeTouched(tx, market, touchedAtOnce)
        if (ids.length === 0) return undefined
        return assessProperties(tx, ids, view, { now: clock(), announce: announceScores(queue, now) })
      })
      if (!part) return sum
      sum.considered += part.considered
      sum.changed += part.changed
    }
  }

  const share = async ({ market, at, shares, seen }: Extract<BesideJob, { shares: Shares }>): Promise<AssessResult> => {
    if (noneLeft(shares)) return { considered: 0, changed: 0 }
    const view = await openMarketView(db, market, at.slice(0, 10), { learned: seen })
    const same = { ...view, meanRoiPct: seen.meanRoiPct, ...withModels(seen) }
    return assessShares(db, same, shares, { now: new Date(at) })
  }

  return {
    forget: () => views.clear(),
    run: async (job) => {
      if ('runId' in job) return batch(job)
      if ('shares' in job) return share(job)
      if ('firstAt' in job) {
        const options = { now: new Date(job.firstAt), quick: true, learned: job.learned }
        const { considered, changed } = await fitAndAssess(db, job.market, options)
        views.delete(job.market)
        return { considered, changed }
      }
      const markets = job.touched
        ? (await marketsTouched(db, clock())).filter((market) => !job.market || market === job.market)
        : job.market
          ? [job.market]
          : marketIds
      const sum = { considered: 0, changed: 0 }
      for (const market of markets) {
        const { considered, changed } = await (job.touched ? touched(market) : begin(market, job.fit))
        sum.considered += considered
        sum.changed += changed
      }
      return sum
    },
  }
}

export interface AssessJobsOptions {
  queue: Queue
  /** Who does the work: an `assessor`, or a thread that holds one. */
  run: (job: AssessJob) => Promise<AssessResult>
  onDone?: (job: AssessJob, result: AssessResult) => void
  onFailed?: (job: AssessJob, error: unknown) => void
}

/** Touched properties every minute, whole markets once a day after the feeds, models fitted to what is held once a week. */
export const registerAssessJobs = async ({ queue, run, onDone, onFailed }: AssessJobsOptions): Promise<void> => {
  const { boss } = queue
  await boss.schedule('assess', '* * * * *', { touched: true }, { key: 'touched' })
  await boss.schedule('assess', '40 10 * * 1-6', {}, { key: 'daily' })
  await boss.schedule('assess', '40 10 * * 0', { fit: true }, { key: 'weekly' })
  await boss.work<AssessJob>('assess', { pollingIntervalSeconds: 2 }, async ([job]) => {
    if (!job) return
    try {
      const result = await run(job.data ?? {})
      if (result.considered > 0) onDone?.(job.data, result)
    } catch (error) {
      onFailed?.(job.data, error)
      throw error
    }
  })
}
