// The largest new house that a market has seen: the 90th percentile of the new houses sold near a lot. What zoning allows
// beyond it has not been shown to sell.
import KDBush from 'kdbush'
import type { NewHouseLimit } from '../domain/findings/redevelopment.ts'
import { quantileOf } from '../intelligence/valuation/quantiles.ts'
import type { MarketSale } from '../store/assessments/market-facts.ts'

/** One mile, the area of the comparable sales. */
const nearbyKm = 1.609
/** With fewer sales the city is used instead, then the market. */
const minSales = 8
/** A house is new if it was built within this many years before the sale. */
const newYears = 5

export interface NewHouseLimits {
  of(place: { citySlug: string; lat?: number; lng?: number }): NewHouseLimit | undefined
}

type SoldHouse = Pick<MarketSale, 'citySlug' | 'lat' | 'lng' | 'propertyType' | 'soldOn' | 'yearBuilt' | 'livingSqft'>

export const newHouseLimits = (sales: readonly SoldHouse[]): NewHouseLimits => {
  const houses = sales.flatMap(({ citySlug, lat, lng, propertyType, soldOn, yearBuilt, livingSqft }) => {
    const isNew = yearBuilt !== undefined && Number(soldOn.slice(0, 4)) - yearBuilt <= newYears
    return propertyType === 'single_family' && isNew && livingSqft ? [{ citySlug, lat, lng, livingSqft }] : []
  })
  const located = houses.flatMap(({ lat, lng, livingSqft }) =>
    lat === undefined || lng === undefined ? [] : [{ lat, lng, livingSqft }],
  )
  const kmPerLat = 110.574
  const kmPerLng = 111.32 * Math.cos(((located[0]?.lat ?? 0) * Math.PI) / 180)
  const index = located.length > 0 ? new KDBush(located.length) : undefined
  for (const { lat, lng } of located) index?.add(lng * kmPerLng, lat * kmPerLat)
  index?.finish()
  const byCity = new Map(
    [...Map.groupBy(houses, ({ citySlug }) => citySlug)].map(([slug, own]) => [slug, limitOf(own, 'city')]),
  )
  const market = limitOf(houses, 'market')
  return {
    of: ({ citySlug, lat, lng }) => {
      const near =
        index && lat !== undefined && lng !== undefined
          ? index.within(lng * kmPerLng, lat * kmPerLat, nearbyKm).map((at) => located[at]!)
          : []
      return limitOf(near, 'nearby') ?? byCity.get(citySlug) ?? market
    },
  }
}

const limitOf = (houses: readonly { livingSqft: number }[], area: NewHouseLimit['area']): NewHouseLimit | undefined =>
  houses.length < minSales
    ? undefined
    : {
        sqft: Math.round(
          quantileOf(
            houses.map(({ livingSqft }) => livingSqft),
            0.9,
          ),
        ),
        count: houses.length,
        area,
      }
