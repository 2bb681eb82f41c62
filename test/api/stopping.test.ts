// A process that is told to stop finishes what it was asked.
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { useService } from '../setup/service.ts'

const service = useService({ shedAtLagMs: 0 })

test('a request that is arriving when the service stops is answered, and its connection ends; a new one finds nobody', async () => {
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

const connectionsOf = (server: import('node:http').Server): Promise<number> =>
  new Promise((found, fail) => server.getConnections((error, count) => (error ? fail(error) : found(count))))
