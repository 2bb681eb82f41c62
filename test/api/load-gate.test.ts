import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { gated, loadGate } from '../../src/api/load-gate.ts'
import { memoryLimits } from '../../src/api/rate-limits.ts'
import type { ApiKey } from '../../src/store/keys.ts'

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
  expect(Math.max(...waits.slice(60))).toBeLessThan(1_000)
})

test('what can be carried is let in', () => {
  expect(simulate(1_000, 900, 20).refused).toBe(0)
})

test('a burst from rest is let in', () => {
  const gate = loadGate(() => 0)
  expect(Array.from({ length: 32 }, gate.enter)).not.toContain(false)
  expect(gate.enter()).toBe(false)
})

test('one who is turned away learns when to come back and what is left, and nothing is counted', async () => {
  const limits = memoryLimits()
  // A key that was rotated: it counts with its family.
  const key = { id: 'key_2', family: 'key_1', plan: 'pro' } as ApiKey
  for (let i = 0; i < 3; i++) limits.hit('key:key_1', 120)
  const door = {
    keys: { remembered: (text: string) => (text === 'mine' ? key : undefined) },
    limits,
    clock: () => new Date(),
  }
  const full = { enter: () => false, leave: () => {} }
  const lane = { door, headers: { 'access-control-allow-origin': '*' }, requestId: () => 'r-1' }
  const server = createServer(gated(lane as never, full, (_request, response) => response.end('in')))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const told = async (apiKey: string) => {
    const { status, headers } = await fetch(`${at}/api/v1/permits`, { headers: { 'x-api-key': apiKey } })
    const named = (name: string) => headers.get(name)
    return [status, named('retry-after'), named('x-ratelimit-limit'), named('x-ratelimit-remaining')]
  }
  try {
    expect(await told('mine')).toEqual([503, '2', '120', '117'])
    expect(await told('mine')).toEqual([503, '2', '120', '117'])
    expect(await told('demo')).toEqual([503, '2', '10', '10'])
    expect(await told('nobody')).toEqual([503, '2', '10', '10'])
    expect(await (await fetch(`${at}/healthz`)).text()).toBe('in')
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
