// Complete runs against failing or hostile servers.
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { setMarkets } from '../../src/domain/packs/markets.ts'
import type { SourceConfig } from '../../src/domain/packs/source-config.ts'
import { packs } from '../../src/domain/packs/use-packs.ts'
import { runIngest } from '../../src/ingest/run.ts'
import { SourceError } from '../../src/sources/source.ts'
import { sql } from '../../src/store/engine/database.ts'
import { removeSource } from '../../src/store/ingest/remove-source.ts'
import { runReports } from '../../src/store/ingest/run.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import { emptyTables } from '../setup/rows.ts'
import { context, feedServer, json } from '../sources/server.ts'
import { config, count, csvOf, highValueUsd, parcelRow, permitRow, type Row, tableRows, today } from './feed.ts'

const store = useDatabaseWithQueue()
beforeEach(async () => {
  await emptyTables(store().db, 'source', 'property', 'event', 'touched_property')
})

const run = (given: SourceConfig, accept?: string) =>
  runIngest(store(), given, {
    ...{ now: today, folder: '/nowhere', highValueUsd, http: context().http },
    ...(accept === undefined ? {} : { accept }),
  })

test('a service that fails between pages leaves the data unchanged, and the next run starts from the last completed one', async () => {
  const rows = Array.from({ length: 6 }, (_, at) => ({
    ...permitRow({ permitId: `B-${at}` }),
    changed: `2026-11-0${at + 1}`,
  }))
  let mood: 'good' | 'bad' = 'good'
  const asked: (string | null)[] = []
  const { url } = await feedServer(({ url: at }, response) => {
    const offset = Number(at.searchParams.get('$offset'))
    if (at.searchParams.has('$offset') && offset === 0) asked.push(at.searchParams.get('$where'))
    if (mood === 'bad' && offset >= 2) return json(response, { message: 'busy' }, 503)
    const held = mood === 'bad' ? rows.map((row) => ({ ...row, description: 'changed' })) : rows
    json(response, held.slice(offset, offset + 2))
  })
  const source = config('permits', { kind: 'socrata', where: { url, updatedField: 'changed', pageSize: 2 } })
  expect((await run(source)).counts.inserted).toBe(6)
  const good = await tableRows(store(), 'permit')
  mood = 'bad'
  await expect(run(source)).rejects.toThrow(/returned 503/)
  expect(await tableRows(store(), 'permit')).toEqual(good)
  expect((await runReports(store().db))[0]).toMatchObject({ state: 'failed', rowsRead: 2 })
  mood = 'good'
  expect((await run(source)).counts.changed).toBe(0)
  expect(asked).toEqual([null, "changed >= '2026-11-06'", "changed >= '2026-11-06'"])
})

test('an unchanged file completes a run without being read; after a mapping change it is read again', async () => {
  const { url } = await feedServer(({ headers }, response) => {
    if (headers['if-none-match'] === '"v1"') return response.writeHead(304).end()
    response.writeHead(200, { etag: '"v1"' }).end(csvOf([permitRow()]))
  })
  const source = config('permits', { where: { url } })
  expect((await run(source)).notModified).toBe(false)
  expect(await run(source)).toMatchObject({ notModified: true, counts: { read: 0, changed: 0 } })
  // The ETag is kept by a run that read nothing.
  expect((await run(source)).notModified).toBe(true)
  const again = await run({ ...source, fields: { projectType: { constant: 'Permit' } } })
  expect(again).toMatchObject({ notModified: false, counts: { read: 1, changed: 1 } })
})

test('an unchanged file is read again when the cities of its market changed', async () => {
  const { url } = await feedServer(({ headers }, response) => {
    if (headers['if-none-match'] === '"v1"') return response.writeHead(304).end()
    response.writeHead(200, { etag: '"v1"' }).end(csvOf([permitRow()]))
  })
  const loaded = packs().map(({ market, cities }) => ({ market, cities }))
  onTestFinished(() => setMarkets(loaded))
  for (const market of [undefined, 'sf-peninsula']) {
    const source = config('permits', { where: { url }, market })
    setMarkets(loaded)
    expect((await run(source)).notModified).toBe(false)
    setMarkets(loaded.map((pack) => ({ ...pack, cities: pack.cities.slice(1) })))
    expect(await run(source)).toMatchObject({ notModified: false, counts: { read: 1 } })
    expect((await run(source)).notModified).toBe(true)
  }
})

test('markup, control characters, impossible coordinates and dates in the far future are not stored', async () => {
  const { url } = await feedServer((_, response) =>
    response.end(
      csvOf([
        permitRow({
          contractor: '<b onclick=x>Bob</b>\u0000\u202e',
          lat: 'NaN',
          lng: 'Infinity',
          sqft: -5,
          issuedOn: '9999-01-01',
          appliedOn: '0001-01-01',
        }),
        permitRow({ permitId: 'B-2', lat: 999, lng: 0, sourceUrl: 'javascript:alert(1)' }),
        // How some exports write "no location".
        permitRow({ permitId: 'B-3', lat: 0, lng: 0 }),
      ]),
    ),
  )
  const { counts, leftOut } = await run(config('permits', { where: { url } }))
  expect(counts).toMatchObject({ loaded: 3, rejected: 0 })
  const { rows } =
    await sql`select contractor, lat, lng, sqft, issued_on, applied_on, source_url from permit order by permit_id`.execute(
      store().db,
    )
  expect(rows[0]).toEqual({
    contractor: 'Bob',
    lat: null,
    lng: null,
    sqft: null,
    issuedOn: null,
    appliedOn: null,
    sourceUrl: null,
  })
  expect(rows[1]).toMatchObject({ lat: null, lng: null, sourceUrl: null })
  expect(rows[2]).toMatchObject({ lat: null, lng: null })
  expect(leftOut['lat, lng: not a valid location']).toBe(2)
  expect(Object.keys(leftOut)).toEqual(
    expect.arrayContaining(['lat, lng: not a valid location', 'sqft: not between 1 and 20000000']),
  )
})

test('an HTML page, a decompression bomb or an unreachable server changes nothing and reports the reason', async () => {
  const { url } = await feedServer((_, response) => response.end('<!doctype html><h1>Maintenance</h1>'))
  const secret = `${url.replace('//', '//user:hidden@')}/feed.csv?token=hidden`
  await expect(run(config('permits', { where: { url: secret } }))).rejects.toThrow(/HTML/)
  // Kept for pages that show it, without what may be a secret.
  const { rows } = await sql`select error from ingest_run`.execute(store().db)
  expect(rows).toEqual([{ error: `${url}/feed.csv returned HTML instead of CSV.` }])
  await expect(run(config('permits', { where: { url: 'http://127.0.0.1:1/feed.csv' } }))).rejects.toThrow(
    /after 5 attempts/,
  )
  expect(await count(store(), 'permit')).toBe(0)
  expect((await runReports(store().db))[0]!.state).toBe('failed')
})

test('a partial read removes nothing, and a complete feed needs the count of its service', async () => {
  const parcels = Array.from({ length: 30 }, (_, at) => ({
    ...parcelRow({ apn: `100-00-${100 + at}`, address: `${at + 1} Oak St` }),
    id: at,
  }))
  const held = { rows: parcels as readonly object[], total: 30 as number | undefined, whilePaging: () => {} }
  let afterFirstPage: (() => void) | undefined
  const { url } = await feedServer(({ url: at }, response) => {
    if (!at.pathname.endsWith('/query'))
      return json(response, {
        objectIdField: 'id',
        maxRecordCount: 10,
        fields: Object.keys(parcels[0]!).map((name) => ({ name, type: 'esriFieldTypeString' })),
      })
    if (at.searchParams.has('returnCountOnly')) return json(response, { count: held.total })
    const offset = Number(at.searchParams.get('resultOffset'))
    if (offset > 0) held.whilePaging()
    json(response, { features: held.rows.slice(offset, offset + 10).map((attributes) => ({ attributes })) })
    afterFirstPage?.()
  })
  const source = config('parcels', { kind: 'arcgis', where: { url }, complete: true })
  expect(await run(source)).toMatchObject({ counts: { inserted: 30 }, removed: 0 })
  const good = await tableRows(store(), 'property')
  // The service counts 30 rows and returns 27; then a page boundary moves, which repeats three rows and leaves out three others.
  for (const rows of [parcels.slice(0, 27), [...parcels.slice(0, 10), ...parcels.slice(7, 27)]]) {
    held.rows = rows
    await expect(run(source)).rejects.toThrow(/reports 30 rows but returned 27/)
  }
  Object.assign(held, { rows: parcels.slice(0, 27), total: undefined })
  await expect(run(source)).rejects.toThrow(/does not say how many rows it has.*Nothing was changed.*Remove "complete"/)
  expect(await tableRows(store(), 'property')).toEqual(good)
  held.total = 27
  expect(await run(source)).toMatchObject({ removed: 3 })
  // The service loses three rows of the first page while it is read: the second page begins three rows too late. It is read again.
  held.rows = parcels
  held.total = 30
  await run(source)
  held.whilePaging = () => Object.assign(held, { rows: parcels.slice(3), total: 27, whilePaging: () => {} })
  expect(await run(source)).toMatchObject({ counts: { read: 27 }, removed: 3 })
  const gone = sql<{ apn: string }>`select apn from property where removed_at is not null order by apn`
  expect((await gone.execute(store().db)).rows.map(({ apn }) => apn)).toEqual([
    '100-00-100',
    '100-00-101',
    '100-00-102',
  ])
  // Before anything else is asked after that page, too.
  Object.assign(held, { rows: parcels, total: 30 })
  await run(source)
  afterFirstPage = () => {
    Object.assign(held, { rows: parcels.slice(3), total: 27 })
    afterFirstPage = undefined
  }
  expect(await run(source)).toMatchObject({ counts: { read: 27 }, removed: 3 })
  expect((await gone.execute(store().db)).rows.map(({ apn }) => apn)).toEqual([
    '100-00-100',
    '100-00-101',
    '100-00-102',
  ])
  // One that loses rows in every read is a problem of the feed, so that the other sources of a command are still loaded.
  Object.assign(held, { rows: parcels, total: 30 })
  await run(source)
  held.whilePaging = () => Object.assign(held, { rows: held.rows.slice(1), total: held.rows.length - 1 })
  await expect(run(source)).rejects.toThrow(SourceError)
})

test('after a source is removed, the next run of another one reads all its rows, also unchanged ones', async () => {
  const { url } = await feedServer(({ headers }, response) =>
    headers['if-none-match'] === '"v1"'
      ? response.writeHead(304).end()
      : response.writeHead(200, { etag: '"v1"' }).end(csvOf([permitRow()])),
  )
  await run(config('permits', { id: 'first', where: { url } }))
  const second = config('permits', { id: 'second', where: { url } })
  expect((await run(second)).counts.rejected).toBe(1)
  expect((await run(second)).notModified).toBe(true)
  await removeSource(store().db, 'first', new Date())
  expect((await run(second)).counts.inserted).toBe(1)
  expect((await run(second)).notModified).toBe(true)
})

test('a row that a page left out is asked for again by the next run', async () => {
  const rows = Array.from({ length: 6 }, (_, at) => ({
    ...permitRow({ permitId: `B-${at}` }),
    ':id': `row-${at}`,
    changed: `2026-11-0${at + 1}T10:00:00`,
  }))
  let held = rows
  let shrinks = true
  const asked: (string | null)[] = []
  const { url } = await feedServer(({ url: at }, response) => {
    const offset = at.searchParams.get('$offset')
    if (offset === '0') asked.push(at.searchParams.get('$where'))
    json(response, offset ? held.slice(Number(offset), Number(offset) + 2) : [{ total: String(held.length) }])
    // After the first page the city deletes one of its rows, so the next page begins one row too late.
    if (offset === '0' && shrinks) held = rows.slice(1)
  })
  const source = config('permits', { kind: 'socrata', where: { url, updatedField: 'changed', pageSize: 2 } })
  expect((await run(source)).counts.loaded).toBe(5)
  shrinks = false
  expect((await run(source)).counts.inserted).toBe(1)
  expect(asked).toEqual([null, null])
  // An earlier version kept a typing error.
  await sql`update ingest_run set high_water = '2062-11-01T10:00:00'`.execute(store().db)
  await run(source)
  expect(asked).toEqual([null, null, null])
})

test('a column that vanishes from a feed of changes fails the run, however few rows it has', async () => {
  const permits: Row[] = Array.from({ length: 40 }, (_, at) => ({
    ...permitRow({ permitId: `B-${at}` }),
    changed: `2026-10-01T00:00:${10 + at}`,
  }))
  let rows: readonly object[] = permits
  const { url } = await feedServer(({ url: at }, response) =>
    json(response, at.searchParams.get('$offset') === '0' ? rows : []),
  )
  const source = config('permits', { kind: 'socrata', where: { url, updatedField: 'changed' } })
  await run(source)
  const valued = async () =>
    (await sql<{ count: number }>`select count(valuation_usd) from permit`.execute(store().db)).rows[0]!.count
  const later = permits.slice(0, 6).map((row) => ({ ...row, changed: '2026-11-01T00:00:00' }))
  rows = later.map(({ valuation, ...row }: Row) => ({ ...row, estimated_cost: valuation }))
  await expect(run(source)).rejects.toThrow(
    /last run: rows with a value in valuation fell from 100% to 0%\. It has.*Nothing was changed/,
  )
  expect(await valued()).toBe(40)
  // One of the rows has a value: the column is still there.
  rows = later.map((row: Row, at) => ({ ...row, valuation: at === 0 ? row.valuation : undefined }))
  await run(source)
  expect(await valued()).toBe(35)
  // Accepted once, the loss is known.
  const without = (count: number, day: string) =>
    later.slice(0, count).map(({ valuation: _, ...row }: Row) => ({ ...row, changed: `${day}T00:00:00` }))
  rows = without(6, '2026-11-02')
  await expect(run(source)).rejects.toThrow(/valuation fell/)
  await run(source, 'the city no longer publishes it')
  rows = without(3, '2026-11-03')
  await run(source)
})
