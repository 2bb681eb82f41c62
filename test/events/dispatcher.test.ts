// A delivery is never in flight twice: what waits here too long goes back to the queue before its job expires.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Attempt } from '../../src/events/delivery-attempt.ts'
import { openDispatcher } from '../../src/events/dispatcher.ts'
import { concurrencyLimits } from '../../src/events/endpoint-concurrency.ts'
import type { Outcome } from '../../src/events/send.ts'
import { silent } from './open-events.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const attemptOf = (id: string): Attempt => ({
  job: { id: `job-${id}`, retryCount: 0, data: {} },
  due: { id, endpointId: 'endpoint' } as Attempt['due'],
})

const open = () => {
  const started: { id: string; end: () => void }[] = []
  const postponed: string[] = []
  const dispatcher = openDispatcher({
    limits: concurrencyLimits,
    attempt: ({ due }) =>
      new Promise<Outcome>((done) => started.push({ id: due.id, end: () => done({ ok: true, durationMs: 1 }) })),
    postpone: ({ due }) => void postponed.push(due.id),
    log: silent,
  })
  return { dispatcher, started, postponed }
}

test('a delivery that waits behind another one counts as in progress', () => {
  const { dispatcher } = open()
  dispatcher.submit(attemptOf('a'))
  dispatcher.submit(attemptOf('b'))
  expect([dispatcher.has('a'), dispatcher.has('b'), dispatcher.has('c')]).toEqual([true, true, false])
  vi.advanceTimersByTime(6_000)
  dispatcher.postponeStale()
  expect(dispatcher.has('b')).toBe(false)
  dispatcher.submit(attemptOf('d'))
  dispatcher.postponeWaiting()
  expect(dispatcher.has('d')).toBe(false)
})

test('a delivery that has waited too long is postponed, not started, when the attempt before it ends', async () => {
  const { dispatcher, started, postponed } = open()
  dispatcher.submit(attemptOf('a'))
  dispatcher.submit(attemptOf('b'))
  vi.advanceTimersByTime(31_000)
  started[0]!.end()
  await dispatcher.settled()
  expect(started.map(({ id }) => id)).toEqual(['a'])
  expect(postponed).toEqual(['b'])
})
