// What vacant lots sold for, moved by the land model to the size and price level of another lot.
import { yearsBefore } from '../domain/day.ts'
import { distanceMi } from '../domain/distance.ts'
import type { CityPoint } from '../intelligence/bidding-war/local-levels.ts'
import { medianIfAny } from '../intelligence/statistics/average.ts'
import { standardOf } from '../intelligence/statistics/design.ts'
import type { Valuation } from '../intelligence/valuation/value-home.ts'

type Lot = CityPoint & { readonly propertyId?: string; readonly lotSqft?: number; readonly slopePct?: number }
type LandSale = Lot & { readonly propertyType?: string; readonly soldOn: string; readonly priceUsd: number }

const leastNear = 5
const radiusMiles = 3
const leastKnown = 30
/** Of a normal distribution: eight in ten sales are within so many deviations. */
const rangeDeviations = 1.2816
/** Prices that the model misses by more leave any value in doubt. */
const mostSpread = 0.3

/** Prices are at the level of `on`. */
export const landSalesNear = (sales: readonly LandSale[], on: string, modeled: (lot: Lot) => number | undefined) => {
  const known = sales.flatMap((sale) => {
    const { propertyType, soldOn, priceUsd, lotSqft, lat, lng } = sale
    if (propertyType !== 'land' || !lotSqft || lat === undefined || lng === undefined) return []
    const usd = modeled(sale)
    return usd ? [{ ...sale, lotSqft, lat, lng, soldOn, log: Math.log(priceUsd / usd) }] : []
  })
  const within = ({ lat, lng }: Lot, mi: number, since: string) =>
    lat === undefined || lng === undefined
      ? []
      : known.filter((sale) => sale.soldOn >= since && distanceMi({ lat, lng }, sale) <= mi)
  const spread = standardOf(known.map(({ log }) => log))
  return {
    /** For a lot at this place of the sales' median size, from those within three miles and 24 months; undefined with fewer than five. */
    near: (place: Lot) => {
      const nearbySales = within(place, radiusMiles, yearsBefore(on, 2))
      if (nearbySales.length < leastNear) return undefined
      const lotSqft = Math.round(medianIfAny(nearbySales.map((sale) => sale.lotSqft))!)
      const usd = modeled({ ...place, lotSqft })
      const log = medianIfAny(nearbySales.map((sale) => sale.log))!
      return usd ? { usd: Math.round(usd * Math.exp(log)), lotSqft, count: nearbySales.length } : undefined
    },
    /** What the lot itself would sell for; undefined in a market with fewer than 30 known sales of land. */
    value: (lot: Lot): (Valuation & { note: string }) | undefined => {
      const usd = known.length < leastKnown ? undefined : modeled(lot)
      const { lat, lng } = lot
      if (!usd || lat === undefined || lng === undefined) return undefined
      const at = (deviations: number) => usd * Math.exp(spread.mean + deviations * spread.deviation)
      const nearest = Math.min(...known.map((sale) => distanceMi({ lat, lng }, sale)))
      return {
        ...{ valueUsd: at(0), lowUsd: at(-rangeDeviations), highUsd: at(rangeDeviations) },
        confidence: spread.deviation > mostSpread ? 'low' : 'medium',
        nearestSaleMi: Math.ceil(10 * nearest) / 10,
        salesWithinMile12m: within(lot, 1, yearsBefore(on, 1)).length,
        note: `From ${known.length} sales of land in this market.`,
        ...{ missing: [], doubtful: [], basis: { model: at(0), weightOfComps: 0 }, parts: () => [] },
      }
    },
  }
}
