// Both steps of the bidding-war fit, on all rows and without each fold. Everything that depends on an outcome (word
// penalties, the line between the steps, starting points) is learned again without the fold, so that the held-out
// probabilities are those of a model that has never seen their rows.

import { valueAt } from '../../common/typed.ts'
import { logLoss } from '../statistics/calibration.ts'
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
  readonly wordPenalties: readonly number[]
}

/** Fits without a fold only choose and measure; a looser tolerance gives the same figures in less time. */
const foldTolerance = 1e-4
const finalTolerance = 1e-6

/** `heldOut`: for each row the probability from a fit without its fold. */
export const crossFit = (problem: BiddingProblem) => {
  const { design, labels, soft, groups, signs, centers, interceptCenter, fold } = problem
  const foldCount = fold.reduce((most, f) => Math.max(most, f + 1), 0)
  const everyRow = Int32Array.from(fold, (_, r) => r)
  const everyFold = Array.from({ length: foldCount }, (_, f) => f)
  const rowsOf = (wanted: (f: number) => boolean) => everyRow.filter((r) => wanted(fold[r]!))

  /** The training rows of a fit that leaves some folds out. */
  const trainings = new Map<string, { design: Design; rows: Int32Array; contrast: Float64Array }>()
  const trainingWithout = (left: readonly number[]) =>
    valueAt(trainings, keyOf(left), () => {
      const rows = rowsOf((f) => !left.includes(f))
      const part = left.length === 0 ? design : takeRows(design, rows)
      return { design: part, rows, contrast: wordContrasts(part, pick(labels, rows)) }
    })
  const penalties = (
    contrast: Float64Array,
    wordPenalty: number,
    others: typeof biddingPenalties | typeof thresholdPenalties,
  ) => Float64Array.from(groups, (group, j) => (group === 'words' ? wordPenalty / contrast[j]! : others[group].value))

  // First step: the sale-to-list ratio. A fit starts from the last one that saw none of the rows it leaves out.
  const ratioFits: { key: string; left: readonly number[]; fit: SignedFit }[] = []
  const fitRatio = (wordPenalty: number, left: readonly number[], tolerance: number): SignedFit => {
    const key = `${wordPenalty} ${tolerance} ${keyOf(left)}`
    const known = ratioFits.find((one) => one.key === key)
    if (known) return known.fit
    const training = trainingWithout(left)
    const fit = fitSigned(training.design, pick(soft, training.rows), signs, {
      penalties: penalties(training.contrast, wordPenalty, biddingPenalties),
      centers,
      interceptCenter,
      interceptPenalty: 0.1,
      start: ratioFits.findLast((one) => left.every((f) => one.left.includes(f)))?.fit,
      tolerance,
    })
    ratioFits.push({ key, left, fit })
    return fit
  }

  /** The penalty and the line from log-odds of the first step to the threshold, by leaving out one more fold at a time. */
  const choose = (left: readonly number[]) => {
    const inner = everyFold.filter((f) => !left.includes(f))
    const tried = problem.wordPenalties.map((wordPenalty) => {
      const parts = inner.map((f) => {
        const rows = rowsOf((of) => of === f)
        const fit = fitRatio(wordPenalty, [...left, f], foldTolerance)
        const part = takeRows(design, rows)
        return {
          rows,
          odds: logOdds(fit, part),
          loss: rows.length * logLoss(predictLogistic(fit, part), pick(soft, rows)),
        }
      })
      return { wordPenalty, parts, loss: parts.reduce((sum, part) => sum + part.loss, 0) }
    })
    const best = tried.reduce((a, b) => (b.loss < a.loss ? b : a))
    // Scaled by held-out log-odds, because those of the training rows are too far from zero.
    const line = logOddsLine(
      best.parts.flatMap((part) => [...part.odds]),
      best.parts.flatMap((part) => [...pick(labels, part.rows)]),
    )
    return { wordPenalty: best.wordPenalty, line }
  }

  // Second step: the threshold, shrunk toward the first step.
  const fitBoth = (left: readonly number[], tolerance: number) => {
    const { wordPenalty, line } = choose(left)
    const ratio = fitRatio(wordPenalty, left, tolerance)
    const start = {
      intercept: line.intercept + line.slope * ratio.intercept,
      coefficients: ratio.coefficients.map((value) => line.slope * value),
    }
    const training = trainingWithout(left)
    const fit = fitSigned(training.design, pick(labels, training.rows), signs, {
      penalties: penalties(training.contrast, thresholdPenalties.words.value, thresholdPenalties),
      centers: start.coefficients,
      start,
      tolerance,
    })
    return { fit, wordPenalty }
  }

  const heldOut = new Float64Array(fold.length)
  for (const f of everyFold) {
    const rows = rowsOf((of) => of === f)
    const predicted = predictLogistic(fitBoth([f], foldTolerance).fit, takeRows(design, rows))
    rows.forEach((row, k) => {
      heldOut[row] = predicted[k]!
    })
  }
  const { fit: final, wordPenalty } = fitBoth([], finalTolerance)
  return { final, wordPenalty, heldOut }
}

const keyOf = (left: readonly number[]): string => left.toSorted((a, b) => a - b).join()

const pick = (all: Float64Array, rows: Int32Array): Float64Array => Float64Array.from(rows, (r) => all[r]!)

/** The line that turns the log-odds of a fit to soft labels into log-odds of closing over the threshold. */
const logOddsLine = (odds: readonly number[], labels: readonly number[]): { intercept: number; slope: number } => {
  const design = denseDesign(odds.map((value) => [value]))
  const { intercept, coefficients } = fitLogistic(design, labels, { penalties: 1 })
  return { intercept, slope: Math.max(0, coefficients[0]!) }
}
