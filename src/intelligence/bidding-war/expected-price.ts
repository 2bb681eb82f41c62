// The price at which a listing probably closes: quantiles of sale over list price as a function of its bidding-war probability,
// learned from closed listings whose probability came from a fit that had not seen them.
import type { ExpectedPrice } from '../../domain/findings/proforma.ts'
import { clamp } from '../statistics/clamp.ts'
import { interpolated } from '../statistics/interpolate.ts'

/** Quantiles of the log of sale over list price at rising log-odds; between them the value is interpolated. */
export interface SaleToList {
  readonly logOdds: readonly number[]
  readonly p10: readonly number[]
  readonly p50: readonly number[]
  readonly p90: readonly number[]
}

const fewestClosings = 300
/** Closings behind each knot: enough for its 10th and 90th percentile. */
const closingsPerKnot = 150
const mostKnots = 12

export const fitSaleToList = (
  probabilities: ArrayLike<number>,
  closings: readonly { saleToList: number }[],
): SaleToList | undefined => {
  if (closings.length < fewestClosings) return undefined
  const sorted = closings
    .map(({ saleToList }, r) => ({ odds: logOddsOf(probabilities[r]!), ratio: Math.log(saleToList) }))
    .sort((a, b) => a.odds - b.odds)
  const knots = clamp(Math.floor(sorted.length / closingsPerKnot), 2, mostKnots)
  const groups = Array.from({ length: knots }, (_, k) =>
    sorted.slice(Math.floor((k * sorted.length) / knots), Math.floor(((k + 1) * sorted.length) / knots)),
  )
  const quantiles = (share: number) =>
    groups.map((group) =>
      rounded(
        quantile(
          group.map(({ ratio }) => ratio).sort((a, b) => a - b),
          share,
        ),
      ),
    )
  return {
    logOdds: groups.map((group) => rounded(group.reduce((sum, { odds }) => sum + odds, 0) / group.length)),
    p10: quantiles(0.1),
    p50: quantiles(0.5),
    p90: quantiles(0.9),
  }
}

/** Continuous in price and probability. */
export const expectedPrice = (model: SaleToList, listPriceUsd: number, probability: number): ExpectedPrice => {
  const odds = logOddsOf(probability)
  const at = (values: readonly number[]) =>
    Math.round(
      listPriceUsd *
        Math.exp(
          interpolated(
            model.logOdds.map((knot, k) => [knot, values[k]!]),
            odds,
          ),
        ),
    )
  return { p10: at(model.p10), p50: at(model.p50), p90: at(model.p90) }
}

const logOddsOf = (probability: number): number => {
  const p = clamp(probability, 1e-4, 1 - 1e-4)
  return Math.log(p / (1 - p))
}

const quantile = (sorted: readonly number[], share: number): number => {
  const at = (sorted.length - 1) * share
  const low = sorted[Math.floor(at)]!
  return low + (sorted[Math.ceil(at)]! - low) * (at - Math.floor(at))
}

const rounded = (value: number): number => Math.round(value * 1e5) / 1e5
