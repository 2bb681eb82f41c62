// An assessment run: load facts → hold them against the market → store what changed → tell who listens. Batch by batch, so
// that it can stop and go on, and so that several workers can share a market.
import type { MarketId } from '../contract/facts.ts'
import { proforma } from '../intelligence/proforma.ts'
import { beginAssessRun, endAssessRun } from '../store/assess-runs.ts'
import {
  type Assessment,
  copyRanks,
  notifyData,
  type ScoreChange,
  storedScores,
  writeAssessments,
  writeHistory,
} from '../store/assessments.ts'
import { type Db, inTransaction } from '../store/database.ts'
import { permitsByProperty } from '../store/market-facts.ts'
import { saveHeat } from '../store/models.ts'
import { countSubjects, listedSubjects, type Subject, subjectsAfter, subjectsByIds } from '../store/subjects.ts'
import { assessProperty, proformaInputOf } from './assess-property.ts'
import { type MarketView, openMarketView } from './market-view.ts'
import { scoreChange } from './score-changes.ts'
import { factsOf } from './subject-facts.ts'

export interface AssessOptions {
  now: Date
  /** Writes the events of changed scores in the transaction that stores them; absent: none are emitted. */
  announce?: (tx: Db, changes: readonly AnnouncedChange[]) => Promise<void>
  onProgress?: (done: number, total: number, step: string) => void
}

export interface AnnouncedChange extends ScoreChange {
  market: MarketId
  subject: Subject
}

export interface AssessResult {
  considered: number
  changed: number
}

const batchSize = 1_000
/** Enough listings for a steady mean, few enough to cost nothing. */
const meanRoiSample = 2_000

/** Everything of one market. */
export const assessMarket = async (db: Db, market: MarketId, options: AssessOptions): Promise<AssessResult> => {
  const { now, onProgress = () => {} } = options
  const runId = await beginAssessRun(db, market, 'market', now)
  const result = { considered: 0, changed: 0 }
  try {
    const total = await countSubjects(db, market)
    const view = await readyView(db, market, now, (share, step) =>
      onProgress(0, total, `${step} ${Math.round(share * 100)} %`),
    )
    await saveHeat(db, market, view.heat.rows())
    for (let after = ''; ; ) {
      const subjects = await subjectsAfter(db, market, after, batchSize)
      if (subjects.length === 0) break
      after = subjects.at(-1)!.id
      result.considered += subjects.length
      result.changed += await assessBatch(db, subjects, view, options)
      onProgress(result.considered, total, 'properties')
    }
    await copyRanks(db, market)
    await endAssessRun(db, runId, result, new Date())
    await notifyData(db, market)
    return result
  } catch (error) {
    await endAssessRun(db, runId, { ...result, error: (error as Error).message }, new Date()).catch(() => {})
    throw error
  }
}

/** Only what a changed record touches, against a view that may be kept from run to run. */
export const assessProperties = async (
  db: Db,
  ids: readonly string[],
  view: MarketView,
  options: AssessOptions,
): Promise<AssessResult> => {
  const result = { considered: 0, changed: 0 }
  for (let at = 0; at < ids.length; at += batchSize) {
    const subjects = await subjectsByIds(db, ids.slice(at, at + batchSize))
    result.considered += subjects.length
    result.changed += await assessBatch(db, subjects, view, options)
  }
  return result
}

/** A view that knows the mean return of the market's own listings. */
export const readyView = async (
  db: Db,
  market: MarketId,
  now: Date,
  onProgress?: (share: number, step: string) => void,
): Promise<MarketView> => {
  const view = await openMarketView(db, market, now.toISOString().slice(0, 10), onProgress)
  const returns = (await listedSubjects(db, market, meanRoiSample)).flatMap(
    (subject) => proforma(proformaInputOf(factsOf(subject), view).input).returnAfterCarryPct ?? [],
  )
  if (returns.length === 0) return view
  return { ...view, meanRoiPct: Math.round((returns.reduce((sum, each) => sum + each, 0) / returns.length) * 10) / 10 }
}

const assessBatch = async (
  db: Db,
  subjects: readonly Subject[],
  view: MarketView,
  { now, announce }: AssessOptions,
): Promise<number> => {
  const ids = subjects.map(({ id }) => id)
  const [permits, stored] = await Promise.all([permitsByProperty(db, ids), storedScores(db, ids)])
  const changed: Assessment[] = []
  const changes: AnnouncedChange[] = []
  for (const subject of subjects) {
    const assessment = assessProperty(subject, permits.get(subject.id) ?? [], view)
    const before = stored.get(subject.id)
    if (before?.contentHash === assessment.contentHash) continue
    changed.push(assessment)
    const change = before && scoreChange(before, assessment)
    if (change) changes.push({ ...change, market: view.market, subject })
  }
  if (changed.length === 0) return 0
  await inTransaction(db, async (tx) => {
    await writeAssessments(tx, changed, now)
    await writeHistory(tx, changes, now)
    // A new model moves scores without anything having happened to the houses: that is no event.
    const events = changes.filter(
      ({ propertyId, modelVersion }) => stored.get(propertyId)?.modelVersion === modelVersion,
    )
    if (events.length > 0) await announce?.(tx, events)
    await notifyData(tx, view.market)
  })
  return changed.length
}
