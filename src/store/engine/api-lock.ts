// Rate limits counted in memory are right for one API process only. A lock held on a connection of its own keeps a
// second one from starting on the same database, and lets many share it once they count in Redis.
import pg from 'pg'
import { advisoryLocks } from './advisory-locks.ts'
import { type DatabaseOptions, poolAddress } from './database.ts'

export class AnotherProcess extends Error {}

export const claimApi = async (address: DatabaseOptions, shared: boolean): Promise<{ release(): Promise<void> }> => {
  const client = new pg.Client({ ...poolAddress(address), application_name: 'lotline-api-lock', keepAlive: true })
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ held: boolean }>(
    `select pg_try_advisory_lock${shared ? '_shared' : ''}($1) as held`,
    [advisoryLocks.servingApi],
  )
  if (!rows[0]!.held) {
    await client.end()
    throw new AnotherProcess(
      shared
        ? 'A Lotline API process that counts its rate limits in memory is using this database. Stop it, or give it the same REDIS_URL.'
        : 'Another Lotline API process is using this database. Stop it first, or give both a REDIS_URL so that they share their rate limits.',
    )
  }
  return { release: () => client.end().catch(() => {}) }
}
