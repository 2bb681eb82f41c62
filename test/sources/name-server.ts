// A real DNS server on a free port: resolves the given names, returns NXDOMAIN for others, and never responds to
// names marked 'silent'.
import { createSocket } from 'node:dgram'
import type { AddressInfo } from 'node:net'

export interface NameServer {
  server: string
  /** The queried names, one per query. */
  asked: string[]
  close(): Promise<void>
}

export const openNameServer = async (
  names: Readonly<Record<string, { A?: string[]; AAAA?: string[] } | 'silent'>>,
  fallback?: 'silent',
): Promise<NameServer> => {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (question, { port, address }) => {
    const { name, type, end } = questionOf(question)
    asked.push(name)
    const known = names[name] ?? fallback
    if (known === 'silent') return
    const found = (type === 1 ? known?.A : type === 28 ? known?.AAAA : undefined) ?? []
    const head = Buffer.from(question.subarray(0, 12))
    head.writeUInt16BE(known ? 0x8180 : 0x8183, 2)
    head.writeUInt16BE(found.length, 6)
    head.writeUInt32BE(0, 8)
    const records = found.map((each) => {
      const data = type === 1 ? each.split('.').map(Number) : ipv6(each)
      return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length, ...data])
    })
    socket.send(Buffer.concat([head, question.subarray(12, end), ...records]), port, address)
  })
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done))
  return {
    server: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    asked,
    close: () => new Promise((done) => socket.close(() => done())),
  }
}

const questionOf = (message: Buffer) => {
  const labels: string[] = []
  let at = 12
  while (message[at]) {
    labels.push(message.toString('latin1', at + 1, at + 1 + message[at]!))
    at += message[at]! + 1
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

/** The bytes of an IPv6 address written as eight groups, without `::`. */
const ipv6 = (address: string) => address.split(':').flatMap((group) => [...Buffer.from(group.padStart(4, '0'), 'hex')])
