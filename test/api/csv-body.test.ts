// One CSV of a key at a time, and no key stays locked out: not by a CSV that is rejected, and not by a connection that breaks.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { compressAnswer } from '../../src/api/compress.ts'
import { ask } from '../setup/ask.ts'
import { useService } from '../setup/service.ts'

/** Requests with `x-test-wait: gone` go on when their client has gone, those with another value when the test says so. */
let waiting: (() => void)[] = []
const service = useService({
  beforeReady: (app) => {
    app.addHook('preHandler', (request, reply, done) => {
      const until = request.headers['x-test-wait']
      if (until === undefined) return done()
      const go = () => setImmediate(done)
      if (until === 'gone') reply.raw.once('close', go)
      waiting.push(until === 'gone' ? () => {} : go)
    })
  },
})
let port: number
beforeAll(async () => {
  port = Number(new URL(await service().app.listen({ port: 0, host: '127.0.0.1' })).port)
})

const csv = (key: string, raw: string, headers = {}) =>
  ask(service(), '/v1/lookup/batch', { key, raw, headers: { 'content-type': 'text/csv', ...headers } })
const list = 'address\n1 Main St\n'

/** Sends a CSV over a connection of its own, and returns the connection. */
const send = (key: string, body: string, more = '') => {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.write(
    `POST /api/v1/lookup/batch HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\nContent-Type: text/csv\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`,
  )
  return socket
}

test('a client that goes before its answer begins does not lock out its key', async () => {
  const key = await service().proKey()
  waiting = []
  const socket = send(key, list, 'x-test-wait: gone\r\n')
  await expect.poll(() => waiting.length).toBe(1)
  socket.destroy()
  await expect.poll(async () => (await csv(key, list)).status).toBe(200)
})

test.each(['identity', 'gzip'])(
  'a client that goes while it reads (%s) does not lock out its key, and one that reads does',
  async (encoding) => {
    const key = await service().proKey()
    // More than the buffers of a connection hold, so that an unread answer stays open.
    const row = () => `1 Main St,${randomBytes(240).toString('hex')}\n`
    const large = `address,note\n${Array.from({ length: 9_000 }, row).join('')}`
    const socket = send(key, large, `Accept-Encoding: ${encoding}\r\n`)
    await new Promise<void>((begun) => socket.once('readable', () => begun()))
    const { status, body } = await csv(key, list)
    expect([status, body.error]).toEqual([429, expect.stringContaining('still being looked up')])
    socket.destroy()
    await expect.poll(async () => (await csv(key, list)).status, { timeout: 20_000 }).toBe(200)
  },
)

// A connection on which nothing is sent for 15 s is closed, and a look-up of many addresses takes longer.
test.each(['gzip', 'br'])(
  'the first piece of a long answer is sent at once, also compressed (%s)',
  async (encoding) => {
    const source = new Readable({ read: () => {} })
    const reply = { hasHeader: () => false, header: () => reply, removeHeader: () => reply, getHeader: () => undefined }
    const request = { headers: { 'accept-encoding': encoding } }
    const sent = await compressAnswer(request as unknown as FastifyRequest, reply as unknown as FastifyReply, source)
    const read = (sent as Readable).pipe(encoding === 'br' ? createBrotliDecompress() : createGunzip())
    source.push('lotline_match\n')
    const [first] = (await once(read, 'data')) as [Buffer]
    expect(first.toString()).toBe('lotline_match\n')
    read.destroy()
    source.destroy()
  },
)

test('a CSV that is rejected does not lock out its key', async () => {
  const key = await service().proKey()
  for (const bad of ['name\nx\n', `address\n${'1 Main St\n'.repeat(10_001)}`, 'address\n"1 Main St\n'])
    expect((await csv(key, bad)).status).toBe(400)
  expect((await csv(key, list)).status).toBe(200)
})

test('a second CSV of a key is refused before it is read', async () => {
  const key = await service().proKey()
  const socket = send(key, `address,note\n${`1 Main St,${'x'.repeat(480)}\n`.repeat(9_000)}`)
  await new Promise<void>((begun) => socket.once('readable', () => begun()))
  // Read, it would be 400.
  expect((await csv(key, 'address\n"never closed')).status).toBe(429)
  socket.destroy()
})
