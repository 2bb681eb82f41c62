import { expect, test } from 'vitest'
import { toApiError } from '../../src/api/errors.ts'
import { demoKey } from '../../src/wire/plans.ts'
import { ask } from '../setup/ask.ts'
import { useService } from '../setup/service.ts'

const service = useService({
  beforeReady: (app) => {
    app.get('/outage', { config: { needsNoSlot: true } }, async (request) => {
      throw Object.assign(new Error(`outage ${(request.query as { n: string }).n}`), { code: '57P03' })
    })
  },
})
let address = 0
/** A new client address, so that failed keys in one test do not count in another. */
const stranger = () => `198.51.100.${++address}`

const errorBody = (code: string) => ({ success: false, code, error: expect.stringMatching(/\S{3}/) })

test('no key and a bad key are 401', async () => {
  const ip = stranger()
  for (const asking of [{}, { key: 'nonsense' }, { key: '' }, { headers: { 'x-api-key': 'll_free_x, ll_free_y' } }]) {
    const { status, body } = await ask(service(), '/v1/permits', { ...asking, ip })
    expect([status, body]).toEqual([401, errorBody('unauthorized')])
  }
})

test('a key given twice, as a list, empty, huge or with control characters is 401, never 500', async () => {
  const queries = [
    'apiKey=a&apiKey=b',
    'apiKey[]=demo',
    'apiKey=',
    'apiKey=%00',
    'apiKey=%0d%0a',
    `apiKey=${'x'.repeat(5_000)}`,
  ]
  for (const query of queries)
    expect((await ask(service(), `/v1/usage?${query}`, { ip: stranger() })).status, query).toBe(401)
})

test('401 comes before 429, 403, 400 and 404', async () => {
  const ip = stranger()
  expect((await ask(service(), '/v1/permits?limit=x', { ip })).status).toBe(401)
  expect((await ask(service(), '/v1/properties/nothing', { ip })).status).toBe(401)
  expect((await ask(service(), '/v1/webhooks/register', { ip, body: {} })).status).toBe(401)
  expect((await ask(service(), '/v1/webhooks/register', { ip, raw: '{', method: 'POST' })).status).toBe(401)
})

test('429 comes before 403 and 400', async () => {
  const key = await service().freeKey()
  for (let i = 0; i < 30; i++) await ask(service(), '/v1/usage', { key })
  for (const path of ['/v1/permits?limit=x', '/v1/webhooks', '/v1/properties/nothing']) {
    const { status, body, headers } = await ask(service(), path, { key })
    expect([status, body], path).toEqual([429, errorBody('rate_limited')])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  }
})

test('403 comes before 400', async () => {
  const key = await service().freeKey()
  const { status, body } = await ask(service(), '/v1/webhooks/register', { key, body: { url: 7 } })
  expect([status, body]).toEqual([403, errorBody('forbidden')])
  expect((await ask(service(), '/v1/webhooks/register', { key, raw: '{', method: 'POST' })).status).toBe(403)
})

test('400 comes before 404', async () => {
  const key = await service().freeKey()
  expect((await ask(service(), '/v1/properties/nothing?include=everything', { key })).status).toBe(400)
  const { status, body } = await ask(service(), '/v1/properties/nothing', { key })
  expect([status, body]).toEqual([404, errorBody('not_found')])
})

test('a wrong method is 405 and lists the allowed ones', async () => {
  const key = await service().proKey()
  for (const method of ['PUT', 'DELETE', 'PATCH', 'POST'] as const) {
    const { status, body, headers } = await ask(service(), '/v1/permits', { key, method })
    expect([method, status, body]).toEqual([method, 405, errorBody('bad_request')])
    expect(headers.allow).toContain('GET')
  }
})

test('a wrong method with an unsupported body type is still 405', async () => {
  const key = await service().proKey()
  const headers = { 'content-type': 'text/plain' }
  expect((await ask(service(), '/v1/permits', { key, method: 'PUT', raw: 'x', headers })).status).toBe(405)
})

test('an unknown route is 404, under /api and at the root; only what is under /api is open to other sites', async () => {
  for (const path of ['/v1/nothing', '/api/v2/permits', '/api', '/nothing', '/.env', '/.git/config']) {
    const { status, body, headers } = await ask(service(), path, { key: demoKey, ip: stranger() })
    expect([path, status, body]).toEqual([path, 404, errorBody('not_found')])
    expect(headers['access-control-allow-origin']).toBe(/^\/(v1|api)/.test(path) ? '*' : undefined)
  }
})

test('a URL without /api returns 404 with the correct path', async () => {
  const { statusCode, json } = await service().app.inject({ url: '/v1/permits?q=x' })
  expect([statusCode, json().error]).toEqual([404, expect.stringContaining('You may mean /api/v1/permits.')])
})

test('a body over 64 KiB is 413, and one just under is accepted', async () => {
  const large = JSON.stringify({ email: 'a@example.com', padding: 'x'.repeat(64 * 1024) })
  const { status, body } = await ask(service(), '/v1/keys', { raw: large, ip: stranger() })
  expect([status, body]).toEqual([413, errorBody('bad_request')])
  const fits = JSON.stringify({ email: 'a@example.com', padding: 'x'.repeat(65_000) })
  expect((await ask(service(), '/v1/keys', { raw: fits, ip: stranger() })).status).toBe(200)
})

test('a body that is not JSON is 415', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/json\tx',
  ]) {
    const headers = { 'content-type': type }
    const { status, body } = await ask(service(), '/v1/keys', { raw: 'email=a@b.example', headers, ip: stranger() })
    expect([type, status, body]).toEqual([type, 415, errorBody('bad_request')])
  }
})

test('the body of a DELETE has the same type and size limits', async () => {
  const key = await service().proKey()
  const statusOf = async (raw: string, type: string) =>
    (await ask(service(), '/v1/webhooks/none', { method: 'DELETE', key, raw, headers: { 'content-type': type } }))
      .status
  expect(await statusOf('x', 'text/plain')).toBe(415)
  expect(await statusOf('x'.repeat(70_000), 'application/json')).toBe(413)
})

test('a body that is malformed, not an object or incomplete is 400, and the message says what is accepted', async () => {
  const bodies = [
    '{',
    '[]',
    '"x"',
    '7',
    'true',
    '{}',
    '{"email":7}',
    '{"email":"x"}',
    '{"email":"a@b"}',
    '{"email":null}',
  ]
  for (const raw of bodies) {
    const { status, body } = await ask(service(), '/v1/keys', { raw, ip: stranger() })
    expect([raw, status, body]).toEqual([raw, 400, errorBody('bad_request')])
  }
  const { body } = await ask(service(), '/v1/keys', { raw: '{"email":7}', ip: stranger() })
  expect(body.error).toMatch(/email.*e-mail address.*7/)
})

test('a deeply nested body is 400', async () => {
  const raw = (depth: number) => `{"email":${'['.repeat(depth)}${']'.repeat(depth)}}`
  for (const depth of [5_000, 30_000])
    expect((await ask(service(), '/v1/keys', { raw: raw(depth), ip: stranger() })).status).toBe(400)
})

test('unknown body fields are ignored, and __proto__ is rejected', async () => {
  const extra = { email: 'x@example.com', plan: 'pro', id: 'mine', tier: 'pro' }
  const { status, body } = await ask(service(), '/v1/keys', { body: extra, ip: stranger() })
  expect([status, body.tier]).toEqual([200, 'free'])
  const raw = '{"email":"x@example.com","__proto__":{"plan":"pro"}}'
  const refused = await ask(service(), '/v1/keys', { raw, ip: stranger() })
  expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining('__proto__')])
})

test('every response has a request id, rate limit headers under /v1, and no stack trace', async () => {
  const paths = [
    '/v1',
    '/v1?x=1',
    '/v1/permits',
    '/v1/nothing',
    '/v1/%ff',
    '/v1/permits?limit=x',
    '/v1/properties/%00',
    '/v1/usage/',
  ]
  for (const key of [undefined, demoKey])
    for (const path of paths) {
      const { headers, text } = await ask(service(), path, { key, ip: stranger() })
      expect(headers['x-request-id'], path).toMatch(/\S/)
      expect(headers['x-ratelimit-limit'], path).toMatch(/^\d+$/)
      expect(headers['x-ratelimit-remaining'], path).toMatch(/^\d+$/)
      expect(text, path).not.toMatch(/\.ts:\d|\.js:\d|node_modules|select |postgres/i)
    }
})

test.each([
  [401, 'unauthorized', 401],
  [403, 'not_found', 404],
  [404, 'not_found', 404],
  [412, 'bad_request', 412],
  [416, 'bad_request', 416],
  [429, 'rate_limited', 429],
])('a plugin error with status %i has the code %s', (statusCode, code, status) => {
  expect(toApiError(Object.assign(new Error('detail'), { statusCode }), 'r1')).toMatchObject({ status, code })
})

test('a statement that reached the time limit is a 503 that names what to narrow', () => {
  expect(toApiError(Object.assign(new Error('canceling statement'), { code: '57014' }), 'r1')).toMatchObject({
    ...{ status: 503, retryAfter: 2 },
    message: expect.stringMatching(
      /^The data could not be read in time\. Narrow the request: name a city or a ZIP code/,
    ),
  })
})

test('request ids are unique', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => ask(service(), '/healthz')))
  expect(new Set(ids.map(({ headers }) => headers['x-request-id'])).size).toBe(20)
})

test('returns 503 with Retry-After and no detail when the database is unavailable', async () => {
  const key = await service().proKey()
  await ask(service(), '/v1/usage', { key })
  const query = service().pool.connect
  service().pool.connect = (() =>
    Promise.reject(Object.assign(new Error('secret detail'), { code: 'ECONNREFUSED' }))) as never
  try {
    const { status, body, headers, text } = await ask(service(), '/v1/permits?q=away', { key })
    expect([status, body]).toEqual([503, errorBody('internal_error')])
    expect(headers['retry-after']).toBe('2')
    expect(text).not.toContain('secret detail')
  } finally {
    service().pool.connect = query
  }
})

test('an internal error returns 500 with only the request id', async () => {
  const key = await service().proKey()
  await ask(service(), '/v1/usage', { key })
  const query = service().pool.connect
  service().pool.connect = (() => Promise.reject(new Error('secret detail'))) as never
  try {
    const { status, body, headers, text } = await ask(service(), '/v1/permits?q=fault', { key })
    expect([status, body]).toEqual([500, errorBody('internal_error')])
    expect(text).not.toContain('secret detail')
    expect(body.error).toContain(headers['x-request-id'])
  } finally {
    service().pool.connect = query
  }
})

test('while the database is away, the same reason is logged once and not for every request', async () => {
  const failed = () => service().logs.filter((line) => line.includes('request failed') && line.includes('outage'))
  for (const n of [1, 1, 1, 2, 2]) {
    const { status } = await ask(service(), `/outage?n=${n}`)
    expect(status).toBe(503)
  }
  expect(failed().map((line) => JSON.parse(line).err.message)).toEqual(['outage 1', 'outage 2'])
})
