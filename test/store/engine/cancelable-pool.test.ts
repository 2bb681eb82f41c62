import type pg from 'pg'
import { expect, test, vi } from 'vitest'
import { cancelablePool } from '../../../src/store/engine/cancelable-pool.ts'
import { mapAgeMs, shardMap } from '../../../src/store/engine/shard-groups.ts'
import { QueryCanceled } from '../../../src/store/engine/unavailable.ts'

const noPool = { connect: () => Promise.reject(new Error('no connection')), end: async () => {}, options: {} as never }

/** The rejections that no code handles while `work` runs and shortly after. */
const unhandledDuring = async (work: () => Promise<unknown>): Promise<unknown[]> => {
  const reasons: unknown[] = []
  const others = process.rawListeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', (reason) => reasons.push(reason))
  await work().catch(() => {})
  // Node reports a rejection after the microtasks of the turn it happened in.
  for (let turn = 0; turn < 3; turn++) await new Promise((done) => setImmediate(done))
  process.removeAllListeners('unhandledRejection')
  for (const listener of others) process.on('unhandledRejection', listener as () => void)
  return reasons
}

test('a schema that cannot be read after its request has ended is nobody’s unhandled error', async () => {
  const reading = Promise.withResolvers<string>()
  const ended = new AbortController()
  const unhandled = await unhandledDuring(async () => {
    const connecting = cancelablePool(noPool, () => reading.promise, ended.signal).connect()
    ended.abort()
    await expect(connecting).rejects.toThrow(QueryCanceled)
    reading.reject(new Error('Connection terminated unexpectedly'))
  })
  expect(unhandled).toEqual([])
})

test('a request that ended before its query does not read the schema, and leaves no unhandled error', async () => {
  const schema = vi.fn(() => Promise.reject(new Error('timeout exceeded when trying to connect')))
  const unhandled = await unhandledDuring(() =>
    expect(cancelablePool(noPool, schema, AbortSignal.abort()).connect()).rejects.toThrow(QueryCanceled),
  )
  expect(unhandled).toEqual([])
  expect(schema).not.toHaveBeenCalled()
})

test('a shard map that cannot be read again keeps its last value', async () => {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  try {
    let answers = true
    const rows = [{ id: 'peninsula', shard_group: 'g01', whole: 'all_groups' }]
    const client = { query: async () => ({ rows }), release: () => {} } as unknown as pg.PoolClient
    const map = shardMap({
      connect: () => (answers ? Promise.resolve(client) : Promise.reject(new Error('timeout exceeded'))),
    })
    expect(await map.groupOf('peninsula')).toBe('g01')
    answers = false
    now += mapAgeMs + 1
    expect(await map.groupOf('peninsula')).toBe('g01')
    expect(await map.wholeSchema()).toBe('all_groups')
    answers = true
    rows[0]!.shard_group = 'g02'
    expect(await map.groupOf('peninsula')).toBe('g02')
  } finally {
    clock.mockRestore()
  }
})

test('a shard map that was never read is an error', async () => {
  await expect(shardMap(noPool).groupOf('peninsula')).rejects.toThrow('no connection')
})
