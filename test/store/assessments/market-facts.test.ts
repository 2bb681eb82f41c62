import { expect, test } from 'vitest'
import { marketSales } from '../../../src/store/assessments/market-facts.ts'
import { ingest, saleRow } from '../../ingest/feed.ts'
import { useDatabaseWithQueue } from '../../setup/database.ts'

const store = useDatabaseWithQueue()

test('a transfer for a token price is stored but not used to fit models', async () => {
  const result = await ingest(store(), 'sales', [
    saleRow({ saleId: 'S-market', priceUsd: '900000' }),
    saleRow({ saleId: 'S-token', priceUsd: '10' }),
  ])
  expect(result.counts.inserted).toBe(2)
  const learned = await marketSales(store().db, 'sf-peninsula', '2000-01-01')
  expect(learned.map(({ saleId }) => saleId)).toEqual([expect.stringContaining('S-market')])
})

test('of many sales all recent ones are read and a stable share of the older ones', async () => {
  await ingest(
    store(),
    'sales',
    Array.from({ length: 60 }, (_, n) =>
      saleRow({ saleId: `N-${n}`, soldOn: n < 20 ? '2026-02-01' : '2021-02-01', priceUsd: '900000' }),
    ),
    { id: 'many' },
  )
  const read = async () =>
    (await marketSales(store().db, 'sf-peninsula', '2020-01-01', { most: 40, allSince: '2026-01-01' })).map(
      ({ saleId, soldOn }) => `${soldOn} ${saleId}`,
    )
  const once = await read()
  expect(once.filter((sale) => sale.startsWith('2026'))).toHaveLength(20)
  expect(once.length).toBeGreaterThan(25)
  expect(once.length).toBeLessThan(55)
  expect(await read()).toEqual(once)
})
