// Photos and listing links: loaded through a feed, served where the source permits them, never as a script.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readConfig } from '../../src/config.ts'
import type { SourceConfig } from '../../src/domain/packs/source-config.ts'
import { checkSource } from '../../src/ingest/config.ts'
import { runIngest } from '../../src/ingest/run.ts'
import { sql } from '../../src/store/engine/database.ts'
import { type Connection, connectAgent } from '../agent/connection.ts'
import { config, csvOf, feedFolder, highValueUsd, saleRow, today } from '../ingest/feed.ts'
import { adu, assessment, redevelopment, sb9 } from '../setup/rows.ts'
import { startSite, type TestSite } from './site.ts'

const photos = [
  'https://photos.example.com/1.jpg',
  'https://img.cdn.example.net/2.jpg',
  'https://other.example.org/3.jpg',
]
const listingUrl = 'https://listings.example.com/homes/1'

interface Home {
  street: string
  url?: string
  media?: readonly string[]
  status?: string
}

/** Loads one home from a saved RESO response and returns its id. */
const load = async (
  { street, url = listingUrl, media = photos, status = 'Active' }: Home,
  given: Partial<SourceConfig> = {},
) => {
  const row = {
    ListingKey: street,
    City: 'Palo Alto',
    UnparsedAddress: `10 ${street} St`,
    StandardStatus: status,
    ListPrice: 2_000_000,
    ListingURL: url,
    Media: media.map((MediaURL) => ({ MediaURL })),
    ModificationTimestamp: '2026-11-14T00:00:00Z',
  }
  const folder = await feedFolder({ 'feed.json': JSON.stringify({ value: [row] }) })
  const source = config('listings', {
    id: `mls-${street.toLowerCase()}`,
    kind: 'reso',
    where: { url: 'feed.json' },
    sameNames: false,
    ...given,
  })
  await runIngest({ ...site, queue: site.services.queue }, source, { now: today, folder, highValueUsd })
  const { rows } = await sql<{ id: string }>`select id from property where address = ${`10 ${street} St`}`.execute(
    site.db,
  )
  return rows[0]!.id
}

let site: TestSite
let agent: Connection
let key: string
beforeAll(async () => {
  site = await startSite({ listening: true, photoHosts: ['photos.example.com', '*.example.net'] })
  key = await site.proKey()
  agent = await connectAgent(`${site.url}/api`, { apiKey: key })
})
afterAll(async () => {
  await agent?.close()
  await site?.close()
})

const page = async (id: string) => (await site.app.inject({ url: `/properties/${id}` })).body
const detail = async (id: string) =>
  (await site.app.inject({ url: `/api/v1/properties/${id}`, headers: { 'x-api-key': key } })).json().data
const told = async (id: string) => (await agent.call('get_property_intelligence', { id })).raw

test('the page shows photos of the named hosts and links the listing; the API and the agent name both', async () => {
  const id = await load({ street: 'Elm' })
  const body = await page(id)
  expect([...body.matchAll(/<img src="([^"]+)"/g)].map(([, src]) => src)).toEqual(photos.slice(0, 2))
  expect(body).toContain(`<a href="${listingUrl}" rel="noopener nofollow">Photos on the listing page (3)</a>`)
  expect(await detail(id)).toMatchObject({
    listingUrl,
    photos,
    source: { uses: ['page', 'api', 'agent', 'webhook'] },
  })
  const list = await site.app.inject({ url: '/api/v1/market-signals', headers: { 'x-api-key': key } })
  expect(list.json().data[0]).toMatchObject({ id, listingUrl, photo: photos[0] })
  expect(await told(id)).toContain(listingUrl)
  expect((await site.app.inject({ url: '/explore' })).body).toContain(`data-photo="${photos[0]}"`)
})

test('a source that permits pages only shows photos and link there and nowhere else', async () => {
  const id = await load({ street: 'Fir' }, { uses: ['page'] })
  expect(await page(id)).toContain(photos[0])
  const answer = JSON.stringify(await detail(id))
  expect(answer).toContain('"uses":["page"]')
  for (const url of [...photos, listingUrl]) {
    expect(answer).not.toContain(url)
    expect(await told(id)).not.toContain(url)
  }
})

test('a source that permits the API only shows nothing on pages and to agents', async () => {
  const id = await load({ street: 'Oak' }, { uses: ['api'], fields: { sourceUrl: 'ListingURL' } })
  expect(await detail(id)).toMatchObject({ listingUrl, photos })
  expect(await told(id)).not.toContain(listingUrl)
  const body = await page(id)
  for (const url of [...photos, listingUrl]) expect(body).not.toContain(url)
})

test('the URL of the record is withheld with the listing link, which it usually is', async () => {
  const id = await load({ street: 'Ash' }, { uses: ['page'], fields: { sourceUrl: 'ListingURL' } })
  expect((await detail(id)).source.url).toBeUndefined()
})

test('without a listing page the URL of the record is withheld too', async () => {
  const id = await load(
    { street: 'Box' },
    { uses: ['page'], fields: { sourceUrl: 'ListingURL', listingUrl: 'VirtualTourURL' } },
  )
  expect((await detail(id)).source).toMatchObject({ source: 'mls-box', uses: ['page'] })
  expect((await detail(id)).source.url).toBeUndefined()
})

/** A home known only through its listing, with every kind of lead, and one sale of a source with the same uses. */
const loadEverywhere = async (street: string, uses: NonNullable<SourceConfig['uses']>) => {
  const url = `https://listings.example.com/${street}`
  const home = { street, url, media: [] }
  const source = { uses, fields: { sourceUrl: 'ListingURL' } }
  const id = await load(home, source)
  const [split, unit, house] = [sb9(), adu(), redevelopment()]
  await assessment(site.db, id, {
    sb9: split,
    sb9_status: split.sb9Status,
    sb9_max_units: split.maxUnits,
    sb9_blocked: false,
    adu: unit,
    adu_score: unit.aduScore,
    adu_blocked: false,
    redevelopment: house,
    redevelopment_score: house.redevelopmentScore,
    redevelopment_class: house.class,
    redevelopment_blocked: false,
  })
  const folder = await feedFolder({
    'feed.csv': csvOf([saleRow({ saleId: street, address: `10 ${street} St`, sourceUrl: url })]),
  })
  const sales = config('sales', { id: `sales-${street.toLowerCase()}`, uses })
  await runIngest({ ...site, queue: site.services.queue }, sales, { now: today, folder, highValueUsd })
  return {
    id,
    url,
    address: `10 ${street} St, Palo Alto`,
    withdraw: () => load({ ...home, status: 'Withdrawn' }, source),
  }
}

const answersAbout = async (id: string, address: string): Promise<Record<string, string>> => {
  const headers = { 'x-api-key': key }
  const read = async (path: string, query: Record<string, string> = {}) =>
    (await site.app.inject({ url: `/api/v1/${path}`, query, headers })).body
  const post = async (path: string, payload: object) =>
    (await site.app.inject({ method: 'POST', url: `/api/v1/${path}`, payload, headers })).body
  return {
    property: await read(`properties/${id}`),
    proforma: await read(`properties/${id}/proforma`),
    signals: await read('market-signals', { address }),
    sb9: await read('sb9-inventory', { address }),
    adu: await read('adu-leads', { address, minScore: '0' }),
    redevelopment: await read('redevelopment-leads', { address, minScore: '0' }),
    sales: await read('sales', { address }),
    lookup: await read('lookup', { address }),
    batch: await post('lookup/batch', { items: [{ address }] }),
    listings: await post('search', { kind: 'listings', criteria: { address } }),
    parcels: await post('search', { kind: 'parcels', criteria: { address } }),
  }
}

const toldAbout = async (id: string, address: string): Promise<Record<string, string>> => ({
  property: (await agent.call('get_property_intelligence', { id })).raw,
  parts: (await agent.call('get_property_intelligence', { id, include: ['explanation'] })).raw,
  proforma: (await agent.call('run_proforma', { id })).raw,
  signals: (await agent.call('list_market_signals', { address })).raw,
  sb9: (await agent.call('list_sb9_inventory', { address })).raw,
  adu: (await agent.call('list_adu_leads', { address, minScore: 0 })).raw,
  redevelopment: (await agent.call('list_redevelopment_leads', { address, minScore: 0 })).raw,
  lookup: (await agent.call('look_up_address', { address })).raw,
})

/** The answers with the text. Every answer must be about the home. */
const naming = (text: string, id: string, answers: Record<string, string>) => {
  for (const [name, answer] of Object.entries(answers)) expect(answer, name).toContain(id)
  return Object.keys(answers).filter((name) => answers[name]!.includes(text))
}

test('no answer of the API or of an agent has a URL of a source that permits pages only', async () => {
  const { id, url, address, withdraw } = await loadEverywhere('Larch', ['page'])
  expect(await page(id)).toContain(url)
  expect(naming(url, id, await answersAbout(id, address))).toEqual([])
  expect(naming(url, id, await toldAbout(id, address))).toEqual([])
  await withdraw()
  // Cached answers are dropped by a notification, which may come after the run ends.
  await vi.waitFor(async () => expect((await detail(id)).status).toBeUndefined(), { timeout: 60_000 })
  expect(JSON.stringify(await detail(id))).not.toContain(url)
})

test('a source that permits pages and the API has its URLs in every answer of the API and in none of an agent', async () => {
  const { id, url, address, withdraw } = await loadEverywhere('Maple', ['page', 'api'])
  const answers = await answersAbout(id, address)
  expect(naming(url, id, answers)).toEqual(Object.keys(answers))
  expect(naming(url, id, await toldAbout(id, address))).toEqual([])
  await withdraw()
  expect(await detail(id)).toMatchObject({ source: { url, uses: ['page', 'api'] } })
  expect(await told(id)).not.toContain(url)
})

test('only https URLs without credentials are served', async () => {
  const hostile = [
    'javascript:alert(1)//photos.example.com',
    'data:text/html,<script>alert(1)</script>',
    'http://photos.example.com/plain.jpg',
    'https://user:secret@photos.example.com/x.jpg',
    'https://photos.example.com/"onerror="alert(1).jpg',
    '//photos.example.com/relative.jpg',
  ]
  const id = await load({ street: 'Yew', url: 'javascript:alert(document.domain)', media: hostile })
  expect(await detail(id)).not.toHaveProperty('listingUrl')
  expect(JSON.stringify(await detail(id))).not.toMatch(/javascript:|data:text|http:\/\/photos|secret|onerror/)
  const body = await page(id)
  expect(body).not.toMatch(/javascript:|data:text|secret|onerror/)
  expect(body).not.toContain('class="listing-links"')
  const other = await load({ street: 'Bay', media: [] })
  expect(await page(other)).toContain('>Listing page</a>')
})

test('the policy allows images of the named hosts only, and by default of no other host', async () => {
  const policy = (await site.app.inject({ url: '/explore' })).headers['content-security-policy']
  expect(policy).toContain("img-src 'self' data: blob: https://photos.example.com https://*.example.net;")
  const plain = await startSite({ service: { database: site.address } })
  try {
    const { rows } = await sql<{ id: string }>`select id from property where address = '10 Elm St'`.execute(site.db)
    const { body, headers } = await plain.app.inject({ url: `/properties/${rows[0]!.id}` })
    expect(headers['content-security-policy']).toContain("img-src 'self' data: blob:;")
    expect(body).not.toContain('<img')
    expect(body).toContain('Photos on the listing page (3)')
  } finally {
    await plain.close()
  }
})

test('photos without a listing page are linked one by one', async () => {
  const id = await load({ street: 'Gum', url: '', media: ['https://other.example.org/a.jpg'] })
  expect(await page(id)).toContain('1 photo: <a href="https://other.example.org/a.jpg" rel="noopener nofollow">1</a>')
})

test('settings name what is wrong: agents without the API, an unknown use, a photo host with a scheme', () => {
  const source = config('listings', { city: 'Palo Alto' })
  expect(() => checkSource({ ...source, uses: ['page', 'agent'] }, 'a.json')).toThrow('"agent" also needs "api"')
  expect(() => checkSource({ ...source, uses: ['newspaper'] }, 'a.json')).toThrow('/uses/0')
  expect(() => readConfig({ PHOTO_HOSTS: 'https://photos.example.com' })).toThrow('list of host names')
  expect(() => readConfig({ PHOTO_HOSTS: '*' })).toThrow('list of host names')
  expect(readConfig({}).PHOTO_HOSTS).toEqual([])
})
