// Requests to the embedded server over its Unix socket, before the connection pool exists.
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { codeOf } from '../../common/typed.ts'
import { connectionName } from './database.ts'

/** True if a server answers on this socket, even if only with the error that it is still starting. */
export const acceptsConnections = async (socketDir: string): Promise<boolean> => {
  const client = new pg.Client({ host: socketDir, user: 'lotline', database: 'postgres' })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (error) {
    return !noServer.includes(codeOf(error))
  } finally {
    await client.end().catch(() => {})
  }
}

const noServer = ['ENOENT', 'ECONNREFUSED']

/** Creates the database. A server that was killed answers 57P03 until its recovery has finished, so the request is repeated. */
export const ensureDatabase = async (socketDir: string) => {
  for (let left = 120; ; left--) {
    const client = new pg.Client({ host: socketDir, user: 'lotline', database: 'postgres' })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('create database lotline')
      return
    } catch (error) {
      const code = codeOf(error)
      // 42P04: it exists. 23505: another process is creating it at the same time.
      if (code === '42P04' || code === '23505') return
      if (left === 0 || !['57P03', ...noServer].includes(code ?? '')) throw error
    } finally {
      await client.end().catch(() => {})
    }
    await wait(500)
  }
}

/** Numbers of the client connections of other processes, with and without a running query. */
export const otherConnections = async (socketDir: string): Promise<{ active: number; idle: number }> => {
  const client = new pg.Client({ host: socketDir, user: 'lotline', database: 'postgres' })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query(
      `select count(*) filter (where state = 'active')::int as active,
              count(*) filter (where state is distinct from 'active')::int as idle
       from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid() and application_name not like $1`,
      [connectionName('%')],
    )
    return rows[0]
  } catch (error) {
    // A server that is full or recovering is in use; only one that is gone is not.
    return noServer.includes(codeOf(error)) ? { active: 0, idle: 0 } : { active: 1, idle: 0 }
  } finally {
    await client.end().catch(() => {})
  }
}
