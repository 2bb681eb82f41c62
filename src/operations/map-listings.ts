// Listings by criteria for the Explore page and its map.
import { keysOf } from '../common/typed.ts'
import type { Condition } from '../criteria/conditions.ts'
import type { Bounds } from '../criteria/geometry.ts'
import { readSearch } from '../criteria/read.ts'
import { dayOf } from '../domain/day.ts'
import type { MarketId } from '../domain/facts.ts'
import type { LeadKind } from '../domain/findings/laws.ts'
import type { Market } from '../domain/packs/markets.ts'
import { lawsOf } from '../laws/list.ts'
import { type Cell, listingCells } from '../store/map/places.ts'
import { type PropertyPoint, propertyPoints } from '../store/search/properties.ts'
import { defaultMinScore } from '../wire/operations/leads.ts'
import type { PropertySignal } from '../wire/property.ts'
import type { Context } from './context.ts'
import { allRanked, rowsOf, signalsOf } from './list-market-signals.ts'
import { oneMarket } from './listing-page.ts'
import { notAssessed } from './not-assessed.ts'
import { ownAssumptionsOf } from './own-assumptions.ts'
import { homesOf, type SearchInput, searchProperties, withOwnColumns } from './search-properties.ts'

export type Listing = PropertySignal
export type ListingPoint = PropertyPoint

export type FoundListings = Awaited<ReturnType<typeof findListings>>

/** `more` holds conditions that the criteria do not have. */
export const findListings = async (
  context: Context,
  input: SearchInput,
  more: readonly Condition[] = [],
  computed: Parameters<typeof rowsOf>[2] = {},
) => {
  const result = await searchProperties(
    context,
    input,
    { kind: 'listings', base: 'listings', defaultSort: [{ field: 'rankScore', descending: true }] },
    more,
  )
  const rows = await rowsOf(context, result, computed)
  return {
    listings: signalsOf(rows, result, { today: dayOf(context.now), surface: context.surface }),
    total: result.total,
    funnel: result.funnel ?? [],
    // The caller's own, if returns are computed with them.
    ...(result.ownSet ? { assumptions: result.ownSet.used } : {}),
    // Set while the market is loaded and not assessed yet.
    ...(allRanked(rows) ? {} : { notAssessed: await notAssessed(context.db, oneMarket(result.search.markets)) }),
  }
}

/** The best-ranked matches in a box with their returns, and how many there are. */
export const listingsInBox = (
  context: Context,
  input: SearchInput,
  more: readonly Condition[],
  box: Bounds,
  limit: number,
): Promise<FoundListings> =>
  findListings(context, { ...input, limit, offset: 0, explain: [] }, [...more, inBox(box)], { onlyReturns: true })

/** The matches in a box, counted on a grid. */
export const listingCellsInBox = async (
  { db, now, caller }: Context,
  input: SearchInput,
  more: readonly Condition[],
  box: Bounds,
  perSide: number,
): Promise<Cell[]> => {
  const { markets, conditions } = readSearch(input, { kind: 'listings', maxPositions: 500 })
  const query = {
    base: 'listings' as const,
    markets,
    conditions: [...more, ...conditions],
    sort: [],
    today: dayOf(now),
  }
  const values = await ownAssumptionsOf({ db, caller }, input, oneMarket(markets))
  return listingCells(
    db,
    values ? await withOwnColumns(db, query, values, [inBox(box), ...homesOf(query, [])]) : query,
    box,
    perSide,
  )
}

/** Coordinates of the matching listings for a map, best rank first. */
export const listingPoints = ({ db, now }: Context, input: SearchInput, limit: number): Promise<ListingPoint[]> => {
  const { markets, conditions } = readSearch(input, { kind: 'listings' })
  const sort = [{ field: 'rankScore' as const, descending: true }]
  return propertyPoints(db, { base: 'listings', markets, conditions, sort, today: dayOf(now) }, limit)
}

/** The kinds of leads that a law of the market gives. */
export const lawLeadsOf = (market: Market): LeadKind[] => lawsOf(market).map(({ leads }) => leads)

/** The leads of each layer of the map: those that the lists of leads begin with. */
const leadLayers = {
  adu: { criteria: { minAduScore: defaultMinScore }, field: 'aduScore' },
  redevelopment: { criteria: { minRedevelopmentScore: defaultMinScore }, field: 'redevelopmentScore' },
  sb9: { criteria: { sb9Status: ['eligible', 'likely'] }, field: 'maxUnits' },
} as const
export type LeadLayer = keyof typeof leadLayers
export const leadLayerNames = keysOf(leadLayers)

/** The leads of one layer, of a market or one of its cities. */
export interface Leads {
  layer: LeadLayer
  market: MarketId
  city?: string
}

const leadQuery = (now: Date, { layer, ...place }: Leads, box: Bounds) => {
  const { criteria, field } = leadLayers[layer]
  const { markets, conditions } = readSearch({ ...criteria, ...place }, { kind: 'parcels' })
  const sort = [{ field, descending: true }]
  return { base: 'parcels' as const, markets, conditions: [...conditions, inBox(box)], sort, today: dayOf(now) }
}

/** Where parcels are, on a grid. */
export const parcelCells = ({ db, now }: Pick<Context, 'db' | 'now'>, market: MarketId, box: Bounds, perSide: number) =>
  listingCells(db, { base: 'parcels', markets: [market], conditions: [], sort: [], today: dayOf(now) }, box, perSide)

export const leadCells = ({ db, now }: Context, leads: Leads, box: Bounds, perSide: number) =>
  listingCells(db, leadQuery(now, leads, box), box, perSide)

export const leadPoints = ({ db, now }: Context, leads: Leads, box: Bounds, limit: number) =>
  propertyPoints(db, leadQuery(now, leads, box), limit)

const inBox = (box: Bounds): Condition => ({ name: 'bbox', type: 'area', area: { type: 'boxes', boxes: [box] } })
