// A real HTTP receiver on a free port that records requests and responds as configured.
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export interface Received {
  headers: IncomingHttpHeaders
  body: string
  url: string
  at: number
}

export interface Receiver {
  url: string
  port: number
  received: Received[]
  /** Sets the response to later requests: a status or a listener. */
  answer(how: number | RequestListener): void
  /** Resolves when this many requests have arrived. */
  until(count: number): Promise<Received[]>
  close(): Promise<void>
}

export const openReceiver = async (
  how: number | RequestListener = 200,
  tls?: { key: string; cert: string },
): Promise<Receiver> => {
  let respond = listener(how)
  const received: Received[] = []
  let waiting: { count: number; done(): void }[] = []
  const handle: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        url: request.url ?? '',
        at: Date.now(),
      })
      respond(request, response)
      for (const each of waiting.filter(({ count }) => received.length >= count)) each.done()
      waiting = waiting.filter(({ count }) => received.length < count)
    })
  }
  const server: Server = tls ? createTlsServer(tls, handle) : createServer(handle)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/hook`,
    port,
    received,
    answer: (next) => {
      respond = listener(next)
    },
    until: (count) =>
      received.length >= count
        ? Promise.resolve(received)
        : new Promise((done) => waiting.push({ count, done: () => done(received) })),
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}

const listener = (how: number | RequestListener): RequestListener =>
  typeof how === 'number'
    ? (_request, response) => {
        response.statusCode = how
        response.end()
      }
    : how
