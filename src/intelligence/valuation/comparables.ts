// Chooses the comparable sales of a home as an appraiser would, by distance, city, date, size, age, lot, type and quality together,
// and adjusts their prices to the home. Needs no value model, only the market's price index and attribute prices, so that it runs when
// a home is read.

import type { Confidence } from '../../domain/facts.ts'
import type { GridSale } from '../../domain/findings/comps.ts'
import { type Hedonic, predictHedonic } from './hedonic.ts'
import { weightedMedian } from './quantiles.ts'
import { logLevel, type TimeIndex } from './time-index.ts'
import {
  attributeAt,
  attributeCount,
  dayOf,
  eastKmOf,
  type LocatedHome,
  northKmOf,
  projectionAround,
  type ValuationSale,
  writeAttributes,
} from './valuation-facts.ts'

/** The prices of time and attributes in a market. */
export interface PriceAdjustments {
  index: TimeIndex
  hedonic: Hedonic
}

export type ComparableCandidate = ValuationSale & LocatedHome

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

/** At most 12 sales before the day, the most similar first. At least three of the first six are alike, if three are known. */
export function comparablesOf(
  { index, hedonic }: PriceAdjustments,
  subject: LocatedHome,
  candidates: readonly ComparableCandidate[],
  on: string,
): GridSale[] {
  const day = dayOf(on)
  const projection = projectionAround(subject.lat, subject.lng)
  const own = attributesOf(subject, projection, day)
  const known = candidates
    .filter((sale) => dayOf(sale.soldOn) < day && (sale.livingSqft ?? 0) > 0 && !isSameHome(sale, subject))
    .map((sale) => {
      const km = Math.hypot(eastKmOf(sale, projection), northKmOf(sale, projection))
      const days = day - dayOf(sale.soldOn)
      const attributes = attributesOf(sale, projection, dayOf(sale.soldOn))
      return { sale, km, days, attributes, similarity: similarityOf(subject, sale, own, attributes, km, days) }
    })
    .sort((a, b) => b.similarity - a.similarity || (a.sale.saleId < b.sale.saleId ? -1 : 1))
  const shown = known.slice(0, firstShown)
  const isAlike = ({ sale, km, days }: (typeof known)[number]) =>
    km <= alike.km &&
    days <= alike.days &&
    Math.abs(sale.livingSqft! / subject.livingSqft! - 1) <= alike.size &&
    Math.abs((sale.yearBuilt ?? Number.NaN) - (subject.yearBuilt ?? Number.NaN)) <= alike.years
  const wanted = known.filter(isAlike).slice(0, alikeAmongFirst)
  const others = shown.filter((each) => !wanted.includes(each)).slice(0, firstShown - wanted.length)
  const first = [...wanted, ...others].sort((a, b) => b.similarity - a.similarity)
  const chosen = [...first, ...known.filter((each) => !first.includes(each))].slice(0, mostShown)
  const weights = cappedWeights(chosen.map(({ similarity }) => similarity ** 3))
  return chosen.map(({ sale, km, attributes, similarity }, k): GridSale => {
    const time = logLevel(index, day) - logLevel(index, dayOf(sale.soldOn))
    const timeAdjustedUsd = sale.priceUsd * Math.exp(time)
    const steps = adjustmentSteps(hedonic, attributes, own)
    let reached = timeAdjustedUsd
    const dollars = Object.fromEntries(
      Object.entries(steps).map(([name, log]) => {
        const before = reached
        reached *= Math.exp(log)
        return [name, reached - before]
      }),
    ) as Record<keyof typeof steps, number>
    return {
      saleId: sale.saleId,
      soldOn: sale.soldOn,
      priceUsd: sale.priceUsd,
      distanceKm: km,
      similarity: 100 * similarity,
      timeAdjustedUsd,
      adjustments: { time: timeAdjustedUsd - sale.priceUsd, ...dollars },
      attributeAdjustmentUsd: reached - timeAdjustedUsd,
      adjustedUsd: reached,
      weight: weights[k]!,
    }
  })
}

/** What the comparables say: the weighted median of their adjusted prices. Undefined with fewer than three. */
export const comparablesValue = (sales: readonly Pick<GridSale, 'adjustedUsd' | 'weight'>[]): number | undefined =>
  sales.length < 3
    ? undefined
    : weightedMedian(
        sales.map(({ adjustedUsd }) => adjustedUsd),
        sales.map(({ weight }) => weight),
      )

/** Confidence in a value next to its comparables: at most medium where they point outside its range. */
export const confidenceBeside = (
  confidence: Confidence | undefined,
  value: { low: number; high: number },
  ofSales: number | undefined,
): Confidence | undefined =>
  confidence === 'high' && ofSales !== undefined && (ofSales < value.low || ofSales > value.high)
    ? 'medium'
    : confidence

const isSameHome = (sale: ComparableCandidate, subject: LocatedHome): boolean =>
  sale.propertyId !== undefined && sale.propertyId === subject.propertyId

const attributesOf = (home: LocatedHome, projection: Parameters<typeof writeAttributes>[3], day: number) => {
  const attributes = new Float32Array(attributeCount)
  writeAttributes(attributes, 0, home, projection, day)
  return attributes
}

/** 1 for the same home today, decreasing with every difference. An unknown difference counts as one scale. */
function similarityOf(
  subject: LocatedHome,
  sale: ComparableCandidate,
  own: Float32Array,
  other: Float32Array,
  km: number,
  days: number,
): number {
  const off = (name: keyof typeof attributeAt, scale: number): number => {
    const u = (other[attributeAt[name]]! - own[attributeAt[name]]!) / scale
    return Number.isNaN(u) ? 1 : u * u
  }
  // Neither the home nor the sales have a grade in most markets; then it says nothing.
  const ifKnown = (name: 'quality' | 'condition', scale: number) =>
    subject[name] === undefined || sale[name] === undefined ? 0 : off(name, scale)
  const type =
    subject.propertyType && sale.propertyType && subject.propertyType !== sale.propertyType ? otherType ** 2 : 0
  const city = subject.city && sale.city && subject.city !== sale.city ? otherCity ** 2 : 0
  const difference =
    (km / scales.km) ** 2 +
    (days / scales.days) ** 2 +
    off('logLivingSqft', scales.logSize) +
    off('effectiveYear', scales.years) +
    off('logLotSqft', scales.logLot) +
    ifKnown('quality', scales.quality) +
    ifKnown('condition', scales.condition) +
    type +
    city
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

/** An adjustment larger than this means that the sale is not comparable in this respect; it is not adjusted further. */
const mostAdjusted = Math.log(1.5)

/** Log price of each group of differences, changed one after the other from the sale to the subject. Unknown facts change nothing. */
function adjustmentSteps(hedonic: Hedonic, from: Float32Array, to: Float32Array): Record<keyof typeof groups, number> {
  const present = from.slice()
  const priceOf = () => predictHedonic(hedonic, present, 0) + present[attributeAt.logLivingSqft]!
  const steps = {} as Record<keyof typeof groups, number>
  for (const [group, names] of Object.entries(groups) as [
    keyof typeof groups,
    readonly (keyof typeof attributeAt)[],
  ][]) {
    const before = priceOf()
    for (const name of names) {
      const at = attributeAt[name]
      if (!Number.isNaN(to[at]!) && !Number.isNaN(present[at]!)) present[at] = to[at]!
    }
    steps[group] = Math.max(-mostAdjusted, Math.min(mostAdjusted, priceOf() - before))
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

/** What comparables need of a fitted model, as plain JSON. */
export const priceAdjustments = ({ index, hedonic }: PriceAdjustments): object => ({
  index: { ...index, market: [...index.market] },
  hedonic: {
    ...hedonic,
    mean: [...hedonic.mean],
    scale: [...hedonic.scale],
    coefficient: [...hedonic.coefficient],
  },
})
