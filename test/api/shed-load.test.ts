import { expect, test } from 'vitest'
import { demoKey } from '../../src/contract/plans.ts'
import { ask } from '../setup/ask.ts'
import { useService } from '../setup/service.ts'

// Every event loop lags by more than a millisecond, so to this service every moment is overload.
const service = useService({ shedAtLagMs: 1 })

test('under strain that lasts the API says 503 and when to come back, and health is answered still', async () => {
  const api = () => ask(service(), '/v1/usage', { key: demoKey })
  await expect.poll(async () => (await api()).status, { timeout: 30_000 }).toBe(503)
  const { body, headers } = await api()
  expect(body).toMatchObject({ success: false, code: 'internal_error' })
  expect(headers['retry-after']).toBe('2')
  expect(headers['x-request-id']).toBeTruthy()
  for (const path of ['/healthz', '/readyz', '/metrics']) expect((await ask(service(), path)).status, path).toBe(200)
})
