// The price premium of a location over its market, independent of the house: the kernel mean of the location premium of
// the nearest sales. It applies to land values too.

import type { MarketModel } from './market-model.ts'
import { findNearest, makeNearest } from './nearest-sales.ts'
import { eastKmOf, northKmOf } from './valuation-facts.ts'

const neighbors = 30

/** Natural log, at the model's date. Undefined if the location is unknown or there are no sales. */
export function locationPremiumAt(model: MarketModel, lat?: number, lng?: number): number | undefined {
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
