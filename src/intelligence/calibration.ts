// How good a set of probabilities is: ranking (AUC), sharpness and honesty together (Brier, log loss), and honesty
// alone (calibration by decile, expected calibration error). Also the two usual repairs, Platt's and isotonic.

import { denseDesign } from './design.ts'
import { fitLogistic, logit, sigmoid } from './logistic.ts'

export interface CalibrationBin {
  readonly n: number
  readonly predicted: number
  readonly observed: number
}

export interface ProbabilityReport {
  readonly n: number
  readonly positives: number
  readonly auc?: number
  readonly brier: number
  readonly logLoss: number
  /** Mean gap between predicted and observed over the deciles, weighted by their size. */
  readonly ece: number
  readonly deciles: readonly CalibrationBin[]
}

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

/** The chance that a positive outranks a negative, ties counting half; undefined without both kinds. */
export const areaUnderCurve = (scores: ArrayLike<number>, labels: ArrayLike<number>): number | undefined => {
  const order = rankOrder(scores)
  let rankSum = 0
  let positives = 0
  for (let from = 0; from < order.length; ) {
    let to = from
    while (to < order.length && scores[order[to]!]! === scores[order[from]!]!) to++
    const rank = (from + 1 + to) / 2
    for (let k = from; k < to; k++) {
      if (labels[order[k]!]! > 0.5) {
        positives++
        rankSum += rank
      }
    }
    from = to
  }
  const negatives = order.length - positives
  if (positives === 0 || negatives === 0) return undefined
  return (rankSum - (positives * (positives + 1)) / 2) / (positives * negatives)
}

/**
 * The AUC to be expected of a score where each row's own chance is known: every row is a positive by its chance and a
 * negative by the rest. The chances' own is the most any score can reach. Undefined without both kinds.
 */
export const expectedAreaUnderCurve = (scores: ArrayLike<number>, chances: ArrayLike<number>): number | undefined => {
  const order = rankOrder(scores)
  let outranked = 0
  let negativesBelow = 0
  let positives = 0
  let samePairs = 0
  for (let from = 0; from < order.length; ) {
    let to = from
    let tiedPositives = 0
    let tiedNegatives = 0
    while (to < order.length && scores[order[to]!]! === scores[order[from]!]!) {
      const chance = chances[order[to]!]!
      tiedPositives += chance
      tiedNegatives += 1 - chance
      // A row is never held against itself.
      samePairs += chance * (1 - chance)
      outranked -= 0.5 * chance * (1 - chance)
      to++
    }
    outranked += tiedPositives * (negativesBelow + tiedNegatives / 2)
    negativesBelow += tiedNegatives
    positives += tiedPositives
    from = to
  }
  const pairs = positives * negativesBelow - samePairs
  return pairs > 0 ? outranked / pairs : undefined
}

export const brierScore = (probabilities: ArrayLike<number>, labels: ArrayLike<number>): number => {
  let sum = 0
  for (let i = 0; i < labels.length; i++) sum += (probabilities[i]! - labels[i]!) ** 2
  return sum / labels.length
}

export const logLoss = (probabilities: ArrayLike<number>, labels: ArrayLike<number>): number => {
  let sum = 0
  for (let i = 0; i < labels.length; i++) {
    const p = Math.min(Math.max(probabilities[i]!, 1e-12), 1 - 1e-12)
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

export const calibrationError = (bins: readonly CalibrationBin[]): number => {
  const total = bins.reduce((n, bin) => n + bin.n, 0)
  return total === 0 ? 0 : bins.reduce((sum, bin) => sum + bin.n * Math.abs(bin.predicted - bin.observed), 0) / total
}

/** Platt 1999: one slope and one shift on the log-odds, learnt from probabilities the model did not train on. */
export interface PlattScale {
  readonly slope: number
  readonly shift: number
}

/** `strength` pulls the slope to 1, so that few labels cannot bend a good model. */
export const fitPlatt = (probabilities: ArrayLike<number>, labels: ArrayLike<number>, strength = 4): PlattScale => {
  const rows = Array.from(probabilities, (p) => [clampedLogit(p)])
  const fit = fitLogistic(denseDesign(rows, 1), labels, {
    penalties: strength,
    centres: Float64Array.of(1),
    interceptPenalty: strength,
  })
  return { slope: fit.coefficients[0]!, shift: fit.intercept }
}

export const applyPlatt = (scale: PlattScale, probability: number): number =>
  sigmoid(scale.slope * clampedLogit(probability) + scale.shift)

/** Isotonic steps by pooling adjacent violators: non-decreasing, ends held. */
export interface IsotonicSteps {
  readonly at: readonly number[]
  readonly value: readonly number[]
}

export const fitIsotonic = (probabilities: ArrayLike<number>, labels: ArrayLike<number>): IsotonicSteps => {
  const blocks: { at: number; sum: number; n: number }[] = []
  for (const i of rankOrder(probabilities)) {
    blocks.push({ at: probabilities[i]!, sum: labels[i]!, n: 1 })
    for (;;) {
      const last = blocks.at(-1)!
      const before = blocks.at(-2)
      if (!before || before.sum / before.n <= last.sum / last.n) break
      blocks.splice(-2, 2, { at: last.at, sum: before.sum + last.sum, n: before.n + last.n })
    }
  }
  return { at: blocks.map((block) => block.at), value: blocks.map((block) => block.sum / block.n) }
}

export const applyIsotonic = (steps: IsotonicSteps, probability: number): number => {
  let low = 0
  let high = steps.at.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (steps.at[middle]! < probability) low = middle + 1
    else high = middle
  }
  return steps.value[low] ?? probability
}

const clampedLogit = (p: number): number => logit(Math.min(Math.max(p, 1e-6), 1 - 1e-6))

const rankOrder = (scores: ArrayLike<number>): Int32Array =>
  Int32Array.from({ length: scores.length }, (_, i) => i).sort((a, b) => scores[a]! - scores[b]! || a - b)
