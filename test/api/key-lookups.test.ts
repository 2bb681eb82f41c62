// A flood of made-up keys does not reach the database without bound.
import { expect, test } from 'vitest'
import { limitedLookups, unknownKeysPerMinute } from '../../src/api/key-lookups.ts'
import { memoryLimits } from '../../src/api/rate-limits.ts'
import { ApiError } from '../../src/common/errors.ts'
import { makeKey } from '../../src/store/keys/api-key.ts'
import { anonymousPerMinute } from '../../src/wire/plans.ts'
import { ask } from '../setup/ask.ts'
import { useService } from '../setup/service.ts'

const now = new Date('2026-11-15T12:00:00Z')
const madeUp = () => makeKey('pro')

/** A database without keys that answers when the test says so. */
const slowKeys = () => {
  const pending: (() => void)[] = []
  let queries = 0
  return {
    pending,
    queries: () => queries,
    findCached: () => undefined,
    find: () => {
      queries++
      return new Promise<undefined>((done) => pending.push(() => done(undefined)))
    },
  }
}

test('a client that has sent a hundred unknown keys in a minute gets no further query, and other clients do', async () => {
  let queries = 0
  const find = limitedLookups({ findCached: () => undefined, find: async () => void queries++ }, memoryLimits())
  await Promise.all(Array.from({ length: 300 }, () => find(madeUp(), '192.0.2.1', now)))
  // Two run at once, so one may start before the other is counted.
  expect(queries).toBeLessThanOrEqual(unknownKeysPerMinute + 1)
  const before = queries
  await find(madeUp(), '192.0.2.2', now)
  expect(queries).toBe(before + 1)
})

test('few lookups run at once, of all clients and of one; when too many wait, those of the busiest client are rejected', async () => {
  const keys = slowKeys()
  const find = limitedLookups(keys, memoryLimits(), () => true, {
    total: 3,
    perClient: 2,
    waitingPerClient: 3,
    waitingClients: 2,
  })
  const flood = Promise.allSettled(Array.from({ length: 6 }, () => find(madeUp(), '192.0.2.1', now)))
  await expect.poll(keys.queries).toBe(2)
  const other = find(madeUp(), '192.0.2.2', now)
  await expect.poll(keys.queries).toBe(3)
  const waiting = ['192.0.2.3', '192.0.2.4'].map((client) => find(madeUp(), client, now))
  expect(keys.queries()).toBe(3)
  const finishing = setInterval(() => keys.pending.shift()?.(), 1)
  await Promise.all([other, ...waiting])
  const rejected = (await flood).flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  clearInterval(finishing)
  expect(rejected).toHaveLength(4)
  for (const reason of rejected) expect(reason).toMatchObject({ status: 503, retryAfter: 2 })
  expect(keys.queries()).toBe(5)
})

test('a burst of requests with one key shares one lookup', async () => {
  const keys = slowKeys()
  const find = limitedLookups(keys, memoryLimits())
  const key = madeUp()
  const burst = Array.from({ length: 50 }, (_, i) => find(key, `192.0.2.${i}`, now))
  await expect.poll(keys.queries).toBe(1)
  keys.pending.shift()!()
  expect(await Promise.all(burst)).toEqual(Array(50).fill(undefined))
  expect(keys.queries()).toBe(1)
})

test('a lookup that waits while the database does not answer returns 503', async () => {
  const keys = slowKeys()
  const find = limitedLookups(keys, memoryLimits(), () => false, {
    total: 1,
    perClient: 1,
    waitingPerClient: 9,
    waitingClients: 9,
  })
  const first = find(madeUp(), '192.0.2.1', now)
  await expect(find(madeUp(), '192.0.2.2', now)).rejects.toBeInstanceOf(ApiError)
  keys.pending.shift()!()
  expect(await first).toBeUndefined()
})

const service = useService()

test('a flood of made-up keys gets 401 ten times, then 429, and a cached key from the same address is served', async () => {
  const ip = '192.0.2.50'
  const key = await service().proKey()
  expect((await ask(service(), '/v1/usage', { key, ip })).status).toBe(200)
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => ask(service(), '/v1/usage', { key: madeUp(), ip })),
  )
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(anonymousPerMinute)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(60 - anonymousPerMinute)
  expect((await ask(service(), '/v1/usage', { key, ip })).status).toBe(200)
})

test('requests for keys are limited per minute before the database is asked', async () => {
  const ip = '192.0.2.51'
  const statuses: number[] = []
  for (let i = 0; i < 122; i++)
    statuses.push((await ask(service(), '/v1/keys', { body: { email: 'not an address' }, ip })).status)
  expect(statuses).toEqual([...Array(120).fill(400), 429, 429])
})
