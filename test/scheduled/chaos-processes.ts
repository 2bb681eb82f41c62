// The processes of a service under chaos. Each is started again after it ends, as systemd or a container engine would do.
import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface Supervised {
  name: string
  child(): ChildProcess | undefined
  /** How often it ended with an error of its own, by exit code. A signal is not one. */
  failures: Map<number, number>
  stop(): Promise<void>
}

const restartMs = 1_000

export const superviseProcess = (
  name: string,
  command: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  logDir: string,
): Supervised => {
  let child: ChildProcess | undefined
  let stopping = false
  let timer: NodeJS.Timeout | undefined
  const failures = new Map<number, number>()
  const log = createWriteStream(join(logDir, `${name}.log`), { flags: 'a' })
  const start = () => {
    const [program, ...args] = command
    child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout!.pipe(log, { end: false })
    child.stderr!.pipe(log, { end: false })
    child.once('exit', (code) => {
      child = undefined
      // 128 and more: a launcher reports the signal that ended its child.
      if (code !== null && code > 0 && code < 128) failures.set(code, (failures.get(code) ?? 0) + 1)
      if (!stopping) timer = setTimeout(start, restartMs)
    })
  }
  start()
  return {
    name,
    child: () => child,
    failures,
    stop: async () => {
      stopping = true
      clearTimeout(timer)
      const ending = child
      if (!ending) return
      const ended = new Promise((done) => ending.once('exit', done))
      ending.kill('SIGCONT')
      ending.kill('SIGTERM')
      const force = setTimeout(() => ending.kill('SIGKILL'), 30_000)
      await ended
      clearTimeout(force)
    },
  }
}

/** A server of the harness itself that can disappear and come back on the same port. */
export interface Outside {
  port: number
  open(): Promise<void>
  close(): Promise<void>
}

interface Arrived {
  /** How often each event was delivered, by endpoint path and webhook-id. */
  arrived: Map<string, number>
  /** The webhook-ids that announced each permit to a watch. */
  announced: Map<string, Set<string>>
}

export const webhookReceiver = async (): Promise<Outside & Arrived> => {
  const arrived = new Map<string, number>()
  const announced = new Map<string, Set<string>>()
  const port = await freePort()
  let server: Server | undefined
  const outside = {
    port,
    arrived,
    announced,
    open: async () => {
      server = createServer(async (request, response) => {
        const body = await text(request).catch(() => undefined)
        if (body === undefined) return
        const webhookId = String(request.headers['webhook-id'])
        const id = `${request.url} ${webhookId}`
        arrived.set(id, (arrived.get(id) ?? 0) + 1)
        if (request.url === '/watch')
          for (const { permitId } of JSON.parse(body).data.matches)
            announced.set(permitId, (announced.get(permitId) ?? new Set()).add(webhookId))
        response.end()
      })
      await new Promise<void>((done) => server!.listen(port, '127.0.0.1', done))
    },
    close: async () => {
      server?.closeAllConnections()
      await new Promise<void>((done) => (server ? server.close(() => done()) : done()))
      server = undefined
    },
  }
  await outside.open()
  return outside
}

/** Records how often it has accepted each mail: by recipient and Message-ID. */
export const mailServer = async (): Promise<Outside & { accepted: Map<string, Map<string, number>> }> => {
  const accepted = new Map<string, Map<string, number>>()
  const port = await freePort()
  let server: SMTPServer | undefined
  const sockets = new Set<Socket>()
  const outside = {
    port,
    accepted,
    open: async () => {
      server = new SMTPServer({
        authOptional: true,
        disabledCommands: ['STARTTLS', 'AUTH'],
        onData: async (stream, session, done) => {
          const message = await text(stream).catch(() => undefined)
          if (message === undefined) return
          const messageId = /^Message-ID:\s*(\S+)/im.exec(message)?.[1] ?? 'none'
          for (const { address } of session.envelope.rcptTo) {
            const own = accepted.get(address) ?? new Map<string, number>()
            accepted.set(address, own.set(messageId, (own.get(messageId) ?? 0) + 1))
          }
          done()
        },
      })
      server.on('error', () => {})
      server.server.on('connection', (socket: Socket) => {
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
      })
      await new Promise<void>((done) => server!.listen(port, '127.0.0.1', () => done()))
    },
    close: async () => {
      const closing = server
      server = undefined
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((done) => (closing ? closing.close(() => done()) : done()))
    },
  }
  await outside.open()
  return outside
}

export const freePort = async (): Promise<number> => {
  const server = createTcpServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}
