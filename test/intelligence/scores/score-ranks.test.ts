import fc from 'fast-check'
import { expect, test } from 'vitest'
import { percentileIn, rankIn, scoreAtPercentile } from '../../../src/intelligence/scores/score-ranks.ts'

const quantiles = Array.from({ length: 501 }, (_, k) => k / 5)
const even = { count: 2000, quantiles }

test('the percentile is the share with a lower score, ties count half', () => {
  expect(rankIn(even, -1)?.percentile).toBe(0)
  expect(rankIn(even, 100.1)?.percentile).toBe(99)
  expect(percentileIn(even, 50)).toBeCloseTo(50, 9)
  expect(percentileIn({ count: 4, quantiles: [0, 0, 0, 8] }, 0)).toBe(37.5)
  expect(percentileIn({ count: 4, quantiles: [0.1234, 8] }, 0.12341)).toBe(25)
})

test('a higher score never ranks lower, and the grade follows from the percentile', () => {
  const ranks = Array.from({ length: 100 }, (_, k) => rankIn(even, k + 0.5)!)
  expect(ranks.every(({ percentile }, k) => k === 0 || percentile >= ranks[k - 1]!.percentile)).toBe(true)
  for (const { percentile, grade } of ranks)
    expect(grade).toBe(['F', 'D', 'C', 'B', 'A'][[25, 50, 75, 90].filter((from) => percentile >= from).length])
})

test('without a population or a score there is no rank', () => {
  expect(rankIn(undefined, 5)).toBeUndefined()
  expect(rankIn(even, undefined)).toBeUndefined()
})

test('exactly the scores from the threshold of a percentile on reach it', () => {
  const tenThousandths = fc.integer({ min: 0, max: 12 })
  fc.assert(
    fc.property(
      fc.array(tenThousandths, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 0, max: 99 }),
      (values, percentile) => {
        const distribution = { count: values.length, quantiles: values.toSorted((a, b) => a - b).map((at) => at / 1e4) }
        const threshold = scoreAtPercentile(distribution, percentile)
        for (let at = -2; at <= 14; at++)
          expect(rankIn(distribution, at / 1e4)!.percentile >= percentile, `score ${at / 1e4}`).toBe(
            threshold !== undefined && at / 1e4 >= threshold,
          )
      },
    ),
    {
      examples: [
        [[0], 0],
        [[0], 99],
        [[0, 4], 50],
      ],
    },
  )
  expect(scoreAtPercentile(even, 0)).toBe(-Infinity)
})
