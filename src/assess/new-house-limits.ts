// The largest new house that a market has seen: the 90th percentile of the new houses sold near a lot. What zoning allows
// beyond it has not been shown to sell.

import type { NewHouseLimit } from '../domain/findings/redevelopment.ts'
import { isNewWhenSold } from '../intelligence/bidding-war/city-levels.ts'
import type { CityPoint } from '../intelligence/bidding-war/local-levels.ts'
import { medianOf, quantileOf } from '../intelligence/valuation/quantiles.ts'
import type { MarketSale } from '../store/assessments/market-facts.ts'
import { pointsWithin } from './points-within.ts'

/** Three miles. */
const nearbyKm = 4.828
/** With fewer sales the city is used instead, then cities with similar prices. Never the whole market: its estates are no example. */
const minSales = 8
/** Cities are similar if their median prices per square foot differ by at most this share. */
const similarShare = 0.15

type SoldHouse = Pick<
  MarketSale,
  'citySlug' | 'lat' | 'lng' | 'propertyType' | 'soldOn' | 'yearBuilt' | 'livingSqft' | 'priceUsd'
>

export const newHouseLimits = (sales: readonly SoldHouse[]) => {
  const houses = sales.flatMap(({ citySlug, lat, lng, propertyType, soldOn, yearBuilt, livingSqft }) => {
    const isNew = isNewWhenSold({ soldOn, yearBuilt })
    return propertyType === 'single_family' && isNew && livingSqft ? [{ citySlug, lat, lng, livingSqft }] : []
  })
  const located = houses.flatMap(({ lat, lng, livingSqft }) =>
    lat === undefined || lng === undefined ? [] : [{ lat, lng, livingSqft }],
  )
  const within = pointsWithin(located)
  const byCity = Map.groupBy(houses, ({ citySlug }) => citySlug)
  const prices = medianPrices(sales)
  const similar = (citySlug: string) => {
    const cityPrice = prices.get(citySlug)
    if (cityPrice === undefined) return []
    return [...byCity].flatMap(([slug, sold]) => {
      const price = prices.get(slug)
      return price !== undefined && Math.abs(price / cityPrice - 1) <= similarShare ? sold : []
    })
  }
  const cityLimits = new Map<string, NewHouseLimit | undefined>()
  const ofCity = (slug: string) => {
    if (!cityLimits.has(slug))
      cityLimits.set(slug, limitOf(byCity.get(slug) ?? [], 'city') ?? limitOf(similar(slug), 'similarCities'))
    return cityLimits.get(slug)
  }
  return {
    of: ({ citySlug, lat, lng }: CityPoint) => limitOf(within(lat, lng, nearbyKm), 'nearby') ?? ofCity(citySlug),
  }
}

/** Median price per square foot of the houses of each city with enough sales. */
const medianPrices = (sales: readonly SoldHouse[]): ReadonlyMap<string, number> => {
  const houses = sales.filter(({ propertyType, livingSqft }) => propertyType === 'single_family' && livingSqft)
  const perSqft = ({ priceUsd, livingSqft }: SoldHouse) => priceUsd / livingSqft!
  return new Map(
    [...Map.groupBy(houses, ({ citySlug }) => citySlug)].flatMap(([slug, citySales]) =>
      citySales.length < minSales ? [] : [[slug, medianOf(citySales.map(perSqft))] as const],
    ),
  )
}

const limitOf = (houses: readonly { livingSqft: number }[], area: NewHouseLimit['area']): NewHouseLimit | undefined => {
  if (houses.length < minSales) return undefined
  const sizes = houses.map(({ livingSqft }) => livingSqft)
  return { sqft: Math.round(quantileOf(sizes, 0.9)), count: houses.length, area }
}
