import { describe, expect, test } from 'vitest'
import { expectedPrice, fitSaleToList } from '../../../src/intelligence/bidding-war/expected-price.ts'
import { seededRandom } from '../../../src/intelligence/valuation/seeded-random.ts'

/** Sale over list price rises with the probability; half of the spread on each side. */
const closings = (count: number, seed: number) => {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => {
    const probability = 0.05 + 0.9 * random()
    return { probability, saleToList: Math.exp(-0.04 + 0.12 * probability + 0.16 * (random() - 0.5)) }
  })
}
const fitted = (rows: ReturnType<typeof closings>) =>
  fitSaleToList(
    rows.map(({ probability }) => probability),
    rows,
  )

describe('the expected price', () => {
  test('needs 300 closings', () => {
    expect(fitted(closings(299, 1))).toBeUndefined()
    expect(fitted(closings(300, 1))).toBeDefined()
  })

  test('is closer to new sales than the asking price, and its range holds four of five', () => {
    const model = fitted(closings(3000, 1))!
    const errors = closings(3000, 2).map(({ probability, saleToList }) => {
      const { p10, p50, p90 } = expectedPrice(model, 1_000_000, probability)
      const sale = 1_000_000 * saleToList
      return { expected: Math.abs(p50 - sale), asking: Math.abs(1_000_000 - sale), within: sale >= p10 && sale <= p90 }
    })
    const sum = (name: 'expected' | 'asking') => errors.reduce((total, each) => total + each[name], 0)
    expect(sum('expected')).toBeLessThan(0.9 * sum('asking'))
    const held = errors.filter(({ within }) => within).length / errors.length
    expect(held).toBeGreaterThan(0.77)
    expect(held).toBeLessThan(0.83)
  })

  test('has no jumps: a small change of price or probability changes it little, and its quantiles keep their order', () => {
    const model = fitted(closings(3000, 1))!
    let before = expectedPrice(model, 1_000_000, 0)
    for (let step = 1; step <= 2000; step++) {
      const now = expectedPrice(model, 1_000_000, step / 2000)
      expect(now.p10).toBeLessThanOrEqual(now.p50)
      expect(now.p50).toBeLessThanOrEqual(now.p90)
      for (const name of ['p10', 'p50', 'p90'] as const) expect(Math.abs(now[name] - before[name])).toBeLessThan(2_000)
      before = now
    }
    expect(expectedPrice(model, 1_000_100, 1).p50 - before.p50).toBeLessThan(200)
  })
})
