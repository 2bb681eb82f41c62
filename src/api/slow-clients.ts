// Closes connections whose client reads too slowly, so that unread responses cannot fill the memory.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

interface SlowClientLimits {
  /** A client that has unread bytes for this long must have read at least `minBytesPerSecond` meanwhile. */
  graceSeconds: number
  minBytesPerSecond: number
  /** Maximum unread bytes of all connections together; above it, the connections with the most are closed. */
  maxUnreadBytes: number
}

/** Our largest response, 1 MB, may take a minute; a hundred of those may be unread. */
const defaults: SlowClientLimits = {
  graceSeconds: 60,
  minBytesPerSecond: 16_000,
  maxUnreadBytes: 100_000_000,
}

const checkEveryMs = 1_000

/** Returns what to call when the server stops. */
export const closeSlowClients = (server: Server): (() => void) => {
  const connections = new Set<Socket>()
  const check = slowClientCheck()
  const timer = setInterval(() => check(connections, performance.now()), checkEveryMs).unref()
  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  server.once('close', () => clearInterval(timer))
  // Node does not limit the time of a request after the server has stopped listening: a client that sends slowly would keep the
  // process running. A connection that was sent nothing since the stop, and for which nothing waits to be sent, is slow or idle.
  return () => {
    const before = new Map([...connections].map((socket) => [socket, socket.bytesWritten]))
    const closeSilent = () => {
      for (const [socket, bytesWritten] of before)
        if (socket.bytesWritten === bytesWritten && socket.writableLength === 0) socket.destroy()
    }
    setTimeout(closeSilent, server.headersTimeout).unref()
  }
}

type Connection = Pick<Socket, 'bytesWritten' | 'writableLength' | 'destroy'>

export const slowClientCheck = ({ graceSeconds, minBytesPerSecond, maxUnreadBytes }: SlowClientLimits = defaults) => {
  /** Since when a connection has had unread bytes, and what its client had read then. */
  const behind = new WeakMap<Connection, { since: number; bytesRead: number }>()
  const isTooSlow = (connection: Connection, now: number): boolean => {
    const bytesRead = connection.bytesWritten - connection.writableLength
    const start = behind.get(connection)
    if (start === undefined) behind.set(connection, { since: now, bytesRead })
    const seconds = (now - (start?.since ?? now)) / 1000
    return seconds >= graceSeconds && bytesRead - start!.bytesRead < minBytesPerSecond * seconds
  }
  return (connections: Iterable<Connection>, now: number): void => {
    const waiting: Connection[] = []
    let unread = 0
    for (const connection of connections) {
      if (connection.writableLength === 0) behind.delete(connection)
      else if (isTooSlow(connection, now)) connection.destroy()
      else {
        waiting.push(connection)
        unread += connection.writableLength
      }
    }
    if (unread <= maxUnreadBytes) return
    waiting.sort((a, b) => b.writableLength - a.writableLength)
    for (const connection of waiting) {
      if (unread <= maxUnreadBytes) break
      unread -= connection.writableLength
      connection.destroy()
    }
  }
}
