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
