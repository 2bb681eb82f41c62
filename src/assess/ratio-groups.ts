// The ratio study as assessors file it: all sales and groups of them, trimmed and untrimmed, each figure with its 90% limits.

import type { RatioGroup, RatioLimits } from '../domain/findings/coverage-and-accuracy.ts'
import { mean } from '../intelligence/statistics/average.ts'
import { studyRatios, type ValuedSale, withoutOutliers } from '../intelligence/valuation/ratio-study.ts'
import type { ValuationSale } from '../intelligence/valuation/valuation-facts.ts'

export type StudiedSale = ValuedSale & { readonly sale: ValuationSale & { city?: string } }

/** In a smaller group the limits say nothing. */
const smallestGroup = 30
/** 90% of a normal distribution is within this many standard errors. */
const deviations = 1.645

const areaOf = ({ lat, lng }: ValuationSale): string | undefined =>
  lat === undefined || lng === undefined ? undefined : `${lat.toFixed(1)}, ${lng.toFixed(1)}`

const ageLimits = [10, 25, 40, 60, 80]
const ageBand = ({ yearBuilt, soldOn }: ValuationSale): string | undefined => {
  if (yearBuilt === undefined) return undefined
  const age = Number(soldOn.slice(0, 4)) - yearBuilt
  const above = ageLimits.filter((limit) => age >= limit).length
  if (above === 0) return `under ${ageLimits[0]} years`
  const [from, to] = [ageLimits[above - 1], ageLimits[above]]
  return to === undefined ? `${from} years or more` : `${from} to ${to} years`
}

const tenths = (values: readonly number[]): string[] => {
  const sorted = [...values].sort((a, b) => a - b)
  const limits = Array.from({ length: 9 }, (_, k) => sorted[Math.floor(((k + 1) * sorted.length) / 10)]!)
  return values.map((value) => `tenth ${1 + limits.filter((limit) => value >= limit).length}`)
}

export const ratioGroups = (sales: readonly StudiedSale[]): RatioGroup[] => {
  const byValue = tenths(sales.map(({ valueUsd }) => valueUsd))
  const keys = {
    area: ({ sale }: StudiedSale) => sale.city ?? areaOf(sale),
    age: ({ sale }: StudiedSale) => ageBand(sale),
    type: ({ sale }: StudiedSale) => sale.propertyType,
    value: (_: StudiedSale, at: number) => byValue[at],
  }
  return Object.entries(keys).flatMap(([by, keyOf]) =>
    [...Map.groupBy(sales.entries(), ([at, sale]) => keyOf(sale, at))]
      .flatMap(([group, part]): RatioGroup[] => {
        const figures = figuresOf(part.map(([, sale]) => sale))
        return group === undefined || !figures ? [] : [{ by: by as RatioGroup['by'], group, ...figures }]
      })
      .sort((a, b) => a.group.localeCompare(b.group, 'en', { numeric: true })),
  )
}

/** Untrimmed, with `trimmed` beside it. Undefined with too few sales. */
export const figuresOf = (sales: readonly ValuedSale[]) => {
  const all = limited(sales)
  const trimmed = limited(withoutOutliers(sales))
  return all && trimmed && { ...all, trimmed }
}

const limited = (sales: readonly ValuedSale[]) => {
  const study = sales.length < smallestGroup ? undefined : studyRatios(sales)
  if (!study) return undefined
  const { n, mdape, medianRatio, cod, prd, prb } = study
  return { n, mdape, medianRatio, cod, prd, prb, limits: limitsOf(sales, study) }
}

/** Of the median by order statistics; of the others by the spread of what each sale adds to them (the delta method). */
const limitsOf = (
  sales: readonly ValuedSale[],
  { medianRatio, cod, prd, prb }: NonNullable<ReturnType<typeof studyRatios>>,
): RatioLimits => {
  const n = sales.length
  const ratios = sales.map(({ valueUsd, priceUsd }) => valueUsd / priceUsd)
  const sorted = Float64Array.from(ratios).sort()
  const off = (deviations * Math.sqrt(n)) / 2
  const ranked = (at: number) => sorted[Math.min(n - 1, Math.max(0, Math.round(at)))]!
  /** `addedBy`: what a sale adds to the figure. */
  const around = (figure: number, addedBy: (k: number) => number) => {
    const added = ratios.map((_, k) => addedBy(k))
    const middle = mean(added)
    const error = Math.sqrt(mean(added.map((each) => (each - middle) ** 2)) / n)
    return { low: figure - deviations * error, high: figure + deviations * error }
  }
  const meanRatio = mean(ratios)
  const meanPrice = mean(sales.map(({ priceUsd }) => priceUsd))
  const weighted = mean(sales.map(({ valueUsd }) => valueUsd)) / meanPrice
  const x = sales.map(({ valueUsd, priceUsd }) => Math.log2((valueUsd / medianRatio + priceUsd) / 2))
  const y = ratios.map((ratio) => (ratio - medianRatio) / medianRatio)
  const [meanX, meanY] = [mean(x), mean(y)]
  const spread = mean(x.map((each) => (each - meanX) ** 2))
  return {
    medianRatio: { low: ranked((n - 1) / 2 - off), high: ranked((n - 1) / 2 + off) },
    cod: around(cod, (k) => (100 * Math.abs(ratios[k]! - medianRatio)) / medianRatio),
    prd: around(prd, (k) => {
      const { valueUsd, priceUsd } = sales[k]!
      return ratios[k]! / weighted - (meanRatio * (valueUsd - weighted * priceUsd)) / (weighted ** 2 * meanPrice)
    }),
    prb: around(prb, (k) => ((x[k]! - meanX) * (y[k]! - meanY - prb * (x[k]! - meanX))) / (spread || 1)),
  }
}
