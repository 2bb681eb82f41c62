import { expect, test } from 'vitest'
import { AnotherProcess, claimApi } from '../../../src/store/engine/api-lock.ts'
import { openDatabase, sql } from '../../../src/store/engine/database.ts'
import { newDatabase } from '../../setup/database.ts'

const setup = async () => {
  const address = await newDatabase()
  const database = openDatabase(address)
  /** Ends the connection that holds the lock, as a restarted server would. */
  const cut = async () => {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity
      where application_name = 'lotline-api-lock' and datname = current_database()`.execute(database.db)
    for (const { pid } of rows) await sql`select pg_terminate_backend(${pid})`.execute(database.db)
  }
  return { address, database, cut }
}

test('the lock is taken again after its connection was lost, so a second process still cannot start', async () => {
  const { address, database, cut } = await setup()
  const lock = await claimApi(address, false)
  await cut()
  await expect.poll(() => refused(() => claimApi(address, false))).toBe(true)
  await lock.release()
  await database.close()
})

test('a process whose lock was taken by another meanwhile is told so', async () => {
  const { address, database, cut } = await setup()
  let taken: Error | undefined
  const first = await claimApi(address, false, (error) => {
    taken = error
  })
  // Shared locks of other processes stand in the way of an exclusive one, as soon as it is free.
  await cut()
  const second = await untilTaken(() => claimApi(address, true))
  if (second) await expect.poll(() => taken).toBeInstanceOf(AnotherProcess)
  await second?.release()
  await first.release()
  await database.close()
})

const refused = async (claim: () => Promise<{ release(): Promise<void> }>): Promise<boolean> => {
  try {
    await (await claim()).release()
    return false
  } catch (error) {
    return error instanceof AnotherProcess
  }
}

const untilTaken = async (claim: () => Promise<{ release(): Promise<void> }>) => {
  for (let tries = 0; tries < 3; tries++) {
    try {
      return await claim()
    } catch {
      // The first process was quicker.
    }
  }
  return undefined
}
