// Splits log price per square foot into the effects of attributes, location and time by backfitting, so that the price
// index measures change at constant quality.
import { fitHedonic, type Hedonic, predictHedonic } from './hedonic.ts'
import { medianOf } from './quantiles.ts'
import type { SaleColumns } from './sale-columns.ts'
import { fitTimeIndex, logLevel, type TimeIndex, type TimeIndexOptions } from './time-index.ts'
import { attributeCount } from './valuation-facts.ts'

const salesPerCell = 40
const cellHalfSales = 8
const rounds = 4
const outlierDeviations = 3

/** `explained`: the part of each sale that its attributes explain. `winsorized`: log price per square foot with outliers clamped. */
export function splitConstantQuality(sales: SaleColumns, weight: Float64Array, options: TimeIndexOptions) {
  const n = sales.count
  const { cell, count: cellCount } = cellsOf(sales.east, sales.north, salesPerCell)
  const place = new Float64Array(n)
  const time = new Float64Array(n)
  const explained = new Float64Array(n)
  let winsorized = sales.logPpsf
  let hedonic!: Hedonic
  let index!: TimeIndex
  const without = (one: Float64Array, other: Float64Array) => winsorized.map((y, i) => y - one[i]! - other[i]!)
  for (let round = 0; round < rounds; round++) {
    hedonic = fitHedonic(sales.attributes, without(place, time), weight)
    for (let i = 0; i < n; i++) explained[i] = predictHedonic(hedonic, sales.attributes, i * attributeCount)
    placeEffects(place, without(explained, time), weight, cell, cellCount)
    const residuals = { day: sales.day, residual: without(explained, place), weight }
    index = fitTimeIndex(residuals, sales.asOfDay, options)
    for (let i = 0; i < n; i++) time[i] = logLevel(index, sales.day[i]!)
    const expected = explained.map((y, i) => y + place[i]! + time[i]!)
    winsorized = clampedAround(expected, sales.logPpsf, outlierDeviations)
  }
  return { hedonic, index, explained, winsorized }
}

function placeEffects(
  place: Float64Array,
  residual: Float64Array,
  weight: Float64Array,
  cell: Int32Array,
  cellCount: number,
): void {
  const sum = new Float64Array(cellCount)
  const total = new Float64Array(cellCount)
  for (let i = 0; i < residual.length; i++) {
    const w = weight[i]!
    sum[cell[i]!]! += w * residual[i]!
    total[cell[i]!]! += w
  }
  for (let i = 0; i < residual.length; i++) place[i] = sum[cell[i]!]! / (total[cell[i]!]! + cellHalfSales)
}

/** Outliers (family transfers, wrong living areas) clamped to so many robust standard deviations about what is expected. */
export function clampedAround(expected: Float64Array, values: Float64Array, deviations: number) {
  const residual = values.map((value, i) => value - expected[i]!)
  const spread = 1.4826 * medianOf(residual.map(Math.abs))
  const bound = deviations * Math.max(spread, 0.02)
  return residual.map((off, i) => Math.max(-bound, Math.min(bound, off)) + expected[i]!)
}

/**
 * Divides the sales of a market into cells with about equal numbers, by repeatedly halving along the longer side (a k-d tree). The
 * number of each sale's cell.
 */
function cellsOf(east: Float32Array, north: Float32Array, salesPerCell: number): { cell: Int32Array; count: number } {
  const cell = new Int32Array(east.length)
  let count = 0
  const spread = (part: Int32Array, values: Float32Array) =>
    part.reduce((most, id) => Math.max(most, values[id]!), Number.NEGATIVE_INFINITY) -
    part.reduce((least, id) => Math.min(least, values[id]!), Number.POSITIVE_INFINITY)
  const divide = (part: Int32Array): void => {
    const values = spread(part, east) >= spread(part, north) ? east : north
    const middle = Float32Array.from(part, (id) => values[id]!).sort()[part.length >> 1]!
    const lower = part.filter((id) => values[id]! < middle)
    // Homes of one building share a point and cannot be divided further.
    if (part.length < 2 * salesPerCell || lower.length < salesPerCell / 2) {
      for (const id of part) cell[id] = count
      count++
      return
    }
    divide(lower)
    divide(part.filter((id) => values[id]! >= middle))
  }
  divide(Int32Array.from(cell, (_, id) => id))
  return { cell, count }
}
