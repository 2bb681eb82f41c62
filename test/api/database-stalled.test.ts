// A database that hangs: connections stay open and queries get no response.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { planBudgets, poolOptions } from '../../src/api/budgets.ts'
import { makeKey } from '../../src/store/keys/api-key.ts'
import { demoKey } from '../../src/wire/plans.ts'
import { ask } from '../setup/ask.ts'
import { newDatabase } from '../setup/database.ts'
import { type Service, startService } from '../setup/service.ts'
import { type StallingProxy, stallingProxy } from '../setup/stalling-proxy.ts'

let proxy: StallingProxy
let service: Service
beforeAll(async () => {
  proxy = await stallingProxy(await newDatabase())
  service = await startService({ database: proxy.address, pools: poolOptions, budgets: planBudgets })
})
afterAll(async () => {
  proxy?.resume()
  await service?.close()
  await proxy?.close()
})

test('every read returns 503 with Retry-After within 2 seconds, and 200 once the database responds', async () => {
  const key = await service.proKey()
  const freeKey = await service.freeKey()
  const read = (query: string, asking = { key }) => ask(service, `/v1/permits?q=${query}`, asking)
  expect((await read('before', { key: freeKey })).status).toBe(200)
  expect((await read('before')).status).toBe(200)
  proxy.stall()
  const begun = performance.now()
  // More requests than the pool has connections, so that some wait for one.
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => read(`stalled${i}`)))
  // 1.8 seconds, and time for a busy machine. A query would be given up after 11.
  expect(performance.now() - begun).toBeLessThan(8_000)
  for (const { status, headers, body } of answers) {
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'internal_error', '2'])
    expect(headers['x-ratelimit-limit']).toBe('120')
  }
  for (const other of [freeKey, demoKey]) {
    const asked = performance.now()
    expect((await read('stalled', { key: other })).status).toBe(503)
    expect(performance.now() - asked).toBeLessThan(8_000)
  }
  expect((await ask(service, '/healthz')).status).toBe(200)
  // A key that is not cached cannot be looked up either.
  expect((await ask(service, '/v1/usage', { key: makeKey('pro') })).status).toBe(503)
  proxy.resume()
  await expect.poll(async () => (await read('after')).status, { timeout: 10_000 }).toBe(200)
})
