import { afterAll, beforeAll, expect, test } from 'vitest'
import { assessMarket } from '../../src/assess/assess-market.ts'
import { type SmallMarket, smallMarket, today } from '../setup/small-market.ts'
import { startSite, type TestSite } from './site.ts'

let site: TestSite
let town: SmallMarket
beforeAll(async () => {
  site = await startSite()
  site.setNow(today)
  town = await smallMarket(site.db, 90)
  await assessMarket(site.db, 'sf-peninsula', { now: today })
}, 120_000)
afterAll(() => site?.close())

const page = async (id: string, query = '') =>
  (await site.app.inject({ url: `/properties/${id}${query}`, headers: { accept: 'text/html' } })).body
const answer = async (id: string, query: string) =>
  (await site.app.inject({ url: `/api/v1/properties/${id}/proforma${query}`, headers: { 'x-api-key': 'demo' } })).json()
    .data
const returnOn = (body: string) => /data-out="return">([^<]+)</.exec(body)?.[1]
const shown = (percent: number) => `${percent < 0 ? '−' : percent > 0 ? '+' : ''}${Math.abs(percent).toFixed(1)}%`

test('a scenario in the URL shows the figures that the API gives for it', async () => {
  const id = town.listed[1]!
  const own = await page(id)
  const query = '?price=1500000&months=36&costPerSqft=700'
  const changed = await page(id, query)
  expect(returnOn(changed)).not.toBe(returnOn(own))
  const { returnPct } = await answer(id, query)
  expect(returnOn(changed)?.replace(/^\+/, '')).toBe(shown(returnPct).replace(/^\+/, ''))
  expect(changed).toContain('The address of this page contains your scenario')
  expect(changed).toMatch(/name="months"[^>]* value="36"/)
  expect(own).toMatch(/data-changed hidden/)
})

test('a property that is not for sale asks for a price, and computes the pro forma at it', async () => {
  const id = town.ids.find((each) => !town.listed.includes(each))!
  const without = await page(id)
  expect(without).toContain('Enter the price you would pay')
  expect(without).toContain('Use the estimated value of')
  const at = await page(id, '?price=$1.2M')
  expect(at).toContain('The price is yours')
  const { returnPct } = await answer(id, '?price=1200000')
  expect(returnOn(at)?.replace(/^\+/, '')).toBe(shown(returnPct).replace(/^\+/, ''))
})

test('the summary names the options, the maximum offer of the pro forma, and the risks', async () => {
  const body = await page(town.listed[1]!)
  const summary = body.slice(body.indexOf('class="decision"'), body.indexOf('class="score-strip"'))
  const url = `/api/v1/properties/${town.listed[1]!}`
  const { data } = (await site.app.inject({ url, headers: { 'x-api-key': 'demo' } })).json()
  const { livingSqft } = data.facts
  expect(summary).toMatch(/A new house<\/a> of [\d,]+ sq ft/)
  expect(summary).toContain(` in place of ${livingSqft.toLocaleString('en-US')} sq ft`)
  expect(summary).toContain('in its present condition: $')
  expect(summary).toContain(`In its present condition</a>, score ${data.intelligence.conditionScore}: $`)
  const offer = /data-out="offer">([^<]+)</.exec(body)![1]!
  expect(summary).toContain(offer)
  expect(summary).toContain('Not known: ')
  expect(returnOn(body)).toBe(/returns <b class="[^"]*">([^<]+)</.exec(summary)![1])
})

test('the page says what a score ranks among, its horizon and what it was learned from', async () => {
  const body = await page(town.listed[1]!)
  expect(body).toMatch(/percent probability within two years of sale; grade [A-F] among \d+ homes on the market/)
  expect(body).toMatch(/flip potential, 0–100; grade [A-F] among \d+ homes on the market/)
  expect(body).toContain('Learned from: ')
})

test('a value that cannot be used is reported and ignored', async () => {
  const id = town.listed[1]!
  const body = await page(id, '?months=forever&price=cheap')
  expect(body).toContain('Project duration must be a number of months from 1 to 120; “forever” was ignored.')
  expect(body).toContain('“cheap” was ignored')
  expect(returnOn(body)).toBe(returnOn(await page(id)))
})
