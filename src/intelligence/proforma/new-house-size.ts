// The typical size of a new house on a lot, learned from recent new houses: a multiple of the typical home nearby that
// differs by city and rises with lot size. Zoning gives the largest size allowed; builders often build less.

import { mean } from '../statistics/average.ts'
import { clamp } from '../statistics/clamp.ts'

/** Typical living area and lot size of the homes nearby. */
interface NearbyLevel {
  readonly livingSqft?: number
  readonly medianLotSqft?: number
}

export interface NewHouse {
  readonly citySlug: string
  readonly livingSqft: number
  readonly lotSqft: number
  readonly around: NearbyLevel
}

/**
 * Log living area per log lot size, until the market's own new houses say more: floor-area ratios fall with lot size, so house size
 * grows about with its square root. Assumption.
 */
const assumedElasticity = 0.5
const elasticityRange = [0.2, 0.9] as const
/** New houses in a city that count as much as the market's level. Assumption. */
const shrinkHouses = 6
/** Houses that count as much as the assumed elasticity. Assumption. */
const slopeWeight = 8

/** Fewer new houses than this are too few to learn from. */
const minHouses = 8

export const fitNewHouseSizes = (newHouses: readonly NewHouse[]) => {
  const houses = newHouses.filter(({ livingSqft, lotSqft }) => livingSqft > 300 && lotSqft > 500)
  if (houses.length < minHouses) return { elasticity: assumedElasticity, houses: houses.length, of: () => undefined }
  const points = houses.flatMap(({ citySlug, livingSqft, lotSqft, around }) =>
    around.livingSqft && around.medianLotSqft
      ? [{ citySlug, x: Math.log(lotSqft / around.medianLotSqft), y: Math.log(livingSqft / around.livingSqft) }]
      : [],
  )
  if (points.length < minHouses) return { elasticity: assumedElasticity, houses: points.length, of: () => undefined }
  const byCity = Map.groupBy(points, ({ citySlug }) => citySlug)
  // Compared within cities only: between cities, lot size and land prices vary together.
  let xy = slopeWeight * 0.1 * assumedElasticity
  let xx = slopeWeight * 0.1
  for (const cityPoints of byCity.values()) {
    const meanX = mean(cityPoints.map(({ x }) => x))
    const meanY = mean(cityPoints.map(({ y }) => y))
    for (const { x, y } of cityPoints) {
      xy += (x - meanX) * (y - meanY)
      xx += (x - meanX) ** 2
    }
  }
  const elasticity = clamp(xy / xx, ...elasticityRange)
  const level = mean(points.map(({ x, y }) => y - elasticity * x))
  const levels = new Map(
    [...byCity].map(([citySlug, cityPoints]) => {
      const sum = cityPoints.reduce((total, { x, y }) => total + y - elasticity * x - level, 0)
      return [citySlug, level + sum / (cityPoints.length + shrinkHouses)]
    }),
  )
  return {
    elasticity,
    houses: houses.length,
    of: ({ citySlug, lotSqft, around }: { citySlug: string; lotSqft?: number; around: NearbyLevel }) =>
      lotSqft === undefined || lotSqft <= 0 || !around.livingSqft || !around.medianLotSqft
        ? undefined
        : Math.round(
            around.livingSqft *
              Math.exp((levels.get(citySlug) ?? level) + elasticity * Math.log(lotSqft / around.medianLotSqft)),
          ),
  }
}
