// Raw connections: slow requests, oversized requests, and bytes that are not HTTP.
import { connect } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { anonymousPerMinute } from '../../src/wire/plans.ts'
import { ask } from '../setup/ask.ts'
import { useService } from '../setup/service.ts'

const service = useService()
let port: number
beforeAll(async () => {
  port = Number(new URL(await service().app.listen({ port: 0, host: '127.0.0.1' })).port)
})

/** Sends the text and resolves with the whole response once the service has closed the connection. */
const exchange = (text: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk.toString()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
  })

const envelope = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))

test('headers or a body that arrive too slowly return 408', async () => {
  const { server } = service().app
  expect([server.headersTimeout, server.requestTimeout]).toEqual([5_000, 10_000])
  Object.assign(server, { headersTimeout: 200, requestTimeout: 400 })
  const [headers, body] = await Promise.all([
    exchange('GET /api/v1/permits HTTP/1.1\r\nHost: x\r\nX-Slow: '),
    exchange(
      'POST /api/v1/keys HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"em',
    ),
  ])
  for (const answer of [headers, body]) {
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(envelope(answer)).toMatchObject({ success: false, code: 'bad_request' })
  }
  Object.assign(server, { headersTimeout: 5_000, requestTimeout: 10_000 })
})

test('100 half-sent bodies do not block other requests', async () => {
  const half =
    'POST /api/v1/keys HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"em'
  const sockets = Array.from({ length: 100 }, () => connect(port, '127.0.0.1'))
  for (const socket of sockets) socket.on('error', () => {}).write(half)
  try {
    const connected = () => new Promise<number>((count) => service().app.server.getConnections((_, n) => count(n)))
    await expect.poll(connected, { timeout: 10_000 }).toBeGreaterThanOrEqual(64)
    const read = async () => (await fetch(`http://127.0.0.1:${port}/api/v1/permits`)).status
    // A 503 is allowed while the 100 requests start, but not for the 10 seconds until their bodies time out.
    await expect.poll(read, { timeout: 8_000 }).toBe(401)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
})

test('headers over 16 KiB return 431 with the error envelope', async () => {
  const answer = await exchange(`GET /api/v1/permits HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(17_000)}\r\n\r\n`)
  expect(answer).toMatch(/^HTTP\/1\.1 431 /)
  expect(answer).toMatch(/X-Request-Id: \S+/)
  expect(envelope(answer)).toMatchObject({ success: false, code: 'bad_request' })
})

test.each([
  ['text that is not HTTP', 'hello\r\n\r\n'],
  ['an unknown method', 'BREW /api/v1/permits HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['HTTP/1.1 without a Host', 'GET /api/v1/permits HTTP/1.1\r\nx-api-key: demo\r\n\r\n'],
  [
    'two Content-Length headers',
    'POST /api/v1/keys HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
  ],
  [
    'Content-Length with chunked encoding',
    'POST /api/v1/keys HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['a header with a control character', 'GET /api/v1/permits HTTP/1.1\r\nHost: x\r\nx-api-key: a\0b\r\n\r\n'],
])('%s returns 400 with the error envelope', async (_what, text) => {
  const answer = await exchange(text)
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(answer).toMatch(/x-request-id: \S+/i)
  expect(envelope(answer)).toMatchObject({ success: false, code: 'bad_request' })
})

test('a 400 for a missing Host header shows the caller’s remaining requests and does not count', async () => {
  const shown = async (path: string, headers = '') => {
    const answer = await exchange(`GET ${path} HTTP/1.1\r\n${headers}\r\n`)
    return ['limit', 'remaining'].map((name) => new RegExp(`x-ratelimit-${name}: (\\d+)`, 'i').exec(answer)?.[1])
  }
  const [limit] = await shown('/api/v1/permits')
  expect(limit).toBe(String(anonymousPerMinute))
  const key = await service().proKey()
  const { headers } = await ask(service(), '/v1/usage', { key })
  const left = [headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]
  expect(left[0]).not.toBe(limit)
  expect(await shown('/api/v1/permits', `x-api-key: ${key}\r\n`)).toEqual(left)
  expect(await shown(`/api/v1/permits?apiKey=${key}`)).toEqual(left)
  expect(service().logs.some((line) => line.includes('"status":400') && line.includes('/api/v1/permits'))).toBe(true)
  expect(service().logs.join('')).not.toContain(key)
})

test('an unknown Expect header is ignored', async () => {
  const answer = await exchange(
    'GET /api/v1/permits HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nx-api-key: demo\r\nConnection: close\r\n\r\n',
  )
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
})

test('a Content-Length over the limit returns 413 before the body is read', async () => {
  const answer = await exchange(
    `POST /api/v1/keys HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 200000\r\nConnection: close\r\n\r\n`,
  )
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  expect(envelope(answer)).toMatchObject({ success: false, code: 'bad_request' })
})

test('the service still responds after all these connections', async () => {
  expect((await ask(service(), '/healthz')).status).toBe(200)
})
