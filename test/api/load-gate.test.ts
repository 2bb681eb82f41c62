import { once } from 'node:events'
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http'
import { type AddressInfo, connect, Socket } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test, vi } from 'vitest'
import { addressBehind } from '../../src/api/client-address.ts'
import { fromRest, gated, type LoadGate, loadGate } from '../../src/api/load-gate.ts'
import { memoryLimits } from '../../src/api/rate-limits.ts'
import { type Handler, readyLane } from '../../src/api/ready-lane.ts'
import { slowReaders as watchReaders } from '../../src/api/slow-readers.ts'
import type { ApiKey } from '../../src/store/keys/keys.ts'

/** A gate in front of a service that answers `perSecond`, first come first served, offered `offered` a second. */
const simulate = (perSecond: number, offered: number, seconds: number) => {
  let now = 0
  const gate = loadGate(() => now)
  const queue: number[] = []
  const waits: number[] = []
  let refused = 0
  let due = 0
  let done = 0
  for (; now < seconds * 1000; now++) {
    for (due += offered / 1000; due >= 1; due--) {
      if (gate.enter()) queue.push(now)
      else refused++
    }
    for (done += perSecond / 1000; done >= 1; done--) {
      const began = queue.shift()
      if (began === undefined) continue
      gate.leave()
      waits.push(now - began)
    }
  }
  return { waits, refused }
}

test.each([100, 300, 3_000])(
  'at ten times the %i a second it carries, whoever is let in waits under a second',
  (rate) => {
    const { waits, refused } = simulate(rate, rate * 10, 20)
    expect(Math.max(...waits)).toBeLessThan(1_000)
    expect(waits.length).toBeGreaterThan(rate * 19)
    expect(refused).toBeGreaterThan(rate * 150)
  },
)

test('a service that has become slow holds no more than it can answer in time', () => {
  const { waits } = simulate(20, 400, 20)
  // Those who came in the first second, before a rate was known, wait longest.
  expect(Math.max(...waits.slice(2 * fromRest))).toBeLessThan(1_000)
})

test('what can be carried is let in', () => {
  expect(simulate(1_000, 900, 20).refused).toBe(0)
})

test('a burst from rest is let in', () => {
  const gate = loadGate(() => 0)
  expect(Array.from({ length: fromRest }, gate.enter)).not.toContain(false)
  expect(gate.enter()).toBe(false)
})

const opened: Server[] = []
const served = async (server: Server): Promise<string> => {
  opened.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
afterEach(() => {
  vi.useRealTimers()
  for (const server of opened.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A server behind a gate, with one remembered key, `mine`, of a family of which three were counted. */
const behind = async (gate: LoadGate, ordinary: Handler, trustedProxies: string[] = []): Promise<string> => {
  const limits = memoryLimits()
  // A key that was rotated: it counts with its family.
  const key = { id: 'key_2', family: 'key_1', plan: 'pro' } as ApiKey
  for (let i = 0; i < 3; i++) limits.hit('key:key_1', 120)
  limits.hit('anonymous:192.0.2.7', 10)
  const door = {
    keys: { remembered: (text: string) => (text === 'mine' ? key : undefined) },
    limits,
    clock: () => new Date(),
  }
  const headers = { 'access-control-allow-origin': '*' }
  const addressOf = addressBehind(trustedProxies)
  const server = createServer(
    gated(
      { door: door as never, headers, requestId: () => 'r-1', gate, addressOf, mostUnreadBytes: 2 ** 31 },
      ordinary,
    ),
  )
  return served(server)
}

const full: LoadGate = { enter: () => false, leave: () => {}, pause: () => {}, resume: () => {} }
const letIn: Handler = (_request, response) => response.end('in')

const told = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(url, { headers })
  const named = (name: string) => answer.headers.get(name)
  return [answer.status, named('retry-after'), named('x-ratelimit-limit'), named('x-ratelimit-remaining')]
}

test('one who is turned away learns when to come back and what is left, and nothing is counted', async () => {
  const url = `${await behind(full, letIn)}/api/v1/permits`
  expect(await told(url, { 'x-api-key': 'mine' })).toEqual([503, '2', '120', '117'])
  expect(await told(url, { 'x-api-key': 'mine' })).toEqual([503, '2', '120', '117'])
  expect(await told(`${url}?limit=1&apiKey=mine`)).toEqual([503, '2', '120', '117'])
  expect(await told(url, { 'x-api-key': 'demo' })).toEqual([503, '2', '10', '10'])
  expect(await told(url, { 'x-api-key': 'nobody' })).toEqual([503, '2', '10', '10'])
})

test('one who is turned away behind a trusted proxy sees his own count, and nobody can claim it', async () => {
  const forwarded = { 'x-forwarded-for': '192.0.2.7' }
  expect(await told(`${await behind(full, letIn, ['127.0.0.0/8'])}/x`, forwarded)).toEqual([503, '2', '10', '9'])
  expect(await told(`${await behind(full, letIn)}/x`, forwarded)).toEqual([503, '2', '10', '10'])
})

test.each(['/healthz', '/healthz?x=1', '/readyz/', '/metrics'])('%s is never turned away', async (path) => {
  expect(await (await fetch((await behind(full, letIn)) + path)).text()).toBe('in')
})

test('requests whose bodies are slow to come take nobody’s place, and are answered when they are here', async () => {
  const gate = loadGate(() => 0)
  let waiting = 0
  const at = await behind(gate, (request, response) => {
    if (request.method === 'GET') return response.end('in')
    waiting++
    request.on('data', () => {}).on('end', () => response.end('posted'))
  })
  const slow = Array.from({ length: 100 }, () => {
    const socket = connect(Number(new URL(at).port), '127.0.0.1')
    socket.write('POST /api/v1/keys HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{')
    return socket
  })
  await expect.poll(() => waiting).toBe(100)
  expect(await (await fetch(`${at}/api/v1/permits`)).text()).toBe('in')
  const [gone, ...kept] = slow
  gone!.destroy()
  const answers = await Promise.all(
    kept.map(async (socket) => {
      socket.write('}')
      return text(socket)
    }),
  )
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 200 .*posted$/s)
  // Each that is done has given back its place, the one cut off too.
  await expect.poll(() => takes(gate)).toBe(fromRest)
})

test('once its body is here a request counts until it is answered', async () => {
  const finish: (() => void)[] = []
  const at = await behind(
    loadGate(() => 0),
    (request, response) => {
      request.on('data', () => {}).on('end', () => finish.push(() => response.end('done')))
    },
  )
  const posts = Array.from({ length: fromRest }, async () => (await fetch(at, { method: 'POST', body: '{}' })).status)
  await expect.poll(() => finish.length).toBe(fromRest)
  expect((await fetch(at)).status).toBe(503)
  for (const one of finish) one()
  expect(new Set(await Promise.all(posts))).toEqual(new Set([200]))
})

/** Clients that ask and do not read what they are told. */
const slowReaders = (at: string, howMany: number, path = '/api/v1/permits') =>
  Array.from({ length: howMany }, () => {
    const socket = connect(Number(new URL(at).port), '127.0.0.1')
    socket.on('error', () => {}).pause()
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    return socket
  })

/** More than the buffers of two sockets hold. */
const large = Buffer.alloc(12 * 2 ** 20, 'x')

test.each([
  ['in one piece', (response: ServerResponse) => void response.end(large)],
  ['as a stream', (response: ServerResponse) => void Readable.from(pieces()).pipe(response)],
])('readers who do not read their answers, sent %s, take nobody’s place', async (_how, send) => {
  const gate = loadGate(() => 0)
  const answering: ServerResponse[] = []
  const at = await behind(gate, (request, response) => {
    if (request.url === '/quick') return response.end('in')
    answering.push(response)
    send(response)
  })
  // One more at a time: what is asked together counts together until it is answered.
  for (let asked = 20; asked <= 100; asked += 20) {
    slowReaders(at, 20)
    await expect.poll(() => answering.length, { interval: 5 }).toBe(asked)
    await expect.poll(() => takes(gate), { interval: 5 }).toBe(fromRest)
  }
  expect(answering.filter(({ writableFinished }) => writableFinished)).toEqual([])
  expect(await (await fetch(`${at}/quick`)).text()).toBe('in')
  for (const response of answering) response.destroy()
  await expect.poll(() => takes(gate)).toBe(fromRest)
})

const pieces = function* () {
  for (let at = 0; at < large.length; at += 2 ** 16) yield large.subarray(at, at + 2 ** 16)
}

const answersLarge = (gate: LoadGate, watch: ReturnType<typeof watchReaders>): Server =>
  createServer((_request, response) => {
    gate.enter()
    watch(response)
    response.end(large)
  })

test('beyond what may wait for readers an answer keeps its place until it is read or its reader goes', async () => {
  const gate = loadGate(() => 0)
  const answering: ServerResponse[] = []
  const watch = watchReaders(gate, 2 * large.length + 10_000)
  const server = createServer((_request, response) => {
    gate.enter()
    watch(response)
    response.end(large)
    answering.push(response)
  })
  const sockets = slowReaders(await served(server), 4)
  await expect.poll(() => answering.length).toBe(4)
  expect(takes(gate)).toBe(fromRest - 2)
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => takes(gate)).toBe(fromRest)
})

test('a reader who only trickles on is cut off in the end', async () => {
  const gate = loadGate(() => 0)
  const watch = watchReaders(gate, Number.POSITIVE_INFINITY, 1)
  const server = answersLarge(gate, watch)
  const [socket] = slowReaders(await served(server), 1)
  let read = 0
  socket!.on('data', (chunk: Buffer) => {
    read += chunk.length
  })
  socket!.pause()
  const [response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  await once(response.socket, 'close')
  const closed = once(socket!, 'close')
  socket!.resume()
  await closed
  expect(read).toBeLessThan(large.length)
})

/** A stream of 64 kB pieces to a reader who takes so long for each; how many he took before he was cut off, or all. */
const piecesTaken = (millisecondsEach: number, howMany: number): number => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  response.write = () => false
  const cutOff = vi.spyOn(response, 'destroy')
  watchReaders(loadGate(() => 0))(response)
  for (let taken = 0; taken < howMany; taken++) {
    response.write(Buffer.alloc(2 ** 16))
    vi.advanceTimersByTime(millisecondsEach)
    if (cutOff.mock.calls.length > 0) return taken
    response.emit('drain')
  }
  expect(vi.getTimerCount()).toBe(0)
  return howMany
}

test('a stream’s reader who never quite stops is cut off; one who keeps up a poor line’s pace reads to the end', () => {
  expect(piecesTaken(14_000, 1000)).toBeLessThan(10)
  expect(piecesTaken(3_000, 1000)).toBe(1000)
})

test('a stream that has nothing to say may stay open: only waiting for its reader counts', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  response.write = () => true
  const cutOff = vi.spyOn(response, 'destroy')
  watchReaders(loadGate(() => 0))(response)
  for (let at = 0; at < 10; at++) {
    response.write('data: {}\n\n')
    vi.advanceTimersByTime(3_600_000)
  }
  expect(cutOff).not.toHaveBeenCalled()
})

test('beyond what may wait for readers one who trickles on is cut off too, and his place is free', async () => {
  const gate = loadGate(() => 0)
  const watch = watchReaders(gate, 0, 1)
  const server = answersLarge(gate, watch)
  slowReaders(await served(server), 1)
  const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  expect(takes(gate)).toBe(fromRest - 1)
  await once(response, 'close')
  expect(takes(gate)).toBe(fromRest)
})

test('beyond what may wait for readers a stream that is done takes its place again until it is read', async () => {
  const gate = loadGate(() => 0)
  const watch = watchReaders(gate, 0)
  const server = createServer((_request, response) => {
    gate.enter()
    watch(response)
    response.write(large)
    expect(takes(gate)).toBe(fromRest)
    response.end()
  })
  const [socket] = slowReaders(await served(server), 1)
  await once(server, 'request')
  expect(takes(gate)).toBe(fromRest - 1)
  socket!.resume()
  await expect.poll(() => takes(gate)).toBe(fromRest)
})

test('who trickles on at a ready answer is cut off after a minute, and one that was taken at once costs no timer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const key = { id: 'key_1', family: 'key_1', plan: 'pro' } as ApiKey
  const body = (path: string) => (path.includes('large') ? large : Buffer.from('{}'))
  const lane = readyLane(
    {
      door: { keys: { remembered: () => key }, limits: memoryLimits(), clock: () => new Date() } as never,
      answers: { get: (path: string) => ({ body: body(path), etag: '"e"', operation: 'search_permits' }) } as never,
      headers: {},
      requestId: () => 'r-1',
      shut: () => false,
      answered: () => {},
    },
    letIn,
  )
  const server = createServer(lane)
  const at = await served(server)
  const before = vi.getTimerCount()
  const asked = once(server, 'request')
  const socket = connect(Number(new URL(at).port), '127.0.0.1').on('error', () => {})
  socket.write('GET /small HTTP/1.1\r\nHost: x\r\nx-api-key: mine\r\n\r\n')
  await asked
  expect(vi.getTimerCount()).toBe(before)
  const [, response] = await Promise.all([
    once(socket, 'data'),
    once(server, 'request').then(([, answering]) => answering as ServerResponse),
    socket.write('GET /large HTTP/1.1\r\nHost: x\r\nx-api-key: mine\r\n\r\n'),
  ])
  socket.pause()
  expect(vi.getTimerCount()).toBe(before + 1)
  vi.advanceTimersByTime(59_999)
  expect(response.destroyed).toBe(false)
  const closed = once(response, 'close')
  vi.advanceTimersByTime(1)
  await closed
  expect(response.writableFinished).toBe(false)
})

/** How many more a gate lets in. */
const takes = (gate: LoadGate): number => {
  let taken = 0
  while (gate.enter()) taken++
  for (let i = 0; i < taken; i++) gate.leave()
  return taken
}
