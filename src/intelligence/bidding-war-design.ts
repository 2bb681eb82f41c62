// Turns closed listings into the rows of the bidding-war regression.

import { type AreaLevel, type BiddingFacts, biddingFeatures, priceEndings } from './bidding-war-features.ts'
import type { SparseRow, Standard } from './design.ts'
import { isPermittedWord } from './permitted-inputs.ts'

export interface BiddingRow {
  readonly facts: BiddingFacts
  /** Closed at least 1 % over the last list price. */
  readonly over: boolean
}

export const biddingPenalties = {
  numbers: { value: 3, reason: 'some dozens of columns; barely shrunk' },
  areas: { value: 3, reason: 'an area of ten closings keeps about half of what it shows' },
  endings: { value: 3, reason: 'as areas' },
} as const

export const scaled = (value: number, { mean, deviation }: Standard): number =>
  Math.min(4, Math.max(-4, (value - mean) / deviation))

type Group = keyof typeof biddingPenalties | 'words'

/** Columns by name, made as they are first met. */
export interface Columns {
  readonly at: ReadonlyMap<string, number>
  readonly names: readonly string[]
  readonly groups: readonly Group[]
  readonly centres: readonly number[]
  readonly add: (name: string, group: Group, centre?: number) => number
}

export const newColumns = (): Columns => {
  const at = new Map<string, number>()
  const names: string[] = []
  const groups: Group[] = []
  const centres: number[] = []
  const add = (name: string, group: Group, centre = 0): number => {
    const known = at.get(name)
    if (known !== undefined) return known
    at.set(name, names.length)
    names.push(name)
    groups.push(group)
    centres.push(centre)
    return names.length - 1
  }
  return { at, names, groups, centres, add }
}

export const sparseRow = (
  facts: BiddingFacts,
  values: readonly (number | undefined)[],
  standards: readonly Standard[],
  common: ReadonlySet<string>,
  columns: Columns,
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
    const z = scaled(value, standards[j]!)
    put(columns.add(`n:${item.name}`, 'numbers'), z)
    if (item.squared) put(columns.add(`s:${item.name}`, 'numbers'), z * z - 1)
  })
  put(columns.add(`a:${facts.area}`, 'areas'), 1)
  if (facts.listPriceUsd)
    for (const ending of priceEndings(facts.listPriceUsd)) put(columns.add(`e:${ending.name}`, 'endings'), ending.value)
  for (const word of new Set(facts.words)) if (common.has(word)) put(columns.add(`w:${word}`, 'words'), 1)
  return { columns: at, values: entries }
}

/** Words in enough rows to learn from, and never one about people. */
export const commonWords = (rows: readonly BiddingRow[], least: number): Set<string> => {
  const counts = new Map<string, number>()
  for (const row of rows) for (const word of new Set(row.facts.words)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return new Set([...counts].filter(([word, count]) => count >= least && isPermittedWord(word)).map(([word]) => word))
}

/** Twenty listings' worth of the whole is mixed into each area. */
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
    const own = levelOf(some)
    const mix = (a: number, b: number) => (Number.isFinite(a) ? (some.length * a + 20 * b) / (some.length + 20) : b)
    levels.set(area, {
      logPrice: mix(own.logPrice, everywhere.logPrice),
      logPricePerSqft: mix(own.logPricePerSqft, everywhere.logPricePerSqft),
    })
  }
  return { levels, everywhere }
}

const medianOf = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
