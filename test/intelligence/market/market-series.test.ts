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
  salesSince: new Map(),
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

const salesIn = (month: number, citySlug: string, zip: string, count: number) =>
  Array.from({ length: count }, () => sale(`2025-0${month}-10`, 500_000, { citySlug, zip }))

/** In February ZIP code 00003 lies in Easton, whose three sales in 00001 would be what the two other ZIP codes leave. */
const zipWithinOneMonth = [
  ...salesIn(1, 'westby', '00003', 30),
  ...['00002', '00003'].flatMap((zip) => salesIn(2, 'easton', zip, 30)),
  ...salesIn(2, 'easton', '00001', 3),
  ...salesIn(2, 'northam', '00005', 3),
  ...salesIn(2, 'colby', '00006', 3),
  ...salesIn(2, 'westby', '00004', 30),
]

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
          const used = all.filter(({ listPriceUsd }) => figure === 'medianSalePrice' || listPriceUsd !== undefined)
          const size = (row: SeriesRow) => inRow(used, row).length
          for (const parent of rows.filter((row) => row.figures[figure] !== undefined)) {
            for (const parts of familiesOf(parent, rows, used)) {
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
      { numRuns: 60, examples: [[oneWithheldCity], [zipWithinOneMonth]] },
    )
  })

  test('a city within a ZIP code that another city shares does not follow from ZIP codes minus that city', () => {
    const rows = marketSeriesOf(
      input({
        sales: [
          ...salesIn(2, 'westby', '00008', 40),
          ...salesIn(2, 'westby', '00009', 20),
          ...salesIn(2, 'colby', '00009', 2),
          ...salesIn(2, 'easton', '00007', 9),
          ...salesIn(2, 'northam', '00006', 10),
        ],
      }),
    )
    const shown = ['00008', '00009'].map(
      (zip) => rowOf(rows, 'month', '2025-02-01', '', zip)?.figures.medianSalePrice !== undefined,
    )
    expect(rowOf(rows, 'month', '2025-02-01', 'westby')?.figures.medianSalePrice).toBe(500_000)
    // Both and Westby would give the two sales of Colby.
    expect(shown).toEqual([true, false])
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
  const own = new Set(inRow(all, parent))
  const within = (row: SeriesRow) => row !== parent && inRow(all, row).every((each) => own.has(each))
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

test('the periods in which the known sales begin are partial', () => {
  const since = (day: string) =>
    marketSeriesOf(
      input({ sales: [sale(day, 500_000), sale('2025-12-20', 500_000)], salesSince: new Map([['', day]]) }),
    )
  expect(rowOf(since('2025-11-20'), 'year', '2025-01-01')).toMatchObject({ n: 2, partial: true })
  expect(rowOf(since('2025-11-20'), 'month', '2025-11-01')).toMatchObject({ n: 1, partial: true })
  expect(rowOf(since('2025-11-20'), 'month', '2025-12-01')).toMatchObject({ n: 1, partial: false })
  expect(rowOf(since('2025-01-07'), 'year', '2025-01-01')).toMatchObject({ n: 2, partial: false })
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

test('the number of sales is unknown before the first one of the place, and 0 in a later period without sales', () => {
  const permits = ['2025-01', '2025-04'].map((month) => ({
    citySlug: 'easton',
    month,
    permitClass: 'adu' as const,
    count: 1,
  }))
  const permitsSince = new Map(['', 'easton'].map((city) => [city, '2025-01']))
  const salesSince = new Map([
    ['', '2024-12-10'],
    ['c:easton', '2025-02-10'],
  ])
  const rows = marketSeriesOf(input({ permits, permitsSince, sales: [sale('2025-02-10', 500_000)], salesSince }))
  const sold = (citySlug: string) =>
    ['2025-01-01', '2025-02-01', '2025-04-01'].map((month) => rowOf(rows, 'month', month, citySlug)?.figures.homesSold)
  expect(sold('')).toEqual([0, 1, 0])
  expect(sold('easton')).toEqual([undefined, 1, 0])
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
