import { describe, expect, test } from 'vitest'
import { fitMarket } from '../../../src/intelligence/valuation/fit-market.ts'
import { monthlyIndex } from '../../../src/intelligence/valuation/monthly-index.ts'
import { weightedMedian } from '../../../src/intelligence/valuation/quantiles.ts'
import { studyRatios } from '../../../src/intelligence/valuation/ratio-study.ts'
import { recentComparables } from '../../../src/intelligence/valuation/recent-comparables.ts'
import { valueHome } from '../../../src/intelligence/valuation/value-home.ts'
import { simulatedSales, truePrice } from './simulated-market.ts'

const quick = { assumptions: { maxTrees: 100, folds: 3 } }
const asOf = '2023-10-01'
const sales = simulatedSales({ count: 3000 })
const model = fitMarket(sales, asOf, quick)!
const later = sales.filter((sale) => sale.soldOn >= asOf)

describe('a value', () => {
  test('is the weighted median of the adjusted prices of its own grid', () => {
    for (const { priceUsd: _, ...home } of later.slice(0, 40)) {
      const value = valueHome(model, home, home.soldOn)!
      const median = weightedMedian(
        value.comps.map((comp) => comp.adjustedUsd),
        value.comps.map((comp) => comp.weight),
      )
      expect(value.valueUsd).toBeCloseTo(median, 6)
      expect(value.lowUsd).toBeLessThan(value.valueUsd)
      expect(value.highUsd).toBeGreaterThan(value.valueUsd)
    }
  })

  test('shows lines that sum: time-adjusted price, attributes, unexplained part', () => {
    const value = valueHome(model, later[0]!, asOf)!
    for (const comp of value.comps) {
      const sum = comp.timeAdjustedUsd + comp.attributeAdjustmentUsd + comp.unexplainedAdjustmentUsd
      expect(comp.adjustedUsd).toBeCloseTo(sum, 6)
      expect(comp.soldOn < asOf).toBe(true)
    }
    expect(value.comps.reduce((total, comp) => total + comp.weight, 0)).toBeCloseTo(1, 9)
  })

  test('matches prices that follow a rule to within their noise', () => {
    const study = studyRatios(
      later.map((sale) => ({ valueUsd: valueHome(model, sale, sale.soldOn)!.valueUsd, priceUsd: sale.priceUsd })),
    )!
    expect(study.mdape).toBeLessThan(8)
    expect(study.medianRatio).toBeGreaterThan(0.97)
    expect(study.medianRatio).toBeLessThan(1.03)
  })

  test('has a range that contains about 80% of prices', () => {
    const inside = later.filter((sale) => {
      const value = valueHome(model, sale, sale.soldOn)!
      return sale.priceUsd >= value.lowUsd && sale.priceUsd <= value.highUsd
    })
    expect(inside.length / later.length).toBeGreaterThan(0.7)
    expect(inside.length / later.length).toBeLessThan(0.92)
  })

  test('does not change with sales on or after the date, nor with the order of the sales', () => {
    const known = sales.filter((sale) => sale.soldOn < asOf)
    const again = fitMarket([...known].reverse(), asOf, quick)!
    expect(valueHome(again, later[0]!, asOf)).toEqual(valueHome(model, later[0]!, asOf))
  })

  test('does not use the price of the home being valued', () => {
    const dear = { ...later[0]!, priceUsd: 9e9, listPriceUsd: 9e9 }
    expect(valueHome(model, dear, asOf)).toEqual(valueHome(model, later[0]!, asOf))
  })

  test('is undefined for a home of unknown size or location', () => {
    expect(valueHome(model, { ...later[0]!, livingSqft: undefined }, asOf)).toBeUndefined()
    expect(valueHome(model, { ...later[0]!, lat: undefined, city: undefined }, asOf)).toBeUndefined()
  })

  test('has low confidence for a home with only a city', () => {
    const value = valueHome(model, { ...later[0]!, lat: undefined, lng: undefined }, asOf)!
    expect(value.confidence).toBe('low')
  })

  test('is given without lot, rooms and year, and lists them as missing', () => {
    const { lotSqft: _, beds: _b, baths: _c, yearBuilt: _y, ...sparse } = later[0]!
    const value = valueHome(model, sparse, asOf)!
    expect(value.missing).toEqual(['lotSqft', 'beds', 'baths', 'yearBuilt'])
    expect(value.valueUsd).toBeGreaterThan(0.7 * truePrice(later[0]!))
    expect(value.valueUsd).toBeLessThan(1.5 * truePrice(later[0]!))
  })
})

describe('comparables', () => {
  test('are of the same city and type if there are enough', () => {
    const inland = later.find((sale) => Math.abs(sale.lng! + 122.25) > 0.03)!
    expect(valueHome(model, inland, asOf)).toMatchObject({ compsCityMatched: true, compsTypeMatched: true })
  })

  test('are not called matched for an unknown city', () => {
    const { city: _, ...nowhere } = later[0]!
    expect(valueHome(model, nowhere, asOf)!.compsCityMatched).toBe(false)
    expect(valueHome(model, { ...later[0]!, propertyType: undefined }, asOf)!.compsTypeMatched).toBe(false)
  })

  test('recent ones are counted within half a year and a mile, with their mean price per square foot', () => {
    const home = later[0]!
    const recent = recentComparables(model, home, asOf)
    expect(recent.recentSalesCount).toBeGreaterThan(0)
    const km = (sale: (typeof sales)[number]) =>
      Math.hypot(
        (sale.lat! - home.lat!) * 110.574,
        (sale.lng! - home.lng!) * 111.32 * Math.cos((37.45 * Math.PI) / 180),
      )
    const expected = sales.filter((sale) => sale.soldOn < asOf && sale.soldOn >= '2023-04-02' && km(sale) <= 1.609)
    expect(recent.recentSalesCount).toBe(Math.min(50, expected.length))
  })

  test('without nearby sales the count is zero and the mean undefined', () => {
    expect(recentComparables(model, { ...later[0]!, lat: 45 }, asOf)).toEqual({ recentSalesCount: 0 })
  })
})

describe('the price index', () => {
  test('recovers the growth built into the prices', () => {
    const months = monthlyIndex(model)
    const growth = Math.log(months.at(-1)!.index / months[0]!.index) / ((months.length - 1) / 12)
    expect(months[0]!.index).toBe(100)
    expect(growth).toBeGreaterThan(0.04)
    expect(growth).toBeLessThan(0.08)
  })

  test('of a city is close to its market’s, and empty for an unknown city', () => {
    expect(monthlyIndex(model, 'westby').at(-1)!.index / monthlyIndex(model).at(-1)!.index).toBeCloseTo(1, 1)
    expect(monthlyIndex(model, 'Nowhere')).toEqual([])
  })
})

describe('a small or patchy market', () => {
  test('with a few dozen sales still gives values, with fewer no model', () => {
    const few = simulatedSales({ count: 60 })
    const small = fitMarket(few, '2024-06-01', quick)!
    const value = valueHome(small, few[0]!, '2024-06-01')!
    expect(value.valueUsd).toBeGreaterThan(0.5 * few[0]!.priceUsd)
    expect(value.valueUsd).toBeLessThan(2 * few[0]!.priceUsd)
    expect(fitMarket(few.slice(0, 10), '2024-06-01', quick)).toBeUndefined()
  })

  test('with condos, missing lots and no cities is valued about as well', () => {
    const mixed = simulatedSales({ count: 2500, condoShare: 0.4, missingLots: 0.5, withCity: false, seed: 9 })
    const patchy = fitMarket(mixed, asOf, quick)!
    const study = studyRatios(
      mixed
        .filter((sale) => sale.soldOn >= asOf)
        .map((sale) => ({ valueUsd: valueHome(patchy, sale, sale.soldOn)!.valueUsd, priceUsd: sale.priceUsd })),
    )!
    expect(study.mdape).toBeLessThan(9)
  })

  test('counts unusable sales by reason', () => {
    const bad = [
      { ...sales[0]!, saleId: 'a', livingSqft: undefined },
      { ...sales[0]!, saleId: 'b', priceUsd: 0 },
      { ...sales[0]!, saleId: 'c', soldOn: 'soon' },
    ]
    const fitted = fitMarket([...sales.slice(0, 100), ...bad], '2024-06-01', quick)!
    expect(fitted.sales.rejected).toEqual({ 'no living area': 1, 'no price': 1, 'no sale date': 1 })
  })
})
