// Traces as a collector receives them: OTLP over HTTP, in JSON.
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTracing } from '../../src/bin/tracing.ts'
import { sql } from '../../src/store/engine/database.ts'
import { traceJob } from '../../src/store/engine/trace-channels.ts'
import { permit } from '../setup/rows.ts'
import { startService } from '../setup/service.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  status: { code: number }
}

const collectors: Server[] = []
const collectorAt = async (listener: RequestListener): Promise<string> => {
  const collector = createServer(listener).listen(0, '127.0.0.1')
  collectors.push(collector)
  await once(collector, 'listening')
  return `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
}
afterAll(() => {
  for (const collector of collectors) collector.close().closeAllConnections()
})

const failedCode = 2
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
const email = 'someone@example.com'
let key: string
let received: { path: string; body: string }[]
let spans: Span[]

/** Everything is done in one service, and checked by the tests below when its last spans were sent. */
beforeAll(async () => {
  received = []
  const endpoint = await collectorAt(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ path: request.url!, body })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  const tracing = await openTracing(endpoint, {
    onError: (error) => received.push({ path: String(error), body: '{}' }),
  })
  const service = await startService({ traceRequests: tracing.traceRequests, trustedProxies: ['127.0.0.1'] })
  await permit(service.db)
  key = await service.proKey()
  const { app, db } = service
  for (const request of [
    { url: `/api/v1/permits?apiKey=${key}&q=kitchen` },
    { url: '/healthz' },
    { method: 'POST' as const, url: '/api/v1/subscribe', payload: { email } },
    { url: '/api/v1/markets', headers: { 'x-api-key': 'demo', traceparent } },
    { url: '/api/v1/coverage', headers: { 'x-api-key': 'demo', traceparent, 'x-forwarded-for': '203.0.113.9' } },
  ])
    expect((await app.inject(request)).statusCode).toBe(200)
  await expect(traceJob('assess', () => sql`select 1 / 0`.execute(db))).rejects.toThrow()
  await traceJob('webhook-delivery', async () => ({ ok: false, status: 502 }))
  await sql`select 1 as outside`.execute(db)
  await tracing.close()
  await service.close()
  spans = received.flatMap(({ body }) =>
    (JSON.parse(body).resourceSpans ?? []).flatMap((of: { scopeSpans: { spans: Span[] }[] }) =>
      of.scopeSpans.flatMap((scope) => scope.spans),
    ),
  )
})

const named = (name: string): Span => spans.find((span) => span.name === name)!
const childrenOf = ({ spanId }: Span) => spans.filter(({ parentSpanId }) => parentSpanId === spanId)
const attribute = (span: Span, name: string) => {
  const value = span.attributes.find((each) => each.key === name)?.value
  return value?.stringValue ?? value?.intValue
}

test('a request is a span with its status, and its statements are the children', () => {
  expect(received.map(({ path }) => path)).toEqual(['/v1/traces'])
  expect(spans.filter(({ kind }) => kind === 2).map(({ name }) => name)).toEqual([
    'GET /api/v1/permits',
    'POST /api/v1/subscribe',
    'GET /api/v1/markets',
    'GET /api/v1/coverage',
  ])
  const search = named('GET /api/v1/permits')
  expect(attribute(search, 'http.response.status_code')).toBe(200)
  const statements = childrenOf(search).map((span) => attribute(span, 'db.query.text'))
  // One from before the handler, one from the handler.
  expect(statements).toContainEqual(expect.stringContaining('from api_key'))
  expect(statements).toContainEqual(expect.stringContaining('from permit_search'))
})

test('statements after a request body was read belong to their request', () => {
  expect(childrenOf(named('POST /api/v1/subscribe')).length).toBeGreaterThan(1)
})

test('no key, search text or email address is sent', () => {
  const sent = received.map(({ body }) => body).join()
  for (const value of [key, 'kitchen', email]) expect(sent).not.toContain(value)
})

test('a job is a trace of its own, and failed jobs, attempts and statements are marked', () => {
  const job = named('process assess')
  expect(job.parentSpanId).toBeUndefined()
  const [statement] = childrenOf(job) as [Span]
  expect(attribute(statement, 'error.type')).toBe('22012')
  for (const failed of [job, statement, named('process webhook-delivery')]) expect(failed.status.code).toBe(failedCode)
})

test('only a trusted proxy continues a trace', () => {
  expect(named('GET /api/v1/markets').traceId).not.toBe(traceId)
  expect(named('GET /api/v1/coverage').traceId).toBe(traceId)
})

test('statements outside requests and jobs are not sent', () => {
  expect(received.map(({ body }) => body).join()).not.toContain('as outside')
})

test('a collector that does not respond does not hold up a stop', async () => {
  let asked = 0
  const tracing = await openTracing(await collectorAt(() => asked++), { onError: () => {} })
  await traceJob('mail', async () => {})
  await tracing.close()
  expect(asked).toBe(1)
})
