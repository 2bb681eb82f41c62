// When missing rows of a complete feed are marked removed, and when the feed is rejected as truncated.
import { beforeEach, expect, test } from 'vitest'
import type { SourceConfig } from '../../src/domain/packs/source-config.ts'
import { sql } from '../../src/store/engine/database.ts'
import { FeedTooShort } from '../../src/store/ingest/removed.ts'
import { runReports } from '../../src/store/ingest/run.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import { emptyTables } from '../setup/rows.ts'
import { ingest, listingRow, parcelRow, permitRow, type Row } from './feed.ts'

const store = useDatabaseWithQueue()
beforeEach(async () => {
  await emptyTables(store().db, 'source', 'property', 'event', 'touched_property')
})

const complete = { complete: true } satisfies Partial<SourceConfig>
const many = (make: (at: number) => Row, rows: number, from = 0) =>
  Array.from({ length: rows }, (_, at) => make(from + at))
const listingAt = (at: number, given: Row = {}) =>
  listingRow({ listingId: `L${at}`, address: `${at + 1} Oak St`, ...given })
const permitAt = (at: number) => permitRow({ permitId: `B-${at}`, address: `${at + 1} Oak St`, apn: undefined })
const removedIds = async (table: 'listing' | 'permit') => {
  const { rows } = await sql<{ id: string }>`
    select ${sql.raw(table)}_id as id from ${sql.raw(table)} where removed_at is not null order by 1`.execute(
    store().db,
  )
  return rows.map(({ id }) => id)
}

test('a feed may lack half of its open listings, but not two thirds', async () => {
  await ingest(store(), 'listings', many(listingAt, 30), complete)
  await expect(ingest(store(), 'listings', many(listingAt, 10), complete)).rejects.toThrow(FeedTooShort)
  expect(await ingest(store(), 'listings', many(listingAt, 15), complete)).toMatchObject({ removed: 15 })
  const accept = { accept: 'the broker closed' }
  expect(await ingest(store(), 'listings', many(listingAt, 2), complete, accept)).toMatchObject({ removed: 13 })
})

test('sold listings that leave a feed do not count toward the limit, missing or present', async () => {
  const sold = many((at) => listingAt(at, { status: 'Closed', soldOn: '2026-11-01' }), 40, 100)
  const open = many(listingAt, 20)
  await ingest(store(), 'listings', [...open, ...sold], complete)
  // 16 of 60 rows are missing, but 16 of the 20 for sale.
  await expect(ingest(store(), 'listings', [...open.slice(16), ...sold], complete)).rejects.toThrow(
    /lacks 16 of the 20 listings for sale/,
  )
  expect(await ingest(store(), 'listings', open, complete)).toMatchObject({ removed: 40 })
})

test('new and returning rows do not offset missing ones', async () => {
  await ingest(store(), 'permits', many(permitAt, 60), { ...complete })
  expect(await ingest(store(), 'permits', many(permitAt, 50), complete)).toMatchObject({ removed: 10 })
  // 11 of 50 stored rows are missing, which is over 20% however many rows are new.
  const returning = [...many(permitAt, 39, 11), ...many(permitAt, 10, 50), ...many(permitAt, 100, 1000)]
  await expect(ingest(store(), 'permits', returning, complete)).rejects.toThrow(/lacks 11 of the 50 rows/)
})

test('homes that a parcel feed takes over from listings do not offset missing rows', async () => {
  const parcelAt = (at: number) => parcelRow({ apn: `123-45-${100 + at}`, address: `${at + 1} Oak St` })
  await ingest(store(), 'parcels', many(parcelAt, 50), complete)
  await ingest(store(), 'listings', many(listingAt, 40, 500))
  const feed = [...many(parcelAt, 39, 11), ...many(parcelAt, 40, 500)]
  await expect(ingest(store(), 'parcels', feed, complete)).rejects.toThrow(/lacks 11 of the 50 rows/)
})

test('losing more than half of a few rows fails the run unless maxGonePct allows it', async () => {
  await ingest(store(), 'permits', many(permitAt, 9), complete)
  await expect(ingest(store(), 'permits', many(permitAt, 4), complete)).rejects.toThrow(/lacks 5 of the 9 rows.*50%/)
  expect(await ingest(store(), 'permits', many(permitAt, 4), { ...complete, maxGonePct: 70 })).toMatchObject({
    removed: 5,
  })
  expect(await ingest(store(), 'permits', many(permitAt, 1), complete)).toMatchObject({ removed: 3 })
})

test('a removed row that returns and is rejected counts as present in the feed', async () => {
  await ingest(store(), 'listings', many(listingAt, 10), complete)
  await ingest(store(), 'listings', many(listingAt, 9), complete)
  expect(await removedIds('listing')).toEqual(['L9'])
  const unreadable = [...many(listingAt, 9), listingAt(9, { status: 'Zzz' })]
  expect(await ingest(store(), 'listings', unreadable, complete)).toMatchObject({ returned: 1, removed: 0 })
  expect(await removedIds('listing')).toEqual([])
})

test('if a rejected row has no id, no row is marked removed and the report says so', async () => {
  await ingest(store(), 'permits', many(permitAt, 10), complete)
  const nameless = [...many(permitAt, 8), permitRow({ permitId: undefined })]
  const result = await ingest(store(), 'permits', nameless, complete)
  expect(result).toMatchObject({ removed: 0, counts: { rejected: 1 } })
  expect(await removedIds('permit')).toEqual([])
  const [report] = await runReports(store().db, 'test-permits')
  expect(report!.leftOut).toEqual({ [Object.keys(result.leftOut)[0]!]: 2 })
  expect(Object.keys(report!.leftOut)).toEqual([
    expect.stringMatching(/not marked as removed, because 1 rejected row has no id.*"require"/),
  ])
  expect(await ingest(store(), 'permits', many(permitAt, 8), complete)).toMatchObject({ removed: 2, leftOut: {} })
})

test('rows that fail a requirement or are duplicates do not prevent others from being marked removed', async () => {
  await ingest(store(), 'permits', many(permitAt, 10), complete)
  const feed = [...many(permitAt, 8), permitAt(0), { ...permitAt(9), status: 'VOID' }]
  const require = [{ field: 'status', notIn: ['VOID'] }]
  expect(await ingest(store(), 'permits', feed, { ...complete, require })).toMatchObject({ removed: 2 })
  expect(await removedIds('permit')).toEqual(['B-8', 'B-9'])
})

test('rows without an id that a requirement excludes do not prevent others from being marked removed', async () => {
  await ingest(store(), 'permits', many(permitAt, 10), complete)
  const nameless = [undefined, null, ' '].map((permitId) => ({ ...permitAt(99), permitId }) as never)
  const feed = [...many(permitAt, 8), ...nameless]
  const require = [{ field: 'permitId', filled: true as const }]
  const result = await ingest(store(), 'permits', feed, { ...complete, require })
  expect(result).toMatchObject({ removed: 2, counts: { rejected: 3 }, leftOut: {} })
  expect(await removedIds('permit')).toEqual(['B-8', 'B-9'])
})
