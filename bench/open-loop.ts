// Sends requests at a fixed rate from its own process, without waiting for earlier responses (open loop).
// Uses plain sockets, because an HTTP client would need as much CPU as the service it measures.
// Reads the requests from standard input and prints the outcome of each.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'

export interface OpenLoad {
  url: string
  paths: string[]
  keys: string[]
  perSecond: number
  seconds: number
}

/** `[status, milliseconds since due]` per request; status 0 if the connection failed. */
export type Outcome = [status: number, ms: number]

export interface OpenLoopResult {
  outcomes: Outcome[]
  withoutRetryAfter: number
  /** 99th percentile of how late requests were sent: the part of their time that the generator caused. */
  lateMs: number
}

const { url, paths, keys, perSecond, seconds } = JSON.parse(readFileSync(0, 'utf8')) as OpenLoad
const { hostname, port } = new URL(url)
const mostConnections = 1_000
const total = perSecond * seconds
const outcomes: Outcome[] = []
const late: number[] = []
const idle: Connection[] = []
const waiting: number[] = []
let open = 0
let withoutRetryAfter = 0

interface Connection {
  socket: Socket
  due: number
  busy: boolean
}

const connection = async (): Promise<Connection> => {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  // Sends a request at once: the server closes a connection that is silent for five seconds.
  socket.write(`GET /healthz HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
  await once(socket, 'data')
  const own: Connection = { socket, due: 0, busy: false }
  let head = ''
  let missing = 0
  socket.on('data', (bytes) => {
    // The server closes an idle connection with 408.
    if (!own.busy) return
    if (missing === 0) {
      head += bytes.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      missing = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0) - (head.length - end - 4)
    } else missing -= bytes.length
    if (missing > 0) return
    const status = Number(head.slice(9, 12))
    if (status === 503 && !/\r\nretry-after: \d/i.test(head)) withoutRetryAfter++
    head = ''
    missing = 0
    own.busy = false
    idle.push(own)
    settled(status, own.due)
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    open--
    const at = idle.indexOf(own)
    if (at >= 0) idle.splice(at, 1)
    if (own.busy) settled(0, own.due)
  })
  open++
  return own
}

const settled = (status: number, due: number) => {
  outcomes.push([status, performance.now() - due])
  if (outcomes.length === total) tell()
  else sendWaiting()
}

const tell = () => {
  late.sort((a, b) => a - b)
  const result: OpenLoopResult = { outcomes, withoutRetryAfter, lateMs: late[Math.floor(late.length * 0.99)] ?? 0 }
  process.stdout.write(JSON.stringify(result), () => process.exit())
}

const send = (own: Connection, n: number, due: number) => {
  own.due = due
  own.busy = true
  own.socket.write(
    `GET ${paths[n % paths.length]} HTTP/1.1\r\nHost: ${hostname}\r\nx-api-key: ${keys[n % keys.length]}\r\n\r\n`,
    'latin1',
  )
}

const sendWaiting = () => {
  while (waiting.length > 0) {
    const own = idle.pop()
    if (own && !own.socket.writable) continue
    if (!own) {
      if (open < mostConnections)
        void connection().then(
          (fresh) => {
            idle.push(fresh)
            sendWaiting()
          },
          () => {},
        )
      return
    }
    const n = waiting.shift()!
    const due = begun + (n / perSecond) * 1000
    late.push(performance.now() - due)
    send(own, n, due)
  }
}

// Connections are opened before the clock starts, so that only requests are measured.
for (let group = 0; group < 20; group++)
  idle.push(...(await Promise.all(Array.from({ length: 20 }, () => connection()))))
const begun = performance.now()
let sent = 0
const timer = setInterval(() => {
  for (; sent < total && performance.now() - begun >= (sent / perSecond) * 1000; sent++) waiting.push(sent)
  sendWaiting()
  if (sent === total) clearInterval(timer)
}, 2)
