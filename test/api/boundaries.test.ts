// Limits, caches, errors and input of the API at their boundaries, without a server.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { answerCache, matchesEtag } from '../../src/api/answer-cache.ts'
import { identify } from '../../src/api/authenticate.ts'
import { compressAnswer } from '../../src/api/compress.ts'
import { sendError, toApiError } from '../../src/api/errors.ts'
import { formatOf, hasFormats } from '../../src/api/formats.ts'
import { inputReader } from '../../src/api/input.ts'
import { redactedUrl } from '../../src/api/logging.ts'
import { openMetrics } from '../../src/api/metrics.ts'
import { memoryLimits } from '../../src/api/rate-limits.ts'
import { rangeOf, sendFile } from '../../src/api/send-file.ts'
import { slowClientCheck } from '../../src/api/slow-clients.ts'
import { unavailable } from '../../src/common/errors.ts'
import { isRecord } from '../../src/common/typed.ts'
import { hasBody, type Operation } from '../../src/wire/operation.ts'
import { operationList, operations } from '../../src/wire/operations/list.ts'

describe('requests per minute', () => {
  const minute = 60_000
  const counted = () => {
    const at = { now: 5_000 }
    return { at, limits: memoryLimits(() => at.now) }
  }

  test('counts down to zero, refuses, and says when the minute ends', () => {
    const { at, limits } = counted()
    expect(limits.peek('a', 2)).toEqual({ allowed: true, remaining: 2, resetMs: minute })
    expect(limits.hit('a', 2)).toEqual({ allowed: true, remaining: 1, resetMs: minute })
    at.now += 1_000
    expect(limits.peek('a', 2)).toEqual({ allowed: true, remaining: 1, resetMs: minute - 1_000 })
    expect(limits.hit('a', 2)).toEqual({ allowed: true, remaining: 0, resetMs: minute - 1_000 })
    expect(limits.hit('a', 2)).toEqual({ allowed: false, remaining: 0, resetMs: minute - 1_000 })
    expect(limits.peek('a', 2)).toEqual({ allowed: false, remaining: 0, resetMs: minute - 1_000 })
    // A lower limit than what was used already.
    expect([limits.peek('a', 1), limits.hit('a', 1)]).toMatchObject([{ remaining: 0 }, { remaining: 0 }])
    expect(limits.hit('b', 2)).toMatchObject({ allowed: true, remaining: 1 })
  })

  test('a new minute begins exactly 60 seconds after the first request', () => {
    const { at, limits } = counted()
    void limits.hit('a', 1)
    at.now += minute - 1
    expect(limits.hit('a', 1)).toEqual({ allowed: false, remaining: 0, resetMs: 1 })
    at.now += 1
    expect(limits.hit('a', 1)).toEqual({ allowed: true, remaining: 0, resetMs: minute })
  })

  test('clearing ended minutes keeps the counters of running ones', () => {
    const { at, limits } = counted()
    void limits.hit('old', 9)
    at.now += minute - 1
    void limits.hit('young', 1)
    at.now += 1
    void limits.hit('new', 9)
    expect(limits.hit('young', 1)).toMatchObject({ allowed: false })
    expect(limits.peek('old', 9)).toMatchObject({ remaining: 9 })
  })
})

test.each([
  [undefined, undefined],
  ['bytes=-', undefined],
  ['bytes=0-0', [0, 0]],
  ['bytes=0-99', [0, 99]],
  ['bytes=0-100', [0, 99]],
  ['bytes=10-', [10, 99]],
  ['bytes=99-', [99, 99]],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-1', [99, 99]],
  ['bytes=-100', [0, 99]],
  ['bytes=-101', [0, 99]],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=20-20', [20, 20]],
  ['bytes=21-20', undefined],
  ['bytes=0-1,3-4', undefined],
])('range %s of 100 bytes', (header, range) => expect(rangeOf(header, 100)).toEqual(range))

test('a file is sent whole (200), in part (206), or not at all (304, 416)', () => {
  const sent = (headers: object) => {
    const reply = {
      ...{ status: 200, headers_: {} as Record<string, unknown>, read: undefined as unknown },
      headers: (more: object) => Object.assign(reply.headers_, more) && reply,
      header: (name: string, value: unknown) => Object.assign(reply.headers_, { [name]: value }) && reply,
      code: (status: number) => Object.assign(reply, { status }) && reply,
      send: () => reply,
    }
    const file = { name: 'x.csv', type: 'text/csv', bytes: 100, etag: '"e"' }
    const read = (...range: number[]) => {
      reply.read = range
      return []
    }
    try {
      sendFile({ headers } as FastifyRequest, reply as unknown as FastifyReply, { ...file, read } as never)
    } catch (error) {
      reply.status = (error as { status: number }).status
    }
    const { status, headers_, read: range } = reply
    return [status, range, headers_['content-length'], headers_['content-range']]
  }
  expect(sent({})).toEqual([200, [0, 99], 100, undefined])
  expect(sent({ range: 'bytes=10-19' })).toEqual([206, [10, 19], 10, 'bytes 10-19/100'])
  expect(sent({ range: 'bytes=10-19', 'if-range': '"e"' })).toEqual([206, [10, 19], 10, 'bytes 10-19/100'])
  expect(sent({ range: 'bytes=10-19', 'if-range': '"old"' })).toEqual([200, [0, 99], 100, undefined])
  expect(sent({ range: 'bytes=100-' })).toEqual([416, undefined, undefined, 'bytes */100'])
  expect(sent({ 'if-none-match': '"e"' })).toEqual([304, undefined, undefined, undefined])
})

describe('cached answers', () => {
  const now = new Date('2026-11-15T12:00:00Z')
  const answer = (size: number, more: object = {}) => ({ body: Buffer.alloc(size), etag: '"e"', ...more })
  const listening = (maxBytes: number) => {
    const cache = answerCache(maxBytes)
    cache.setListening(true)
    return cache
  }
  /** With a key of one letter an entry is 302 bytes larger than its body. */
  const overhead = 302

  test('an answer up to a sixteenth of the cache is kept, and the cache may be exactly full', () => {
    const cache = listening(16_000)
    cache.put('a', answer(1_000 - overhead), cache.generation())
    cache.put('b', answer(1_001 - overhead), cache.generation())
    expect([cache.get('a', now), cache.get('b', now)].map((each) => each !== undefined)).toEqual([true, false])
    for (const key of 'cdefghijklmnopq') cache.put(key, answer(1_000 - overhead), cache.generation())
    expect([...'acq'].map((key) => cache.get(key, now) !== undefined)).toEqual([true, true, true])
    cache.put('r', answer(1_000 - overhead), cache.generation())
    expect([...'acqr'].map((key) => cache.get(key, now) !== undefined)).toEqual([false, true, true, true])
    // One that replaces another takes its room.
    for (let i = 0; i < 5; i++) cache.put('r', answer(1_000 - overhead), cache.generation())
    expect(cache.get('c', now)).toBeDefined()
  })

  test('expires at its time, and a change to its market drops it', () => {
    const cache = listening(100_000)
    cache.put('a', answer(5, { expiresAt: now.getTime() }), cache.generation())
    expect(cache.get('a', new Date(now.getTime() - 1))).toBeDefined()
    expect(cache.get('a', now)).toBeUndefined()
    const begun = cache.generation('m')
    cache.put('m', answer(5, { market: 'm' }), begun)
    cache.clear('other')
    expect(cache.get('m', now)).toBeDefined()
    cache.clear('m')
    expect(cache.get('m', now)).toBeUndefined()
    cache.put('m', answer(5, { market: 'm' }), begun)
    expect(cache.get('m', now)).toBeUndefined()
    cache.clear('m')
    expect(cache.generation('m')).toBe(begun + 2)
    cache.clear()
    expect(cache.generation('m')).toBe(begun + 3)
  })

  test.each([
    [undefined, false],
    ['"e"', true],
    ['"x"', false],
    ['"x", "e"', true],
    ['W/"e"', true],
    ['"e-br"', true],
    ['*', true],
  ])('If-None-Match: %s', (given, matches) => expect(matchesEtag(given, '"e"')).toBe(matches))
})

test('clients that read just fast enough stay; the fewest connections are closed to get below the maximum', () => {
  const connection = (writableLength: number) => ({
    ...{ writableLength, bytesWritten: writableLength, destroyed: false },
    destroy() {
      this.destroyed = true
      return this as never
    },
  })
  const limits = { graceSeconds: 60, minBytesPerSecond: 1_000, maxUnreadBytes: 1_000 }
  const after = (bytesRead: number, seconds: number) => {
    const check = slowClientCheck(limits)
    const client = connection(500)
    check([client], 0)
    client.bytesWritten += bytesRead
    check([client], seconds * 1_000)
    return client.destroyed
  }
  expect([after(0, 59), after(59_999, 60), after(60_000, 60), after(89_999, 90)]).toEqual([false, true, false, true])
  const closed = (...sizes: number[]) => {
    const clients = sizes.map(connection)
    slowClientCheck(limits)(clients, 0)
    return clients.map(({ destroyed }) => destroyed)
  }
  expect(closed(400, 600)).toEqual([false, false])
  expect(closed(400, 601)).toEqual([false, true])
  expect(closed(300, 600, 700)).toEqual([false, false, true])
  expect(closed(600, 700, 601)).toEqual([false, true, true])
  // What was behind and has caught up is measured anew.
  const check = slowClientCheck(limits)
  const client = connection(500)
  check([client], 0)
  check([Object.assign(client, { writableLength: 0 })], 50_000)
  check([Object.assign(client, { writableLength: 500 })], 70_000)
  check([client], 100_000)
  expect(client.destroyed).toBe(false)
})

describe('errors', () => {
  test.each([
    [400, 400, 'bad_request'],
    [401, 401, 'unauthorized'],
    [403, 404, 'not_found'],
    [404, 404, 'not_found'],
    [406, 406, 'bad_request'],
    [413, 413, 'bad_request'],
    [414, 400, 'bad_request'],
    [415, 415, 'bad_request'],
    [417, 417, 'bad_request'],
    [429, 429, 'rate_limited'],
    [499, 499, 'bad_request'],
    [500, 500, 'internal_error'],
    [503, 503, 'internal_error'],
    [399, 500, 'internal_error'],
    [undefined, 500, 'internal_error'],
  ])('%s of a plugin is %s %s', (statusCode, status, code) => {
    expect(toApiError(Object.assign(new Error('x'), { statusCode }), 'r1')).toMatchObject({ status, code })
  })

  test('a failure of ours is logged; overload, a client that has gone and the repetition of an outage are not', () => {
    const logged = (thrown: unknown, destroyed = false) => {
      let lines = 0
      const reply = { raw: { destroyed }, code: () => reply, header: () => reply, type: () => reply, send: () => reply }
      const request = { id: 'r1', log: { error: () => lines++ } }
      sendError(thrown, request as unknown as FastifyRequest, reply as unknown as FastifyReply)
      return lines
    }
    expect(logged(new Error('a bug'))).toBe(1)
    expect(logged(new Error('a bug'))).toBe(1)
    expect(logged(Object.assign(new Error('x'), { statusCode: 404 }))).toBe(0)
    expect(logged(unavailable())).toBe(0)
    expect(logged(unavailable(new Error('gone')), true)).toBe(0)
    expect([1, 2].map(() => logged(unavailable(new Error('down'))))).toEqual([1, 0])
    expect([1, 2].map(() => logged(unavailable(new Error('down again'))))).toEqual([1, 0])
  })
})

describe('input', () => {
  const operation = (more: object = {}) =>
    ({
      ...{ name: 'x', method: 'POST', path: '/v1/x/{id}', example: { input: { count: 7 } } },
      input: {
        properties: {
          id: { type: 'string' },
          q: { type: 'string', maxLength: 9 },
          count: { type: 'integer', minimum: 1, maximum: 9 },
          tags: { type: 'array', items: { type: 'string' } },
          criteria: {
            type: 'object',
            properties: { minPrice: { type: 'integer' }, cities: { type: 'array', items: { type: 'string' } } },
          },
        },
        required: ['id'],
      },
      ...more,
    }) as unknown as Operation
  const read = (query: object, body?: unknown, more: object = {}) => {
    try {
      return inputReader(operation(more))({ params: { id: 'a' }, query: query as never, body })
    } catch (error) {
      return (error as Error).message
    }
  }
  const get = { method: 'GET' }

  test.each([
    [
      { q: 'hi', count: '3' },
      { id: 'a', q: 'hi', count: 3 },
    ],
    [
      { q: '', count: '9' },
      { id: 'a', count: 9 },
    ],
    [{ tags: ['a', 'b'] }, { id: 'a', tags: ['a', 'b'] }],
    [{ tags: 'a,b' }, { id: 'a', tags: ['a', 'b'] }],
    [
      { strict: 'false', count: '1' },
      { id: 'a', count: 1 },
    ],
    [{ strict: '' }, { id: 'a' }],
    [{ strict: 'true', apiKey: 'x' }, { id: 'a' }],
  ])('query %j', (query, input) => expect(read(query, undefined, get)).toEqual({ input, ignored: [], suggestions: [] }))

  test('what is wrong is named, with what is accepted', () => {
    expect([
      read({ count: '0' }, undefined, get),
      read({ count: 'x' }, undefined, get),
      read({ q: ['a', 'b'] }, undefined, get),
      read({ strict: 'yes' }, undefined, get),
      read({ strict: 'true', cout: '3' }, undefined, get),
      read({ strict: 'true', zzzzzz: '3', yyyyyy: '' }, undefined, get),
      read({ zzzzzz: '3' }, undefined, { ...get, strict: true }),
      read({}, []),
      read({}, 'text'),
      read({}, null),
      read({}, { count: null }),
      read({}, { criteria: 5 }),
      read({}, { criteria: [] }),
      read({}, { criteria: { minPrice: null } }),
      read({}, { criteria: { minPrice: 'x' } }),
    ]).toMatchInlineSnapshot(`
      [
        "count must be a whole number from 1 to 9, for example 7; it is "0".",
        "count must be a whole number from 1 to 9, for example 7; it is "x".",
        "q is given 2 times; give it once.",
        "strict must be true or false, for example strict=true; it is "yes".",
        "cout is not a parameter of GET /v1/x/{id}. cout: did you mean count? Without strict=true it is ignored.",
        "zzzzzz, yyyyyy are not parameters of GET /v1/x/{id}. Accepted are q, count, tags, criteria. Without strict=true they are ignored.",
        "zzzzzz is not a parameter of GET /v1/x/{id}. Accepted are q, count, tags, criteria.",
        "The body must be a JSON object.",
        "The body must be a JSON object.",
        "The body must be a JSON object.",
        "count must be a whole number from 1 to 9, for example 7; it is null. Leave it out instead.",
        "criteria must be an object, for example {}; it is 5.",
        "criteria must be an object, for example {}; it is [].",
        "criteria.minPrice must be a whole number; it is null. Leave it out instead.",
        "criteria.minPrice must be a whole number; it is "x".",
      ]
    `)
    const needed = operation({ input: { ...operation().input, required: ['id', 'count'] } })
    expect(() => inputReader(needed)({ params: { id: 'a' }, query: {}, body: {} })).toThrow(/^count is required: /)
    expect(() => inputReader(needed)({ params: { id: 'a' }, query: {}, body: { count: null } })).toThrow(
      /it is null\.$/,
    )
  })

  test('unknown parameters are ignored, and what was meant is suggested', () => {
    expect(read({}, { criteria: { minPrice: 5, cities: 'a, b', other: 1 }, q: '', count: 2, page: 1 })).toEqual({
      input: { id: 'a', count: 2, criteria: { minPrice: 5, cities: ['a', 'b'] } },
      ignored: ['criteria.other', 'page'],
      suggestions: [],
    })
    const { suggestions } = read({}, { cont: 1, minPrice: 2, newCount: 3, freq: 4, Filters: 5, hm: 6 }) as never
    expect(suggestions).toEqual([
      'cont: did you mean count?',
      'minPrice: did you mean criteria.minPrice?',
      'newCount: did you mean count?',
      'Filters: did you mean criteria?',
    ])
    const zip = { input: { properties: { id: {}, zip: { type: 'string' } }, required: [] } }
    expect(read({ buildingZip: 1 }, undefined, { ...get, ...zip })).toMatchObject({ suggestions: [] })
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`${'z'.repeat(60)}${at}`, 1]))
    const { ignored } = read({}, many) as { ignored: string[] }
    expect(ignored).toHaveLength(20)
    expect(ignored[0]!.length).toBeLessThanOrEqual(61)
  })

  test.each(['constructor', 'toString', 'hasOwnProperty', '__proto__'])(
    '%s is an unknown name to every operation',
    (name) => {
      for (const each of operationList) {
        const given = Object.entries(each.example.input)
        const texts = given.map(([field, value]) => [field, isRecord(value) ? JSON.stringify(value) : String(value)])
        const params = Object.fromEntries(texts)
        const query = hasBody(each.method) ? {} : Object.fromEntries([...texts, [name, '2']])
        const body = Object.fromEntries([...given, [name, 2]])
        const run = () => inputReader(each)({ params, query, body })
        if (each.strict) expect(run, each.name).toThrow(new RegExp(`${name} (is|are) not`))
        else expect(run().ignored, each.name).toContain(name)
      }
    },
  )
})

test.each([
  [undefined, undefined, 'json'],
  ['csv', 'application/json', 'csv'],
  [undefined, 'text/html, TEXT/CSV;q=0.5, application/json', 'csv'],
  [undefined, 'application/geo+json', 'geojson'],
  [undefined, 'application/json, text/csv', 'json'],
  [undefined, '*/*', 'json'],
])('format of f=%s and Accept: %s', (given, accept, format) => expect(formatOf(given, accept)).toBe(format))

test('lists have CSV and GeoJSON; single records and what is accepted for later do not', () => {
  const names = Object.values(operations)
    .filter(hasFormats)
    .map(({ name }) => name)
  expect(names).toMatchInlineSnapshot(`
    [
      "list_market_signals",
      "search",
      "list_sales",
      "list_fields",
      "get_built_nearby",
      "list_assumptions",
      "list_assumption_sets",
      "search_permits",
      "list_sb9_inventory",
      "list_adu_leads",
      "list_redevelopment_leads",
      "list_use_leads",
      "get_market_series",
      "get_permit_timelines",
      "list_builders",
      "list_builder_permits",
      "get_coverage",
      "get_accuracy",
      "list_markets",
      "list_watches",
      "list_watch_matches",
      "list_deals",
      "list_webhooks",
      "list_deliveries",
      "list_events",
      "list_exports",
    ]
  `)
})

describe('keys', () => {
  const found = async (headers: object, query: object | null = {}) => {
    let asked: string | undefined
    const find = async (text: string) => {
      asked = text
      return undefined
    }
    const request = { ip: '192.0.2.1', headers, query } as unknown as FastifyRequest
    const { caller, bucket } = await identify(request, find, new Date())
    return asked ?? (typeof caller === 'function' ? caller().message.slice(0, 24) : bucket)
  }
  test('a header comes before the query, and two different keys are refused', async () => {
    const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
    const [missing, several] = [await found({}), await found({}, { apiKey: ['a', 'b'] })]
    expect(missing).not.toBe(several)
    expect(await found({ 'x-api-key': 'a' }, { apiKey: 'b' })).toBe('a')
    expect(await found({ 'x-api-key': '' }, { apiKey: 'b' })).toBe('b')
    expect(await found(bearer('a'), { apiKey: 'b' })).toBe('a')
    expect(await found({ 'x-api-key': 'a', ...bearer('a') })).toBe('a')
    expect(await found({ 'x-api-key': 'a', ...bearer('b') })).toBe(several)
    expect(await found({ authorization: 'Basic eA==' }, { apiKey: 'b' })).toBe('b')
    expect(await found({}, { apiKey: '' })).toBe(missing)
    expect(await found({}, null)).toBe(missing)
    expect(await found({ 'x-api-key': 'demo' })).toBe('demo:192.0.2.1')
  })
})

test('answers of more than 1,024 bytes are compressed, once for each encoding', async () => {
  const sent = async (payload: unknown, accept: string | undefined, given: Record<string, unknown> = {}) => {
    const headers: Record<string, unknown> = { etag: '"e"', ...given }
    const reply = {
      hasHeader: (name: string) => name in headers,
      getHeader: (name: string) => headers[name],
      header: (name: string, value: unknown) => Object.assign(headers, { [name]: value }) && reply,
      removeHeader: () => reply,
    }
    const request = { headers: { 'accept-encoding': accept } } as unknown as FastifyRequest
    const body = await compressAnswer(request, reply as unknown as FastifyReply, payload)
    return { body, headers }
  }
  for (const made of [(size: number) => Buffer.alloc(size), (size: number) => 'x'.repeat(size)]) {
    const [least, more] = [made(1_024), made(1_025)]
    expect((await sent(least, 'gzip')).body).toBe(least)
    const { body, headers } = await sent(more, 'gzip, br;q=0.5')
    expect((body as Buffer).length).toBeLessThan(500)
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', etag: '"e-gzip"' })
    expect((await sent(more, undefined)).body).toBe(more)
    expect((await sent(more, 'gzip', { 'content-encoding': 'identity' })).body).toBe(more)
  }
  const body = Buffer.alloc(5_000)
  expect((await sent(body, 'br')).body).toBe((await sent(body, 'br')).body)
})

test('a duration is counted in the bucket whose limit it does not exceed', async () => {
  const metrics = openMetrics()
  const record = metrics.operation('search')
  for (const milliseconds of [0, 1, 1.5, 5, 20, 10_000, 10_001]) record(200, milliseconds)
  record(404, 3)
  metrics.countCached(true)
  metrics.countCached(true)
  metrics.countCached(false)
  const text = await metrics.registry.metrics()
  const buckets = [...text.matchAll(/lotline_request_seconds_bucket\{le="([^"]+)",operation="search"\} (\d+)/g)]
  expect(buckets.map(([, le, count]) => `${le}: ${count}`)).toEqual([
    ...['0.001: 2', '0.005: 5', '0.02: 6', '0.1: 6', '0.5: 6', '2: 6', '10: 7', '+Inf: 8'],
  ])
  expect(text).toContain('lotline_request_seconds_sum{operation="search"} 20.0315')
  expect(text).toContain('lotline_requests_total{operation="search",status="200"} 7')
  expect(text).toContain('lotline_requests_total{operation="search",status="404"} 1')
  expect(text).toContain('lotline_cache_requests_total{result="hit"} 2')
  expect(text).toContain('lotline_cache_requests_total{result="miss"} 1')
})

test.each([
  ['/v1/permits', '/v1/permits'],
  ['/v1/x?apiKey=abc&q=a%20b', '/v1/x?apiKey=[redacted]&q=a%20b'],
  ['/v1/x?a%70i-key=abc', '/v1/x?a%70i-key=[redacted]'],
  ['/v1/ll_pro_abc/y?q=ll_free_x', '/v1/ll_pro_[redacted]/y?q=ll_free_[redacted]'],
  ['/v1/%6cl_pro_abc', '/v1/ll_pro_[redacted]'],
  [`/v1/${'a1'.repeat(12)}`, '/v1/[redacted]'],
  [`/v1/${'a1'.repeat(11)}b`, `/v1/${'a1'.repeat(11)}b`],
])('the log has %s as %s', (url, logged) => expect(redactedUrl(url)).toBe(logged))
