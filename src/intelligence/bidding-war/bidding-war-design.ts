// Turns closed listings into the design matrix of the bidding-war regression.

import { isPermittedWord } from '../scores/permitted-inputs.ts'
import { clamp } from '../statistics/clamp.ts'
import type { SparseRow, Standard } from '../statistics/design.ts'
import type { Design } from '../statistics/logistic.ts'
import { type AreaLevel, type BiddingFacts, biddingFeatures, priceEndings } from './bidding-war-features.ts'

export interface BiddingRow {
  readonly facts: BiddingFacts
  /** Closed at least 1% over the last list price. */
  readonly over: boolean
  /** Sale price divided by the last list price. */
  readonly saleToList: number
}

export const biddingPenalties = {
  numbers: { value: 3, reason: 'a few dozen columns; barely shrunk' },
  areas: { value: 3, reason: 'an area with ten closings keeps about half of its own effect' },
  endings: { value: 3, reason: 'as areas' },
  words: { value: 60, reason: 'thousands of columns, most without effect; 120 gave the same results' },
} as const

/** How strongly the fit of the threshold is shrunk toward the fit of the sale-to-list ratio. */
export const thresholdPenalties = {
  numbers: { value: 10, reason: '10 and 30 gave the same results' },
  areas: { value: 10, reason: 'as numbers' },
  endings: { value: 10, reason: 'as numbers' },
  words: { value: 500, reason: '200 was worse, 1,000 the same' },
} as const

/** Standard deviations from the mean, cut at 4 so that one mistyped price cannot dominate a score. */
export const standardized = (value: number, { mean, deviation }: Standard): number =>
  clamp((value - mean) / deviation, -4, 4)

export type ColumnGroup = keyof typeof biddingPenalties

/** Columns by name; `add` creates a column on its first use. */
export const newColumns = () => {
  const at = new Map<string, number>()
  const names: string[] = []
  const groups: ColumnGroup[] = []
  const centers: number[] = []
  const add = (name: string, group: ColumnGroup, center = 0): number => {
    const known = at.get(name)
    if (known !== undefined) return known
    at.set(name, names.length)
    names.push(name)
    groups.push(group)
    centers.push(center)
    return names.length - 1
  }
  return { at, names, groups, centers, add }
}

export const sparseRow = (
  facts: BiddingFacts,
  values: readonly (number | undefined)[],
  standards: readonly Standard[],
  common: ReadonlySet<string>,
  columns: ReturnType<typeof newColumns>,
): SparseRow => {
  const at: number[] = []
  const entries: number[] = []
  const put = (column: number, value: number) => {
    at.push(column)
    entries.push(value)
  }
  biddingFeatures.forEach((item, j) => {
    const value = values[j]
    if (value === undefined) return
    const z = standardized(value, standards[j]!)
    put(columns.add(`n:${item.name}`, 'numbers'), z)
    if (item.squared) put(columns.add(`s:${item.name}`, 'numbers'), z * z - 1)
  })
  put(columns.add(`a:${facts.area}`, 'areas'), 1)
  if (facts.listPriceUsd)
    for (const ending of priceEndings(facts.listPriceUsd)) put(columns.add(`e:${ending.name}`, 'endings'), ending.value)
  for (const word of new Set(facts.words)) if (common.has(word)) put(columns.add(`w:${word}`, 'words'), 1)
  return { columns: at, values: entries }
}

/** Words found in at least `minRows` rows, without words about people. */
export const commonWords = (rows: readonly BiddingRow[], minRows: number): Set<string> => {
  const counts = new Map<string, number>()
  for (const row of rows) for (const word of new Set(row.facts.words)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return new Set([...counts].filter(([word, count]) => count >= minRows && isPermittedWord(word)).map(([word]) => word))
}

/** A column with this log ratio of frequencies keeps the unchanged penalty. */
const usualContrast = 0.25
/** Rows added to both sides, so that a rare word does not count as predictive by chance. */
const contrastRows = 20

/**
 * How much the frequency of each column differs between rows above and below the threshold, 1 for a typical difference. Words
 * that separate the two are shrunk less than words that are equally frequent in both (Wang and Manning 2012, "Baselines and bigrams": naive Bayes
 * weights help a linear model of short texts).
 */
export const wordContrasts = (design: Design, labels: ArrayLike<number>): Float64Array => {
  const over = new Float64Array(design.columns)
  const under = new Float64Array(design.columns)
  let rowsOver = 0
  for (let r = 0; r < design.rows; r++) {
    rowsOver += labels[r]!
    const counts = labels[r] === 1 ? over : under
    for (let e = design.starts[r]!; e < design.starts[r + 1]!; e++) counts[design.columnOf[e]!]! += 1
  }
  const rowsUnder = design.rows - rowsOver
  const share = rowsUnder / Math.max(1, rowsOver)
  return over.map((count, j) => {
    const often = (count + contrastRows) / (rowsOver + contrastRows)
    const elsewhere = (under[j]! + contrastRows * share) / (rowsUnder + contrastRows * share)
    return clamp(Math.abs(Math.log(often / elsewhere)) / usualContrast, 0.15, 2)
  })
}

/** Price levels by area, each shrunk toward the whole market with a weight of 20 listings. */
export const areaLevels = (rows: readonly BiddingRow[]) => {
  const priced = rows.filter((row) => row.facts.listPriceUsd)
  const levelOf = (some: readonly BiddingRow[]): AreaLevel => ({
    logPrice: medianOf(some.map((row) => Math.log(row.facts.listPriceUsd!))),
    logPricePerSqft: medianOf(
      some.flatMap((row) => (row.facts.livingSqft ? [Math.log(row.facts.listPriceUsd! / row.facts.livingSqft)] : [])),
    ),
  })
  const everywhere = levelOf(priced)
  const byArea = Map.groupBy(priced, (row) => row.facts.area)
  const levels = new Map<string, AreaLevel>()
  for (const [area, some] of byArea) {
    const areaLevel = levelOf(some)
    const mix = (a: number, b: number) => (Number.isFinite(a) ? (some.length * a + 20 * b) / (some.length + 20) : b)
    levels.set(area, {
      logPrice: mix(areaLevel.logPrice, everywhere.logPrice),
      logPricePerSqft: mix(areaLevel.logPricePerSqft, everywhere.logPricePerSqft),
    })
  }
  return { levels, everywhere }
}

const medianOf = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
