import { expect, test } from 'vitest'
import { quantileOf } from '../../../src/intelligence/valuation/quantiles.ts'
import { seededRandom } from '../../../src/intelligence/valuation/seeded-random.ts'
import { fitRange, rangeAt, type ValueRange } from '../../../src/intelligence/valuation/value-range.ts'

/** Values of a market whose prices scatter around them; some homes are four times as hard to value. */
const heldOut = (count: number, seed: number) => {
  const random = seededRandom(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const logValue = Array.from({ length: count }, () => 13 + 0.25 * normal())
  const expectedError = logValue.map(() => (random() < 0.2 ? 0.2 : 0.05))
  return { logValue, expectedError, logPrice: logValue.map((v, k) => v + 1.25 * expectedError[k]! * normal()) }
}

const insideOf = (range: ValueRange, { logValue, logPrice, expectedError }: ReturnType<typeof heldOut>) =>
  logValue.map((v, k) => {
    const { below, above } = rangeAt(range, v)
    return logPrice[k]! >= v - below * expectedError[k]! && logPrice[k]! <= v + above * expectedError[k]!
  })

const shareOf = (inside: readonly boolean[], within: (k: number) => boolean) => {
  const some = inside.filter((_, k) => within(k))
  return some.filter(Boolean).length / some.length
}

const fresh = heldOut(20_000, 8)
const [cheap, expensive] = [quantileOf(fresh.logPrice, 0.1), quantileOf(fresh.logPrice, 0.9)]

test('the range covers the homes that sold cheapest and highest almost as often as the others', () => {
  const even: ValueRange = [{ logValue: 13, below: 1.28 * 1.25, above: 1.28 * 1.25 }]
  const [untilted, tilted] = [insideOf(even, fresh), insideOf(fitRange(heldOut(6_000, 7), 0.8), fresh)]
  for (const outer of [(k: number) => fresh.logPrice[k]! <= cheap, (k: number) => fresh.logPrice[k]! >= expensive]) {
    expect(shareOf(untilted, outer)).toBeLessThan(0.72)
    expect(shareOf(tilted, outer)).toBeGreaterThan(0.73)
  }
})

test('the range covers four of five prices at every value', () => {
  const inside = insideOf(fitRange(heldOut(6_000, 7), 0.8), fresh)
  for (let tenth = 0; tenth < 10; tenth++) {
    const [from, to] = [tenth / 10, (tenth + 1) / 10].map((share) => quantileOf(fresh.logValue, share))
    const share = shareOf(inside, (k) => fresh.logValue[k]! >= from! && fresh.logValue[k]! <= to!)
    expect(share).toBeGreaterThan(0.75)
    expect(share).toBeLessThan(0.85)
  }
})

test('with few sales every home has the same reach', () => {
  const range = fitRange(heldOut(500, 9), 0.8)
  expect(rangeAt(range, 12)).toEqual(rangeAt(range, 14))
})

test('between two knots the reach is interpolated, beyond them it stays', () => {
  const range = [
    { logValue: 12, below: 3, above: 1 },
    { logValue: 14, below: 1, above: 2 },
  ]
  expect(rangeAt(range, 13)).toEqual({ below: 2, above: 1.5 })
  expect(rangeAt(range, 11)).toMatchObject({ below: 3, above: 1 })
  expect(rangeAt(range, 15)).toMatchObject({ below: 1, above: 2 })
})
