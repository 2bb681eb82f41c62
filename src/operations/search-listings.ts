// Ranked listings for the pages, with filters that GET /v1/market-signals does not offer.
import { dayOf } from '../contract/day.ts'
import type { PropertySignal } from '../contract/property.ts'
import { marketRanks } from '../store/assessments/score-distributions.ts'
import {
  countSignals,
  type SignalFilter,
  type SignalPoint,
  signalPage,
  signalPoints,
} from '../store/properties/signals.ts'
import type { Services } from './context.ts'
import { signalOf } from './list-market-signals.ts'

export type ListingFilter = SignalFilter
export type ListingPoint = SignalPoint
export type Listing = PropertySignal

/** Best rank first. `now` decides how many days a listing has been on the market. */
export const searchListings = async (
  { db }: Pick<Services, 'db'>,
  filter: ListingFilter,
  page: { limit: number; offset: number },
  now: Date,
): Promise<Listing[]> => {
  const today = dayOf(now)
  const [rows, ranks] = await Promise.all([signalPage(db, filter, page), marketRanks(db, filter.market)])
  return rows.map((row) => signalOf(row, today, ranks))
}

export const countListings = ({ db }: Pick<Services, 'db'>, filter: ListingFilter): Promise<number> =>
  countSignals(db, filter)

/** Coordinates of the matching listings for a map, best rank first. */
export const listingPoints = (
  { db }: Pick<Services, 'db'>,
  filter: ListingFilter,
  limit: number,
): Promise<ListingPoint[]> => signalPoints(db, filter, limit)
