import { describe, expect, test } from 'vitest'
import { fitMarket } from '../../../src/intelligence/valuation/fit-market.ts'
import { seededRandom } from '../../../src/intelligence/valuation/seeded-random.ts'
import type { ValuationSale } from '../../../src/intelligence/valuation/valuation-facts.ts'
import { valueHome } from '../../../src/intelligence/valuation/value-home.ts'
import { simulatedSales, withParts } from './simulated-market.ts'

const asOf = '2024-01-01'
const quick = { assumptions: { maxTrees: 50, folds: 3 } }

describe('the range', () => {
  test('is wider for homes that are harder to value and covers about 80% of both kinds', () => {
    // Houses built before 1960 sell with four times the noise of the others.
    const random = seededRandom(3)
    const bell = () => random() + random() + random() + random() - 2
    const noisy = (sale: ValuationSale): ValuationSale =>
      sale.yearBuilt! < 1960 ? { ...sale, priceUsd: sale.priceUsd * Math.exp(0.35 * bell()) } : sale
    const sales = simulatedSales({ count: 6_000, noise: 0.05 }).map(noisy)
    const [known, later] = [sales.slice(0, 4_500), sales.slice(4_500)]
    const model = fitMarket(known, asOf)!
    const valued = later.map((sale) => {
      const { priceUsd, saleId: _, soldOn, ...home } = sale
      const { lowUsd, highUsd } = valueHome(model, home, soldOn)!
      return { old: sale.yearBuilt! < 1960, inside: priceUsd >= lowUsd && priceUsd <= highUsd, width: highUsd / lowUsd }
    })
    const share = (rows: typeof valued) => rows.filter(({ inside }) => inside).length / rows.length
    const width = (rows: typeof valued) => rows.reduce((sum, row) => sum + Math.log(row.width), 0) / rows.length
    const [old, young] = [valued.filter((row) => row.old), valued.filter((row) => !row.old)]
    expect(width(old)).toBeGreaterThan(1.5 * width(young))
    for (const rows of [old, young]) {
      expect(share(rows)).toBeGreaterThan(0.72)
      expect(share(rows)).toBeLessThan(0.89)
    }
  })
})

describe('condominiums', () => {
  test('do not change the values of houses', () => {
    const houses = simulatedSales({ count: 1_500 })
    const condos = simulatedSales({ count: 1_200, seed: 11, condoShare: 1 }).map((sale) => ({
      ...sale,
      saleId: `c${sale.saleId}`,
      // Priced by a different rule, which a pooled model would attribute to location and size.
      priceUsd: Math.round(sale.priceUsd * 0.7),
    }))
    const { priceUsd: _, saleId: __, ...home } = houses[0]!
    const alone = fitMarket(houses, asOf, quick)!
    const mixed = fitMarket([...houses, ...condos], asOf, quick)!
    expect(withParts(valueHome(mixed, home, asOf))).toEqual(withParts(valueHome(alone, home, asOf)))
    const { priceUsd, saleId: ___, ...condo } = condos[0]!
    expect(Math.abs(valueHome(mixed, condo, condo.soldOn)!.valueUsd / priceUsd - 1)).toBeLessThan(0.3)
  })
})

test('a few implausible deeds do not change the calibration of other homes', () => {
  const sales = simulatedSales({ count: 2_000 })
  const clean = fitMarket(sales, asOf, quick)!.calibration.stretch
  // One deed in fifty at a tenth of the price.
  const dirty = sales.map((sale, i) => (i % 50 === 0 ? { ...sale, priceUsd: sale.priceUsd / 10 } : sale))
  expect(fitMarket(dirty, asOf, quick)!.calibration.stretch).toBeLessThanOrEqual(clean + 0.01)
})
