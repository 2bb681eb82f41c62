// What held-out values teach about the last steps: how far
// dear and cheap homes are drawn to the middle, and how wide the range must be.

import { chooseComps } from './comparables.ts'
import { errorFeatureCount, fitErrorModel, writeErrorFeatures } from './error-size.ts'
import { featureCount } from './home-features.ts'
import type { Calibration, MarketModel } from './market-model.ts'
import { findNearest, makeNearest } from './nearest-sales.ts'
import { medianOf, quantileOf, weightedMedian } from './quantiles.ts'
import { studyRatios } from './ratio-study.ts'
import { attributeCount } from './valuation-facts.ts'

/** Where sales are few this much leaves some bias: more would cost more in error than it mends. */
const maxStretch = 0.08
/** The most recent sales are the ones most like those to come. */
const maxSales = 6_000

/** `features`: those of every sale, as the value model saw them. */
export function calibrate(model: MarketModel, features: Float32Array): Calibration {
  const { sales, unexplained } = model
  const from = Math.max(0, sales.count - maxSales)
  const ids = Array.from({ length: sales.count - from }, (_, i) => from + i)
  const near = makeNearest(model.settings.neighbors)
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
  const center = medianOf(logValue)
  const stretch = fairStretch(logValue, logPrice, center)
  const stretched = logValue.map((v) => v + stretch * (v - center))
  const shift = medianOf(stretched.map((v, k) => logPrice[k]! - v))
  const final = stretched.map((v) => v + shift)
  const absoluteError = Float64Array.from(final, (v, k) => Math.abs(logPrice[k]! - v))
  const rows = new Float32Array(ids.length * errorFeatureCount)
  ids.forEach((id, k) => {
    writeErrorFeatures(rows, k * errorFeatureCount, features, id * featureCount, final[k]!, comps[k]!.error)
  })
  const errors = fitErrorModel({ rows, absoluteError }, medianOf(absoluteError))
  const expected = errors?.heldOut ?? comps.map(({ error }) => error)
  // Each side by itself: prices fall below a value farther than they rise above it.
  const tail = (1 - model.settings.rangeShare) / 2
  const scaled = final.map((v, k) => (logPrice[k]! - v) / expected[k]!)
  const range = { below: -quantileOf(scaled, tail), above: quantileOf(scaled, 1 - tail) }
  const study = studyRatios(final.map((v, k) => ({ valueUsd: Math.exp(v), priceUsd: Math.exp(logPrice[k]!) })))
  return {
    stretch,
    center,
    shift,
    usualError,
    errorModel: errors?.model,
    medianError: medianOf(absoluteError),
    range,
    study,
  }
}

/** A home's expected error: how unexplained its comparables' prices are, drawn to the market's as eight sales would. */
export function expectedError(unexplained: readonly number[], weights: readonly number[], usualError: number): number {
  const effective = 1 / weights.reduce((sum, w) => sum + w * w, 1e-9)
  const local = unexplained.reduce((sum, u, i) => sum + weights[i]! * Math.min(Math.abs(u), 5 * usualError), 0)
  // The mean absolute error of a bell curve is 1.18 times its median.
  return (local * effective + 1.18 * usualError * 8) / (effective + 8)
}

/**
 * The least stretch that brings price-related bias and differential inside what assessors allow (±0.05, 0.98-1.03) with a
 * little to spare. Every step of it costs accuracy, and a few implausible deeds would drive it to its maximum, so it is chosen
 * without the extreme ratios, as the IAAO standard trims them: beyond three interquartile ranges.
 */
function fairStretch(logValue: readonly number[], logPrice: readonly number[], center: number): number {
  const logRatio = logValue.map((v, k) => v - logPrice[k]!)
  const [low, high] = [quantileOf(logRatio, 0.25), quantileOf(logRatio, 0.75)]
  const reach = 3 * (high - low)
  const kept = logValue.map((_, k) => k).filter((k) => logRatio[k]! >= low - reach && logRatio[k]! <= high + reach)
  for (let stretch = 0; stretch <= maxStretch; stretch += 0.005) {
    const study = studyRatios(
      kept.map((k) => ({
        valueUsd: Math.exp(logValue[k]! + stretch * (logValue[k]! - center)),
        priceUsd: Math.exp(logPrice[k]!),
      })),
    )
    if (!study || (study.prb >= -0.04 && study.prd <= 1.025)) return stretch
  }
  return maxStretch
}
