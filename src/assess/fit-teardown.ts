// Fits the teardown score on the store's own demolition permits: each past sale as it was known on its day, and whether
// a whole-house demolition was permitted within two years after it.
import { type MarketId, marketIds } from '../contract/facts.ts'
import { districtOf } from '../contract/zoning-tables.ts'
import { conditionScore } from '../intelligence/condition.ts'
import { buildingEnvelope } from '../intelligence/envelope.ts'
import { landValueUsd } from '../intelligence/land-value.ts'
import type { TeardownModel } from '../intelligence/teardown.ts'
import { fitTeardown, type TeardownRow } from '../intelligence/teardown-fit.ts'
import { seededRandom } from '../intelligence/valuation/seeded-random.ts'
import { dayOf } from '../intelligence/valuation/valuation-facts.ts'
import {
  homesByCity,
  marketRebuilds,
  permitsByProperty,
  type Rebuild,
  type SubjectPermit,
} from '../store/assessments/market-facts.ts'
import { latestModel } from '../store/assessments/models.ts'
import { type PastOffer, pastOffers } from '../store/assessments/past-offers.ts'
import type { Db } from '../store/engine/database.ts'
import { cityPaces } from './city-paces.ts'
import { type MarketView, toToday, yearsBefore } from './market-view.ts'
import { permitsSpentUsd } from './permits-spent.ts'
import { rebuildIndex } from './rebuild-index.ts'

/** More rows than this sharpen nothing and cost minutes: the latest sales are taken. */
const mostRows = 20_000
const salesYears = 8
const rebuildYears = 5
/** Demolitions follow a sale within two years or for other reasons. */
export const followDays = 730

/** What the past of a market teaches: its sales, and what was permitted on each parcel and around. */
export interface MarketPast {
  /** Oldest first. */
  offers: readonly PastOffer[]
  permits: ReadonlyMap<string, readonly SubjectPermit[]>
  rebuilds: readonly Rebuild[]
  homes: ReadonlyMap<string, number>
}

/** Needs no view, so it can be read while one is made. */
export const readPast = async (db: Db, market: MarketId, on: string): Promise<MarketPast> => {
  const [offers, rebuilds, homes] = await Promise.all([
    pastOffers(db, market, yearsBefore(on, salesYears), mostRows),
    marketRebuilds(db, market, yearsBefore(on, salesYears + rebuildYears)),
    homesByCity(db, market),
  ])
  const permits = await permitsByProperty(db, market, [...new Set(offers.map((offer) => offer.propertyId))])
  return { offers, permits, rebuilds, homes }
}

export const fitTeardownOn = async (db: Db, past: MarketPast, view: MarketView): Promise<TeardownModel> => {
  const rows = teardownRows(past, view)
  const few = rows.filter(({ demolished }) => demolished).length < enoughToLend
  return fitTeardown(rows, { random: seededRandom(17), borrowFrom: few ? await lender(db, view.market) : undefined })
}

/** So many demolitions of another market teach slopes that hold elsewhere; a market with as many needs no other. */
const enoughToLend = 50

/** Builders computeProforma alike in both markets, so the one with few demolitions starts from what the other's have taught. */
const lender = async (db: Db, market: MarketId): Promise<TeardownModel | undefined> => {
  const others = await Promise.all(
    marketIds.filter((id) => id !== market).map((id) => latestModel<TeardownModel>(db, 'teardown', id)),
  )
  return others
    .flatMap((other) => other?.body ?? [])
    .filter(
      ({ kind, borrowedFrom, positives }) =>
        kind === 'fitted' && borrowedFrom === undefined && positives >= enoughToLend,
    )
    .sort((a, b) => b.positives - a.positives)[0]
}

/** Every sale that can be learned from, oldest first. */
export const teardownRows = ({ offers, permits, rebuilds, homes }: MarketPast, view: MarketView): TeardownRow[] => {
  const followed = followUp(offers, view.on)
  const nearby = rebuildsBefore(rebuilds, homes)
  const sold = saleLookup(view)
  return offers.map((offer) => {
    const share = followed(offer.soldOn)
    const days = offer.demolishedOn === undefined ? undefined : dayOf(offer.demolishedOn) - dayOf(offer.soldOn)
    return {
      facts: factsThen(offer, permits.get(offer.propertyId) ?? [], nearby, sold, view),
      on: offer.soldOn,
      demolished: days !== undefined && days <= followDays,
      ...(share < 1 ? { observedShare: share } : {}),
    }
  })
}

/**
 * By a sale's age, the share of its demolitions that are permitted by now: counted on sales old enough to be known
 * whole, and a straight line over the two years while those are too few.
 */
const followUp = (offers: readonly PastOffer[], on: string): ((soldOn: string) => number) => {
  const today = dayOf(on)
  const delays = offers
    .filter((offer) => offer.demolishedOn !== undefined && today - dayOf(offer.soldOn) >= followDays)
    .map((offer) => dayOf(offer.demolishedOn!) - dayOf(offer.soldOn))
    .filter((days) => days <= followDays)
    .sort((a, b) => a - b)
  return (soldOn) => {
    const age = today - dayOf(soldOn)
    if (age >= followDays) return 1
    if (delays.length < 30) return Math.max(0.001, age / followDays)
    return Math.max(0.001, delays.filter((days) => days <= age).length / delays.length)
  }
}

interface NearThen {
  rebuilds(offer: PastOffer): number | undefined
  pace(offer: PastOffer): number | undefined
}

/**
 * Rebuilds in the five years before the sale. Where the permits held do not reach back that far, the count is brought
 * to five years; with less than a year of them it is not known.
 */
const rebuildsBefore = (rebuilds: readonly Rebuild[], homes: ReadonlyMap<string, number>): NearThen => {
  const first = rebuilds[0]?.issuedOn
  if (first === undefined) return { rebuilds: () => undefined, pace: () => undefined }
  const index = rebuildIndex(rebuilds)
  const paces = cityPaces(rebuilds, homes)
  const window = (soldOn: string) => {
    const from = yearsBefore(soldOn, rebuildYears)
    return { from, until: soldOn, years: (dayOf(soldOn) - dayOf(first > from ? first : from)) / 365.25 }
  }
  return {
    rebuilds: ({ soldOn, lat, lng, propertyId }) => {
      const { years, ...during } = window(soldOn)
      const count = years < 1 ? undefined : index.near(lat, lng, propertyId, during)
      return count === undefined ? undefined : Math.round((count * rebuildYears * 10) / years) / 10
    },
    pace: ({ citySlug, soldOn, propertyId }) => {
      const { years, ...during } = window(soldOn)
      return years < 1 ? undefined : paces.of(citySlug, during, propertyId)
    },
  }
}

interface SoldThen {
  /** Brings a price of the day of sale to today's level. */
  toToday: number
  /** What homes like it sell for today, by a model that never saw this sale. */
  valueUsd?: number
}

const saleLookup = ({ value: model }: MarketView): ((offer: PastOffer) => SoldThen) => {
  if (!model) return () => ({ toToday: 1 })
  const at = new Map(model.sales.saleId.map((id, i) => [id, i]))
  return ({ saleId, soldOn, priceUsd }) => {
    const i = at.get(saleId)
    const area = i === undefined ? undefined : model.area[i]
    const times = toToday(model, soldOn, area)
    return {
      toToday: times,
      ...(i === undefined ? {} : { valueUsd: priceUsd * times * Math.exp(-model.unexplained[i]!) }),
    }
  }
}

/** As `teardownFactsOf` for a listing of today, from what the sale's own record says. Prices are at today's level. */
const factsThen = (
  offer: PastOffer,
  permits: readonly SubjectPermit[],
  nearby: NearThen,
  sold: (offer: PastOffer) => SoldThen,
  view: MarketView,
): TeardownRow['facts'] => {
  const before = permits.filter((permit) => (permit.issuedOn ?? '') < offer.soldOn)
  const district = districtOf(offer.city, offer.zoning)
  const condition = conditionScore({ ...offer, permits: before }, offer.soldOn)
  const level = view.levels.of(offer.citySlug)
  const place = view.around(offer, offer.propertyId)
  const { toToday: times, valueUsd } = sold(offer)
  return {
    market: offer.market,
    propertyType: offer.propertyType,
    yearBuilt: offer.yearBuilt,
    yearRenovated: offer.yearRenovated,
    livingSqft: offer.livingSqft,
    lotSqft: offer.lotSqft,
    storeys: offer.storeys,
    slopePct: offer.slopePct,
    priceUsd: (offer.listPriceUsd ?? offer.priceUsd) * times,
    valueUsd,
    landValueUsd: landValueUsd(view.land, { ...offer, ...place }),
    envelopeSqft: buildingEnvelope(offer, district).maxSqft,
    minLotSqft: district?.minLotSqft,
    neighborhoodMedianUsd: place.around.medianPriceUsd,
    newBuildSqft: view.newHouses.of({ ...offer, ...place }) ?? level.newBuildSqft,
    rebuildsNearby: nearby.rebuilds(offer),
    cityPace: nearby.pace(offer),
    conditionScore: condition.score,
    landPhrases: offer.remarks === undefined ? undefined : condition.landPhrases.length,
    recentPermitsUsd: permitsSpentUsd(before, offer.soldOn, view.permitCities.has(offer.citySlug)),
    historicListed: offer.overlays.historicListed,
    historicDistrict: offer.overlays.historicDistrict,
    historicContributing: offer.overlays.historicContributing,
  }
}
