import { beforeAll, expect, test } from 'vitest'
import { saveMarketSeries } from '../../src/assess/save-series.ts'
import { sql } from '../../src/store/engine/database.ts'
import { ask } from '../setup/ask.ts'
import { permit, property, sale } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

const service = useService()
const market = 'sf-peninsula'
let pro: string
let free: string

const compute = () =>
  saveMarketSeries(service().db, { market, today: '2026-11-15', value: undefined }, new Date('2026-11-15T12:00:00Z'))

beforeAll(async () => {
  const { db } = service()
  service().setNow(new Date('2026-11-15T12:00:00Z'))
  pro = await service().proKey()
  free = await service().freeKey()
  const id = await property(db, { city: 'Menlo Park', zip: '94025', living_sqft: 1_000 })
  const monthly = { '2026-07': 2, '2026-08': 5, '2026-09': 6, '2026-10': 7, '2026-11': 6 }
  for (const [month, sales] of Object.entries(monthly))
    for (let at = 0; at < sales; at++)
      await sale(db, {
        city: 'Menlo Park',
        property_id: id,
        sold_on: `${month}-0${at + 1}`,
        price_usd: 2_000_000 + at * 111_000,
        list_price_usd: 2_200_000,
        days_on_market: 10,
      })
  for (let at = 0; at < 3; at++)
    await permit(db, { city: 'Menlo Park', property_id: id, permit_class: 'adu', issued_on: '2026-09-09' })
  await compute()
})

const series = async (query: string, key = pro) => {
  const answer = await ask(service(), `/v1/market-series?${query}`, { key })
  return { status: answer.status, body: answer.body }
}

test('serves the figures of a city by month, newest first, with their sources', async () => {
  const { status, body } = await series('city=Menlo Park&interval=month')
  expect(status).toBe(200)
  expect(body.data.map(({ period, n }: { period: string; n: number }) => [period, n])).toEqual([
    ['2026-11-01', 6],
    ['2026-10-01', 7],
    ['2026-09-01', 6],
    ['2026-08-01', 5],
    ['2026-07-01', 2],
  ])
  expect(body.data[0]).toMatchObject({
    partial: true,
    homesSold: 6,
    medianSalePrice: 2_280_000,
    medianDaysOnMarket: 10,
  })
  expect(body.data[2]).toMatchObject({ aduPermits: 3 })
  // August would give the two sales of July by subtraction from the quarter.
  for (const month of body.data.slice(3)) {
    expect(month.suppressed).toBe(true)
    expect(month.medianSalePrice).toBeUndefined()
  }
  expect(body.series).toMatchObject({ market, citySlug: 'menlo-park', interval: 'month' })
  expect(body.series.priceIndexBasis).toMatch(/100 is the first month/)
})

test('returns only the metrics that are named', async () => {
  const { body } = await series('zip=94025&interval=year&metric=homesSold,soldAboveListPct')
  expect(body.data).toEqual([{ period: '2026-01-01', n: 26, partial: true, homesSold: 26, soldAboveListPct: 61.5 }])
})

test('a period is marked as suppressed only where a requested figure is the withheld one', async () => {
  const july = async (metric: string) => (await series(`city=Menlo Park&interval=month&metric=${metric}`)).body.data[4]
  expect(await july('homesSold')).toEqual({ period: '2026-07-01', n: 2, homesSold: 2 })
  expect(await july('homesSold,medianSalePrice')).toEqual({
    period: '2026-07-01',
    n: 2,
    homesSold: 2,
    suppressed: true,
    withheld: ['medianSalePrice'],
  })
})

test('a key with a history window reads only periods that begin within it', async () => {
  const { body } = await series('city=menlo-park', free)
  expect(body.data.map(({ period }: { period: string }) => period)).toEqual(['2026-11-01'])
  expect(body.historyWindow).toMatchObject({ days: 30 })
  expect((await series('city=menlo-park&interval=quarter', free)).body.data).toEqual([])
})

test.each([
  ['city=Menlo Park&zip=94025', /city or zip, not both/],
  ['market=nowhere', /market must be one of/],
  ['interval=week', /interval/],
  ['metric=price', /metric/],
])('%s is a 400 that says what is wrong', async (query, message) => {
  const { status, body } = await series(query)
  expect(status).toBe(400)
  expect(JSON.stringify(body)).toMatch(message)
})

test('an unknown city is a 404 that names the closest one', async () => {
  const { status, body } = await series('city=Menlo Prak')
  expect(status).toBe(404)
  expect(body.error).toMatch(/Did you mean Menlo Park/)
})

test('rows that did not change are not written again', async () => {
  const { db } = service()
  const versions = async () =>
    (await sql<{ xmin: string }>`select xmin::text from g00.market_series order by 1`.execute(db)).rows
  const before = await versions()
  await compute()
  expect(await versions()).toEqual(before)
})
