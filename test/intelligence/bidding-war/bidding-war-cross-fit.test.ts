import { expect, test } from 'vitest'
import { type BiddingProblem, crossFit } from '../../../src/intelligence/bidding-war/bidding-war-cross-fit.ts'
import { sparseDesign } from '../../../src/intelligence/statistics/design.ts'
import { sigmoid } from '../../../src/intelligence/statistics/logistic.ts'
import { seededRandom } from '../../../src/intelligence/valuation/seeded-random.ts'

const folds = 3
const words = 20

/** Two numbers and some words; the first number and the first words decide the outcome. */
const problem = (): BiddingProblem => {
  const random = seededRandom(3)
  const rows = Array.from({ length: 900 }, () => {
    const said = Array.from({ length: words }, (_, w) => w).filter(() => random() < 0.3)
    return {
      columns: [0, 1, ...said.map((w) => 2 + w)],
      values: [2 * random() - 1, 2 * random() - 1, ...said.map(() => 1)],
    }
  })
  const soft = Float64Array.from(rows, ({ columns, values }) =>
    sigmoid(values[0]! + 0.6 * columns.filter((c) => c >= 2 && c < 5).length - 0.6 + 3 * (random() - 0.5)),
  )
  return {
    design: sparseDesign(rows, 2 + words),
    labels: soft.map((value) => Number(value > 0.5)),
    soft,
    groups: ['numbers', 'numbers', ...Array.from({ length: words }, () => 'words' as const)],
    signs: new Float64Array(2 + words),
    centers: new Float64Array(2 + words),
    interceptCenter: 0,
    fold: Uint8Array.from(rows, (_, r) => r % folds),
  }
}

test('a held-out probability does not depend on any outcome of its own fold', () => {
  const before = problem()
  const turned = (values: Float64Array) => values.map((value, r) => (before.fold[r] === 2 ? 1 - value : value))
  const after = { ...before, labels: turned(before.labels), soft: turned(before.soft) }
  const [first, second] = [crossFit(before), crossFit(after)]
  const ofFold = (heldOut: Float64Array, f: number) => [...heldOut].filter((_, r) => before.fold[r] === f)
  // Exactly equal: a shared calibration line would move them.
  expect(ofFold(second.heldOut, 2)).toEqual(ofFold(first.heldOut, 2))
  expect(ofFold(second.heldOut, 0)).not.toEqual(ofFold(first.heldOut, 0))
})
