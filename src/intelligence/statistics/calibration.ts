// How good a set of probabilities is: ranking (AUC), ranking and calibration together (Brier score, log loss), and
// calibration alone (by decile, expected calibration error).

import type { AccuracyMeasures } from '../../domain/findings/coverage-and-accuracy.ts'
import { clamp } from './clamp.ts'
import { ranksOf } from './rank-correlation.ts'

export interface CalibrationBin {
  readonly n: number
  readonly predicted: number
  readonly observed: number
}

/** `auc` is unknown where all labels are equal. */
export type ProbabilityReport = Pick<AccuracyMeasures, 'auc'> &
  Required<Pick<AccuracyMeasures, 'n' | 'positives' | 'brier' | 'logLoss' | 'ece' | 'deciles'>>

export const probabilityReport = (probabilities: ArrayLike<number>, labels: ArrayLike<number>): ProbabilityReport => {
  const deciles = calibrationTable(probabilities, labels, 10)
  let positives = 0
  for (let i = 0; i < labels.length; i++) positives += labels[i]!
  return {
    n: labels.length,
    positives,
    auc: areaUnderCurve(probabilities, labels),
    brier: brierScore(probabilities, labels),
    logLoss: logLoss(probabilities, labels),
    ece: calibrationError(deciles),
    deciles,
  }
}

/** The probability that a positive outranks a negative, ties counting half; undefined without both kinds. */
export const areaUnderCurve = (scores: ArrayLike<number>, labels: ArrayLike<number>): number | undefined => {
  const ranks = ranksOf(scores)
  let rankSum = 0
  let positives = 0
  ranks.forEach((rank, i) => {
    if (labels[i]! <= 0.5) return
    positives++
    rankSum += rank
  })
  const negatives = ranks.length - positives
  if (positives === 0 || negatives === 0) return undefined
  return (rankSum - (positives * (positives + 1)) / 2) / (positives * negatives)
}

export const brierScore = (probabilities: ArrayLike<number>, labels: ArrayLike<number>): number => {
  let sum = 0
  for (let i = 0; i < labels.length; i++) sum += (probabilities[i]! - labels[i]!) ** 2
  return sum / labels.length
}

export const logLoss = (probabilities: ArrayLike<number>, labels: ArrayLike<number>): number => {
  let sum = 0
  for (let i = 0; i < labels.length; i++) {
    const p = clamp(probabilities[i]!, 1e-12, 1 - 1e-12)
    sum -= labels[i]! * Math.log(p) + (1 - labels[i]!) * Math.log(1 - p)
  }
  return sum / labels.length
}

/** Bins of equal size by predicted probability, lowest first. */
export const calibrationTable = (
  probabilities: ArrayLike<number>,
  labels: ArrayLike<number>,
  bins: number,
): CalibrationBin[] => {
  const order = rankOrder(probabilities)
  const table: CalibrationBin[] = []
  for (let b = 0; b < bins; b++) {
    const from = Math.floor((b * order.length) / bins)
    const to = Math.floor(((b + 1) * order.length) / bins)
    if (to === from) continue
    let predicted = 0
    let observed = 0
    for (let k = from; k < to; k++) {
      predicted += probabilities[order[k]!]!
      observed += labels[order[k]!]!
    }
    table.push({ n: to - from, predicted: predicted / (to - from), observed: observed / (to - from) })
  }
  return table
}

/** The Wilson interval of a share seen in `n` cases; `deviations` is 0.674 for 50%, 1.645 for 90% and 1.96 for 95%. */
export const shareInterval = (share: number, n: number, deviations: number): { low: number; high: number } => {
  const z2 = deviations ** 2 / n
  const center = (share + z2 / 2) / (1 + z2)
  const half = (deviations * Math.sqrt((share * (1 - share) + z2 / 4) / n)) / (1 + z2)
  return { low: clamp(center - half, 0, 1), high: clamp(center + half, 0, 1) }
}

export const calibrationError = (bins: readonly CalibrationBin[]): number => {
  const total = bins.reduce((n, bin) => n + bin.n, 0)
  return total === 0 ? 0 : bins.reduce((sum, bin) => sum + bin.n * Math.abs(bin.predicted - bin.observed), 0) / total
}

const rankOrder = (scores: ArrayLike<number>): Int32Array =>
  Int32Array.from({ length: scores.length }, (_, i) => i).sort((a, b) => scores[a]! - scores[b]! || a - b)
