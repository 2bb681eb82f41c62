import { expect, test } from 'vitest'
import {
  type BoostingOptions,
  fitBoostedTrees,
  predictBoosted,
} from '../../../src/intelligence/valuation/boosted-trees.ts'
import { seededRandom } from '../../../src/intelligence/valuation/seeded-random.ts'

const options: BoostingOptions = {
  trees: 120,
  learningRate: 0.1,
  leaves: 16,
  minLeafWeight: 5,
  leafShrinkage: 1,
  rowShare: 0.7,
  featureShare: 1,
  huberDelta: 1,
  maxBins: 64,
  seed: 3,
}

/** y = a step in the first column times a slope in the second; the third is noise. */
function table(n: number, missingShare = 0) {
  const random = seededRandom(11)
  const rows = new Float32Array(n * 3)
  const target = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    const [a, b, c] = [random(), random(), random()]
    rows.set([a, random() < missingShare ? Number.NaN : b, c], i * 3)
    target[i] = (a > 0.5 ? 1 : 0) + (Number.isNaN(rows[i * 3 + 1]!) ? 0.8 : b)
  }
  return {
    rows,
    featureCount: 3,
    target,
    weight: new Float64Array(n).fill(1),
    ids: Int32Array.from({ length: n }, (_, i) => i),
  }
}

function meanError(model: ReturnType<typeof fitBoostedTrees>, data: ReturnType<typeof table>): number {
  let sum = 0
  for (let i = 0; i < data.target.length; i++)
    sum += Math.abs(data.target[i]! - predictBoosted(model, data.rows, i * 3))
  return sum / data.target.length
}

test('trees learn a step and a slope', () => {
  const data = table(2000)
  expect(meanError(fitBoostedTrees(data, options), data)).toBeLessThan(0.02)
})

test('the same seed gives the same model, another seed a different one', () => {
  const data = table(500)
  const at = (seed: number) => predictBoosted(fitBoostedTrees(data, { ...options, trees: 20, seed }), data.rows, 9)
  expect(at(3)).toBe(at(3))
  expect(at(4)).not.toBe(at(3))
})

test('a missing value is handled as missing, not as a number', () => {
  const data = table(3000, 0.3)
  const model = fitBoostedTrees(data, options)
  expect(predictBoosted(model, Float32Array.of(0.2, Number.NaN, 0.5), 0)).toBeCloseTo(0.8, 1)
  expect(predictBoosted(model, Float32Array.of(0.9, Number.NaN, 0.5), 0)).toBeCloseTo(1.8, 1)
})

test('outliers have limited effect on the fit', () => {
  const data = table(2000)
  for (let i = 0; i < 2000; i += 20) data.target[i] = data.target[i]! + 50
  const robust = fitBoostedTrees(data, { ...options, huberDelta: 0.1, trees: 300 })
  const plain = fitBoostedTrees(data, { ...options, huberDelta: 1e9, trees: 300 })
  const clean = table(2000)
  expect(meanError(robust, clean)).toBeLessThan(meanError(plain, clean) / 4)
})

test('identical rows predict the mean', () => {
  const data = { ...table(50), rows: new Float32Array(150) }
  const mean = data.target.reduce((a, b) => a + b) / 50
  expect(predictBoosted(fitBoostedTrees(data, options), data.rows, 0)).toBeCloseTo(mean, 9)
})

test('a weight of 2 equals a repeated row', () => {
  const data = table(400)
  data.target = data.target.map((_, i) => (i < 200 ? 0 : 1))
  data.rows.fill(0)
  data.weight = data.weight.map((_, i) => (i < 200 ? 3 : 1))
  expect(predictBoosted(fitBoostedTrees(data, options), data.rows, 0)).toBeCloseTo(0.25, 9)
})
