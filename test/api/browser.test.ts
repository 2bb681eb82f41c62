import { beforeAll, expect, test } from 'vitest'
import { demoKey } from '../../src/contract/plans.ts'
import { ask } from '../setup/ask.ts'
import { permit } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

const service = useService()
let key: string
beforeAll(async () => {
  key = await service().proKey()
  await permit(service().db)
})

test('any page may read with a key, never with cookies', async () => {
  for (const path of ['/v1/permits', '/v1/nothing', '/v1/permits?limit=x']) {
    const { headers } = await ask(service(), path, { key, headers: { origin: 'https://example.com' } })
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['access-control-allow-credentials']).toBeUndefined()
  }
})

test('limits, retry, request id and tag are exposed to scripts', async () => {
  const { headers } = await ask(service(), '/v1/permits', { key })
  const exposed = headers['access-control-expose-headers']!.split(', ')
  expect(exposed).toEqual(
    expect.arrayContaining(['x-ratelimit-limit', 'x-ratelimit-remaining', 'retry-after', 'x-request-id']),
  )
})

test('a preflight allows GET with a key and no writing method', async () => {
  const { status, headers } = await ask(service(), '/v1/permits', {
    method: 'OPTIONS',
    headers: { origin: 'https://example.com', 'access-control-request-method': 'GET' },
  })
  expect(status).toBe(204)
  expect(headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS')
  expect(headers['access-control-allow-headers']).toContain('x-api-key')
  expect(headers['access-control-allow-credentials']).toBeUndefined()
})

test('preflights use up nothing', async () => {
  const ip = '192.0.2.60'
  for (let i = 0; i < 15; i++) await ask(service(), '/v1/permits', { method: 'OPTIONS', ip })
  expect((await ask(service(), '/v1/permits', { ip })).status).toBe(401)
})

test('answers say how to keep them: private, no-cache, apart per key, with a tag', async () => {
  const { headers } = await ask(service(), '/v1/permits', { key })
  expect(headers['cache-control']).toBe('private, no-cache')
  expect(headers.vary).toContain('x-api-key')
  expect(headers.etag).toMatch(/^"[\w-]+"$/)
})

test('an unchanged answer is 304 without a body, also for a weak tag, a list and *', async () => {
  const { headers } = await ask(service(), '/v1/permits', { key })
  for (const tag of [headers.etag!, `W/${headers.etag}`, `"other", ${headers.etag}`, '*']) {
    const { status, text } = await ask(service(), '/v1/permits', { key, headers: { 'if-none-match': tag } })
    expect([tag, status, text]).toEqual([tag, 304, ''])
  }
  expect((await ask(service(), '/v1/permits', { key, headers: { 'if-none-match': '"other"' } })).status).toBe(200)
})

test('what holds a secret or a refusal is not to be kept', async () => {
  const issued = await ask(service(), '/v1/keys', { body: { email: 'a@example.com' } })
  expect(issued.headers['cache-control']).toBe('no-store')
  expect((await ask(service(), '/v1/permits', { ip: '192.0.2.61' })).headers['cache-control']).toBe('no-store')
})

test('HEAD answers like GET, without a body', async () => {
  const { status, headers, text } = await ask(service(), '/v1/permits', { key, method: 'HEAD' })
  expect([status, text]).toEqual([200, ''])
  expect(headers['x-ratelimit-limit']).toBe('120')
})

test('nothing tells which software answers', async () => {
  const { headers } = await ask(service(), '/v1/permits', { key: demoKey })
  expect(headers.server).toBeUndefined()
  expect(headers['x-powered-by']).toBeUndefined()
  expect(headers['x-content-type-options']).toBe('nosniff')
})

test('health, readiness and metrics answer at the root, and metrics name no path, key or address', async () => {
  await ask(service(), '/v1/properties/nothing', { key })
  expect((await ask(service(), '/healthz')).body).toEqual({ status: 'ok' })
  expect((await ask(service(), '/readyz')).body).toEqual({ status: 'ready' })
  const { text } = await ask(service(), '/metrics')
  expect(text).toContain('lotline_requests_total{operation="get_property_intelligence",status="404"} 1')
  expect(text).not.toContain(key)
  expect(text).not.toMatch(/\/v1\/|127\.0\.0\.1/)
})
