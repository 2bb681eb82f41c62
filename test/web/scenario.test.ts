import { afterAll, beforeAll, expect, test } from 'vitest'
import { assessMarket } from '../../src/assess/assess-market.ts'
import type { StressRow } from '../../src/domain/findings/proforma.ts'
import type { Context } from '../../src/operations/context.ts'
import { schemesOf, withOwnUses } from '../../src/operations/schemes.ts'
import { visibleProperty } from '../../src/operations/visible-property.ts'
import { saveModel } from '../../src/store/assessments/models.ts'
import { marketRanks } from '../../src/store/assessments/score-distributions.ts'
import { sql } from '../../src/store/engine/database.ts'
import { statementChannel, type TracedStatement } from '../../src/store/engine/trace-channels.ts'
import { assessmentOf } from '../../src/store/properties/properties.ts'
import { textOf } from '../../src/web/html.ts'
import { withoutUses } from '../../src/web/pages/property.ts'
import { plans } from '../../src/wire/plans.ts'
import { countyRents, type SmallMarket, smallMarket, today } from '../setup/small-market.ts'
import { openBrowser, signInWithKey } from './account.ts'
import { startSite, type TestSite } from './site.ts'

/** The texts of the statements that `work` sends. */
const statementsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  const texts: string[] = []
  const note = (message: unknown) => texts.push((message as TracedStatement).text)
  statementChannel.start.subscribe(note)
  await work()
  statementChannel.start.unsubscribe(note)
  return texts
}

let site: TestSite
let town: SmallMarket
let key: string
beforeAll(async () => {
  site = await startSite()
  site.setNow(today)
  key = await site.proKey()
  town = await smallMarket(site.db, 90)
  await countyRents(site.db)
  await assessMarket(site.db, 'sf-peninsula', { now: today })
}, 120_000)
afterAll(() => site?.close())

const page = async (id: string, query = '') =>
  (await site.app.inject({ url: `/properties/${id}${query}`, headers: { accept: 'text/html' } })).body
const answer = async (id: string, query: string) =>
  (await site.app.inject({ url: `/api/v1/properties/${id}/proforma${query}`, headers: { 'x-api-key': key } })).json()
    .data
const returnOn = (body: string) => /data-out="return">([^<]+)</.exec(body)?.[1]
const text = (percent: number) => `${percent.toFixed(1).replace('-', '−')}%`
const shown = (percent: number) => `${percent < 0 ? '−' : percent > 0 ? '+' : ''}${Math.abs(percent).toFixed(1)}%`

test('a scenario in the URL shows the figures that the API gives for it', async () => {
  const id = town.listed[1]!
  const own = await page(id)
  const query = '?price=1500000&months=36&costPerSqft=700'
  const changed = await page(id, query)
  expect(returnOn(changed)).not.toBe(returnOn(own))
  const { returnPct } = await answer(id, query)
  expect(returnOn(changed)?.replace(/^\+/, '')).toBe(shown(returnPct).replace(/^\+/, ''))
  expect(changed).toContain('You changed the assumptions.')
  expect(changed).toMatch(/name="months"[^>]* value="36"/)
  expect(own).not.toContain('You changed the assumptions.')
})

test('the figures compute the uses once, and a page is served without them when they take too long', async () => {
  const url = `/properties/${town.listed[1]!}/figures?targetRoiPct=21`
  let body = ''
  const statements = await statementsOf(async () => {
    body = (await site.app.inject({ url })).body
  })
  expect(body).toContain('aria-label="Uses of the lot"')
  // Each computation of the uses reads one more model: how long permits take.
  expect(statements.filter((each) => each.includes('from model where name')).length).toBe(4)
  const canceled = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
  expect(textOf(withoutUses(canceled).section)).toContain('The uses could not be computed in time.')
  expect(() => withoutUses(new Error('a fault'))).toThrow('a fault')
})

test('own numbers compute every use of the first rows of a page, of changed facts again, and none for a tile', async () => {
  const values = { costPerSqft: 900 }
  const homes = town.listed.map((id) => ({ id, status: 'active' }))
  const rows = [...homes, ...homes].slice(0, 27)
  const used = await withOwnUses({ db: site.db, now: today }, rows, values)
  expect(used.map(({ ownUses }) => ownUses !== undefined)).toEqual([...Array(25).fill(true), false, false])

  const context = { ...site.services, now: today, caller: { limits: plans.pro } } as Context
  const [visible, assessment] = [
    await visibleProperty(context, homes[0]!.id),
    await assessmentOf(site.db, homes[0]!.id),
  ]
  const larger = { ...visible, facts: { ...visible.facts, lotSqft: 3 * visible.facts.lotSqft! } }
  const offersOf = async (given: typeof visible) => (await schemesOf(context, given, assessment, values)).offers
  const before = await offersOf(visible)
  expect(await offersOf({ ...visible })).toBe(before)
  expect(await offersOf(larger)).not.toBe(before)

  const { lat, lng } = visible.property
  const x = Math.floor(((lng! + 180) / 360) * 2 ** 14)
  const y = Math.floor(((1 - Math.asinh(Math.tan((lat! * Math.PI) / 180)) / Math.PI) / 2) * 2 ** 14)
  const tile = async (query: string) => {
    const statements = await statementsOf(async () => {
      const { statusCode, rawPayload } = await site.app.inject({ url: `/tiles/signals/14/${x}/${y}${query}` })
      expect([statusCode, rawPayload.length > 100]).toEqual([200, true])
    })
    return statements.filter((each) => each.includes('from model where name')).length
  }
  // One more for the returns of all homes; every use would read one more for each home.
  expect([await tile(''), await tile('?costPerSqft=900')]).toEqual([1, 2])
})

test('the watch of an ordered list proposes the value of its tenth home as a criterion, which may be changed', async () => {
  const browser = openBrowser(() => site, '192.0.2.77')
  await signInWithKey(browser, key)
  const watchOf = async (query: string) => {
    const { body } = await browser.get(`/explore?${query}`)
    const url = /href="([^"]+)"[^>]*>Watch this search</.exec(body)![1]!
    return { url, body: (await browser.get(url.replaceAll('&amp;', '&').replaceAll('&quot;', '"'))).body }
  }
  const { data } = (
    await site.app.inject({
      url: '/api/v1/market-signals?status=for_sale&sort=-hold.capRatePct&limit=10',
      headers: { 'x-api-key': key },
    })
  ).json()
  const tenth = String(data[9].hold.capRatePct)
  const { url, body } = await watchOf('sort=-hold.capRatePct')
  expect(body).toContain(`Min cap rate, %<input name="minCapRatePct" value="${tenth}"`)
  expect(body).toMatch(/name="bound" value="minCapRatePct"/)
  // Every flip of the town loses.
  expect((await watchOf('sort=-flip.profitUsd')).body).toContain('name="minFlipProfit" value="0"')
  for (const query of ['', 'sort=-price', 'sort=-hold.capRatePct&minCapRatePct=1'])
    expect((await watchOf(query)).body).not.toContain('name="bound"')
  const form = url.replaceAll('&amp;', '&').replaceAll('&quot;', '"')
  const hidden = (name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(body.split('<main')[1]!)![1]!.replaceAll('&quot;', '"')
  const fields = { key: hidden('key'), kind: 'listings', criteria: hidden('criteria'), bound: 'minCapRatePct' }
  const sent = { ...fields, name: 'Rents', 'on-entered': '1', atom: '1' }
  const wrong = await browser.submit(form, '/account/watches/create', { ...sent, minCapRatePct: 'high' })
  expect([wrong.status, wrong.body.includes('Min cap rate must be'), wrong.body.includes('value="Rents"')]).toEqual([
    400,
    true,
    true,
  ])
  // The search without its limit is neither counted nor shown.
  expect(wrong.body).not.toMatch(/ match(es)? now|What it would have announced/)
  for (const path of ['preview', 'create']) {
    const { status } = await browser.submit(form, `/account/watches/${path}`, { ...sent, bound: 'xyz', xyz: '1' })
    expect(status).toBeLessThan(400)
  }
  const made = async (minCapRatePct: string) => {
    await browser.submit(form, '/account/watches/create', { ...sent, minCapRatePct })
    const { rows } = await sql<{
      criteria: object
    }>`select criteria from watch order by created_at desc limit 1`.execute(site.db)
    return rows[0]!.criteria
  }
  expect(await made('2.5')).toMatchObject({ market: 'sf-peninsula', minCapRatePct: 2.5 })
  expect(await made('')).not.toHaveProperty('minCapRatePct')
})

test('what is changed changes every figure of the page, and its figures alone are the same', async () => {
  const id = town.listed[1]!
  const query = '?price=1500000&buildSqft=1900&arvPerSqft=2600&targetRoiPct=20&contingencyPct=12&softCosts=200000'
  const { maximumOffer, cases, returnPct, totalCost, profit } = await answer(id, query)
  const figures = (await site.app.inject({ url: `/properties/${id}/figures${query}` })).body
  for (const body of [await page(id, query), figures]) {
    expect(body).toMatch(/1,900 sq ft/)
    expect(body).toContain('apply only to the pro forma')
    expect(body).toContain('for a 20% return')
    expect(body).toContain(`data-out="offer">$${maximumOffer.price.toLocaleString('en-US')}<`)
    expect(body).toContain(`Return at $1.5M</dt><dd><b class="${returnPct < 0 ? 'down' : ''}">${text(returnPct)}`)
    expect(body).toContain(`range ${text(cases.low.returnPct)} to ${text(cases.high.returnPct)}`)
    expect(body).toMatch(new RegExp(`class="figure [a-z]*">${text(returnPct)}`))
    expect(body).toContain(`$${totalCost.toLocaleString('en-US')}`)
    expect(body).toContain(`${profit < 0 ? '−' : ''}$${Math.abs(profit).toLocaleString('en-US')}`)
    expect(body).toContain(`price.${id}=1500000`)
    // The verdict states the return at the list price.
    expect(body).not.toContain('building new would')
  }
})

test('every assumption is a field of the property page, by group, and its figures are those of the API', async () => {
  const id = town.listed[1]!
  const { data: names } = (await site.app.inject({ url: '/api/v1/assumptions', headers: { 'x-api-key': key } })).json()
  const body = await page(id)
  for (const { name } of names) expect(body).toContain(`name="${name}"`)
  const own = { sellingCostPct: 4, transferTaxPct: 2, loanToCostPct: 50, softCostPct: 30, resaleSpreadLowPct: 25 }
  const { returnPct, cases } = await answer(id, `?assumptions=${encodeURIComponent(JSON.stringify(own))}`)
  const changed = await page(
    id,
    `?${new URLSearchParams(Object.entries(own).map(([name, value]) => [name, `${value}`]))}`,
  )
  expect(returnOn(changed)).toBe(text(returnPct))
  expect(changed).toContain(`range ${text(cases.low.returnPct)} to ${text(cases.high.returnPct)}`)
  expect(changed).toContain('Yours: soft costs 30% of hard cost')
  expect(changed).toMatch(/Compare<\/a>/)
  expect(changed).toContain(`/explore/compare?pick=${id}&amp;softCostPct=30`)
  expect(await page(id, '?loanToCostPct=900')).toContain('Loan must be a percentage from 0 to 100; “900” was ignored.')
})

test('a selling cost of 6% is 6% of the resale price on the page, as a parameter, as an assumption and in the flip', async () => {
  const id = town.listed[1]!
  const assumptions = encodeURIComponent('{"sellingCostPct":6}')
  const given = await answer(id, '?sellingCostPct=6')
  expect(given.proforma.assumptions.sellingCostPct).toBe(6)
  const { assumptions: _, ...own } = await answer(id, `?assumptions=${assumptions}`)
  for (const name of ['returnPct', 'maximumOffer', 'totalCost', 'profit', 'lines'])
    expect(own[name]).toEqual(given[name])
  expect(returnOn(await page(id, '?sellingCostPct=6'))).toBe(text(given.returnPct))
  const { data } = (
    await site.app.inject({
      url: `/api/v1/properties/${id}?include=explanation,proforma&assumptions=${assumptions}`,
      headers: { 'x-api-key': key },
    })
  ).json()
  expect(data.intelligence.returnPct).toBe(given.returnPct)
  expect(data.proforma.assumptions.sellingCostPct).toBe(6)
  const { afterRepairValueUsd, sellingUsd } = data.explanation.flippability.deal
  expect(sellingUsd).toBeCloseTo(0.06 * afterRepairValueUsd, 2)
})

test('the comparison has rent and the accessory unit in dollars, at the assumptions in its URL', async () => {
  const id = town.listed[1]!
  const own = encodeURIComponent(JSON.stringify({ vacancyPct: 20 }))
  const { data } = (
    await site.app.inject({ url: `/api/v1/properties/${id}?assumptions=${own}`, headers: { 'x-api-key': key } })
  ).json()
  const url = `/explore/compare?pick=${id}&vacancyPct=20`
  const { body } = await site.app.inject({ url, headers: { accept: 'text/html' } })
  const cell = (name: string) => new RegExp(`>${name}</th><td class="[^"]*">([^<]*)</td>`).exec(body)?.[1]
  expect(cell('Rent a month')).toBe(`$${data.monthlyRent.amount.toLocaleString('en-US')}`)
  expect(cell('Cap rate')).toBe(text(data.hold.capRatePct))
  expect(cell('Best unit, cost')).toBe(`$${data.adu.economics.costUsd.toLocaleString('en-US')}`)
  expect(cell('Best unit, return')).toBe(text(data.adu.economics.returnPct))
  const { body: proforma } = await site.app.inject({ url: `/properties/${id}`, headers: { accept: 'text/html' } })
  const usual = (page: string) => /name="costPerSqft"[^>]*(?:value|placeholder)="([\d,]+)"/.exec(page)?.[1]
  expect(usual(body)).toBe(usual(proforma))
})

test('Explore computes returns, order, filters and near misses with the assumptions in its URL', async () => {
  const get = async (url: string) => (await site.app.inject({ url, headers: { accept: 'text/html' } })).body
  const asked = async (body: object) =>
    (
      await site.app.inject({
        method: 'POST',
        url: '/api/v1/search',
        headers: { 'x-api-key': key },
        payload: { kind: 'listings', ...body },
      })
    ).json()
  const assumptions = { costPerSqft: 1400, contingencyPct: 30 }
  const query = 'costPerSqft=1400&contingencyPct=30'
  const criteria = { market: 'sf-peninsula', status: ['for_sale'], sureNewHouse: true }
  const answered = await asked({ criteria, assumptions, sort: ['-returnPct'], limit: 50 })
  const listed = await get(`/explore?sort=-returnPct&${query}`)
  const rowsOf = (body: string) =>
    [...body.matchAll(/<li data-id="([^"]+)".*?data-return="([^"]*)"/gs)].map(([, id, value]) => [id, Number(value)])
  expect(rowsOf(listed)).toEqual(
    answered.data
      .slice(0, rowsOf(listed).length)
      .map(({ id, returnPct }: { id: string; returnPct: number }) => [id, returnPct]),
  )
  expect(rowsOf(listed)).not.toEqual(rowsOf(await get('/explore?sort=-returnPct')))
  // The figure that a row shows is the one that the list is ordered by.
  const shown = (await get('/explore?sort=-returnPct')).matchAll(
    /(Earns|Loses) <b class="num (?:up|down)">([\d.]+)%<\/b> as a new house at the asking price/g,
  )
  const figures = [...shown].map(([, word, pct]) => (word === 'Earns' ? 1 : -1) * Number(pct))
  expect(figures.length).toBeGreaterThan(1)
  expect(figures).toEqual(figures.toSorted((a, b) => b - a))
  expect(await get('/explore?sort=-returnAtExpectedPct')).toContain('value="-returnAtExpectedPct" selected')
  // What an order is by is in its rows.
  expect(await get('/explore?sort=-room.low')).toMatch(
    /<span>Room <b class="num">[−$\d.MK]+<\/b> in the low case<\/span>/,
  )
  expect(listed).toContain(
    'With the numbers of this page: construction cost $1,400 per sq ft; contingency 30% of hard cost.',
  )
  expect(listed).toContain(`/properties/${answered.data[0].id}?costPerSqft=1400&amp;contingencyPct=30`)
  expect(listed).toContain('My construction cost $1,400 per sq ft')
  // A watch cannot keep them, so its form offers to make them a set.
  expect(listed).toMatch(/href="\/account\/watches\?[^"]*own=%7B%22costPerSqft%22%3A1400/)
  const usual = await get('/explore')
  expect(usual).not.toContain('own=')
  // The construction cost differs between cities.
  expect(usual).toContain('name="costPerSqft" inputmode="decimal" autocomplete="off" value="" placeholder="by home"')
  expect(await get('/explore?city=menlo-park')).toMatch(/name="baseCostPerSqft"[^>]* placeholder="\d+"/)
  expect(listed).toMatch(/id="compare".*?<input type="hidden" name="costPerSqft" value="1400">/s)
  expect(returnOn(await page(answered.data[0].id, `?${query}`))).toBe(text(answered.data[0].returnPct))
  const minReturnPct = answered.data[0].returnPct + 1
  const { nearMisses } = await asked({ criteria: { ...criteria, minReturnPct }, assumptions, explain: ['nearMisses'] })
  const empty = await get(`/explore?minReturnPct=${minReturnPct}&${query}`)
  expect(empty).toContain('No listings match.')
  for (const { item } of nearMisses)
    expect(empty).toContain(`/properties/${item.id}?costPerSqft=1400&amp;contingencyPct=30`)
  expect(empty).toMatch(/Misses “Min return[^”]*” by [\d.]+ points?\./)
  // A list of one home has them too.
  const one = await get(`/explore?minReturnPct=${answered.data[0].returnPct}&${query}`)
  expect(rowsOf(one)).toHaveLength(1)
  expect(one).toContain('class="near-misses"')
  expect(await get('/explore?ratePct=lots')).toContain(
    'Loan interest must be a percentage from 0 to 100; “lots” was ignored.',
  )
})

test('an empty list shows the closest homes and the price at which they would work; every lot has a card', async () => {
  const get = async (url: string) => (await site.app.inject({ url, headers: { accept: 'text/html' } })).body
  const empty = await get('/explore?minReturnPct=90')
  const [, missed] = /class="near-misses">.*?href="\/properties\/([^"]+)"/s.exec(empty) ?? []
  const { maximumOffer } = await answer(missed!, '?targetRoiPct=90')
  expect(empty).toContain(
    maximumOffer.price === undefined
      ? 'No price above zero returns 90%.'
      : `It would return 90% at $${short(maximumOffer.price)}.`,
  )
  // No target this high is computed.
  expect(await get('/explore?minReturnPct=400')).toContain('class="near-misses"')
  // A miss may be far, so its share is said, and filters have the names of the page.
  expect(await get('/explore?maxPrice=20000')).toMatch(/Misses “Max price \$20K” by \$[\d,]+ \(\d{4,}%\)\./)
  expect(await get('/explore?city=menlo-park')).toContain('<th scope="row">Menlo Park</th>')
  // Where every home misses two filters, those are shown.
  expect(await get('/explore?maxPrice=20000&minLotSize=900000')).toMatch(
    /miss two filters.*?Misses “(Max price \$20K|Min lot 900,000 sq ft)” by [^.]+ and “(Max price \$20K|Min lot 900,000 sq ft)”\./s,
  )
  // Every task has its filters.
  const form = await get('/explore')
  for (const [group, name] of [
    ['House and lot', 'maxYearBuilt'],
    ['Build, split or add homes', 'sb9Status'],
    ['Renovate and sell', 'minFlippabilityScore'],
    ['Rent out', 'minCapRatePct'],
  ])
    expect(form).toMatch(new RegExp(`role="group" aria-label="${group}">((?!</div>).)*name="${name}"`, 's'))
  const unlisted = town.ids.find((each) => !town.listed.includes(each))!
  expect(await get(`/properties/${unlisted}/card`)).toMatch(/Not for sale.*Value <b class="num">\$/s)
})

test('a home that is not for sale says when it was last sold and for how much', async () => {
  const { rows } = await sql<{ id: string; price: number; soldOn: string }>`
    select distinct on (property_id) property_id as id, price_usd::int as price, sold_on::text as sold_on from sale
    where property_id is not null order by property_id, sold_on desc`.execute(site.db)
  const { id, price, soldOn } = rows.find((row) => !town.listed.includes(row.id))!
  const day = new Date(soldOn).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
  expect(await page(id)).toContain(`last sold for <b class="num">$${price.toLocaleString('en-US')}</b> on ${day}`)
})

test('a house larger than zoning allows is computed with a warning, on the page as in the API', async () => {
  const id = town.listed[1]!
  const { warnings } = await answer(id, '?buildSqft=9000')
  const [warning, ...same] = warnings.filter((each: string) => each.includes('zoning'))
  expect(same, 'said once').toEqual([])
  expect(warning).toMatch(/^The house of 9,000 sq ft is larger than the [\d,]+ sq ft that zoning allows\.$/)
  expect(await page(id, '?buildSqft=9000')).toContain(warning)
  expect(await page(id)).not.toContain('that zoning allows')
})

test('a property that is not for sale asks for a price, and computes the pro forma at it', async () => {
  const id = town.ids.find((each) => !town.listed.includes(each))!
  const without = await page(id)
  expect(without).toContain('Enter the price you would pay')
  expect(without).toContain('Use the estimated value of')
  const at = await page(id, '?price=$1.2M')
  expect(at).toContain('The price is yours')
  const { returnPct, resaleBasis, proforma } = await answer(id, '?price=1200000')
  expect(resaleBasis).toMatch(/based on \d+ sales/)
  expect(at).toContain(resaleBasis)
  expect(at).toContain(`${proforma.confidence} confidence`)
  for (const nonsense of ['2.9', 'abc', '-5'])
    expect(await page(id, `?price=${nonsense}`)).toContain(
      `Purchase price must be dollars from 10,000 to 1,000,000,000, for example 2,900,000 or $2.9M; “${nonsense}” was ignored.`,
    )
  expect(returnOn(at)?.replace(/^\+/, '')).toBe(shown(returnPct).replace(/^\+/, ''))
})

test('the page starts with the maximum offer, its range, what moves it most, and the options', async () => {
  const id = town.listed[1]!
  const body = await page(id)
  const first = body.slice(body.indexOf('class="first-look"'), body.indexOf('class="score-strip"'))
  const { maximumOffer, stress, cases, proforma } = await answer(id, '')
  expect(first).toContain(`worth up to <b>$${short(maximumOffer.price)}</b> for a 15% return`)
  expect(first).toContain(`to $${short(cases.high.maximumOffer)}, where resale, cost and time all turn out`)
  expect(first.toLowerCase()).toContain(`confidence in the inputs</dt><dd>${proforma.confidence}: `)
  const lower = stress.find(
    (row: StressRow) => row.resalePct === -10 && row.costPct === 0 && row.extraMonths === 0,
  ) as StressRow
  expect(first).toContain(`A resale price 10% lower: the return is ${text(lower.returnPct)}`)
  expect(body).toMatch(/>New house<\/a>.*<small>[\d,]+ sq ft new, confidence/)
  expect(first).toContain('in its present condition, range $')
  expect(first).toContain('Not known: ')
})
/** Offers are rounded down. */
const short = (usd: number) => (usd >= 995_000 ? `${Math.floor(usd / 1e4) / 100}M` : `${Math.floor(usd / 1e3)}K`)

test('the page names one present value, and keeps the rules of other laws apart', async () => {
  const id = town.listed[1]!
  const { data } = (
    await site.app.inject({
      url: `/api/v1/properties/${id}?include=explanation,timeline`,
      headers: { 'x-api-key': key },
    })
  ).json()
  const body = await page(id)
  const value = data.intelligence.valueEstimate.value
  const bidding = data.explanation.biddingWar.parts.find(({ name }: { name: string }) => name === 'listToValue').because
  expect(bidding).toContain('homes like it in usual condition sell for $')
  expect(bidding).not.toContain('value')
  if (data.timeline.length > 0) expect(body).toContain(`today is $${value.toLocaleString('en-US')}.`)
  const rules = body.slice(body.indexOf('id="potential"'), body.indexOf('class="duties"'))
  expect(rules).toContain('Wetland')
  expect(rules).not.toContain('SB 79')
  expect(rules).not.toContain('Private covenants')
  expect(body.slice(body.indexOf('class="duties"'))).toContain('Private covenants')
})

test('the page says what a score ranks among, its horizon and what it was learned from', async () => {
  expect(await page(town.listed[3]!)).not.toContain('homes on the market here')
  const ranks = (await marketRanks(site.db, 'sf-peninsula'))!
  const { teardownScore, flippabilityScore } = ranks.distributions
  const distributions = {
    teardownScore: { ...teardownScore!, count: 20 },
    flippabilityScore: { ...flippabilityScore!, count: 20 },
  }
  await saveModel(site.db, 'score-ranks', 'sf-peninsula', 'score-ranks', { ...ranks, distributions }, new Date())
  const body = await page(town.listed[1]!)
  expect(body).toMatch(
    /percent probability within two years of sale; (first|last) \d+% of \d+ homes for sale or pending/,
  )
  // No letters, and no place for a flip that loses.
  expect(body).not.toMatch(/grade [A-F]/)
  expect(body).toContain('Learned from: ')
})

test('a value that cannot be used is reported and ignored', async () => {
  const id = town.listed[1]!
  const body = await page(id, '?months=forever&price=cheap')
  expect(body).toContain('Project duration must be months from 1 to 120; “forever” was ignored.')
  expect(body).toContain('“cheap” was ignored')
  expect(returnOn(body)).toBe(returnOn(await page(id)))
})

test('a comparison states what the API states for each home, with own prices and assumptions, also as CSV', async () => {
  const unlisted = town.ids.find((each) => !town.listed.includes(each))!
  const picks = [town.listed[1]!, town.listed[2]!, unlisted]
  const query = `?pick=${picks.join()}&months=26&targetRoiPct=5&arvPerSqft.${picks[0]}=2600&price.${picks[1]}=1000000&price.${unlisted}=900000`
  const get = async (url: string) => await site.app.inject({ url, headers: { accept: 'text/html' } })
  const expected = JSON.stringify({ expectedPrice: { p10: 1_000_000, p50: 1_200_000, p90: 1_400_000 } })
  await sql`update assessment set proforma = proforma || ${expected}::jsonb where property_id = ${picks[1]}`.execute(
    site.db,
  )
  const body = (await get(`/explore/compare${query}`)).body
  const csv = (await get(`/explore/compare.csv${query}`)).body.trim().split('\r\n')
  expect(csv).toHaveLength(4)
  const columns = csv[0]!.split(',')
  for (const [at, id] of picks.entries()) {
    const own = ['&arvPerSqft=2600', '&price=1000000', '&price=900000'][at]
    const { returnPct, totalCost, profit, maximumOffer } = await answer(id, `?months=26&targetRoiPct=5${own}`)
    const cells = Object.fromEntries(csv[at + 1]!.split(',').map((cell, nth) => [columns[nth], cell]))
    expect(cells).toMatchObject({
      id,
      returnPct: String(returnPct),
      totalCost: String(totalCost),
      profit: String(profit),
      targetReturnPct: '5',
      maximumOffer: String(maximumOffer.price ?? 'none'),
    })
    for (const shown of [text(returnPct), `$${totalCost.toLocaleString('en-US')}`]) expect(body).toContain(shown)
  }
  for (const row of [
    'In short',
    'Best or nearest use',
    'New house, maximum offer',
    'Lot split',
    'Accessory units',
    'Allowed by zoning',
    'New house, resale',
    'Confidence in the inputs',
  ])
    expect(body).toContain(`<th scope="row">${row}</th>`)
  // At a price of one's own nothing else is expected.
  expect(body).toMatch(/New house, return at the expected price<\/th>.*(<td class="">–<\/td>){2}<\/tr>/)
  // Removing a home keeps the others and their assumptions.
  expect(body).toContain(
    `href="/explore/compare?pick=${picks[0]}%2C${picks[1]}&amp;months=26&amp;targetRoiPct=5&amp;arvPerSqft.${picks[0]}=2600&amp;price.${picks[1]}=1000000"`,
  )
  const { address } = (
    await site.app.inject({ url: `/api/v1/properties/${town.listed[3]!}`, headers: { 'x-api-key': key } })
  ).json().data
  const added = await get(`/explore/compare${query}&add=${encodeURIComponent(`${address}, Palo Alto`)}`)
  expect(added.statusCode).toBe(303)
  expect(decodeURIComponent(String(added.headers.location))).toContain(`${picks.join()},${town.listed[3]}`)
  expect((await get(`/explore/compare${query}&add=1 Nowhere Rd`)).body).toMatch(/No property (is )?at/)
})

test('a set made in the browser applies to the pages of its owner and to nobody else', async () => {
  const id = town.listed[1]!
  const browser = openBrowser(() => site, '192.0.2.61')
  await signInWithKey(browser, await site.proKey())
  const sets = '/account/assumption-sets'
  const query = '?costPerSqft=700&months=36'
  const own = returnOn(await page(id, query))
  const usual = returnOn(await page(id))
  expect(own).not.toBe(usual)

  // What cannot be used is said beside what was typed.
  const wrong = await browser.submit(`${sets}?new=1`, `${sets}/save`, {
    name: 'My builder',
    costPerSqft: 'cheap',
    months: '36',
  })
  expect(wrong.status).toBe(400)
  expect(wrong.body).toMatch(/Construction cost must be a number from 0/)
  expect(wrong.body).toMatch(/name="costPerSqft"[^>]* value="cheap"/)
  expect(wrong.body).toMatch(/name="months"[^>]* value="36"/)
  const typed = { name: 'My builder', costPerSqft: '$700', months: '36', use: '1' }
  expect((await browser.submit(`${sets}?new=1`, `${sets}/save`, typed)).status).toBe(303)
  const setId = /set=(as_\w+)/.exec((await browser.get(sets)).body)![1]!

  const mine = await browser.get(`/properties/${id}`)
  expect(returnOn(mine.body)).toBe(own)
  expect(mine.headers['cache-control']).toBe('private, no-store')
  expect(mine.body).toMatch(
    /With your numbers <a [^>]*>My builder<\/a>: construction cost \$700 per sq ft; project duration 36 months/,
  )
  expect(mine.body).toMatch(/name="months"[^>]* value="" placeholder="36"/)
  const figures = await browser.get(`/properties/${id}/figures`)
  expect([returnOn(figures.body), figures.headers['cache-control']]).toEqual([own, 'private, no-store'])
  // What the URL says comes first.
  expect(returnOn((await browser.get(`/properties/${id}?months=24`)).body)).toBe(
    returnOn(await page(id, '?costPerSqft=700&months=24')),
  )
  const without = (body: string) =>
    body.replace(/<header class="top">.*?<\/header>/s, '').replace(/name="token" value="[^"]*"/g, '')
  const returns = (body: string) => [...body.matchAll(/data-return="([^"]*)"/g)].map(([, value]) => value)
  const compared = (body: string) => /<tr><th scope="row">New house, return<\/th><td[^>]*>([^<]+)/.exec(body)?.[1]
  for (const [path, figure] of [
    ['/explore', returns],
    ['/explore/results', returns],
    [`/explore/compare?pick=${id}`, compared],
  ] as const) {
    const at = (more: string) => `${path}${path.includes('?') ? '&' : '?'}${more}`
    const asOthers = async (url: string) => figure((await site.app.inject(url)).body)
    const shown = await browser.get(path)
    expect(shown.headers['cache-control']).toBe('private, no-store')
    expect(figure(shown.body)).toEqual(await asOthers(at(query.slice(1))))
    expect(figure(shown.body)).not.toEqual(await asOthers(path))
    expect(figure((await browser.get(at('numbers=market'))).body)).toEqual(await asOthers(path))
  }
  const csv = (url: string) => site.app.inject(url).then(({ body }) => body)
  expect((await browser.get(`/explore/compare.csv?pick=${id}`)).body).toBe(
    await csv(`/explore/compare.csv?pick=${id}&${query.slice(1)}`),
  )

  // Sharing asks; both links mean the same for everybody.
  const links = [...mine.body.matchAll(/data-share-page href="([^"]+)"/g)].map(([, href]) =>
    href!.replaceAll('&amp;', '&'),
  )
  expect(links).toEqual([
    `/properties/${id}?numbers=market`,
    `/properties/${id}?months=36&costPerSqft=700&numbers=market`,
  ])
  for (const [at, figure] of [usual, own].entries())
    for (const body of [(await browser.get(links[at]!)).body, (await site.app.inject(links[at]!)).body])
      expect(returnOn(body)).toBe(figure)

  // Neither a visitor nor another key has the set, and cannot choose it.
  const stranger = openBrowser(() => site, '192.0.2.62')
  await signInWithKey(stranger, await site.proKey())
  for (const path of [sets, `/properties/${id}`, '/explore', '/', '/leads/adu', `/explore/compare?pick=${id}`]) {
    const other = await stranger.get(path)
    expect([path, other.body.includes('My builder')]).toEqual([path, false])
    if (!path.startsWith('/account')) expect(without(other.body)).toBe(without((await site.app.inject(path)).body))
  }
  expect((await stranger.get(`${sets}?set=${setId}`)).status).toBe(404)
  for (const [action, fields] of [
    ['use', { item: setId }],
    ['save', { item: setId, name: 'Taken' }],
    ['copy', { item: setId, key: 'key_x' }],
  ] as const)
    expect([action, (await stranger.submit(sets, `${sets}/${action}`, fields)).status]).toEqual([action, 404])
  expect((await browser.get(`${sets}?set=${setId}`)).body).toContain('My builder')

  // Numbers of one city, a copy, and the switch in the header, which opens the page it was used on and no other host.
  await browser.submit(`${sets}?set=${setId}`, `${sets}/save`, { item: setId, city: 'palo-alto', months: '30' })
  await browser.submit(sets, `${sets}/copy`, {
    item: setId,
    key: /name="key" value="([^"]+)"/.exec((await browser.get(sets)).body)![1]!,
  })
  const { body: all } = await browser.get(sets)
  expect(all).toContain('My builder (copy)')
  expect(all).toContain('Palo Alto: project duration 30 months')
  const back = `/properties/${id}?price=1500000&numbers=market&status=active&status=sold`
  const switched = await browser.submit(`/properties/${id}`, `${sets}/use`, { item: '', back })
  expect([switched.status, switched.headers.location]).toEqual([
    303,
    `/properties/${id}?price=1500000&status=active&status=sold`,
  ])
  expect(returnOn((await browser.get(`/properties/${id}`)).body)).toBe(usual)
  for (const evil of ['//evil.example', 'https://evil.example', '/\\evil.example'])
    expect((await browser.submit(sets, `${sets}/use`, { item: setId, back: evil })).headers.location).toBe(sets)
})

test('a preview of a link says what the page shows', async () => {
  const id = town.listed[1]!
  const body = await page(id, '?price=1500000&costPerSqft=700')
  expect(/property="og:description" content="([^"]+)"/.exec(body)![1]).toContain(`at $1,500,000, teardown score`)
  expect(/property="og:description" content="([^"]+)"/.exec(body)![1]).toContain(
    `return of a new house ${returnOn(body)!.replace(/^\+/, '')}`,
  )
  // Without own numbers it is the decision, which may be about another use than a new house.
  const plain = await page(id)
  const [, decision] = /<p class="offer">([^<]+)/.exec(plain)!
  expect(/property="og:description" content="([^"]+)"/.exec(plain)![1]).toContain(decision)
  expect(body).toContain(
    `property="og:url" content="http://lotline.test/properties/${id}?price=1500000&amp;costPerSqft=700"`,
  )
})

test('the page lists every use with a memo; visitors read its summary, those signed in all of it', async () => {
  const id = town.listed[1]!
  const query = '?price=1500000&costPerSqft=700'
  const { data } = (
    await site.app.inject({
      url: `/api/v1/properties/${id}/schemes?price=1500000&assumptions=${encodeURIComponent('{"costPerSqft":700}')}`,
      headers: { 'x-api-key': key },
    })
  ).json()
  const house = data.schemes.find(({ kind }: { kind: string }) => kind === 'new_house')
  const body = await page(id, query)
  expect(body).toContain('What could be done with it')
  // Each entry of the contents leads to a part of the page.
  const contents = [...body.match(/<nav class="contents".*?<\/nav>/s)![0].matchAll(/href="#([^"]+)"/g)].map(
    ([, to]) => to!,
  )
  expect(contents.slice(0, 2)).toEqual(['schemes', 'proforma'])
  for (const to of contents) expect(body, to).toContain(`id="${to}"`)
  expect(body).toContain(`/properties/${id}/memo?scheme=new_house&amp;price=1500000&amp;costPerSqft=700`)

  const path = `/properties/${id}/memo?scheme=new_house&price=1500000&costPerSqft=700`
  const browser = openBrowser(() => site)
  const visitor = await browser.get(path)
  expect(visitor.body).toContain(house.totalCost.toLocaleString('en-US'))
  expect(visitor.body).not.toContain('Sources and uses')
  expect(visitor.body).toContain('<meta name="robots" content="noindex">')
  expect(visitor.headers['cache-control']).toBe('private, no-store')
  await signInWithKey(browser, key)
  const memo = await browser.get(path)
  for (const heading of ['Laws and approvals', 'Sources and uses', 'Cash flow by month', 'Sensitivity', 'Built nearby'])
    expect(memo.body).toContain(`<h2>${heading}</h2>`)
  expect(memo.body).toContain('Not an appraisal.')
  expect(memo.body).toContain('5,000 draws')
  expect(memo.body).toMatch(/Hazards and protections.*Does not apply/s)
  // An overlay that no source gives is unknown, not absent.
  expect(memo.body).toMatch(/so unknown: (?!none)/)
  // Paper shortens a property to one page; the memo is printed whole.
  expect(memo.body).toContain('<article class="memo">')
  // What the loan depends on stands beside its source.
  expect(memo.body).toContain('<th scope="row">loan interest</th>')
  expect(memo.body).toContain('>9% a year</td>')
  expect(memo.body).not.toMatch(/[a-z]\.\. |usd\/sqft/)
  expect(memo.body).toMatch(
    /Loan to cost [\d.]+%; to the value as completed [\d.]+%; to the value as it stands [\d.]+%/,
  )
  // The house is gone: what is built has no known rent.
  expect(memo.body).not.toContain('as it stands: $')
  expect(memo.body).toContain('The rent of the new homes, and so their debt coverage, is not known.')
  const kept = await browser.get(`/properties/${id}/memo?scheme=keep&price=1500000`)
  expect(kept.body).toMatch(
    /Second exit, let as it stands: \$[\d,]+ a month.* of \$1\.5M\. Debt coverage \(DSCR\) is [\d.]+ with/s,
  )
  for (const { usd } of house.lines.filter(({ of }: { of: string }) => of !== 'resale'))
    expect(memo.body).toContain(`$${usd.toLocaleString('en-US')}`)
  expect((await browser.get(`/properties/${id}/memo?scheme=castle`)).status).toBe(400)

  // The reader learns which numbers and facts are not those of the market and of the records.
  expect(memo.body).toContain('at the market’s other numbers, with construction cost $700 per sq ft. A computed')
  expect(kept.body).toContain('at the market’s numbers. A computed')
  expect(memo.body).not.toContain('Computed with your facts')
  const ask = (method: 'POST' | 'DELETE', url: string, payload?: object) =>
    site.app.inject({ method, url: `/api/v1${url}`, headers: { 'x-api-key': key }, ...(payload ? { payload } : {}) })
  const { watchId } = (await ask('POST', '/deals', { propertyId: id, facts: { livingSqft: 1_900 } })).json().data
  for (const from of [browser, openBrowser(() => site)])
    expect((await from.get(path)).body.includes('Computed with your facts: living area 1,900')).toBe(from === browser)
  await ask('DELETE', `/watches/${watchId}`)
})
