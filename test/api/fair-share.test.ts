// No caller can starve another: separate connection pools, a concurrency limit per caller, a timeout per request.
import { connect } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { planBudgets, poolOptions } from '../../src/api/budgets.ts'
import { defaultTimeoutMs } from '../../src/client/client.ts'
import { callerOf } from '../../src/operations/context.ts'
import { sql } from '../../src/store/engine/database.ts'
import { demoKey, type PlanName, plans } from '../../src/wire/plans.ts'
import { ask } from '../setup/ask.ts'
import { permit } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

/**
 * The test chooses the caller by name: `free-1` is a key of the free plan, `free-1.b` one that replaced it, and no name is an
 * anonymous page visitor.
 */
const asNamed = async (request: FastifyRequest) => {
  const id = request.headers['x-test-key'] as string | undefined
  if (id === undefined) return
  const plan = id.split('-')[0] as PlanName
  const key = {
    id,
    family: id.split('.')[0]!,
    currentKeyId: id,
    email: '',
    createdAt: new Date(),
    promotionUntil: null,
    confirmedAt: null,
  }
  request.caller = callerOf(plan, plans[plan], 'test', key)
}

const held: { name: string; finish: () => void }[] = []
const keyShare = { slots: 2, connections: 1 }
const service = useService({
  keyShare,
  pools: poolOptions,
  budgets: planBudgets,
  beforeReady: (app) => {
    app.addHook('onRequest', asNamed)
    app.get('/sleep', async ({ db }) => sql`select pg_sleep(20)`.execute(db!))
    app.get('/sleep-briefly', async ({ db }) => sql`select pg_sleep(3.7)`.execute(db!))
    app.get('/hold', (request) => {
      const { name } = request.query as { name: string }
      return new Promise((done) => held.push({ name, finish: () => done('done') }))
    })
    app.get('/sleep-unnoticed', async ({ db }) =>
      db!.transaction().execute(async (tx) => {
        // PostgreSQL by default does not check during a query whether its client is still connected.
        await sql`set local client_connection_check_interval = 0`.execute(tx)
        await sql`select pg_sleep(20) as unnoticed`.execute(tx)
      }),
    )
  },
})
let port: number
beforeAll(async () => {
  await permit(service().db)
  port = Number(new URL(await service().app.listen({ port: 0, host: '127.0.0.1' })).port)
})

const named = (key: string) => ({ headers: { 'x-test-key': key } })
const timed = async <T>(work: Promise<T>): Promise<[T, number]> => {
  const begun = performance.now()
  return [await work, performance.now() - begun]
}
const sleeping = async (text: string) => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from pg_stat_activity
    where datname = current_database() and state = 'active' and query like ${`%${text}%`} and pid <> pg_backend_pid()`.execute(
    service().db,
  )
  return rows[0]!.n
}

test('slow queries of anonymous callers do not use the connections of callers with a key', async () => {
  const key = await service().proKey()
  expect((await ask(service(), '/v1/usage', { key })).status).toBe(200)
  const slow = Array.from({ length: 20 }, (_, i) => ask(service(), '/sleep', { ip: `192.0.2.${i}` }))
  await expect.poll(() => sleeping('pg_sleep(20)')).toBe(poolOptions.public.poolSize)
  expect((await ask(service(), '/v1/permits?q=during', { key })).status).toBe(200)
  expect(await sleeping('pg_sleep(20)')).toBe(poolOptions.public.poolSize)
  expect(new Set((await Promise.all(slow)).map(({ status }) => status))).toEqual(new Set([503]))
  expect((await ask(service(), '/v1/permits?q=after', { key: demoKey })).status).toBe(200)
})

test.each([
  ['a page', undefined],
  ['a free key', 'free-1'],
])('a slow query of %s is canceled on the server within its timeout and returns 503', async (_, key) => {
  const [{ status, headers, body }, ms] = await timed(ask(service(), '/sleep', key ? named(key) : {}))
  expect([status, headers['retry-after'], body.code]).toEqual([503, '2', 'internal_error'])
  expect(ms).toBeLessThan(8_000)
  await expect.poll(() => sleeping('pg_sleep(20)'), { timeout: 10_000 }).toBe(0)
})

test('a key and the keys that replaced it share their slots', async () => {
  const { atOnce } = planBudgets.free
  const all = Array.from({ length: atOnce + 2 }, (_, i) =>
    ask(service(), '/hold?name=family', named(i % 2 ? 'free-4' : 'free-4.b')),
  )
  await expect.poll(() => held.length).toBe(atOnce)
  const other = ask(service(), '/hold?name=other', named('free-5'))
  await expect.poll(() => held.some(({ name }) => name === 'other')).toBe(true)
  expect(held.filter(({ name }) => name === 'family')).toHaveLength(atOnce)
  for (let left = all.length + 1; left > 0; left--) {
    await expect.poll(() => held.length).toBeGreaterThan(0)
    held.shift()!.finish()
  }
  await Promise.all([...all, other])
})

test('beside another key of its plan, a key that has used more gets only its share of slots', async () => {
  const named8 = Array.from({ length: 8 }, (_, i) => ask(service(), `/hold?name=heavy${i}`, named('pro-20')))
  await expect.poll(() => held.length).toBe(8)
  const more = Array.from({ length: 4 }, (_, i) => ask(service(), `/hold?name=more${i}`, named('pro-20')))
  const light = ask(service(), '/hold?name=light', named('pro-21'))
  await expect.poll(() => held.some(({ name }) => name === 'light')).toBe(true)
  const finish = (count: number) => {
    for (const each of held.filter(({ name }) => name.startsWith('heavy')).slice(0, count)) {
      held.splice(held.indexOf(each), 1)
      each.finish()
    }
  }
  finish(8 - keyShare.slots)
  // A third key is served, so those that may start have started.
  const free = ask(service(), '/hold?name=free', named('free-20'))
  await expect.poll(() => held.some(({ name }) => name === 'free')).toBe(true)
  expect(held.map(({ name }) => name).filter((name) => name.startsWith('more'))).toEqual([])
  finish(1)
  await expect.poll(() => held.filter(({ name }) => name.startsWith('more')).length).toBe(1)
  const all = [...named8, ...more, light, free]
  for (let left = all.length - (9 - keyShare.slots); left > 0; left--) {
    await expect.poll(() => held.length).toBeGreaterThan(0)
    held.shift()!.finish()
  }
  expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([200]))
})

test('a Pro key gets a slow answer instead of 503', async () => {
  expect((await ask(service(), '/sleep-briefly', named('pro-2'))).status).toBe(200)
})

test('a query ends before the budget of its pool, and a Pro request before the client’s default timeout', () => {
  expect(poolOptions.keyed.statementTimeoutMs).toBeLessThan(planBudgets.pro.answerMs)
  expect(poolOptions.public.statementTimeoutMs).toBeLessThan(planBudgets.demo.answerMs)
  expect(planBudgets.pro.answerMs).toBeLessThan(defaultTimeoutMs)
})

test.each([
  ['demo', undefined],
  ['free', 'free-9'],
  ['pro', 'pro-9'],
] as const)(
  '%s: requests over the concurrency limit wait in order, and other callers do not wait for them',
  async (plan, key) => {
    const { atOnce } = planBudgets[plan]
    const names = Array.from({ length: 2 * atOnce + 1 }, (_, i) => String(i))
    const begun: string[] = []
    const all = names.map((name) => ask(service(), `/hold?name=${name}`, key ? named(key) : {}))
    await expect.poll(() => held.length).toBe(atOnce)
    const other = ask(service(), '/hold?name=other', { ip: '192.0.2.77', ...(key ? named(`${key}0`) : {}) })
    await expect.poll(() => held.some(({ name }) => name === 'other')).toBe(true)
    held.find(({ name }) => name === 'other')!.finish()
    expect((await other).status).toBe(200)
    held.splice(
      held.findIndex(({ name }) => name === 'other'),
      1,
    )
    while (begun.length < names.length) {
      await expect.poll(() => held.length).toBeGreaterThan(0)
      expect(held.length).toBeLessThanOrEqual(atOnce)
      const { name, finish } = held.shift()!
      begun.push(name)
      finish()
      await all[Number(name)]
    }
    expect(begun).toEqual(names)
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([200]))
  },
)

test('a request that waits too long returns 503 with Retry-After, and the caller’s next request is served', async () => {
  const key = named('free-7')
  const first = Array.from({ length: planBudgets.free.atOnce }, () => ask(service(), '/hold?name=first', key))
  await expect.poll(() => held.length).toBe(planBudgets.free.atOnce)
  const [{ status, headers }, ms] = await timed(ask(service(), '/hold?name=waiting', key))
  expect([status, headers['retry-after']]).toEqual([503, '2'])
  expect(ms).toBeLessThan(8_000)
  for (const { finish } of held.splice(0)) finish()
  await Promise.all(first)
  const again = ask(service(), '/hold?name=again', key)
  await expect.poll(() => held.length).toBe(1)
  held.pop()!.finish()
  expect((await again).status).toBe(200)
})

test('when a client disconnects, its query is canceled on the server', async () => {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.write('GET /sleep-unnoticed HTTP/1.1\r\nHost: x\r\nx-test-key: pro-5\r\n\r\n')
  await expect.poll(() => sleeping('as unnoticed'), { interval: 20 }).toBe(1)
  socket.destroy()
  // Without a cancellation it sleeps for 20 seconds.
  await expect.poll(() => sleeping('as unnoticed'), { timeout: 10_000, interval: 20 }).toBe(0)
  expect(service().logs.filter((line) => line.includes('sleep-unnoticed'))).toEqual([])
})
