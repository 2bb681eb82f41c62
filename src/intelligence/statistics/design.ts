// Builds and slices the design matrices of the regressions, and splits rows into cross-validation folds.

import { shuffle } from '../valuation/seeded-random.ts'
import type { Design } from './logistic.ts'

/** One row as parallel lists: the columns that are not zero, and their values. */
export interface SparseRow {
  readonly columns: readonly number[]
  readonly values: readonly number[]
}

export const sparseDesign = (rows: readonly SparseRow[], columns: number): Design => {
  let entries = 0
  for (const row of rows) entries += row.columns.length
  const starts = new Int32Array(rows.length + 1)
  const columnOf = new Int32Array(entries)
  const values = new Float64Array(entries)
  let at = 0
  rows.forEach((row, r) => {
    for (let k = 0; k < row.columns.length; k++) {
      columnOf[at] = row.columns[k]!
      values[at] = row.values[k]!
      at++
    }
    starts[r + 1] = at
  })
  return { rows: rows.length, columns, starts, columnOf, values }
}

export const denseDesign = (rows: readonly ArrayLike<number>[]): Design =>
  sparseDesign(
    rows.map((row) => {
      const at: number[] = []
      const values: number[] = []
      for (let j = 0; j < row.length; j++) {
        if (row[j] !== 0) {
          at.push(j)
          values.push(row[j]!)
        }
      }
      return { columns: at, values }
    }),
    rows[0]?.length ?? 0,
  )

/** A design with all columns and only the given rows. */
export const takeRows = (design: Design, rows: ArrayLike<number>): Design => {
  let entries = 0
  for (let k = 0; k < rows.length; k++) entries += design.starts[rows[k]! + 1]! - design.starts[rows[k]!]!
  const starts = new Int32Array(rows.length + 1)
  const columnOf = new Int32Array(entries)
  const values = new Float64Array(entries)
  let at = 0
  for (let k = 0; k < rows.length; k++) {
    const from = design.starts[rows[k]!]!
    const to = design.starts[rows[k]! + 1]!
    columnOf.set(design.columnOf.subarray(from, to), at)
    values.set(design.values.subarray(from, to), at)
    at += to - from
    starts[k + 1] = at
  }
  return { rows: rows.length, columns: design.columns, starts, columnOf, values }
}

/** Mean and standard deviation of one input, over the rows where it is known. */
export type Standard = ReturnType<typeof standardOf>

/** A constant column gets deviation 1, so that it standardizes to zero instead of dividing by zero. */
export const standardOf = (values: Iterable<number | undefined>) => {
  let n = 0
  let mean = 0
  let squares = 0
  for (const value of values) {
    if (value === undefined || !Number.isFinite(value)) continue
    n++
    const away = value - mean
    mean += away / n
    squares += away * (value - mean)
  }
  const deviation = n > 1 ? Math.sqrt(squares / n) : 0
  return { mean, deviation: deviation > 1e-9 * Math.max(1, Math.abs(mean)) ? deviation : 1 }
}

/** A seeded generator of numbers in [0, 1), so that a fit can be repeated exactly. */
export type RandomSource = () => number

export const shuffled = (count: number, random: RandomSource): Int32Array =>
  shuffle(
    Int32Array.from({ length: count }, (_, i) => i),
    random,
  )

/** The fold of each row. With `labels`, positives are spread evenly so that every fold has some. */
export const foldsOf = (count: number, folds: number, random: RandomSource, labels?: ArrayLike<number>): Uint8Array => {
  const fold = new Uint8Array(count)
  const order = shuffled(count, random)
  const next = [0, 0]
  for (const r of order) {
    const kind = labels && labels[r]! > 0.5 ? 1 : 0
    fold[r] = next[kind]! % folds
    next[kind] = next[kind]! + 1
  }
  return fold
}

export type Fold = ReturnType<typeof splitFolds>[number]

export const splitFolds = (fold: Uint8Array, folds: number) =>
  Array.from({ length: folds }, (_, f) => {
    const train: number[] = []
    const test: number[] = []
    fold.forEach((of, r) => {
      if (of === f) test.push(r)
      else train.push(r)
    })
    return { train: Int32Array.from(train), test: Int32Array.from(test) }
  })
