import { expect, test } from 'vitest'
import { startHeartbeat } from '../../../src/store/engine/heartbeat.ts'

const times = { everyMs: 1, timeoutMs: 5 }

/** A connection whose result is read after the timers that became due while the process was busy. */
const busyConnection = (onQuery: () => void) => ({
  query: () => {
    const result = new Promise((read) => setImmediate(() => setImmediate(read)))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4 * times.timeoutMs)
    onQuery()
    return result
  },
})

test('a connection is not lost when its result arrives while the process is busy', async () => {
  let queries = 0
  let lost = 0
  const connection = busyConnection(() => queries++)
  const heartbeat = startHeartbeat(connection as never, times, () => lost++)
  await expect.poll(() => queries, { timeout: 10_000 }).toBeGreaterThan(2)
  heartbeat.stop()
  expect(lost).toBe(0)
})

test('a connection without a result is lost', async () => {
  let lost = 0
  const heartbeat = startHeartbeat({ query: () => new Promise(() => {}) } as never, times, () => lost++)
  await expect.poll(() => lost, { timeout: 10_000 }).toBe(1)
  expect(heartbeat.answersWithin(times.timeoutMs)).toBe(false)
  heartbeat.stop()
})
