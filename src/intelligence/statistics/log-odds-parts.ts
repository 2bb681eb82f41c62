// Converts the log-odds of a logistic score to points that add up to the score.

import type { ScorePart } from '../../domain/findings/findings.ts'
import { sigmoid } from './logistic.ts'

export interface LogOddsTerm {
  readonly name: string
  /** What this input adds to the log-odds of a typical property. */
  readonly logOdds: number
  readonly because: string
}

/**
 * Parts that sum exactly to 100 · sigmoid(base + Σ terms). A term's points are its log-odds times the mean slope of the
 * curve between base and score (the Aumann-Shapley share, also called integrated gradients): the only division that is
 * additive and exact and gives zero to an input without effect.
 */
export const logOddsParts = (base: Omit<LogOddsTerm, 'name'>, terms: readonly LogOddsTerm[]): ScorePart[] => {
  const total = terms.reduce((sum, term) => sum + term.logOdds, 0)
  const from = sigmoid(base.logOdds)
  const slope = Math.abs(total) < 1e-9 ? from * (1 - from) : (sigmoid(base.logOdds + total) - from) / total
  return [
    { name: 'base', points: 100 * from, because: base.because },
    ...terms.map((term) => ({ name: term.name, points: 100 * slope * term.logOdds, because: term.because })),
  ]
}
