// What attached homes, flats and houses on small lots sold for near a place: products of schemes that the value model does not know.
import type { ProductMedians, SchemePlace } from '../domain/findings/decision.ts'
import type { CityLevels } from '../intelligence/bidding-war/city-levels.ts'
import { medianIfAny } from '../intelligence/statistics/average.ts'
import { smallLotShare } from '../schemes/prices.ts'
import type { MarketSale } from '../store/assessments/market-facts.ts'
import { pointsWithin } from './points-within.ts'

type ProductPlace = Pick<SchemePlace, 'attached' | 'flats' | 'smallLots'>
type SoldHome = Pick<
  MarketSale,
  'citySlug' | 'propertyId' | 'lat' | 'lng' | 'propertyType' | 'soldOn' | 'priceUsd' | 'livingSqft' | 'lotSqft'
>

export interface ProductSales {
  /** From sales of the product within three miles and 24 months; a product with fewer than five is absent. */
  near(home: { propertyId?: string; lat?: number; lng?: number }): ProductPlace
}

const leastSales = 5
/** Three miles. */
const nearbyKm = 4.828

/** Prices are at the level of today; `since` is 24 months ago. */
export const productSales = (sales: readonly SoldHome[], since: string, levels: CityLevels): ProductSales => {
  const productOf = ({ propertyType, lotSqft, citySlug }: SoldHome): keyof ProductPlace | undefined => {
    if (propertyType === 'townhouse') return 'attached'
    if (propertyType === 'condo') return 'flats'
    const { medianLotSqft } = levels.of(citySlug)
    const isSmall = lotSqft && medianLotSqft && lotSqft < smallLotShare * medianLotSqft
    return propertyType === 'single_family' && isSmall ? 'smallLots' : undefined
  }
  const known = sales.flatMap((sale) => {
    const { lat, lng, livingSqft } = sale
    const product = lat === undefined || lng === undefined || !livingSqft ? undefined : productOf(sale)
    return product && sale.soldOn >= since ? [{ ...sale, product, lat: lat!, lng: lng!, livingSqft: livingSqft! }] : []
  })
  const within = pointsWithin(known)
  const mediansOf = (found: typeof known): ProductMedians | undefined => {
    if (found.length < leastSales) return undefined
    const lots = medianIfAny(found.flatMap(({ lotSqft }) => lotSqft ?? []))
    return {
      perSqft: Math.round(medianIfAny(found.map(({ priceUsd, livingSqft }) => priceUsd / livingSqft))!),
      sqft: Math.round(medianIfAny(found.map(({ livingSqft }) => livingSqft))!),
      ...(lots === undefined ? {} : { lotSqft: Math.round(lots) }),
      count: found.length,
    }
  }
  return {
    near: ({ propertyId, lat, lng }) => {
      const near = within(lat, lng, nearbyKm).filter((sale) => sale.propertyId !== propertyId || !propertyId)
      const of = (product: keyof ProductPlace) => mediansOf(near.filter((sale) => sale.product === product))
      return { attached: of('attached'), flats: of('flats'), smallLots: of('smallLots') }
    },
  }
}
