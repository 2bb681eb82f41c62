// What attached homes, flats and houses on small lots sold for near a place: products of schemes that the value model does not know.
import type { ProductMedians, SchemePlace } from '../domain/findings/decision.ts'
import type { CityLevels } from '../intelligence/bidding-war/city-levels.ts'
import { medianIfAny } from '../intelligence/statistics/average.ts'
import { areComparableLots, smallLotShare } from '../schemes/prices.ts'
import type { MarketSale } from '../store/assessments/market-facts.ts'
import { pointsWithin } from './points-within.ts'

/**
 * From sales within three miles and 24 months, moved to the price level of the home's city. A product with fewer than five is absent;
 * undefined without any.
 */
export type ProductSales = (home: Pick<MarketSale, 'propertyId' | 'citySlug' | 'lat' | 'lng'>) => SchemePlace['sold']

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
      const { medianPerSqft, medianLotSqft = 0 } = levels.of(sale.citySlug)
      const product = sale.soldOn < since ? undefined : productOf(sale)
      return product && lat !== undefined && lng !== undefined && livingSqft && medianPerSqft
        ? [
            {
              ...{ propertyId, lat, lng, product, lotSqft, sqft: livingSqft, cityLotSqft: medianLotSqft },
              share: priceUsd / livingSqft / medianPerSqft,
            },
          ]
        : []
    }),
  )
  return ({ propertyId, citySlug, lat, lng }) => {
    const { medianPerSqft = 0, medianLotSqft = 0 } = levels.of(citySlug)
    const others = within(lat, lng, nearbyKm).filter((sale) => !propertyId || sale.propertyId !== propertyId)
    const known = products.flatMap((product): [string, ProductMedians][] => {
      // A small lot of a city of small lots is not one here: its price beside a house says nothing.
      const isHere =
        product !== 'smallLots'
          ? () => true
          : (sale: (typeof others)[number]) => areComparableLots(sale.cityLotSqft, medianLotSqft)
      const alike = others.filter((sale) => sale.product === product && isHere(sale))
      const middle = (name: 'share' | 'sqft' | 'lotSqft') => medianIfAny(alike.flatMap((sale) => sale[name] ?? [])) ?? 0
      if (alike.length < leastSales) return []
      const perSqft = Math.round(medianPerSqft * middle('share'))
      const [sqft, lotSqft] = [Math.round(middle('sqft')), Math.round(middle('lotSqft'))]
      return [[product, { perSqft, sqft, ...(product === 'smallLots' ? { lotSqft } : {}), count: alike.length }]]
    })
    return known.length > 0 ? Object.fromEntries(known) : undefined
  }
}
