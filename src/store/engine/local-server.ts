// Requests to the embedded server over its Unix socket, before the connection pool exists.
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { codeOf } from '../../common/typed.ts'
import { connectionName } from './database.ts'

/** Runs `work` with a connection of its own. */
const onServer = async <T>(socketDir: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ host: socketDir, user: 'lotline', database: 'postgres' })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** True if a server answers on this socket, even if only with the error that it is still starting. */
export const acceptsConnections = (socketDir: string): Promise<boolean> =>
  onServer(socketDir, async () => true).catch((error: unknown) => !noServer.includes(codeOf(error)))

const noServer = ['ENOENT', 'ECONNREFUSED']

/** Creates the database. A server that was killed answers 57P03 until its recovery has finished, so the request is repeated. */
export const ensureDatabase = async (socketDir: string) => {
  for (let left = 120; ; left--)
    try {
      return await onServer(socketDir, (client) => client.query('create database lotline'))
    } catch (error) {
      const code = codeOf(error)
      // 42P04: it exists. 23505: another process is creating it at the same time.
      if (code === '42P04' || code === '23505') return
      if (left === 0 || !['57P03', ...noServer].includes(code ?? '')) throw error
      await wait(500)
    }
}

/** Numbers of the client connections of other processes, with and without a running query. */
export const otherConnections = (socketDir: string): Promise<{ active: number; idle: number }> =>
  onServer(socketDir, async (client) => {
    const { rows } = await client.query(
      `select count(*) filter (where state = 'active')::int as active,
              count(*) filter (where state is distinct from 'active')::int as idle
       from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid() and application_name not like $1`,
      [connectionName('%')],
    )
    return rows[0]
  }).catch((error: unknown) =>
    // A server that is full or recovering is in use; only one that is gone is not.
    noServer.includes(codeOf(error)) ? { active: 0, idle: 0 } : { active: 1, idle: 0 },
  )
