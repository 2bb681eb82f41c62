// Rows removed from one source that another source still contains.
import { beforeEach, expect, test } from 'vitest'
import type { SourceConfig } from '../../src/domain/packs/source-config.ts'
import { sql } from '../../src/store/engine/database.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import { emptyTables } from '../setup/rows.ts'
import { ingest, listingRow, parcelRow, permitRow, type Row, tableRows } from './feed.ts'

const store = useDatabaseWithQueue()
beforeEach(async () => {
  await emptyTables(store().db, 'source', 'property', 'event', 'touched_property')
})

const complete = { complete: true } satisfies Partial<SourceConfig>
const others = (make: (at: number) => Row) => Array.from({ length: 4 }, (_, at) => make(at))
const openListings = others((at) => listingRow({ listingId: `L${at}`, address: `${at + 1} Oak St` }))
const otherPermits = others((at) => permitRow({ permitId: `B-${at}`, address: `${at + 1} Oak St`, apn: undefined }))
const parcelAt = (at: number, given: Row = {}) =>
  parcelRow({ apn: `123-45-${100 + at}`, address: `${at + 1} Oak St`, ...given })
const otherParcels = others((at) => parcelAt(at))
const at = { address: '99 Elm St' }

const currentAt = async () => {
  const { rows } = await sql<{ sourceId: string; status: string }>`
    select l.source_id, l.status from listing l join property p on p.id = l.property_id
    where p.address_key like '99 ELM%' and l.current`.execute(store().db)
  return rows
}

test('a removed listing does not hide the same home for sale in another source', async () => {
  await ingest(store(), 'listings', [listingRow({ listingId: 'OPEN', ...at, listedOn: '2026-09-01' })], {
    id: 'feed-b',
  })
  const newer = listingRow({ listingId: 'NEWER', ...at, listedOn: '2026-10-20' })
  await ingest(store(), 'listings', [...openListings, newer], { id: 'feed-a', ...complete })
  expect(await currentAt()).toEqual([{ sourceId: 'feed-a', status: 'active' }])
  await ingest(store(), 'listings', openListings, { id: 'feed-a', ...complete })
  expect(await currentAt()).toEqual([{ sourceId: 'feed-b', status: 'active' }])
  await ingest(store(), 'listings', [...openListings, newer], { id: 'feed-a', ...complete })
  expect(await currentAt()).toEqual([{ sourceId: 'feed-a', status: 'active' }])
})

test('a removed listing that returns as withdrawn is ranked by its date again', async () => {
  await ingest(store(), 'listings', [listingRow({ listingId: 'OLD', ...at, listedOn: '2026-01-01' })], { id: 'feed-b' })
  const withdrawn = listingRow({ listingId: 'NEWER', ...at, status: 'Withdrawn', listedOn: '2026-10-20' })
  const whole = [...openListings, withdrawn]
  await ingest(store(), 'listings', whole, { id: 'feed-a', ...complete })
  await ingest(store(), 'listings', openListings, { id: 'feed-a', ...complete })
  expect(await currentAt()).toMatchObject([{ sourceId: 'feed-b' }])
  expect(await ingest(store(), 'listings', whole, { id: 'feed-a', ...complete })).toMatchObject({
    returned: 1,
    counts: { changed: 0 },
  })
  expect(await currentAt()).toMatchObject([{ sourceId: 'feed-a' }])
})

test('a permit removed from one source belongs to the next source that contains it', async () => {
  const permit = permitRow({ permitId: 'MOVED' })
  await ingest(store(), 'permits', [...otherPermits, permit], { id: 'feed-a', ...complete })
  expect((await ingest(store(), 'permits', [permit], { id: 'feed-b' })).counts.rejected).toBe(1)
  await ingest(store(), 'permits', otherPermits, { id: 'feed-a', ...complete })
  const taken = await ingest(store(), 'permits', [permit], { id: 'feed-b' })
  expect(taken).toMatchObject({ returned: 1, counts: { rejected: 0, inserted: 0 } })
  const held = () => sql`select source_id, removed_at from permit where permit_id = 'MOVED'`.execute(store().db)
  expect((await held()).rows).toEqual([{ sourceId: 'feed-b', removedAt: null }])
  // The permit stays with the second source however often either is read.
  expect(
    (await ingest(store(), 'permits', [...otherPermits, permit], { id: 'feed-a', ...complete })).counts.rejected,
  ).toBe(1)
  await ingest(store(), 'permits', otherPermits, { id: 'feed-a', ...complete })
  expect((await held()).rows).toEqual([{ sourceId: 'feed-b', removedAt: null }])
})

test('a parcel removed from one source is updated by the next source that contains it', async () => {
  await ingest(store(), 'parcels', [...otherParcels, parcelAt(50)], { id: 'feed-a', ...complete })
  const told = [parcelAt(50, { lotSqft: 9000 })]
  await ingest(store(), 'parcels', told, { id: 'feed-b' })
  await ingest(store(), 'parcels', otherParcels, { id: 'feed-a', ...complete })
  expect(await ingest(store(), 'parcels', told, { id: 'feed-b' })).toMatchObject({ returned: 1 })
  const { rows } = await sql`
    select source_id, removed_at, lot_sqft from property where apn = '123-45-150'`.execute(store().db)
  expect(rows).toEqual([{ sourceId: 'feed-b', removedAt: null, lotSqft: 9000 }])
  const state = await tableRows(store(), 'property')
  expect((await ingest(store(), 'parcels', told, { id: 'feed-b' })).counts.changed).toBe(0)
  expect(await tableRows(store(), 'property')).toEqual(state)
})

const matchOf = async (permitId: string) => {
  const { rows } = await sql<{ apn: string | null }>`
    select p.apn from permit m left join property p on p.id = m.property_id where permit_id = ${permitId}`.execute(
    store().db,
  )
  return rows[0]?.apn
}

test('an address shared with a removed parcel matches the remaining parcel, in runs before and after', async () => {
  const early = permitRow({ permitId: 'EARLY', ...at, apn: undefined })
  const late = permitRow({ permitId: 'LATE', ...at, apn: undefined })
  const feed = [...otherParcels, parcelAt(51, at)]
  await ingest(store(), 'parcels', [...feed, parcelAt(50, at)], complete)
  await ingest(store(), 'permits', [early])
  expect(await matchOf('EARLY')).toBe(null)
  expect(await ingest(store(), 'parcels', feed, complete)).toMatchObject({ removed: 1, counts: { changed: 0 } })
  expect(await matchOf('EARLY')).toBe('123-45-151')
  await ingest(store(), 'permits', [early, late])
  expect(await matchOf('LATE')).toBe('123-45-151')
})

test('a removed parcel does not prevent a listed home from becoming the new parcel at its address', async () => {
  await ingest(store(), 'parcels', [...otherParcels, parcelAt(50, at)], complete)
  await ingest(store(), 'parcels', otherParcels, complete)
  await ingest(store(), 'listings', [listingRow(at)])
  await ingest(store(), 'parcels', [...otherParcels, parcelAt(51, at)], complete)
  const { rows } = await sql`
    select p.apn, l.match_method from listing l join property p on p.id = l.property_id`.execute(store().db)
  expect(rows).toEqual([{ apn: '123-45-151', matchMethod: 'address' }])
})

test('a listing stays with its removed parcel, so that the home is not duplicated when the parcel returns', async () => {
  const whole = [...otherParcels, parcelAt(50, at)]
  await ingest(store(), 'parcels', whole, complete)
  await ingest(store(), 'listings', [listingRow(at)])
  await ingest(store(), 'parcels', otherParcels, complete)
  const before = await tableRows(store(), 'listing')
  expect((await ingest(store(), 'listings', [listingRow(at)])).counts.changed).toBe(0)
  await ingest(store(), 'parcels', whole, complete)
  expect((await ingest(store(), 'listings', [listingRow(at)])).counts.changed).toBe(0)
  expect(await tableRows(store(), 'listing')).toEqual(before)
  expect((await tableRows(store(), 'property')).length).toBe(5)
})
