import { expect, test } from 'vitest'
import { valuationSettings } from '../../../src/intelligence/valuation/assumptions.ts'
import { clampedAround } from '../../../src/intelligence/valuation/constant-quality.ts'
import { seededRandom } from '../../../src/intelligence/valuation/seeded-random.ts'
import { fitTimeIndex, logLevel } from '../../../src/intelligence/valuation/time-index.ts'

test('a sale at a tenth of its price moves the index no more than one at three deviations; usual sales are unchanged', () => {
  const usual = Array.from({ length: 201 }, (_, i) => (i - 100) / 500)
  const values = Float64Array.from([...usual, Math.log(0.1), Math.log(10)])
  const clamped = clampedAround(new Float64Array(values.length), values, 3)
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

/** The root mean square difference of the level from the prices it is fitted on without their noise, over 60 markets. */
function levelError(salesPerMonth: number, at: number, priceAt: (day: number) => number): number {
  const [asOfDay, years, markets] = [20_089, 3, 60]
  let squares = 0
  for (let seed = 1; seed <= markets; seed++) {
    const random = seededRandom(seed)
    const day = Float64Array.from({ length: salesPerMonth * 12 * years }, () => asOfDay - 365 * years * random())
    const noise = () => 0.2 * (random() + random() + random() + random() - 2) * Math.sqrt(3)
    const residual = day.map((each) => priceAt(each - asOfDay) + noise())
    const index = fitTimeIndex({ day, residual, weight: day.map(() => 1) }, asOfDay, valuationSettings())
    squares += (logLevel(index, asOfDay + at) - priceAt(at)) ** 2 / markets
  }
  return Math.sqrt(squares)
}

test('the level at the newest sales is not set by the chance of the last weeks', () => {
  expect(levelError(100, 0, (day) => (0.04 * day) / 365)).toBeLessThan(0.015)
  expect(levelError(400, 0, (day) => (0.04 * day) / 365)).toBeLessThan(0.012)
})

test('a turn of the market a year ago stays visible', () => {
  const peak = (day: number) => (-0.1 * Math.abs(day + 365)) / 365
  expect(levelError(400, -365, peak)).toBeLessThan(0.015)
  expect(levelError(100, -365, peak)).toBeLessThan(0.025)
})
