// What the embedded server is asked over its socket before the ordinary pool exists.
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

/** Whether a server answers on this socket at all, even if only to say that it is still starting. */
export const acceptsConnections = async (socketDir: string): Promise<boolean> => {
  const client = new pg.Client({ host: socketDir, user: 'lotline', database: 'postgres' })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (error) {
    return !nobodyThere.includes((error as { code?: string }).code ?? '')
  } finally {
    await client.end().catch(() => {})
  }
}

const nobodyThere = ['ENOENT', 'ECONNREFUSED']

/** A server that was killed recovers before it answers; it says so (57P03) and is asked again. */
export const ensureDatabase = async (socketDir: string) => {
  for (let left = 120; ; left--) {
    const client = new pg.Client({ host: socketDir, user: 'lotline', database: 'postgres' })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('create database lotline')
      return
    } catch (error) {
      const { code } = error as { code?: string }
      // 42P04: it exists; 23505: another process is creating it this very moment.
      if (code === '42P04' || code === '23505') return
      if (left === 0 || !['57P03', ...nobodyThere].includes(code ?? '')) throw error
    } finally {
      await client.end().catch(() => {})
    }
    await wait(500)
  }
}

/** Client connections other than this one, by whether a query of theirs is running. */
export const otherConnections = async (socketDir: string): Promise<{ active: number; resting: number }> => {
  const client = new pg.Client({ host: socketDir, user: 'lotline', database: 'postgres' })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query(
      `select count(*) filter (where state = 'active')::int as active,
              count(*) filter (where state is distinct from 'active')::int as resting
       from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    return rows[0]
  } catch {
    return { active: 0, resting: 0 }
  } finally {
    await client.end().catch(() => {})
  }
}
