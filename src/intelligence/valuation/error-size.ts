// Predicts the error of a home's value, learned from the held-out errors of similar sales: large lots, old or expensive
// homes and areas with few sales are harder to value than a tract house and need a wider range.

import { fitBoostedTrees, predictBoosted } from './boosted-trees.ts'
import { featureCount } from './home-features.ts'
import type { ErrorModel } from './market-model.ts'
import type { ComparableEvidence } from './reconcile.ts'
import { seededRandom } from './seeded-random.ts'

/**
 * What the trees see: the value model's own features, the home's log value, and its comparables: how much their prices scatter, how
 * many are alike and how far they are. Not how far they are from the model: that marks the homes that are easy to value.
 */
export const errorFeatureCount = featureCount + 4

interface ErrorRows {
  /** Row-major, `errorFeatureCount` wide. */
  rows: Float32Array
  /** Absolute log error of the held-out value. */
  absoluteError: Float64Array
}

const folds = 5
/** With fewer held-out sales no model is fitted. */
const minRows = 400

const boosting = {
  trees: 120,
  learningRate: 0.08,
  // Few leaves with many sales each, because single errors are noisy.
  leaves: 6,
  minLeafWeight: 60,
  leafShrinkage: 60,
  rowShare: 0.7,
  featureShare: 0.5,
  maxBins: 32,
}

/** Errors are capped at this multiple of the median, so that one unusual deed does not widen the range of a neighborhood. */
const maxMedians = 6

export function writeErrorFeatures(
  out: Float32Array,
  offset: number,
  features: ArrayLike<number>,
  from: number,
  logValue: number,
  comps: ComparableEvidence | undefined,
): void {
  for (let i = 0; i < featureCount; i++) out[offset + i] = features[from + i]!
  const more = [logValue, comps?.scatter ?? Number.NaN, comps?.alike ?? 0, comps?.km ?? Number.NaN]
  for (let i = 0; i < more.length; i++) out[offset + featureCount + i] = more[i]!
}

/** Undefined with too few sales; all homes then have the same expected error. */
export function fitErrorModel({ rows, absoluteError }: ErrorRows, medianError: number) {
  const n = absoluteError.length
  if (n < minRows) return undefined
  const random = seededRandom(17)
  const fold = Int32Array.from({ length: n }, () => Math.floor(random() * folds))
  const target = absoluteError.map((error) => Math.min(error, maxMedians * medianError))
  const weight = new Float64Array(n).fill(1)
  const everyRow = Int32Array.from({ length: n }, (_, i) => i)
  const model = Array.from({ length: folds }, (_, f) =>
    fitBoostedTrees(
      { rows, featureCount: errorFeatureCount, target, weight, ids: everyRow.filter((i) => fold[i] !== f) },
      { ...boosting, huberDelta: maxMedians * medianError, seed: 29 + f },
    ),
  )
  /** Per row: the prediction of a model fitted without it. */
  const heldOut = Float64Array.from({ length: n }, (_, i) =>
    boundedError(predictBoosted(model[fold[i]!]!, rows, i * errorFeatureCount), medianError),
  )
  return { model, heldOut }
}

export function expectedErrorOf(model: ErrorModel, row: Float32Array, medianError: number): number {
  let sum = 0
  for (const trees of model) sum += predictBoosted(trees, row, 0)
  return boundedError(sum / model.length, medianError)
}

/** At least a third of the median error, so that no home gets an implausibly narrow range. */
const boundedError = (expected: number, medianError: number) => Math.max(expected, medianError / 3)
