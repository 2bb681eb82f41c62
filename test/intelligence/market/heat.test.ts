import { describe, expect, test } from 'vitest'
import {
  type HeatStatistics,
  heatLevel,
  heatStatistics,
  marketHeat,
  storedHeat,
} from '../../../src/intelligence/market/heat.ts'
import { spearman } from '../../../src/intelligence/statistics/rank-correlation.ts'

const city = (facts: Partial<HeatStatistics> = {}): HeatStatistics => ({ sales: 60, saleToList: 0.99, ...facts })
const heat = (facts: Partial<HeatStatistics> = {}) => marketHeat(city(facts)).score!

describe('marketHeat', () => {
  test('rises with the sale-to-list ratio, stays within 0-100, and parts add up to it', () => {
    const findings = [0.6, 0.95, 0.975, 1, 1.4].map((saleToList) => marketHeat(city({ saleToList })))
    const scores = findings.map(({ score }) => score!)
    expect(scores).toEqual([...scores].sort((a, b) => a - b))
    expect(scores[0]).toBeGreaterThanOrEqual(0)
    expect(scores[2]).toBeCloseTo(50, 9)
    expect(scores[4]).toBeLessThanOrEqual(100)
    for (const { parts, score } of findings)
      expect(parts.reduce((sum, part) => sum + part.points, 0)).toBeCloseTo(score!, 9)
  })

  test('typical Peninsula figures give a hot market and typical Nantucket figures a cool one', () => {
    expect(heat({ saleToList: 1.05 })).toBeGreaterThan(75)
    expect(heat({ saleToList: 0.945 })).toBeLessThan(35)
  })

  test('under five sales, or without list prices, there is no index', () => {
    expect(marketHeat(city({ sales: 4 }))).toEqual({
      parts: [],
      used: ['saleToList'],
      missing: ['sales'],
      confidence: 'low',
    })
    expect(marketHeat(city({ sales: 5 })).score).toBeDefined()
    expect(marketHeat({ sales: 60 })).toEqual({ parts: [], used: [], missing: ['saleToList'], confidence: 'low' })
  })

  test('a city with few sales is adjusted toward the county, one with many hardly', () => {
    const county = city({ saleToList: 0.95 })
    const pulled = (sales: number) =>
      heat({ sales, saleToList: 1.05 }) - marketHeat(city({ sales, saleToList: 1.05 }), county).score!
    expect(pulled(6)).toBeGreaterThan(3 * pulled(200))
    expect(pulled(200)).toBeGreaterThan(0)
    const shrunk = marketHeat(city({ sales: 20, saleToList: 1.05 }), county)
    expect(shrunk.score).toBeCloseTo((heatLevel(1.05) + heatLevel(0.95)) / 2, 9)
    expect(shrunk.parts[1]!.because).toBe(
      'Sale price to list price: 105.0% (20 sales); adjusted toward 95.0% in the whole market',
    )
  })

  test('the confidence follows the number of sales, and a stored index says the same as a computed one', () => {
    for (const [sales, confidence] of [
      [40, 'high'],
      [39, 'medium'],
      [15, 'medium'],
      [14, 'low'],
      [4, 'low'],
    ] as const) {
      const computed = marketHeat(city({ sales }))
      const { score, parts } = computed
      expect(computed.confidence).toBe(confidence)
      const stored = storedHeat({ heatIndex: score, parts, sales })
      expect(stored).toMatchObject({ score, parts, confidence, sales })
      expect(stored.used.length > 0).toBe(score !== undefined)
    }
  })
})

describe('heatStatistics', () => {
  const sale = (soldOn: string, priceUsd: number, listPriceUsd?: number, daysOnMarket?: number) => ({
    soldOn,
    priceUsd,
    listPriceUsd,
    daysOnMarket,
  })

  test('counts only the window, and leaves impossible ratios out', () => {
    const statistics = heatStatistics(
      [
        sale('2026-10-01', 110, 100, 10),
        sale('2026-10-02', 98, 100, 20),
        sale('2026-10-03', 900, 100, 30),
        sale('2026-01-01', 200, 100, 1),
        sale('2026-12-01', 200, 100, 1),
      ],
      '2026-11-15',
    )
    expect(statistics.sales).toBe(3)
    expect(statistics.saleToList).toBeCloseTo(1.04)
    expect(statistics.shareAboveList).toBeCloseTo(0.5)
    expect(statistics.daysToPending).toBe(20)
  })

  test('without data every statistic is unknown', () => {
    expect(heatStatistics([], '2026-11-15')).toEqual({ sales: 0 })
  })
})

test('rank correlation is 1 for the same order, −1 for the reverse, and shares ties', () => {
  expect(spearman([1, 2, 3], [10, 20, 90])).toBeCloseTo(1)
  expect(spearman([1, 2, 3], [3, 2, 1])).toBeCloseTo(-1)
  expect(spearman([1, 1, 2, 2], [1, 1, 2, 2])).toBeCloseTo(1)
})

test('a stored index without a figure is missing its input', () => {
  const stored = { parts: [], sales: 40 }
  expect(storedHeat({ ...stored, heatIndex: 60 })).toMatchObject({
    used: ['saleToList'],
    missing: [],
    confidence: 'high',
  })
  expect(storedHeat(stored)).toMatchObject({ used: [], missing: ['saleToList'] })
  expect([39, 15, 14].map((sales) => storedHeat({ ...stored, sales }).confidence)).toEqual(['medium', 'medium', 'low'])
})
