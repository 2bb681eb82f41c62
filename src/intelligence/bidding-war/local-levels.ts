// Typical price, lot size and living area around a location: the city's level, moved toward the nearest sales by as much
// as the city's neighborhoods differ. In a uniform city the nearest sales add little; on Nantucket, where one name covers
// the old town and the moors, they add almost everything.

import { mean } from '../statistics/average.ts'
import { findNearest, indexPoints, makeNearest } from '../valuation/nearest-sales.ts'
import type { CityLevel, CityLevels } from './city-levels.ts'

export interface LocalSale {
  readonly citySlug: string
  readonly propertyId?: string
  /** Adjusted to today's price level. */
  readonly priceUsd: number
  readonly livingSqft?: number
  readonly lotSqft?: number
  readonly lat?: number
  readonly lng?: number
}

export interface LocalLevel extends CityLevel {
  /** Mean living area of the homes nearby, of any age. */
  readonly livingSqft?: number
  /** Weight of the nearest sales in the price level: 0 uses the city only, 1 the nearest sales only. */
  readonly locality: number
}

export interface CityPoint {
  readonly citySlug: string
  readonly lat?: number
  readonly lng?: number
}

/** Enough that one unusual sale moves the mean by only a few percent, few enough to stay in the neighborhood. */
const neighbors = 25
/** Sales per city used to measure how much its neighborhoods differ; more would not change the result. */
const sampledSales = 60
const quantities = ['priceUsd', 'lotSqft', 'livingSqft'] as const
const kmPerDegree = 111.2

export const localLevels = (sales: readonly LocalSale[], levels: CityLevels) => {
  const known = sales.filter(
    (sale) => sale.lat !== undefined && sale.lng !== undefined && sale.lotSqft && sale.livingSqft,
  )
  const narrowing = Math.cos(((known[0]?.lat ?? 0) * Math.PI) / 180)
  const east = Float32Array.from(known, (sale) => sale.lng! * kmPerDegree * narrowing)
  const north = Float32Array.from(known, (sale) => sale.lat! * kmPerDegree)
  const index = indexPoints(east, north, Int32Array.from(known.keys()))
  const logs = quantities.map((name) => Float64Array.from(known, (sale) => Math.log(sale[name]!)))
  const neighborhood = makeNearest(neighbors)
  /** Each home is identified by the index of its first sale; a sale without a property id is a home of its own. */
  const homes = new Map<string, number>()
  const homeOf = Int32Array.from(known, ({ propertyId }, i) => {
    if (propertyId === undefined) return i
    const home = homes.get(propertyId) ?? i
    homes.set(propertyId, home)
    return home
  })
  /** Mean and variance of each quantity over the nearest sales; undefined when there are too few. */
  const around = (x: number, y: number, excludedHome: number | undefined) => {
    // Most homes have no sale, so there is nothing to leave out.
    findNearest(index, x, y, neighborhood, excludedHome === undefined ? undefined : (id) => homeOf[id] === excludedHome)
    if (neighborhood.count < neighbors) return undefined
    return logs.map((values) => {
      let sum = 0
      let squares = 0
      for (let k = 0; k < neighborhood.count; k++) {
        const value = values[neighborhood.ids[k]!]!
        sum += value
        squares += value * value
      }
      const mean = sum / neighborhood.count
      return { mean, variance: Math.max(0, squares / neighborhood.count - mean * mean) }
    })
  }
  // A function that used `known` would keep all sales in memory for as long as the result is used.
  const cityOf = known.map(({ citySlug }) => citySlug)
  const cities = new Map(
    [...Map.groupBy(cityOf.keys(), (i) => cityOf[i]!)].map(([city, cityRows]) => {
      // An odd step, so that alternating rows are not all of one kind.
      const step = Math.max(1, Math.floor(cityRows.length / sampledSales)) | 1
      const probed = cityRows
        .filter((_, i) => i % step === 0)
        .flatMap((i) => {
          const near = around(east[i]!, north[i]!, homeOf[i])
          return near ? [near] : []
        })
      return [
        city,
        logs.map((values, q) => ({
          mean: mean(cityRows.map((i) => values[i]!)),
          weight: differing(probed.map((near) => near[q]!)),
        })),
      ] as const
    }),
  )
  return {
    /** `ownId` is the home itself, whose sales are left out. */
    near: ({ citySlug, lat, lng }: CityPoint, ownId?: string): LocalLevel => {
      const city = levels.of(citySlug)
      const inCity = cities.get(citySlug)
      const near =
        inCity && lat !== undefined && lng !== undefined
          ? around(lng * kmPerDegree * narrowing, lat * kmPerDegree, homes.get(ownId ?? ''))
          : undefined
      const shift = (q: number) =>
        near && inCity ? Math.exp(inCity[q]!.weight * (near[q]!.mean - inCity[q]!.mean)) : 1
      return {
        ...city,
        medianPriceUsd: times(city.medianPriceUsd, shift(0)),
        medianLotSqft: times(city.medianLotSqft, shift(1)),
        livingSqft: inCity && Math.exp(inCity[2]!.mean) * shift(2),
        locality: near && inCity ? inCity[0]!.weight : 0,
      }
    },
  }
}

/** The share of the variance between local means that is not sampling noise (empirical Bayes). */
const differing = (locals: readonly { mean: number; variance: number }[]): number => {
  if (locals.length < 10) return 0
  const middle = mean(locals.map((local) => local.mean))
  const spread = mean(locals.map((local) => (local.mean - middle) ** 2))
  const noise = mean(locals.map(({ variance }) => variance)) / neighbors
  return spread <= 0 ? 0 : Math.max(0, 1 - noise / spread)
}

const times = (value: number | undefined, factor: number): number | undefined =>
  value === undefined ? undefined : value * factor
