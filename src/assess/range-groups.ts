// How often the sale price lies in the stated range, by kind of home. A range that is right on average can still be too
// narrow for large lots and too wide for new houses.

import type { ValuationSale } from '../intelligence/valuation/valuation-facts.ts'

export interface RangeGroup {
  readonly kind: 'age' | 'size' | 'lot' | 'price' | 'density' | 'type' | 'area'
  readonly group: string
  readonly n: number
  /** Percent of prices inside the stated range. */
  readonly withinRange: number
}

/** In a smaller group the share is mostly chance: 8 points of standard error with 25 sales, 4 with 100. */
const smallestGroup = 100

export const rangeGroups = (sales: readonly { sale: ValuationSale; inside: boolean }[]): RangeGroup[] => {
  const byLot = tenths(sales.map(({ sale }) => sale.lotSqft))
  const byPrice = tenths(sales.map(({ sale }) => sale.priceUsd))
  const byDensity = tenths(neighborDistances(sales.map(({ sale }) => sale)))
  const groups = new Map<string, { kind: RangeGroup['kind']; group: string; n: number; inside: number }>()
  sales.forEach(({ sale, inside }, i) => {
    const add = (kind: RangeGroup['kind'], group: string | undefined) => {
      if (group === undefined) return
      const key = `${kind} ${group}`
      const before = groups.get(key) ?? { kind, group, n: 0, inside: 0 }
      groups.set(key, { ...before, n: before.n + 1, inside: before.inside + Number(inside) })
    }
    add('age', ageBand(sale))
    add('size', band(sale.livingSqft, [1000, 1500, 2000, 2500, 3000, 4000], 'sq ft'))
    add('lot', byLot[i])
    add('price', byPrice[i])
    add('density', byDensity[i])
    add('type', sale.propertyType)
    add('area', areaOf(sale))
  })
  return [...groups.values()]
    .filter(({ n }) => n >= smallestGroup)
    .map(({ inside, ...group }) => ({ ...group, withinRange: (100 * inside) / group.n }))
    .sort((a, b) => a.kind.localeCompare(b.kind) || a.group.localeCompare(b.group, 'en', { numeric: true }))
}

export const areaOf = ({ lat, lng }: ValuationSale): string | undefined =>
  lat === undefined || lng === undefined ? undefined : `${lat.toFixed(1)}, ${lng.toFixed(1)}`

export const ageBand = ({ yearBuilt, soldOn }: ValuationSale): string | undefined =>
  band(yearBuilt && Number(soldOn.slice(0, 4)) - yearBuilt, [10, 25, 40, 60, 80], 'years')

const band = (value: number | undefined, limits: readonly number[], unit: string): string | undefined => {
  if (value === undefined) return undefined
  const above = limits.filter((limit) => value >= limit).length
  if (above === 0) return `under ${limits[0]} ${unit}`
  return above === limits.length
    ? `${limits.at(-1)} ${unit} or more`
    : `${limits[above - 1]} to ${limits[above]} ${unit}`
}

export const tenths = (values: readonly (number | undefined)[]): (string | undefined)[] => {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b)
  const limits = Array.from({ length: 9 }, (_, k) => sorted[Math.floor(((k + 1) * sorted.length) / 10)]!)
  return values.map((value) =>
    value === undefined ? undefined : `tenth ${1 + limits.filter((limit) => value >= limit).length}`,
  )
}

/** Squared distance to the tenth nearest of these sales: large where homes are sparse. */
const neighborDistances = (sales: readonly ValuationSale[]): (number | undefined)[] => {
  const stretch = Math.cos(((sales.find(({ lat }) => lat !== undefined)?.lat ?? 0) * Math.PI) / 180)
  return sales.map(({ lat, lng }) => {
    if (lat === undefined || lng === undefined) return undefined
    const distances = sales
      .flatMap((other) =>
        other.lat === undefined || other.lng === undefined
          ? []
          : [(other.lat - lat) ** 2 + ((other.lng - lng) * stretch) ** 2],
      )
      .sort((a, b) => a - b)
    return distances[Math.min(10, distances.length - 1)]
  })
}
