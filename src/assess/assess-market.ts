// An assessment run: load facts, compute, store what changed, record events. It runs in batches, so
// that it can be interrupted and continued, and so that several workers can share a market.

import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { messageOf } from '../common/typed.ts'
import { dayOf } from '../domain/day.ts'
import type { MarketId } from '../domain/facts.ts'
import { proforma } from '../intelligence/proforma/proforma.ts'
import { proformaInputOf } from '../intelligence/proforma/proforma-input.ts'
import { removeValueAccuracy } from '../store/assessments/accuracy.ts'
import { withPendingListings } from '../store/assessments/announced.ts'
import {
  beginAssessRun,
  type ChangeDays,
  clearTouched,
  endAssessRun,
  type IdRange,
  idRanges,
  lastRun,
  lastRunVersion,
  setRunBasis,
  touchedAmong,
  touchedIn,
} from '../store/assessments/assess-runs.ts'
import {
  type Assessment,
  type AssessmentRow,
  notifyData,
  reclaimSpace,
  type StoredScores,
  storedParts,
  storedScores,
  writeAssessments,
  writeHistory,
} from '../store/assessments/assessments.ts'
import { writeForecasts } from '../store/assessments/forecasts.ts'
import { permitsByProperty } from '../store/assessments/market-facts.ts'
import { saveScoreDistributions } from '../store/assessments/score-distributions.ts'
import { listedSubjects, type Subject, subjectsByIds, subjectsIn } from '../store/assessments/subjects.ts'
import { lastValues, writeValueChanges } from '../store/assessments/value-changes.ts'
import { type Db, inTransaction } from '../store/engine/database.ts'
import { groupOf, shareLockMarkets } from '../store/engine/shard-groups.ts'
import { indexHomesInParts } from '../store/permit-search/upkeep.ts'
import { changedRows } from '../store/search/changed-rows.ts'
import { indexMarket, indexPropertiesOf, lockSearchRows, searchDefinition } from '../store/search/upkeep.ts'
import { hasWatches } from '../store/watches/changes.ts'
import type { Announce, AssessedMove } from './announce.ts'
import { assessProperty } from './assess-property.ts'
import { saveMarketHeat } from './city-heat.ts'
import {
  basisOf,
  type MarketFacts,
  type MarketView,
  type ReadOptions,
  readMarketFacts,
  viewOfFacts,
} from './market-view.ts'
import { scoreForecasts } from './save-live-accuracy.ts'
import { saveMarketSeries } from './save-series.ts'
import { scoreChange, scoreMoved } from './score-changes.ts'
import { factsOf } from './subject-facts.ts'
import { isValuationDue, storedValuation, storeValuation } from './valuation.ts'
import { valueMove, valueMoved } from './value-moves.ts'

export interface AssessOptions {
  now: Date
  /** The day the properties are assessed for. Defaults to the day of `now`; the sample data can be ahead of the calendar. */
  today?: Date
  /**
   * Chosen by an operator whose data ends in the past. It is kept with the market: later runs and days on market use it too, until
   * a run without it.
   */
  asOf?: Date
  /** Writes the events of an assessment in the transaction that stores it; without it, no events are written. */
  announce?: Announce
  /** Also writes events for changes that only come from a new model, law, pack or program version. */
  emit?: boolean
  /** Assesses only the properties that can have changed since the last run of the market, if all was assessed with the same basis. */
  onlyChanged?: boolean
  /** The properties with new records; read from the list of touched properties without it. */
  touched?: ReadonlySet<string>
  /** Assesses ranges of the market in another thread at the same time, with the stored valuation. */
  assist?: (range: IdRange) => Promise<AssessResult>
  onProgress?: (done: number, total: number, step: string) => void
}

export interface AssessResult {
  considered: number
  changed: number
  /** Events that were not sent, because only a model, a law, a pack or the program changed. */
  withheld?: number
  /** Markets whose first assessment was started, as jobs that follow. */
  begun?: MarketId[]
}

export const addCounts = (sum: AssessResult, { considered, changed, withheld = 0 }: AssessResult): void => {
  sum.considered += considered
  sum.changed += changed
  if (withheld > 0) sum.withheld = (sum.withheld ?? 0) + withheld
}

const batchSize = 500
/** Properties assessed between two yields, about 10 ms of work: database reads and writes continue during a yield. */
const propertiesPerYield = 16
/** Enough listings for a stable mean; more would take longer without changing it. */
const meanRoiSample = 2_000

export const assessMarket = async (db: Db, market: MarketId, options: AssessOptions): Promise<AssessResult> => {
  const { now, asOf, today = asOf ?? now, onProgress = () => {} } = options
  return assessInRun(db, market, options, async () => {
    if (!(await isValuationDue(db, market, dayOf(today)))) return openView(db, market, today)
    const view = await valueMarket(db, market, today, { now, onProgress: (share, step) => onProgress(share, 1, step) })
    return { ...view, facts: await storeValuation(db, market, view.facts, now) }
  })
}

/**
 * The run is recorded before its view is made: fitting models can take minutes, and another process must not start the same
 * meanwhile.
 */
export const assessInRun = async (
  from: Db,
  market: MarketId,
  options: AssessOptions,
  viewOf: () => Promise<MarketView>,
): Promise<AssessResult> => {
  const db = groupOf(from, market)
  const runId = await beginAssessRun(db, market, options.now)
  const result: AssessResult = { considered: 0, changed: 0 }
  try {
    const view = await viewOf()
    const startedAt = new Date()
    const changed = await changeDays(db, view, runId, options)
    await assessRanges(db, view, await idRanges(db, market, batchSize, changed), options, result)
    await finishRun(db, view, runId, startedAt, result, { asOf: options.asOf, changed })
    return result
  } catch (error) {
    await endAssessRun(db, market, runId, { ...result, error: messageOf(error) }, new Date()).catch(() => {})
    throw error
  }
}

/** What a run of this view is computed with; undefined if that is not known to be the same in another run. */
export const runBasis = async (db: Db, view: MarketView, now: Date): Promise<string | undefined> => {
  const basis = pastDay(view.today, now) === undefined ? basisOf(view) : undefined
  return basis && `${basis}/${await searchDefinition(groupOf(db, view.market))}`
}

/** Records what the run is computed with. Returns the days to compare, if the last run was computed with the same. */
export const changeDays = async (
  db: Db,
  view: MarketView,
  runId: string,
  { now, onlyChanged = false, assist }: AssessOptions,
): Promise<ChangeDays | undefined> => {
  const { market, today } = view
  // Another thread opens a view of its own, which may differ.
  const basis = assist ? undefined : await runBasis(db, view, now)
  const last = await lastRun(db, market)
  await setRunBasis(db, market, runId, today, basis)
  return onlyChanged && basis && last?.basis === basis && last.assessedOn !== null && last.assessedOn <= today
    ? { since: last.assessedOn, until: today }
    : undefined
}

/** Reads the next range and writes the last one while this one is assessed. Adds what it did to `result`. */
const assessRanges = async (
  db: Db,
  view: MarketView,
  ranges: readonly IdRange[],
  options: AssessOptions,
  result: AssessResult,
): Promise<void> => {
  const { onProgress = () => {}, assist } = options
  const waiting = [...ranges]
  const read = () => {
    const range = waiting.shift()
    const reading = range && readRange(db, view, range, options)
    // Awaited below; a failure before that must not end the process.
    reading?.catch(() => {})
    return reading
  }
  const assisting = (async () => {
    for (let last = assist && waiting.pop(); assist && last; last = waiting.pop()) addCounts(result, await assist(last))
  })()
  assisting.catch(() => {})
  let writing: Promise<AssessResult> = Promise.resolve({ considered: 0, changed: 0 })
  let next = read()
  onProgress(0, ranges.length, 'properties')
  while (next) {
    const range = await next
    next = read()
    const assessed = await assessSubjects(db, range.subjects, view, options)
    addCounts(result, await writing)
    writing = writeAssessed(db, assessed, view, options).then((done) => endRange(db, view.market, range, done))
    writing.catch(() => {})
    onProgress(ranges.length - waiting.length - (next ? 1 : 0), ranges.length, 'properties')
  }
  addCounts(result, await writing)
  await assisting
}

const readRange = async (db: Db, view: MarketView, range: IdRange, { now }: AssessOptions) => {
  const touched = await touchedIn(db, view.market, range)
  const subjects = await subjectsIn(db, view.market, range, pastDay(view.today, now))
  return { touched, subjects, partly: range.changed !== undefined }
}

const endRange = async (
  db: Db,
  market: MarketId,
  { touched, subjects, partly }: Awaited<ReturnType<typeof readRange>>,
  done: AssessResult,
): Promise<AssessResult> => {
  const ids = subjects.map(({ id }) => id)
  // A run of all properties compares the whole market at its end.
  if (partly && ids.length > 0) await inTransaction(db, (tx) => indexPropertiesOf(tx, market, ids))
  await clearTouched(db, market, touched)
  if (done.changed > 0) await reclaimSpace(db)
  return done
}

/** Ends a run after all its properties are assessed. */
export const finishRun = async (
  from: Db,
  view: MarketView,
  runId: string,
  begun: Date,
  result: AssessResult,
  { asOf, changed }: { asOf?: Date | undefined; changed?: ChangeDays | undefined } = {},
): Promise<void> => {
  const { market, teardown, value, version } = view
  const db = groupOf(from, market)
  await saveMarketHeat(db, view)
  await saveMarketSeries(db, view, begun)
  await scoreForecasts(db, view, begun)
  if (!changed) {
    await inTransaction(db, (tx) => indexMarket(tx, market))
    await indexHomesInParts(db, market)
  }
  if (!value) await removeValueAccuracy(db, market)
  await saveScoreDistributions(db, market, teardown, begun, asOf && dayOf(asOf))
  await endAssessRun(db, market, runId, { ...result, modelVersion: version }, new Date())
  await notifyData(db, market)
}

/** One worker's batch of a run. */
export const assessRange = async (
  from: Db,
  range: IdRange,
  view: MarketView,
  options: AssessOptions,
): Promise<AssessResult> => {
  const db = groupOf(from, view.market)
  const read = await readRange(db, view, range, options)
  return endRange(db, view.market, read, await assessBatch(db, read.subjects, view, options))
}

/** Only the given properties, with a view that may be cached from an earlier run. */
export const assessProperties = async (
  from: Db,
  ids: readonly string[],
  view: MarketView,
  options: AssessOptions,
): Promise<AssessResult> => {
  const db = groupOf(from, view.market)
  const result: AssessResult = { considered: 0, changed: 0 }
  for (let at = 0; at < ids.length; at += batchSize) {
    const batch = ids.slice(at, at + batchSize)
    const subjects = await subjectsByIds(db, view.market, batch, pastDay(view.today, options.now))
    addCounts(result, await assessBatch(db, subjects, view, { ...options, touched: new Set(batch) }))
    // Also if no assessment changed: a listing loaded during the assessment may have been indexed with the earlier one.
    if (await inTransaction(db, (tx) => indexPropertiesOf(tx, view.market, batch))) await notifyData(db, view.market)
  }
  return result
}

/** The view of the market's last valuation. A market that has none is valued for this view only. */
export const openView = async (from: Db, market: MarketId, today: Date): Promise<MarketView> => {
  const db = groupOf(from, market)
  const facts = await storedValuation(db, market)
  return facts ? viewOfFacts(db, market, facts, dayOf(today)) : valueMarket(db, market, today)
}

/** A new valuation as of today. The caller stores it. */
export const valueMarket = async (
  from: Db,
  market: MarketId,
  today: Date,
  options: ReadOptions = {},
): Promise<MarketView> => {
  const db = groupOf(from, market)
  const day = dayOf(today)
  // Read first: values may be fitted in this thread, and a result that is not read meanwhile runs into the statement timeout.
  const listed = await listedSubjects(db, market, meanRoiSample, pastDay(day, options.now ?? today))
  const facts = await readMarketFacts(db, market, day, options)
  const view = await viewOfFacts(db, market, facts, day)
  const returns = listed.flatMap((subject) => proforma(proformaInputOf(factsOf(subject), view).input).returnPct ?? [])
  if (returns.length === 0) return view
  const meanRoiPct = Math.round((returns.reduce((sum, each) => sum + each, 0) / returns.length) * 10) / 10
  return { ...view, meanRoiPct, facts: { ...facts, meanRoiPct } satisfies MarketFacts }
}

/** The day of an assessment if it is in the past. What became known later is then left out, and the day is part of the result. */
const pastDay = (today: string, now: Date): string | undefined => (today < dayOf(now) ? today : undefined)

const assessBatch = async (
  db: Db,
  subjects: readonly Subject[],
  view: MarketView,
  options: AssessOptions,
): Promise<AssessResult> => writeAssessed(db, await assessSubjects(db, subjects, view, options), view, options)

/** The assessments of a batch (`ids`) that differ from the stored ones, and what changed in those that had one before. */
const assessSubjects = async (
  db: Db,
  subjects: readonly Subject[],
  view: MarketView,
  { emit = false, touched: known, now }: AssessOptions,
) => {
  const ids = subjects.map(({ id }) => id)
  const [permits, stored] = await Promise.all([
    permitsByProperty(db, view.market, ids, view.today),
    storedScores(db, view.market, ids),
  ])
  const changed: AssessmentRow[] = []
  const moved: { subject: Subject; before: StoredScores; after: Assessment }[] = []
  for (const [at, subject] of subjects.entries()) {
    // Pending database reads and writes only continue while this loop yields.
    if (at % propertiesPerYield === 0) await yieldToEventLoop()
    const after = assessProperty(subject, permits.get(subject.id) ?? [], view, pastDay(view.today, now))
    const before = stored.get(subject.id)
    if (before?.contentHash === after.contentHash) continue
    const { propertyId, market, citySlug, modelVersion, contentHash, assessedOn, json } = after
    // Only the columns of the row: the content has ten times as many objects, which would survive several garbage collections.
    changed.push({ propertyId, market, citySlug, modelVersion, contentHash, assessedOn, json })
    if (before) moved.push({ subject, before, after })
  }
  const idsOf = (some: typeof moved) => some.map(({ subject }) => subject.id)
  const scored = moved.filter(
    ({ before, after }) => scoreMoved(before, after) || valueMoved(before.valueUsd, after.valueUsd ?? null),
  )
  const [parts, last, touched, refitted] = await Promise.all([
    storedParts(db, view.market, idsOf(scored)),
    lastValues(db, view.market, idsOf(moved)),
    // After the subjects were read, so that a record among them that was loaded meanwhile is seen.
    known ?? touchedAmong(db, view.market, idsOf(moved)),
    refittedCheck(db, view, moved),
  ])
  const moves = moved.map(({ subject, before, after }): AssessedMove => {
    const oldParts = parts.get(subject.id)
    return {
      subject,
      before,
      after,
      ...(oldParts && scoreMoved(before, after)
        ? { change: scoreChange(before, oldParts, after, refitted(before)) }
        : {}),
      silent: refitted(before) && !emit,
      untouched: !touched.has(subject.id) && !emit,
    }
  })
  const values = moved.flatMap(
    ({ subject, before, after }) =>
      valueMove(before, after, last.get(subject.id), refitted(before), parts.get(subject.id)?.value) ?? [],
  )
  return { ids, changed, moves, values }
}

/**
 * Whether the stored scores were computed with other models than the view's. A row that a refit did not change keeps its old
 * version, so after a completed run with the view's models every row counts as computed with them.
 */
const refittedCheck = async (
  db: Db,
  { market, version }: MarketView,
  moved: readonly { before: StoredScores }[],
): Promise<(before: StoredScores) => boolean> => {
  const older = moved.some(({ before }) => before.modelVersion !== version)
  const isCurrent = !older || (await lastRunVersion(db, market)) === version
  return ({ modelVersion }) => !isCurrent && modelVersion !== version
}

/** Scores, history, forecasts and events in one transaction. */
const writeAssessed = async (
  db: Db,
  { ids, changed, moves, values }: Awaited<ReturnType<typeof assessSubjects>>,
  view: MarketView,
  { now, asOf, announce }: AssessOptions,
): Promise<AssessResult> => {
  const { market, today } = view
  const changedIds = changed.map(({ propertyId }) => propertyId)
  const waiting = announce ? await withPendingListings(db, market, ids) : []
  const announced = [...new Set([...changedIds, ...waiting])]
  if (announced.length === 0) return { considered: ids.length, changed: 0 }
  // The first run of a market matches nothing: every home would be new.
  const watched =
    announce !== undefined && (await hasWatches(db, market, now)) && (await lastRunVersion(db, market)) !== undefined
  const withheld = await inTransaction(db, async (tx) => {
    await shareLockMarkets(tx, [market])
    const scoreChanges = moves.flatMap(({ change }) => change ?? [])
    const write = async () => {
      await writeAssessments(tx, changed, now)
      await writeHistory(tx, scoreChanges, now)
      await writeValueChanges(tx, market, values, { now, today })
      await writeForecasts(tx, market, changedIds, today)
    }
    // A load that runs meanwhile leaves its match to this run, or sees that the change no longer waits. Locked at once, in one order.
    if (watched) await lockSearchRows(tx, market, announced)
    const rows = watched ? await changedRows(tx, market, changedIds, today, write) : undefined
    if (!watched) await write()
    const batch = { market, today, asOf: asOf && dayOf(asOf), ids: announced, moves, rows }
    const silenced = (await announce?.(tx, batch)) ?? 0
    await notifyData(tx, market)
    return silenced
  })
  return { considered: ids.length, changed: changed.length, ...(withheld > 0 ? { withheld } : {}) }
}
