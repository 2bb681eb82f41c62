// One search of properties for every list: criteria, history window, order, page, cursor, funnel.
import type { Condition } from '../criteria/conditions.ts'
import { readSort, type SortKey, sortText, withUnrounded } from '../criteria/fields.ts'
import { marketsSearched, readSearch } from '../criteria/read.ts'
import type { CriteriaInput, SearchKind } from '../criteria/table.ts'
import { dayOf } from '../domain/day.ts'
import type { MarketId } from '../domain/facts.ts'
import type { UseKind } from '../domain/findings/laws.ts'
import type { MarketRanks } from '../domain/findings/score-rank.ts'
import { scoreAtPercentile } from '../intelligence/scores/score-ranks.ts'
import { marketRanks } from '../store/assessments/score-distributions.ts'
import type { Db } from '../store/engine/database.ts'
import { requiresOverlay } from '../store/search/compile.ts'
import {
  countProperties,
  fewMatches,
  type PropertyBase,
  type PropertyQuery,
  propertyFunnel,
  propertyKeys,
  usesReturns,
  withoutReturns,
} from '../store/search/properties.ts'
import { windowStart } from '../wire/plans.ts'
import type { Context } from './context.ts'
import { cursorOf, positionOf } from './cursor.ts'
import { oneMarket, pageOf } from './listing-page.ts'
import { type OwnSet, ownAssumptionsOf, ownColumns } from './own-assumptions.ts'
import { checkPolygonCost, polygonBudget } from './polygon-budget.ts'

export interface SearchInput extends CriteriaInput {
  limit?: number
  offset?: number
  cursor?: string
  sort?: readonly string[]
  explain?: readonly string[]
  assumptionSet?: string
  assumptions?: Record<string, number>
}

export interface PropertySearch {
  kind: SearchKind
  base: PropertyBase
  defaultSort: readonly SortKey[]
  /** Totals are counted up to this number; exact without. */
  countCap?: number
  /** `homes` are those of this use. */
  use?: UseKind
}

export type PropertyResult = Awaited<ReturnType<typeof searchProperties>>

export const searchProperties = async (
  { db, caller, now, bulk }: Pick<Context, 'db' | 'caller' | 'now' | 'bulk'>,
  input: SearchInput,
  { kind, base, defaultSort, use, ...limits }: PropertySearch,
  /** Conditions of the list itself, which come first. */
  listConditions: readonly Condition[] = [],
) => {
  const countCap = bulk?.countTo ?? limits.countCap
  const markets = marketsSearched(input)
  const ranks = await ranksByMarket(db, markets)
  const read = readSearch(input, {
    kind,
    leads: base === 'listings' || base === 'parcels' ? undefined : base,
    maxPositions: polygonBudget(caller).positions,
    thresholds: (field, percentile) => thresholdsOf(ranks, field, percentile),
  })
  const search = { ...read, conditions: [...listConditions, ...read.conditions] }
  const requestedSort = readSort(input.sort, kind, search.point !== undefined) ?? defaultSort
  const sort = withUnrounded(requestedSort)
  const stored: PropertyQuery = {
    base,
    use,
    markets,
    conditions: search.conditions,
    sort,
    point: search.point,
    since: windowStart(caller.limits, now),
    // Of several markets, those whose data ends in the past count to the calendar day.
    today: (markets.length === 1 && ranks.get(markets[0]!)?.asOf) || dayOf(now),
  }
  const page = pageOf(caller, input.cursor === undefined ? input : { ...input, offset: 0 })
  const after = input.cursor === undefined ? undefined : positionOf(input.cursor, sort)
  await checkPolygonCost(stored.conditions, input.explain, polygonBudget(caller).comparisons, (boxes, cap) =>
    countProperties(db, { ...stored, conditions: [boxes] }, cap),
  )
  const ownSet = await ownAssumptionsOf({ db, caller }, input, oneMarket(markets))
  const query = ownSet ? await withOwnColumns(db, stored, ownSet, homesOf(stored, input.explain ?? [])) : stored
  const counting = countCap === 0 ? 0 : countProperties(db, query, countCap)
  // A count that reached a small cap does not say whether there are few.
  const isFirst = Boolean(countCap ?? requiresOverlay(query.conditions))
  const least = isFirst ? await counting : undefined
  const matches = least !== undefined && (least <= (countCap ?? least) || least > fewMatches) ? least : undefined
  const [keysFound, counted, funnel] = await Promise.all([
    // One more than the page shows whether there is a next page.
    propertyKeys(db, query, { limit: page.limit + 1, offset: page.offset, after }, matches),
    counting,
    input.explain?.includes('funnel') ? propertyFunnel(db, query) : undefined,
  ])
  const keys = keysFound.slice(0, page.limit)
  const last = keys.at(-1)
  return {
    search,
    query,
    /** The caller's own assumptions, if returns are computed with them. */
    ownSet,
    keys,
    ranks,
    total: countCap === undefined ? counted : Math.min(counted, countCap),
    totalCapped: countCap !== undefined && counted > countCap,
    page,
    /** The cursor that the page was requested with. */
    cursor: input.cursor,
    nextCursor: keysFound.length > keys.length && last ? cursorOf(sort, last.position) : null,
    applied: { ...search.applied, sort: sortText(kind, requestedSort) },
    ...(funnel ? { funnel } : {}),
  }
}

/** Computes returns only where the search uses them. Funnel and near misses need those of every home, the page those that may be on it. */
export const homesOf = ({ conditions }: PropertyQuery, explain: readonly string[]): readonly Condition[] =>
  explain.includes('funnel') || explain.includes('nearMisses') ? [] : withoutReturns(conditions)

/** `homes`: the conditions of the homes whose returns are needed. */
export const withOwnColumns = async (db: Db, query: PropertyQuery, ownSet: OwnSet, homes: readonly Condition[]) => {
  if (!usesReturns(query)) return query
  const returns = await ownColumns(db, { ...query, sort: [], conditions: homes }, ownSet)
  return { ...query, ownColumns: returns }
}

const ranksByMarket = async (db: Db, markets: readonly MarketId[]): Promise<Map<MarketId, MarketRanks>> => {
  const entries = await Promise.all(markets.map(async (market) => [market, await marketRanks(db, market)] as const))
  return new Map(entries.flatMap(([market, ranks]) => (ranks ? [[market, ranks] as const] : [])))
}

const thresholdsOf = (
  ranks: ReadonlyMap<MarketId, MarketRanks>,
  field: 'teardownRaw' | 'flippabilityRaw',
  percentile: number,
): Record<string, number> => {
  const score = field === 'teardownRaw' ? 'teardownScore' : 'flippabilityScore'
  const thresholds: Record<string, number> = {}
  for (const [market, { distributions }] of ranks) {
    const threshold = distributions[score] && scoreAtPercentile(distributions[score], percentile)
    if (threshold !== undefined) thresholds[market] = threshold
  }
  return thresholds
}
