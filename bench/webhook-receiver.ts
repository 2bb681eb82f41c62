// Webhook receivers in a separate process: `/ok…` responds at once, `/hang…` never responds. On a message it reports what
// arrived and when.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const arrivals: [id: string, at: number][] = []
let hung = 0
const server = createServer((request, response) => {
  if (request.url!.startsWith('/hang')) {
    hung++
    request.resume()
    return
  }
  const at = Date.now()
  request.resume()
  request.on('end', () => {
    arrivals.push([request.headers['webhook-id'] as string, at])
    response.end()
  })
})
// As many connections as 500 hanging endpoints hold.
server.maxConnections = 20_000
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', () => process.send?.({ arrivals, hung, cpu: process.cpuUsage() }))
