import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, expectTypeOf, test } from 'vitest'
import { type ClientOptions, createClient, type ResponseInfo } from '../../src/client/client.ts'
import { LotlineError } from '../../src/client/error.ts'

interface Reply {
  status?: number
  headers?: Record<string, string>
  body?: unknown
  hang?: boolean
}

interface Seen {
  method: string
  url: URL
  headers: IncomingMessage['headers']
  body: string
}

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A real server that answers each request with the next reply, the last one again and again. */
const serverWith = async (replies: Reply[] | ((seen: Seen) => Reply)) => {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const entry = {
      method: request.method!,
      url: new URL(request.url!, 'http://test'),
      headers: request.headers,
      body,
    }
    seen.push(entry)
    const reply = typeof replies === 'function' ? replies(entry) : replies[Math.min(seen.length, replies.length) - 1]!
    if (reply.hang) return
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? { success: true }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
  return { seen, baseUrl, client: (options: Partial<ClientOptions> = {}) => createClient({ baseUrl, ...options }) }
}

const page = (data: unknown[], pagination: object) => ({
  success: true,
  count: data.length,
  data,
  pagination: { limit: 2, offset: 0, total: 4, returned: data.length, nextOffset: null, ...pagination },
  historyWindow: null,
  asOf: '2026-11-15T00:00:00Z',
})

const failure = async (promise: Promise<unknown>): Promise<LotlineError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(LotlineError)
  return error as LotlineError
}

test('methods and their results are typed by the contract', () => {
  const client = createClient({ baseUrl: 'http://localhost:3000/api' })
  expectTypeOf(client.searchPermits).parameter(0).toExtend<{ city?: string } | undefined>()
  expectTypeOf(client.getPropertyIntelligence).parameter(0).toExtend<{ id: string }>()
  expectTypeOf<Awaited<ReturnType<typeof client.searchPermits>>['data'][number]['issuedDate']>().toEqualTypeOf<string>()
  const open = () => client.searchPermits({ issued: 'any' })
  expectTypeOf<Awaited<ReturnType<typeof open>>['data'][number]['issuedDate']>().toEqualTypeOf<string | undefined>()
  const one = () => client.getPermit({ citySlug: 'x', permitId: 'y', issued: 'false' })
  expectTypeOf<Awaited<ReturnType<typeof one>>['data']['issuedDate']>().toEqualTypeOf<string | undefined>()
  const each = () => client.pages.searchPermits({ issued: 'any' })
  expectTypeOf<(ReturnType<typeof each> extends AsyncGenerator<infer T> ? T : never)['issuedDate']>().toEqualTypeOf<
    string | undefined
  >()
  // @ts-expect-error an id is needed
  void (() => client.getPropertyIntelligence())
  // @ts-expect-error there is no such field
  void (() => client.searchPermits({ town: 'x' }))
})

test('sends fields in the path, query or body as the contract defines', async () => {
  const { seen, client } = await serverWith([{}])
  const lotline = client({ apiKey: 'll_free_secret' })
  await lotline.getPropertyIntelligence({ id: 'a/b?', include: ['comps', 'proforma'] })
  await lotline.searchPermits({ city: 'San Mateo', minValuation: 0, q: undefined })
  await lotline.registerWebhook({ url: 'https://example.com/hook', events: ['permit.created'] })
  expect(seen.map(({ method, url }) => `${method} ${url.pathname}${url.search}`)).toEqual([
    'GET /api/v1/properties/a%2Fb%3F?include=comps%2Cproforma',
    'GET /api/v1/permits?city=San+Mateo&minValuation=0',
    'POST /api/v1/webhooks/register',
  ])
  expect(JSON.parse(seen[2]!.body)).toEqual({ url: 'https://example.com/hook', events: ['permit.created'] })
  expect(seen.every(({ headers }) => headers['x-api-key'] === 'll_free_secret')).toBe(true)
})

test('without a key the demo key is sent', async () => {
  const { seen, client } = await serverWith([{}])
  await client().getUsage()
  expect(seen[0]!.headers['x-api-key']).toBe('demo')
})

test.each(['.', '..', ''])('the id "%s" never reaches another path', async (id) => {
  const { seen, client } = await serverWith([{}])
  const error = await failure(client().getPropertyIntelligence({ id }))
  expect(error).toMatchObject({ status: 400, code: 'bad_request' })
  expect(seen).toEqual([])
})

test('an error has the status, code, Retry-After, request id and rate limit', async () => {
  const { client } = await serverWith([
    {
      status: 429,
      headers: {
        'retry-after': '41',
        'x-request-id': 'req-1',
        'x-ratelimit-limit': '10',
        'x-ratelimit-remaining': '0',
      },
      body: { success: false, error: 'Too many', code: 'rate_limited' },
    },
  ])
  const responses: ResponseInfo[] = []
  const lotline = client({ maxRetryWaitMs: 1000, onResponse: (info) => responses.push(info) })
  expect(await failure(lotline.searchPermits())).toMatchObject({
    status: 429,
    code: 'rate_limited',
    message: 'Too many',
    retryAfter: 41,
    requestId: 'req-1',
    rateLimit: { limit: 10, remaining: 0 },
  })
  expect(lotline.rateLimit).toEqual({ limit: 10, remaining: 0 })
  expect(responses).toEqual([
    { operation: 'searchPermits', status: 429, requestId: 'req-1', rateLimit: { limit: 10, remaining: 0 } },
  ])
})

test('a 429 is retried after its Retry-After, also for a POST', async () => {
  const limited = {
    status: 429,
    headers: { 'retry-after': '0' },
    body: { success: false, error: 'x', code: 'rate_limited' },
  }
  const { seen, client } = await serverWith([limited, {}])
  await client().createKey({ email: 'a@example.com' })
  expect(seen).toHaveLength(2)
})

test('a 5xx is retried only for idempotent requests', async () => {
  const broken = {
    status: 503,
    headers: { 'retry-after': '0' },
    body: { success: false, error: 'x', code: 'internal_error' },
  }
  const reads = await serverWith([broken, broken, {}])
  await reads.client().getUsage()
  expect(reads.seen).toHaveLength(3)
  const writes = await serverWith([broken])
  expect(await failure(writes.client().createKey({ email: 'a@example.com' }))).toMatchObject({ status: 503 })
  expect(writes.seen).toHaveLength(1)
})

test('a 400 and a 404 are not retried', async () => {
  for (const status of [400, 404]) {
    const { seen, client } = await serverWith([{ status, body: { success: false, error: 'no', code: 'x' } }])
    expect(await failure(client().getUsage())).toMatchObject({ status })
    expect(seen).toHaveLength(1)
  }
})

test('a timeout and an unreachable service have different codes', async () => {
  const { client } = await serverWith([{ hang: true }])
  expect(await failure(client({ timeoutMs: 50, retries: 0 }).getUsage())).toMatchObject({ code: 'timeout', status: 0 })
  const nowhere = createClient({ baseUrl: 'http://127.0.0.1:1/api', retries: 0 })
  expect(await failure(nowhere.getUsage())).toMatchObject({ code: 'network', status: 0 })
})

test('a fetch that ignores its signal still times out', async () => {
  const client = createClient({
    baseUrl: 'http://x/api',
    fetch: () => new Promise(() => {}),
    timeoutMs: 20,
    retries: 0,
  })
  expect(await failure(client.getUsage())).toMatchObject({ code: 'timeout' })
})

test('a call is aborted by its signal', async () => {
  const { client } = await serverWith([{ hang: true }])
  const controller = new AbortController()
  const call = failure(client().getUsage({}, { signal: controller.signal }))
  controller.abort()
  expect(await call).toMatchObject({ code: 'aborted' })
})

test('the key is not sent to a redirect target', async () => {
  const elsewhere = await serverWith([{}])
  const { client } = await serverWith([{ status: 302, headers: { location: elsewhere.baseUrl } }])
  expect(await failure(client({ retries: 0 }).getUsage())).toMatchObject({
    code: 'bad_response',
    status: 302,
    message: expect.stringMatching(/redirected the request to http:\/\/\S+\. .*set baseUrl to the final address/),
  })
  expect(elsewhere.seen).toEqual([])
})

test('a response that is not from the API is an error, not data', async () => {
  const { client } = await serverWith([{ body: '<html>hello</html>' }])
  expect(await failure(client().getUsage())).toMatchObject({ code: 'bad_response', status: 200 })
})

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

test('pages iterate by offset to the last row', async () => {
  const { seen, client } = await serverWith(({ url }) =>
    url.searchParams.get('offset') === '2' ? { body: page([3, 4], {}) } : { body: page([1, 2], { nextOffset: 2 }) },
  )
  expect(await collect(client().pages.listAduLeads({ city: 'Belmont' }))).toEqual([1, 2, 3, 4])
  expect(seen.map(({ url }) => url.search)).toEqual(['?city=Belmont', '?city=Belmont&offset=2'])
})

test('pages iterate by cursor when there is one, past the last offset', async () => {
  const { seen, client } = await serverWith(({ url }) =>
    url.searchParams.get('cursor') === 'c1'
      ? { body: page([3], { nextCursor: null, nextOffset: 5 }) }
      : { body: page([1, 2], { nextOffset: 2, nextCursor: 'c1' }) },
  )
  expect(await collect(client().pages.searchPermits({ offset: 0 }))).toEqual([1, 2, 3])
  expect(seen.map(({ url }) => url.search)).toEqual(['?offset=0', '?cursor=c1'])
})

test('listEvents iterates until hasMore is false, from `since` too', async () => {
  const { client, seen } = await serverWith(({ url }) => ({
    body: url.searchParams.has('after')
      ? { success: true, data: ['b'], nextCursor: '2', hasMore: false }
      : { success: true, data: ['a'], nextCursor: '1', hasMore: true },
  }))
  expect(await collect(client().pages.listEvents())).toEqual(['a', 'b'])
  expect(await collect(client().pages.listEvents({ since: '2026-11-01', limit: 1 }))).toEqual(['a', 'b'])
  expect(seen.at(-1)!.url.search).toBe('?limit=1&after=1')
})
