import { expect, test } from 'vitest'
import { clampOutliers } from '../../../src/intelligence/valuation/constant-quality.ts'

test('a sale at a tenth of its price moves the index no more than one at three deviations; usual sales are unchanged', () => {
  const usual = Array.from({ length: 201 }, (_, i) => (i - 100) / 500)
  const clamped = clampOutliers(Float64Array.from([...usual, Math.log(0.1), Math.log(10)]))
  expect([...clamped.slice(0, 201)]).toEqual(usual)
  expect(clamped[201]).toBeCloseTo(-3 * 1.4826 * 0.1, 1)
  expect(clamped[202]).toBe(-clamped[201]!)
})
