import { describe, expect, test } from 'vitest'
import { coverageBand, liveAccuracy, medianBand, type Outcome } from '../../../src/intelligence/market/live-accuracy.ts'

/** Homes worth 100 that sold at these prices, with the range 90 to 110. */
const sold = (prices: readonly number[], month = '2026-10', city = 'Oakton'): Outcome[] =>
  prices.map((priceUsd) => ({ model: 'value', city, month, valueUsd: 100, lowUsd: 90, highUsd: 110, priceUsd }))

const times = <T>(n: number, value: T): T[] => Array.from({ length: n }, () => value)

describe('values', () => {
  test('error, coverage and ratio follow from the prices', () => {
    // Ratios: five of 1, three of 1.25 (price 80), two of 0.8 (price 125).
    const [whole, city, ...rest] = liveAccuracy(sold([...times(5, 100), ...times(3, 80), ...times(2, 125)]))
    // Errors sorted: 0 ×5, 0.2 ×2, 0.25 ×3; the median lies between 0 and 0.2. Prices inside 90–110: 5 of 10.
    const figures = {
      model: 'value',
      month: '2026-10',
      n: 10,
      mdape: 10,
      within10: 50,
      withinRange: 50,
      medianRatio: 1,
    }
    expect(whole).toEqual(figures)
    expect(city).toEqual({ city: 'Oakton', ...figures })
    expect(rest).toEqual([])
  })

  test('fewer than 10 are withheld, also where the whole market has enough', () => {
    expect(liveAccuracy(sold(times(9, 100)))).toEqual([])
    const two = liveAccuracy([...sold(times(9, 100)), ...sold(times(9, 100), '2026-10', 'Elmton')])
    expect(two.map(({ city, n }) => [city, n])).toEqual([[undefined, 18]])
  })

  test('a month has a band from 30 sales', () => {
    expect(liveAccuracy(sold(times(29, 100)))[0]!.band).toBeUndefined()
    const [row] = liveAccuracy(sold(times(30, 100)))
    // All 30 inside: P(X ≥ 30) = 0.8^30 = 0.12%, less than half a percent.
    expect(row).toMatchObject({ withinRange: 100, outside: ['withinRange'] })
  })
})

describe('bands', () => {
  test('coverage: the 99% interval of the binomial distribution around 80%', () => {
    // With 3 trials: P(0) = 0.008, and P(X ≤ 2) = 0.488.
    expect(coverageBand(3)).toEqual({ low: 0, high: 3 })
    // With 4 trials: P(0) = 0.0016, P(X ≤ 1) = 0.0272.
    expect(coverageBand(4)).toEqual({ low: 1, high: 4 })
    // Near the normal interval 8000 ± 2.576·40, and without underflow.
    const many = coverageBand(10_000)
    expect(Math.abs(many.low - 7_897)).toBeLessThanOrEqual(2)
    expect(Math.abs(many.high - 8_103)).toBeLessThanOrEqual(2)
  })

  test('ratio: three standard errors of a median around 1', () => {
    // Quartiles 0.9 and 1.1, so the spread is 0.2/1.349; 36 ratios.
    const ratios = [...times(12, 0.9), ...times(12, 1), ...times(12, 1.1)]
    const reach = (3 * 1.2533 * (0.2 / 1.349)) / 6
    expect(medianBand(ratios).low).toBeCloseTo(1 - reach, 10)
    expect(medianBand(ratios).high).toBeCloseTo(1 + reach, 10)
  })
})

describe('the alarm', () => {
  const good = [...times(24, 100), ...times(6, 120)]
  const low = times(30, 150)
  const alarms = (outcomes: readonly Outcome[]) =>
    liveAccuracy(outcomes).flatMap(({ city, month, alarm }) => (alarm && !city ? [month] : []))

  test('rises when two months in a row are outside the band', () => {
    expect(alarms([...sold(low, '2026-09'), ...sold(low, '2026-10')])).toEqual(['2026-10'])
    expect(alarms([...sold(low, '2025-12'), ...sold(low, '2026-01')])).toEqual(['2026-01'])
  })

  test('does not rise after one month, with a month between, or once the last month is good again', () => {
    expect(alarms(sold(low, '2026-10'))).toEqual([])
    expect(alarms([...sold(good, '2026-09'), ...sold(low, '2026-10')])).toEqual([])
    expect(alarms([...sold(low, '2026-08'), ...sold(low, '2026-10')])).toEqual([])
    expect(alarms([...sold(low, '2026-08'), ...sold(low, '2026-09'), ...sold(good, '2026-10')])).toEqual([])
  })

  test('stays while the running month has too few sales for a band', () => {
    expect(alarms([...sold(low, '2026-09'), ...sold(low, '2026-10'), ...sold(times(12, 100), '2026-11')])).toEqual([
      '2026-10',
    ])
  })
})

test('probabilities have a Brier score; withdrawn listings are counted and not scored', () => {
  const place = { city: 'Oakton', month: '2026-10', model: 'bidding-war' } as const
  const [whole] = liveAccuracy([
    ...times(4, { ...place, probability: 0.5, happened: true }),
    ...times(6, { ...place, probability: 0.2, happened: false }),
    ...times(3, { ...place, withdrawn: true as const }),
  ])
  // (4 · 0.25 + 6 · 0.04) / 10
  expect(whole).toEqual({ model: 'bidding-war', month: '2026-10', n: 10, brier: 0.124, withdrawn: 3 })
})
