// Brings the value of the model and that of the comparable sales to one: the comparables count by as much as they have been nearer to
// past prices in such a situation, which is how many alike sales there are, how far away, and how much their adjusted prices scatter.

import { solveCholesky } from '../statistics/cholesky.ts'
import { clamp } from '../statistics/clamp.ts'
import { type AdjustedSale, comparablesValue } from './comparables.ts'

/** What the comparable sales of a home say, and what it rests on. */
export interface ComparableEvidence {
  logValue: number
  /** Weighted mean distance of the log adjusted prices from their median. */
  scatter: number
  alike: number
  /** Weighted mean distance to the home. */
  km: number
  /** Weighted mean change of the market since the sales, in logs. */
  timeLog: number
}

export const evidenceOf = (sales: readonly AdjustedSale[]): ComparableEvidence | undefined => {
  const value = comparablesValue(sales)
  if (value === undefined) return undefined
  const weighted = (of: (sale: AdjustedSale) => number) => sales.reduce((sum, sale) => sum + sale.weight * of(sale), 0)
  return {
    logValue: Math.log(value),
    scatter: weighted(({ adjustedUsd }) => Math.abs(Math.log(adjustedUsd / value))),
    alike: sales.filter(({ alike }) => alike).length,
    km: weighted(({ distanceKm }) => distanceKm),
    timeLog: weighted(({ timeAdjustedUsd, priceUsd }) => Math.log(timeAdjustedUsd / priceUsd)),
  }
}

/** Coefficients of the terms of a situation. */
export type CompsWeights = readonly number[]
export const noWeight: CompsWeights = [0, 0, 0, 0]

const termsOf = ({ scatter, alike, km }: ComparableEvidence): number[] => [1, scatter, alike / 12, Math.log1p(km)]

/** Beyond half, a home would be valued by a dozen sales against thousands. */
const mostWeight = 0.5
export const weightOfComps = (weights: CompsWeights, evidence: ComparableEvidence | undefined): number =>
  evidence
    ? clamp(
        termsOf(evidence).reduce((sum, term, k) => sum + term * weights[k]!, 0),
        0,
        mostWeight,
      )
    : 0

/** A larger difference is an unusual deed or an unlike sale; it counts as this much. */
const mostDifference = 0.2
const fewestRows = 200
/** Draws the effect of the situation toward none. */
const ridge = 0.002

/** Least squares of what the model missed on what the comparables add to it, by situation. */
export const fitCompsWeights = (
  rows: readonly { logPrice: number; model: number; comps: ComparableEvidence | undefined }[],
): CompsWeights => {
  const size = noWeight.length
  const gram = new Float64Array(size * size)
  const moment = new Float64Array(size)
  let count = 0
  for (const { logPrice, model, comps } of rows) {
    if (!comps) continue
    count++
    const apart = clamp(comps.logValue - model, -mostDifference, mostDifference)
    const missed = clamp(logPrice - model, -mostDifference, mostDifference)
    const x = termsOf(comps).map((term) => term * apart)
    for (let a = 0; a < size; a++) {
      moment[a]! += x[a]! * missed
      for (let b = 0; b <= a; b++) gram[a * size + b]! += x[a]! * x[b]!
    }
  }
  if (count < fewestRows) return noWeight
  const trace = noWeight.reduce((sum, _, a) => sum + gram[a * size + a]!, 0)
  for (let a = 1; a < size; a++) gram[a * size + a]! += ridge * trace
  return [...solveCholesky(gram, moment, size)]
}

/** The log value of both together. */
export const reconciled = (weights: CompsWeights, model: number, comps: ComparableEvidence | undefined): number =>
  comps ? model + weightOfComps(weights, comps) * (comps.logValue - model) : model
