import { describe, expect, test } from 'vitest'
import { fitMarket } from '../../../src/intelligence/valuation/fit-market.ts'
import type { MarketModel } from '../../../src/intelligence/valuation/market-model.ts'
import { monthlyIndex } from '../../../src/intelligence/valuation/monthly-index.ts'
import { studyRatios } from '../../../src/intelligence/valuation/ratio-study.ts'
import { recentComparables } from '../../../src/intelligence/valuation/recent-comparables.ts'
import { seededRandom } from '../../../src/intelligence/valuation/seeded-random.ts'
import type { ValuationSale } from '../../../src/intelligence/valuation/valuation-facts.ts'
import { valueHome, valueOrReason } from '../../../src/intelligence/valuation/value-home.ts'
import { simulatedSales, truePrice, withParts } from './simulated-market.ts'

const quick = { assumptions: { maxTrees: 100, folds: 3 } }
const asOf = '2023-10-01'
const sales = simulatedSales({ count: 3000 })
const model = fitMarket(sales, asOf, quick)!
const later = sales.filter((sale) => sale.soldOn >= asOf)

/** Of these sales: the share with a value; of those the share inside the range, and its mean width in log terms. */
const coverage = (of: MarketModel, homes: readonly ValuationSale[]) => {
  const given = homes.flatMap((home) => {
    const value = valueHome(of, home, home.soldOn)
    return value ? [{ ...value, inside: home.priceUsd >= value.lowUsd && home.priceUsd <= value.highUsd }] : []
  })
  return {
    valued: given.length / homes.length,
    inside: given.filter(({ inside }) => inside).length / given.length,
    width: given.reduce((sum, { lowUsd, highUsd }) => sum + Math.log(highUsd / lowUsd), 0) / given.length,
  }
}

describe('a value', () => {
  test('says how far and how many the known sales are, and has a range around it', () => {
    for (const { priceUsd: _, ...home } of later.slice(0, 40)) {
      const value = valueHome(model, home, home.soldOn)!
      expect(value.lowUsd).toBeLessThan(value.valueUsd)
      expect(value.highUsd).toBeGreaterThan(value.valueUsd)
      expect(value.nearestSaleMi).toBeGreaterThanOrEqual(0)
      expect(Math.round(10 * value.nearestSaleMi)).toBeCloseTo(10 * value.nearestSaleMi, 9)
      expect(value.salesWithinMile12m).toBeGreaterThan(0)
    }
  })

  test('matches prices that follow a rule to within their noise', () => {
    const study = studyRatios(
      later.map((sale) => ({
        valueUsd: valueHome(model, sale, sale.soldOn)?.valueUsd ?? sale.priceUsd,
        priceUsd: sale.priceUsd,
      })),
    )!
    expect(study.mdape).toBeLessThan(8)
    expect(study.medianRatio).toBeGreaterThan(0.97)
    expect(study.medianRatio).toBeLessThan(1.03)
  })

  test('has a range that contains about 80% of prices', () => {
    const inside = later.filter((sale) => {
      const value = valueHome(model, sale, sale.soldOn)
      return value && sale.priceUsd >= value.lowUsd && sale.priceUsd <= value.highUsd
    })
    expect(inside.length / later.length).toBeGreaterThan(0.7)
    expect(inside.length / later.length).toBeLessThan(0.92)
  })

  test('does not change with sales on or after the date, nor with the order of the sales', () => {
    const known = sales.filter((sale) => sale.soldOn < asOf)
    const again = fitMarket([...known].reverse(), asOf, quick)!
    expect(withParts(valueHome(again, later[0]!, asOf))).toEqual(withParts(valueHome(model, later[0]!, asOf)))
  })

  test('does not use the price of the home being valued', () => {
    const dear = { ...later[0]!, priceUsd: 9e9, listPriceUsd: 9e9 }
    expect(withParts(valueHome(model, dear, asOf))).toEqual(withParts(valueHome(model, later[0]!, asOf)))
  })

  test.each([
    ['TOO_FEW_FACTS', { livingSqft: undefined }, asOf],
    // The center of its city is not its place: sales there would pass for sales next door.
    ['TOO_FEW_FACTS', { lat: undefined, lng: undefined }, asOf],
    ['NO_SALES_NEARBY', { lat: 37.9 }, asOf],
    ['UNLIKE_ITS_NEIGHBORS', { propertyType: 'condo' }, asOf],
    ['UNLIKE_ITS_NEIGHBORS', { livingSqft: 60_000 }, asOf],
    ['UNLIKE_ITS_NEIGHBORS', { lotSqft: 5_000_000 }, asOf],
    ['TOO_FEW_SALES', {}, '2026-10-01'],
  ] as const)('is not given beyond its support: %s %j', (reason, change, on) => {
    const { value, unavailable } = valueOrReason(model, { ...later[0]!, ...change }, on)
    expect(value).toBeUndefined()
    expect(unavailable!.reason).toBe(reason)
    expect(unavailable!.text).toMatch(/\w.*\.$/)
  })

  test('has a wider range without facts and long after the newest sale', () => {
    const width = (change: object, on = asOf) => {
      const { lowUsd, highUsd } = valueHome(model, { ...later[0]!, ...change }, on)!
      return Math.log(highUsd / lowUsd)
    }
    const full = width({})
    expect(width({ lotSqft: undefined, yearBuilt: undefined, beds: undefined, baths: undefined })).toBeGreaterThan(full)
    expect(width({}, '2024-09-01')).toBeGreaterThan(1.1 * full)
  })

  test('keeps 80% of prices in its range with facts left out, and widens it', () => {
    const random = seededRandom(5)
    const facts = ['lotSqft', 'yearBuilt', 'beds', 'baths', 'propertyType'] as const
    const all = coverage(model, later)
    for (const share of [0.5, 1]) {
      const blanked = later.map((sale) => ({
        ...sale,
        ...Object.fromEntries(facts.filter(() => random() < share).map((name) => [name, undefined])),
      }))
      const { inside, width } = coverage(model, blanked)
      expect(inside).toBeGreaterThanOrEqual(0.75)
      expect(inside).toBeLessThanOrEqual(0.87)
      expect(width).toBeGreaterThan(all.width)
    }
  })

  test('is given up to about a mile outside the known sales with a range that holds, and beyond with a reason only', () => {
    const southern = fitMarket(
      sales.filter(({ lat }) => lat! < 37.45),
      asOf,
      quick,
    )!
    const outside = (fromKm: number, toKm: number) =>
      simulatedSales({ count: 300, seed: 21 }).map((home, i) => {
        const lat = 37.45 + (fromKm + ((toKm - fromKm) * i) / 300) / 110.574
        return { ...home, lat, priceUsd: (home.priceUsd * truePrice({ ...home, lat })) / truePrice(home) }
      })
    expect(
      coverage(
        southern,
        later.filter(({ lat }) => lat! < 37.45),
      ).valued,
    ).toBeGreaterThanOrEqual(0.98)
    const near = coverage(southern, outside(0, 2))
    expect(near.valued).toBeGreaterThan(0.2)
    expect(near.inside).toBeGreaterThanOrEqual(0.75)
    for (const [from, to] of [
      [5, 15],
      [15, 30],
    ] as const)
      for (const home of outside(from, to))
        expect(valueOrReason(southern, home, asOf).unavailable?.reason).toBe('NO_SALES_NEARBY')
  })

  test('keeps 75% of prices in its range 9 to 12 months after the fit', () => {
    const early = fitMarket(sales, '2023-01-01', quick)!
    expect(coverage(early, later).inside).toBeGreaterThanOrEqual(0.75)
  })

  test('is given without lot, rooms and year, and lists them as missing', () => {
    const { lotSqft: _, beds: _b, baths: _c, yearBuilt: _y, ...sparse } = later[0]!
    const value = valueHome(model, sparse, asOf)!
    expect(value.missing).toEqual(['lotSqft', 'beds', 'baths', 'yearBuilt'])
    expect(value.valueUsd).toBeGreaterThan(0.7 * truePrice(later[0]!))
    expect(value.valueUsd).toBeLessThan(1.5 * truePrice(later[0]!))
  })
})

describe('recent sales', () => {
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
        .map((sale) => ({
          valueUsd: valueHome(patchy, sale, sale.soldOn)?.valueUsd ?? sale.priceUsd,
          priceUsd: sale.priceUsd,
        })),
    )!
    expect(study.mdape).toBeLessThan(9)
  })

  test('leaves out sales without a living area, a price or a date', () => {
    const bad = [
      { ...sales[0]!, saleId: 'a', livingSqft: undefined },
      { ...sales[0]!, saleId: 'b', priceUsd: 0 },
      { ...sales[0]!, saleId: 'c', soldOn: 'soon' },
    ]
    const fitted = fitMarket([...sales.slice(0, 100), ...bad], '2024-06-01', quick)!
    expect(fitted.sales.count).toBe(100)
  })
})
