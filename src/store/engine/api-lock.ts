// Rate limits counted in memory are exact for one API process only. An advisory lock on a separate connection prevents a second
// process from starting on the same database. Processes that count in Redis take the lock in shared mode.
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { advisoryLocks } from './advisory-locks.ts'
import { type DatabaseOptions, poolAddress } from './database.ts'

export class AnotherProcess extends Error {}

export interface ApiLock {
  release(): Promise<void>
}

const retakeMs = 500

/**
 * Takes the lock or throws AnotherProcess. The lock ends with its connection, so after a lost connection the lock is taken again.
 * `onTaken` is called if another process took it first: then this process must stop serving.
 */
export const claimApi = async (
  address: DatabaseOptions,
  shared: boolean,
  onTaken: (error: AnotherProcess) => void = () => {},
): Promise<ApiLock> => {
  const released = new AbortController()
  let held: pg.Client | undefined

  const take = async () => {
    const client = await lockedConnection(address, shared)
    if (released.signal.aborted) return void client.end().catch(() => {})
    held = client
    client.once('end', retake)
  }

  const retake = async () => {
    held = undefined
    while (!released.signal.aborted) {
      try {
        return await take()
      } catch (error) {
        if (error instanceof AnotherProcess) return onTaken(error)
        // The database is still unavailable.
        await wait(retakeMs, undefined, { signal: released.signal, ref: false }).catch(() => {})
      }
    }
  }

  await take()
  return {
    release: async () => {
      released.abort()
      await held?.end().catch(() => {})
    },
  }
}

const lockedConnection = async (address: DatabaseOptions, shared: boolean): Promise<pg.Client> => {
  const client = new pg.Client({
    ...poolAddress(address),
    application_name: 'lotline-api-lock',
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
  })
  // Without a listener a lost connection would end the process. The 'end' event follows and is handled.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ held: boolean }>(
      `select pg_try_advisory_lock${shared ? '_shared' : ''}($1) as held`,
      [advisoryLocks.servingApi],
    )
    if (rows[0]!.held) return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  await client.end()
  throw new AnotherProcess(
    shared
      ? 'A Lotline API process that counts its rate limits in memory is using this database. Stop it, or give it the same REDIS_URL.'
      : 'Another Lotline API process is using this database. Stop it first, or give both a REDIS_URL so that they share their rate limits.',
  )
}
