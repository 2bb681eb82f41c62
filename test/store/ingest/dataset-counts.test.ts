import { expect, test } from 'vitest'
import { sql } from '../../../src/store/engine/database.ts'
import { recountMarket } from '../../../src/store/ingest/dataset-counts.ts'
import { ingest, listingRow, parcelRow, permitRow, saleRow } from '../../ingest/feed.ts'
import { useDatabaseWithQueue } from '../../setup/database.ts'

const store = useDatabaseWithQueue()

const counts = async () => {
  const { rows } = await sql`
    select dataset, city_slug, source_id, city, rows, removed, newest_on from dataset_count where rows > 0 order by 1, 2, 3`.execute(
    store().db,
  )
  return rows
}

/** Each step is loaded after the ones before it. */
const steps: [does: string, load: () => Promise<unknown>][] = [
  ['a first listing', () => ingest(store(), 'listings', [listingRow()])],
  ['its parcel and others', () => ingest(store(), 'parcels', parcels(12), { complete: true })],
  ['sales', () => ingest(store(), 'sales', [saleRow(), saleRow({ saleId: 'S2', soldOn: '2026-01-02' })])],
  ['permits', () => ingest(store(), 'permits', permits(12), { complete: true })],
  ['permits again, one in another city', () => ingest(store(), 'permits', moved, { complete: true })],
  ['a feed that lacks a permit', () => ingest(store(), 'permits', moved.slice(1), { complete: true })],
  ['another source that has it', () => ingest(store(), 'permits', moved.slice(0, 1), { id: 'other' })],
  ['a feed that lacks a parcel', () => ingest(store(), 'parcels', parcels(11), { complete: true })],
  ['the parcel back', () => ingest(store(), 'parcels', parcels(12), { complete: true })],
  ['a parcel of another source', () => ingest(store(), 'parcels', parcels(13).slice(11), { id: 'second' })],
  ['a rejected row of a removed parcel', () => ingest(store(), 'parcels', parcels(11), { complete: true })],
]

const parcels = (count: number) =>
  Array.from({ length: count }, (_, n) => parcelRow({ apn: `123-45-${600 + n}`, address: `${10 + n} Oak St` }))
const permits = (count: number) =>
  Array.from({ length: count }, (_, n) => permitRow({ permitId: `B-${n}`, issuedOn: `2026-10-${10 + n}` }))
const moved = permits(12).map((row) => (row.permitId === 'B-3' ? { ...row, city: 'Menlo Park' } : row))

test('the counts that loads keep equal the rows in the tables', async () => {
  for (const [does, load] of steps) {
    await load()
    const kept = await counts()
    await recountMarket(store().db, 'sf-peninsula')
    expect(kept, does).toEqual(await counts())
  }
  expect((await counts()).map((row) => Object.values(row as object).join(' '))).toMatchSnapshot()
})
