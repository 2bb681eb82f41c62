import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { type FastifyRequest, fastify } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { planBudgets } from '../../src/api/budgets.ts'
import { limitConcurrency } from '../../src/api/concurrency-limit.ts'
import { callerOf } from '../../src/operations/context.ts'
import type { Db } from '../../src/store/engine/database.ts'
import { plans } from '../../src/wire/plans.ts'
import { ask } from '../setup/ask.ts'
import { permit } from '../setup/rows.ts'
import { type Service, useService } from '../setup/service.ts'

const slots = 2
const service = useService({
  slots,
  waitingCallers: 0,
  beforeReady: (app) => {
    app.get('/slow', { onRequest: withNewKey }, () => new Promise((done) => slow.push(() => done('done'))))
    app.get('/slow-page', () => new Promise((done) => slow.push(() => done('done'))))
    app.get('/failing', async () => {
      throw new Error('fails')
    })
    app.get('/large', (_request, reply) => void reply.send(large))
  },
})
/** A different caller for each request, so that only the total number of slots is reached. */
const withNewKey = async (request: FastifyRequest) => {
  const key = {
    id: randomUUID(),
    family: randomUUID(),
    currentKeyId: '',
    email: '',
    createdAt: new Date(),
    promotionUntil: null,
    confirmedAt: null,
  }
  request.caller = callerOf('pro', plans.pro, 'test', key)
}
const large = Buffer.alloc(12 * 2 ** 20, 'x')
const slow: (() => void)[] = []
let port: number
beforeAll(async () => {
  await permit(service().db)
  port = Number(new URL(await service().app.listen({ port: 0, host: '127.0.0.1' })).port)
})

/** Runs `work` while all slots but `free` are held. */
const whileBusy = async <T>(work: (service: Service) => Promise<T>, free = 0, path = '/slow'): Promise<T> => {
  const held = Array.from({ length: slots - free }, () => ask(service(), path))
  await expect.poll(() => slow.length).toBe(slots - free)
  try {
    return await work(service())
  } finally {
    for (const finish of slow.splice(0)) finish()
    await Promise.all(held)
  }
}

test('without a free slot a request returns 503 with Retry-After and its rate limit headers', async () => {
  const key = await service().proKey()
  const { status, body, headers } = await whileBusy(() => ask(service(), '/v1/permits?q=uncached', { key }))
  expect([status, body.code, headers['retry-after']]).toEqual([503, 'internal_error', '2'])
  expect([headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual(['120', '119'])
  expect(headers).toMatchObject({
    'x-request-id': expect.any(String),
    'access-control-allow-origin': '*',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  expect((await ask(service(), '/v1/permits?q=uncached', { key })).status).toBe(200)
})

test('a body is parsed once its request has a slot', async () => {
  const key = await service().proKey()
  const notJson = { key, raw: '{not json', headers: { 'content-type': 'application/json' } }
  expect((await ask(service(), '/v1/search', notJson)).status).toBe(400)
  expect((await whileBusy(() => ask(service(), '/v1/search', notJson))).status).toBe(503)
})

test('without a free slot a bad key is still 401, and cached responses are still served', async () => {
  const key = await service().proKey()
  await ask(service(), '/v1/permits', { key })
  await whileBusy(async () => {
    expect((await ask(service(), '/v1/permits', { key: 'bad' })).status).toBe(401)
    expect((await ask(service(), '/v1/permits', { key })).status).toBe(200)
  })
})

test('anonymous visitors do not use the slots of callers with a key', async () => {
  const key = await service().proKey()
  await whileBusy(
    async () => {
      expect((await ask(service(), '/v1/permits?q=other', { key })).status).toBe(200)
      expect((await ask(service(), '/v1/permits?q=other&limit=3', { key: 'demo', ip: '192.0.2.1' })).status).toBe(503)
    },
    0,
    '/slow-page',
  )
})

test('while a request with a key runs, a sixth of the slots of anonymous visitors is left', async () => {
  const visit = (ip: string) => ask(service(), '/v1/permits?q=visit', { key: 'demo', ip })
  const page = ask(service(), '/slow-page')
  await expect.poll(() => slow.length).toBe(1)
  const keyed = ask(service(), '/slow')
  await expect.poll(() => slow.length).toBe(2)
  expect((await visit('192.0.2.11')).status).toBe(503)
  slow.pop()!()
  await keyed
  expect((await visit('192.0.2.12')).status).toBe(200)
  slow.pop()!()
  await page
})

test('between two requests with a key, anonymous visitors do not get their slots back', async () => {
  const none = { within: () => ({}) as Db }
  const app = fastify()
  limitConcurrency(app, {
    slots: { keyed: 6, public: 6 },
    keyedActiveMs: 600_000,
    keyShare: { slots: 1, connections: 1 },
    waitingCallers: 0,
    budgets: planBudgets,
    databases: { keyed: none, public: none },
    databaseAnswers: () => true,
  })
  app.decorateRequest('caller', null)
  app.get('/keyed', { onRequest: withNewKey }, async () => 'done')
  const held: (() => void)[] = []
  app.get('/page', () => new Promise((done) => held.push(() => done('done'))))
  const visit = (remoteAddress: string) => app.inject({ url: '/page', remoteAddress })
  const before = [visit('192.0.2.1'), visit('192.0.2.2')]
  await expect.poll(() => held.length).toBe(2)
  for (const finish of held.splice(0)) finish()
  await Promise.all(before)
  expect((await app.inject('/keyed')).statusCode).toBe(200)
  const first = visit('192.0.2.1')
  await expect.poll(() => held.length).toBe(1)
  expect((await visit('192.0.2.2')).statusCode).toBe(503)
  held.pop()!()
  expect((await first).statusCode).toBe(200)
})

test.each(['/healthz', '/readyz', '/metrics'])('%s needs no slot', async (path) => {
  expect(
    await whileBusy(async () => (await ask(service(), path, { headers: { authorization: 'Bearer scraper' } })).status),
  ).toBe(200)
})

test('a request that fails or whose client disconnects releases its slot', async () => {
  for (let i = 0; i < 3 * slots; i++) expect((await ask(service(), '/failing')).status).toBe(500)
  const sockets = clients(slots, '/slow-page')
  await expect.poll(() => slow.length).toBe(slots)
  for (const socket of sockets) socket.destroy()
  await expect.poll(async () => (await ask(service(), '/v1/subscribe', { body: {} })).status).toBe(400)
  slow.splice(0)
})

test('a client that sends its body slowly holds no slot', async () => {
  const half = 'POST /api/v1/keys HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{'
  const sockets = Array.from({ length: 3 * slots }, () => connect(port, '127.0.0.1'))
  for (const socket of sockets) socket.on('error', () => {}).write(half)
  await expect.poll(connections, { timeout: 10_000 }).toBeGreaterThanOrEqual(sockets.length)
  await whileBusy(
    async () => expect((await ask(service(), '/v1/subscribe', { body: {} })).status).toBe(400),
    1,
    '/slow-page',
  )
  for (const socket of sockets) socket.destroy()
})

test('a client that does not read its response holds no slot', async () => {
  const sockets = []
  for (let i = 0; i < 3 * slots; i++) {
    const [socket] = clients(1, '/large')
    sockets.push(socket!)
    await expect.poll(() => socket!.readableLength).toBeGreaterThan(0)
  }
  await whileBusy(
    async () => expect((await ask(service(), '/v1/subscribe', { body: {} })).status).toBe(400),
    1,
    '/slow-page',
  )
  for (const socket of sockets) socket.destroy()
})

/** Clients that send a request and do not read the response. */
const clients = (count: number, path: string) =>
  Array.from({ length: count }, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.on('readable', () => {})
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    return socket
  })

const connections = () => new Promise<number>((found) => service().app.server.getConnections((_, n) => found(n)))
