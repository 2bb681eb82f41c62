import { beforeAll, beforeEach, expect, test } from 'vitest'
import { answerCache } from '../../src/api/answer-cache.ts'
import { sql } from '../../src/store/engine/database.ts'
import { dataChannel } from '../../src/store/ingest/freshness.ts'
import { demoKey } from '../../src/wire/plans.ts'
import { ask } from '../setup/ask.ts'
import { listing, permit } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

const service = useService()
let pro: string
let free: string
beforeAll(async () => {
  for (let i = 0; i < 40; i++) await permit(service().db, { issued_on: '2026-11-10' })
  await permit(service().db, { permit_id: 'OLD', issued_on: '2026-01-10' })
  await listing(service().db, { status: 'sold', sold_on: '2026-01-10', address: '1 Old Ct' })
})
beforeEach(async () => {
  service().setNow(new Date('2026-11-15T12:00:00Z'))
  pro = await service().proKey()
  free = await service().freeKey()
})

const permits = (key: string, query = 'limit=100', headers: Record<string, string> = {}) =>
  ask(service(), `/v1/permits?${query}`, { key, headers })

test('the same query on different plans never returns another plan’s rows, page size or history window', async () => {
  const orders = [
    [pro, free, demoKey],
    [demoKey, free, pro],
    [free, pro, demoKey],
  ]
  for (const [turn, order] of orders.entries()) {
    const seen = new Map<string, { rows: number; window: unknown; total: number }>()
    // Each order uses a different query: the first pass fills the cache, the second reads from it.
    for (const key of [...order, ...order]) {
      const { body } = await permits(key, `limit=100&turn=${turn}`)
      const answer = { rows: body.count, window: body.historyWindow?.days ?? null, total: body.pagination.total }
      expect(seen.get(key) ?? answer).toEqual(answer)
      seen.set(key, answer)
    }
    expect(seen.get(pro)).toEqual({ rows: 41, window: null, total: 41 })
    expect(seen.get(free)).toEqual({ rows: 25, window: 30, total: 40 })
    expect(seen.get(demoKey)).toEqual({ rows: 5, window: null, total: 41 })
  }
})

test('responses to the demo key in the playground and elsewhere are cached separately', async () => {
  const playground = { 'x-lotline-client': 'playground' }
  expect((await permits(demoKey, 'limit=9', playground)).body.count).toBe(2)
  expect((await permits(demoKey, 'limit=9')).body.count).toBe(5)
  expect((await permits(demoKey, 'limit=9', playground)).body.count).toBe(2)
})

test('an ETag of one plan’s response does not return 304 to another plan', async () => {
  const { headers } = await permits(pro)
  expect((await permits(free, 'limit=100', { 'if-none-match': headers.etag! })).status).toBe(200)
})

test('a single permit and a single property respect the history window too', async () => {
  expect((await ask(service(), '/v1/permits/palo-alto/OLD', { key: pro })).status).toBe(200)
  expect((await ask(service(), '/v1/permits/palo-alto/OLD', { key: free })).status).toBe(404)
  expect((await ask(service(), '/v1/permits/palo-alto/OLD', { key: demoKey })).status).toBe(200)
})

test('a cached response is dropped as soon as data changes', async () => {
  expect((await permits(pro, 'q=fresh')).body.count).toBe(0)
  await permit(service().db, { description: 'fresh paint' })
  expect((await permits(pro, 'q=fresh')).body.count).toBe(0)
  await sql`select pg_notify(${dataChannel}, '')`.execute(service().db)
  await expect.poll(async () => (await permits(pro, 'q=fresh')).body.count).toBe(1)
})

test('responses are computed again on a new day, because the history window moves', async () => {
  expect((await permits(free, 'limit=1')).body.historyWindow.oldestDate).toBe('2026-10-16')
  service().setNow(new Date('2026-11-16T00:00:00Z'))
  expect((await permits(free, 'limit=1')).body.historyWindow.oldestDate).toBe('2026-10-17')
})

const now = new Date('2026-11-15T12:00:00Z')
const answer = (size: number) => ({ body: Buffer.alloc(size), etag: '"x"' })

test('nothing is cached while the listener is disconnected, and the cache is cleared', () => {
  const cache = answerCache()
  cache.put('a', answer(1), cache.generation())
  expect(cache.get('a', now)).toBeUndefined()
  cache.setListening(true)
  cache.put('a', answer(1), cache.generation())
  expect(cache.get('a', now)).toBeDefined()
  cache.setListening(false)
  expect(cache.get('a', now)).toBeUndefined()
})

test('a response computed from data before a change is not cached after it', () => {
  const cache = answerCache()
  cache.setListening(true)
  const begun = cache.generation()
  cache.clear()
  cache.put('a', answer(1), begun)
  expect(cache.get('a', now)).toBeUndefined()
})

test('a change in one market drops the responses of that market and those of all markets, and keeps the others', () => {
  const cache = answerCache()
  cache.setListening(true)
  for (const market of ['sf-peninsula', 'nantucket', undefined])
    cache.put(`${market}`, { ...answer(1), market }, cache.generation(market))
  const begun = cache.generation('sf-peninsula')
  cache.clear('sf-peninsula')
  cache.put('late', { ...answer(1), market: 'sf-peninsula' }, begun)
  const kept = () =>
    ['sf-peninsula', 'late', 'nantucket', 'undefined'].filter((key) => cache.get(key, now) !== undefined)
  expect(kept()).toEqual(['nantucket'])
  cache.clear('')
  expect(kept()).toEqual([])
})

test('a change in one market leaves the cached responses of other markets', async () => {
  await listing(service().db, { market: 'nantucket', city: 'Nantucket', address: '1 Main St' })
  const total = async (market: string) =>
    (await ask(service(), `/v1/market-signals?market=${market}`, { key: pro })).body.pagination.total
  const before = { peninsula: await total('sf-peninsula'), nantucket: await total('nantucket') }
  await listing(service().db, { address: '2 Elm St' })
  await listing(service().db, { market: 'nantucket', city: 'Nantucket', address: '2 Main St' })
  await sql`select pg_notify(${dataChannel}, 'sf-peninsula')`.execute(service().db)
  await expect.poll(() => total('sf-peninsula')).toBe(before.peninsula + 1)
  expect(await total('nantucket')).toBe(before.nantucket)
})

test('a response is not served after it expires', () => {
  const cache = answerCache()
  cache.setListening(true)
  cache.put('a', { ...answer(1), expiresAt: now.getTime() + 1 }, cache.generation())
  expect(cache.get('a', now)).toBeDefined()
  expect(cache.get('a', new Date(now.getTime() + 1))).toBeUndefined()
})

test('the cache stays within its maximum size in bytes', () => {
  const cache = answerCache(100_000)
  cache.setListening(true)
  for (let i = 0; i < 1_000; i++) cache.put(`k${i}`, answer(1_000), cache.generation())
  const kept = Array.from({ length: 1_000 }, (_, i) => cache.get(`k${i}`, now)).filter(Boolean).length
  expect(kept).toBeGreaterThan(50)
  expect(kept).toBeLessThan(100)
  cache.put('huge', answer(90_000), cache.generation())
  expect(cache.get('huge', now)).toBeUndefined()
})
