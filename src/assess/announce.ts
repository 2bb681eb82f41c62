// The events of an assessment, in the transaction that stores it: changed scores, new leads, and the listing changes that waited for
// it. A silent change (of a model, a law, a pack or the program) writes no events and moves what later changes are compared with.
// A change that only the calendar caused (one more week on the market) writes no events either, and moves nothing: it is announced
// together with the next change that a record causes.
import { pick } from '../common/typed.ts'
import type { SearchRow } from '../criteria/conditions.ts'
import { rowAs, rowBeforeListing, withScoresOf } from '../criteria/row-readings.ts'
import { isShown, type MarketId } from '../domain/facts.ts'
import type { MarketRanks } from '../domain/findings/score-rank.ts'
import { defaultPublicUrl, propertyUrl } from '../domain/page-urls.ts'
import { rankIn, withPercentiles } from '../intelligence/scores/score-ranks.ts'
import { lawById, lawReference } from '../laws/list.ts'
import {
  type AnnouncedScores,
  announcedScores,
  type PendingListing,
  saveAnnouncedScores,
  takePendingListings,
} from '../store/assessments/announced.ts'
import type { Assessment, ScoreChange, StoredScores } from '../store/assessments/assessments.ts'
import { marketRanks } from '../store/assessments/score-distributions.ts'
import type { Subject } from '../store/assessments/subjects.ts'
import type { Db } from '../store/engine/database.ts'
import type { Queue } from '../store/engine/queue.ts'
import type { ChangedRow } from '../store/search/changed-rows.ts'
import { searchRowsOf } from '../store/search/search-rows.ts'
import { recordChanges, type WatchedChange } from '../store/watches/changes.ts'
import { type NewEvent, newEvent, recordEvents } from '../store/webhooks/events.ts'
import type { EventData } from '../wire/events.ts'
import { listingEvents } from './listing-events.ts'
import { type ChangedInput, hasChangedScore } from './score-changes.ts'

/** A property whose assessment differs from the stored one. */
export interface AssessedMove {
  subject: Subject
  before: StoredScores
  after: Assessment
  /** Set if a served score changed. */
  change?: ScoreChange & { changed: readonly ChangedInput[] }
  /** Caused only by a new model, law, pack or program version. */
  silent: boolean
  /** No record of the property changed: only the calendar caused it. */
  untouched: boolean
}

interface AssessedBatch {
  market: MarketId
  today: string
  /** The day of the run, if an operator chose it because the data ends in the past. */
  asOf?: string | undefined
  /** The properties whose assessment changed or whose listing changes wait. */
  ids: readonly string[]
  moves: readonly AssessedMove[]
  /** The searchable rows that the assessment changed; undefined if the market has no watches or this is its first run. */
  rows?: readonly ChangedRow[] | undefined
}

export interface EventSettings {
  queue: Queue
  publicUrl?: string
  /** The least change of the flip score, in points, that endpoints receive by default. */
  minScoreChange?: number
}

/** Returns the number of events that silent changes would have sent. */
export type Announce = (tx: Db, batch: AssessedBatch) => Promise<number>

/** The least change of the teardown score, in percentiles: the scores of most homes are a few points. */
const minTeardownPercentiles = 5

export const announceTo =
  ({ queue, publicUrl = defaultPublicUrl, minScoreChange = 3 }: EventSettings, now: Date): Announce =>
  async (tx, { market, today, asOf, ids, moves, rows: changed }) => {
    const pending = await takePendingListings(tx, market, ids, now)
    if (pending.length === 0 && moves.length === 0 && !changed?.length) return 0
    const ranks = await marketRanks(tx, market)
    const movedIds = moves.map(({ after }) => after.propertyId)
    const known = await announcedScores(tx, market, movedIds)
    const judged = moves.map((move) => judge(move, known.get(move.after.propertyId), ranks, minScoreChange))
    const baselines = judged.flatMap(({ baseline }) => baseline ?? [])
    await saveAnnouncedScores(tx, market, baselines)
    const news = judged.filter(({ score, leads }) => score || leads.length > 0)
    const toldIds = [...pending.map(({ propertyId }) => propertyId), ...news.map(({ move }) => move.after.propertyId)]
    const rows = await searchRowsOf(tx, market, toldIds, today, { deals: changed !== undefined })
    const ranked = new Map([...rows].map(([id, row]) => [id, withPercentiles(row, ranks)]))
    const events = [
      ...listingEvents(market, pending, ranked, publicUrl),
      ...news.flatMap((each) => eventsOf(market, each, ranked.get(each.move.after.propertyId), publicUrl)),
    ]
    await recordEvents(tx, queue, events, now, () => asOf)
    if (changed) await recordChanges(tx, market, watchedChanges(changed, pending, judged, rows), now)
    return judged.reduce((sum, { withheld }) => sum + withheld, 0)
  }

/**
 * The homes that changed since they were assessed last, with their rows before the listing changes that waited and before this
 * assessment. A silent change counts as no change.
 */
const watchedChanges = (
  changed: readonly ChangedRow[],
  pending: readonly PendingListing[],
  judged: readonly Judged[],
  current: ReadonlyMap<string, SearchRow>,
): WatchedChange[] => {
  const silent = new Set(judged.flatMap(({ move }) => (move.silent ? move.after.propertyId : [])))
  const scored = new Set(judged.flatMap(({ move, score }) => (score && !score.minor ? move.after.propertyId : [])))
  const assessed = new Map(changed.flatMap((row) => (silent.has(row.after.id!) ? [] : [[row.after.id!, row] as const])))
  // In order of time, so that the first change of a home has its state before all of them.
  const ofCurrent = pending.filter((each) => each.current)
  const listed = Map.groupBy(ofCurrent, ({ propertyId }) => propertyId!)
  const rowsBefore = new Map(
    pending.flatMap(({ propertyId, rowBefore }) => (rowBefore ? [[propertyId, rowBefore]] : [])),
  )
  return [...new Set([...assessed.keys(), ...listed.keys(), ...rowsBefore.keys()])].flatMap((propertyId) => {
    const after = assessed.get(propertyId)?.after ?? current.get(propertyId)
    if (!after) return []
    const old = assessed.has(propertyId) ? assessed.get(propertyId)!.before : after
    const first = listed.get(propertyId)?.[0]
    const listedBefore =
      first && old ? rowBeforeListing(old, { price: first.previousPriceUsd, status: first.previousStatus }) : old
    const keptRow = rowsBefore.get(propertyId)
    const before = keptRow && silent.has(propertyId) ? withScoresOf(after, keptRow) : (keptRow ?? listedBefore)
    return [{ propertyId, before, after, scored: scored.has(propertyId) }]
  })
}

/** `score`: a served score changed. `baseline`: what later changes are compared with, if it is not what is stored. */
type Judged = ReturnType<typeof judge>

const judge = (
  move: AssessedMove,
  known: AnnouncedScores | undefined,
  ranks: MarketRanks | undefined,
  minScoreChange: number,
) => {
  const { before, after, change, silent, untouched } = move
  const from = known ?? before
  const scored = change !== undefined && hasChangedScore(change) && (silent || !untouched)
  const major = scored && isMajor(from, after, ranks, minScoreChange)
  const reachedBefore = known?.leads ?? reachedLeads(before)
  const reached = untouched && !silent ? [] : leadsOf(after)
  const newLeads = reached.filter(({ kind }) => !reachedBefore.includes(kind))
  const leads = silent ? [] : newLeads
  // A first score is not announced, and later ones are compared with it.
  const moved = (name: 'teardownScore' | 'flippabilityScore') =>
    (silent || major ? after[name] : (from[name] ?? after[name])) ?? null
  const baseline: AnnouncedScores = {
    propertyId: after.propertyId,
    teardownScore: moved('teardownScore'),
    flippabilityScore: moved('flippabilityScore'),
    leads: [...new Set([...reachedBefore, ...reached.map(({ kind }) => kind)])].sort(),
  }
  return {
    move,
    leads,
    /** Events that are not sent because the change is silent. */
    withheld: silent ? newLeads.length + Number(scored) : 0,
    ...(scored && !silent ? { score: { minor: !major } } : {}),
    ...(isImplied(baseline, known, after) ? {} : { baseline }),
  }
}

/** Without a row, a change is compared with the stored assessment, so a baseline that equals it needs none. */
const isImplied = (baseline: AnnouncedScores, known: AnnouncedScores | undefined, after: Assessment): boolean => {
  const { teardownScore, flippabilityScore } = known ?? after
  const leads = known?.leads ?? leadsOf(after).map(({ kind }) => kind)
  return (
    baseline.teardownScore === (teardownScore ?? null) &&
    baseline.flippabilityScore === (flippabilityScore ?? null) &&
    baseline.leads.join() === leads.toSorted().join()
  )
}

interface Scores {
  teardownScore?: number | null
  flippabilityScore?: number | null
}

/** A score that is no longer served counts as a major change, a first score as none. */
const isMajor = (from: Scores, to: Scores, ranks: MarketRanks | undefined, minScoreChange: number): boolean => {
  const percentile = (score: number) => rankIn(ranks?.distributions.teardownScore, score)?.percentile ?? score
  return (
    isFar(from.flippabilityScore, to.flippabilityScore, minScoreChange, (score) => Math.round(score)) ||
    isFar(from.teardownScore, to.teardownScore, minTeardownPercentiles, percentile)
  )
}

const isFar = (
  from: number | null | undefined,
  to: number | null | undefined,
  least: number,
  scale: (score: number) => number,
): boolean => {
  if (from === null || from === undefined) return false
  return to === null || to === undefined || Math.abs(scale(to) - scale(from)) >= least
}

const eventsOf = (
  market: MarketId,
  { move: { subject, change }, score, leads }: Judged,
  searchRow: SearchRow | undefined,
  publicUrl: string,
): NewEvent[] => {
  const { id: propertyId, address, city, citySlug } = subject
  const offered = subject.listing && isShown(subject.listing.status) ? subject.listing : undefined
  const events = leads.map(({ blocked, ...lead }) =>
    newEvent(
      'lead.created',
      market,
      { propertyId, address, city, citySlug, url: propertyUrl(publicUrl, propertyId), ...lead },
      // `excludeBlockers` is about this lead.
      { searchRow: searchRow && { ...rowAs('parcels', searchRow)!, blocked } },
    ),
  )
  if (!score || !change) return events
  const data = {
    ...{ propertyId, address, city, price: offered?.priceUsd, status: offered?.status },
    ...pick(change, 'teardownScore', 'flippabilityScore', 'previous', 'reason', 'changed'),
  }
  return [...events, newEvent('property.score_updated', market, data, { searchRow, ...score })]
}

// lead.created: a parcel reaches, for the first time, the score or result that makes it worth a visit.
type LeadName = EventData<'lead.created'>['kind']
type CreatedLead = Pick<EventData<'lead.created'>, 'kind' | 'score' | 'sb9Status' | 'class' | 'law'> & {
  blocked: boolean
}

const leastScore = 60

type Scored = Pick<StoredScores, 'aduScore' | 'redevelopmentScore' | 'sb9Status'>

/** The kinds of leads that stored scores reach. */
const reachedLeads = ({ aduScore, redevelopmentScore, sb9Status }: Scored): LeadName[] => [
  ...((aduScore ?? 0) >= leastScore ? (['adu'] as const) : []),
  ...((redevelopmentScore ?? 0) >= leastScore ? (['redevelopment'] as const) : []),
  ...(isLotSplit(sb9Status) ? (['sb9'] as const) : []),
]

/** The leads that an assessment reaches, as an event describes them. */
const leadsOf = ({
  leads = [],
  redevelopmentScore,
  redevelopmentClass,
  redevelopmentBlocked,
}: Pick<Assessment, 'leads' | 'redevelopmentScore' | 'redevelopmentClass' | 'redevelopmentBlocked'>): CreatedLead[] => {
  const created: CreatedLead[] = []
  for (const { best, kind, law: id, score, status, blocked } of leads) {
    if (!best) continue
    const law = lawById(id)
    const named = { blocked, ...(law ? { law: lawReference(law) } : {}) }
    if (kind === 'accessory_unit' && (score ?? 0) >= leastScore)
      created.push({ kind: 'adu', score: Math.round(score!), ...named })
    if (kind === 'lot_split' && isLotSplit(status)) created.push({ kind: 'sb9', sb9Status: status!, ...named })
  }
  if ((redevelopmentScore ?? 0) >= leastScore)
    created.push({
      kind: 'redevelopment',
      score: Math.round(redevelopmentScore!),
      ...(redevelopmentClass === undefined ? {} : { class: redevelopmentClass }),
      blocked: redevelopmentBlocked ?? false,
    })
  return created
}

const isLotSplit = (status: string | null | undefined): boolean => status === 'eligible' || status === 'likely'
