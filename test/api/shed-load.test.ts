import { afterEach, beforeEach, expect, test } from 'vitest'
import { ask } from '../setup/ask.ts'
import { useService } from '../setup/service.ts'

const service = useService({ shedAtLagMs: 1 })

/** Real strain, whatever the machine: most of every moment the event loop is held up. */
let strain: NodeJS.Timeout
beforeEach(() => {
  strain = setInterval(() => {
    const until = performance.now() + 40
    while (performance.now() < until);
  }, 50)
})
afterEach(() => clearInterval(strain))

test('under strain that lasts the API says 503 and when to come back, and health is answered still', async () => {
  const key = await service().proKey()
  const api = () => ask(service(), '/v1/usage', { key })
  await expect.poll(async () => (await api()).status, { timeout: 30_000, interval: 500 }).toBe(503)
  const { body, headers } = await api()
  expect(body).toMatchObject({ success: false, code: 'internal_error' })
  expect(headers['retry-after']).toBe('2')
  expect(headers['x-request-id']).toBeTruthy()
  expect(headers).toMatchObject({
    'x-ratelimit-limit': '120',
    'access-control-allow-origin': '*',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  expect(Number(headers['x-ratelimit-remaining'])).toBeLessThan(120)
  for (const path of ['/healthz', '/readyz', '/metrics']) expect((await ask(service(), path)).status, path).toBe(200)
})
