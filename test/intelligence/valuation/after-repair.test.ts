import { describe, expect, test } from 'vitest'
import { afterRepairPerSqft } from '../../../src/intelligence/valuation/after-repair.ts'
import { fitMarket } from '../../../src/intelligence/valuation/fit-market.ts'
import { weightedMedian } from '../../../src/intelligence/valuation/quantiles.ts'
import type { ValuationSale } from '../../../src/intelligence/valuation/valuation-facts.ts'
import { simulatedSales, truePrice } from './simulated-market.ts'

const quick = { assumptions: { maxTrees: 50, folds: 3 } }
const asOf = '2024-01-01'
const sales = simulatedSales({ count: 2500, townhouseShare: 0.2 })
const model = fitMarket(sales, asOf, quick)!
const old: ValuationSale = { ...sales[0]!, lat: 37.45, lng: -122.28, city: 'Westby', yearBuilt: 1930, livingSqft: 1200 }

/** The market without new homes in a city. */
const without = (city: string) => sales.filter((sale) => sale.city !== city || sale.yearBuilt! < 2005)

describe('the after-repair value', () => {
  test('is the weighted median of at least three renovated comparables of the same city and type', () => {
    const found = afterRepairPerSqft(model, old, 2400, asOf)!
    expect(found).toMatchObject({ compSource: 'city_renovated', compsCityMatched: true, compsTypeMatched: true })
    expect(found.compCount).toBe(found.comps.length)
    expect(found.compCount).toBeGreaterThanOrEqual(3)
    const median = weightedMedian(found.comps, (comp) => comp.adjustedPerSqft)
    expect(found.arvPerSqft).toBeCloseTo(median, 9)
    // No single sale decides.
    expect(Math.max(...found.comps.map((comp) => comp.weight))).toBeLessThanOrEqual(0.4 + 1e-9)
    expect(found.comps.reduce((sum, comp) => sum + comp.weight, 0)).toBeCloseTo(1, 9)
    const byId = new Map(sales.map((sale) => [sale.saleId, sale]))
    for (const comp of found.comps) {
      const sale = byId.get(comp.saleId)!
      expect(Number(sale.soldOn.slice(0, 4)) - sale.yearBuilt!).toBeLessThanOrEqual(11)
      expect(sale.city).toBe('Westby')
      expect(sale.propertyType).toBe('single_family')
      expect(comp.soldOn >= '2023-01-01').toBe(true)
    }
  })

  test('of a new house prefers new construction, that of a renovated one does not', () => {
    const old1960s = sales.map((sale) =>
      sale.city === 'Westby' && sale.yearBuilt! < 1980 && Number(sale.saleId.replace(/\D/g, '')) % 3 === 0
        ? { ...sale, yearRenovated: 2021 }
        : sale,
    )
    const mixed = fitMarket(old1960s, asOf, quick)!
    const builtIn = new Map(old1960s.map((sale) => [sale.saleId, sale]))
    const ofNew = (work: 'rebuild' | 'renovate') =>
      afterRepairPerSqft(mixed, old, 2400, asOf, work)!
        .comps.filter(({ saleId }) => builtIn.get(saleId)!.yearBuilt! >= 2010)
        .reduce((sum, { weight }) => sum + weight, 0)
    expect(ofNew('renovate')).toBeLessThan(0.7)
    expect(ofNew('rebuild')).toBeGreaterThan(ofNew('renovate') + 0.15)
    const { comps, largestCompSqft } = afterRepairPerSqft(mixed, old, 2400, asOf)!
    const sizes = comps.map(({ saleId }) => builtIn.get(saleId)!.livingSqft!)
    expect(largestCompSqft).toBe(Math.max(...sizes))
  })

  test('is close to the simulated price of a new home of that size', () => {
    const built = { ...old, yearBuilt: 2024, livingSqft: 2400 }
    const expected = (truePrice(built) / 2400) * Math.exp(0.06 * 2)
    const found = afterRepairPerSqft(model, old, 2400, asOf)!
    expect(found.arvPerSqft / expected).toBeGreaterThan(0.88)
    expect(found.arvPerSqft / expected).toBeLessThan(1.12)
  })

  test('falls back to the top quarter of the city, then to the market, and reports it', () => {
    const noNew = fitMarket(without('Westby'), asOf, quick)!
    expect(afterRepairPerSqft(noNew, old, 2400, asOf)).toMatchObject({
      compSource: 'city_top_quarter',
      compsCityMatched: true,
    })
    const noCity = fitMarket(
      sales.filter((sale) => sale.city !== 'Westby'),
      asOf,
      quick,
    )!
    expect(afterRepairPerSqft(noCity, old, 2400, asOf)).toMatchObject({
      compSource: 'market_renovated',
      compsCityMatched: false,
    })
  })

  test('needs three comparables of the type', () => {
    const fitWith = (townhouses: number) => {
      const newTownhouses = sales
        .filter((sale) => sale.yearBuilt! >= 2019 && sale.soldOn >= '2023-01-01')
        .slice(0, townhouses)
        .map((sale): ValuationSale => ({ ...sale, saleId: `t-${sale.saleId}`, propertyType: 'townhouse' }))
      return fitMarket([...sales.filter((sale) => sale.propertyType !== 'townhouse'), ...newTownhouses], asOf, quick)!
    }
    const townhouse: ValuationSale = { ...old, propertyType: 'townhouse' }
    expect(afterRepairPerSqft(fitWith(2), townhouse, 1500, asOf)).toBeUndefined()
    expect(afterRepairPerSqft(fitWith(3), townhouse, 1500, asOf)).toMatchObject({
      compCount: 3,
      compsTypeMatched: true,
    })
  })

  test('is undefined for a type without sales and for an unknown type', () => {
    expect(afterRepairPerSqft(model, { ...old, propertyType: 'condo' }, 900, asOf)).toBeUndefined()
    expect(afterRepairPerSqft(model, { ...old, propertyType: undefined }, 900, asOf)).toBeUndefined()
  })

  test('never has high confidence outside the city', () => {
    const { city: _, ...nowhere } = old
    const found = afterRepairPerSqft(model, nowhere, 2400, asOf)!
    expect(found.compsCityMatched).toBe(false)
    expect(found.confidence).not.toBe('high')
  })
})
