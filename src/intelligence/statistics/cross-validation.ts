// Chooses a penalty by cross-validation and keeps the out-of-fold prediction of each row: a model's reported calibration is
// measured on these, since in-sample predictions would look better than they are.

import { logLoss } from './calibration.ts'
import type { Fold } from './design.ts'

/** The penalty, and predictions at it, each made by a fit that did not see its row. */
export const chooseLambda = (
  lambdas: readonly number[],
  folds: readonly Fold[],
  labels: ArrayLike<number>,
  fitPredict: (lambda: number, train: Int32Array, test: Int32Array) => ArrayLike<number>,
): { lambda: number; heldOut: Float64Array } => {
  const tried = lambdas.map((lambda) => {
    const heldOut = new Float64Array(labels.length)
    for (const { train, test } of folds) {
      const predicted = fitPredict(lambda, train, test)
      test.forEach((row, k) => {
        heldOut[row] = predicted[k]!
      })
    }
    return { lambda, heldOut, logLoss: logLoss(heldOut, labels) }
  })
  return tried.reduce((a, b) => (b.logLoss < a.logLoss ? b : a))
}
