// A ridge regression of a published heat index on market statistics over several windows. It is refitted where an operator
// has the published series; the formula in heat.ts needs no data and stays the default.

import { solveCholesky } from './cholesky.ts'

export interface HeatFitRow {
  /** The same statistics in the same order in every row. */
  readonly values: readonly number[]
  readonly published: number
}

interface HeatFit {
  /** Change of the index per standard deviation of each statistic. */
  readonly weights: readonly number[]
}

/** A weak penalty is enough: a year of 290 metros has 3,500 rows. */
const ridgePenalty = 100

/**
 * Fits on months of metros. Each month is standardized on its own, so that the fit learns what separates metros and not
 * what separates summer from winter.
 */
export const fitHeat = (months: readonly (readonly HeatFitRow[])[]): HeatFit => {
  const rows = months.flatMap((month) => {
    const mean = meanOf(month.map(({ published }) => published))
    const values = standardized(month)
    return month.map(({ published }, at) => ({ values: values[at]!, target: published - mean }))
  })
  const size = rows[0]?.values.length ?? 0
  const normal = Float64Array.from({ length: size * size }, (_, at) => {
    const i = Math.floor(at / size)
    const j = at % size
    return rows.reduce((sum, { values }) => sum + values[i]! * values[j]!, i === j ? ridgePenalty : 0)
  })
  const right = Array.from({ length: size }, (_, i) =>
    rows.reduce((sum, { values, target }) => sum + values[i]! * target, 0),
  )
  return { weights: [...solveCholesky(normal, right, size)] }
}

/** Higher is hotter. Comparable within one month, which is what the index is for. */
export const fittedHeat = ({ weights }: HeatFit, month: readonly Pick<HeatFitRow, 'values'>[]): number[] =>
  standardized(month).map((values) => values.reduce((sum, value, at) => sum + value * weights[at]!, 0))

/** A value more than four standard deviations from the mean is usually a data error. */
const mostDeviations = 4

const standardized = (month: readonly Pick<HeatFitRow, 'values'>[]): number[][] => {
  const size = month[0]?.values.length ?? 0
  const scales = Array.from({ length: size }, (_, at) => {
    const column = month.map(({ values }) => values[at]!)
    const mean = meanOf(column)
    return { mean, deviation: Math.sqrt(meanOf(column.map((value) => (value - mean) ** 2))) || 1 }
  })
  return month.map(({ values }) =>
    values.map((value, at) => {
      const { mean, deviation } = scales[at]!
      return Math.max(-mostDeviations, Math.min(mostDeviations, (value - mean) / deviation))
    }),
  )
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
