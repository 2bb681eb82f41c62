import { expect, test } from 'vitest'
import { marketSales } from '../../../src/store/assessments/market-facts.ts'
import { ingest, parcelRow, saleRow } from '../../ingest/feed.ts'
import { useDatabaseWithQueue } from '../../setup/database.ts'

const store = useDatabaseWithQueue()

test('generated sales are evidence only while the market has no real parcels or listings', async () => {
  const { db } = store()
  const generated = { id: 'generated-sales', sample: true, market: 'nantucket' } as const
  const place = { city: 'Nantucket', state: 'MA' }
  await ingest(store(), 'sales', [saleRow({ ...place, saleId: 'G-1' })], generated)
  const learned = async () =>
    (await marketSales(db, 'nantucket', { from: '2000-01-01', until: '2100-01-01' })).map(({ saleId }) => saleId)
  expect(await learned()).toEqual(['generated-sales:G-1'])
  await ingest(store(), 'parcels', [parcelRow({ ...place, apn: '931-215', address: '5 Pine St' })], {
    id: 'county-parcels',
    market: 'nantucket',
  })
  expect(await learned()).toEqual([])
})
