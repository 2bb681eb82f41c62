// What a watch would match: records now, and matches per week from the changes of the past.

import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { badRequest } from '../common/errors.ts'
import type { RecordChange, SearchRow } from '../criteria/conditions.ts'
import { sortNames } from '../criteria/fields.ts'
import type { OwnRows } from '../criteria/own-assumptions.ts'
import { marketsSearched } from '../criteria/read.ts'
import { rowBeforeListing } from '../criteria/row-readings.ts'
import { recordedOfHome } from '../criteria/search-columns.ts'
import type { SearchKind } from '../criteria/table.ts'
import { type Criteria, criteriaOf } from '../criteria/vocabulary.ts'
import { dayOf } from '../domain/day.ts'
import type { MarketId } from '../domain/facts.ts'
import { marketIds } from '../domain/packs/markets.ts'
import { packOf } from '../domain/packs/use-packs.ts'
import { permitUrl, propertyUrl } from '../domain/page-urls.ts'
import { ownRows } from '../intelligence/proforma/proforma-own.ts'
import { latestModel } from '../store/assessments/models.ts'
import type { Db } from '../store/engine/database.ts'
import { searchRowsOf } from '../store/search/search-rows.ts'
import type { WatchedChange } from '../store/watches/changes.ts'
import { pastPermitChanges } from '../store/watches/past-permits.ts'
import type { WatchContent } from '../store/watches/watches.ts'
import { type PastEvent, pastEvents } from '../store/webhooks/event-feed.ts'
import { triggersOf, watchConditions } from '../watches/triggers.ts'
import { matchReasons } from '../watches/words.ts'
import { events as eventTable } from '../wire/events/table.ts'
import { isVisible } from '../wire/events/visible.ts'
import type { EventName } from '../wire/events.ts'
import { windowStart } from '../wire/plans.ts'
import type { WatchKind, WatchTrigger } from '../wire/watches.ts'
import type { Context } from './context.ts'
import { ownAssumptionsOf } from './own-assumptions.ts'
import { findPermits } from './permits.ts'
import { requireCriteriaOf } from './search.ts'
import { searchProperties } from './search-properties.ts'

/** Criteria whose outcome changes without a change of the row: by the calendar, or with the rows of others. */
const movingCriteria = ['maxDaysOnMarket', 'minTeardownPercentile', 'minFlippabilityPercentile'] as const

const mostMatches = 10_000
const weeks = 8
const dayMs = 86_400_000
/** More changes are not read: the rate follows from the time that these cover. */
const mostChanges = 5_000
/** Tested with a polygon of 2,000 positions, these take a few milliseconds. */
const changesPerYield = 200

type Watched = Pick<WatchContent, 'kind' | 'criteria' | 'markets' | 'cities' | 'assumptionSetId' | 'triggers'>

export type WatchPreview = Awaited<ReturnType<typeof previewWatch>>

/** Throws 400 for criteria that do not apply, are not valid or match too much. */
export const previewWatch = async (context: Context, watch: Watched) => {
  requireCriteriaOf(watch.kind, watch.criteria)
  const { total, capped, suggestions = [] } = await matchesNow(context, watch)
  if (capped || total > mostMatches)
    throw badRequest(
      `matchesNow is ${capped ? `more than ${mostMatches}` : total}; a watch may match at most ${mostMatches} records. Add criteria, for example a city.`,
    )
  const perWeek = await matchesPerWeek(context, watch)
  const moving = movingCriteria.filter((name) => name in watch.criteria)
  return {
    matchesNow: total,
    ...(perWeek === undefined ? {} : { perWeek }),
    notes: [
      ...suggestions,
      ...(moving.length === 0
        ? []
        : [
            `${moving.join(' and ')} ${moving.length === 1 ? 'is' : 'are'} tested with the value of a record when it changes; the calendar and changes of other records announce nothing.`,
          ]),
    ],
  }
}

const matchesNow = async (context: Context, { kind, criteria, assumptionSetId }: Watched) => {
  const input = { ...criteria, limit: 1 }
  if (kind === 'permits') {
    const { pagination, suggestions } = await findPermits(context, input)
    return { total: pagination.total, capped: pagination.truncated, suggestions }
  }
  const defaultSort = [{ field: kind === 'listings' ? 'rankScore' : 'redevelopmentScore', descending: true }] as const
  const set = assumptionSetId === null ? {} : { assumptionSet: assumptionSetId }
  const result = await searchProperties(
    context,
    { ...input, ...set },
    { kind, base: kind, defaultSort, countCap: mostMatches },
  )
  return { total: result.total, capped: result.totalCapped, suggestions: result.search.suggestions }
}

/** Buyers read a list that is sorted by a computed value from its top. A watch of it proposes the value of this row as its limit. */
const lastRow = 10

/** The criterion that limits a watch to the top of a sorted list. Undefined if the list has it, or is sorted by a recorded fact. */
export const proposedBound = async (
  context: Context,
  { kind, criteria, sort = '', ...set }: { kind: WatchKind; criteria: Criteria; sort?: string; assumptionSet?: string },
): Promise<{ name: string; value: number } | undefined> => {
  const field = sortNames(kind).get(sort.replace(/^-/, ''))
  if (kind === 'permits' || field === undefined || recordedOfHome.has(field)) return undefined
  const type = sort.startsWith('-') ? 'atLeast' : 'atMost'
  const [name] = criteriaOf(kind).find(([, { bound }]) => bound?.field === field && bound.type === type) ?? []
  if (name === undefined || name in criteria) return undefined
  const result = await searchProperties(
    context,
    { ...criteria, ...set, sort: [sort], limit: lastRow },
    { kind, base: kind, defaultSort: [], countCap: 0 },
  )
  const value = result.keys.map(({ position: [each] }) => each).findLast((each) => typeof each === 'number')
  return value === undefined ? undefined : { name, value: Math.max(0, value) }
}

/** The markets and cities that runs select a watch by; null for all. */
export const placesOf = (kind: WatchKind, criteria: Criteria): Pick<WatchContent, 'markets' | 'cities'> => {
  // A polygon names no city, and the plan's limit of its positions is checked by the search of `matchesNow`.
  const { within: _, ...others } = criteria
  const cities = watchConditions(kind, others).flatMap((each) => (each.type === 'city' ? each.slugs : []))
  return {
    markets: criteria.market === 'all' ? null : [...marketsSearched(criteria)],
    cities: cities.length === 0 ? null : cities,
  }
}

/** Undefined while there are no events to count. */
const matchesPerWeek = async (context: Context, watch: Watched): Promise<number | undefined> => {
  const { met, first } = await pastChanges(context, watch)
  if (!first) return undefined
  // The first days of a service say little about a week, so at least one week is assumed.
  const covered = Math.max(1, (context.now.getTime() - first.getTime()) / (7 * dayMs))
  return Math.round((10 * met.length) / covered) / 10
}

/** A change that a watch would have announced. */
export type PastMatch = Awaited<ReturnType<typeof pastMatches>>[number]

const mostPast = 20

/** What a watch would have announced, newest first. */
export const pastMatches = async (
  context: Context,
  {
    kind,
    criteria,
    on,
    assumptionSet = null,
  }: { kind: WatchKind; criteria: Criteria; on: readonly WatchTrigger[]; assumptionSet?: string | null },
) => {
  const places = placesOf(kind, criteria)
  const watch = { kind, criteria, ...places, triggers: [...on], assumptionSetId: assumptionSet }
  const { met } = await pastChanges(context, watch)
  return met.slice(0, mostPast).map(({ past, change, triggers }) => {
    const { address, permitId, propertyId, changedAt } = past
    const { city, citySlug } = change.after
    return {
      title: [address ?? permitId ?? propertyId, city ?? citySlug].join(', '),
      /** The page of the record. */
      path: kind === 'permits' ? permitUrl('', citySlug, permitId ?? '') : propertyUrl('', propertyId ?? ''),
      at: changedAt.toISOString(),
      reasons: matchReasons(watch, { ...change, triggers }),
    }
  })
}

interface PastChange extends WatchedChange {
  changedAt: Date
  about: SearchKind
}

/** `first`: when the changes begin that were read. */
const pastChanges = async (context: Context, watch: Watched) => {
  const { db, caller, now } = context
  const window = windowStart(caller.limits, now)
  const oldest = new Date(now.getTime() - weeks * 7 * dayMs)
  const since = window === undefined ? oldest : new Date(Math.max(oldest.getTime(), Date.parse(window)))
  const { changes, first } = await (watch.kind === 'permits' ? changesOfPermits : changesOfHomes)(db, watch, since)
  const conditions = watchConditions(watch.kind, watch.criteria)
  const visible = changes.filter(({ about, after, changedAt }) => isVisible(about, after, dayOf(changedAt), window))
  const ownOf = await ownReturnsOf(context, watch, visible)
  const met: { past: PastChange; change: RecordChange; triggers: WatchTrigger[] }[] = []
  for (const [at, past] of visible.entries()) {
    if (at % changesPerYield === 0) await yieldToEventLoop()
    const change = ownOf(past)
    const triggers = triggersOf(watch.kind, conditions, change).filter((each) => watch.triggers.includes(each))
    if (triggers.length > 0) met.push({ past, change, triggers })
  }
  return { met, first }
}

type PastChanges = (db: Db, watch: Watched, since: Date) => Promise<{ changes: PastChange[]; first: Date | undefined }>

/** Events tell of those of high value only. */
const changesOfPermits: PastChanges = async (db, { markets, cities }, since) => {
  const asked = (markets ?? marketIds()).map((market) =>
    pastPermitChanges(db, market as MarketId, { cities, since, limit: mostChanges }),
  )
  const read = await Promise.all(asked)
  const changes = read
    .flatMap((market) => market.changes.map((change) => ({ ...change, about: 'permits' as const })))
    .sort((one, other) => other.changedAt.getTime() - one.changedAt.getTime())
    .slice(0, mostChanges)
  const oldest = read.flatMap((market) => market.oldest ?? []).sort((one, other) => one.getTime() - other.getTime())
  return { changes, first: changes.length < mostChanges ? oldest[0] : changes.at(-1)!.changedAt }
}

const changesOfHomes: PastChanges = async (db, watch, since) => {
  const { events, oldest } = await pastEvents(db, { ...watch, types: homeEvents, since, limit: mostChanges })
  const changes = events.map((event) => {
    const { data } = JSON.parse(event.body) as { data: EventOfHome }
    const { propertyId, address } = data
    return {
      propertyId,
      address,
      changedAt: event.createdAt,
      about: eventTable[event.type].about,
      ...changeOf(event, data),
    }
  })
  return { changes, first: events.length < mostChanges ? oldest : events.at(-1)!.createdAt }
}

/** Changes with returns at the assumptions of the watch. Events before the first watch of a market lack what they need; the home has it. */
const ownReturnsOf = async (
  context: Context,
  { assumptionSetId, markets }: Watched,
  changes: readonly RecordChange[],
): Promise<(change: RecordChange) => RecordChange> => {
  if (assumptionSetId === null) return (change) => change
  const { db, now } = context
  const ownSet = await ownAssumptionsOf(context, { assumptionSet: assumptionSetId }, markets?.[0])
  const rows = new Map<string, SearchRow>()
  const rowIn = new Map<MarketId, ReturnType<OwnRows>>()
  const homes = changes.flatMap(({ after }) => (after.id === undefined ? [] : [after]))
  for (const [market, some] of Map.groupBy(homes, (row) => row.market)) {
    const ids = [...new Set(some.filter(({ deal }) => !deal).map(({ id }) => id!))]
    for (const [id, row] of await searchRowsOf(db, market, ids, dayOf(now), { deals: true })) rows.set(id, row)
    const times = await latestModel<object>(db, 'permit-times', market)
    rowIn.set(market, ownRows(packOf)(ownSet!.values, times))
  }
  const ownRow = (row: SearchRow): SearchRow => {
    const deal = row.deal ?? rows.get(row.id!)?.deal
    return rowIn.get(row.market)!(deal ? { ...row, deal } : row)
  }
  return (change) => ({ ...change, before: change.before && ownRow(change.before), after: ownRow(change.after) })
}

const homeEvents = [
  'listing.created',
  'listing.price_changed',
  'listing.status_changed',
  'property.score_updated',
] as const satisfies readonly EventName[]

interface EventOfHome {
  propertyId?: string
  address?: string
  previous?: Record<string, never>
}

/** The change that an event tells about, with the row before it. */
const changeOf = ({ type, searchRow }: PastEvent, { previous }: EventOfHome): RecordChange => {
  const after = searchRow!
  return type === 'property.score_updated'
    ? { before: { ...after, numbers: { ...after.numbers, ...previous } }, after, scored: true }
    : { before: rowBeforeListing(after, previous), after }
}
