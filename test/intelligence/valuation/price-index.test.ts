import { expect, test } from 'vitest'
import { valuationSettings } from '../../../src/intelligence/valuation/assumptions.ts'
import { clampOutliers } from '../../../src/intelligence/valuation/constant-quality.ts'
import { fitTimeIndex } from '../../../src/intelligence/valuation/time-index.ts'

test('a sale at a tenth of its price moves the index no more than one at three deviations; usual sales are unchanged', () => {
  const usual = Array.from({ length: 201 }, (_, i) => (i - 100) / 500)
  const clamped = clampOutliers(Float64Array.from([...usual, Math.log(0.1), Math.log(10)]), 3)
  expect([...clamped.slice(0, 201)]).toEqual(usual)
  expect(clamped[201]).toBeCloseTo(-3 * 1.4826 * 0.1, 1)
  expect(clamped[202]).toBe(-clamped[201]!)
})

test.each([
  [2, 'the usual one, and the fall from summer to winter is not taken for a trend'],
  [4, 'that of the market, and leaves the trend'],
])('after %i years the seasonal pattern is %s', (years) => {
  const asOfDay = 20_089 // 2025-01-01
  const day = Float64Array.from({ length: 365 * years }, (_, i) => asOfDay - 365 * years + i)
  const yearly = 0.03
  const residual = day.map(
    (each) => (yearly * (each - asOfDay)) / 365 - 0.02 * Math.cos((2 * Math.PI * each) / 365.2425),
  )
  const index = fitTimeIndex({ day, residual, weight: day.map(() => 4) }, asOfDay, valuationSettings())
  expect(index.seasonal.cosine).toBeCloseTo(years === 2 ? -0.0164 : -0.02, 3)
  expect(Math.abs(365 * index.slopePerDay - yearly)).toBeLessThan(0.05)
})
