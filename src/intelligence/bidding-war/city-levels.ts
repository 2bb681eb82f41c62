// Typical prices, lot sizes and new-house sizes by city, which single properties are compared with.
import { yearsBefore } from '../../domain/day.ts'
import { medianIfAny } from '../statistics/average.ts'
import type { ValuationSale } from '../valuation/valuation-facts.ts'

type SoldFact = 'soldOn' | 'priceUsd' | 'propertyType' | 'livingSqft' | 'lotSqft' | 'yearBuilt'
type LevelSale = Readonly<Pick<ValuationSale, SoldFact>> & { readonly citySlug: string }

export interface CityLevel {
  readonly sales: number
  readonly medianPriceUsd?: number
  readonly medianLotSqft?: number
  /** Price per square foot of living area. */
  readonly medianPerSqft?: number
  readonly medianSqft?: number
  /** Median size of houses no more than five years old when sold. */
  readonly newBuildSqft?: number
}

export type CityLevels = ReturnType<typeof cityLevels>

/** With fewer sales than this a city's median is unreliable; the market's level is used instead. */
const minSales = 5
/** At most five years old. */
export const isNewWhenSold = ({ soldOn, yearBuilt }: { soldOn: string; yearBuilt?: number | undefined }): boolean =>
  yearBuilt !== undefined && Number(soldOn.slice(0, 4)) - yearBuilt <= 5

/** Levels of single-family homes sold in the year before `on`. */
export const cityLevels = (sales: readonly LevelSale[], on: string) => {
  const yearAgo = yearsBefore(on, 1)
  const houses = sales.filter((sale) => sale.propertyType === undefined || sale.propertyType === 'single_family')
  const byCity = Map.groupBy(houses, (sale) => sale.citySlug)
  const market = levelOf(houses, yearAgo)
  const levels = new Map([...byCity].map(([city, sold]) => [city, withFallback(levelOf(sold, yearAgo), market)]))
  return { market, of: (citySlug: string) => levels.get(citySlug) ?? market }
}

const levelOf = (sales: readonly LevelSale[], since: string): CityLevel => {
  const recent = sales.filter((sale) => sale.soldOn >= since)
  const fresh = sales.filter(isNewWhenSold)
  return {
    sales: recent.length,
    medianPriceUsd: median(recent.map((sale) => sale.priceUsd)),
    medianLotSqft: median(recent.flatMap((sale) => sale.lotSqft ?? [])),
    medianPerSqft: median(recent.flatMap((sale) => (sale.livingSqft ? sale.priceUsd / sale.livingSqft : []))),
    medianSqft: median(recent.flatMap((sale) => sale.livingSqft ?? [])),
    newBuildSqft: median(fresh.flatMap((sale) => sale.livingSqft ?? [])),
  }
}

const withFallback = (city: CityLevel, market: CityLevel): CityLevel => ({
  sales: city.sales,
  medianPriceUsd: city.medianPriceUsd ?? market.medianPriceUsd,
  medianLotSqft: city.medianLotSqft ?? market.medianLotSqft,
  // The price of another city says nothing about this one.
  medianPerSqft: city.medianPerSqft,
  medianSqft: city.medianSqft,
  newBuildSqft: city.newBuildSqft ?? market.newBuildSqft,
})

const median = (values: readonly number[]): number | undefined =>
  values.length < minSales ? undefined : medianIfAny(values)
