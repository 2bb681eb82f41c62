import { beforeEach, expect, test } from 'vitest'
import { type Db, sql } from '../../../src/store/engine/database.ts'
import { removeSource } from '../../../src/store/ingest/remove-source.ts'
import { saleFacts } from '../../../src/store/search/sale-facts.ts'
import { indexSales, saleSearchRows, salesOfTouched } from '../../../src/store/search/sale-upkeep.ts'
import { ingest, listingRow, parcelRow, saleRow } from '../../ingest/feed.ts'
import { useDatabaseWithQueue } from '../../setup/database.ts'
import { emptyTables } from '../../setup/rows.ts'

const store = useDatabaseWithQueue()
beforeEach(async () => {
  await emptyTables(store().db, 'source', 'property', 'event', 'touched_property')
})

/** Rows that are in sale_search or should be, but not both. */
const drift = async (db: Db = store().db) => {
  const asText = (from: ReturnType<typeof sql>) =>
    // Only a process of the version before writes overlays_yes.
    sql`select to_jsonb(r) - 'location' - 'overlays_yes' || jsonb_build_object('location', r.location::text) from (${from}) r`
  const stored = asText(sql`select * from sale_search`)
  const right = asText(saleSearchRows())
  const { rows } = await sql`((${stored}) except (${right})) union all ((${right}) except (${stored}))`.execute(db)
  return rows
}

const stored = async () => {
  const { rows } = await sql<{ saleId: string; propertyId: string | null; lotSize: number | null; zip: string | null }>`
    select sale_id, property_id, lot_size, zip from sale_search order by sale_id`.execute(store().db)
  return rows.map(({ saleId, propertyId, lotSize, zip }) => [saleId, propertyId !== null, lotSize, zip])
}

const sales = Array.from({ length: 12 }, (_, at) =>
  saleRow({ saleId: `S${String(at).padStart(2, '0')}`, address: `${at + 1} Oak St`, livingSqft: 1500 }),
)
const parcels = (lotSqft: number) =>
  Array.from({ length: 6 }, (_, at) =>
    parcelRow({ apn: `123-45-60${at}`, address: `${at + 1} Oak St`, lotSqft, zip: '94301', lat: 37.4, lng: -122.1 }),
  )

test('sale_search follows loads of sales and parcels, in either order', async () => {
  await ingest(store(), 'sales', sales)
  expect(await stored()).toEqual(sales.map(({ saleId }) => [saleId, false, null, null]))
  await ingest(store(), 'parcels', parcels(7000))
  expect((await stored())[0]).toEqual(['S00', true, 7000, '94301'])
  expect((await stored())[6]).toEqual(['S06', false, null, null])
  expect(await drift()).toEqual([])
  await ingest(store(), 'parcels', parcels(8000))
  expect((await stored())[0]).toEqual(['S00', true, 8000, '94301'])
  expect(await drift()).toEqual([])
  await ingest(store(), 'listings', [listingRow({ address: '9 Oak St', apn: undefined })])
  expect((await stored())[8]).toEqual(['S08', true, null, null])
  expect(await drift()).toEqual([])
  // The listing has touched one home, and its run reads no other sale.
  const touched = await sql<{ at: Date }>`select max(touched_at) as at from touched_property`.execute(store().db)
  expect((await salesOfTouched(['sf-peninsula'], touched.rows[0]!.at).execute(store().db)).rows).toEqual([
    { market: 'sf-peninsula', sourceId: 'test-sales', saleId: 'S08' },
  ])
  await ingest(
    store(),
    'sales',
    sales.map((row) => ({ ...row, priceUsd: 1_000_000 })),
  )
  const { rows } = await sql<{ price: number }>`select distinct price from sale_search`.execute(store().db)
  expect(rows).toEqual([{ price: 1_000_000 }])
  expect(await drift()).toEqual([])
})

test('a sale that a complete feed no longer contains leaves sale_search until it returns, with and without a property', async () => {
  const complete = { complete: true }
  await ingest(store(), 'parcels', parcels(7000))
  await ingest(store(), 'sales', sales, complete)
  const without = sales.filter(({ saleId }) => saleId !== 'S00' && saleId !== 'S11')
  expect(await ingest(store(), 'sales', without, complete)).toMatchObject({ removed: 2 })
  expect((await stored()).map(([id]) => id)).toEqual(without.map(({ saleId }) => saleId))
  expect(await drift()).toEqual([])
  expect(await ingest(store(), 'sales', sales, complete)).toMatchObject({ returned: 2 })
  expect((await stored()).length).toBe(12)
  expect(await drift()).toEqual([])
})

test('removing a source removes its sales from sale_search, and its parcels from the sales of others', async () => {
  await ingest(store(), 'parcels', parcels(7000))
  await ingest(store(), 'sales', sales)
  await removeSource(store().db, 'test-parcels', new Date())
  expect((await stored())[0]).toEqual(['S00', false, null, null])
  expect(await drift()).toEqual([])
  await removeSource(store().db, 'test-sales', new Date())
  expect(await stored()).toEqual([])
})

test('unchanged sales are neither written nor locked', async () => {
  const { db } = store()
  await ingest(store(), 'sales', sales)
  const versions = async () =>
    (await sql`select xmin::text, xmax::text from sale_search order by sale_id`.execute(db)).rows
  const before = await versions()
  await indexSales(db)
  expect(await versions()).toEqual(before)
})

test('the upkeep repairs each column that differs', async () => {
  const { db } = store()
  await ingest(store(), 'parcels', parcels(7000))
  await ingest(store(), 'sales', sales)
  const others: Record<string, string> = {
    location: 'point(1, 1)',
    sold_on: `date '2001-01-01'`,
    known_from_listing: 'true',
  }
  const texts = ['property_id', 'city_slug', 'zip', 'property_type']
  for (const name of Object.keys(saleFacts)) {
    const other = others[name] ?? (texts.includes(name) ? `'other'` : '-77')
    await sql`update sale_search set ${sql.ref(name)} = ${sql.raw(other)}`.execute(db)
    expect([name, (await drift()).length]).not.toEqual([name, 0])
    await indexSales(db)
    expect([name, await drift()]).toEqual([name, []])
  }
})
