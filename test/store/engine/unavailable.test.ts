import { expect, test } from 'vitest'
import { openDatabase, sql } from '../../../src/store/engine/database.ts'
import { isDatabaseUnavailable } from '../../../src/store/engine/unavailable.ts'
import { newDatabase } from '../../setup/database.ts'
import { stallingProxy } from '../../setup/stalling-proxy.ts'

const coded = (code: string, syscall?: string) => Object.assign(new Error('detail'), { code, syscall })

test.each(['08006', '25006', '53300', '53100', '57P01', '57P03', '57014', '40P01', 'ECONNREFUSED', 'ECONNRESET'])(
  '%s means the database is unavailable',
  (code) => expect(isDatabaseUnavailable(coded(code))).toBe(true),
)

test.each(['23505', '42P01', '22P02', '57P04', 'ERR_INVALID_ARG_TYPE'])('%s is an ordinary error', (code) =>
  expect(isDatabaseUnavailable(coded(code))).toBe(false),
)

test('a missing socket means the database is unavailable, a missing file does not', () => {
  expect(isDatabaseUnavailable(coded('ENOENT', 'connect'))).toBe(true)
  expect(isDatabaseUnavailable(coded('ENOENT', 'open'))).toBe(false)
  expect(isDatabaseUnavailable(new Error('anything else'))).toBe(false)
})

test('every timeout and broken connection of the client is recognized, and the pool recovers', async () => {
  const proxy = await stallingProxy(await newDatabase())
  const store = openDatabase({ ...proxy.address, poolSize: 2, connectionTimeoutMs: 1_000, queryTimeoutMs: 1_000 })
  const outcome = (work: () => Promise<unknown>) =>
    work().then(
      () => 'answered',
      (error: unknown) => (isDatabaseUnavailable(error) ? 'unavailable' : String(error)),
    )
  const ask = () => outcome(() => sql`select 1`.execute(store.db))
  try {
    expect(await ask()).toBe('answered')
    proxy.stall()
    // The first waits for its result, the second for a new connection, the third for a free one.
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(Array(3).fill('unavailable'))
    proxy.resume()
    expect(await ask()).toBe('answered')
    const begun = performance.now()
    const transaction = outcome(() =>
      store.db.transaction().execute(async (tx) => {
        proxy.stall()
        await sql`select 1`.execute(tx)
      }),
    )
    expect(await transaction).toBe('unavailable')
    // The rollback does not wait for the stalled server.
    expect(performance.now() - begun).toBeLessThan(1_900)
    proxy.resume()
    expect(await ask()).toBe('answered')
  } finally {
    await store.close()
    await proxy.close()
  }
})
