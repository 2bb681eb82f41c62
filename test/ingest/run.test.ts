import { beforeEach, expect, test } from 'vitest'
import type { Condition } from '../../src/criteria/conditions.ts'
import { leadsByKey } from '../../src/store/assessments/leads.ts'
import { pastSales } from '../../src/store/assessments/past-sales.ts'
import { sql } from '../../src/store/engine/database.ts'
import { removeSource, sourceRows } from '../../src/store/ingest/remove-source.ts'
import { beginRun, runReports } from '../../src/store/ingest/run.ts'
import { permitPage } from '../../src/store/permits/permits.ts'
import { countProperties, propertyKeys } from '../../src/store/search/properties.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import { assessment, emptyTables, sb9 } from '../setup/rows.ts'
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

const state = async () =>
  Promise.all(['property', 'listing', 'sale', 'permit', 'event'].map((table) => tableRows(store(), table)))

test('records are matched to parcels by number, then by address, and record which', async () => {
  await ingest(store(), 'parcels', [parcelRow(), parcelRow({ apn: '123-45-679', address: '12 Oak St' })])
  await ingest(store(), 'listings', [
    listingRow(),
    listingRow({ listingId: 'L2', address: '99 Elm Ave', apn: '999-99-998' }),
  ])
  await ingest(store(), 'sales', [
    saleRow({ address: '12 Oak Street' }),
    saleRow({ saleId: 'S2', address: '1 Nowhere Ln' }),
  ])
  await ingest(store(), 'permits', [
    permitRow(),
    permitRow({ permitId: 'B-2', apn: undefined }),
    permitRow({ permitId: 'B-3', apn: '999-99-999' }),
  ])
  const { rows } = await sql`
    select 'listing' as kind, listing_id as id, match_method, match_confidence, property_id is not null as tied from listing
    union all select 'sale', sale_id, match_method, match_confidence, property_id is not null from sale
    union all select 'permit', permit_id, match_method, match_confidence, property_id is not null from permit order by 1, 2`.execute(
    store().db,
  )
  expect(rows).toEqual([
    { kind: 'listing', id: 'L1', matchMethod: 'address', matchConfidence: 'medium', tied: true },
    { kind: 'listing', id: 'L2', matchMethod: 'none', matchConfidence: 'low', tied: true },
    { kind: 'permit', id: 'B-1', matchMethod: 'apn', matchConfidence: 'high', tied: true },
    { kind: 'permit', id: 'B-2', matchMethod: 'address', matchConfidence: 'medium', tied: true },
    { kind: 'permit', id: 'B-3', matchMethod: 'address', matchConfidence: 'low', tied: true },
    { kind: 'sale', id: 'S1', matchMethod: 'address', matchConfidence: 'medium', tied: true },
    { kind: 'sale', id: 'S2', matchMethod: 'none', matchConfidence: 'low', tied: false },
  ])
})

test('rows are read before beforeLoad and loaded after it; its failure fails the run', async () => {
  const permits = () => count(store(), 'permit')
  const before: number[] = []
  const beforeLoad = async () => {
    before.push(await permits())
  }
  await ingest(store(), 'permits', [permitRow()], {}, { beforeLoad })
  expect([...before, await permits()]).toEqual([0, 1])
  const failed = ingest(
    store(),
    'permits',
    [permitRow(), permitRow({ permitId: 'B-2' })],
    {},
    {
      beforeLoad: () => Promise.reject(new Error('the feed before it failed')),
    },
  )
  await expect(failed).rejects.toThrow('the feed before it failed')
  expect(await permits()).toBe(1)
})

test('a sale keeps the details of its listing, which past sales return', async () => {
  await ingest(store(), 'parcels', [parcelRow({ apn: '777-45-679', address: '77 Oak St' })])
  await ingest(store(), 'sales', [saleRow({ saleId: 'S77', address: '77 Oak Street', remarks: 'Original kitchen.' })])
  const { rows } = await sql<{ market: 'sf-peninsula' }>`select market from sale where sale_id = 'S77'`.execute(
    store().db,
  )
  const sales = await pastSales(store().db, rows[0]!.market, { from: '2000-01-01', until: '2100-01-01' }, 100)
  expect(sales.map(({ address, remarks }) => ({ address, remarks }))).toContainEqual({
    address: '77 Oak St',
    remarks: 'Original kitchen.',
  })
})

test('loading the same feeds ten times, shuffled and in parallel, gives identical rows and no events', async () => {
  const many = <T>(make: (at: number) => T) => Array.from({ length: 60 }, (_, at) => make(at))
  const feeds = {
    parcels: many((at) => parcelRow({ apn: `123-45-${100 + at}`, address: `${at + 1} Oak St` })),
    listings: many((at) =>
      listingRow({ listingId: `L${at}`, address: `${(at % 40) + 30} Oak St`, listedOn: `2026-0${(at % 9) + 1}-01` }),
    ),
    sales: many((at) => saleRow({ saleId: `S${at}`, address: `${at + 20} Oak St` })),
    // Two different rows have the same number: the same one is kept in any order.
    permits: many((at) => permitRow({ permitId: `B-${at % 58}`, apn: `123-45-${100 + at}`, valuation: 600_000 + at })),
  } as const
  const names = Object.keys(feeds) as (keyof typeof feeds)[]
  for (const name of names) await ingest(store(), name, feeds[name])
  const first = await state()
  for (let round = 1; round <= 5; round += 1)
    for (const name of names) {
      const results = await Promise.all(
        [1, 2].map((half) => ingest(store(), name, shuffled(feeds[name], round * 10 + half))),
      )
      for (const { counts, events } of results)
        expect({ changed: counts.changed, events }).toEqual({ changed: 0, events: 0 })
    }
  expect(await state()).toEqual(first)
  expect(await count(store(), 'event')).toBe(0)
})

test('a feed that fails halfway leaves the data unchanged', async () => {
  await ingest(store(), 'permits', [permitRow()])
  const before = await state()
  const broken = `permitId,city,address\nB-1,Palo Alto,11 Oak St\nB-9,Palo Alto,"12 Oak St\n`
  await expect(ingest(store(), 'permits', broken)).rejects.toThrow(/breaks off/)
  expect(await state()).toEqual(before)
  const [report] = await runReports(store().db, 'test-permits')
  expect(report).toMatchObject({ state: 'failed', error: expect.stringMatching(/breaks off/) })
})

test('a renamed column fails the run, and the error names it', async () => {
  const run = ingest(store(), 'permits', [permitRow()], {
    sameNames: false,
    city: 'Palo Alto',
    fields: { permitId: 'Permit No' },
  })
  await expect(run).rejects.toThrow(/no column "Permit No"/)
})

test('every rejected row is kept with its reason', async () => {
  const { counts } = await ingest(store(), 'sales', [
    saleRow(),
    saleRow({ saleId: undefined, address: '' }),
    saleRow({ saleId: 'S3', soldOn: '2025-02-30' }),
    saleRow({ saleId: 'S4', priceUsd: 0 }),
    saleRow({ saleId: 'S5', city: 'Atlantis' }),
    saleRow({ saleId: 'S6', soldOn: '2027-12-31' }),
    saleRow({ saleId: 'S1', priceUsd: 1_000_000 }),
  ])
  expect(counts).toEqual({ read: 7, loaded: 1, inserted: 1, changed: 1, rejected: 6 })
  const { rows } = await sql`select row_number, code, reason from rejected_row order by row_number`.execute(store().db)
  expect(rows.slice(0, 5)).toEqual([
    { rowNumber: 2, code: 'no_sale_id', reason: 'saleId is missing' },
    { rowNumber: 3, code: 'invalid_sold_on', reason: 'soldOn is not valid: "2025-02-30"' },
    { rowNumber: 4, code: 'invalid_price_usd', reason: 'priceUsd is not valid: "0"' },
    { rowNumber: 5, code: 'unknown_market', reason: expect.stringContaining('Atlantis') },
    { rowNumber: 6, code: 'future_sold_on', reason: 'soldOn is in the future: "2027-12-31"' },
  ])
  expect(rows.length).toBe(6)
})

test('a first load creates no events; a new high-value permit in a later run creates one', async () => {
  await ingest(store(), 'permits', [permitRow({ valuation: 900_000 })])
  expect(await count(store(), 'event')).toBe(0)
  const feed = [
    permitRow({ valuation: 900_000 }),
    permitRow({ permitId: 'B-2', valuation: '$750,000', description: 'New SFD' }),
    permitRow({ permitId: 'B-3', valuation: 499_999 }),
    permitRow({ permitId: 'B-4', valuation: 900_000, issuedOn: '2026-10-01' }),
    permitRow({ permitId: 'B-5', valuation: 900_000, issuedOn: undefined, status: 'applied' }),
  ]
  expect((await ingest(store(), 'permits', feed)).events).toBe(1)
  expect((await ingest(store(), 'permits', feed)).events).toBe(0)
  const { rows } = await sql<{ id: string; body: string }>`select id, body from event`.execute(store().db)
  expect(rows[0]!.id).toMatch(/^evt_[0-9A-Za-z]{22}$/)
  expect(JSON.parse(rows[0]!.body)).toEqual({
    event: 'permit.created',
    market: 'sf-peninsula',
    data: {
      permitId: 'B-2',
      type: 'Building',
      units: 1,
      address: '10 Oak St',
      estimatedValue: 750_000,
      status: 'issued',
      description: 'New SFD',
      city: 'Palo Alto',
      citySlug: 'palo-alto',
      issuedDate: '2026-11-10',
      permitClass: 'new_house',
      permitUrl: 'http://localhost:3000/permits/palo-alto/B-2',
    },
    timestamp: '2026-11-15T12:00:00.000Z',
  })
  // The permit was recorded before it was issued; the event is created when it is issued.
  const issued = feed.map((row) => (row.permitId === 'B-5' ? { ...row, issuedOn: '2026-11-14' } : row))
  expect((await ingest(store(), 'permits', issued)).events).toBe(1)
  expect((await ingest(store(), 'permits', issued)).events).toBe(0)
})

test('a home known through a listing keeps its id when its parcel arrives', async () => {
  await ingest(store(), 'listings', [listingRow()])
  await ingest(store(), 'permits', [permitRow()])
  const { rows: before } = await sql<{ id: string }>`select id from property`.execute(store().db)
  await ingest(store(), 'parcels', [parcelRow()])
  const { rows: after } = await sql`select id, known_from, lot_sqft, apn_key from property`.execute(store().db)
  expect(after).toEqual([{ id: before[0]!.id, knownFrom: 'parcel', lotSqft: 7000, apnKey: 'ca:santa-clara:12345678' }])
  const { rows: permit } = await sql`select property_id, match_method from permit`.execute(store().db)
  expect(permit).toEqual([{ propertyId: before[0]!.id, matchMethod: 'apn' }])
  const searched = async () =>
    (
      await sql<object>`select s.property_id, s.zip from permit_search s join permit using (market, city_slug, permit_id)`.execute(
        store().db,
      )
    ).rows
  expect(await searched()).toEqual([{ propertyId: before[0]!.id, zip: null }])
  for (const zip of ['94301', '94303']) {
    await ingest(store(), 'parcels', [parcelRow({ zip })])
    expect(await searched()).toEqual([{ propertyId: before[0]!.id, zip }])
  }
  const { rows: listing } = await sql`select property_id, match_method, current from listing`.execute(store().db)
  expect(listing).toEqual([{ propertyId: before[0]!.id, matchMethod: 'address', current: true }])
  // Loading the feeds again changes nothing.
  expect((await ingest(store(), 'listings', [listingRow()])).counts.changed).toBe(0)
  expect((await ingest(store(), 'permits', [permitRow()])).counts.changed).toBe(0)
  expect(await sourceRows(store().db, 'test-parcels')).toMatchObject({ parcels: 1, listings: 0 })
  // A home that is known only through a listing again gives its permits no ZIP code.
  await removeSource(store().db, 'test-parcels', today)
  expect(await searched()).toEqual([{ propertyId: before[0]!.id, zip: null }])
  expect(await sourceRows(store().db, 'test-listings')).toMatchObject({ parcels: 0, listings: 1 })
})

test('the current listing is the latest one, before and after a relisting', async () => {
  await ingest(store(), 'parcels', [parcelRow()])
  const old = listingRow({ listingId: 'L1', status: 'Closed', listedOn: '2024-01-01', soldOn: '2024-03-01' })
  await ingest(store(), 'listings', [old])
  await ingest(store(), 'listings', [old, listingRow({ listingId: 'L2', listedOn: '2026-11-01' })])
  const { rows } = await sql`select listing_id, status, current from listing order by 1`.execute(store().db)
  expect(rows).toEqual([
    { listingId: 'L1', status: 'sold', current: false },
    { listingId: 'L2', status: 'active', current: true },
  ])
})

test('another source fills missing fields of a parcel and never overwrites its own source', async () => {
  await ingest(store(), 'parcels', [parcelRow()])
  const second = [parcelRow({ lotSqft: 1, yearBuilt: 1990, zoning: 'R-1', lotWidthFt: 60 })]
  await ingest(store(), 'parcels', second, { id: 'other-parcels' })
  const { rows } = await sql`select lot_sqft, year_built, zoning, source_id from property`.execute(store().db)
  expect(rows).toEqual([{ lotSqft: 7000, yearBuilt: 1950, zoning: 'R-1', sourceId: 'test-parcels' }])
  expect((await ingest(store(), 'parcels', [parcelRow()])).counts.changed).toBe(0)
  expect((await ingest(store(), 'parcels', second, { id: 'other-parcels' })).counts.changed).toBe(0)
})

test('a relisted home is in the SB 9 inventory at once, with its new listing and its last assessment', async () => {
  await ingest(store(), 'parcels', [parcelRow(), parcelRow({ apn: '123-45-679', address: '12 Oak St' })])
  await ingest(store(), 'listings', [listingRow()])
  const { rows } = await sql<{ id: string }>`select property_id as id from listing`.execute(store().db)
  const assessed = { rank_score: 7, sb9_status: 'likely', sb9_max_units: 3, sb9_blocked: true, sb9: sb9() }
  await assessment(store().db, rows[0]!.id, assessed)
  const inventory = async (...conditions: Condition[]) => {
    const query = { base: 'lot_split', markets: ['sf-peninsula'], conditions, sort: [], today: '2026-11-15' } as const
    const keys = await propertyKeys(store().db, query, { limit: 9, offset: 0 })
    const leads = await leadsByKey(store().db, 'lot_split', keys)
    return [await countProperties(store().db, query), leads.map(({ id, price }) => ({ id, price }))]
  }
  const minUnits = (value: number): Condition => ({ name: 'minUnits', type: 'atLeast', field: 'maxUnits', value })
  expect(await inventory()).toEqual([1, [{ id: rows[0]!.id, price: 3_000_000 }]])
  await ingest(store(), 'listings', [
    listingRow({ status: 'Withdrawn' }),
    listingRow({ listingId: 'L2', listedOn: '2026-11-01', priceUsd: 2_800_000 }),
    // Never assessed.
    listingRow({ listingId: 'L3', address: '12 Oak St' }),
  ])
  const { rows: current } = await sql`
    select l.listing_id, s.price, s.rank_score, s.sb9_status, s.sb9_max_units, s.sb9_blocked
    from listing l join property_search s on s.property_id = l.property_id where l.current order by 1`.execute(
    store().db,
  )
  expect(current).toEqual([
    { listingId: 'L2', price: 2_800_000, rankScore: 7, sb9Status: 'likely', sb9MaxUnits: 3, sb9Blocked: true },
    { listingId: 'L3', price: 3_000_000, rankScore: null, sb9Status: null, sb9MaxUnits: null, sb9Blocked: false },
  ])
  const relisted = [1, [{ id: rows[0]!.id, price: 2_800_000 }]]
  expect(await inventory()).toEqual(relisted)
  expect(await inventory(minUnits(3))).toEqual(relisted)
  expect(await inventory(minUnits(4))).toEqual([0, []])
  expect(await inventory({ name: 'excludeBlockers', type: 'notBlocked' })).toEqual([0, []])
})

test('a real record removes the generated home at its address and what was learned there; the sample cannot be loaded again', async () => {
  const island = { city: 'Nantucket', apn: '42.4.3 7', address: '1 Main St' }
  await ingest(store(), 'parcels', [parcelRow(), parcelRow(island)], { id: 'sample-parcels', sample: true })
  await ingest(store(), 'permits', [permitRow()], { id: 'sample-permits', sample: true })
  await expect(ingest(store(), 'permits', 'permitId\n"', {})).rejects.toThrow()
  expect(await count(store(), 'permit')).toBe(1)
  await ingest(store(), 'permits', [permitRow(), permitRow({ permitId: 'B-2', valuation: 800_000 })], {
    id: 'sample-permits',
    sample: true,
  })
  expect(await count(store(), 'event')).toBe(1)
  await sql`insert into model values ('sf-peninsula', 'valuation', '1', now(), '{}')`.execute(store().db)
  await sql`insert into accuracy values ('sf-peninsula', 'teardown', now(), 'the sample', '1', '{}')`.execute(
    store().db,
  )
  const { rows } = await sql<{ id: string }>`select id from property`.execute(store().db)
  await assessment(store().db, rows[0]!.id, { adu_score: 80, adu: {} })
  await ingest(store(), 'permits', [permitRow({ permitId: 'R-1' })])
  const learned = ['property', 'assessment', 'event', 'model', 'accuracy']
  expect(await Promise.all(learned.map((table) => count(store(), table)))).toEqual([1, 0, 0, 0, 0])
  expect(await tableRows(store(), 'property')).toMatchObject([{ market: 'nantucket', source_id: 'sample-parcels' }])
  // The source of the permits has no rows left; that of the parcels still has those of the other market.
  expect((await tableRows(store(), 'source')).map((row) => (row as { id: string }).id).sort()).toEqual([
    'sample-parcels',
    'test-permits',
  ])
  expect(await tableRows(store(), 'permit')).toMatchObject([{ permit_id: 'R-1' }])
  await expect(ingest(store(), 'parcels', [parcelRow()], { id: 'sample-parcels', sample: true })).rejects.toThrow(
    /into a database with real data/,
  )
  await ingest(store(), 'parcels', [parcelRow({ ...island, apn: '42.4.3 8' })], { id: 'island-parcels' })
  expect(await tableRows(store(), 'property')).toMatchObject([{ market: 'nantucket', source_id: 'island-parcels' }])
  expect((await tableRows(store(), 'source')).map((row) => (row as { id: string }).id)).not.toContain('sample-parcels')
})

test('a real feed replaces the sample of its data set, and generated records at its addresses; other sample data stays', async () => {
  const a = { apn: '111-11-111', address: '10 Oak St' }
  const b = { apn: '222-22-222', address: '12 Oak St' }
  const generated = (id: string) => ({ id: `sample-${id}`, sample: true })
  await ingest(store(), 'parcels', [parcelRow(a), parcelRow(b)], generated('parcels'))
  await ingest(store(), 'listings', [listingRow(b)], generated('listings'))
  const elsewhere = saleRow({ saleId: 'GC', apn: undefined, address: '14 Oak St' })
  await ingest(
    store(),
    'sales',
    [saleRow({ saleId: 'GA', ...a }), saleRow({ saleId: 'GB', ...b }), elsewhere],
    generated('sales'),
  )
  await ingest(
    store(),
    'permits',
    [permitRow({ permitId: 'GA', ...a }), permitRow({ permitId: 'GB', ...b })],
    generated('permits'),
  )
  const held = async () => {
    const { rows } = await sql<{ held: string }>`
      select 'parcel ' || address || ' ' || known_from || ' ' || source_id as held from property
      union all select 'listing ' || listing_id from listing union all select 'sale ' || sale_id from sale
      union all select 'searched sale ' || sale_id from sale_search
      union all select 'permit ' || permit_id || coalesce(' ' || property_id, '') from permit
      union all select 'count ' || dataset || ' ' || source_id || ' ' || rows from dataset_count
      order by 1`.execute(store().db)
    return rows.map((row) => row.held.replace(/ prop_\S+| [a-z]+_[0-9a-z]{10,}/, ' at home'))
  }
  await ingest(store(), 'parcels', [parcelRow(a)], { id: 'county' })
  expect(await held()).toEqual([
    'count listings sample-listings 1',
    'count parcels county 1',
    'count permits sample-permits 1',
    'count sales sample-sales 2',
    'listing L1',
    'parcel 10 Oak St parcel county',
    'parcel 12 Oak St listing sample-listings',
    'permit GB at home',
    'sale GB',
    'sale GC',
    'searched sale GB',
    'searched sale GC',
  ])
  await ingest(store(), 'permits', [permitRow({ permitId: 'R', apn: undefined, address: '9 Elm St' })], { id: 'city' })
  expect((await held()).filter((row) => /^(permit|listing|sale)/.test(row))).toEqual([
    'listing L1',
    'permit R',
    'sale GB',
    'sale GC',
  ])
  // A real sale is never matched to a generated home: the home and its records go.
  await ingest(store(), 'sales', [saleRow({ saleId: 'R', ...b })], { id: 'recorder' })
  expect((await held()).filter((row) => !row.startsWith('count'))).toEqual([
    'parcel 10 Oak St parcel county',
    'permit R',
    'sale R',
    'searched sale R',
  ])
  expect((await tableRows(store(), 'source')).map((row) => (row as { id: string }).id).sort()).toEqual([
    'city',
    'county',
    'recorder',
  ])
})

test('a feed’s file path is not served; a URL is, without its password and tokens', async () => {
  await ingest(store(), 'permits', [permitRow()])
  expect(await tableRows(store(), 'source')).toMatchObject([{ url: null }])
  const where = { url: 'https://me:secret@city.example/permits.csv?type=a%20b&access_token=secret' }
  await beginRun(store().db, config('permits', { where }), today)
  expect(await tableRows(store(), 'source')).toMatchObject([{ url: 'https://city.example/permits.csv?type=a%20b' }])
})

test('a permit belongs to the source that recorded it first', async () => {
  await ingest(store(), 'permits', [permitRow()])
  const { counts } = await ingest(
    store(),
    'permits',
    [permitRow({ description: 'other' }), permitRow({ permitId: 'B-7' })],
    { id: 'second-permits' },
  )
  expect(counts).toMatchObject({ loaded: 1, rejected: 1 })
})

test('a changed row marks its property for reassessment and reports its market; an unchanged one does neither', async () => {
  await ingest(store(), 'parcels', [parcelRow()])
  await ingest(store(), 'permits', [permitRow()])
  await emptyTables(store().db, 'touched_property')
  expect((await ingest(store(), 'permits', [permitRow()])).touched).toBe(0)
  const { touched, markets } = await ingest(store(), 'permits', [permitRow({ status: 'FINALED' })])
  expect({ touched, markets }).toEqual({ touched: 1, markets: ['sf-peninsula'] })
  expect(await count(store(), 'touched_property')).toBe(1)
})

test('a permit dated in the future is kept without that date, and counted', async () => {
  const { counts, leftOut } = await ingest(store(), 'permits', [
    permitRow({ permitId: 'B-1', appliedOn: '2026-11-01', issuedOn: '2027-10-11', finaledOn: '2027-12-01' }),
    permitRow({ permitId: 'B-2', appliedOn: '2026-12-24', issuedOn: '2026-11-16' }),
  ])
  expect(counts).toMatchObject({ loaded: 2, rejected: 0 })
  const { rows } = await sql`select permit_id, applied_on, issued_on, finaled_on from permit order by 1`.execute(
    store().db,
  )
  expect(rows).toEqual([
    { permitId: 'B-1', appliedOn: '2026-11-01', issuedOn: null, finaledOn: null },
    { permitId: 'B-2', appliedOn: null, issuedOn: '2026-11-16', finaledOn: null },
  ])
  const ahead = 'not between 1850 and 2026-11-16'
  expect(leftOut).toEqual({ [`appliedOn: ${ahead}`]: 1, [`issuedOn: ${ahead}`]: 1, [`finaledOn: ${ahead}`]: 1 })
})

test('a permit with a very long number and description is loaded and found by part of either', async () => {
  const signs = (length: number, from: number) =>
    Array.from({ length }, (_, at) => String.fromCodePoint(from + ((at * at) % 997))).join('')
  const long = permitRow({ permitId: `B-${signs(3000, 0x4e00)}`, description: signs(9000, 0x5e00) })
  expect((await ingest(store(), 'permits', [permitRow(), long])).counts).toMatchObject({ loaded: 2, rejected: 0 })
  for (const word of [signs(100, 0x4e00), signs(7000, 0x5e00).slice(-180)]) {
    const { rows } = await permitPage(store().db, { words: [word] }, { limit: 5, offset: 0 })
    expect(rows.map(({ permitId }) => permitId.slice(0, 5))).toEqual([`B-${signs(3, 0x4e00)}`])
  }
})

test('outlines of parcels are kept apart from the row, change with the feed, and belong to the first source', async () => {
  const ring = (east: number) => [
    [-122.14, 37.44],
    [east, 37.44],
    [east, 37.441],
    [-122.14, 37.441],
    [-122.14, 37.44],
  ]
  const outlines = async () =>
    (
      await sql<{ polygons: unknown; raw: object }>`
        select o.polygons, p.raw from parcel_outline o join property p on p.market = o.market and p.id = o.property_id`.execute(
        store().db,
      )
    ).rows
  await ingest(store(), 'parcels', [parcelRow({ outline: JSON.stringify([ring(-122.139)]) })])
  expect((await outlines()).map(({ polygons }) => polygons)).toEqual([[[ring(-122.139)]]])
  expect((await outlines())[0]!.raw).not.toHaveProperty('outline')
  await ingest(store(), 'parcels', [parcelRow({ outline: JSON.stringify([ring(-122.138)]) })])
  expect((await outlines()).map(({ polygons }) => polygons)).toEqual([[[ring(-122.138)]]])
  await ingest(store(), 'parcels', [parcelRow({ outline: JSON.stringify([ring(-122.13)]) })], { id: 'second' })
  expect((await outlines()).map(({ polygons }) => polygons)).toEqual([[[ring(-122.138)]]])
  // The first source no longer has the parcel, so it belongs to the second.
  await sql`update property set removed_at = now()`.execute(store().db)
  await ingest(store(), 'parcels', [parcelRow({ outline: JSON.stringify([ring(-122.13)]) })], { id: 'second' })
  expect((await outlines()).map(({ polygons }) => polygons)).toEqual([[[ring(-122.13)]]])
  await ingest(store(), 'parcels', [parcelRow({ outline: JSON.stringify([ring(-122.12)]) })], { id: 'second' })
  expect((await outlines()).map(({ polygons }) => polygons)).toEqual([[[ring(-122.12)]]])
})

test('of two rows of one record the later is kept, however the feed writes times', async () => {
  const times = [
    '10/2/2026 12:30 AM',
    '9/30/2026 11:00 AM',
    '10/2/2026 9:15 AM',
    '10/2/2026 1:05 PM',
    '10/2/2026 10:40 AM',
  ]
  const rows = times.map((modifiedAt) => permitRow({ modifiedAt, description: modifiedAt }))
  await ingest(store(), 'permits', rows)
  const { rows: held } = await sql`select description from permit`.execute(store().db)
  expect(held).toEqual([{ description: '10/2/2026 1:05 PM' }])
  // A time that no database can hold says nothing, and fails no run.
  const { counts } = await ingest(store(), 'parcels', [parcelRow({ modifiedAt: '0000-01-01 00:00' })])
  expect(counts.inserted).toBe(1)
})

test('the ZIP code of a parcel is kept with five digits, so that a search by ZIP finds it', async () => {
  await ingest(store(), 'parcels', [
    parcelRow({ zip: '94301-1234' }),
    parcelRow({ apn: '123-45-679', address: '12 Oak St', zip: 'unknown' }),
  ])
  const { rows } = await sql`
    select p.address, p.zip, s.zip as searched from property p join property_search s on s.property_id = p.id order by 1`.execute(
    store().db,
  )
  expect(rows).toEqual([
    { address: '10 Oak St', zip: '94301', searched: '94301' },
    { address: '12 Oak St', zip: null, searched: null },
  ])
})

test('a home known only through its listing has the ZIP code of the listing', async () => {
  await ingest(store(), 'listings', [listingRow({ zip: '02554' })])
  const { rows } = await sql`select p.zip, p.known_from, s.zip as searched from property p
    join property_search s on s.property_id = p.id`.execute(store().db)
  expect(rows).toEqual([{ zip: '02554', knownFrom: 'listing', searched: '02554' }])
})

test('a sale without an id is identified by place and day; one without an address is rejected', async () => {
  const sold = (given: Row) => saleRow({ saleId: '', ...given })
  const rows = [
    sold({ address: '10 Oak St', soldOn: '2025-05-01' }),
    sold({ address: '10 Oak Street', soldOn: '2025-06-01' }),
    sold({ address: '', soldOn: '2025-05-01' }),
  ]
  const given = { id: 'unnumbered' }
  expect((await ingest(store(), 'sales', rows, given)).counts).toMatchObject({ inserted: 2, rejected: 1 })
  expect((await ingest(store(), 'sales', rows, given)).counts).toMatchObject({ inserted: 0, changed: 0 })
})

test('a run whose process was killed is not reported as running', async () => {
  await beginRun(store().db, config('permits', { id: 'killed' }), today)
  expect((await runReports(store().db, 'killed'))[0]).toMatchObject({
    state: 'failed',
    error: 'the process ended before the run did',
  })
  const { pool } = store()
  const client = await pool.connect()
  await client.query(`select pg_advisory_lock(hashtextextended('lotline:source:killed', 0))`)
  expect((await runReports(store().db, 'killed'))[0]).toMatchObject({ state: 'running', error: null })
  client.release(true)
})

test('address points give their coordinates to parcels without any, whichever is loaded first; a ZIP code gives none', async () => {
  const { db } = store()
  const at = async (address: string) =>
    (
      await sql<{ lat: number | null; apn: string | null; count: number }>`
      select min(lat) as lat, min(apn) as apn, count(*) from property where address = ${address}`.execute(db)
    ).rows[0]
  const point = { apn: undefined, lotSqft: undefined, yearBuilt: undefined }
  const parcels = [
    parcelRow({ apn: '900-00-001', address: '501 Birch St' }),
    parcelRow({ apn: '900-00-002', address: '503 Birch St', zip: '94301' }),
  ]
  await ingest(store(), 'parcels', [parcels[0]!, parcels[1]!], { id: 'roll' })
  await ingest(store(), 'parcels', [parcelRow({ ...point, address: '501 Birch Street', lat: 37.44, lng: -122.15 })], {
    id: 'points',
  })
  expect(await at('501 Birch St')).toEqual({ lat: 37.44, apn: '900-00-001', count: 1 })
  expect(await at('503 Birch St')).toMatchObject({ lat: null })
  // The roll again: nothing changes.
  expect((await ingest(store(), 'parcels', parcels, { id: 'roll' })).counts.changed).toBe(0)
  await ingest(store(), 'parcels', [parcelRow({ ...point, address: '505 Birch St', lat: 37.45, lng: -122.15 })], {
    id: 'points-2',
  })
  await ingest(store(), 'parcels', [parcelRow({ apn: '900-00-003', address: '505 Birch St' })], { id: 'roll-2' })
  expect(await at('505 Birch St')).toEqual({ lat: 37.45, apn: '900-00-003', count: 1 })
})
