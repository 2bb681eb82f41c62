import { expect, test } from 'vitest'
import { backtestLabels, rebuiltKey } from '../../src/backtest/backtest-rebuilds.ts'
import { seededRandom } from '../../src/intelligence/valuation/seeded-random.ts'
import type { ValuationSale } from '../../src/intelligence/valuation/valuation-facts.ts'

/** Small old houses are rebuilt, others are not. */
const town = (count: number): { sales: ValuationSale[]; labels: Map<string, boolean> } => {
  const random = seededRandom(5)
  const labels = new Map<string, boolean>()
  const sales = Array.from({ length: count }, (_, i): ValuationSale => {
    const livingSqft = Math.round(800 + 2400 * random())
    const yearBuilt = 1930 + Math.floor(85 * random())
    const soldOn = `2014-${String(1 + (i % 12)).padStart(2, '0')}-10`
    labels.set(rebuiltKey(`p${i}`, soldOn), livingSqft < 1300 && yearBuilt < 1960 && random() < 0.7)
    return {
      saleId: `s${i}`,
      propertyId: `p${i}`,
      soldOn,
      priceUsd: Math.round(300 * livingSqft * (0.9 + 0.2 * random())),
      livingSqft,
      lotSqft: 6000,
      yearBuilt,
      lat: 47.5 + 0.05 * random(),
      lng: -122.3 + 0.05 * random(),
      propertyType: 'single_family',
    }
  })
  return { sales, labels }
}

test('small old houses that were rebuilt score higher, and a fit on other folds knows their share', () => {
  const { sales, labels } = town(400)
  const report = backtestLabels(sales, labels, 1)
  expect(report.rows).toBe(400)
  expect(report.rebuilt).toBe([...labels.values()].filter(Boolean).length)
  expect(report.shipped.auc).toBeGreaterThan(0.8)
  expect(report.fitted.auc.mean).toBeGreaterThan(0.85)
  const base = report.rebuilt / report.rows
  expect(report.fitted.brier).toBeLessThan(base * (1 - base))
  expect(report.fitted.slope).toBeGreaterThan(0.5)
  const [low, high] = report.fitted.slope90
  expect([low < report.fitted.slope, high > report.fitted.slope]).toEqual([true, true])
  expect(report.fitted.mean).toBeCloseTo(base, 1)
  // No tenth states more than it showed, where chance allows it.
  expect(report.fitted.overstated).toBeLessThanOrEqual(1)
})

test('labels whose parcel numbers lost their leading zeros are found', () => {
  expect(rebuiltKey('0042000245', '2014-05-02')).toBe(rebuiltKey('42000245', '2014-05-02'))
})

test('only labeled sales are scored, and too few rebuilt houses are rejected', () => {
  const { sales, labels } = town(400)
  const some = new Map([...labels].filter(([, rebuilt], at) => rebuilt || at % 2 === 0))
  expect(some.size).toBeLessThan(labels.size)
  expect(backtestLabels(sales, some, 1).rows).toBe(some.size)
  expect(() => backtestLabels(sales, new Map([...labels].map(([key]) => [key, false])), 1)).toThrow('only 0 labeled')
})
