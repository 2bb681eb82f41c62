// Hostile clients of a chaos run: the attackers of attack-load.ts, and clients that send or read slowly.
import { execFile } from 'node:child_process'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

/** Longer than the service lets a client take for a request, also when it is suspended meanwhile. */
const longestOpenSeconds = 40

/** What is sent at once; after that a byte a second. */
const begins = {
  headers: 'GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: ',
  body: 'POST /api/v1/search HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nx-api-key: demo\r\ncontent-length: 60000\r\n\r\n',
  reading: 'GET /api/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n',
}

export interface SlowClients {
  opened: number
  /** Connections that the service did not close in time. */
  keptOpen: number
}

export const slowClients = async (port: number, signal: AbortSignal): Promise<SlowClients> => {
  const found: SlowClients = { opened: 0, keptOpen: 0 }
  const one = async (kind: keyof typeof begins) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    let open = true
    socket.on('close', () => {
      open = false
    })
    socket.once('connect', () => found.opened++)
    if (kind === 'reading') socket.pause()
    else socket.resume()
    socket.write(begins[kind])
    // A socket that is not read does not learn that it was closed.
    const seconds = kind === 'reading' ? 20 : longestOpenSeconds
    for (let second = 0; open && second < seconds && !signal.aborted; second++) {
      await wait(1_000)
      if (open && kind !== 'reading') socket.write('x')
    }
    if (open && kind !== 'reading' && !signal.aborted) found.keptOpen++
    socket.destroy()
  }
  const kinds = Object.keys(begins) as (keyof typeof begins)[]
  await Promise.all(
    Array.from({ length: 60 }, async (_, client) => {
      while (!signal.aborted) {
        await one(kinds[client % kinds.length]!)
        await wait(500)
      }
    }),
  )
  return found
}

/** Resolves with the answers by status. */
export const attack = async (url: string, seconds: number): Promise<string> =>
  (
    await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'attack-load.ts'), url, `${seconds}`], {
      maxBuffer: 1 << 20,
    })
  ).stdout
