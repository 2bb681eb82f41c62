import { expect, test } from 'vitest'
import { percentileIn, rankIn } from '../../../src/intelligence/scores/score-ranks.ts'

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
