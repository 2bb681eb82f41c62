// The price at which a listing probably closes: quantiles of sale over list price as a function of its bidding-war probability,
// learned from closed listings whose probability came from a fit that had not seen them.

import type { ExpectedPrice, PriceTension } from '../../domain/findings/proforma.ts'
import { percent, usd } from '../scores/number-format.ts'
import { mean } from '../statistics/average.ts'
import { clamp } from '../statistics/clamp.ts'
import { interpolated } from '../statistics/interpolate.ts'
import { logit } from '../statistics/logistic.ts'
import { quantileOf } from '../valuation/quantiles.ts'

/** Quantiles of the log of sale over list price at rising log-odds; between them the value is interpolated. */
export interface SaleToList {
  readonly logOdds: readonly number[]
  readonly p10: readonly number[]
  readonly p50: readonly number[]
  readonly p90: readonly number[]
  /** What the value estimate adds: log ratio per log of value over list price, beyond what the probability knows. */
  readonly byValue?: { readonly slope: number; readonly center: number }
}

const fewestClosings = 300
/** Closings behind each knot: enough for its 10th and 90th percentile. */
const closingsPerKnot = 150
const mostKnots = 12

export const fitSaleToList = (
  probabilities: ArrayLike<number>,
  closings: readonly { saleToList: number; facts?: { readonly valueUsd?: number; readonly listPriceUsd?: number } }[],
): SaleToList | undefined => {
  if (closings.length < fewestClosings) return undefined
  const rows = closings.map(({ saleToList, facts }, r) => ({
    odds: logOddsOf(probabilities[r]!),
    ratio: Math.log(saleToList),
    overList: overListOf(facts?.valueUsd, facts?.listPriceUsd),
  }))
  const plain = quantilesBy(rows)
  const byValue = fitByValue(
    rows.map((row) => ({ ...row, rest: row.ratio - interpolated(curveOf(plain.logOdds, plain.p50), row.odds) })),
  )
  if (!byValue) return plain
  return { ...quantilesBy(rows.map((row) => ({ ...row, ratio: row.ratio - addedBy(byValue, row.overList) }))), byValue }
}

/** Values and asking prices further apart are errors or unusual homes. */
const mostOverList = 0.25
const overListOf = (valueUsd: number | undefined, listPriceUsd: number | undefined): number | undefined =>
  valueUsd && listPriceUsd ? clamp(Math.log(valueUsd / listPriceUsd), -mostOverList, mostOverList) : undefined

const addedBy = (byValue: SaleToList['byValue'], overList: number | undefined): number =>
  byValue && overList !== undefined ? byValue.slope * (overList - byValue.center) : 0

/** Least squares; undefined where the slope is not three times its standard error. */
const fitByValue = (rows: readonly { overList: number | undefined; rest: number }[]): SaleToList['byValue'] => {
  const known = rows.flatMap(({ overList, rest }) =>
    overList === undefined ? [] : [{ x: overList, y: clamp(rest, -mostOverList, mostOverList) }],
  )
  if (known.length < fewestClosings) return undefined
  const [center, level] = [mean(known.map(({ x }) => x)), mean(known.map(({ y }) => y))]
  const spread = known.reduce((sum, { x }) => sum + (x - center) ** 2, 0)
  const slope = known.reduce((sum, { x, y }) => sum + (x - center) * (y - level), 0) / spread
  const noise = mean(known.map(({ x, y }) => (y - level - slope * (x - center)) ** 2))
  return slope >= 3 * Math.sqrt(noise / spread) ? { slope: rounded(slope), center: rounded(center) } : undefined
}

const curveOf = (x: readonly number[], y: readonly number[]) => x.map((at, k) => [at, y[k]!] as const)

const quantilesBy = (rows: readonly { odds: number; ratio: number }[]): SaleToList => {
  const sorted = [...rows].sort((a, b) => a.odds - b.odds)
  const knots = clamp(Math.floor(sorted.length / closingsPerKnot), 2, mostKnots)
  const groups = Array.from({ length: knots }, (_, k) =>
    sorted.slice(Math.floor((k * sorted.length) / knots), Math.floor(((k + 1) * sorted.length) / knots)),
  )
  const ratios = groups.map((group) => group.map(({ ratio }) => ratio))
  const quantiles = (share: number) => ratios.map((each) => rounded(quantileOf(each, share)))
  return {
    logOdds: groups.map((group) => rounded(group.reduce((sum, { odds }) => sum + odds, 0) / group.length)),
    p10: quantiles(0.1),
    p50: quantiles(0.5),
    p90: quantiles(0.9),
  }
}

/** Half of p10 to p90, in logs, up to which it is high and medium. */
const confidentHalves = { high: 0.08, medium: 0.16 }

/** Continuous in price, probability and value. */
export const expectedPrice = (
  model: SaleToList,
  listPriceUsd: number,
  probability: number,
  valueUsd?: number,
): ExpectedPrice => {
  const odds = logOddsOf(probability)
  const added = addedBy(model.byValue, overListOf(valueUsd, listPriceUsd))
  const at = (values: readonly number[]) =>
    Math.round(listPriceUsd * Math.exp(interpolated(curveOf(model.logOdds, values), odds) + added))
  const [p10, p50, p90] = [at(model.p10), at(model.p50), at(model.p90)]
  const half = Math.log(p90 / p10) / 2
  const { high, medium } = confidentHalves
  return { p10, p50, p90, confidence: half <= high ? 'high' : half <= medium ? 'medium' : 'low' }
}

/** What the asking price claims where the expected price leaves the range of the value; undefined where it does not. */
export const priceTension = (
  expected: ExpectedPrice | undefined,
  value: { valueUsd: number; lowUsd: number; highUsd: number } | undefined,
  listPriceUsd: number | undefined,
): PriceTension | undefined => {
  if (!expected || !value || !listPriceUsd) return undefined
  const isAbove = expected.p50 > value.highUsd
  if (!isAbove && expected.p50 >= value.lowUsd) return undefined
  const off = percent(Math.abs(listPriceUsd / value.valueUsd - 1))
  return {
    text: `The asking price of ${usd(listPriceUsd)} is ${off} ${listPriceUsd > value.valueUsd ? 'above' : 'below'} the estimated value, and the expected price is ${isAbove ? 'above' : 'below'} its range: ${isAbove ? 'the seller counts on something the known facts do not show, or asks too much' : 'the home has a fault the known facts do not show, or the price is set to draw bids'}.`,
  }
}

const logOddsOf = (probability: number): number => logit(clamp(probability, 1e-4, 1 - 1e-4))

const rounded = (value: number): number => Math.round(value * 1e5) / 1e5
