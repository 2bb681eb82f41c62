// Exports of lists, and the columns of rows with nested values.
import { parquetMetadata, parquetReadObjects, parquetSchema } from 'hyparquet'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { runExport } from '../../src/operations/run-export.ts'
import { saveSeries } from '../../src/store/assessments/market-series.ts'
import { sql } from '../../src/store/engine/database.ts'
import { insertKey } from '../../src/store/keys/keys.ts'
import { indexBuilders } from '../../src/store/permits/builders.ts'
import { builderKey } from '../../src/wire/builders.ts'
import { exportLists } from '../../src/wire/operations/exports.ts'
import { ask } from '../setup/ask.ts'
import {
  adu,
  assessment,
  listing,
  permit,
  permitCreated,
  proforma,
  property,
  redevelopment,
  sb9,
} from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

const service = useService()
const now = new Date('2026-11-15T12:00:00Z')
let key: string

beforeAll(async () => {
  service().setNow(now)
  const { db } = service()
  for (const score of [70, 90]) {
    const id = await property(db, { city: 'Menlo Park', lat: 37.45, lng: -122.18 })
    await listing(db, { property_id: id, city: 'Menlo Park', price_usd: 2_000_000 })
    await assessment(db, id, {
      sb9_status: 'likely',
      sb9: sb9(),
      adu_score: score,
      adu: adu({ aduScore: score }),
      redevelopment_score: score,
      redevelopment: redevelopment({ redevelopmentScore: score }),
      proforma: proforma({ returnPct: 12.5 }),
    })
  }
  for (let at = 0; at < 6; at++)
    await permit(db, {
      contractor: 'Delta Homes',
      contractor_key: builderKey('Delta Homes')!,
      permit_class: 'new_house',
      issued_on: '2026-11-05',
    })
  await indexBuilders(db, 'sf-peninsula')
  const figures = { medianSalePrice: 3_120_000, homesSold: 41 }
  const year = { citySlug: '', zip: '', interval: 'year' as const, n: 41, partial: false, suppressed: false, figures }
  for (const each of [2024, 2025])
    await saveSeries(db, 'sf-peninsula', each, [{ ...year, period: `${each}-01-01` }], now)
  for (const id of ['evt_1', 'evt_2'])
    await sql`
      insert into event (id, type, market, body, created_at) values (${id}, 'permit.created', 'sf-peninsula', ${JSON.stringify(
        {
          event: 'permit.created',
          market: 'sf-peninsula',
          data: permitCreated(id),
          timestamp: now.toISOString(),
        },
      )}, ${now})`.execute(db)
})

const bufferOf = (bytes: Buffer) => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer

/** A key has 20 exports a day. */
beforeEach(async () => {
  key = (await insertKey(service().db, { plan: 'pro', email: 'lists@example.com' })).key
})

const create = (body: object) => ask(service(), '/v1/exports', { key, body: { format: 'ndjson', ...body } })

const exported = async (body: object) => {
  const made = await create(body)
  expect(made.status, made.text).toBe(202)
  await runExport(service().services, made.body.data.id, () => now)
  const { body: state } = await ask(service(), made.headers.location!, { key })
  expect(state.data).toMatchObject({ state: 'ready' })
  const headers = { 'x-api-key': key }
  const { rawPayload } = await service().app.inject({ url: `${made.headers.location}/file`, headers })
  return { state: state.data, bytes: rawPayload, text: rawPayload.toString() }
}

const cases = [
  ['sb9', { status: ['any'] }],
  ['aduLeads', { minScore: 80 }],
  ['redevelopmentLeads', { minScore: 80 }],
  ['builders', { q: 'delta' }],
  ['marketSeries', { interval: 'year' }],
  ['events', { types: ['permit.created'] }],
] as const

const query = (criteria: object, more: object) =>
  new URLSearchParams(Object.entries({ ...criteria, ...more }).map(([name, value]) => [name, String(value)]))

test.each(cases)('an export of %s has the rows of its list, and the columns of its CSV', async (kind, criteria) => {
  const { path } = exportLists[kind]
  const list = await ask(service(), `${path}?${query(criteria, { limit: 100 })}`, { key })
  expect(list.status, list.text).toBe(200)
  expect(list.body.data.length).toBeGreaterThan(0)
  const { text, state } = await exported({ kind, criteria })
  const lines = text === '' ? [] : text.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(list.body.data)
  expect(state.expectedRows).toBe(list.body.data.length)
  const csv = await ask(service(), `${path}?${query(criteria, { limit: 100, f: 'csv' })}`, { key })
  expect((await exported({ kind, criteria, format: 'csv' })).text).toBe(csv.text)
})

test.each(['builders', 'marketSeries', 'events'])('%s have no location: geoparquet is a 400', async (kind) => {
  const { status, text } = await create({ kind, format: 'geoparquet' })
  expect([status, text]).toEqual([400, expect.stringContaining('Use ndjson or csv')])
})

test.each([
  [{ kind: 'builders', criteria: { minPrice: 1 } }, 'criteria.minPrice does not apply to builders'],
  [{ kind: 'aduLeads', criteria: { metric: ['homesSold'] } }, 'criteria.metric does not apply to aduLeads'],
  [{ kind: 'listings', criteria: { minScore: 70 } }, 'criteria.minScore does not apply to listings'],
  [{ kind: 'listings', criteria: { status: ['eligible'] } }, 'criteria.status must be'],
  [{ kind: 'sb9', criteria: { status: ['sold'] } }, 'criteria.status must be'],
  [{ kind: 'events', sort: ['timestamp'] }, 'Leave sort out'],
  [{ kind: 'builders', sort: ['name'] }, 'sort must be'],
  [{ kind: 'builders', fields: ['price'] }, 'is not one of them'],
])('%j is a 400', async (body, problem) => {
  const answer = await create(body)
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(problem)])
})

test('sort and fields are those of the list', async () => {
  const sorted = await exported({ kind: 'aduLeads', sort: ['aduScore'], fields: ['aduScore'] })
  expect(
    sorted.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).aduScore),
  ).toEqual([70, 90])
  const builders = await exported({ kind: 'builders', sort: ['permits'], fields: ['permits'], format: 'csv' })
  expect(builders.text).toMatch(/^id,permits\r\nsf-peninsula-\w+,6\r\n$/)
})

test('nested values have columns of their own, after those of version 3, with the same names in CSV and GeoParquet', async () => {
  const { text } = await exported({ kind: 'listings', format: 'csv' })
  const [header, first] = text.split('\r\n').map((line) => line.split(','))
  const columns = header!
  expect(columns.slice(0, 4)).toEqual(['id', 'address', 'city', 'zip'])
  expect(columns.indexOf('proforma.returnPct')).toBeGreaterThan(columns.indexOf('notAssessed'))
  expect(columns).toEqual(expect.arrayContaining(['expectedPrice.p50', 'ranks.teardownScore.grade', 'source.title']))
  expect(new Set(columns).size).toBe(columns.length)
  expect(first).toBeDefined()
  const { bytes } = await exported({ kind: 'listings', format: 'geoparquet' })
  const file = bufferOf(bytes)
  const names = parquetSchema(parquetMetadata(file)).children.map(({ element }) => element.name)
  const geometry = names.indexOf('geometry')
  expect(names.slice(0, geometry)).toEqual(
    expect.arrayContaining(['id', 'proforma', 'sqft', 'lat', 'lng', 'notAssessed']),
  )
  expect(names.slice(0, geometry).filter((name) => name.includes('.'))).toEqual([])
  expect(names.slice(geometry + 1)).toEqual(columns.filter((name) => name.includes('.')))
  const rows = await parquetReadObjects({ file })
  expect(rows.map((row) => row['proforma.returnPct'])).toEqual([12.5, 12.5])
  const chosen = await exported({ kind: 'listings', format: 'csv', fields: ['proforma.returnPct'] })
  expect(chosen.text).toMatch(/^id,proforma\.returnPct\r\n[^,]+,12\.5\r\n/)
  // Under the name of versions 2 and 3 it stays the text that it was.
  const short = await exported({ kind: 'listings', format: 'geoparquet', fields: ['proforma.returnPct', 'price'] })
  expect(await parquetReadObjects({ file: bufferOf(short.bytes) })).toMatchObject(
    [1, 2].map(() => ({ returnPct: '12.5', 'proforma.returnPct': 12.5, price: 2_000_000 })),
  )
})

test('leads are exported as GeoParquet with the names of the CSV', async () => {
  const csv = await exported({ kind: 'aduLeads', format: 'csv' })
  const { bytes } = await exported({ kind: 'aduLeads', format: 'geoparquet' })
  const file = bufferOf(bytes)
  const rows = await parquetReadObjects({ file })
  const columns = csv.text.split('\r\n')[0]!.split(',')
  expect(columns).toContain('adu.economics.returnPct')
  expect(columns).toContain('lot.sqft')
  expect(Object.keys(rows[0]!)).toEqual([...columns, 'geometry'])
  expect(rows[0]).toMatchObject({ aduScore: 90, geometry: { type: 'Point', coordinates: [-122.18, 37.45] } })
})

test('a home whose listing may not be exported is withheld from SB 9, and a lead loses its status', async () => {
  const { db } = service()
  await sql`
    insert into source (id, kind, holds, title, sample, config) values ('mls', 'reso', 'listings', 'Listing service', false, '{}')`.execute(
    db,
  )
  const id = await property(db, { city: 'Atherton' })
  await listing(db, { property_id: id, city: 'Atherton', price_usd: 4_000_000 })
  await sql`update listing set source_id = 'mls' where property_id = ${id}`.execute(db)
  await assessment(db, id, { sb9_status: 'likely', sb9: sb9(), adu_score: 90, adu: adu({ aduScore: 90 }) })
  const criteria = { city: 'Atherton' }
  const inventory = await exported({ kind: 'sb9', criteria: { ...criteria, status: ['any'] } })
  expect([inventory.text, inventory.state.withheld.count]).toEqual(['', 1])
  const leads = await exported({ kind: 'aduLeads', criteria })
  expect(leads.text).toContain(id)
  expect(leads.text).not.toContain('listingStatus')
})
