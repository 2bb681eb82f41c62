import { afterAll, beforeAll, expect, test } from 'vitest'
import { permitCriteria } from '../../src/criteria/vocabulary.ts'
import type { Context } from '../../src/operations/context.ts'
import { sendCsv } from '../../src/web/list-csv.ts'
import { plans, publicPageResults } from '../../src/wire/plans.ts'
import { listing, permit, property } from '../setup/rows.ts'
import { startSite, type TestSite } from './site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startSite()
  const place = { lat: 37.45, lng: -122.18 }
  await property(site.db, { id: 'p_001near1', city: 'Menlo Park', address: '10 Oak St', zip: '94025', ...place })
  await permit(site.db, {
    permit_id: 'HOUSE',
    property_id: 'p_001near1',
    city: 'Menlo Park',
    permit_class: 'new_house',
    status: 'finaled',
    valuation_usd: 3_000_000,
    units: 1,
    contractor: 'Acme Builders',
    applied_on: '2026-01-05',
    issued_on: '2026-03-01',
    finaled_on: '2026-10-01',
    description: 'New house',
    lat: 37.451,
    lng: -122.18,
  })
  await permit(site.db, {
    permit_id: 'ROOF',
    city: 'Palo Alto',
    permit_class: 'roof',
    project_type: 'Reroof - Residential',
    valuation_usd: 20_000,
    issued_on: '2026-11-01',
    description: 'Reroof',
    lat: 37.6,
    lng: -122.4,
  })
  await permit(site.db, { permit_id: 'OTHER', city: 'Atherton', issued_on: '2026-11-02', description: 'Fence' })
  await permit(site.db, { permit_id: 'WAITING', city: 'Woodside', issued_on: null, applied_on: '2026-11-03' })
})
afterAll(() => site?.close())

const page = async (query: string) => (await site.app.inject({ url: `/permits?${query}` })).body
const shown = (body: string) =>
  [...body.matchAll(/<small>(?:<a[^>]*>)?[^<]*(?:<\/a>)? · (\w+)<\/small>/g)].map(([, id]) => id)
const messages = (body: string) =>
  [...(/<ul class="problems">(.*?)<\/ul>/s.exec(body)?.[1] ?? '').matchAll(/<li>(.*?)<\/li>/gs)].map(([, text]) => text)

test('every criterion of permits filters the page and stays in the form', async () => {
  const cases: Record<string, string> = {
    q: 'house',
    status: 'finaled',
    permitClass: 'new_house',
    minValuation: '$2.5M',
    maxValuation: '3,000,000',
    issuedFrom: '2026-02-01',
    issuedTo: '2026-03-01',
    appliedFrom: '2026-01-05',
    appliedTo: '2026-01-05',
    finaledFrom: '2026-10-01',
    finaledTo: '2026-10-01',
    builder: 'acme',
    issued: 'any',
    minUnitsAdded: '1',
  }
  const inOtherTests = [
    'market',
    'city',
    'address',
    'zip',
    'bbox',
    'lat',
    'lng',
    'radiusMi',
    'exclude',
    'require',
    'unknown',
    'builderId',
  ]
  expect(Object.keys(permitCriteria).sort()).toEqual([...Object.keys(cases), ...inOtherTests].sort())
  const all = new URLSearchParams({
    ...cases,
    city: 'menlo',
    zip: '94025',
    near: '10 oak street menlo park',
    radiusMi: '0.5',
  })
  const body = await page(String(all))
  expect([messages(body), shown(body)]).toEqual([[], ['HOUSE']])
  for (const name of all.keys()) expect(body).toMatch(new RegExp(`name="${name}"`))
  for (const [name, wrong] of Object.entries({
    builder: 'oak',
    status: 'expired',
    maxValuation: '2.9m',
    q: 'roof',
    zip: '94301',
  })) {
    const other = new URLSearchParams(all)
    other.set(name, wrong)
    expect([name, shown(await page(String(other)))]).toEqual([name, []])
  }
})

test('an empty list shows how many permits each filter leaves', async () => {
  const body = await page('permitClass=roof&minValuation=1M')
  expect(body).toContain('No permits match. Try removing a filter.')
  expect(body).toMatch(/Kind of work [Rr]oof<\/th><td class="num">1<\/td><td class="num">1<\/td>/)
  expect(body).toMatch(/Min valuation \$1M<\/th><td class="num">0<\/td><td class="num">1<\/td>/)
  expect(await page('')).not.toContain('class="data funnel"')
})

test('sorts by valuation and by distance, and says what an order needs', async () => {
  expect(shown(await page('sort=-valuation'))).toEqual(['HOUSE', 'ROOF', 'OTHER'])
  expect(await page('sort=-valuation')).toContain('3 permits on the San Francisco Peninsula, highest valuation first')
  expect(shown(await page('sort=distanceMi&near=10+Oak+St,+Menlo+Park&radiusMi=25'))).toEqual(['HOUSE', 'ROOF'])
  expect(messages(await page('sort=distanceMi'))).toEqual(['Nearest first needs an address in Near.'])
})

test('a mistyped city or address is corrected with a link that keeps the other filters', async () => {
  const [city] = messages(await page('city=Menlo+Prak&q=house'))
  expect(city).toBe(
    'There is no city “Menlo Prak”. Did you mean <a href="/permits?city=Menlo+Park&amp;q=house">Menlo Park</a>?',
  )
  const builders = await site.app.inject({ url: '/builders?city=Menlo+Prak&q=oak', headers: { accept: 'text/html' } })
  expect(messages(builders.body)[0]).toContain(
    'Did you mean <a href="/builders?city=menlo-park&amp;q=oak">Menlo Park</a>?',
  )
  const [near] = messages(await page('near=10+Oka+St,+Menlo+Park'))
  expect(near).toContain('Did you mean <a href="/permits?near=10+Oak+St%2C+Menlo+Park">10 Oak St, Menlo Park</a>?')
})

test('searches the default market like the API, the one chosen or that of the city, and names it', async () => {
  await permit(site.db, { permit_id: 'ISLAND', market: 'nantucket', city: 'Nantucket', issued_on: '2026-11-03' })
  const api = async (query: string) =>
    (await site.app.inject({ url: `/api/v1/permits?${query}`, headers: { 'x-api-key': 'demo' } }))
      .json()
      .data.map(({ permitId }: { permitId: string }) => permitId)
  for (const query of ['', 'market=nantucket', 'market=all'])
    expect(shown(await page(query)), query).toEqual(await api(query))
  expect(shown(await page(''))).not.toContain('ISLAND')
  const all = await page('market=all')
  expect(shown(all)[0]).toBe('ISLAND')
  expect(all).toContain('4 permits in all markets, newest first')
  expect(all).toContain('<option value="all" selected>All markets</option>')
  const island = await page('city=nantucket')
  expect([shown(island), messages(island)]).toEqual([['ISLAND'], []])
  expect(island).toContain('1 permit on Nantucket')
  expect(await page('city=menlo-park')).toMatch(/\d permits? in Menlo Park, /)
  // The form sends no market for the default one, so that a city typed in it selects its own.
  expect(await page('')).toContain('<option value="" selected>San Francisco Peninsula</option>')
  expect(shown(await page('market=&city=Nantucket'))).toEqual(['ISLAND'])
  const wrong = await page('city=Nantucket&market=sf-peninsula')
  expect(shown(wrong)).toEqual([])
  expect(messages(wrong)).toEqual([
    'There is no city “Nantucket” on the San Francisco Peninsula. Did you mean <a href="/permits?city=Nantucket">Nantucket</a>?',
  ])
  expect(wrong).toContain('<a href="/permits?market=all&amp;city=Nantucket">Search all markets</a>')
  expect(messages(await page('market=mars'))[0]).toContain('Market must be one of sf-peninsula, nantucket, all')
})

test('the CSV has the page shown, and with a key the page of its plan', async () => {
  for (let at = 0; at < publicPageResults + 5; at++)
    await permit(site.db, { permit_id: `C${at}`, city: 'Colma', issued_on: at < 20 ? '2026-11-03' : '2025-01-01' })
  site.setNow(new Date('2026-11-15T12:00:00Z'))
  const rows = async (headers: Record<string, string>, url = '/permits.csv?city=colma') => {
    const { statusCode, body } = await site.app.inject({ url, headers })
    return statusCode === 200 ? body.trimEnd().split('\r\n').length - 1 : statusCode
  }
  expect(await rows({})).toBe(publicPageResults)
  expect(await rows({}, '/permits.csv?city=colma&offset=25')).toBe(5)
  expect(await rows({ 'x-api-key': await site.proKey() })).toBe(publicPageResults + 5)
  expect(await rows({ 'x-api-key': 'demo' })).toBe(5)
  // A free key reads the last 30 days.
  expect(await rows({ 'x-api-key': await site.freeKey() })).toBe(20)
  expect(await rows({ 'x-api-key': 'll_pro_wrong' })).toBe(401)
})

test('the CSV of Explore has 25 rows for a visitor and the page of the plan with a key; link and file name say so', async () => {
  for (let at = 0; at < publicPageResults + 3; at++) await listing(site.db, { city: 'Menlo Park' })
  const names: unknown[] = []
  const rows = async (headers: Record<string, string>) => {
    const { statusCode, body, ...answer } = await site.app.inject({
      url: '/explore.csv?city=menlo-park',
      headers,
      remoteAddress: '192.0.2.77',
    })
    names.push(answer.headers['content-disposition'])
    return statusCode === 200 ? body.trimEnd().split('\r\n').length - 1 : statusCode
  }
  expect(await rows({})).toBe(publicPageResults)
  expect(await rows({ 'x-api-key': await site.proKey() })).toBe(publicPageResults + 3)
  expect(names).toEqual(['attachment; filename="listings-1-25-of-28.csv"', 'attachment; filename="listings.csv"'])
  const links = async (url: string) => (await site.app.inject(url)).body.match(/download>.*? · <a href="[^"?]*/)?.[0]
  expect(await links('/explore?city=menlo-park')).toBe(
    'download>CSV</a> (up to 25 rows, 500 with <a href="/plans">Pro</a>) · <a href="/account/watches',
  )
  expect(await links('/explore?city=menlo-park&maxPrice=1')).toBeUndefined()
  expect(await rows({ 'x-api-key': 'demo' })).toBe(5)
  expect(await rows({ 'x-api-key': 'll_pro_wrong' })).toBe(401)
})

test('the name of a file does not state a total at which counting stopped', () => {
  const nameOf = (capped: boolean) => {
    const headers: unknown[] = []
    const reply = {
      type: () => reply,
      header: (...each: unknown[]) => headers.push(...each) && reply,
      send: () => reply,
    }
    const context = { caller: { limits: plans.pro }, now: new Date() } as Context
    sendCsv(reply as never, context, 'permits', ['id'], [{ id: 1 }, { id: 2 }], { offset: 0, total: 10_000, capped })
    return headers[1]
  }
  expect(nameOf(false)).toBe('attachment; filename="permits-1-2-of-10000.csv"')
  expect(nameOf(true)).toBe('attachment; filename="permits-1-2.csv"')
})

test('the list links the permits that are not issued, and a permit page shows one', async () => {
  expect(await page('city=woodside')).toContain(
    '<a href="/permits?city=woodside&amp;issued=false">1 permit not issued</a>',
  )
  expect(shown(await page('city=woodside&issued=false'))).toEqual(['WAITING'])
  const { body } = await site.app.inject({ url: '/permits/woodside/WAITING' })
  expect(body).toContain('<dt>Issued</dt><dd>Not issued</dd>')
  expect((await site.app.inject({ url: '/permits/palo-alto/ROOF' })).body).toContain(
    '<dt>Type as filed</dt><dd>Reroof - Residential</dd>',
  )
})
