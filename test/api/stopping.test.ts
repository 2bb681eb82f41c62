// A stopping process finishes the requests it has received.
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startService, useService } from '../setup/service.ts'

const service = useService()

test('a request arriving during shutdown is served, its connection closes, and new connections are refused', async () => {
  const port = Number(new URL(await service().app.listen({ port: 0, host: '127.0.0.1' })).port)
  const key = await service().proKey()
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (bytes) => {
    answer += bytes.toString()
  })
  const ended = new Promise((done) => socket.on('close', done))
  socket.write(`GET /api/v1/usage HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\n`)
  await expect.poll(() => connectionsOf(service().app.server)).toBe(1)
  const stopped = service().app.close()
  await expect.poll(() => service().app.server.listening).toBe(false)
  socket.write('\r\n')
  await Promise.all([ended, stopped])
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  expect(answer).toMatch(/\r\nconnection: close\r\n/i)
  await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow()
})

test('a keep-alive connection with a request in progress closes after its response', async () => {
  const own = await startService()
  const port = Number(new URL(await own.app.listen({ port: 0, host: '127.0.0.1' })).port)
  const socket = connect(port, '127.0.0.1')
  const body = JSON.stringify({ email: 'a@example.com' })
  socket.write(
    `POST /api/v1/keys HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  )
  await once(socket, 'data')
  const closed = own.close()
  await expect.poll(() => own.app.server.listening).toBe(false)
  socket.write(body)
  await once(socket, 'data')
  // The test timeout is below the minute for which an idle connection stays open.
  await Promise.all([once(socket, 'close'), closed])
}, 30_000)

test.each([
  'GET / HTTP/1.1\r\nHost: x\r\n',
  'POST /api/v1/search HTTP/1.1\r\nHost: x\r\nx-api-key: demo\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
])(
  'a client that does not finish its request does not keep the process running: %j',
  async (begun) => {
    const own = await startService()
    own.app.server.headersTimeout = 200
    const port = Number(new URL(await own.app.listen({ port: 0, host: '127.0.0.1' })).port)
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {}).resume()
    socket.write(begun)
    await expect.poll(() => connectionsOf(own.app.server)).toBe(1)
    await Promise.all([once(socket, 'close'), own.close()])
  },
  30_000,
)

const connectionsOf = (server: import('node:http').Server): Promise<number> =>
  new Promise((found, fail) => server.getConnections((error, count) => (error ? fail(error) : found(count))))
