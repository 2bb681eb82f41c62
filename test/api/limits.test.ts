import { expect, test, vi } from 'vitest'
import { memoryLimits } from '../../src/api/rate-limits.ts'
import { sql } from '../../src/store/engine/database.ts'
import { demoKey } from '../../src/wire/plans.ts'
import { ask } from '../setup/ask.ts'
import { useService } from '../setup/service.ts'

const service = useService()
const noon = new Date('2026-11-15T12:00:00Z')
const after = (seconds: number) => service().setNow(new Date(noon.getTime() + seconds * 1000))
const usage = (asking: { key?: string; ip?: string; headers?: Record<string, string> }) =>
  ask(service(), '/v1/usage', asking)

/** Sends the requests concurrently and returns their statuses. */
const burst = async (count: number, asking: { key?: string; ip?: string }) =>
  (await Promise.all(Array.from({ length: count }, () => usage(asking)))).map(({ status }) => status)
const allowed = (statuses: number[]) => statuses.filter((status) => status === 200).length

test('each plan gets exactly its requests per minute, also when they are concurrent', async () => {
  after(0)
  expect(allowed(await burst(60, { key: await service().freeKey() }))).toBe(30)
  expect(allowed(await burst(150, { key: await service().proKey() }))).toBe(120)
  expect(allowed(await burst(30, { key: demoKey, ip: '192.0.2.7' }))).toBe(10)
})

test('the remaining requests in the headers count down and stop at zero', async () => {
  after(0)
  const key = await service().freeKey()
  const seen = []
  for (let i = 0; i < 32; i++) seen.push((await usage({ key })).headers)
  expect(seen.map((headers) => headers['x-ratelimit-limit'])).toEqual(Array(32).fill('30'))
  expect(seen.map((headers) => Number(headers['x-ratelimit-remaining']))).toEqual([
    ...Array.from({ length: 30 }, (_, i) => 29 - i),
    0,
    0,
  ])
})

test('a retry after Retry-After succeeds, and one a second earlier does not', async () => {
  after(0)
  const key = await service().freeKey()
  await usage({ key })
  after(17.4)
  await burst(40, { key })
  const limited = await usage({ key })
  const wait = Number(limited.headers['retry-after'])
  expect([limited.status, wait]).toEqual([429, 43])
  after(17.4 + wait - 1)
  expect((await usage({ key })).status).toBe(429)
  after(17.4 + wait)
  expect((await usage({ key })).status).toBe(200)
})

test('the demo key is limited per IP address, so that one visitor cannot use it up for all', async () => {
  after(0)
  await burst(20, { key: demoKey, ip: '192.0.2.20' })
  expect((await usage({ key: demoKey, ip: '192.0.2.20' })).status).toBe(429)
  expect((await usage({ key: demoKey, ip: '192.0.2.21' })).status).toBe(200)
})

test('a key has one limit for all addresses it is used from', async () => {
  after(0)
  const key = await service().freeKey()
  const statuses = []
  for (let i = 0; i < 31; i++) statuses.push((await usage({ key, ip: `192.0.2.${100 + i}` })).status)
  expect(statuses.at(-1)).toBe(429)
})

test('ten failed keys per minute and address are 401, the eleventh is 429', async () => {
  after(0)
  const ip = '192.0.2.30'
  const answers = []
  for (let i = 0; i < 12; i++) answers.push(await usage({ key: i % 2 ? 'bad' : undefined, ip }))
  expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(401), 429, 429])
  expect(answers.map(({ headers }) => headers['x-ratelimit-limit'])).toEqual(Array(12).fill('10'))
  expect(answers[0]!.headers['x-ratelimit-remaining']).toBe('9')
  const wait = Number(answers[11]!.headers['retry-after'])
  after(wait)
  expect((await usage({ ip })).status).toBe(401)
})

test('failed keys never block a valid key from the same address', async () => {
  after(0)
  const ip = '192.0.2.31'
  await burst(50, { key: 'bad', ip })
  expect((await usage({ key: await service().freeKey(), ip })).status).toBe(200)
  expect((await usage({ key: demoKey, ip })).status).toBe(200)
})

test('unknown but well-formed keys count as failures too', async () => {
  after(0)
  const ip = '192.0.2.32'
  const key = await service().freeKey()
  await sql`delete from api_key where email = 'free@example.com'`.execute(service().db)
  await burst(10, { key, ip })
  expect((await usage({ key, ip })).status).toBe(429)
})

test('the key in the header takes precedence over the query parameter', async () => {
  after(0)
  const key = await service().freeKey()
  const { body } = await ask(service(), '/v1/usage?apiKey=demo', { key })
  expect(body.data.plan).toBe('free')
  expect((await ask(service(), '/v1/usage?apiKey=demo', { key: 'bad', ip: '192.0.2.33' })).status).toBe(401)
  expect((await ask(service(), `/v1/usage?apiKey=${key}`)).body.data.plan).toBe('free')
})

test('a mistyped key is rejected without a database query', async () => {
  after(0)
  const key = await service().freeKey()
  const connect = service().pool.connect
  let queries = 0
  service().pool.connect = ((...args: never[]) => {
    queries++
    return (connect as (...args: never[]) => never).apply(service().pool, args)
  }) as never
  const typo = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A')
  expect((await usage({ key: typo, ip: '192.0.2.34' })).status).toBe(401)
  expect(queries).toBe(0)
  service().pool.connect = connect
})

test('a 400 and a 304 count against the limit', async () => {
  after(0)
  const key = await service().freeKey()
  await ask(service(), '/v1/permits?limit=x', { key })
  const { headers } = await ask(service(), '/v1/permits', { key })
  const again = await ask(service(), '/v1/permits', { key, headers: { 'if-none-match': headers.etag! } })
  expect([again.status, again.headers['x-ratelimit-remaining']]).toEqual([304, '27'])
})

test('usage returns the plan, its limits, the remaining requests and the history window', async () => {
  after(0)
  const key = await service().freeKey()
  await usage({ key })
  after(20)
  expect((await usage({ key })).body.data).toMatchObject({
    plan: 'free',
    limits: { maxResults: 25, requestsPerMinute: 30, webhooks: false },
    remaining: 28,
    windowResetsInSeconds: 40,
    historyWindow: { days: 30, oldestDate: '2026-10-16' },
    promotionEndsAt: null,
  })
  expect((await usage({ key: demoKey, ip: '192.0.2.40' })).body.data).toMatchObject({
    plan: 'demo',
    historyWindow: null,
  })
})

test('a free key issued before Sep 4, 2026 has no history window', async () => {
  after(0)
  const key = await service().freeKey()
  await sql`update api_key set created_at = '2026-09-03T23:59:59Z' where email = 'free@example.com'`.execute(
    service().db,
  )
  expect((await usage({ key })).body.data.historyWindow).toBe(null)
  expect((await ask(service(), '/v1/permits', { key })).body.historyWindow).toBe(null)
  // So does the key that replaces it, and the one after that.
  let next = key
  for (let rotation = 0; rotation < 2; rotation++) {
    next = (await ask(service(), '/v1/keys/rotate', { key: next, body: {} })).body.key
    expect((await usage({ key: next })).body.data.historyWindow).toBe(null)
  }
})

test('setting the clock back or forward by an hour neither blocks a caller nor resets the limit', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  try {
    const limits = memoryLimits()
    const hit = () => limits.hit('key:a', 1)
    const step = (hours: number) => vi.setSystemTime(Date.now() + hours * 3_600_000)
    expect(hit()).toMatchObject({ allowed: true })
    step(1)
    expect(hit()).toMatchObject({ allowed: false, resetMs: 60_000 })
    step(-2)
    vi.advanceTimersByTime(59_999)
    expect(hit()).toMatchObject({ allowed: false })
    vi.advanceTimersByTime(1)
    expect(hit()).toMatchObject({ allowed: true })
  } finally {
    vi.useRealTimers()
  }
})
