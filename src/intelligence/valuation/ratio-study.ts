// Compares values with sale prices in the measures that assessors use (IAAO Standard on Ratio Studies, 2013).

import type { AccuracyMeasures } from '../../domain/findings/coverage-and-accuracy.ts'
import { mean } from '../statistics/average.ts'
import { medianOf, quantileOf } from './quantiles.ts'

export interface ValuedSale {
  valueUsd: number
  priceUsd: number
}

/** Each figure as served with the accuracy of the value. */
export type RatioStudy = Required<
  Pick<AccuracyMeasures, 'n' | 'mdape' | 'within10' | 'within20' | 'medianRatio' | 'cod' | 'prd' | 'prb'>
>

export function studyRatios(sales: readonly ValuedSale[]): RatioStudy | undefined {
  const used = sales.filter((sale) => sale.priceUsd > 0 && Number.isFinite(sale.valueUsd) && sale.valueUsd > 0)
  if (used.length === 0) return undefined
  const n = used.length
  const ratios = used.map((sale) => sale.valueUsd / sale.priceUsd)
  const errors = ratios.map((ratio) => Math.abs(ratio - 1))
  const share = (limit: number) => (100 * errors.filter((error) => error <= limit).length) / n
  const medianRatio = medianOf(ratios)
  const sumValue = used.reduce((sum, sale) => sum + sale.valueUsd, 0)
  const sumPrice = used.reduce((sum, sale) => sum + sale.priceUsd, 0)
  return {
    n,
    mdape: 100 * medianOf(errors),
    within10: share(0.1),
    within20: share(0.2),
    medianRatio,
    cod: (100 * mean(ratios.map((ratio) => Math.abs(ratio - medianRatio)))) / medianRatio,
    prd: mean(ratios) / (sumValue / sumPrice),
    prb: priceRelatedBias(used, ratios, medianRatio),
  }
}

/** Without ratios beyond three interquartile ranges of the middle half, in logs, as the IAAO standard trims. */
export function withoutOutliers<Sale extends ValuedSale>(sales: readonly Sale[]): Sale[] {
  const logRatio = sales.map(({ valueUsd, priceUsd }) => Math.log(valueUsd / priceUsd))
  const [low, high] = [quantileOf(logRatio, 0.25), quantileOf(logRatio, 0.75)]
  const reach = 3 * (high - low)
  return sales.filter((_, k) => logRatio[k]! >= low - reach && logRatio[k]! <= high + reach)
}

/** The slope of (r - med)/med on log2((AV/med + SP)/2). */
function priceRelatedBias(sales: readonly ValuedSale[], ratios: readonly number[], medianRatio: number): number {
  const x = sales.map((sale) => Math.log2((sale.valueUsd / medianRatio + sale.priceUsd) / 2))
  const y = ratios.map((ratio) => (ratio - medianRatio) / medianRatio)
  const meanX = mean(x)
  const meanY = mean(y)
  let xx = 0
  let xy = 0
  for (let i = 0; i < x.length; i++) {
    xx += (x[i]! - meanX) ** 2
    xy += (x[i]! - meanX) * (y[i]! - meanY)
  }
  return xx > 0 ? xy / xx : 0
}
