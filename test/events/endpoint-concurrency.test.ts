import { expect, test } from 'vitest'
import { concurrencyLimits, openEndpointConcurrency } from '../../src/events/endpoint-concurrency.ts'

const starts = (concurrency: ReturnType<typeof openEndpointConcurrency>, endpoint: string, tries: number, at = 0) =>
  Array.from({ length: tries }, () => concurrency.admit(endpoint, at, 0).decision).filter(
    (decision) => decision === 'start',
  ).length

test('endpoints that never respond leave capacity for one that does', () => {
  const concurrency = openEndpointConcurrency({ ...concurrencyLimits, total: 100, totalUnproven: 60 })
  concurrency.admit('good', 0, 0)
  concurrency.finish('good', true, 5, 0)
  for (let i = 0; i < 500; i++) concurrency.admit(`hanging-${i}`, 0, 0)
  expect(concurrency.room()).toBe(40)
  expect(starts(concurrency, 'good', 1)).toBe(1)
})

test('successes raise the limit of an endpoint up to the maximum, failures lower it to one', () => {
  const concurrency = openEndpointConcurrency({ ...concurrencyLimits, initialPerEndpoint: 1, maxPerEndpoint: 8 })
  for (let i = 0; i < 20; i++) {
    concurrency.admit('a', 0, 0)
    concurrency.finish('a', true, 5, 0)
  }
  expect(starts(concurrency, 'a', 50)).toBe(8)
  for (let i = 0; i < 8; i++) concurrency.finish('a', false, 15_000, 0)
  expect(starts(concurrency, 'a', 50)).toBe(1)
})

test('deliveries to a failing endpoint are postponed to consecutive times, at most five minutes ahead', () => {
  const concurrency = openEndpointConcurrency()
  concurrency.admit('a', 0, 0)
  concurrency.finish('a', false, 15_000, 0)
  concurrency.admit('a', 0, 0)
  const times = Array.from({ length: 1_000 }, () => concurrency.admit('a', 0, 0)).map((admission) =>
    admission.decision === 'postpone' ? admission.until : Number.NaN,
  )
  expect(times[0]).toBeGreaterThan(250)
  expect(times[1]! - times[0]!).toBeGreaterThan(1_000)
  expect(Math.max(...times)).toBe(concurrencyLimits.maxPostponeMs)
  expect(times.every((time, i) => i === 0 || time >= times[i - 1]!)).toBe(true)
})

test('deliveries may wait in memory for a new endpoint, but not for a failing one', () => {
  const concurrency = openEndpointConcurrency()
  expect(concurrency.admit('a', 0, 0).decision).toBe('start')
  expect(concurrency.admit('a', 0, 10).decision).toBe('wait')
  concurrency.finish('a', false, 15_000, 0)
  concurrency.admit('a', 0, 0)
  expect(concurrency.admit('a', 0, 10).decision).toBe('postpone')
})
