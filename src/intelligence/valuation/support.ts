// What a value rests on, learned from the sales themselves: how far a home may be from known sales, how wrong the price level of
// a location gets with that distance, and how far the facts of a home may differ from those of its neighbors.

import type { MarketModel } from './market-model.ts'
import { findNearest, makeNearest } from './nearest-sales.ts'
import { neighborNames } from './neighbor-features.ts'
import { medianOf, quantileOf } from './quantiles.ts'
import { attributeCount, attributeNames } from './valuation-facts.ts'

export type SupportLimits = ReturnType<typeof fitSupport>

/** A home is compared with its neighbors in these, and its living area with its bedrooms and bathrooms. */
const compared = ['sizeAgainstNear', 'lotAgainstNear', 'ageAgainstNear', 'logSizePerRoom'] as const

const mostSales = 1_500
/** The third nearest sale of nearly all sales is closer than `usualShare` of them; homes may be this many times as far. */
const usualShare = 0.995
const farther = 1.75
const leastMaxKm = 0.5
const ringsKm = [0.5, 1, 2, 4, 8, 16] as const
const ringSales = 8

export function fitSupport(
  model: Pick<MarketModel, 'sales' | 'places' | 'neighbors'>,
  features: Float32Array,
  featureCount: number,
) {
  const { sales } = model
  const step = Math.max(1, Math.floor(sales.count / mostSales))
  const ids = Array.from({ length: Math.ceil(sales.count / step) }, (_, k) => k * step)
  const near = makeNearest(ringSales)
  const level = (id: number, fromKm: number): { km: number; level: number } | undefined => {
    const sameHome = (other: number) => sales.home[other] === sales.home[id]
    findNearest(model.places.all, sales.east[id]!, sales.north[id]!, near, sameHome, Number.POSITIVE_INFINITY, fromKm)
    if (near.count < 3) return undefined
    const premiums = Array.from({ length: near.count }, (_, k) => model.neighbors.locationPremium[near.ids[k]!]!)
    return { km: near.distanceKm[2]!, level: medianOf(premiums) }
  }
  const levels = ids.map((id) => level(id, 0))
  const distanceError = ringsKm.flatMap((km) => {
    const errors = ids.flatMap((id, k) => {
      const ring = levels[k] && level(id, km)
      return ring && ring.km < 2 * km ? [Math.abs(ring.level - levels[k]!.level)] : []
    })
    return errors.length < 30 ? [] : [{ km, error: medianOf(errors) }]
  })
  const toThird = levels.flatMap((each) => each?.km ?? [])
  return {
    /** Homes farther than this from the third nearest sale have no value. */
    maxKm: Math.max(leastMaxKm, farther * quantileOf(toThird, usualShare)),
    /** By distance: median error of the location's log price level if it is taken from sales at that distance. */
    distanceError,
    /** Of each comparison with the neighbors: the middle and the extreme percentiles of the sales. */
    comparisons: compared.map((name) => {
      const at = featureAt(name)
      const values = ids.map((id) => features[id * featureCount + at]!).filter((value) => !Number.isNaN(value))
      return { at, low: quantileOf(values, 0.005), middle: quantileOf(values, 0.5), high: quantileOf(values, 0.995) }
    }),
  }
}

const featureAt = (name: (typeof compared)[number] | 'km6th'): number => {
  const attributeIndex = (attributeNames as readonly string[]).indexOf(name)
  return attributeIndex >= 0 ? attributeIndex : attributeCount + (neighborNames as readonly string[]).indexOf(name)
}

/** The error that distance adds; grows in proportion beyond the last ring. */
function distanceErrorAt({ distanceError }: SupportLimits, km: number): number {
  let before = { km: 0, error: 0 }
  for (const ring of distanceError) {
    if (km <= ring.km) return before.error + ((ring.error - before.error) * (km - before.km)) / (ring.km - before.km)
    before = ring
  }
  return before.km > 0 ? (before.error * km) / before.km : 0
}

/** A home's own error with what distance and unlikeness add, in log terms. Ranges are calibrated and stated with the same sum. */
export const supportedError = (support: SupportLimits, features: Float32Array, homeError: number, offset = 0): number =>
  Math.hypot(
    homeError * Math.max(1, unlikeness(support, features, offset)),
    distanceErrorAt(support, features[offset + featureAt('km6th')]!),
  )

/** How unlike its neighbors a home is: 1 at the limits that hold 99% of the sales, 2 twice as far from the middle. */
export function unlikeness({ comparisons }: SupportLimits, features: Float32Array, offset = 0): number {
  let most = 0
  for (const { at, low, middle, high } of comparisons) {
    const value = features[offset + at]!
    if (Number.isNaN(value) || !(high > middle) || !(middle > low)) continue
    most = Math.max(most, value > middle ? (value - middle) / (high - middle) : (middle - value) / (middle - low))
  }
  return most
}
