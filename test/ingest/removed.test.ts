import { beforeEach, expect, test } from 'vitest'
import type { SourceConfig } from '../../src/domain/packs/source-config.ts'
import { checkSource } from '../../src/ingest/config.ts'
import { marketSales } from '../../src/store/assessments/market-facts.ts'
import { sql } from '../../src/store/engine/database.ts'
import { coverage } from '../../src/store/ingest/coverage.ts'
import { FeedTooShort } from '../../src/store/ingest/removed.ts'
import { runReports } from '../../src/store/ingest/run.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import { emptyTables } from '../setup/rows.ts'
import {
  config,
  count,
  ingest,
  listingRow,
  parcelRow,
  permitRow,
  type Row,
  saleRow,
  shuffled,
  tableRows,
  today,
} from './feed.ts'

const store = useDatabaseWithQueue()
beforeEach(async () => {
  await emptyTables(store().db, 'source', 'property', 'event', 'touched_property')
})

const complete = { complete: true } satisfies Partial<SourceConfig>
const state = () =>
  Promise.all(['property', 'listing', 'sale', 'permit', 'event'].map((table) => tableRows(store(), table)))
const many = (make: (at: number) => Row, rows = 30) => Array.from({ length: rows }, (_, at) => make(at))
const listings = many((at) => listingRow({ listingId: `L${at}`, address: `${at + 1} Oak St` }))
const permits = many((at) => permitRow({ permitId: `B-${at}`, address: `${at + 1} Oak St`, apn: undefined }))

const statuses = async (where = 'removed_at is not null') => {
  const { rows } = await sql<{ listingId: string; status: string; current: boolean }>`
    select listing_id, status, current from listing where ${sql.raw(where)} order by listing_id`.execute(store().db)
  return rows
}

test('a listing missing from a complete feed is off the market until it returns', async () => {
  await ingest(store(), 'listings', listings, complete)
  const first = await state()
  const without = await ingest(store(), 'listings', listings.slice(2), complete)
  expect(without).toMatchObject({ removed: 2, returned: 0, counts: { changed: 0 }, touched: 2 })
  expect(await statuses()).toEqual([
    { listingId: 'L0', status: 'withdrawn', current: true },
    { listingId: 'L1', status: 'withdrawn', current: true },
  ])
  const again = await ingest(store(), 'listings', listings, complete)
  expect(again).toMatchObject({ removed: 0, returned: 2, counts: { inserted: 0, changed: 2 } })
  expect(await state()).toEqual(first)
})

test('a sold listing stays sold when it leaves the feed', async () => {
  const sold = listingRow({ listingId: 'S', address: '99 Elm St', status: 'Closed', soldOn: '2026-11-01' })
  await ingest(store(), 'listings', [...listings, sold], complete)
  await ingest(store(), 'listings', listings, complete)
  expect(await statuses()).toEqual([{ listingId: 'S', status: 'sold', current: true }])
})

test('another listing of the same home becomes current when the current one leaves the feed', async () => {
  const undated = listingRow({ listingId: 'A', address: '99 Elm St', listedOn: undefined })
  const dated = listingRow({ listingId: 'B', address: '99 Elm St' })
  await ingest(store(), 'listings', [...listings, undated, dated], complete)
  expect(await statuses(`listing_id in ('A', 'B') and current`)).toMatchObject([{ listingId: 'A' }])
  await ingest(store(), 'listings', [...listings, dated], complete)
  expect(await statuses(`listing_id in ('A', 'B') and current`)).toMatchObject([{ listingId: 'B', status: 'active' }])
})

test('loading the same complete feed ten times in any order marks removed rows once', async () => {
  await ingest(store(), 'permits', permits, complete)
  const once = await ingest(store(), 'permits', permits.slice(3), complete)
  expect(once).toMatchObject({ removed: 3, events: 0 })
  const marked = await state()
  for (let round = 1; round <= 10; round += 1)
    expect(await ingest(store(), 'permits', shuffled(permits.slice(3), round), complete)).toMatchObject({
      removed: 0,
      returned: 0,
      touched: 0,
      counts: { changed: 0 },
    })
  expect(await state()).toEqual(marked)
  expect(await count(store(), 'event')).toBe(0)
})

test('a feed that lacks too many rows fails the run with the reason and changes nothing', async () => {
  await ingest(store(), 'permits', permits, complete)
  const before = await state()
  // The new row must not be stored either.
  const cut = [...permits.slice(0, 15), permitRow({ permitId: 'NEW' })]
  await expect(ingest(store(), 'permits', cut, complete)).rejects.toThrow(FeedTooShort)
  await expect(ingest(store(), 'permits', cut, complete)).rejects.toThrow(/lacks 15 of the 30 rows.*50%.*--accept/)
  expect(await state()).toEqual(before)
  const [report] = await runReports(store().db, 'test-permits')
  expect(report).toMatchObject({ state: 'failed', rowsRemoved: 0, error: expect.stringMatching(/truncated/) })
  expect(await ingest(store(), 'permits', cut, { ...complete, maxGonePct: 60 })).toMatchObject({ removed: 15 })
})

test('an empty feed never removes all rows of a small source', async () => {
  await ingest(store(), 'permits', permits.slice(0, 3), complete)
  await expect(ingest(store(), 'permits', 'permitId,city\n', { ...complete, sameNames: true })).rejects.toThrow(
    /lacks 3 of the 3/,
  )
  expect(await ingest(store(), 'permits', permits.slice(0, 2), complete)).toMatchObject({ removed: 1 })
})

test('a rejected row still counts as present in the feed', async () => {
  await ingest(
    store(),
    'sales',
    many((at) => saleRow({ saleId: `S${at}`, address: `${at} Elm St` })),
    complete,
  )
  const broken = many((at) =>
    saleRow({ saleId: `S${at}`, address: `${at} Elm St`, priceUsd: at === 0 ? 0 : 2_500_000 }),
  )
  const result = await ingest(store(), 'sales', broken.slice(0, 29), complete)
  expect(result).toMatchObject({ removed: 1, counts: { rejected: 1 } })
  const { rows } = await sql`select sale_id from sale where removed_at is not null`.execute(store().db)
  expect(rows).toEqual([{ saleId: 'S29' }])
})

test('a removed sale is kept but no longer used as a comparable', async () => {
  const sales = many((at) => saleRow({ saleId: `S${at}`, address: `${at} Elm St` }))
  await ingest(store(), 'sales', sales, complete)
  await ingest(store(), 'sales', sales.slice(1), complete)
  expect(await count(store(), 'sale')).toBe(30)
  const learned = await marketSales(store().db, 'sf-peninsula', { from: '2000-01-01', until: '2100-01-01' })
  expect(learned.map(({ saleId }) => saleId)).not.toContain('test-sales:S0')
  expect(learned.length).toBe(29)
})

test('removed parcels are kept, marked and counted; homes known only from listings are unaffected', async () => {
  const parcels = many((at) => parcelRow({ apn: `123-45-${100 + at}`, address: `${at + 1} Oak St` }))
  await ingest(store(), 'parcels', parcels, complete)
  await ingest(store(), 'listings', [listingRow({ address: '99 Elm St' })])
  expect(await ingest(store(), 'parcels', parcels.slice(2), complete)).toMatchObject({ removed: 2 })
  expect(await count(store(), 'property')).toBe(31)
  const rows = await coverage(store().db, today)
  expect(rows.map(({ dataset, rows: held, gone }) => ({ dataset, held, gone }))).toEqual([
    { dataset: 'listings', held: 1, gone: 0 },
    { dataset: 'parcels', held: 30, gone: 2 },
  ])
  const [report] = await runReports(store().db, 'test-parcels')
  expect(report).toMatchObject({ rowsRemoved: 2, rowsReturned: 0 })
})

test('another source and a feed without "complete" mark nothing as removed', async () => {
  await ingest(store(), 'permits', permits)
  expect(await ingest(store(), 'permits', permits.slice(10))).toMatchObject({ removed: 0 })
  const others = many((at) => permitRow({ permitId: `C-${at}` }))
  await ingest(store(), 'permits', others, { id: 'others', ...complete })
  const { rows } = await sql`select permit_id from permit where removed_at is not null`.execute(store().db)
  expect(rows).toEqual([])
})

test('a source that requests only changed rows cannot be configured as complete', () => {
  const incremental = config('permits', { kind: 'socrata', where: { url: 'a.json', updatedField: ':updated_at' } })
  expect(() => checkSource({ ...incremental, complete: true }, 'x.json')).toThrow(/cannot be complete/)
  expect(() => checkSource(config('permits', { maxGonePct: 5 }), 'x.json')).toThrow(/needs "complete"/)
  expect(checkSource(config('permits', { complete: true, maxGonePct: 5 }), 'x.json').complete).toBe(true)
})

test('a setting that the kind would ignore is named in the error', () => {
  const given = (kind: SourceConfig['kind'], where: Partial<SourceConfig['where']>) =>
    checkSource(
      config('permits', { kind, where: { url: 'https://example.org/feed', resource: 'r', ...where } }),
      'a.json',
    )
  expect(() => given('ckan', { where: "status = 'issued'" })).toThrow(
    /"ckan" does not read where.where.*with "require"/,
  )
  expect(() => given('csv', { select: 'id,address' })).toThrow(/"csv" does not read where.select: it would be ignored/)
  expect(() => given('geojson', { updatedField: 'changed' })).toThrow(/does not read where.updatedField/)
  given('ckan', { select: 'id' })
  given('reso', { where: 'a', select: 'b', updatedField: 'c' })
})

test('an unknown setting is named in the error', () => {
  const mistyped = { ...config('permits'), complet: true }
  expect(() => checkSource(mistyped, 'x.json')).toThrow('x.json: /complet is not a known setting')
})

test('coverage counts permits without an issue date apart', async () => {
  await ingest(store(), 'permits', [permitRow({ permitId: 'I' }), permitRow({ permitId: 'N', issuedOn: '' })])
  expect((await coverage(store().db, today)).map(({ rows, notIssued }) => ({ rows, notIssued }))).toEqual([
    { rows: 2, notIssued: 1 },
  ])
})
