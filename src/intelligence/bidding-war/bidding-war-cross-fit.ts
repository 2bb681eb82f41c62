// Both steps of the bidding-war fit, on all rows and without each fold. The line between the steps is learned again without
// the fold, so that the held-out probabilities are those of a model that has never seen their rows.

import { valueAt } from '../../common/typed.ts'
import { denseDesign, takeRows } from '../statistics/design.ts'
import {
  type Design,
  fitLogistic,
  fitSigned,
  logOdds,
  predictLogistic,
  type SignedFit,
} from '../statistics/logistic.ts'
import { biddingPenalties, type ColumnGroup, thresholdPenalties, wordContrasts } from './bidding-war-design.ts'

export interface BiddingProblem {
  readonly design: Design
  /** 1 for a sale over the threshold. */
  readonly labels: Float64Array
  /** The same as a number from 0 to 1 by distance from the threshold. */
  readonly soft: Float64Array
  readonly groups: readonly ColumnGroup[]
  readonly signs: Float64Array
  readonly centers: Float64Array
  readonly interceptCenter: number
  /** The fold of each row; three folds or more. */
  readonly fold: Uint8Array
}

/** Fits without a fold only measure; a looser tolerance gives the same figures in less time. */
const foldTolerance = 1e-4
const finalTolerance = 1e-6

/** `heldOut`: for each row the probability from a fit without its fold. */
export const crossFit = ({ design, labels, soft, groups, signs, centers, interceptCenter, fold }: BiddingProblem) => {
  const everyFold = [...new Set(fold)]
  const trainingOf = (folds: readonly number[]) => {
    const rows = Int32Array.from(fold.keys()).filter((r) => folds.includes(fold[r]!))
    return { rows, part: takeRows(design, rows), labels: pick(labels, rows) }
  }

  // First step: the sale-to-list ratio.
  const ratioFits = new Map<string, SignedFit>()
  const fitRatio = (folds: readonly number[], tolerance: number): SignedFit =>
    valueAt(ratioFits, `${folds.toSorted()} ${tolerance}`, () => {
      const { rows, part, labels } = trainingOf(folds)
      const penalties = penaltiesOf(groups, biddingPenalties, wordContrasts(part, labels))
      const options = { penalties, centers, interceptCenter, interceptPenalty: 0.1, tolerance }
      return fitSigned(part, pick(soft, rows), signs, options)
    })

  /** From log-odds of the first step to those of the threshold, learned by leaving out one more fold at a time. */
  const lineOf = (folds: readonly number[]) => {
    const heldOut = folds.map((f) => {
      const { part, labels } = trainingOf([f])
      return { labels, odds: logOdds(fitRatio(without(f, folds), foldTolerance), part) }
    })
    const odds = heldOut.flatMap((each) => [...each.odds])
    const { intercept, coefficients } = fitLogistic(
      denseDesign(odds.map((value) => [value])),
      heldOut.flatMap((each) => [...each.labels]),
      { penalties: 1 },
    )
    return { intercept, slope: Math.max(0, coefficients[0]!) }
  }

  // Second step: the threshold, shrunk toward the first step.
  const fitOn = (folds: readonly number[], tolerance: number): SignedFit => {
    const line = lineOf(folds)
    const ratio = fitRatio(folds, tolerance)
    const { part, labels } = trainingOf(folds)
    const intercept = line.intercept + line.slope * ratio.intercept
    const coefficients = ratio.coefficients.map((value) => line.slope * value)
    const penalties = penaltiesOf(groups, thresholdPenalties, wordContrasts(part, labels))
    return fitSigned(part, labels, signs, {
      penalties,
      centers: coefficients,
      start: { intercept, coefficients },
      tolerance,
    })
  }

  const heldOut = new Float64Array(fold.length)
  for (const f of everyFold) {
    const { rows, part } = trainingOf([f])
    const predicted = predictLogistic(fitOn(without(f, everyFold), foldTolerance), part)
    rows.forEach((row, k) => {
      heldOut[row] = predicted[k]!
    })
  }
  return { final: fitOn(everyFold, finalTolerance), heldOut }
}

const without = (f: number, folds: readonly number[]): number[] => folds.filter((other) => other !== f)

const penaltiesOf = (
  groups: readonly ColumnGroup[],
  of: Readonly<Record<ColumnGroup, { value: number }>>,
  contrast: Float64Array,
): Float64Array => Float64Array.from(groups, (group, j) => of[group].value / (group === 'words' ? contrast[j]! : 1))

const pick = (all: Float64Array, rows: Int32Array): Float64Array => Float64Array.from(rows, (r) => all[r]!)
