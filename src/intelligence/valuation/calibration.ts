// Calibrates the value model on held-out values: the median, each home's expected error and the width of the range.

import { comparablesIn } from './comparables.ts'
import { errorFeatureCount, fitErrorModel, writeErrorFeatures } from './error-size.ts'
import { featureCount } from './home-features.ts'
import type { MarketModel } from './market-model.ts'
import { medianOf, quantileOf } from './quantiles.ts'
import { studyRatios, withoutOutliers } from './ratio-study.ts'
import { evidenceOf, fitCompsWeights, reconciled } from './reconcile.ts'
import { supportedError } from './support.ts'

/** Uses the most recent sales, which resemble future ones most. */
const maxSales = 6_000

/**
 * `heldOut` are held-out log prices per square foot for `features`, the inputs of every sale, of which some facts are left out
 * in a part of the rows. The range therefore knows what a missing fact costs.
 */
export function calibrate(model: Omit<MarketModel, 'calibration'>, features: Float32Array, heldOut: Float64Array) {
  const { sales, unexplained, support } = model
  const from = Math.max(0, sales.count - maxSales)
  const ids = Array.from({ length: sales.count - from }, (_, i) => from + i)
  const rows = ids.map((id) => {
    const logPrice = Math.log(sales.priceUsd[id]!)
    const subject = {
      attributes: features,
      at: id * featureCount,
      type: sales.type[id],
      city: sales.city[id],
      home: sales.home[id],
    }
    return {
      id,
      logPrice,
      // `unexplained` is known for complete facts; the difference of the two predictions gives it for the facts at hand.
      model: logPrice - unexplained[id]! + heldOut[id]! - model.heldOut[id]!,
      comps: evidenceOf(comparablesIn(model, subject, sales.day[id]!)),
    }
  })
  const compsWeights = fitCompsWeights(rows)
  const joint = rows.map(({ model, comps }) => reconciled(compsWeights, model, comps))
  const logPrice = rows.map((row) => row.logPrice)
  const center = medianOf(joint)
  const stretch = fairStretch(joint, logPrice, center)
  const stretched = (value: number) => value + stretch * (value - center)
  const shift = medianOf(joint.map((value, k) => logPrice[k]! - stretched(value)))
  const logValue = joint.map((value) => stretched(value) + shift)
  const error = logValue.map((value, k) => logPrice[k]! - value)
  const medianError = medianOf(error.map(Math.abs))
  const errorRows = new Float32Array(ids.length * errorFeatureCount)
  rows.forEach(({ id, comps }, k) => {
    writeErrorFeatures(errorRows, k * errorFeatureCount, features, id * featureCount, logValue[k]!, comps)
  })
  const errors = fitErrorModel({ rows: errorRows, absoluteError: Float64Array.from(error, Math.abs) }, medianError)
  const scaled = error.map(
    (each, k) => each / supportedError(support, features, errors?.heldOut[k] ?? medianError, ids[k]! * featureCount),
  )
  const heldOutUsd = new Float64Array(sales.count).fill(Number.NaN)
  rows.forEach(({ id }, k) => {
    if (heldOut[id] === model.heldOut[id]) heldOutUsd[id] = Math.exp(logValue[k]!)
  })
  const tail = (1 - model.settings.rangeShare) / 2
  return {
    /** How much comparable sales count, by situation. */
    compsWeights,
    /** log value += stretch · (log value - center): corrects the regression of expensive and inexpensive homes toward the mean. */
    stretch,
    center,
    /** Added to a log value, so that the median ratio of value to price is 1. */
    shift,
    /** Median absolute log error of the held-out values. */
    medianError,
    /** Predicts each home's error; undefined with too few sales. */
    errorModel: errors?.model,
    /** How far the range reaches, in multiples of the home's expected error. */
    below: -quantileOf(scaled, tail),
    above: quantileOf(scaled, 1 - tail),
    /** Per sale: its held-out value; NaN of older sales and where facts were left out. */
    heldOutUsd,
  }
}

const maxStretch = 0.08
/** Assessors accept a price-related bias of ±0.05; the margin is for sales to come. */
const leastBias = -0.04

/**
 * The smallest stretch that brings price-related bias inside the limit for assessors. Each step costs accuracy. A few implausible
 * deeds would drive it to the maximum, so ratios are trimmed.
 */
function fairStretch(logValue: readonly number[], logPrice: readonly number[], center: number): number {
  const inliers = withoutOutliers(
    logValue.map((v, k) => ({ v, valueUsd: Math.exp(v), priceUsd: Math.exp(logPrice[k]!) })),
  )
  for (let stretch = 0; stretch <= maxStretch; stretch += 0.005) {
    const study = studyRatios(
      inliers.map(({ v, priceUsd }) => ({ valueUsd: Math.exp(v + stretch * (v - center)), priceUsd })),
    )
    if (!study || study.prb >= leastBias) return stretch
  }
  return maxStretch
}
