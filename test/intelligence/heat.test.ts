import { describe, expect, test } from 'vitest'
import {
  type HeatStatistics,
  heatComponents,
  heatIndex,
  heatInputs,
  heatLevel,
  marketHeat,
} from '../../src/intelligence/heat.ts'
import { heatStatistics } from '../../src/intelligence/heat-statistics.ts'
import { spearman } from '../../src/intelligence/rank-correlation.ts'

const city = (facts: Partial<HeatStatistics> = {}): HeatStatistics => ({
  sales: 60,
  saleToList: 0.99,
  shareAboveList: 0.3,
  daysToPending: 35,
  monthsOfSupply: 3,
  pendingRatio: 0.4,
  priceCutShare: 0.2,
  ...facts,
})
const heat = (facts: Partial<HeatStatistics> = {}) => marketHeat(city(facts)).score!

describe('marketHeat', () => {
  test.each([
    ['sale to list', { saleToList: 1.06 }],
    ['share above list', { shareAboveList: 0.7 }],
    ['days to pending', { daysToPending: 8 }],
    ['months of supply', { monthsOfSupply: 0.8 }],
    ['pending share', { pendingRatio: 0.7 }],
    ['price cuts', { priceCutShare: 0.03 }],
  ] as const)('a hotter %s never lowers the index', (_, hotter) => {
    expect(heat(hotter)).toBeGreaterThan(heat())
  })

  test('stays within 0-100 and parts add up to it', () => {
    for (const facts of [
      { saleToList: 1.4, daysToPending: 0, monthsOfSupply: 0 },
      { saleToList: 0.6, daysToPending: 900, monthsOfSupply: 99 },
    ]) {
      const finding = marketHeat(city(facts))
      expect(finding.score!).toBeGreaterThanOrEqual(0)
      expect(finding.score!).toBeLessThanOrEqual(100)
      expect(finding.parts.reduce((sum, part) => sum + part.points, 0)).toBeCloseTo(finding.score!, 9)
    }
  })

  test('typical Peninsula figures give a hot market and typical Nantucket figures a cool one', () => {
    expect(heat({ saleToList: 1.05, shareAboveList: 0.68, daysToPending: 12, monthsOfSupply: 1.2 })).toBeGreaterThan(75)
    expect(heat({ saleToList: 0.945, shareAboveList: 0.06, daysToPending: 110, monthsOfSupply: 9 })).toBeLessThan(35)
  })

  test('each part says its statistic in its unit', () => {
    const texts = marketHeat(city()).parts.map(({ because }) => because.split(': ')[1])
    expect(texts).toEqual([undefined, '99.0%', '30.0%', '35 days', '3.0 months', '40.0%', '20.0%'])
  })

  test('under five sales there is no index', () => {
    const finding = marketHeat(city({ sales: 4 }))
    expect(finding.score).toBeUndefined()
    expect(finding.missing).toContain('sales')
    expect(marketHeat(city({ sales: 5 })).score).toBeDefined()
  })

  test('a city with few sales is adjusted toward the county, one with many hardly', () => {
    const county = city({ saleToList: 0.95 })
    const pulled = (sales: number) =>
      heat({ sales, saleToList: 1.05 }) - marketHeat(city({ sales, saleToList: 1.05 }), county).score!
    expect(pulled(6)).toBeGreaterThan(3 * pulled(200))
    expect(pulled(200)).toBeGreaterThan(0)
    const shrunk = marketHeat(city({ sales: 20, saleToList: 1.05 }), county)
    const half = (heatLevel('saleToList', 1.05) + heatLevel('saleToList', 0.95)) / 2
    expect(shrunk.parts.find((part) => part.name === 'saleToList')!.points).toBeCloseTo(
      heatComponents.saleToList.weight * (half - 50),
      6,
    )
  })

  test('an unknown statistic is left out, not taken for zero', () => {
    const finding = marketHeat(city({ priceCutShare: undefined }))
    expect(finding.missing).toEqual(['priceCutShare'])
    expect(heatIndex({})).toBeUndefined()
    // 0.61 · 50 and 0.1 · 50: both statistics are at their centers.
    const { saleToList, priceCutShare } = heatComponents
    expect(heatIndex({ saleToList: saleToList.center, priceCutShare: priceCutShare.center })).toBeCloseTo(50, 9)
  })

  test('the confidence follows the number of sales and the weight of the statistics that are known', () => {
    expect([40, 39, 15, 14].map((sales) => marketHeat(city({ sales })).confidence)).toEqual([
      'high',
      'medium',
      'medium',
      'low',
    ])
    // 0.61 + 0.1 of the weight, then 0.61.
    expect(marketHeat({ sales: 60, saleToList: 1, priceCutShare: 0.2 }).confidence).toBe('high')
    expect(marketHeat({ sales: 60, saleToList: 1 }).confidence).toBe('medium')
  })

  test('weights sum to one', () => {
    expect(heatInputs.reduce((sum, input) => sum + heatComponents[input].weight, 0)).toBeCloseTo(1, 9)
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
      [
        { status: 'active', priceUsd: 90, originalPriceUsd: 100 },
        { status: 'active', priceUsd: 100, originalPriceUsd: 100 },
        { status: 'pending' },
        { status: 'sold' },
      ],
      '2026-11-15',
    )
    expect(statistics.sales).toBe(3)
    expect(statistics.saleToList).toBeCloseTo(1.04)
    expect(statistics.shareAboveList).toBeCloseTo(0.5)
    expect(statistics.daysToPending).toBe(20)
    expect(statistics.pendingRatio).toBeCloseTo(1 / 3)
    expect(statistics.priceCutShare).toBeCloseTo(0.5)
    expect(statistics.monthsOfSupply).toBeCloseTo(2 / (3 / (90 / 30.4)))
  })

  test('without data every statistic is unknown', () => {
    expect(heatStatistics([], [], '2026-11-15')).toEqual({ sales: 0 })
  })
})

test('rank correlation is 1 for the same order, −1 for the reverse, and shares ties', () => {
  expect(spearman([1, 2, 3], [10, 20, 90])).toBeCloseTo(1)
  expect(spearman([1, 2, 3], [3, 2, 1])).toBeCloseTo(-1)
  expect(spearman([1, 1, 2, 2], [1, 1, 2, 2])).toBeCloseTo(1)
})
