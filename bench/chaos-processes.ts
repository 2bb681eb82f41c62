// The processes of a service under chaos. Each is started again after it ends, as systemd or a container engine would do.
import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'

export interface Supervised {
  name: string
  child(): ChildProcess | undefined
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
  const log = createWriteStream(join(logDir, `${name}.log`), { flags: 'a' })
  const start = () => {
    const [program, ...args] = command
    child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout!.pipe(log, { end: false })
    child.stderr!.pipe(log, { end: false })
    child.once('exit', () => {
      child = undefined
      if (!stopping) timer = setTimeout(start, restartMs)
    })
  }
  start()
  return {
    name,
    child: () => child,
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

/** Records the delivery of every event: endpoint path and webhook-id. */
export const webhookReceiver = async (): Promise<Outside & { arrived: Map<string, number> }> => {
  const arrived = new Map<string, number>()
  const port = await freePort()
  let server: Server | undefined
  const outside = {
    port,
    arrived,
    open: async () => {
      server = createServer((request, response) => {
        request.resume()
        request.on('end', () => {
          const id = `${request.url} ${request.headers['webhook-id']}`
          arrived.set(id, (arrived.get(id) ?? 0) + 1)
          response.end()
        })
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

/** Records the recipients of mails it has accepted. */
export const mailServer = async (): Promise<Outside & { recipients: Set<string> }> => {
  const recipients = new Set<string>()
  const port = await freePort()
  let server: SMTPServer | undefined
  const sockets = new Set<Socket>()
  const outside = {
    port,
    recipients,
    open: async () => {
      server = new SMTPServer({
        authOptional: true,
        disabledCommands: ['STARTTLS', 'AUTH'],
        onData: (stream, session, done) => {
          stream.resume()
          stream.on('end', () => {
            for (const { address } of session.envelope.rcptTo) recipients.add(address)
            done()
          })
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
