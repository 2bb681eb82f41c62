// Serves metrics and the operator's page on a port of their own, which a firewall can keep private. A worker has no other port.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'
import { messageOf } from '../common/typed.ts'

interface Served {
  type: string
  text(): Promise<string> | string
}

/** Pages by their path. */
export const serveMetrics = async (
  registry: Registry,
  pages: Readonly<Record<string, Served>>,
  port: number,
  host: string,
): Promise<{ port: number; close(): Promise<void> }> => {
  const all: typeof pages = { ...pages, '/metrics': { type: registry.contentType, text: () => registry.metrics() } }
  const server = createServer(async (request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    const page = request.method === 'GET' && Object.hasOwn(all, path) ? all[path] : undefined
    const send = (status: number, type: string, text: string) => {
      response.writeHead(status, { 'content-type': type, 'x-content-type-options': 'nosniff' })
      response.end(text)
    }
    if (!page)
      return send(404, 'text/plain', `There is no such page here. The pages are ${Object.keys(all).join(', ')}.\n`)
    await Promise.resolve(page.text()).then(
      (text) => send(200, page.type, text),
      (error: unknown) => send(503, 'text/plain', `The database does not answer: ${messageOf(error)}\n`),
    )
  })
  server.requestTimeout = 10_000
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(port, host, done)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}
