import { describe, expect, test } from 'vitest'
import {
  areaUnderCurve,
  brierScore,
  calibrationTable,
  probabilityReport,
} from '../../../src/intelligence/statistics/calibration.ts'
import { denseDesign, foldsOf, splitFolds, standardOf, takeRows } from '../../../src/intelligence/statistics/design.ts'
import { logOddsParts } from '../../../src/intelligence/statistics/log-odds-parts.ts'
import {
  fitLogistic,
  fitSigned,
  lineSearch,
  predictLogistic,
  type State,
  sigmoid,
} from '../../../src/intelligence/statistics/logistic.ts'
import { seededRandom } from '../../../src/intelligence/valuation/seeded-random.ts'
import { expectedAreaUnderCurve } from '../../setup/expected-auc.ts'

const simulated = (n: number, weights: number[], intercept: number, seed: number) => {
  const random = seededRandom(seed)
  const rows = Array.from({ length: n }, () => weights.map(() => random() * 4 - 2))
  const truth = rows.map((row) => sigmoid(row.reduce((sum, x, j) => sum + x * weights[j]!, intercept)))
  const labels = truth.map((p): number => (random() < p ? 1 : 0))
  return { design: denseDesign(rows), truth, labels, rows }
}

describe('fitLogistic', () => {
  test('recovers the coefficients from which the labels were generated', () => {
    const { design, labels } = simulated(20_000, [1, -0.5, 0], -1, 3)
    const fit = fitLogistic(design, labels, { penalties: 0.1 })
    expect(fit.converged).toBe(true)
    expect(fit.intercept).toBeCloseTo(-1, 1)
    expect(fit.coefficients[0]).toBeCloseTo(1, 1)
    expect(fit.coefficients[1]).toBeCloseTo(-0.5, 1)
    expect(Math.abs(fit.coefficients[2]!)).toBeLessThan(0.06)
  })

  test('at the solution the gradient of the penalized likelihood is zero', () => {
    const { design, labels, rows } = simulated(400, [2, -1], 0.3, 5)
    const fit = fitLogistic(design, labels, { penalties: 3, tolerance: 1e-10 })
    const p = predictLogistic(fit, design)
    for (const j of [0, 1]) {
      const pull = rows.reduce((sum, row, r) => sum + (p[r]! - labels[r]!) * row[j]!, 3 * fit.coefficients[j]!)
      expect(Math.abs(pull)).toBeLessThan(1e-4)
    }
    expect(p.reduce((a, b) => a + b, 0)).toBeCloseTo(
      labels.reduce((a, b) => a + b, 0),
      4,
    )
  })

  test('stays finite on perfectly separable labels', () => {
    const design = denseDesign([[-2], [-1], [1], [2]])
    const fit = fitLogistic(design, [0, 0, 1, 1], { penalties: 1 })
    expect(Number.isFinite(fit.coefficients[0]!)).toBe(true)
    expect(fit.coefficients[0]!).toBeGreaterThan(0)
  })

  test('with few labels the coefficients stay at the center of the penalty', () => {
    const design = denseDesign([[1], [-1]])
    const fit = fitLogistic(design, [0, 1], { penalties: 1e6, centers: Float64Array.of(0.8) })
    expect(fit.coefficients[0]).toBeCloseTo(0.8, 3)
  })

  test('a maximum probability is part of the fitted model, not lower log-odds', () => {
    const { design, truth } = simulated(30_000, [1.2], 0, 9)
    const random = seededRandom(10)
    const labels = truth.map((p) => (random() < 0.4 * p ? 1 : 0))
    const fit = fitLogistic(design, labels, { penalties: 0.1, ceilings: new Float64Array(30_000).fill(0.4) })
    expect(fit.coefficients[0]).toBeCloseTo(1.2, 0)
    expect(Math.abs(fit.intercept)).toBeLessThan(0.1)
  })

  test('a coefficient with the wrong sign is held at zero and reported', () => {
    const { design, labels } = simulated(3_000, [1, -1], 0, 11)
    const fit = fitSigned(design, labels, [1, 1], { penalties: 1 })
    expect(fit.coefficients[1]).toBe(0)
    expect(fit.violations).toEqual([1])
  })

  test('a step is compared with the loss before it, even if the next evaluation overwrites the state', () => {
    // What V8 13.6 does when it replaces the running loop of an evaluation with faster code: the losses of both states
    // become one number.
    const shared = new Float64Array(1)
    const evaluate = (point: Float64Array): State => {
      shared[0] = (point[0]! - 3) ** 2
      return {
        point,
        get loss() {
          return shared
        },
        gradient: Float64Array.of(2 * (point[0]! - 3)),
        diagonal: Float64Array.of(2),
        curve: (direction) => direction.map((value) => 2 * value),
      }
    }
    expect(lineSearch(evaluate, evaluate(Float64Array.of(0)), Float64Array.of(3))?.point).toEqual(Float64Array.of(3))
  })

  test('the same rows give the same fit', () => {
    const { design, labels } = simulated(500, [1, 2, 3], 0, 2)
    expect(fitLogistic(design, labels, { penalties: 1 })).toEqual(fitLogistic(design, labels, { penalties: 1 }))
  })
})

describe('measures', () => {
  test('the expected AUC of certain outcomes is the AUC itself', () => {
    const scores = [0.1, 0.4, 0.35, 0.8, 0.8, 0.2]
    const labels = [0, 0, 1, 1, 0, 0]
    expect(expectedAreaUnderCurve(scores, labels)).toBeCloseTo(areaUnderCurve(scores, labels)!, 12)
    expect(expectedAreaUnderCurve([0.1, 0.2], [0, 0])).toBeUndefined()
  })

  test('the expected AUC is the mean over random outcomes, and no score beats the true probabilities', () => {
    const chances = [0.05, 0.1, 0.2, 0.4, 0.6]
    const scores = [0.3, 0.1, 0.5, 0.4, 0.6]
    // Every outcome by its likelihood, pairs weighed alike.
    let outranked = 0
    let pairs = 0
    for (let outcome = 0; outcome < 32; outcome++) {
      const labels = chances.map((_, i) => (outcome >> i) & 1)
      const likelihood = chances.reduce((product, p, i) => product * (labels[i] ? p : 1 - p), 1)
      for (let i = 0; i < 5; i++)
        for (let j = 0; j < 5; j++)
          if (labels[i] === 1 && labels[j] === 0) {
            pairs += likelihood
            outranked += likelihood * (scores[i]! > scores[j]! ? 1 : scores[i] === scores[j] ? 0.5 : 0)
          }
    }
    expect(expectedAreaUnderCurve(scores, chances)).toBeCloseTo(outranked / pairs, 12)
    expect(expectedAreaUnderCurve(chances, chances)!).toBeGreaterThan(outranked / pairs)
  })

  test('AUC is 1 if every positive ranks first, 0 if every positive ranks last, and ties count half', () => {
    expect(areaUnderCurve([0.1, 0.2, 0.8, 0.9], [0, 0, 1, 1])).toBe(1)
    expect(areaUnderCurve([0.9, 0.8, 0.2, 0.1], [0, 0, 1, 1])).toBe(0)
    expect(areaUnderCurve([0.5, 0.5], [0, 1])).toBe(0.5)
    expect(areaUnderCurve([0.5, 0.6], [1, 1])).toBeUndefined()
  })

  test('the true probabilities have almost no calibration error, shifted ones have the shift', () => {
    const { truth, labels } = simulated(20_000, [1], 0, 7)
    expect(probabilityReport(truth, labels).ece).toBeLessThan(0.015)
    const squeezed = truth.map((p) => 0.2 + 0.8 * p)
    expect(probabilityReport(squeezed, labels).ece).toBeGreaterThan(0.08)
  })

  test('the calibration table counts every row once', () => {
    const table = calibrationTable([0.3, 0.1, 0.2, 0.9, 0.5], [0, 1, 0, 1, 0], 3)
    expect(table.reduce((n, bin) => n + bin.n, 0)).toBe(5)
  })

  test('the Brier score is the mean squared error of the probability', () => {
    expect(brierScore([0.5, 1], [0, 1])).toBeCloseTo(0.125)
  })
})

describe('designs and folds', () => {
  test('taking rows keeps their entries', () => {
    const design = denseDesign([
      [1, 0],
      [0, 2],
      [3, 4],
    ])
    const taken = takeRows(design, [2, 0])
    expect([...predictLogistic({ intercept: 0, coefficients: Float64Array.of(1, 10) }, taken)]).toEqual([
      sigmoid(43),
      sigmoid(1),
    ])
  })

  test('every row is tested once, and positives are spread over the folds', () => {
    const labels = Array.from({ length: 50 }, (_, i) => (i < 5 ? 1 : 0))
    const folds = splitFolds(foldsOf(50, 5, seededRandom(1), labels), 5)
    expect(folds.flatMap((fold) => [...fold.test]).sort((a, b) => a - b)).toEqual(labels.map((_, i) => i))
    for (const fold of folds) expect([...fold.test].filter((r) => labels[r] === 1)).toHaveLength(1)
  })

  test('a constant or unknown column is standardized without dividing by zero', () => {
    expect(standardOf([3, 3, undefined])).toEqual({ mean: 3, deviation: 1 })
    expect(standardOf([])).toEqual({ mean: 0, deviation: 1 })
  })
})

test('log-odds parts add up to the score whatever their size', () => {
  for (const terms of [[0.5, -0.5], [3, -1, 0.2], [], [1e-12], [-9]]) {
    const parts = logOddsParts(
      { logOdds: -2, because: '' },
      terms.map((logOdds, k) => ({ name: `t${k}`, logOdds, because: '' })),
    )
    const score = 100 * sigmoid(-2 + terms.reduce((a, b) => a + b, 0))
    expect(parts.reduce((sum, part) => sum + part.points, 0)).toBeCloseTo(score, 9)
  }
})
