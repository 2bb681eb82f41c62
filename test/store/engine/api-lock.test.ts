import { expect, test } from 'vitest'
import { ApiAlreadyRunning, claimApi } from '../../../src/store/engine/api-lock.ts'
import { openDatabase, sql } from '../../../src/store/engine/database.ts'
import { newDatabase } from '../../setup/database.ts'
import { stallingProxy } from '../../setup/stalling-proxy.ts'

const setup = async () => {
  const address = await newDatabase()
  const database = openDatabase(address)
  const holders = async (): Promise<number[]> => {
    const { rows } = await sql<{ pid: number }>`
      select a.pid from pg_stat_activity a join pg_locks l on l.pid = a.pid and l.locktype = 'advisory' and l.granted
      where a.application_name like 'lotline-api-lock%' and a.datname = current_database()`.execute(database.db)
    return rows.map(({ pid }) => pid)
  }
  /** Ends the connection that holds the lock, like a restart of the server. */
  const cut = async () => {
    for (const pid of await holders()) await sql`select pg_terminate_backend(${pid})`.execute(database.db)
  }
  return { address, database, holders, cut }
}

test('the lock is taken again after its connection is lost, so a second process still cannot start', async () => {
  const { address, database, holders, cut } = await setup()
  const lock = await claimApi(address, false)
  const [first] = await holders()
  await cut()
  await expect.poll(async () => (await holders()).filter((pid) => pid !== first).length, { timeout: 10_000 }).toBe(1)
  expect(await isRejected(() => claimApi(address, false))).toBe(true)
  await lock.release()
  await database.close()
})

test('a lock whose connection no longer answers is taken again, although the server still has the old session', async () => {
  const { address, database, holders } = await setup()
  const proxy = await stallingProxy(address)
  let taken: Error | undefined
  const onTaken = (error: Error) => {
    taken = error
  }
  const lock = await claimApi(proxy.address, false, onTaken, { everyMs: 50, timeoutMs: 500 })
  const [first] = await holders()
  proxy.stallOpen()
  await expect.poll(async () => (await holders()).filter((pid) => pid !== first).length, { timeout: 10_000 }).toBe(1)
  expect(await holders()).not.toContain(first)
  expect(taken).toBeUndefined()
  expect(await isRejected(() => claimApi(address, false))).toBe(true)
  await lock.release()
  await proxy.close()
  await database.close()
})

test('a process is notified when another one has taken its lock', async () => {
  const { address, database, cut } = await setup()
  let taken: Error | undefined
  const first = await claimApi(address, false, (error) => {
    taken = error
  })
  // Other processes take shared locks as soon as the exclusive lock is free, which prevents it from being taken again.
  await cut()
  const second = await untilTaken(() => claimApi(address, true))
  if (second) await expect.poll(() => taken).toBeInstanceOf(ApiAlreadyRunning)
  await second?.release()
  await first.release()
  await database.close()
})

const isRejected = async (claim: () => Promise<{ release(): Promise<void> }>): Promise<boolean> => {
  try {
    await (await claim()).release()
    return false
  } catch (error) {
    return error instanceof ApiAlreadyRunning
  }
}

const untilTaken = async (claim: () => Promise<{ release(): Promise<void> }>) => {
  for (let tries = 0; tries < 3; tries++) {
    try {
      return await claim()
    } catch {
      // The first process has taken its lock again before the other one could.
    }
  }
  return undefined
}
