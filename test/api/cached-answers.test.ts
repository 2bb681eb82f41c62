// A cached response equals a computed one, over a real socket.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataChannel } from '../../src/store/ingest/freshness.ts'
import { revokeKey } from '../../src/store/keys/keys.ts'
import { ask } from '../setup/ask.ts'
import { permit, source } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

const service = useService()
let url: string
beforeAll(async () => {
  await source(service().db)
  await permit(service().db, { permit_id: 'B-1', issued_on: '2026-01-02' })
  url = await service().app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => service().app.server.closeAllConnections())

const path = '/api/v1/permits?limit=5'
const fetched = (key: string, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, { headers: { 'x-api-key': key, ...headers } })
/** The first request fills the cache. */
const fromCache = async (key: string, headers: Record<string, string> = {}) => {
  await (await fetched(key)).text()
  return fetched(key, headers)
}
const connectionHeaders = ['connection', 'keep-alive', 'date', 'transfer-encoding']
const requestHeaders = ['x-request-id', 'x-ratelimit-remaining']

test('a cached response has the same bytes and headers as a computed one', async () => {
  const key = await service().proKey()
  const cached = await fromCache(key)
  const computed = await ask(service(), `${path}&offset=`, { key })
  expect(await cached.text()).toBe(computed.text)
  const given = Object.fromEntries(
    [...cached.headers].filter(([name]) => ![...connectionHeaders, ...requestHeaders].includes(name)),
  )
  const expected = Object.fromEntries(
    Object.entries(computed.headers).filter(([name]) => ![...connectionHeaders, ...requestHeaders].includes(name)),
  )
  expect(given).toEqual(expected)
  expect(cached.headers.get('x-request-id')).toMatch(/^[\w-]+-\w+$/)
})

test('cached responses count against the limit, and the request over it is 429', async () => {
  const key = await service().proKey()
  const left: number[] = []
  for (let i = 0; i < 120; i++) left.push(Number((await fetched(key)).headers.get('x-ratelimit-remaining')))
  expect(left).toEqual(Array.from({ length: 120 }, (_, i) => 119 - i))
  const rejected = await fetched(key)
  expect(rejected.status).toBe(429)
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('the ETag of a cached response returns 304 without a body and counts against the limit', async () => {
  const key = await service().proKey()
  const first = await fromCache(key)
  const etag = first.headers.get('etag')!
  const again = await fetched(key, { 'if-none-match': `W/"other", W/${etag}` })
  expect(again.status).toBe(304)
  expect(await again.text()).toBe('')
  expect(again.headers.get('etag')).toBe(etag)
  expect(Number(again.headers.get('x-ratelimit-remaining'))).toBe(
    Number(first.headers.get('x-ratelimit-remaining')) - 1,
  )
})

test('a response cached for one plan is not served to another', async () => {
  const pro = await fromCache(await service().proKey())
  const free = await fromCache(await service().freeKey())
  expect(((await pro.json()) as { count: number }).count).toBe(1)
  expect(await free.json()).toMatchObject({ count: 0, historyWindow: { days: 30 } })
})

test('a cached response is dropped when data changes', async () => {
  const key = await service().proKey()
  const count = async () => ((await (await fromCache(key)).json()) as { count: number }).count
  const before = await count()
  await permit(service().db, { issued_on: '2026-01-03' })
  expect(await count()).toBe(before)
  await service().pool.query(`select pg_notify('${dataChannel}', '')`)
  await expect.poll(count).toBe(before + 1)
})

test('a cached response is not served on the next day, which has another history window', async () => {
  const key = await service().freeKey()
  const oldest = async () =>
    ((await (await fromCache(key)).json()) as { historyWindow: { oldestDate: string } }).historyWindow.oldestDate
  service().setNow(new Date('2026-11-15T23:59:59Z'))
  expect(await oldest()).toBe('2026-10-16')
  service().setNow(new Date('2026-11-16T00:00:00Z'))
  expect(await oldest()).toBe('2026-10-17')
  service().setNow(undefined)
})

test('a revoked key gets no cached response', async () => {
  const key = await service().proKey()
  expect((await fromCache(key)).status).toBe(200)
  const { rows } = await service().pool.query('select id from api_key order by created_at desc limit 1')
  await revokeKey(service().db, rows[0].id, new Date())
  await expect.poll(async () => (await fetched(key)).status).toBe(401)
})

test('cached responses are counted in the metrics', async () => {
  const key = await service().proKey()
  const counts = async () => {
    const text = await (await fetch(`${url}/metrics`, { headers: { authorization: 'Bearer scraper' } })).text()
    return ['requests_total{operation="search_permits",status="200"}', 'cache_requests_total{result="hit"}'].map(
      (name) => Number(text.split(`lotline_${name} `)[1]?.split('\n')[0]),
    )
  }
  await fromCache(key)
  const [requests, hits] = await counts()
  await (await fetched(key)).text()
  expect(await counts()).toEqual([requests! + 1, hits! + 1])
})
