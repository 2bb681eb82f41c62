import { expect, test } from 'vitest'
import { studyRatios } from '../../../src/intelligence/valuation/ratio-study.ts'

const valued = (...pairs: [value: number, price: number][]) =>
  pairs.map(([valueUsd, priceUsd]) => ({ valueUsd, priceUsd }))

test('values equal to prices have no error, dispersion or bias', () => {
  const study = studyRatios(valued([100, 100], [200, 200], [400, 400]))
  expect(study).toMatchObject({ n: 3, mdape: 0, within10: 100, within20: 100, medianRatio: 1, cod: 0, prd: 1, prb: 0 })
})

test('the measures follow their definitions on a case worked by hand', () => {
  // Ratios 0.9, 1.0, 1.2: median 1, mean absolute departure 0.1, mean 31/30; values sum to 1,130, prices to 1,000.
  const study = studyRatios(valued([90, 100], [200, 200], [840, 700]))!
  expect(study.medianRatio).toBeCloseTo(1, 12)
  expect(study.mdape).toBeCloseTo(10, 9)
  expect(study.cod).toBeCloseTo(10, 9)
  expect(study.prd).toBeCloseTo(31 / 30 / 1.13, 9)
  expect(study.within10).toBeCloseTo(200 / 3, 9)
  expect(study.within20).toBeCloseTo(100, 9)
})

test('the price-related bias is the change of the ratio when value doubles', () => {
  // Deviations 0.1, 0, -0.1 on values that double each time: a slope of about -0.1.
  const study = studyRatios(valued([110, 100], [200, 200], [360, 400]))!
  const x = [(110 + 100) / 2, 200, (360 + 400) / 2].map(Math.log2)
  const mean = x.reduce((a, b) => a + b) / 3
  const slope = (0.1 * (x[0]! - mean) - 0.1 * (x[2]! - mean)) / x.reduce((sum, v) => sum + (v - mean) ** 2, 0)
  expect(study.prb).toBeCloseTo(slope, 9)
})

test('undervalued expensive homes give a differential above one and a negative bias', () => {
  const study = studyRatios(valued([110, 100], [200, 200], [720, 800]))!
  expect(study.prd).toBeGreaterThan(1.03)
  expect(study.prb).toBeLessThan(-0.05)
})

test('scaling every value changes only the median ratio', () => {
  const pairs: [number, number][] = [
    [95, 100],
    [210, 200],
    [330, 300],
    [390, 400],
  ]
  const one = studyRatios(valued(...pairs))!
  const two = studyRatios(valued(...pairs.map(([v, p]): [number, number] => [v * 1.5, p])))!
  expect(two.medianRatio).toBeCloseTo(1.5 * one.medianRatio, 12)
  expect(two.cod).toBeCloseTo(one.cod, 10)
  expect(two.prd).toBeCloseTo(one.prd, 10)
  expect(two.prb).toBeCloseTo(one.prb, 10)
})

test('without sales there is no study', () => {
  expect(studyRatios([])).toBeUndefined()
  expect(studyRatios(valued([100, 0]))).toBeUndefined()
})
