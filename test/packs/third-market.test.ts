// A third market from its folder to answers: what docs/markets.md describes, on generated data.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ingestCommand, ingestDeps } from '../../src/bin/commands/ingest.ts'
import { marketPacks, storedData } from '../../src/bin/diagnose.ts'
import { useMarketPacks } from '../../src/bin/use-market-packs.ts'
import { isInside } from '../../src/criteria/geometry.ts'
import type { MarketId } from '../../src/domain/facts.ts'
import { packs, usePacks } from '../../src/domain/packs/use-packs.ts'
import { sql } from '../../src/store/engine/database.ts'
import { recountMarket } from '../../src/store/ingest/dataset-counts.ts'
import { indexMarket } from '../../src/store/search/upkeep.ts'
import { outlineOf } from '../../src/web/land.ts'
import { type Connection, connectAgent } from '../agent/connection.ts'
import { highValueUsd, today } from '../ingest/feed.ts'
import { ask } from '../setup/ask.ts'
import { newDatabase, urlOf } from '../setup/database.ts'
import { startSite, type TestSite } from '../web/site.ts'
import { packFolder } from './pack-folder.ts'
import { market, writeThirdMarket } from './third-market-files.ts'

const printed: string[] = []
let site: TestSite
let agent: Connection
let key: string

beforeAll(async () => {
  const { packsDir, sources } = writeThirdMarket()
  vi.stubEnv('PACKS_DIR', packsDir)
  expect(useMarketPacks().problems).toEqual([])
  const address = await newDatabase()
  // As from the command line: opening the store registers the market.
  vi.stubEnv('DATABASE_URL', urlOf(address))
  const deps = { ...ingestDeps(), highValueUsd, now: () => today, print: (line: string) => void printed.push(line) }
  await ingestCommand(deps).parseAsync(['node', 'ingest', ...sources])
  site = await startSite({ listening: true, service: { database: address } })
  site.setNow(today)
  key = await site.proKey()
  agent = await connectAgent(`${site.url}/api`, { apiKey: key })
})
afterAll(async () => {
  await agent?.close()
  await site?.close()
  vi.unstubAllEnvs()
})

const get = async (path: string) => (await ask(site, path, { key })).body
const textOf = async (path: string) => {
  const { status, text } = await ask(site, path)
  expect(status, path).toBe(200)
  return text
    .replace(/<(script|style|svg)[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
}
const search = async (body: object) =>
  (
    await site.app.inject({ method: 'POST', url: '/api/v1/search', headers: { 'x-api-key': key }, payload: body })
  ).json()
const best = async () => (await get(`/v1/market-signals?market=${market}&limit=1`)).data[0]

test('loading it assesses it and reports which models were fitted and which are priors', () => {
  expect(printed).toEqual(
    expect.arrayContaining([
      'springfield-area: assessing all properties for the first time',
      'springfield-area: 300 properties assessed',
      '  values: fitted on 290 sales',
      '  teardown: default parameters (290 sales, 0 demolitions)',
    ]),
  )
})

test('the market is listed with its data sets, state and default assumptions', async () => {
  const { data } = await get('/v1/markets')
  const own = data.find(({ id }: { id: string }) => id === market)
  expect(own).toMatchObject({ state: 'IL', ranking: 'redevelopment', laws: [], assessment: { state: 'assessed' } })
  expect(own.dataSets.map(({ dataset, rows }: { dataset: string; rows: number }) => [dataset, rows])).toEqual([
    ['parcels', 300],
    ['listings', 20],
    ['sales', 290],
  ])
  expect(own.defaultAssumptions).toContain('contingencyPct')
  expect(own.defaultAssumptions).not.toContain('baseCostPerSqft')
})

test('listings are valued, ranked by the rule of the pack and placed by ZIP code', async () => {
  const { data, pagination } = await get(`/v1/market-signals?market=${market}&limit=20`)
  expect(pagination.total).toBe(20)
  expect(data.every(({ city }: { city: string }) => city === 'Springfield')).toBe(true)
  const ranks = data.map(({ rankScore }: { rankScore: number }) => rankScore)
  expect(ranks).toEqual(ranks.toSorted((a: number, b: number) => b - a))
  expect(data[0].proforma.assumptions.costBasis).toContain('$180 per sq ft for 2,500 sq ft')
  // Whole hundredths, although acres times 43,560 are not.
  for (const { metadata } of data) expect(String(metadata.lotSize)).toMatch(/^\d+(\.\d{1,2})?$/)
  const { body } = await ask(site, `/v1/properties/${data[0].id}`, { key })
  const { value } = body.data.intelligence.valueEstimate
  expect(Math.abs(value / data[0].price - 1)).toBeLessThan(0.1)
})

test('leads exist where zoning is known, and a list without its law says why it is empty', async () => {
  const { data, pagination } = await get(`/v1/redevelopment-leads?market=${market}&limit=1`)
  expect(pagination.total).toBeGreaterThan(100)
  expect(data[0]).toMatchObject({ far: { allowed: 0.5 }, city: 'Springfield' })
  for (const list of ['sb9-inventory', 'adu-leads'])
    expect(await get(`/v1/${list}?market=${market}`)).toMatchObject({
      data: [],
      notApplicable: expect.stringMatching(/^Not applicable here: .*Springfield Area is in Illinois\.$/),
    })
})

test('pages show the market, its homes and leads, and what is missing', async () => {
  const { id, address } = await best()
  const home = await textOf('/')
  expect(home).toContain('See all Springfield Area listings')
  // Markets without data, and laws that do not apply, are not named.
  expect(home).toContain('permits in Springfield Area. For each property it finds every lawful use,')
  const { text } = await ask(site, '/')
  expect(
    text.slice(text.indexOf('class="maps"'), text.indexOf('class="tops"')).match(/Best-ranked listings/g),
  ).toHaveLength(1)
  expect(await textOf(`/explore?market=${market}`)).toMatch(/20 homes for sale, ranked by redevelopment score/)
  expect(await textOf(`/properties/${id}`)).toMatch(new RegExp(`Springfield Area · Springfield.*${address}`))
  const leads = await textOf(`/leads/redevelopment?market=${market}&city=Springfield`)
  expect(leads).toMatch(/\d+ leads · CSV \(up to/)
  expect(await textOf(`/leads/adu?market=${market}`)).toContain('Not applicable here')
  const coverage = await textOf('/coverage')
  expect(coverage).toMatch(/Springfield 300 .* 20 .* 290/)
  expect(coverage).toContain('Springfield Area has no permits: permit search is empty')
  expect(coverage).not.toContain('not yet assessed')
})

test('the home page has a market with data also after many packs without any, with one drawing and no empty one', async () => {
  const good = packs()
  const empty = [1, 2, 3, 4].map((at) => ({
    ...good[0]!,
    cities: [],
    market: { ...good[0]!.market, id: `empty-${at}` as MarketId, name: `Empty ${at}`, number: 800 + at },
  }))
  usePacks([...empty, ...good])
  try {
    const [home] = (await textOf('/')).split('Weekly newsletter')
    expect(home).toContain('permits in Springfield Area. For each property it finds every lawful use,')
    expect(home).toContain('See all Springfield Area listings')
    expect(home).not.toContain('Empty')
    expect((await ask(site, '/')).text).toContain('data-box="-89.8,39.6,-89.5,39.9"')
    expect((await ask(site, '/')).text.match(/class="market-map"/g)).toHaveLength(1)
  } finally {
    usePacks(good)
  }
})

test('doctor fails when the database has records of a market without a pack', async () => {
  const good = packs()
  expect((await storedData(site.db, { SAMPLE_DATA: false })).state).toBe('ok')
  usePacks(good.filter((pack) => pack.market.id !== market))
  try {
    expect(await storedData(site.db, { SAMPLE_DATA: false })).toEqual({
      state: 'fail',
      detail: expect.stringContaining(`records of ${market}, and no market pack describes them`),
    })
  } finally {
    usePacks(good)
  }
})

test('a broken pack is reported on the coverage page and by doctor, and the others are served', async () => {
  const good = packs()
  const folder = packFolder({ pack: { timeZone: 'Mars/Olympus' } })
  const { problems } = useMarketPacks([folder])
  expect(problems).toHaveLength(1)
  try {
    expect(await textOf('/coverage')).toMatch(/Market packs not loaded, because a file is invalid: springfield-area\./)
    expect(marketPacks()).toEqual({
      state: 'fail',
      detail: expect.stringMatching(/1 of 3 market packs .*pack\.json:10: timeZone "Mars\/Olympus" is not an IANA/),
    })
    expect(packs()).toHaveLength(2)
  } finally {
    usePacks(good)
  }
  expect(marketPacks()).toEqual({ state: 'ok', detail: '3 market packs, all valid' })
})

test('numbers that depend on a default say so in the API, on the page and to the agent', async () => {
  const { id, proforma } = await best()
  expect(proforma.defaults).toContain('contingencyPct')
  expect(proforma.defaults).not.toContain('baseCostPerSqft')
  const { data } = await get(`/v1/properties/${id}/proforma`)
  expect(data.defaultAssumptions.map(({ name }: { name: string }) => name)).toEqual(data.proforma.defaults)
  const line = (name: string) => data.lines.find((each: { name: string }) => each.name === name)
  expect(line('contingency').defaults).toEqual(['contingencyPct'])
  expect(line('hardCost').defaults).toBeUndefined()
  const own = (await get(`/v1/properties/${id}/proforma?contingencyPct=5`)).data
  expect(own.proforma.defaults).toEqual(data.proforma.defaults.filter((name: string) => name !== 'contingencyPct'))
  const page = await textOf(`/properties/${id}`)
  expect(page).toMatch(/Contingency \* /)
  expect(await textOf(`/properties/${id}?buildSqft=3000`)).toMatch(/Construction 3,000 sq ft × \$176/)
  expect(page).toMatch(/Maximum offer for a 15% return \* /)
  expect(page).toMatch(/\* Depends on default assumptions .* contingency 7\.5% of hard cost/)
  for (const tool of ['get_property_intelligence', 'run_proforma'])
    expect((await agent.call(tool, { id })).text).toMatch(
      /Default assumptions, not set for this market: .*contingency 7\.5% of hard cost.* in assumptions\.json of the market pack\./,
    )
  expect((await agent.call('list_market_signals', { market })).text).toContain('use default assumptions')
})

test('accuracy is measured on its own sales with all their facts', async () => {
  const { data } = await get('/v1/accuracy')
  const value = data.find(({ model }: { model: string }) => model.startsWith('value'))
  expect(value).toMatchObject({ market, measures: { n: 231 } })
})

test('the agent finds its homes and leads and says what does not apply', async () => {
  const homes = await agent.call('find_properties', { market, limit: 2 })
  expect(homes.text).toMatch(/^20 homes meet all criteria; the first 2 follow\./)
  expect((await agent.call('list_redevelopment_leads', { market })).answer.items!.length).toBeGreaterThan(0)
  expect((await agent.call('list_adu_leads', { market })).text).toContain('Not applicable here')
  const { id } = await best()
  expect((await agent.call('get_property_intelligence', { id })).text).toMatch(/value estimate: \$\d/)
  expect((await agent.call('get_coverage')).text).toContain('| Springfield | parcels | 300 |')
})

test('without listings, pages, API and agent have its valued homes and leads, on an outline from its parcels', async () => {
  await sql`delete from listing where market = ${market}`.execute(site.db)
  await recountMarket(site.db, market)
  await indexMarket(site.db, market)
  // Answers are cached by day.
  site.setNow(new Date(today.getTime() + 86_400_000))
  const { data } = await search({ kind: 'parcels', criteria: { market, minSqft: 1 }, limit: 20 })
  const valued = data.filter(({ valueEstimate }: { valueEstimate?: object }) => valueEstimate)
  expect(valued.length).toBeGreaterThan(5)
  const [{ id, address, valueEstimate }] = valued
  expect((await get(`/v1/properties/${id}`)).data.intelligence.valueEstimate).toMatchObject(valueEstimate)
  const lines = new RegExp(`Homes and their estimated value .*${address} .*Not for sale`)
  for (const path of ['/', `/explore?market=${market}`, `/markets/${market}`]) expect(await textOf(path)).toMatch(lines)
  expect(await textOf('/leads/redevelopment?market=springfield-area')).toMatch(/\d+ leads/)
  expect((await agent.call('list_redevelopment_leads', { market })).answer.items!.length).toBeGreaterThan(0)
  for (const tool of ['find_properties', 'list_market_signals']) {
    const { text, answer } = await agent.call(tool, { market })
    expect(text).toContain('Springfield Area has no listings loaded, only 300 parcels, 290 sales. Homes that are not')
    expect(answer.outcome).toBe('not_covered')
  }
  expect((await agent.call('search_permits', { market })).text).toContain('Springfield Area has no permits loaded')
  expect((await agent.call('get_property_intelligence', { id })).text).toMatch(/value estimate: \$\d/)
  const { comps } = (await get(`/v1/properties/${id}?include=comps`)).data
  expect(comps.length).toBeGreaterThan(3)

  const { features } = (await ask(site, `/map/${market}.geojson`)).body
  const polygons = features.map(({ geometry }: { geometry: { coordinates: never } }) => geometry.coordinates)
  const inside = (lat: number, lng: number) => isInside({ type: 'polygons', polygons }, { lat, lng })
  expect(data.every(({ lat, lng }: { lat: number; lng: number }) => inside(lat, lng))).toBe(true)
  expect(inside(data[0].lat - 0.1, data[0].lng)).toBe(false)
})

test('the outline of parcels leaves out what is far from them, and joins what is near', () => {
  const box = { west: 0, east: 64, south: 0, north: 64 }
  const at = (lng: number, lat: number) => ({ lng: lng + 0.5, lat: lat + 0.5 })
  const rings = outlineOf([at(5, 5), at(7, 5), at(40, 40)], box)
  expect(rings).toHaveLength(2)
  for (const ring of rings) expect(ring.at(-1)).toEqual(ring[0])
  const covers = (lng: number, lat: number) =>
    isInside({ type: 'polygons', polygons: rings.map((ring) => [ring]) }, { lat, lng })
  expect([covers(5.5, 5.5), covers(6.5, 5.5), covers(40.5, 40.5), covers(20, 20), covers(5.5, 9)]).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
  // A lake inside a ring of parcels is land.
  const around = Array.from({ length: 9 }, (_, n) => n).flatMap((n) => [at(n, 0), at(n, 8), at(0, n), at(8, n)])
  expect(outlineOf(around, { west: -20, east: 44, south: -20, north: 44 })).toHaveLength(1)
  expect(outlineOf([], box)).toEqual([])
})
