import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type MarketSeriesInput,
  marketSeriesOf,
  type SeriesRow,
  type SeriesSale,
  threeDigits,
  typicalPrice,
} from '../../../src/intelligence/market/market-series.ts'

const input = (given: Partial<MarketSeriesInput>): MarketSeriesInput => ({
  year: 2025,
  on: '2026-03-15',
  sales: [],
  listings: [],
  permits: [],
  permitsSince: new Map(),
  indexOf: () => undefined,
  heatOf: () => undefined,
  ...given,
})

const sale = (soldOn: string, priceUsd: number, given: Partial<SeriesSale> = {}): SeriesSale => ({
  citySlug: 'easton',
  soldOn,
  priceUsd,
  ...given,
})

const rowOf = (rows: readonly SeriesRow[], interval: string, period: string, citySlug = '', zip = '') =>
  rows.find((row) => row.interval === interval && row.period === period && row.citySlug === citySlug && row.zip === zip)

/** Sales of three cities, whose ZIP codes lie within one city, cross two or are unknown. */
const sales = fc
  .array(
    fc.record({
      place: fc.constantFrom(
        { citySlug: 'easton', zip: '00001' },
        { citySlug: 'easton', zip: '00002' },
        { citySlug: 'easton', zip: '00003' },
        { citySlug: 'westby', zip: '00003' },
        { citySlug: 'westby', zip: '00004' },
        { citySlug: 'northam', zip: '00005' },
        { citySlug: 'northam' },
      ),
      month: fc.integer({ min: 1, max: 12 }),
      price: fc.integer({ min: 40, max: 60 }),
      listPriceUsd: fc.option(fc.integer({ min: 450_000, max: 550_000 }), { nil: undefined }),
    }),
    { minLength: 1, maxLength: 220 },
  )
  .map((all) =>
    all.map(
      ({ place, month, price, listPriceUsd }): SeriesSale => ({
        ...place,
        soldOn: `2025-${String(month).padStart(2, '0')}-10`,
        priceUsd: price * 10_000,
        ...(listPriceUsd === undefined ? {} : { listPriceUsd }),
      }),
    ),
  )

/** Easton's three sales in January withhold its nine in February, which the market minus Westby would give. */
const oneWithheldCity = Object.entries({ easton: [3, 9, 30], westby: [30, 30, 30] }).flatMap(([citySlug, counts]) =>
  counts.flatMap((count, at) => Array.from({ length: count }, () => sale(`2025-0${at + 1}-10`, 500_000, { citySlug }))),
)

const inRow = (all: readonly SeriesSale[], { citySlug, zip, interval, period }: SeriesRow) => {
  const length = { month: 1, quarter: 3, year: 12 }[interval]
  const first = Number(period.slice(5, 7))
  return all.filter((each) => {
    const month = Number(each.soldOn.slice(5, 7))
    return (
      month >= first &&
      month < first + length &&
      (citySlug === '' || each.citySlug === citySlug) &&
      (zip === '' || each.zip === zip)
    )
  })
}

describe('small groups', () => {
  test('a group under 5 has counts and no prices, ratios or days', () => {
    const four = Array.from({ length: 4 }, (_, at) =>
      sale('2025-02-10', 500_000 + at, { listPriceUsd: 490_000, daysOnMarket: 9, livingSqft: 1_000 }),
    )
    const row = rowOf(marketSeriesOf(input({ sales: four })), 'year', '2025-01-01')!
    expect(row).toMatchObject({ n: 4, suppressed: true })
    expect(row.figures).toEqual({
      homesSold: 4,
      withheld: ['medianSalePrice', 'medianPricePerSqft', 'saleToList', 'soldAboveListPct', 'medianDaysOnMarket'],
    })
  })

  test('no served price of a group under 20 is the price of one of its sales', () => {
    fc.assert(
      fc.property(sales, (all) => {
        for (const row of marketSeriesOf(input({ sales: all }))) {
          const own = inRow(all, row)
          expect(row.n).toBe(own.length)
          if (own.length >= 20) continue
          expect(own.map(({ priceUsd }) => priceUsd)).not.toContain(row.figures.medianSalePrice)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('nothing withheld follows from the market minus cities or ZIP codes, a city minus ZIP codes, a year minus quarters or a quarter minus months', () => {
    fc.assert(
      fc.property(sales, (all) => {
        const rows = marketSeriesOf(input({ sales: all }))
        for (const figure of ['medianSalePrice', 'soldAboveListPct'] as const) {
          const size = (row: SeriesRow) =>
            inRow(all, row).filter(({ listPriceUsd }) => figure === 'medianSalePrice' || listPriceUsd !== undefined)
              .length
          for (const parent of rows.filter((row) => row.figures[figure] !== undefined)) {
            for (const parts of familiesOf(parent, rows, all)) {
              const hidden = parts.filter((row) => size(row) > 0 && row.figures[figure] === undefined)
              const rest = size(parent) - parts.reduce((sum, row) => sum + size(row), 0)
              const left = rest + hidden.reduce((sum, row) => sum + size(row), 0)
              if (left === 0) continue
              expect(left).toBeGreaterThanOrEqual(5)
              // A single withheld part would be what is left.
              if (hidden.length > 0) expect(hidden.length + (rest > 0 ? 1 : 0)).toBeGreaterThanOrEqual(2)
            }
          }
        }
      }),
      { numRuns: 60, examples: [[oneWithheldCity]] },
    )
  })

  test('a city whose only ZIP code is withheld is withheld too', () => {
    const of = (month: number, count: number) =>
      Array.from({ length: count }, (_, at) =>
        sale(`2025-0${month}-10`, 500_000 + at, { citySlug: 'westby', zip: '00009' }),
      )
    const rows = marketSeriesOf(input({ sales: [...of(1, 3), ...of(2, 9), ...of(3, 30)] }))
    for (const [citySlug, zip] of [
      ['westby', ''],
      ['', '00009'],
      ['', ''],
    ] as const)
      expect(rowOf(rows, 'month', '2025-02-01', citySlug, zip)?.figures.medianSalePrice).toBeUndefined()
  })
})

/** The sets of rows that an attacker would subtract from a row. */
const familiesOf = (parent: SeriesRow, rows: readonly SeriesRow[], all: readonly SeriesSale[]): SeriesRow[][] => {
  const samePeriod = rows.filter(({ interval, period }) => interval === parent.interval && period === parent.period)
  const samePlace = rows.filter(({ citySlug, zip }) => citySlug === parent.citySlug && zip === parent.zip)
  const within = (row: SeriesRow) =>
    row !== parent &&
    all
      .filter((each) => (row.zip === '' ? each.citySlug === row.citySlug : each.zip === row.zip))
      .every((each) =>
        parent.zip === '' ? parent.citySlug === '' || each.citySlug === parent.citySlug : each.zip === parent.zip,
      )
  const cities = samePeriod.filter((row) => row.citySlug !== '' && within(row))
  const zips = samePeriod.filter((row) => row.zip !== '' && within(row))
  const next = parent.interval === 'year' ? 'quarter' : 'month'
  const periods = samePlace.filter(
    ({ interval, period }) =>
      interval === next &&
      parent.interval !== 'month' &&
      period >= parent.period &&
      (parent.interval === 'year' || Number(period.slice(5, 7)) < Number(parent.period.slice(5, 7)) + 3),
  )
  return [
    ...(parent.citySlug === '' ? [cities] : []),
    ...(parent.zip === '' ? [zips] : []),
    ...(parent.interval === 'month' ? [] : [periods]),
  ].filter((parts) => parts.length > 0)
}

test('money has three significant digits', () => {
  const prices = Array.from({ length: 21 }, (_, at) => 1_234_567 + at)
  expect(typicalPrice(prices)).toBe(1_230_000)
  expect(threeDigits(1_575.4)).toBe(1_580)
})

test('a small group of equal prices shows another price close to them', () => {
  expect(typicalPrice([500_000, 500_000, 500_000, 500_000, 500_000])).toBe(501_000)
})

test('the period that has not ended is partial, and later ones are not shown', () => {
  const rows = marketSeriesOf(
    input({ year: 2026, sales: [sale('2026-02-03', 700_000), sale('2026-03-20', 700_000)], on: '2026-03-15' }),
  )
  expect(rowOf(rows, 'month', '2026-02-01')).toMatchObject({ n: 1, partial: false })
  expect(rowOf(rows, 'quarter', '2026-01-01')).toMatchObject({ n: 1, partial: true })
  expect(rowOf(rows, 'month', '2026-03-01')).toBeUndefined()
})

test('supply is unknown before the listings of the market begin, and counted after', () => {
  const listed = (listedOn: string, priceUsd: number, given = {}) => ({
    citySlug: 'easton',
    status: 'active' as const,
    listedOn,
    priceUsd,
    originalPriceUsd: 500_000,
    ...given,
  })
  const listings = [
    ...Array.from({ length: 6 }, (_, at) => listed('2025-05-02', at < 3 ? 450_000 : 500_000)),
    listed('2025-05-03', 500_000, { pendingOn: '2025-05-20' }),
    listed('2025-05-03', 500_000, { status: 'withdrawn' }),
  ]
  const sold = Array.from({ length: 5 }, () => sale('2025-05-10', 480_000))
  const rows = marketSeriesOf(
    input({ listings, sales: [...sold, sale('2025-02-02', 1e6)], listingsSince: '2025-03-01' }),
  )
  expect(rowOf(rows, 'month', '2025-05-01')?.figures).toMatchObject({
    inventory: 6,
    newListings: 8,
    priceDropsPct: 50,
    monthsOfSupply: 1.2,
  })
  expect(rowOf(rows, 'month', '2025-02-01')?.figures.inventory).toBeUndefined()
})

test('the number of sales is unknown before the first one of the market, and 0 in a later period without sales', () => {
  const permits = ['2025-01', '2025-04'].map((month) => ({
    citySlug: 'easton',
    month,
    permitClass: 'adu' as const,
    count: 1,
  }))
  const permitsSince = new Map([['', '2025-01']])
  const rows = marketSeriesOf(
    input({ permits, permitsSince, sales: [sale('2025-02-10', 500_000)], salesSince: '2025-02-10' }),
  )
  const sold = (month: string) => rowOf(rows, 'month', month)?.figures.homesSold
  expect(['2025-01-01', '2025-02-01', '2025-04-01'].map(sold)).toEqual([undefined, 1, 0])
})

test('permits are counted by class and unknown before the first of the city', () => {
  const permit = (month: string, permitClass: 'adu' | 'new_house', count: number) => ({
    citySlug: 'easton',
    month,
    permitClass,
    count,
  })
  const rows = marketSeriesOf(
    input({
      permits: [permit('2025-04', 'adu', 3), permit('2025-05', 'new_house', 2)],
      permitsSince: new Map([
        ['easton', '2025-04'],
        ['', '2025-04'],
      ]),
      sales: [sale('2025-01-05', 400_000)],
    }),
  )
  expect(rowOf(rows, 'quarter', '2025-04-01', 'easton')?.figures).toMatchObject({
    aduPermits: 3,
    newHousePermits: 2,
    demolitions: 0,
  })
  expect(rowOf(rows, 'month', '2025-01-01', 'easton')?.figures.aduPermits).toBeUndefined()
})
