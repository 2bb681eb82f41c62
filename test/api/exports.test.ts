import { createHash } from 'node:crypto'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { rangeOf } from '../../src/api/send-file.ts'
import { ApiError } from '../../src/common/errors.ts'
import { exportWithheld } from '../../src/domain/provenance.ts'
import { getExportFileRun } from '../../src/operations/exports.ts'
import { mailboxOf } from '../../src/operations/mailbox.ts'
import { runExport } from '../../src/operations/run-export.ts'
import { sql } from '../../src/store/engine/database.ts'
import { prune } from '../../src/store/engine/prune.ts'
import { startExport } from '../../src/store/exports/exports.ts'
import { claimToday, usedToday } from '../../src/store/keys/daily-counts.ts'
import { hashOf, insertKey, keyByHash } from '../../src/store/keys/keys.ts'
import { exportsPerDay } from '../../src/wire/operations/exports.ts'
import { type Plan, plans } from '../../src/wire/plans.ts'
import { ask } from '../setup/ask.ts'
import { listing, manyPermits, permit, property } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

const service = useService()
const now = new Date('2026-11-15T12:00:00Z')
const permits = 10_400

beforeAll(async () => {
  service().setNow(now)
  const { db } = service()
  await manyPermits(db, permits)
  await permit(db, {
    permit_id: 'B-formula',
    city: 'San Carlos',
    description: '=HYPERLINK("http://example.com")',
    lat: 37.5,
    lng: -122.25,
    valuation_usd: 125_000.5,
  })
  await permit(db, { permit_id: 'B-plain', city: 'San Carlos', lat: 37.4, lng: -122.3 })
})

/** Each test has a mailbox of its own, so that they do not share its allowance. */
let mailboxes = 0
const newKey = async (plan: 'pro' | 'free' = 'pro') => {
  const email = `user${mailboxes++}x@example.com`
  const { key, id } = await insertKey(service().db, { plan, email })
  return { key, id, email }
}

const create = (key: string, body: object, headers: Record<string, string> = {}) =>
  ask(service(), '/v1/exports', { key, body: { format: 'ndjson', ...body }, headers })

const run = (id: string) => runExport(service().services, id, () => now)

/** Requests and runs an export; returns its state and its file. */
const exported = async (body: object, key?: string) => {
  const own = key ?? (await newKey()).key
  const made = await create(own, body)
  expect(made.body, made.text).toMatchObject({ success: true, data: { state: 'queued', rows: 0 } })
  expect(made.status).toBe(202)
  expect(made.headers.location).toBe(`/api/v1/exports/${made.body.data.id}`)
  await run(made.body.data.id)
  const { body: state } = await ask(service(), made.headers.location!, { key: own })
  const file = await service().app.inject({
    url: `${made.headers.location}/file`,
    headers: { 'x-api-key': own, 'accept-encoding': 'gzip' },
  })
  return { key: own, id: made.body.data.id as string, state: state.data, file }
}

test('an export has every row of the list once, without a sort in the order of city and number', async () => {
  const { state, file, key } = await exported({ kind: 'permits', criteria: { city: 'palo-alto,menlo-park' } })
  expect(state).toMatchObject({ state: 'ready', rows: permits, expectedRows: permits, format: 'ndjson' })
  expect(state.expiresAt).toBe('2026-11-16T12:00:00.000Z')
  expect(file.statusCode).toBe(200)
  expect(file.headers['content-type']).toBe('application/x-ndjson')
  expect(file.rawPayload).toHaveLength(state.bytes)
  expect(createHash('sha256').update(file.rawPayload).digest('hex')).toBe(state.sha256)
  const rows = file.body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const keys = rows.map(({ city, permitId }) => `${city} ${permitId}`)
  expect(new Set(keys).size).toBe(permits)
  expect(keys).toEqual([...keys].sort())
  const list = await ask(service(), '/v1/permits?city=palo-alto,menlo-park&limit=500', { key })
  for (const permit of list.body.data) expect(rows[keys.indexOf(`${permit.city} ${permit.permitId}`)]).toEqual(permit)
})

test('a sorted export of several pages has the order and the rows of the sorted list', async () => {
  const criteria = { city: 'palo-alto,menlo-park', issued: 'any' }
  const { file, key } = await exported({ kind: 'permits', criteria, sort: ['issuedDate'] })
  const rows = file.body.trim().split('\n')
  expect(rows).toHaveLength(permits)
  const url = `/v1/permits?city=${criteria.city}&issued=any&sort=issuedDate&limit=200`
  const list = async (offset: number) => (await ask(service(), `${url}&offset=${offset}`, { key })).body.data
  for (const offset of [0, 4_900, 9_700])
    expect(rows.slice(offset, offset + 200).map((row) => JSON.parse(row))).toEqual(await list(offset))
})

test('texts with any characters, empty ones and lists are exported and searched as the list has them', async () => {
  const description = 'it\'s a "dormer"\t$1\r\n\\N \\t\b\v\f\u2028é 日本 \\'
  await permit(service().db, {
    permit_id: "O'Brien\\2 $2",
    city: 'Belmont',
    address: '',
    description,
    class_words: ['a "b"', 'c\\,{d}', 'e\tf'],
    collected_at: '2026-11-01T10:00:00.123Z',
  })
  await permit(service().db, { permit_id: 'other', city: 'Belmont', description: 'dormer' })
  const criteria = { city: 'belmont', q: "it's o'brien\\" }
  const { file, key } = await exported({ kind: 'permits', criteria })
  const list = await ask(service(), `/v1/permits?${new URLSearchParams(criteria)}`, { key })
  expect(list.body.data).toMatchObject([{ description, address: '' }])
  expect(JSON.parse(file.body)).toEqual(list.body.data[0])
})

test('rows that change while the export runs are not in it', async () => {
  const { key } = await newKey()
  const { body, text } = await create(key, { kind: 'permits', criteria: { city: 'palo-alto' } })
  expect(body.data, text).toBeDefined()
  let changed: Promise<unknown> | undefined
  await runExport(
    service().services,
    body.data.id,
    () => now,
    () => {
      changed ??= permit(service().db, { permit_id: 'A-during', city: 'Palo Alto', issued_on: '2001-01-01' })
    },
  )
  await changed
  const { body: state } = await ask(service(), `/v1/exports/${body.data.id}`, { key })
  expect(state.data).toMatchObject({ state: 'ready', rows: permits / 2 })
  await sql`delete from permit_search where permit_id = 'A-during'`.execute(service().db)
})

test('sort and fields are those of the lists', async () => {
  const { file } = await exported({
    kind: 'permits',
    criteria: { city: 'San Carlos' },
    sort: ['valuation'],
    fields: ['valuation', 'source.source'],
  })
  expect(file.body).toBe(
    '{"permitId":"B-formula","valuation":125000.5,"source":{"source":"test"}}\n{"permitId":"B-plain","valuation":null,"source":{"source":"test"}}\n',
  )
})

test('CSV has one header, and cells that start a formula are guarded', async () => {
  const { file } = await exported({
    kind: 'permits',
    criteria: { city: 'San Carlos' },
    fields: ['description'],
    format: 'csv',
  })
  expect(file.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(file.headers['content-disposition']).toBe('attachment; filename="lotline-permits-2026-11-15.csv"')
  expect(file.body).toBe('permitId,description\r\nB-formula,"\'=HYPERLINK(""http://example.com"")"\r\nB-plain,\r\n')
  const empty = await exported({ kind: 'permits', criteria: { city: 'Colma' }, fields: ['city'], format: 'csv' })
  expect(empty.file.body).toBe('permitId,city\r\n')
})

const readParquet = async ({ buffer, byteOffset, length }: Buffer) => {
  const file = buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer
  const metadata = parquetMetadata(file).key_value_metadata!
  const geo = JSON.parse(metadata.find(({ key }) => key === 'geo')!.value!)
  return { geo, rows: await parquetReadObjects({ file }) }
}

test('a Parquet reader reads GeoParquet: rows, types, points, bounding box', async () => {
  const { file } = await exported({ kind: 'permits', criteria: { city: 'San Carlos' }, format: 'geoparquet' })
  const { geo, rows } = await readParquet(file.rawPayload)
  expect(geo).toEqual({
    version: '1.1.0',
    primary_column: 'geometry',
    columns: { geometry: { encoding: 'WKB', geometry_types: ['Point'], bbox: [-122.3, 37.4, -122.25, 37.5] } },
  })
  const [first, second] = rows
  expect(first).toMatchObject({
    permitId: 'B-formula',
    valuation: 125_000.5,
    issuedDate: new Date('2026-11-10'),
    geometry: { type: 'Point', coordinates: [-122.25, 37.5] },
  })
  expect(JSON.parse(first!.source as string)).toMatchObject({ source: 'test' })
  expect(second).toMatchObject({ permitId: 'B-plain', lat: 37.4 })
  expect(second!.valuation ?? undefined).toBeUndefined()
})

test('GeoParquet has the outline of a parcel, and a point where there is none', async () => {
  const { db } = service()
  const at = { city: 'Half Moon Bay', lat: 37.46, lng: -122.43 }
  const [outlined, forbidden, plain] = await Promise.all([property(db, at), property(db, at), property(db, at)])
  await sql`
    insert into source (id, kind, holds, title, sample, config)
    values ('no-export', 'csv', 'parcels', 'Licensed', false, '{"uses": ["page"]}')`.execute(db)
  const square = [[[-122.44, 37.45], [-122.42, 37.45], [-122.42, 37.47], [-122.44, 37.47], [-122.44, 37.45]]] // biome-ignore format: one line
  const hole = [[[-122.435, 37.455], [-122.43, 37.455], [-122.43, 37.46], [-122.435, 37.455]]] // biome-ignore format: one line
  const polygons = [[...square, ...hole], square]
  for (const [id, source] of [[outlined, 'test'], [forbidden, 'no-export']]) // biome-ignore format: one line
    await sql`
      insert into parcel_outline (market, property_id, source_id, polygons, bounds)
      values ('sf-peninsula', ${id}, ${source}, ${JSON.stringify(polygons)}, box '((-122.42,37.47),(-122.44,37.45))')`.execute(
      db,
    )
  const { file } = await exported({ kind: 'parcels', criteria: { city: 'half-moon-bay' }, format: 'geoparquet' })
  const { geo, rows } = await readParquet(file.rawPayload)
  expect(geo.columns.geometry).toEqual({
    encoding: 'WKB',
    geometry_types: ['MultiPolygon', 'Point'],
    bbox: [-122.44, 37.45, -122.42, 37.47],
  })
  const geometries = Object.fromEntries(rows.map(({ id, geometry }) => [id, geometry]))
  const point = { type: 'Point', coordinates: [-122.43, 37.46] }
  expect(geometries).toEqual({
    [outlined]: { type: 'MultiPolygon', coordinates: polygons },
    [forbidden]: point,
    [plain]: point,
  })
})

test.each(['listings', 'parcels', 'sales'])('%s can be exported in every format', async (kind) => {
  for (const format of ['ndjson', 'csv', 'geoparquet'])
    expect((await exported({ kind, format })).state).toMatchObject({ state: 'ready', kind })
})

describe('the license of a source', () => {
  test('rows of a listing service are left out and counted, and parcels lose its price', async () => {
    const { db } = service()
    await sql`
      insert into source (id, kind, holds, title, sample, config) values ('mls', 'reso', 'listings', 'Listing service', false, '{}')`.execute(
      db,
    )
    const id = await property(db, { city: 'Atherton', address: '1 Licensed Way' })
    await listing(db, { property_id: id, city: 'Atherton', price_usd: 4_000_000 })
    await sql`update listing set source_id = 'mls' where property_id = ${id}`.execute(db)
    await listing(db, { city: 'Atherton', price_usd: 3_000_000 })
    const criteria = { city: 'Atherton' }
    const { state, file } = await exported({ kind: 'listings', criteria })
    expect(state).toMatchObject({ rows: 1, withheld: { count: 1, reason: exportWithheld } })
    expect(file.body).not.toContain('4000000')
    const parcels = await exported({ kind: 'parcels', criteria })
    expect(parcels.state.rows).toBe(2)
    expect(parcels.file.body).toContain(id)
    expect(parcels.file.body).not.toContain('4000000')
    expect(parcels.file.body).toContain('3000000')
    const looked = await lookUp('address,city\n1 Licensed Way,Atherton\n')
    expect(looked).toContain(id)
    expect(looked).not.toContain('4000000')
  })

  test('a home with a fact of a share-alike map is left out of exports and lists, one with a fact of an open map is not', async () => {
    const { db } = service()
    for (const [id, licence] of [
      ['footprints', 'ODbL 1.0'],
      ['flood-zones', 'Public domain'],
    ])
      await sql`insert into source (id, kind, holds, title, sample, config)
        values (${id}, 'geojson', 'layer', 'Map', false, ${JSON.stringify({ licence })})`.execute(db)
    const [open, shared] = [
      await property(db, { city: 'Colma', address: '1 Open St' }),
      await property(db, { city: 'Colma', address: '2 Shared St' }),
    ]
    await sql`update property set overlay_sources = '{"floodZone":"flood-zones"}' where city = 'Colma'`.execute(db)
    await sql`update property set overlay_sources = '{"floodZone":"flood-zones","buildings":"footprints"}'
      where id = ${shared}`.execute(db)
    const { state, file } = await exported({ kind: 'parcels', criteria: { city: 'Colma' } })
    expect(state).toMatchObject({ rows: 1, withheld: { count: 1, reason: exportWithheld } })
    expect(file.body).toContain(open)
    expect(file.body).not.toContain(shared)
    const looked = await lookUp('address,city\n1 Open St,Colma\n2 Shared St,Colma\n')
    expect(looked).toContain(open)
    expect(looked).not.toContain(shared)
    expect(looked).toContain(exportWithheld)
    // The answer to one question is no export.
    const { key } = await newKey()
    const raw = 'address,city\n2 Shared St,Colma\n'
    const atOnce = await ask(service(), '/v1/lookup/batch', { key, raw, headers: { 'content-type': 'text/csv' } })
    expect(atOnce.text).toContain(shared)
  })
})

const csvHeaders = { 'content-type': 'text/csv', prefer: 'respond-async' }

const lookUp = async (raw: string): Promise<string> => {
  const { key } = await newKey()
  const made = await ask(service(), '/v1/lookup/batch', { key, raw, headers: csvHeaders })
  expect(made.status, made.text).toBe(202)
  expect(made.headers['preference-applied']).toBe('respond-async')
  await run(made.body.data.id)
  return (await ask(service(), `${made.headers.location}/file`, { key })).text
}

describe('a list to score', () => {
  test('the file is the answer that the same CSV gets at once', async () => {
    await property(service().db, { city: 'Belmont', address: '7 Score St' })
    const raw = 'name,address,city\n=1+1,7 Score St,Belmont\nother,,\n'
    const { key } = await newKey()
    const headers = { 'content-type': 'text/csv' }
    const atOnce = await ask(service(), '/v1/lookup/batch', { key, raw, headers })
    const later = await lookUp(raw)
    expect(later).toBe(atOnce.text)
    expect(later).toContain("\r\n'=1+1,7 Score St,Belmont,exact,")
  })

  test('the same Idempotency-Key returns the first export', async () => {
    const { key } = await newKey()
    const headers = { ...csvHeaders, 'idempotency-key': 'list' }
    const start = async () =>
      (await ask(service(), '/v1/lookup/batch', { key, raw: 'address\n1 A St\n', headers })).body.data.id
    expect(await start()).toBe(await start())
  })

  test('a CSV that cannot be read is a 400 at once, and a replaced key is refused', async () => {
    const { key } = await newKey()
    const bad = await ask(service(), '/v1/lookup/batch', { key, raw: 'name\nx\n', headers: csvHeaders })
    expect(bad.status).toBe(400)
    await ask(service(), '/v1/keys/rotate', { key, body: {} })
    const refused = () => ask(service(), '/v1/lookup/batch', { key, raw: 'address\n1 A St\n', headers: csvHeaders })
    await expect.poll(async () => (await refused()).status).toBe(403)
  })
})

describe('ranges', () => {
  test('parts of the file and their ETag', async () => {
    const { id, key, file, state } = await exported({ kind: 'permits', criteria: { city: 'palo-alto' } })
    const path = `/v1/exports/${id}/file`
    const part = (headers: Record<string, string>) => ask(service(), path, { key, headers })
    expect(file.headers.etag).toBe(`"${state.sha256}"`)
    const middle = await part({ range: 'bytes=1048570-1048590' })
    expect(middle.status).toBe(206)
    expect(middle.headers['content-range']).toBe(`bytes 1048570-1048590/${state.bytes}`)
    expect(middle.text).toBe(file.body.slice(1_048_570, 1_048_591))
    expect((await part({ range: 'bytes=-5' })).text).toBe(file.body.slice(-5))
    expect((await part({ range: `bytes=${state.bytes}-` })).status).toBe(416)
    expect((await part({ 'if-none-match': file.headers.etag as string })).status).toBe(304)
    expect((await part({ range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200)
  })

  test.each([
    ['bytes=0-9', [0, 9]],
    ['bytes=95-', [95, 99]],
    ['bytes=90-200', [90, 99]],
    ['bytes=-10', [90, 99]],
    ['bytes=-500', [0, 99]],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=9-2', undefined],
    ['bytes=0-1,5-6', undefined],
    ['rows=0-1', undefined],
    [undefined, undefined],
  ] as const)('%s of 100 bytes', (header, range) => expect(rangeOf(header, 100)).toEqual(range))
})

describe('who may do what', () => {
  test('exports need the plan Pro, early access is not enough', async () => {
    const { key } = await newKey('free')
    await sql`update api_key set promotion_until = ${new Date('2027-01-01')} where hint = ${key.slice(0, 12)}`.execute(
      service().db,
    )
    expect((await create(key, { kind: 'permits' })).status).toBe(403)
    expect((await create('demo', { kind: 'permits' })).status).toBe(403)
    expect((await ask(service(), '/v1/exports', { key: 'demo' })).status).toBe(403)
  })

  test('an export of another key is 404 on every path', async () => {
    const { id } = await exported({ kind: 'permits', criteria: { city: 'San Carlos' } })
    const { key } = await newKey()
    for (const [method, path] of [
      ['GET', `/v1/exports/${id}`],
      ['GET', `/v1/exports/${id}/file`],
      ['DELETE', `/v1/exports/${id}`],
    ] as const)
      expect((await ask(service(), path, { key, method })).status).toBe(404)
    expect((await ask(service(), '/v1/exports', { key })).body.data).toEqual([])
  })

  test('an export that is deleted before it starts gives its rows back; one that ran does not', async () => {
    const { key, email } = await newKey()
    const used = () => usedToday(service().db, 'export-rows', mailboxOf(email), now)
    const body = { kind: 'permits', criteria: { city: 'San Carlos' } }
    const { id } = await exported(body, key)
    expect(await used()).toBe(2)
    const queued = (await create(key, body)).body.data.id
    expect(await used()).toBe(4)
    for (const each of [queued, id]) {
      expect((await ask(service(), `/v1/exports/${each}`, { key, method: 'DELETE' })).status).toBe(200)
      expect(await used()).toBe(2)
    }
  })

  test('an export passes to the key that replaces its own; the old key can still read it', async () => {
    const { id, key } = await exported({ kind: 'permits', criteria: { city: 'San Carlos' } })
    const { body } = await ask(service(), '/v1/keys/rotate', { key, body: {} })
    for (const each of [key, body.key])
      await expect.poll(async () => (await ask(service(), `/v1/exports/${id}/file`, { key: each })).status).toBe(200)
    expect((await ask(service(), `/v1/exports/${id}`, { key, method: 'DELETE' })).status).toBe(403)
    expect((await ask(service(), `/v1/exports/${id}`, { key: body.key, method: 'DELETE' })).status).toBe(200)
    expect((await ask(service(), `/v1/exports/${id}/file`, { key: body.key })).status).toBe(404)
  })

  test('the plan and the history window are checked again when the file is read', async () => {
    const { id, key } = await exported({ kind: 'permits', criteria: { city: 'San Carlos' } })
    const { keyId } = (await sql<{ keyId: string }>`select key_id from export where id = ${id}`.execute(service().db))
      .rows[0]!
    await sql`update api_key set plan = 'free' where id = ${keyId}`.execute(service().db)
    await sql`select pg_notify('lotline_keys', encode(hash, 'hex')) from api_key where id = ${keyId}`.execute(
      service().db,
    )
    await expect.poll(async () => (await ask(service(), `/v1/exports/${id}/file`, { key })).status).toBe(403)
    expect((await ask(service(), `/v1/exports/${id}`, { key })).status).toBe(200)
  })

  test('a file with records from before the window of its reader is a 403', async () => {
    const { id, key } = await exported({ kind: 'permits', criteria: { city: 'San Carlos' } })
    const record = (await keyByHash(service().db, hashOf(key)))!
    const open = (limits: Plan) => {
      const caller = { plan: 'pro' as const, limits, client: '', remaining: 0, windowResetsInSeconds: 0 }
      const owner = { ...record, currentKeyId: record.id }
      return getExportFileRun.file!(
        { ...service().services, caller: { ...caller, key: owner }, now, surface: 'api' },
        { id },
      )
    }
    const windowed = { ...plans.pro, historyDays: 30 }
    const since = (day: string | null) => sql`update export set since = ${day} where id = ${id}`.execute(service().db)
    await expect(open(plans.pro)).resolves.toMatchObject({ name: 'lotline-permits-2026-11-15.ndjson' })
    // Written without a window, with an older one, with the same one.
    await expect(open(windowed)).rejects.toThrow('before the history window')
    await since('2026-10-15')
    await expect(open(windowed)).rejects.toThrow('before the history window')
    await since('2026-10-16')
    await expect(open(windowed)).resolves.toMatchObject({ name: expect.any(String) })
  })

  test('a key that lost its plan or was revoked before the job runs gets no file', async () => {
    const { key, id: keyId, email } = await newKey()
    const used = () => usedToday(service().db, 'export-rows', mailboxOf(email), now)
    const { body } = await create(key, { kind: 'permits', criteria: { city: 'San Carlos' } })
    expect(await used()).toBe(2)
    await sql`update api_key set plan = 'free' where id = ${keyId}`.execute(service().db)
    await run(body.data.id)
    const { body: state } = await ask(service(), `/v1/exports/${body.data.id}`, { key })
    expect(state.data).toMatchObject({ state: 'failed', error: expect.stringContaining('plan Pro') })
    // A file that was not written costs none of the rows of the day.
    expect(await used()).toBe(0)
  })
})

describe('limits', () => {
  test('the 21st export of a day is 429', async () => {
    const { key } = await newKey()
    for (let at = 0; at < exportsPerDay; at++)
      expect((await create(key, { kind: 'permits', criteria: { city: 'Colma' } })).status).toBe(202)
    const refused = await create(key, { kind: 'permits', criteria: { city: 'Colma' } })
    expect(refused.status).toBe(429)
    expect(refused.headers['retry-after']).toBe('43200')
  })

  test('more rows than the mailbox has left today is 429, whichever of its keys asks', async () => {
    const { key, email } = await newKey()
    await claimToday(service().db, 'export-rows', mailboxOf(email), 500_000, now, 500_000 - 2)
    const second = (await insertKey(service().db, { plan: 'pro', email: email.replace('@', '+b@') })).key
    expect((await create(second, { kind: 'permits', criteria: { city: 'palo-alto' } })).status).toBe(429)
    expect((await create(key, { kind: 'permits', criteria: { city: 'San Carlos' } })).status).toBe(202)
    expect((await create(second, { kind: 'permits', criteria: { city: 'San Carlos' } })).status).toBe(429)
  })

  test('the jobs of one key run one after the other', async () => {
    const { key } = await newKey()
    const { boss } = service().services.queue
    await sql`delete from pgboss.job where name = 'export'`.execute(service().db)
    await create(key, { kind: 'permits', criteria: { city: 'San Carlos' } })
    await create(key, { kind: 'permits', criteria: { city: 'San Carlos' } })
    const [first] = await boss.fetch('export', { batchSize: 2 })
    expect(await boss.fetch('export')).toEqual([])
    await boss.complete('export', first!.id)
    expect(await boss.fetch('export')).toHaveLength(1)
  })
})

test('the same Idempotency-Key returns the first export, with another body it is 400, after a day it is free', async () => {
  const { key } = await newKey()
  const headers = { 'idempotency-key': 'nightly' }
  const body = { kind: 'permits', criteria: { city: 'San Carlos' } }
  const first = await create(key, body, headers)
  const again = await create(key, body, headers)
  expect(again.status).toBe(202)
  expect(again.body.data.id).toBe(first.body.data.id)
  expect((await create(key, { ...body, format: 'csv' }, headers)).status).toBe(400)
  const other = await newKey()
  expect((await create(other.key, body, headers)).body.data.id).not.toBe(first.body.data.id)
  service().setNow(new Date('2026-11-16T12:00:01Z'))
  expect((await create(key, body, headers)).body.data.id).not.toBe(first.body.data.id)
  service().setNow(now)
})

test('an Idempotency-Key of more than 100 characters is a 400 only where the header is read', async () => {
  const { key } = await newKey()
  const headers = { 'idempotency-key': 'x'.repeat(101) }
  expect((await create(key, { kind: 'permits' }, headers)).status).toBe(400)
  expect((await create(key, { kind: 'permits' }, { 'idempotency-key': 'x'.repeat(100) })).status).toBe(202)
  expect((await ask(service(), '/v1/permits?limit=1', { key, headers })).status).toBe(200)
})

test('an interrupted job starts again, and what it wrote before is not served', async () => {
  const { key } = await newKey()
  const { body } = await create(key, { kind: 'permits', criteria: { city: 'San Carlos' } })
  const { id } = body.data
  const { attempt } = (await startExport(service().db, id))!
  await sql`
    insert into export_piece (export_id, attempt, piece, content) values (${id}, ${attempt}, 0, 'half')`.execute(
    service().db,
  )
  await run(id)
  const file = await ask(service(), `/v1/exports/${id}/file`, { key })
  expect(file.text.split('\n')).toHaveLength(3)
  const { rows } = await sql`select attempt from export_piece where export_id = ${id}`.execute(service().db)
  expect(rows).toEqual([{ attempt: attempt + 1 }])
})

test.each([
  ['fails', 'San Carlos'],
  ['finishes', 'Colma'],
])(
  'an attempt that %s after another one started changes neither its pieces nor the rows counted',
  async (ends, city) => {
    const { db } = service()
    const { key, email } = await newKey()
    const { body } = await create(key, { kind: 'permits', criteria: { city } })
    const { id } = body.data
    await sql`update export set claimed_rows = 5 where id = ${id}`.execute(db)
    await claimToday(db, 'export-rows', mailboxOf(email), 500_000, now, 10)
    const counted = await usedToday(db, 'export-rows', mailboxOf(email), now)
    /** The other attempt starts just before this one records its end. */
    const takeOver = async () => {
      const { attempt } = (await startExport(db, id))!
      await sql`insert into export_piece (export_id, attempt, piece, content) values (${id}, ${attempt}, 0, 'new')`.execute(
        db,
      )
    }
    const transaction = db.transaction.bind(db)
    const end = (run: never) => takeOver().then(() => transaction().execute(run))
    let spy: ReturnType<typeof vi.spyOn> | undefined
    await runExport(
      service().services,
      id,
      () => now,
      () => {
        spy ??= vi.spyOn(db, 'transaction').mockImplementationOnce(() => ({ execute: end }) as never)
        if (ends === 'fails') throw new ApiError(500, 'Interrupted.')
      },
    ).finally(() => spy?.mockRestore())
    const { rows } = await sql`
    select e.state, p.attempt from export e join export_piece p on p.export_id = e.id where e.id = ${id}`.execute(db)
    expect(rows).toEqual([{ state: 'running', attempt: 2 }])
    expect(await usedToday(db, 'export-rows', mailboxOf(email), now)).toBe(counted)
  },
)

test('a file that expired is gone, and its export says so', async () => {
  const { id, key } = await exported({ kind: 'permits', criteria: { city: 'San Carlos' } })
  const later = new Date('2026-11-16T12:00:01Z')
  service().setNow(later)
  expect((await ask(service(), `/v1/exports/${id}`, { key })).body.data.state).toBe('expired')
  expect((await ask(service(), `/v1/exports/${id}/file`, { key })).status).toBe(404)
  await prune(service().db, later)
  const { rows } = await sql`select 1 from export_piece where export_id = ${id}`.execute(service().db)
  expect(rows).toEqual([])
  service().setNow(now)
})

test('a wrong criterion, sort or field is a 400 before anything is queued', async () => {
  const { key } = await newKey()
  for (const body of [
    { kind: 'permits', criteria: { minValuation: 'cheap' } },
    { kind: 'permits', sort: ['nothing'] },
    { kind: 'permits', fields: ['nothing'] },
    { kind: 'homes' },
    { kind: 'permits', criteria: { citty: 'Palo Alto' } },
    { kind: 'permits', criteria: { minPrice: 5 } },
  ])
    expect((await create(key, body)).status).toBe(400)
  expect((await ask(service(), '/v1/exports', { key })).body.data).toEqual([])
})
