import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memoryLimits } from '../../src/api/rate-limits.ts'
import { mcpPerMinute, mountMcp } from '../../src/bin/mount-mcp.ts'
import { type Service, startService } from '../setup/service.ts'
import { parseToolResult } from './connection.ts'

let service: Service
let url: URL
beforeAll(async () => {
  service = await startService({
    beforeReady: (app: FastifyInstance) => mountMcp(app, { publicUrl: 'https://lotline.test' }, memoryLimits()),
  })
  url = new URL('/mcp', await service.app.listen({ port: 0, host: '127.0.0.1' }))
})
afterAll(() => service?.close())

const connect = async (headers: Record<string, string> = {}) => {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  return client
}

const usage = async (headers: Record<string, string>) => {
  const client = await connect(headers)
  const answered = parseToolResult(await client.callTool({ name: 'get_coverage', arguments: {} }))
  await client.close()
  return answered
}

test('the SDK’s client lists tools and prompts and calls every tool', async () => {
  const client = await connect({ 'x-api-key': await service.proKey() })
  const { tools } = await client.listTools()
  expect(tools).toHaveLength(13)
  expect((await client.listPrompts()).prompts).toHaveLength(3)
  for (const { name } of tools) {
    const needsId = ['get_property_intelligence', 'run_proforma'].includes(name)
    const { isError, answer, text } = parseToolResult(
      await client.callTool({
        name,
        arguments: needsId ? { id: 'none' } : name === 'look_up_address' ? { address: '1 Oak St' } : {},
      }),
    )
    expect([isError, name, isError && text]).toEqual([false, name, false])
    if (needsId) expect(answer.outcome).toBe('not_found')
  }
  await client.close()
})

test('accepts the key in x-api-key or as a bearer token, and reports a bad one', async () => {
  const key = await service.freeKey()
  expect((await usage({ 'x-api-key': key })).isError).toBe(false)
  expect((await usage({ authorization: `Bearer ${key}` })).isError).toBe(false)
  const rejected = await usage({ 'x-api-key': 'll_free_wrong_wrong_wrong' })
  expect(rejected.answer.outcome).toBe('unauthorized')
  expect(rejected.raw).not.toContain('wrong_wrong')
  expect(service.logs.join('')).not.toContain(key)
})

test('arguments that the schema refuses have a structured answer', async () => {
  const client = await connect({ 'x-api-key': await service.freeKey() })
  for (const [name, args, problem] of [
    ['list_adu_leads', { minScore: 'many' }, 'minScore must be'],
    ['find_properties', { prise: 1 }, 'There is no argument'],
    ['get_market_statistics', { about: 'nothing' }, 'about must be'],
  ] as const) {
    const { isError, answer, text } = parseToolResult(await client.callTool({ name, arguments: args }))
    expect([isError, answer]).toEqual([true, { outcome: 'bad_request', notes: [text] }])
    expect(text).toContain(problem)
  }
  await client.close()
})

test('without a key calls use the demo plan, limited per IP address', async () => {
  const answers = []
  for (let call = 0; call < 11; call++) answers.push(await usage({}))
  expect(answers.slice(0, 10).every(({ isError }) => !isError)).toBe(true)
  expect(answers[10]!.answer).toMatchObject({ outcome: 'rate_limited', retryAfterSeconds: expect.any(Number) })
})

const post = (body: string, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body,
  })
const ping = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'

test('CORS allows the service’s own origin and localhost, and no other site', async () => {
  expect((await post(ping, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await post(ping, { origin: 'null' })).status).toBe(403)
  for (const origin of ['https://lotline.test', 'http://localhost:6274']) {
    const response = await post(ping, { origin })
    expect(response.status).toBe(200)
    expect(response.headers.get('access-control-allow-origin')).toBe(origin)
  }
  const preflight = await fetch(url, { method: 'OPTIONS', headers: { origin: 'http://localhost:6274' } })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-headers')).toContain('x-api-key')
})

test('there are no sessions: GET and DELETE return 405', async () => {
  expect((await fetch(url)).status).toBe(405)
  expect((await fetch(url, { method: 'DELETE' })).status).toBe(405)
  expect((await post(ping)).headers.get('mcp-session-id')).toBeNull()
})

test('a body that is not JSON-RPC or is too large is rejected', async () => {
  expect((await post('{"nonsense"')).status).toBe(400)
  expect((await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(70_000) }))).status).toBe(413)
})

const call = (body: string, headers: Record<string, string> = {}, remoteAddress = '192.0.2.90') =>
  service.app.inject({
    method: 'POST',
    url: '/mcp',
    remoteAddress,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    payload: body,
  })
const listTools = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}'

test('a deeply nested body is 400 and does not overflow the stack', async () => {
  const nested = '['.repeat(5_000) + ']'.repeat(5_000)
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_permits","arguments":{"q":${nested}}}}`
  const { statusCode, body: text } = await call(body)
  expect([statusCode, text]).toEqual([400, expect.stringContaining('nested more than 32 levels')])
})

test('a Host header with the name of another site is rejected, so that a rebound name cannot call', async () => {
  expect((await call(listTools, { host: 'evil.example' })).statusCode).toBe(400)
  for (const host of ['lotline.test', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000'])
    expect((await call(listTools, { host })).statusCode).toBe(200)
})

test('requests to /mcp are limited per address, also those that call no tool', async () => {
  const statuses = new Map<number, number>()
  for (let i = 0; i < mcpPerMinute + 2; i++) {
    const { statusCode } = await call('{"jsonrpc":"2.0","id":1,"method":"ping"}', {}, '192.0.2.91')
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
  }
  expect(statuses.get(429)).toBe(2)
})

test('anonymous agents have a limit each: one address cannot use up the calls of another', async () => {
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_coverage","arguments":{}}}'
  const first: string[] = []
  for (let i = 0; i < 11; i++) first.push((await call(body, {}, '198.51.100.7')).body)
  expect(first[9]).not.toContain('rate_limited')
  expect(first[10]).toContain('rate_limited')
  expect((await call(body, {}, '198.51.100.8')).body).not.toContain('rate_limited')
})
