// What a service would have recorded if it had loaded the sample every day of the last two years: changes of listings and permits,
// and forecasts. They are drawn from the simulation, because assessing 730 days would take hours.

import type { PermitStatus } from '../../src/domain/facts.ts'
import type { Forecast, ListingChange, PermitChange, SampleHistory } from '../../src/ingest/sample-data.ts'
import { clamp } from '../../src/intelligence/statistics/clamp.ts'
import { type Day, isoDate } from './calendar.ts'
import { stageOf, stateOf } from './feeds.ts'
import { homeAt } from './parcels.ts'
import { trend, valueUsd } from './price.ts'
import { randomFor } from './random.ts'
import type { NumberedPermit, SampleData } from './sample-data.ts'
import type { ListingRecord, SaleRecord } from './simulation.ts'
import { cityActivity, sampleMarkets } from './zones.ts'

const historyDays = 730
/** Teardown forecasts are scored two years after the sale, so some are older. */
const forecastDays = 820

export function historyOf(
  data: SampleData,
  shown: { listings: readonly ListingRecord[]; permits: readonly NumberedPermit[] },
): SampleHistory {
  const { today } = data
  const since = today - historyDays
  return {
    listings: shown.listings.flatMap((listing) => listingChanges(listing, since, today)),
    permits: shown.permits.flatMap((permit) => permitChanges(permit, since, today)),
    forecasts: data.sales
      .filter(({ soldOn }) => soldOn > today - forecastDays && soldOn <= today)
      .flatMap((sale) => forecastsOf(sale, data.seed)),
    levels: sampleMarkets().flatMap((market) =>
      valuedOn(today).map((day, at, { length }) => ({
        market,
        on: isoDate(day),
        level: trend(market, day) / trend(market, today),
        last: at === length - 1,
      })),
    ),
  }
}

/** Compares the state on each of the days with the state before it. */
function changesOn<State>(
  days: readonly (Day | undefined)[],
  [since, today]: readonly [Day, Day],
  stateOn: (day: Day) => State,
  isSame: (a: State, b: State) => boolean,
): { on: string; state: State; previous: State | undefined }[] {
  let previous: State | undefined
  return [...new Set(days)]
    .filter((day): day is Day => day !== undefined && day <= today)
    .sort((a, b) => a - b)
    .flatMap((day) => {
      const [before, state] = [previous, stateOn(day)]
      previous = state
      return day < since || (before && isSame(before, state)) ? [] : [{ on: isoDate(day), state, previous: before }]
    })
}

/** The days on which a listing may change. */
export const listingDays = ({ firstSeenOn, listedOn, asks, pendings, soldOn, withdrawnOn }: ListingRecord) =>
  [firstSeenOn, listedOn, ...asks.map(({ from }) => from), soldOn, withdrawnOn].concat(
    pendings.flatMap(({ from, until }) => [from, until]),
  )

function listingChanges(listing: ListingRecord, since: Day, today: Day): ListingChange[] {
  const { asks } = listing
  return changesOn(
    listingDays(listing),
    [since, today],
    (day) => ({
      status: stateOf(listing, day),
      priceUsd: (asks.findLast(({ from }) => from <= day) ?? asks[0]!).usd,
    }),
    (a, b) => a.status === b.status && a.priceUsd === b.priceUsd,
  ).map(({ on, state, previous }) => ({
    market: listing.parcel.zone.market,
    listingId: listing.listingId,
    on,
    ...state,
    ...(previous && { previousStatus: previous.status, previousPriceUsd: previous.priceUsd }),
  }))
}

function permitChanges(permit: NumberedPermit, since: Day, today: Day): PermitChange[] {
  const { appliedOn, issuedOn, finaledOn, closed, parcel, city, permitId } = permit
  const days = [appliedOn, appliedOn + 4, issuedOn && issuedOn - 5, issuedOn, finaledOn, closed?.on]
  return changesOn<PermitStatus>(
    days.filter((day) => day === undefined || day >= appliedOn),
    [since, today],
    (day) => stageOf(permit, day),
    (a, b) => a === b,
  ).flatMap(({ on, state, previous }) =>
    previous === undefined
      ? []
      : [{ market: parcel.zone.market, city, permitId, on, status: state, previousStatus: previous }],
  )
}

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
  const forecasts: Forecast[] = [
    {
      ...of,
      model: 'value',
      valueUsd: Math.round(value),
      lowUsd: Math.round(value * Math.exp(-range)),
      highUsd: Math.round(value * Math.exp(range)),
    },
  ]
  if (!listing) return forecasts
  const { shareAboveList } = cityActivity().find(({ city }) => city === parcel.zone.city)!
  const listed = { ...of, listingId: listing.listingId }
  const near = (probability: number) => clamp(probability + 0.05 * random.normal(), 0.01, 0.99)
  return [
    ...forecasts.map((forecast) => ({ ...forecast, ...listed })),
    { ...listed, model: 'bidding-war', probability: near(shareAboveList) },
    {
      ...listed,
      model: 'teardown',
      probability: clamp(listing.teardownProbability * Math.exp(0.3 * random.normal()), 0, 1),
    },
  ]
}

/** About once a quarter, the last time a month ago. */
const valuedOn = (today: Day): Day[] =>
  Array.from({ length: 9 }, (_, at) => today - historyDays + Math.round((at * (historyDays - 30)) / 8))
