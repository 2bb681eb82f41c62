import { beforeAll, expect, test } from 'vitest'
import { demoKey } from '../../src/wire/plans.ts'
import { ask } from '../setup/ask.ts'
import { manyPermits } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

const service = useService()
let pro: string
beforeAll(async () => {
  service().setNow(new Date('2026-11-15T12:00:00Z'))
  pro = await service().proKey()
  await manyPermits(service().db, 10_050, { perDate: 40 })
})

const page = async (query: string, key = pro, headers: Record<string, string> = {}) =>
  (await ask(service(), `/v1/permits?${query}`, { key, headers, ip: '192.0.2.1' })).body

test('returns 25 items by default and at most as many as the plan allows', async () => {
  const free = await service().freeKey()
  expect((await page('')).pagination).toMatchObject({ limit: 25, returned: 25, offset: 0 })
  expect((await page('limit=100000000000000000000')).pagination).toMatchObject({ limit: 500, returned: 500 })
  expect((await page('limit=100', free)).pagination.limit).toBe(25)
  expect((await page('limit=100', demoKey)).pagination).toMatchObject({ limit: 5, returned: 5 })
  expect((await page('', demoKey)).pagination.limit).toBe(5)
})

test('the playground returns 2 items for the demo key and the plan’s page size for other keys', async () => {
  const playground = { 'x-lotline-client': 'playground' }
  expect((await page('limit=100', demoKey, playground)).data).toHaveLength(2)
  expect((await page('limit=100', pro, playground)).data).toHaveLength(100)
})

test('count and returned equal the number of items', async () => {
  const { count, data, pagination } = await page('limit=7&offset=3')
  expect([count, data.length, pagination.returned, pagination.offset]).toEqual([7, 7, 7, 3])
})

test('a limit below 1 or an offset outside 0 to 9,999 is 400, and the offset’s message says to narrow the search', async () => {
  for (const query of ['limit=0', 'limit=-1', 'offset=-1', 'offset=1.5', 'offset=10000'])
    expect((await page(query)).code, query).toBe('bad_request')
  for (const query of ['offset=10000', 'offset=1.5', 'offset=abc', 'offset=-1'])
    expect((await page(query)).error, query).toMatch(/narrow the search/i)
})

test('total stops at 10,000 and truncated is true', async () => {
  expect((await page('limit=1')).pagination).toMatchObject({ total: 10_000, truncated: true, totalCapped: true })
  const posted = await ask(service(), '/v1/search', { key: 'demo', body: { kind: 'permits', limit: 1 } })
  expect(posted.body.pagination).toMatchObject({ total: 10_000, totalCapped: true })
  expect((await page('limit=1&city=palo')).pagination).toMatchObject({ total: 5_025, truncated: false })
})

test('nextOffset is the next page, or null on the last reachable page', async () => {
  expect((await page('limit=500&offset=9000')).pagination.nextOffset).toBe(9_500)
  expect((await page('limit=500&offset=9500')).pagination).toMatchObject({ returned: 500, nextOffset: null })
  expect((await page('limit=1&offset=9999')).pagination.nextOffset).toBe(null)
  expect((await page('limit=500&offset=5000&city=palo')).pagination).toMatchObject({ returned: 25, nextOffset: null })
  expect((await page('offset=9000&city=palo')).pagination).toMatchObject({ returned: 0, nextOffset: null })
})

test('paging by nextOffset returns every permit once', async () => {
  const seen: string[] = []
  for (let offset: number | null = 0; offset !== null; ) {
    const { data, pagination } = await page(`limit=500&city=menlo&offset=${offset}`)
    seen.push(...data.map((each: { permitId: string }) => each.permitId))
    offset = pagination.nextOffset
  }
  expect([seen.length, new Set(seen).size]).toEqual([5_025, 5_025])
})

test('paging by cursor goes past 10,000 rows in order, without a gap or a duplicate among equal dates', async () => {
  const seen: { permitId: string; city: string; issuedDate: string }[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { data, pagination } = await page(`limit=500&cursor=${cursor}`)
    seen.push(...data)
    cursor = pagination.nextCursor
  }
  expect(seen).toHaveLength(10_050)
  expect(new Set(seen.map(({ permitId, city }) => `${city}/${permitId}`)).size).toBe(10_050)
  const place = ({ issuedDate, permitId, city }: (typeof seen)[number]) =>
    `${String(99_999_999 - Number(issuedDate.replaceAll('-', '')))} ${permitId} ${city}`
  const places = seen.map(place)
  expect(places).toEqual([...places].sort())
})

test('every list response has the length and oldest date of the history window, or null', async () => {
  const free = await service().freeKey()
  expect((await page('', free)).historyWindow).toEqual({ days: 30, oldestDate: '2026-10-16' })
  for (const key of [pro, demoKey]) expect((await page('', key)).historyWindow).toBe(null)
  const lists = [
    '/v1/market-signals',
    '/v1/sb9-inventory',
    '/v1/adu-leads',
    '/v1/redevelopment-leads',
    '/v1/coverage',
    '/v1/accuracy',
  ]
  for (const path of lists) expect((await ask(service(), path, { key: pro })).body.historyWindow, path).toBe(null)
})
