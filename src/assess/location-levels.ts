// The price level of a location relative to its city, from the market's value model.

import type { CityPoint } from '../intelligence/bidding-war/local-levels.ts'
import { locationPremiumAt } from '../intelligence/valuation/location-premium.ts'
import type { MarketModel } from '../intelligence/valuation/market-model.ts'

/** Enough sales for a stable city mean; more only cost time. */
const salesPerCity = 60
/** A larger difference from the city's mean is a data error. */
const maxDifference = 0.5

export const locationLevels = (model: MarketModel | undefined, sales: readonly CityPoint[]) => {
  if (!model) return { of: () => undefined }
  const means = new Map(
    [...Map.groupBy(sales, ({ citySlug }) => citySlug)].map(([city, citySales]) => {
      const step = Math.max(1, Math.floor(citySales.length / salesPerCity))
      const levels = citySales
        .filter((_, i) => i % step === 0)
        .flatMap(({ lat, lng }) => locationPremiumAt(model, lat, lng) ?? [])
      return [city, levels.length === 0 ? undefined : levels.reduce((sum, level) => sum + level, 0) / levels.length]
    }),
  )
  return {
    /** Natural log of the ratio; undefined without a location or sales. */
    of: ({ citySlug, lat, lng }: CityPoint) => {
      const mean = means.get(citySlug)
      const homeLevel = mean === undefined ? undefined : locationPremiumAt(model, lat, lng)
      return homeLevel === undefined ? undefined : Math.max(-maxDifference, Math.min(maxDifference, homeLevel - mean!))
    },
  }
}
