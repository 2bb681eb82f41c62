import { seededRandom } from '../../../src/intelligence/valuation/seeded-random.ts'
import { dateOf, dayOf, type ValuationSale } from '../../../src/intelligence/valuation/valuation-facts.ts'
import type { Valuation } from '../../../src/intelligence/valuation/value-home.ts'

export interface SimulatedMarket {
  count: number
  from?: string
  days?: number
  growthPerYear?: number
  noise?: number
  seed?: number
  withCity?: boolean
  missingLots?: number
  condoShare?: number
  townhouseShare?: number
}

/** Sales whose prices follow a known rule: place, size, age, type and a steady growth, with noise. */
export function simulatedSales(market: SimulatedMarket): ValuationSale[] {
  const { count, from = '2022-01-01', days = 730, growthPerYear = 0.06, noise = 0.08, seed = 7 } = market
  const random = seededRandom(seed)
  const bell = () => random() + random() + random() + random() - 2
  return Array.from({ length: count }, (_, i) => {
    const day = dayOf(from) + Math.floor(random() * days)
    const east = random()
    const north = random()
    const condo = random() < (market.condoShare ?? 0)
    const townhouse = market.townhouseShare !== undefined && random() < market.townhouseShare
    const livingSqft = Math.round((condo ? 900 : 1800) * Math.exp(0.5 * bell()))
    const lotSqft =
      condo || random() < (market.missingLots ?? 0) ? undefined : Math.round(6000 * Math.exp(0.6 * bell()))
    const yearBuilt = 1925 + Math.floor(random() * 97)
    const sale: ValuationSale = {
      saleId: `s${i}`,
      soldOn: dateOf(day),
      priceUsd: 0,
      livingSqft,
      lotSqft,
      beds: Math.max(1, Math.round(livingSqft / 600)),
      baths: Math.max(1, Math.round(livingSqft / 800)),
      yearBuilt,
      lat: 37.4 + 0.1 * north,
      lng: -122.3 + 0.1 * east,
      propertyType: condo ? 'condo' : townhouse ? 'townhouse' : 'single_family',
      city: market.withCity === false ? undefined : east < 0.5 ? 'Westby' : 'Eastham',
    }
    const years = (day - dayOf(from)) / 365.2425
    sale.priceUsd = Math.round(truePrice(sale) * Math.exp(growthPerYear * years + noise * bell() * 1.7))
    return sale
  })
}

/** The price on the first day. */
export function truePrice(home: ValuationSale): number {
  const logPpsf =
    6.5 +
    0.5 * Math.sin((home.lng! + 122.3) * 40) +
    0.3 * ((home.lat! - 37.4) * 10) -
    0.25 * Math.log(home.livingSqft! / 1800) +
    0.1 * Math.log((home.lotSqft ?? 6000) / 6000) +
    0.002 * (home.yearBuilt! - 1970) -
    (home.propertyType === 'condo' ? 0.15 : 0)
  return Math.exp(logPpsf) * home.livingSqft!
}

/** A value with its parts, which are computed when asked for, so that two values can be compared. */
export const withParts = (value: Valuation | undefined) => value && { ...value, parts: value.parts() }
