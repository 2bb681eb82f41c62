import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { demoKey } from '../../src/wire/plans.ts'
import { ask } from '../setup/ask.ts'
import { permit } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

const service = useService()
let key: string
beforeAll(async () => {
  key = await service().proKey()
  await permit(service().db)
})

test('CORS allows any origin to read with a key and never allows cookies', async () => {
  for (const path of ['/v1/permits', '/v1/nothing', '/v1/permits?limit=x']) {
    const { headers } = await ask(service(), path, { key, headers: { origin: 'https://example.com' } })
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['access-control-allow-credentials']).toBeUndefined()
  }
})

test('CORS exposes the rate limit, Retry-After, request id and ETag headers', async () => {
  const { headers } = await ask(service(), '/v1/permits', { key })
  const exposed = headers['access-control-expose-headers']!.split(', ')
  expect(exposed).toEqual(
    expect.arrayContaining(['x-ratelimit-limit', 'x-ratelimit-remaining', 'retry-after', 'x-request-id']),
  )
})

test('a preflight allows GET with a key and no method that writes', async () => {
  const { status, headers } = await ask(service(), '/v1/permits', {
    method: 'OPTIONS',
    headers: { origin: 'https://example.com', 'access-control-request-method': 'GET' },
  })
  expect(status).toBe(204)
  expect(headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS')
  expect(headers['access-control-allow-headers']).toContain('x-api-key')
  expect(headers['access-control-allow-credentials']).toBeUndefined()
})

test.each([
  ['/v1/webhooks/whk_1', 'PUT, DELETE, OPTIONS'],
  ['/v1/lookup/batch', 'POST, OPTIONS'],
  ['/v1/nothing', 'OPTIONS'],
])('a preflight of %s allows %s', async (path, methods) => {
  const { headers } = await ask(service(), path, { method: 'OPTIONS', headers: { origin: 'https://example.com' } })
  expect(headers['access-control-allow-methods']).toBe(methods)
})

test('preflights do not count against the limit', async () => {
  const ip = '192.0.2.60'
  for (let i = 0; i < 15; i++) await ask(service(), '/v1/permits', { method: 'OPTIONS', ip })
  expect((await ask(service(), '/v1/permits', { ip })).status).toBe(401)
})

test('responses are private, no-cache, vary by key and have an ETag', async () => {
  const { headers } = await ask(service(), '/v1/permits', { key })
  expect(headers['cache-control']).toBe('private, no-cache')
  expect(headers.vary).toContain('x-api-key')
  expect(headers.etag).toMatch(/^"[\w-]+"$/)
})

test('an unchanged response is 304 without a body, also for a weak ETag, a list of ETags and *', async () => {
  const { headers } = await ask(service(), '/v1/permits', { key })
  for (const tag of [headers.etag!, `W/${headers.etag}`, `"other", ${headers.etag}`, '*']) {
    const { status, text } = await ask(service(), '/v1/permits', { key, headers: { 'if-none-match': tag } })
    expect([tag, status, text]).toEqual([tag, 304, ''])
  }
  expect((await ask(service(), '/v1/permits', { key, headers: { 'if-none-match': '"other"' } })).status).toBe(200)
})

test('errors and responses that contain a secret are no-store', async () => {
  const issued = await ask(service(), '/v1/keys', { body: { email: 'a@example.com' } })
  expect(issued.headers['cache-control']).toBe('no-store')
  expect((await ask(service(), '/v1/permits', { ip: '192.0.2.61' })).headers['cache-control']).toBe('no-store')
})

test('HEAD returns the status and headers of GET without a body', async () => {
  const { status, headers, text } = await ask(service(), '/v1/permits', { key, method: 'HEAD' })
  expect([status, text]).toEqual([200, ''])
  expect(headers['x-ratelimit-limit']).toBe('120')
})

test('no header names the server software', async () => {
  const { headers } = await ask(service(), '/v1/permits', { key: demoKey })
  expect(headers.server).toBeUndefined()
  expect(headers['x-powered-by']).toBeUndefined()
  expect(headers['x-content-type-options']).toBe('nosniff')
})

test('health, readiness and metrics are served at the root, and metrics contain no path, key or address', async () => {
  await ask(service(), '/v1/properties/nothing', { key })
  expect((await ask(service(), '/healthz')).body).toEqual({ status: 'ok' })
  expect((await ask(service(), '/readyz')).body).toEqual({ status: 'ready' })
  const { text } = await ask(service(), '/metrics', { headers: { authorization: 'Bearer scraper' } })
  expect(text).toContain('lotline_requests_total{operation="get_property_intelligence",status="404"} 1')
  expect(text).not.toContain(key)
  expect(text).not.toMatch(/\/v1\/|127\.0\.0\.1/)
})

test('answers above 1 KiB are compressed as the client accepts, with a tag per encoding that matches', async () => {
  const { app } = service()
  for (const city of ['Menlo Park', 'San Mateo', 'Belmont']) await permit(service().db, { city })
  const plain = await app.inject({ url: '/api/openapi.json' })
  for (const [encoding, decode] of [
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const) {
    const document = await app.inject({ url: '/api/openapi.json', headers: { 'accept-encoding': encoding } })
    expect(document.headers['content-encoding']).toBe(encoding)
    expect(decode(document.rawPayload).toString()).toBe(plain.body)
  }
  const signals = (encoding?: string, headers: Record<string, string> = {}) =>
    app.inject({
      url: '/api/v1/permits?limit=10',
      headers: { 'x-api-key': key, ...(encoding ? { 'accept-encoding': encoding } : {}), ...headers },
    })
  const whole = await signals()
  expect(whole.body.length).toBeGreaterThan(1_024)
  expect(whole.headers.vary).toBe('x-api-key, authorization, accept, accept-encoding')
  const zipped = await signals('gzip')
  expect(gunzipSync(zipped.rawPayload).toString()).toBe(whole.body)
  expect(zipped.headers.etag).toBe(String(whole.headers.etag).replace(/"$/, '-gzip"'))
  expect((await signals('gzip', { 'if-none-match': String(zipped.headers.etag) })).statusCode).toBe(304)
  expect((await signals('br;q=0, gzip;q=0')).headers['content-encoding']).toBeUndefined()
})
