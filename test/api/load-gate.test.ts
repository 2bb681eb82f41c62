import { expect, test } from 'vitest'
import { loadGate } from '../../src/api/load-gate.ts'

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

test('what can be carried is let in', () => {
  expect(simulate(1_000, 900, 20).refused).toBe(0)
})

test('a burst from rest is let in', () => {
  const gate = loadGate(() => 0)
  expect(Array.from({ length: 32 }, gate.enter)).not.toContain(false)
  expect(gate.enter()).toBe(false)
})
