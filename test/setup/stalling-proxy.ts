// A Unix socket in front of PostgreSQL that can stop forwarding, like a server that hangs.
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseOptions } from '../../src/store/engine/database.ts'

export interface StallingProxy {
  address: DatabaseOptions
  stall(): void
  /** Stops forwarding for the open connections only, like a network that drops their packets. */
  stallOpen(): void
  resume(): void
  close(): Promise<void>
}

const socketName = '.s.PGSQL.5432'

export const stallingProxy = async (behind: { socketDir: string; database: string }): Promise<StallingProxy> => {
  const socketDir = await mkdtemp(join(tmpdir(), 'stall-'))
  const sockets = new Set<Socket>()
  let stalled = false
  const server = createServer((near) => {
    const far = connect(join(behind.socketDir, socketName))
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => to.write(bytes))
      if (stalled) from.pause()
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  await new Promise<void>((done) => server.listen(join(socketDir, socketName), done))
  return {
    address: { ...behind, socketDir },
    stall: () => {
      stalled = true
      for (const socket of sockets) socket.pause()
    },
    stallOpen: () => {
      for (const socket of sockets) socket.pause()
    },
    resume: () => {
      stalled = false
      for (const socket of sockets) socket.resume()
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
      await rm(socketDir, { recursive: true, force: true })
    },
  }
}
