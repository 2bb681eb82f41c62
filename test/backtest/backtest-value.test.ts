import { expect, test } from 'vitest'
import { readSaleRow, type SaleRow } from '../../src/assess/sale-row.ts'
import { BacktestError, backtestValue } from '../../src/backtest/backtest-value.ts'
import { seededRandom } from '../../src/intelligence/valuation/seeded-random.ts'

const row = (over: Record<string, string> = {}): SaleRow => ({
  saleId: 's1',
  soldOn: '2023-05-04',
  priceUsd: '900000',
  livingSqft: '1500',
  lotSqft: '6000',
  beds: '3',
  baths: '2',
  yearBuilt: '1960',
  lat: '37.4',
  lng: '-122.2',
  propertyType: 'single_family',
  ...over,
})

/** A year of sales at about $600 a square foot. */
function rows(count: number): SaleRow[] {
  const random = seededRandom(2)
  return Array.from({ length: count }, (_, i) => {
    const livingSqft = Math.round(1000 + 2000 * random())
    return row({
      saleId: `s${i}`,
      soldOn: `2023-${String(1 + (i % 12)).padStart(2, '0')}-10`,
      livingSqft: String(livingSqft),
      priceUsd: String(Math.round(livingSqft * 600 * (0.9 + 0.2 * random()))),
      lat: String(37.4 + 0.05 * random()),
    })
  })
}

test('later sales are valued, earlier ones used for training, and each row is counted once', async () => {
  const study = await backtestValue(rows(360), '2023-11-01')
  expect(study.trainedOn).toBe(300)
  expect(study.n + study.notValued).toBe(60)
  expect(study.mdape).toBeLessThan(12)
})

test('later prices do not change the values of other later sales', async () => {
  const honest = rows(360)
  const shifted = honest.map((r) =>
    r.soldOn! >= '2023-11-01' ? { ...r, priceUsd: String(2 * Number(r.priceUsd)) } : r,
  )
  const one = await backtestValue(honest, '2023-11-01')
  const two = await backtestValue(shifted, '2023-11-01')
  expect(two.medianRatio).toBeCloseTo(one.medianRatio / 2, 9)
})

test('rows that cannot be read are rejected and counted by reason', async () => {
  const bad = [
    row({ saleId: 's0' }),
    row({ saleId: 'x1', soldOn: '2023-02-30' }),
    row({ saleId: 'x2', priceUsd: 'much' }),
    row({ saleId: 'x3', livingSqft: '' }),
    row({ saleId: 'x5', priceUsd: '10' }),
    row({ saleId: 'x4', lat: '', lng: '' }),
    row({ saleId: '' }),
  ]
  const study = await backtestValue([...rows(360), ...bad], '2023-11-01')
  expect(study.rejected).toEqual({
    'duplicate saleId': 1,
    'soldOn is not a date': 1,
    'priceUsd is not a positive number': 1,
    'priceUsd is a token price, not a market one': 1,
    'livingSqft is not a positive number': 1,
    'lat and lng are not a point': 1,
    'saleId is empty': 1,
  })
})

test('a date outside the sales is rejected with the date range of the file', async () => {
  await expect(backtestValue(rows(60), '2030-01-01')).rejects.toThrow(/run from 2023-01-10 to 2023-12-10/)
  await expect(backtestValue(rows(60), '2020-01-01')).rejects.toBeInstanceOf(BacktestError)
})

test('a missing value is undefined, not zero', () => {
  const read = readSaleRow(row({ lotSqft: '', beds: 'NULL', yearBuilt: '0', propertyType: 'castle' }))
  expect(read).toMatchObject({
    sale: { lotSqft: undefined, beds: undefined, yearBuilt: undefined, propertyType: undefined },
  })
})
