// The price level of a location relative to its city, from the market's value model.

import type { CityPoint } from '../intelligence/bidding-war/local-levels.ts'
import type { MarketModel } from '../intelligence/valuation/market-model.ts'
import { findNearest, makeNearest } from '../intelligence/valuation/nearest-sales.ts'
import { eastKmOf, northKmOf } from '../intelligence/valuation/valuation-facts.ts'

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

const neighbors = 30

/**
 * The price premium of a location over its market, independent of the house: the kernel mean of the location premium of the nearest
 * sales. Natural log, at the model's date. Undefined if the location is unknown or there are no sales.
 */
function locationPremiumAt(model: MarketModel, lat?: number, lng?: number): number | undefined {
  if (lat === undefined || lng === undefined) return undefined
  const { projection } = model.sales
  const [east, north] = [eastKmOf({ lng }, projection), northKmOf({ lat }, projection)]
  const near = findNearest(model.places.all, east, north, makeNearest(neighbors))
  if (near.count === 0) return undefined
  const width = Math.max(near.distanceKm[Math.min(14, near.count - 1)]!, model.settings.minBandwidthKm) / 1.5
  let sum = 0
  let total = 0
  for (let k = 0; k < near.count; k++) {
    const weight = Math.exp(-0.5 * (near.distanceKm[k]! / width) ** 2) + 1e-9
    sum += weight * model.neighbors.locationPremium[near.ids[k]!]!
    total += weight
  }
  return sum / total
}
