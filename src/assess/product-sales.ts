// What attached homes, flats and houses on small lots sold for near a place: products of schemes that the value model does not know.
import type { ProductMedians, SchemePlace } from '../domain/findings/decision.ts'
import type { CityLevels } from '../intelligence/bidding-war/city-levels.ts'
import { medianIfAny } from '../intelligence/statistics/average.ts'
import { smallLotShare } from '../schemes/prices.ts'
import type { MarketSale } from '../store/assessments/market-facts.ts'
import { pointsWithin } from './points-within.ts'

/** From sales within three miles and 24 months. A product with fewer than five is absent; undefined without any. */
export type ProductSales = (home: Pick<MarketSale, 'propertyId' | 'lat' | 'lng'>) => SchemePlace['sold']

const leastSales = 5
/** Three miles. */
const nearbyKm = 4.828
const products = ['attached', 'flats', 'smallLots'] as const

/** Prices are at the level of today; `since` is 24 months ago. */
export const productSales = (sales: readonly MarketSale[], since: string, levels: CityLevels): ProductSales => {
  const productOf = ({ propertyType, lotSqft, citySlug }: MarketSale): (typeof products)[number] | undefined => {
    if (propertyType === 'townhouse') return 'attached'
    if (propertyType === 'condo') return 'flats'
    const { medianLotSqft = 0 } = levels.of(citySlug)
    const isSmall = lotSqft && lotSqft < smallLotShare * medianLotSqft
    return propertyType === 'single_family' && isSmall ? 'smallLots' : undefined
  }
  const within = pointsWithin(
    sales.flatMap((sale) => {
      const { propertyId, lat, lng, priceUsd, livingSqft, lotSqft } = sale
      const product = sale.soldOn < since ? undefined : productOf(sale)
      return product && lat !== undefined && lng !== undefined && livingSqft
        ? [{ propertyId, lat, lng, product, perSqft: priceUsd / livingSqft, sqft: livingSqft, lotSqft }]
        : []
    }),
  )
  return ({ propertyId, lat, lng }) => {
    const others = within(lat, lng, nearbyKm).filter((sale) => !propertyId || sale.propertyId !== propertyId)
    const known = products.flatMap((product): [string, ProductMedians][] => {
      const found = others.filter((sale) => sale.product === product)
      const middle = (name: 'perSqft' | 'sqft' | 'lotSqft') =>
        Math.round(medianIfAny(found.flatMap((sale) => sale[name] ?? [])) ?? 0)
      if (found.length < leastSales) return []
      const [perSqft, sqft, lotSqft] = [middle('perSqft'), middle('sqft'), middle('lotSqft')]
      return [[product, { perSqft, sqft, ...(product === 'smallLots' ? { lotSqft } : {}), count: found.length }]]
    })
    return known.length > 0 ? Object.fromEntries(known) : undefined
  }
}
