// Serves metrics on a port of their own, which a firewall can keep private. A worker has no other port.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'

interface MetricsServer {
  port: number
  close(): Promise<void>
}

export const serveMetrics = async (registry: Registry, port: number, host: string): Promise<MetricsServer> => {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain', 'x-content-type-options': 'nosniff' })
      return response.end('Metrics are at /metrics.\n')
    }
    const text = await registry.metrics()
    response.writeHead(200, { 'content-type': registry.contentType, 'x-content-type-options': 'nosniff' })
    response.end(text)
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
