// How dear a spot is against its own city, from the market's value model.

import { locationPremiumAt } from '../intelligence/valuation/location-premium.ts'
import type { MarketModel } from '../intelligence/valuation/market-model.ts'

interface Placed {
  citySlug: string
  lat?: number
  lng?: number
}

export interface PlaceLevels {
  /** Log; undefined where it cannot be told. */
  of(place: Placed): number | undefined
}

/** So many sales of a city pin its mean; more only cost time. */
const salesPerCity = 60
/** Farther from its city's mean than this is a fault of the data. */
const most = 0.5

export const placeLevels = (model: MarketModel | undefined, sales: readonly Placed[]): PlaceLevels => {
  if (!model) return { of: () => undefined }
  const means = new Map(
    [...Map.groupBy(sales, ({ citySlug }) => citySlug)].map(([city, own]) => {
      const step = Math.max(1, Math.floor(own.length / salesPerCity))
      const levels = own
        .filter((_, i) => i % step === 0)
        .flatMap(({ lat, lng }) => locationPremiumAt(model, lat, lng) ?? [])
      return [city, levels.length === 0 ? undefined : levels.reduce((sum, level) => sum + level, 0) / levels.length]
    }),
  )
  return {
    of: ({ citySlug, lat, lng }) => {
      const mean = means.get(citySlug)
      const own = mean === undefined ? undefined : locationPremiumAt(model, lat, lng)
      return own === undefined ? undefined : Math.max(-most, Math.min(most, own - mean!))
    },
  }
}
