// Numbered SQL files, forward only. Safe to run from several processes at once: one does the work under an
// advisory lock, the others wait for it and find nothing left to do.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { advisoryLocks } from './advisory-locks.ts'
import { type Database, sql } from './database.ts'

const migrationsDir = join(import.meta.dirname, '../../../migrations')

export const migrate = async ({ db }: Pick<Database, 'db'>): Promise<string[]> =>
  db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`set lock_timeout = 0`.execute(connection)
    await sql`select pg_advisory_lock(${advisoryLocks.migrating})`.execute(connection)
    try {
      await sql`create table if not exists migration (name text primary key, applied_at timestamptz not null default now())`.execute(
        connection,
      )
      const { rows } = await sql<{ name: string }>`select name from migration`.execute(connection)
      const applied = new Set(rows.map((row) => row.name))
      const pending = (await migrationNames()).filter((name) => !applied.has(name))
      for (const name of pending) {
        const text = await readFile(join(migrationsDir, name), 'utf8')
        await connection.transaction().execute(async (tx) => {
          await sql.raw(text).execute(tx)
          await sql`insert into migration (name) values (${name})`.execute(tx)
        })
      }
      return pending
    } finally {
      await sql`select pg_advisory_unlock(${advisoryLocks.migrating})`.execute(connection)
      await sql`reset statement_timeout`.execute(connection)
      await sql`reset lock_timeout`.execute(connection)
    }
  })

export const migrationNames = async (): Promise<string[]> =>
  (await readdir(migrationsDir)).filter((name) => name.endsWith('.sql')).sort()
