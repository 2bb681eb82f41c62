// listing.created, listing.price_changed and listing.status_changed. Several prices since the last assessment are one change; each
// status is announced, in order, because "sold" does not say that the home was pending before. Scores and days are those of the last
// change, so earlier ones have none.
import type { SearchRow } from '../criteria/conditions.ts'
import { isOnMarket, type MarketId } from '../domain/facts.ts'
import { propertyUrl } from '../domain/page-urls.ts'
import type { PendingListing } from '../store/assessments/announced.ts'
import { type NewEvent, newEvent } from '../store/webhooks/events.ts'

/** `pending` is ordered by time. Listings that are not the property's current one are not served, so they have no events. */
export const listingEvents = (
  market: MarketId,
  pending: readonly PendingListing[],
  rows: ReadonlyMap<string, SearchRow>,
  publicUrl: string,
): NewEvent[] => {
  const current = pending.filter((each) => each.current)
  const byListing = Map.groupBy(current, ({ propertyId, listingId }) => `${propertyId}/${listingId}`)
  return [...byListing.values()].flatMap((changes) => eventsOf(market, changes, rows, publicUrl))
}

const eventsOf = (
  market: MarketId,
  changes: readonly PendingListing[],
  rows: ReadonlyMap<string, SearchRow>,
  publicUrl: string,
): NewEvent[] => {
  const [first, last] = [changes[0]!, changes.at(-1)!]
  const { propertyId, address, city, citySlug, status } = last
  const searchRow = rows.get(propertyId)
  const { teardownScore, returnPct, daysOnMarket } = searchRow?.numbers ?? {}
  const listed = ({ priceUsd, status }: PendingListing) => ({
    propertyId,
    address,
    city,
    citySlug,
    url: propertyUrl(publicUrl, propertyId),
    price: priceUsd ?? undefined,
    status,
  })
  const data = { ...listed(last), teardownScore, returnPct, daysOnMarket }
  if (first.previousStatus === null)
    return isOnMarket(status) ? [newEvent('listing.created', market, data, { searchRow })] : []
  const changed = (from: PendingListing, to: PendingListing) => ({
    ...(to === last ? data : listed(to)),
    previous: { price: from.previousPriceUsd ?? undefined, status: from.previousStatus ?? undefined },
    changePct: changePct(from.previousPriceUsd, to.priceUsd),
  })
  const newPrice = changes.findLast((each) => each.previousPriceUsd !== each.priceUsd)
  const isPriceAnnounced = first.previousPriceUsd !== last.priceUsd && isOnMarket(status)
  return changes.flatMap((each) => [
    ...(each.previousStatus === each.status
      ? []
      : [newEvent('listing.status_changed', market, changed(each, each), { searchRow })]),
    ...(each === newPrice && isPriceAnnounced
      ? [newEvent('listing.price_changed', market, changed(first, each), { searchRow })]
      : []),
  ])
}

/** One decimal; undefined unless the price changed. */
export const changePct = (from: number | null, to: number | null): number | undefined =>
  from === null || to === null || from === to ? undefined : Math.round((1000 * (to - from)) / from) / 10
