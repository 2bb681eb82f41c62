// Ranked listings for the pages.
import type { Condition } from '../contract/criteria/conditions.ts'
import { dayOf } from '../contract/day.ts'
import type { ListingStatus, MarketId } from '../contract/facts.ts'
import type { PropertySignal } from '../contract/property.ts'
import { marketRanks } from '../store/assessments/score-distributions.ts'
import { signalsByKey } from '../store/properties/signals.ts'
import { type PropertyPoint, type PropertyQuery, propertyKeys, propertyPoints } from '../store/search/properties.ts'
import type { Services } from './context.ts'
import { signalOf } from './list-market-signals.ts'

interface ListingFilter {
  market: MarketId
  citySlug?: string
  status?: readonly ListingStatus[]
  minPrice?: number
  maxPrice?: number
  minScore?: number
}
export type ListingPoint = PropertyPoint
export type Listing = PropertySignal

/** Best rank first. `now` decides how many days a listing has been on the market. */
export const searchListings = async (
  { db }: Pick<Services, 'db'>,
  filter: ListingFilter,
  page: { limit: number; offset: number },
  now: Date,
): Promise<Listing[]> => {
  const today = dayOf(now)
  const [keys, ranks] = await Promise.all([
    propertyKeys(db, queryOf(filter, today), page),
    marketRanks(db, filter.market),
  ])
  return (await signalsByKey(db, keys)).map((row) => signalOf(row, ranks, { today, surface: 'page' }))
}

/** Coordinates of the matching listings for a map, best rank first. */
export const listingPoints = (
  { db }: Pick<Services, 'db'>,
  filter: ListingFilter,
  limit: number,
): Promise<ListingPoint[]> => propertyPoints(db, queryOf(filter, dayOf(new Date())), limit)

const queryOf = (filter: ListingFilter, today: string): PropertyQuery => {
  const { citySlug, status, minPrice, maxPrice, minScore } = filter
  const conditions: Condition[] = []
  if (citySlug !== undefined) conditions.push({ name: 'city', type: 'city', slugs: [citySlug] })
  if (status) conditions.push({ name: 'status', type: 'oneOf', field: 'status', values: status })
  if (minPrice !== undefined) conditions.push({ name: 'minPrice', type: 'atLeast', field: 'price', value: minPrice })
  if (maxPrice !== undefined) conditions.push({ name: 'maxPrice', type: 'atMost', field: 'price', value: maxPrice })
  if (minScore !== undefined)
    conditions.push({ name: 'minScore', type: 'atLeast', field: 'rankScore', value: minScore })
  return {
    base: 'listings',
    markets: [filter.market],
    conditions,
    sort: [{ field: 'rankScore', descending: true }],
    today,
  }
}
