// Chooses the comparable sales of a home as an appraiser would, by distance, city, date, size, age, lot, type and quality together,
// and adjusts their prices to the home.

import type { GridSale } from '../../domain/findings/comps.ts'
import { type Hedonic, predictHedonic } from './hedonic.ts'
import type { MarketModel } from './market-model.ts'
import { findNearest, makeNearest } from './nearest-sales.ts'
import { weightedMedian } from './quantiles.ts'
import { unknownType } from './sale-columns.ts'
import { logLevel } from './time-index.ts'
import { attributeAt, attributeCount } from './valuation-facts.ts'

/** A home or a sale as the search sees it: its attributes from `at` on, its type and city. */
interface Described {
  attributes: Float32Array
  at: number
  type?: number
  city?: number
}

/** A sale that could be compared: `days` before the day of the value, `km` away. */
interface Candidate extends Described {
  saleId: string
  priceUsd: number
  /** Log level of the market on the day of the value, less that on the day of the sale. */
  timeLog: number
  days: number
  km: number
}

/** How far a sale may differ in each respect before its similarity falls to 0.6; a difference of twice as much gives 0.14. */
const scales = { km: 0.8, days: 180, logSize: 0.16, years: 10, logLot: 0.5, quality: 12, condition: 25 }
const otherType = 3
/** Across a city limit schools, taxes and prices can change within a street. */
const otherCity = 3

/** Sales that Fannie Mae's reviewers accept without comment: near, recent, of like size and age. */
const alike = { km: 1.609344, days: 365, size: 0.25, years: 15 }
const mostShown = 12
const firstShown = 6
const alikeAmongFirst = 3
const mostWeight = 0.4

/** The first that has `mostShown` sales: near and recent ones, otherwise farther and older ones. */
const comparableSearches = [
  { km: 1.7, years: 1 },
  { km: 5, years: 2 },
  { km: 20, years: 3 },
] as const

/** Of the sales that a model was fitted on. `home` is the subject's number among them; its own sales are not compared. */
export function comparablesIn(
  { sales, places, index, hedonic }: Pick<MarketModel, 'sales' | 'places' | 'index' | 'hedonic'>,
  { home, ...described }: { attributes: Float32Array; at: number; type?: number; city?: number; home?: number },
  day: number,
): AdjustedSale[] {
  const known = (code = -1) => (code < 0 || code === unknownType ? undefined : code)
  const subject: Described = { ...described, type: known(described.type), city: known(described.city) }
  const near = makeNearest(mostRead)
  const east = subject.attributes[subject.at + attributeAt.eastKm]!
  const north = subject.attributes[subject.at + attributeAt.northKm]!
  const level = logLevel(index, day)
  for (const { km, years } of comparableSearches) {
    const since = day - 365 * years
    findNearest(
      places.all,
      east,
      north,
      near,
      (id) => sales.day[id]! >= day || sales.day[id]! < since || sales.home[id] === home,
      km,
    )
    let count = 0
    while (count < near.count && near.distanceKm[count]! <= km) count++
    if (count < mostShown && km !== comparableSearches.at(-1)!.km) continue
    const candidates = Array.from({ length: count }, (_, k): Candidate => {
      const id = near.ids[k]!
      return {
        attributes: sales.attributes,
        at: id * attributeCount,
        type: known(sales.type[id]),
        city: known(sales.city[id]),
        saleId: sales.saleId[id]!,
        priceUsd: sales.priceUsd[id]!,
        timeLog: level - logLevel(index, sales.day[id]!),
        days: day - sales.day[id]!,
        km: near.distanceKm[k]!,
      }
    })
    return adjusted(hedonic, subject, chooseComparables(subject, candidates))
  }
  return []
}
/** The nearest of each search; farther ones are never among the most similar where sales are dense. */
const mostRead = 200

type Chosen = Candidate & { similarity: number; alike: boolean }

/** At most 12 sales, the most similar first. At least three of the first six are alike, if three are known. */
function chooseComparables(subject: Described, candidates: readonly Candidate[]): Chosen[] {
  const known = candidates
    .map(
      (sale): Chosen => Object.assign(sale, { similarity: similarityOf(subject, sale), alike: isAlike(subject, sale) }),
    )
    .sort((a, b) => b.similarity - a.similarity || (a.saleId < b.saleId ? -1 : 1))
  const wanted = known.filter(({ alike }) => alike).slice(0, alikeAmongFirst)
  const others = known.slice(0, firstShown).filter((each) => !wanted.includes(each))
  const first = [...wanted, ...others.slice(0, firstShown - wanted.length)].sort((a, b) => b.similarity - a.similarity)
  return [...first, ...known.filter((each) => !first.includes(each))].slice(0, mostShown)
}

const isAlike = (subject: Described, sale: Candidate): boolean =>
  sale.km <= alike.km &&
  sale.days <= alike.days &&
  Math.abs(Math.expm1(differenceIn('logLivingSqft', subject, sale))) <= alike.size &&
  Math.abs(differenceIn('yearBuilt', subject, sale)) <= alike.years

const differenceIn = (name: keyof typeof attributeAt, subject: Described, sale: Described): number =>
  sale.attributes[sale.at + attributeAt[name]]! - subject.attributes[subject.at + attributeAt[name]]!

export type AdjustedSale = Omit<GridSale, 'soldOn'> & Pick<Chosen, 'alike' | 'days'>

function adjusted(hedonic: Hedonic, subject: Described, chosen: readonly Chosen[]): AdjustedSale[] {
  const weights = cappedWeights(chosen.map(({ similarity }) => similarity ** 3))
  return chosen.map(({ saleId, priceUsd, timeLog, km, days, alike, similarity, attributes, at }, k) => {
    const timeAdjustedUsd = priceUsd * Math.exp(timeLog)
    const steps = adjustmentSteps(
      hedonic,
      attributes.slice(at, at + attributeCount),
      subject.attributes.subarray(subject.at, subject.at + attributeCount),
    )
    let reached = timeAdjustedUsd
    const dollars = Object.fromEntries(
      Object.entries(steps).map(([name, log]) => {
        const before = reached
        reached *= Math.exp(log)
        return [name, reached - before]
      }),
    ) as Record<keyof typeof steps, number>
    return {
      saleId,
      priceUsd,
      distanceKm: km,
      days,
      alike,
      similarity: 100 * similarity,
      timeAdjustedUsd,
      adjustments: { time: timeAdjustedUsd - priceUsd, ...dollars },
      attributeAdjustmentUsd: reached - timeAdjustedUsd,
      adjustedUsd: reached,
      weight: weights[k]!,
    }
  })
}

/** What the comparables say: the weighted median of their adjusted prices. Undefined with fewer than three. */
export const comparablesValue = (sales: readonly Pick<GridSale, 'adjustedUsd' | 'weight'>[]): number | undefined =>
  sales.length < 3 ? undefined : weightedMedian(sales, ({ adjustedUsd }) => adjustedUsd)

/** 1 for the same home today, decreasing with every difference. An unknown difference counts as one scale. */
function similarityOf(subject: Described, sale: Candidate): number {
  const off = (name: keyof typeof attributeAt, scale: number, ifUnknown = 1): number => {
    const u = differenceIn(name, subject, sale) / scale
    return Number.isNaN(u) ? ifUnknown : u * u
  }
  const differs = (a: Described['type'], b: Described['type']) => a !== undefined && b !== undefined && a !== b
  const difference =
    (sale.km / scales.km) ** 2 +
    (sale.days / scales.days) ** 2 +
    off('logLivingSqft', scales.logSize) +
    off('effectiveYear', scales.years) +
    off('logLotSqft', scales.logLot) +
    // Neither the home nor the sales have a grade in most markets; then it says nothing.
    off('quality', scales.quality, 0) +
    off('condition', scales.condition, 0) +
    (differs(subject.type, sale.type) ? otherType ** 2 : 0) +
    (differs(subject.city, sale.city) ? otherCity ** 2 : 0)
  return Math.exp(-0.5 * Math.sqrt(difference))
}

const groups = {
  size: ['logLivingSqft', 'beds', 'baths', 'stories'],
  lot: ['logLotSqft'],
  age: ['ageYears', 'effectiveYear'],
  quality: ['quality', 'view', 'waterfront'],
  condition: ['condition'],
  type: ['condo', 'townhouse', 'multiFamily'],
} as const satisfies Record<string, readonly (keyof typeof attributeAt)[]>
const groupList = Object.entries(groups) as [keyof typeof groups, readonly (keyof typeof attributeAt)[]][]

/** An adjustment larger than this means that the sale is not comparable in this respect; it is not adjusted further. */
const mostAdjusted = Math.log(1.5)

/** Log price of each group of differences, changed one after the other from the sale to the subject. Unknown facts change nothing. */
function adjustmentSteps(hedonic: Hedonic, from: Float32Array, to: Float32Array): Record<keyof typeof groups, number> {
  const present = from.slice()
  const priceOf = () => predictHedonic(hedonic, present, 0) + present[attributeAt.logLivingSqft]!
  const steps = {} as Record<keyof typeof groups, number>
  let before = priceOf()
  for (const [group, names] of groupList) {
    let isChanged = false
    for (const name of names) {
      const at = attributeAt[name]
      if (Number.isNaN(to[at]!) || Number.isNaN(present[at]!) || present[at] === to[at]) continue
      present[at] = to[at]!
      isChanged = true
    }
    const after = isChanged ? priceOf() : before
    steps[group] = Math.max(-mostAdjusted, Math.min(mostAdjusted, after - before))
    before = after
  }
  return steps
}

/** Weights in these proportions that add up to 1, none above 40%; equal weights where that is impossible. */
export function cappedWeights(raw: readonly number[]): number[] {
  if (raw.length * mostWeight <= 1) return raw.map(() => 1 / raw.length)
  const capped = new Set<number>()
  for (;;) {
    const rest = raw.reduce((sum, weight, k) => sum + (capped.has(k) ? 0 : weight), 0)
    const share = 1 - capped.size * mostWeight
    const over = raw.findIndex((weight, k) => !capped.has(k) && (weight / rest) * share > mostWeight + 1e-12)
    if (over < 0) return raw.map((weight, k) => (capped.has(k) ? mostWeight : (weight / rest) * share))
    capped.add(over)
  }
}
