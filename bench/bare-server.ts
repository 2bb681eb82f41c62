// The baseline for reads and for bodies, in its own process: plain node:http that receives a body and sends the same bytes to everyone.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const { headers, body } = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as { headers: string[]; body: string }
const bytes = Buffer.from(body)

const server = createServer((request, response) => {
  const send = () => {
    response.writeHead(200, headers)
    response.end(bytes)
  }
  if (request.method === 'GET') return send()
  const received: Buffer[] = []
  request.on('data', (piece: Buffer) => received.push(piece))
  request.on('end', () => {
    Buffer.concat(received)
    send()
  })
})
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
