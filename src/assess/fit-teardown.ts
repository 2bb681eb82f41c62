// Fits the teardown model on stored sales: the facts known on the day of each sale, and whether a whole-house demolition
// permit was issued within two years after it.
import { yearsBefore } from '../domain/day.ts'
import type { MarketId } from '../domain/facts.ts'
import { districtOf } from '../domain/packs/zoning-tables.ts'
import { conditionScore, hasEvidence, usualCondition } from '../intelligence/condition/condition.ts'
import { buildingEnvelope } from '../intelligence/site/envelope.ts'
import type { TeardownModel } from '../intelligence/teardown/teardown.ts'
import { fitTeardown, type TeardownRow } from '../intelligence/teardown/teardown-fit.ts'
import { valueInCondition } from '../intelligence/valuation/condition-value.ts'
import { seededRandom } from '../intelligence/valuation/seeded-random.ts'
import { dayOf } from '../intelligence/valuation/valuation-facts.ts'
import {
  homesByCity,
  marketRebuilds,
  permitsByProperty,
  type Rebuild,
  type SubjectPermit,
} from '../store/assessments/market-facts.ts'
import { type PastSale, pastSales } from '../store/assessments/past-sales.ts'
import type { Db } from '../store/engine/database.ts'
import { cityDemolitionRates } from './city-demolition-rates.ts'
import { factorToToday, type MarketView } from './market-view.ts'
import { permitSpendingUsd } from './permit-spending.ts'
import { rebuildIndex } from './rebuild-index.ts'
import { teardownHome } from './teardown-home.ts'

/** The latest sales. More rows take minutes longer and do not improve the fit. */
const maxRows = 20_000
const salesYears = 8
const rebuildYears = 5
/** A demolition more than two years after a sale is unrelated to it. */
const followDays = 730

/** The training data of a market: its sales, oldest first, and the permits on each parcel and nearby. */
type TeardownTrainingData = Awaited<ReturnType<typeof readTeardownTrainingData>>

/** Does not need a MarketView, so it can be read while one is built. */
export const readTeardownTrainingData = async (db: Db, market: MarketId, on: string) => {
  const [sales, rebuilds, homes] = await Promise.all([
    pastSales(db, market, { from: yearsBefore(on, salesYears), until: on }, maxRows),
    marketRebuilds(db, market, { from: yearsBefore(on, salesYears + rebuildYears), until: on }),
    homesByCity(db, market),
  ])
  const permits = await permitsByProperty(db, market, [...new Set(sales.map((sale) => sale.propertyId))], on)
  return { sales, permits, rebuilds, homes }
}

export const fitTeardownOn = (past: TeardownTrainingData, view: MarketView): TeardownModel =>
  fitTeardown(teardownRows(past, view), seededRandom(17))

/** One training row per sale, oldest first. */
const teardownRows = ({ sales, permits, rebuilds, homes }: TeardownTrainingData, view: MarketView): TeardownRow[] => {
  const observedShareOf = observedShareByAge(sales, view.on)
  const nearby = rebuildsBefore(rebuilds, homes)
  const sold = priceAtSale(view)
  return sales.map((sale) => {
    const share = observedShareOf(sale.soldOn)
    const days = sale.demolishedOn === undefined ? undefined : dayOf(sale.demolishedOn) - dayOf(sale.soldOn)
    return {
      facts: factsAtSale(sale, permits.get(sale.propertyId) ?? [], nearby, sold, view),
      on: sale.soldOn,
      demolished: days !== undefined && days <= followDays,
      ...(share < 1 ? { observedShare: share } : {}),
    }
  })
}

/**
 * The share of eventual demolitions already permitted, by the age of the sale. Measured on sales at least two years old;
 * with fewer than 30 such demolitions it is assumed to grow linearly over the two years.
 */
const observedShareByAge = (sales: readonly PastSale[], on: string): ((soldOn: string) => number) => {
  const today = dayOf(on)
  const delays = sales
    .filter((sale) => sale.demolishedOn !== undefined && today - dayOf(sale.soldOn) >= followDays)
    .map((sale) => dayOf(sale.demolishedOn!) - dayOf(sale.soldOn))
    .filter((days) => days <= followDays)
    .sort((a, b) => a - b)
  return (soldOn) => {
    const age = today - dayOf(soldOn)
    if (age >= followDays) return 1
    if (delays.length < 30) return Math.max(0.001, age / followDays)
    return Math.max(0.001, delays.filter((days) => days <= age).length / delays.length)
  }
}

/**
 * Rebuilds in the five years before the sale. If the stored permits cover less time, the count is scaled to five years;
 * with less than a year of permits it is undefined.
 */
const rebuildsBefore = (rebuilds: readonly Rebuild[], homes: ReadonlyMap<string, number>) => {
  const first = rebuilds[0]?.issuedOn
  if (first === undefined) return { rebuilds: () => undefined, demolitionRate: () => undefined }
  const index = rebuildIndex(rebuilds)
  const demolitionRates = cityDemolitionRates(rebuilds, homes)
  const window = (soldOn: string) => {
    const from = yearsBefore(soldOn, rebuildYears)
    return { from, until: soldOn, years: (dayOf(soldOn) - dayOf(first > from ? first : from)) / 365.25 }
  }
  return {
    rebuilds: ({ soldOn, lat, lng, propertyId }: PastSale) => {
      const { years, ...during } = window(soldOn)
      const count = years < 1 ? undefined : index.near(lat, lng, propertyId, during)
      return count === undefined ? undefined : Math.round((count * rebuildYears * 10) / years) / 10
    },
    demolitionRate: ({ citySlug, soldOn, propertyId }: PastSale) => {
      const { years, ...during } = window(soldOn)
      return years < 1 ? undefined : demolitionRates.of(citySlug, during, propertyId)
    },
  }
}

const priceAtSale = ({ value: model }: MarketView) => {
  const at = new Map(model?.sales.saleId.map((id, i) => [id, i]))
  return ({ saleId, soldOn, priceUsd }: PastSale) => {
    const i = at.get(saleId)
    /** Multiplier from the price level of the sale date to today's. */
    const toToday = model ? factorToToday(model, soldOn) : 1
    /** Value today, estimated by a model fitted without this sale. */
    const valueUsd = model && i !== undefined ? priceUsd * toToday * Math.exp(-model.unexplained[i]!) : undefined
    return { toToday, valueUsd }
  }
}

/** The facts known on the sale date, at today's price level. The same as in `teardownFactsOf`, which serves current listings. */
const factsAtSale = (
  sale: PastSale,
  permits: readonly SubjectPermit[],
  nearby: ReturnType<typeof rebuildsBefore>,
  sold: ReturnType<typeof priceAtSale>,
  view: MarketView,
): TeardownRow['facts'] => {
  const before = permits.filter((permit) => (permit.issuedOn ?? '') < sale.soldOn)
  const condition = conditionScore({ ...sale, permits: before }, sale.soldOn)
  const { toToday: times, valueUsd } = sold(sale)
  return {
    ...teardownHome(sale, view),
    priceUsd: (sale.listPriceUsd ?? sale.priceUsd) * times,
    valueUsd:
      valueUsd === undefined || condition.score === undefined || !hasEvidence(condition)
        ? valueUsd
        : valueInCondition(
            view.conditionValue,
            { valueUsd, usual: usualCondition(sale, sale.soldOn) },
            condition.score,
          ),
    envelopeSqft: buildingEnvelope(sale, districtOf(view.pack, sale.city, sale.zoning)).maxSqft,
    rebuildsNearby: nearby.rebuilds(sale),
    cityPace: nearby.demolitionRate(sale),
    conditionScore: condition.score,
    landPhrases: sale.remarks === undefined ? undefined : condition.landPhrases.length,
    recentPermitsUsd: permitSpendingUsd(
      { ...sale, permits: before },
      sale.soldOn,
      view.permitCities.has(sale.citySlug),
    ),
  }
}
