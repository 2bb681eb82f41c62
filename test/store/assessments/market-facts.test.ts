import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { marketSales } from '../../../src/store/assessments/market-facts.ts'
import { pastSales } from '../../../src/store/assessments/past-sales.ts'
import { ingest, saleRow } from '../../ingest/feed.ts'
import { useDatabaseWithQueue } from '../../setup/database.ts'
import { property, sale } from '../../setup/rows.ts'

const store = useDatabaseWithQueue()

test('a transfer for a token price is stored but not used to fit models', async () => {
  const result = await ingest(store(), 'sales', [
    saleRow({ saleId: 'S-market', priceUsd: '900000' }),
    saleRow({ saleId: 'S-token', priceUsd: '10' }),
  ])
  expect(result.counts.inserted).toBe(2)
  const learned = await marketSales(store().db, 'sf-peninsula', { from: '2000-01-01', until: '2100-01-01' })
  expect(learned.map(({ saleId }) => saleId)).toEqual([expect.stringContaining('S-market')])
})

test('of many sales, all recent ones and a fixed share of the older ones are read', async () => {
  await ingest(
    store(),
    'sales',
    Array.from({ length: 60 }, (_, n) =>
      saleRow({ saleId: `N-${n}`, soldOn: n < 20 ? '2026-02-01' : '2021-02-01', priceUsd: '900000' }),
    ),
    { id: 'many' },
  )
  const read = async () =>
    (
      await marketSales(
        store().db,
        'sf-peninsula',
        { from: '2020-01-01', until: '2100-01-01' },
        { most: 40, allSince: '2026-01-01' },
      )
    ).map(({ saleId, soldOn }) => `${soldOn} ${saleId}`)
  const once = await read()
  expect(once.filter((sale) => sale.startsWith('2026'))).toHaveLength(20)
  expect(once.length).toBeGreaterThan(25)
  expect(once.length).toBeLessThan(55)
  expect(await read()).toEqual(once)
})

test('a sale that trains a model has the lot of its parcel, as the homes that are assessed have', async () => {
  const { db } = store()
  const id = await property(db, { id: 'p_001lot', lot_sqft: 7_000, lat: 37.4, lng: -122.1 })
  const home = { property_id: id, match_method: 'apn', match_confidence: 'high', property_type: 'single_family' }
  await sale(db, { ...home, sold_on: '2026-05-01', price_usd: 1_500_000, living_sqft: 1_500, lot_sqft: 6_200 })
  const [learned] = (await marketSales(db, 'sf-peninsula', { from: '2026-05-01', until: '2100-01-01' })).filter(
    ({ propertyId }) => propertyId === id,
  )
  expect(learned).toMatchObject({ lotSqft: 7_000, livingSqft: 1_500 })
  const [past] = (await pastSales(db, 'sf-peninsula', { from: '2026-05-01', until: '2100-01-01' }, 10)).filter(
    ({ propertyId }) => propertyId === id,
  )
  expect(past).toMatchObject({ lotSqft: 7_000 })
})

test('a sale without some of its facts takes no more memory than a plain object', async () => {
  setFlagsFromString('--allow-natives-syntax')
  const isPlain = runInNewContext('(object) => %HasFastProperties(object)') as (object: object) => boolean
  const { db } = store()
  await sale(db, { sold_on: '2026-06-01', price_usd: 1_100_000, beds: null })
  const [learned] = await marketSales(db, 'sf-peninsula', { from: '2026-06-01', until: '2100-01-01' })
  expect(learned).not.toHaveProperty('beds')
  expect(isPlain(learned!)).toBe(true)
})
