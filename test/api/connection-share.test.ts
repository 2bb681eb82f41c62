// The requests of one caller together use only a part of the connections, also when each sends several queries at once.
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { planBudgets, poolOptions } from '../../src/api/budgets.ts'
import { callerOf } from '../../src/operations/context.ts'
import { sql } from '../../src/store/engine/database.ts'
import { type PlanName, plans } from '../../src/wire/plans.ts'
import { ask } from '../setup/ask.ts'
import { useService } from '../setup/service.ts'

const held: (() => void)[] = []
const lightHeld: (() => void)[] = []
const keyShare = { slots: 8, connections: 2 }
const service = useService({
  keyShare,
  beforeReady: (app) => {
    app.addHook('onRequest', async (request) => {
      const name = (request.headers['x-test-key'] ?? request.headers['x-test-plan']) as string | undefined
      if (name === undefined || name === 'demo') return
      const plan = name.split('-')[0] as PlanName
      const key = {
        id: name,
        family: name,
        currentKeyId: name,
        email: '',
        createdAt: new Date(),
        promotionUntil: null,
        confirmedAt: null,
      }
      request.caller = callerOf(plan, plans[plan], 'test', key)
    })
    /** Holds five connections, like a page with five queries. */
    app.get('/five', async ({ db }) => {
      const hold = () => db!.connection().execute(() => new Promise<void>((done) => held.push(done)))
      await Promise.all(Array.from({ length: 5 }, hold))
      return 'done'
    })
    app.get('/light', async ({ db }) => {
      await db!.connection().execute(() => new Promise<void>((done) => lightHeld.push(done)))
      return 'done'
    })
    app.get('/one', async ({ db }) => (await sql`select 1`.execute(db!)).rows)
  },
})

test.each(['demo', 'free', 'pro'] as const)(
  '%s: all requests of a caller share the connections of its plan, and leave some for others',
  async (plan) => {
    const { atOnce, connections } = planBudgets[plan]
    expect(connections).toBeLessThan(poolOptions[plan === 'demo' ? 'public' : 'keyed'].poolSize!)
    const all = Array.from({ length: atOnce }, () => ask(service(), '/five', { headers: { 'x-test-plan': plan } }))
    await expect.poll(() => held.length).toBe(connections)
    const other =
      plan === 'demo' ? { ip: '192.0.2.9' } : { headers: { 'x-test-plan': plan === 'pro' ? 'free' : 'pro' } }
    expect((await ask(service(), '/one', other)).status).toBe(200)
    await wait(50)
    expect(held.length).toBe(connections)
    let finished = 0
    while (finished < 5 * atOnce) {
      await expect.poll(() => held.length).toBeGreaterThan(0)
      expect(held.length).toBeLessThanOrEqual(connections)
      held.shift()!()
      finished++
    }
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array(atOnce).fill(200))
  },
)

test('a request that ends gives its connections back, also those it waited for', async () => {
  const headers = { 'x-test-plan': 'free' }
  const first = ask(service(), '/five', { headers })
  await expect.poll(() => held.length).toBe(planBudgets.free.connections)
  const one = ask(service(), '/one', { headers })
  let finished = 0
  while (finished < 5) {
    await expect.poll(() => held.length).toBeGreaterThan(0)
    held.shift()!()
    finished++
  }
  expect((await first).status).toBe(200)
  expect((await one).status).toBe(200)
})

test('beside another key of its plan, a key that has used more gets only its share of connections', async () => {
  const named = (key: string) => ({ headers: { 'x-test-key': key } })
  const { connections } = planBudgets.pro
  const heavy = Array.from({ length: 2 }, () => ask(service(), '/five', named('pro-heavy')))
  await expect.poll(() => held.length).toBe(connections)
  const light = ask(service(), '/light', named('pro-light'))
  await expect.poll(() => lightHeld.length).toBe(1)
  for (const finish of held.splice(0, connections - keyShare.connections)) finish()
  // Served after those connections were released, so a query of the heavy key that may start has started.
  expect((await ask(service(), '/one', named('free-other'))).status).toBe(200)
  expect(held.length).toBe(keyShare.connections)
  held.shift()!()
  await expect.poll(() => held.length).toBe(keyShare.connections)
  lightHeld.pop()!()
  expect((await light).status).toBe(200)
  let left = 10 - (connections - keyShare.connections) - 1
  while (left-- > 0) {
    await expect.poll(() => held.length, { timeout: 5_000 }).toBeGreaterThan(0)
    held.shift()!()
  }
  expect((await Promise.all(heavy)).map(({ status }) => status)).toEqual([200, 200])
})
