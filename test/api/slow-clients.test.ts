import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from 'vitest'
import { closeSlowClients, slowClientCheck } from '../../src/api/slow-clients.ts'

const connection = (writableLength: number, bytesWritten = writableLength) => ({
  writableLength,
  bytesWritten,
  destroyed: false,
  destroy() {
    this.destroyed = true
    return this as never
  },
})

const limits = { graceSeconds: 60, minBytesPerSecond: 1_000, maxUnreadBytes: 1_000_000 }
const second = 1_000

/** Seconds until a client with this read rate is disconnected. The server sends as much as the client reads. */
const secondsUntilClosed = (bytesPerSecond: number): number => {
  const check = slowClientCheck(limits)
  const slow = connection(100_000)
  for (let at = 0; at < 300; at++) {
    check([slow], at * second)
    if (slow.destroyed) return at
    slow.bytesWritten += bytesPerSecond
  }
  return Number.POSITIVE_INFINITY
}

test('a client that reads slower than the minimum rate is disconnected after the grace period', () => {
  expect(secondsUntilClosed(0)).toBe(60)
  expect(secondsUntilClosed(900)).toBe(60)
  expect(secondsUntilClosed(1_100)).toBe(Number.POSITIVE_INFINITY)
})

test('bytes that the server has queued do not count as read', () => {
  const check = slowClientCheck(limits)
  const client = connection(1_000)
  for (let at = 0; at <= 60; at++) {
    check([client], at * second)
    client.bytesWritten += 10_000
    client.writableLength += 10_000
  }
  expect(client.destroyed).toBe(true)
})

test('a client that has read everything is not disconnected, even after a long idle time', () => {
  const check = slowClientCheck(limits)
  const client = connection(0)
  check([client], 0)
  check([client], 3_600 * second)
  client.writableLength = 100
  check([client], 3_601 * second)
  expect(client.destroyed).toBe(false)
})

test('when the total of unread bytes is too large, the connections with the most are closed', () => {
  const sizes = [200_000, 700_000, 300_000]
  const clients = sizes.map((size) => connection(size))
  slowClientCheck(limits)(clients, 0)
  expect(clients.map(({ destroyed }) => destroyed)).toEqual([false, true, false])
})

test('unread bytes are counted on a real connection whose client does not read', async () => {
  const server = createServer((_request, response) => void response.end(Buffer.alloc(12 * 2 ** 20)))
  closeSlowClients(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const [near] = await Promise.all([
    new Promise<import('node:net').Socket>((found) => server.once('connection', found)),
    new Promise<void>((sent) => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n', () => sent())
      socket.once('readable', () => {})
    }),
  ])
  await expect.poll(() => near.writableLength).toBeGreaterThan(0)
  const check = slowClientCheck(limits)
  check([near], 0)
  check([near], 61 * second)
  expect(near.destroyed).toBe(true)
  server.closeAllConnections()
  server.close()
})
