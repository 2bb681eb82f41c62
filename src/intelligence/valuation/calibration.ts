// What held-out values teach about the last steps: how far
// dear and cheap homes are drawn to the middle, and how wide the range must be.

import { chooseComps } from './comparables.ts'
import type { Calibration, MarketModel } from './market-model.ts'
import { findNearest, makeNearest } from './nearest-sales.ts'
import { medianOf, quantileOf, weightedMedian } from './quantiles.ts'
import { studyRatios } from './ratio-study.ts'
import { attributeCount } from './valuation-facts.ts'

/** Where sales are few this much leaves some bias: more would cost more in error than it mends. */
const maxStretch = 0.08
/** The most recent sales are the ones most like those to come. */
const maxSales = 6_000

export function calibrate(model: MarketModel): Calibration {
  const { sales, unexplained } = model
  const from = Math.max(0, sales.count - maxSales)
  const ids = Array.from({ length: sales.count - from }, (_, i) => from + i)
  const near = makeNearest(model.settings.neighbours)
  const usualError = medianOf(unexplained.map(Math.abs))
  const comps = ids.map((id) => {
    const home = sales.home[id]!
    const place = model.places.byType.get(sales.type[id]!) ?? model.places.all
    findNearest(place, sales.east[id]!, sales.north[id]!, near, (other) => sales.home[other] === home)
    const chosen = chooseComps(
      model,
      {
        attributes: sales.attributes,
        offset: id * attributeCount,
        type: sales.type[id]!,
        city: sales.city[id]!,
        day: sales.day[id]!,
      },
      near,
      model.settings.compsShown,
    )
    return {
      left: weightedMedian(
        chosen.ids.map((c) => unexplained[c]!),
        chosen.weights,
      ),
      error: expectedError(
        chosen.ids.map((c) => unexplained[c]!),
        chosen.weights,
        usualError,
      ),
    }
  })
  const { carryOver } = model.settings
  const logPrice = ids.map((id) => Math.log(sales.priceUsd[id]!))
  const logValue = ids.map((id, k) => logPrice[k]! - unexplained[id]! + carryOver * comps[k]!.left)
  const centre = medianOf(logValue)
  const stretch = fairStretch(logValue, logPrice, centre)
  const stretched = logValue.map((v) => v + stretch * (v - centre))
  const shift = medianOf(stretched.map((v, k) => logPrice[k]! - v))
  const final = stretched.map((v) => v + shift)
  const rangeFactor = quantileOf(
    final.map((v, k) => Math.abs(logPrice[k]! - v) / comps[k]!.error),
    model.settings.rangeShare,
  )
  const study = studyRatios(final.map((v, k) => ({ valueUsd: Math.exp(v), priceUsd: Math.exp(logPrice[k]!) })))
  return { stretch, centre, shift, usualError, rangeFactor, study }
}

/** A home's expected error: how unexplained its comparables' prices are, drawn to the market's as eight sales would. */
export function expectedError(unexplained: readonly number[], weights: readonly number[], usualError: number): number {
  const effective = 1 / weights.reduce((sum, w) => sum + w * w, 1e-9)
  const local = unexplained.reduce((sum, u, i) => sum + weights[i]! * Math.min(Math.abs(u), 5 * usualError), 0)
  // The mean absolute error of a bell curve is 1.18 times its median.
  return (local * effective + 1.18 * usualError * 8) / (effective + 8)
}

/**
 * The least stretch that brings price-related bias and differential inside what assessors allow (±0.05, 0.98-1.03) with
 * a little to spare: fairness between dear and cheap homes, at the least cost in error.
 */
function fairStretch(logValue: readonly number[], logPrice: readonly number[], centre: number): number {
  for (let stretch = 0; stretch <= maxStretch; stretch += 0.005) {
    const study = studyRatios(
      logValue.map((v, k) => ({ valueUsd: Math.exp(v + stretch * (v - centre)), priceUsd: Math.exp(logPrice[k]!) })),
    )
    if (!study || (study.prb >= -0.04 && study.prd <= 1.027)) return stretch
  }
  return maxStretch
}
