import { expect, test } from 'vitest'
import { fitsHere } from '../../src/assess/fits.ts'
import { fitsBeside } from '../../src/bin/fit-thread.ts'
import { valueHome } from '../../src/intelligence/valuation/value-home.ts'

const sales = Array.from({ length: 80 }, (_, i) => ({
  saleId: `s${i}`,
  soldOn: `2025-${String(1 + (i % 12)).padStart(2, '0')}-15`,
  priceUsd: 1_500_000 + ((i * 37) % 50) * 20_000,
  city: 'Palo Alto',
  propertyType: 'single_family' as const,
  livingSqft: 1_200 + ((i * 53) % 30) * 60,
  lotSqft: 6_000 + ((i * 29) % 40) * 100,
  yearBuilt: 1940 + ((i * 17) % 80),
  lat: 37.42 + ((i * 11) % 20) * 0.001,
  lng: -122.14 + ((i * 7) % 20) * 0.001,
}))
const closings = Array.from({ length: 120 }, (_, i) => ({
  facts: {
    market: 'sf-peninsula' as const,
    area: 'Palo Alto',
    listPriceUsd: 1_000_000 + i * 9_000,
    livingSqft: 1_200 + i * 7,
    words: [i % 3 === 0 ? 'remodeled' : 'original', i % 2 === 0 ? 'view' : 'quiet'],
  },
  over: i % 3 === 0 || i % 7 === 0,
}))

test('values learned in a thread are those learned here, and serve to value a home', async () => {
  const here = (await fitsHere.values(sales, '2026-01-01'))!
  const beside = (await fitsBeside.values(sales, '2026-01-01'))!
  expect(beside).toEqual(here)
  const { priceUsd: _, soldOn: __, saleId: ___, ...home } = sales[0]!
  expect(valueHome(beside, home, '2026-01-01')).toEqual(valueHome(here, home, '2026-01-01'))
})

test('too few sales teach nothing, in a thread as here', async () => {
  expect(await fitsBeside.values(sales.slice(0, 5), '2026-01-01')).toBeUndefined()
})

test('bidding-war odds fitted in a thread are those fitted here', async () => {
  const here = await fitsHere.biddingWar(closings)
  expect(here.kind).toBe('fitted')
  expect(await fitsBeside.biddingWar(closings)).toEqual(here)
})

test('a fit that fails in its thread says why', async () => {
  await expect(fitsBeside.biddingWar(undefined as never)).rejects.toThrow(/undefined/)
})
