// Calibrates the value model on held-out values: corrects the regression of expensive and inexpensive homes toward the
// mean, and sets the width of the range.

import { chooseComps } from './comparables.ts'
import { errorFeatureCount, fitErrorModel, writeErrorFeatures } from './error-size.ts'
import { featureCount } from './home-features.ts'
import type { Calibration, MarketModel } from './market-model.ts'
import { findNearest, makeNearest } from './nearest-sales.ts'
import { medianOf, quantileOf, weightedMedian } from './quantiles.ts'
import { studyRatios } from './ratio-study.ts'
import { attributeCount } from './valuation-facts.ts'
import { fitRange } from './value-range.ts'

/** A larger stretch would add more error than it removes bias in a market with few sales. */
const maxStretch = 0.08
/** Uses the most recent sales, which resemble future ones most. */
const maxSales = 6_000

/** `features` are the value model's inputs for every sale. */
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
  const range = fitRange({ logValue: final, logPrice, expectedError: expected }, model.settings.rangeShare)
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

/** A home's expected error: the mean unexplained part of its comparables, shrunk toward the market's with a weight of 8 sales. */
export function expectedError(unexplained: readonly number[], weights: readonly number[], usualError: number): number {
  const effective = 1 / weights.reduce((sum, w) => sum + w * w, 1e-9)
  const local = unexplained.reduce((sum, u, i) => sum + weights[i]! * Math.min(Math.abs(u), 5 * usualError), 0)
  // In a normal distribution the mean absolute error is 1.18 times the median.
  return (local * effective + 1.18 * usualError * 8) / (effective + 8)
}

/**
 * The smallest stretch that brings price-related bias and differential inside the limits for assessors (±0.05, 0.98-1.03)
 * with a margin. Each step costs accuracy, and a few implausible deeds would drive it to the maximum, so ratios beyond three
 * interquartile ranges are trimmed, as in the IAAO standard.
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
