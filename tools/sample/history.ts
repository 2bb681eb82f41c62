// What a service would have recorded if it had loaded the sample every day of the last two years: changes of listings and permits,
// and forecasts. They are drawn from the simulation, because assessing 730 days would take hours.

import type { Forecast, ListingChange, PermitChange, SampleHistory } from '../../src/ingest/sample-data.ts'
import { clamp } from '../../src/intelligence/statistics/clamp.ts'
import { type Day, isoDate } from './calendar.ts'
import { askOn, listingDays, permitDays, stageOf, stateOf } from './feeds.ts'
import { type NumberedPermit, type SampleData, statesOn } from './generate.ts'
import { homeAt } from './parcels.ts'
import { trend, valueUsd } from './price.ts'
import { randomFor } from './random.ts'
import type { ListingRecord, SaleRecord } from './simulation.ts'
import { sampleMarkets } from './zones.ts'

const historyDays = 730
/** Teardown forecasts are scored two years after the sale, so some are older. */
const forecastDays = 820

export function historyOf(
  data: SampleData,
  shown: Pick<SampleData, 'listings' | 'permits'>,
  today: Day,
): SampleHistory {
  return {
    listings: shown.listings.flatMap((listing) => listingChanges(listing, today)),
    permits: shown.permits.flatMap((permit) => permitChanges(permit, today)),
    forecasts: data.sales
      .filter(({ soldOn }) => soldOn > today - forecastDays && soldOn <= today)
      .flatMap((sale) => forecastsOf(sale, data.seed)),
    levels: sampleMarkets.flatMap((market) =>
      // About once a quarter, the last time a month ago.
      Array.from({ length: 9 }, (_, at) => {
        const day = today - historyDays + Math.round((at * (historyDays - 30)) / 8)
        return { market, on: isoDate(day), level: trend(market, day) / trend(market, today), last: at === 8 }
      }),
    ),
  }
}

const listingChanges = (listing: ListingRecord, today: Day): ListingChange[] =>
  statesOn(listingDays(listing), today, (day) => ({ status: stateOf(listing, day), priceUsd: askOn(listing, day) }))
    .map(({ from, state, before }) => ({
      market: listing.parcel.zone.market,
      listingId: listing.listingId,
      on: isoDate(from),
      ...state,
      ...(before && { previousStatus: before.status, previousPriceUsd: before.priceUsd }),
    }))
    .filter(({ on }) => on >= isoDate(today - historyDays))

const permitChanges = (permit: NumberedPermit, today: Day): PermitChange[] =>
  statesOn(permitDays(permit), today, (day) => stageOf(permit, day)).flatMap(({ from, state, before }) => {
    const { parcel, city, permitId } = permit
    const change = { market: parcel.zone.market, city, permitId, on: isoDate(from), status: state }
    return before && from >= today - historyDays ? [{ ...change, previousStatus: before }] : []
  })

/** Standard deviations of log prices: of a sale around the simulated value, and of the forecasts around the same value. */
const saleError = 0.055
const forecastError = 0.06
/** Holds 80% of the prices. */
const range = 1.28 * Math.hypot(saleError, forecastError)

/** Made on the day the listing was first seen; for a sale without a listing, six weeks before it. */
function forecastsOf({ parcel, soldOn, listing, saleId }: SaleRecord, seed: number): Forecast[] {
  const random = randomFor(seed, 'forecast', saleId)
  const day = listing?.firstSeenOn ?? soldOn - 42
  const value = valueUsd(parcel, homeAt(parcel, day), day) * Math.exp(forecastError * random.normal())
  const of = { market: parcel.zone.market, apn: parcel.apn, madeOn: isoDate(day) }
  const forecast = {
    ...of,
    model: 'value' as const,
    valueUsd: Math.round(value),
    lowUsd: Math.round(value * Math.exp(-range)),
    highUsd: Math.round(value * Math.exp(range)),
  }
  if (!listing) return [forecast]
  const { listingId } = listing
  const bid = clamp(parcel.zone.activity.shareAboveList + 0.05 * random.normal(), 0.01, 0.99)
  const teardown = clamp(listing.teardownProbability * Math.exp(0.3 * random.normal()), 0, 1)
  return [
    { ...forecast, listingId },
    { ...of, listingId, model: 'bidding-war', probability: bid },
    { ...of, listingId, model: 'teardown', probability: teardown },
  ]
}
