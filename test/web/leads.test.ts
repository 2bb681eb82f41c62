import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StoredAduFinding } from '../../src/domain/findings/adu.ts'
import { markets } from '../../src/domain/packs/markets.ts'
import { sql } from '../../src/store/engine/database.ts'
import { statementChannel, type TracedStatement } from '../../src/store/engine/trace-channels.ts'
import { indexMarket } from '../../src/store/search/upkeep.ts'
import { exampleAdu } from '../../src/wire/operations/examples.ts'
import { adu, assessment, listing, property, redevelopment, sb9 } from '../setup/rows.ts'
import { startSite, type TestSite } from './site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startSite()
  const { db } = site
  await property(db, { id: 'p_001split', address: '11 Split Ln', city: 'Palo Alto', lot_sqft: 9000 })
  await listing(db, { property_id: 'p_001split', city: 'Palo Alto', price_usd: 2_310_000 })
  const likely = sb9({
    sb9Status: 'likely',
    maxUnits: 2,
    untestedRules: [
      {
        code: 'FLOOD',
        rule: 'Not in a flood zone',
        reason: 'Unknown: flood zone.',
        citation: 'Gov. Code',
        appliesTo: 'both',
      },
    ],
  })
  await assessment(db, 'p_001split', { sb9: likely, sb9_status: 'likely', sb9_max_units: 2 })
  const blocked = { code: 'HISTORIC', reason: 'A listed landmark.', citation: 'Gov. Code 66321' }
  const scored = async (name: string, city: string, given: Partial<StoredAduFinding>) => {
    const finding = adu(given)
    await property(db, { id: name, address: `${name.slice(5)} Ave`, city })
    await assessment(db, name, {
      city_slug: city.toLowerCase().replace(' ', '-'),
      adu: finding,
      adu_score: finding.aduScore,
      adu_blocked: finding.blockers.length > 0,
    })
  }
  const earning = (returnPct: number) => ({ economics: { ...exampleAdu, returnPct } })
  await scored('p_001best', 'Palo Alto', { aduScore: 91, ...earning(12) })
  await scored('p_001landmark', 'Menlo Park', { aduScore: 85, blockers: [blocked], ...earning(30) })
  const lot = redevelopment({ redevelopmentScore: 40, class: 'vacant_lot', allowableSqft: 3_200 })
  await property(db, { id: 'p_001lot', address: '=1+1 Empty Way', city: 'Palo Alto', lot_sqft: 6_000 })
  await assessment(db, 'p_001lot', {
    city_slug: 'palo-alto',
    uses: { offers: [], place: { land: { usd: 2_000_000, lotSqft: 6_000, count: 7 } } },
    redevelopment: lot,
    redevelopment_score: 40,
    redevelopment_class: 'vacant_lot',
  })
})
afterAll(() => site?.close())

const get = async (url: string) => (await site.app.inject({ url, headers: { accept: 'text/html' } })).body

test('every list of leads can be watched, shared and printed', async () => {
  for (const kind of ['sb9', 'adu', 'redevelopment', 'vacant-lots'])
    for (const action of ['Watch this search', 'data-share-page', 'data-print'])
      expect(await get(`/leads/${kind}`), `${kind}: ${action}`).toContain(action)
})

test('the SB 9 page names the rule that could not be tested', async () => {
  const page = await get('/leads/sb9')
  expect(page).toContain('11 Split Ln')
  expect(page).toContain('$2.31M')
  expect(page).toContain('Unknown: flood zone.')
  expect(await get('/leads/sb9?minUnits=3')).toContain('No leads match. Try removing a filter.')
})

test('accessory units are listed best first, with blockers in words that can be hidden', async () => {
  const page = await get('/leads/adu')
  expect(page.indexOf('best Ave')).toBeLessThan(page.indexOf('landmark Ave'))
  expect(page).toMatch(/<b>Blocked:<\/b> A listed landmark\. <small>Gov\. Code 66321<\/small>/)
  expect(await get('/leads/adu?excludeBlockers=true')).not.toContain('landmark Ave')
  expect(await get('/leads/adu?city=menlo%20park')).not.toContain('best Ave')
})

test('accessory units can be ordered by money', async () => {
  const page = await get('/leads/adu?sort=-adu.economics.returnPct')
  expect(page).toContain('<option value="-adu.economics.returnPct" selected>Highest return</option>')
  // 30% against 12%, although the score is lower; the link to the CSV keeps the order.
  expect(page.indexOf('landmark Ave')).toBeLessThan(page.indexOf('best Ave'))
  expect(page).toContain('/leads/adu.csv?sort=-adu.economics.returnPct')
  expect(await get('/leads/adu?sort=price')).toMatch(/Order must be one of .*; “price” was ignored\./)
})

test('every list shows the best use with its room, and can be ordered by room', async () => {
  const { db } = site
  const best = (maximumOffer: number) => ({
    ...{ kind: 'new_house', allowed: 'yes', approval: 'ministerial', homes: 1 },
    confidence: maximumOffer < 1_000_000 ? 'low' : 'medium',
    ...{ maximumOffer, maximumOfferLow: maximumOffer - 100_000 },
  })
  const uses = (maximumOffer: number) => ({
    ...{ offers: [], place: {}, best: best(maximumOffer), beat: { usd: 1_000_000, high: 1_100_000 } },
  })
  for (const [id, offer] of [
    ['p_001best', 900_000],
    ['p_001landmark', 1_400_000],
  ] as const)
    await sql`update assessment set uses = ${JSON.stringify(uses(offer))}::jsonb where property_id = ${id}`.execute(
      db.withSchema('g00'),
    )
  await indexMarket(db, 'sf-peninsula')
  const words = async (url: string) => (await get(url)).replace(/<\/?span[^>]*>/g, '')
  const page = await words('/leads/adu?sort=-room.low')
  expect(page.indexOf('landmark Ave')).toBeLessThan(page.indexOf('best Ave'))
  expect(page).toContain(
    'Best use: a new house, worth up to $1.4M. Room +$400K if it could be bought at $1M, +$200K in the low case',
  )
  expect(page).toContain(
    'Nearest to its target, on thin evidence: a new house, at $900K or less. Room −$100K if it could be bought at $1M, −$300K in the low case',
  )
  for (const kind of ['sb9', 'redevelopment', 'vacant-lots'])
    expect(await get(`/leads/${kind}?sort=-room.low`)).toContain('<option value="-room.low" selected>')
  expect(await words('/properties/p_001landmark/card')).toContain('worth up to $1.4M. Room +$400K')
})

test('vacant lots have a page of their own, at any score', async () => {
  const list = await get('/leads/vacant-lots')
  expect(list).toContain('Vacant lot, 3,200 sq ft allowed')
  // What land nearby sold for, and what is known before buying it.
  expect(list).toContain('Worth $2M as land, from 7 sales of land nearby')
  expect(list).toContain('<b>? Access</b>: not in the records; ask for the deed and a survey')
  for (const item of ['Zoning', 'Water and sewer', 'Slope', 'Hazards and restrictions'])
    expect(list).toMatch(new RegExp(`<b>[✓?] ${item}</b>: `))
  expect(await get('/leads/redevelopment')).not.toContain('Empty Way')
  // A watch has the homes of its list, also a lot whose type is not land.
  const watched = async (path: string) => {
    const [, link] = /href="(\/account\/watches\?[^"]+)"/.exec(await get(path))!
    const criteria = new URL(link!.replaceAll('&amp;', '&'), site.services.publicUrl).searchParams.get('criteria')!
    const headers = { 'x-api-key': await site.proKey(), 'content-type': 'application/json' }
    const payload = `{"kind":"parcels","criteria":${criteria}}`
    const { data } = (await site.app.inject({ method: 'POST', url: '/api/v1/search', headers, payload })).json()
    return data.map(({ id }: { id: string }) => id)
  }
  expect(await watched('/leads/vacant-lots')).toEqual(['p_001lot'])
  expect(await watched('/leads/redevelopment?minScore=0')).toEqual([])
  // For sale: with its price, by a filter that the watch keeps and the API takes.
  expect(await get('/leads/vacant-lots?listingStatus=for_sale')).toContain('No leads match')
  const { db } = site
  await listing(db, { property_id: 'p_001lot', city: 'Palo Alto', price_usd: 4_610_000 })
  await indexMarket(db, 'sf-peninsula')
  const page = await get('/leads/vacant-lots?listingStatus=for_sale')
  expect(page).toMatch(/Empty Way.*\$4\.61M.*Active/s)
  expect(await watched('/leads/vacant-lots?listingStatus=for_sale')).toEqual(['p_001lot'])
  for (const list of ['redevelopment-leads?class=vacant_lot&minScore=0&', 'adu-leads?minScore=0&']) {
    const headers = { 'x-api-key': await site.proKey() }
    const ask = async (status: string) =>
      (await site.app.inject({ url: `/api/v1/${list}listingStatus=${status}`, headers })).json().data
    for (const { listingStatus, price } of await ask('for_sale'))
      expect([listingStatus, price]).toEqual(['active', 4_610_000])
    expect(await ask('pending')).toEqual([])
  }
})

test('an invalid filter is reported and ignored', async () => {
  const page = await get('/leads/adu?minScore=high')
  expect(page).toContain('Min score must be a number from 0 to 100; “high” was ignored.')
  expect(page).toContain('best Ave')
})

test('a mistyped city has no leads, and a link to the city that was probably meant', async () => {
  const page = await get('/leads/adu?city=Menlo+Prak')
  expect(page).toContain('Did you mean <a href="/leads/adu?city=menlo-park">Menlo Park</a>?')
  expect(page).toContain('No leads match.')
  expect(page).not.toMatch(/best Ave|Watch this search|adu\.csv/)
  expect((await get('/leads/adu.csv?city=Menlo+Prak')).trim().split('\r\n')).toHaveLength(1)
})

test('the CSV has the rows of the page, safe for spreadsheets', async () => {
  const rows = (await get('/leads/vacant-lots.csv')).trim().split('\r\n')
  expect(rows).toHaveLength(2)
  expect(rows[1]).toContain("'=1+1 Empty Way")
})

test('an unknown kind is a 404 that names the kinds', async () => {
  const response = await site.app.inject({ url: '/leads/castles', headers: { accept: 'text/html' } })
  expect(response.statusCode).toBe(404)
})

test('the overview reads one row for each count, one kind after the other', async () => {
  const { db } = site
  const second = adu({ aduScore: 90 })
  await property(db, { id: 'p_001second', address: '2 Second Ave', city: 'Palo Alto' })
  await assessment(db, 'p_001second', { city_slug: 'palo-alto', adu: second, adu_score: 90, adu_blocked: false })
  const read: { text: string; rows: number }[] = []
  let [running, most] = [0, 0]
  const start = () => {
    running += 1
    most = Math.max(most, running)
  }
  const end = (message: unknown) => {
    const { text, result } = message as TracedStatement & { result?: { rows: unknown[] } }
    running -= 1
    read.push({ text, rows: result?.rows.length ?? 0 })
  }
  statementChannel.start.subscribe(start)
  statementChannel.asyncEnd.subscribe(end)
  await get('/leads')
  statementChannel.start.unsubscribe(start)
  statementChannel.asyncEnd.unsubscribe(end)
  const rows = read.filter(({ text }) => /^\s*select k\.key_order/.test(text)).map((each) => each.rows)
  expect([...new Set(rows)]).toEqual([1])
  expect(most).toBeLessThanOrEqual(2 * markets().length)
})
