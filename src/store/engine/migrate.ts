// Applies numbered SQL files, forward only: the shared ones in schema `public`, the group ones in the schema of every shard group.
// Several processes may call it at the same time: one applies the migrations under an advisory lock, the others wait and then find
// nothing to do.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { markets } from '../../contract/markets.ts'
import { advisoryLocks } from './advisory-locks.ts'
import { type Database, type Db, defaultGroup, sql } from './database.ts'
import type { MarketTable, MigrationTable } from './schema.ts'
import { UnfitServer } from './server-check.ts'

const migrationsDir = join(import.meta.dirname, '../../../migrations')

/** Migrations of the schema `public` are recorded under this name, those of a group under the group's. */
const shared = 'shared'

/** Returns what was applied, as "shared/0001_markets.sql" or "g00/0001_properties.sql". */
export const migrate = async ({ db }: Pick<Database, 'db'>): Promise<string[]> =>
  db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`set lock_timeout = 0`.execute(connection)
    await sql`select pg_advisory_lock(${advisoryLocks.migrating})`.execute(connection)
    try {
      await rejectVersion1(connection)
      await sql`
        create table if not exists public.migration (
          scope text, name text, applied_at timestamptz not null default now(), primary key (scope, name))`.execute(
        connection,
      )
      await sql`comment on table public.migration is 'The migrations that were applied, to public and to each shard group.'`.execute(
        connection,
      )
      const applied = await migrateScope(connection, shared)
      await registerMarkets(connection)
      for (const group of await shardGroups(connection)) {
        await sql`create schema if not exists ${sql.id(group)}`.execute(connection)
        applied.push(...(await migrateScope(connection, group)))
      }
      return applied
    } finally {
      await sql`select pg_advisory_unlock(${advisoryLocks.migrating})`.execute(connection)
      await sql`reset statement_timeout`.execute(connection)
      await sql`reset lock_timeout`.execute(connection)
    }
  })

const migrateScope = async (connection: Db, scope: string): Promise<string[]> => {
  const { rows } = await sql<
    Pick<MigrationTable, 'name'>
  >`select name from public.migration where scope = ${scope}`.execute(connection)
  const applied = new Set(rows.map(({ name }) => name))
  const folder = scope === shared ? 'shared' : 'group'
  const schemas = scope === shared ? sql`public` : sql`${sql.id(scope)}, public`
  const pending = (await migrationNames(folder)).filter((name) => !applied.has(name))
  for (const name of pending) {
    const text = await readFile(join(migrationsDir, folder, name), 'utf8')
    await connection.transaction().execute(async (tx) => {
      await sql`set local search_path = ${schemas}`.execute(tx)
      await sql.raw(text).execute(tx)
      await sql`insert into public.migration (scope, name) values (${scope}, ${name})`.execute(tx)
    })
  }
  return pending.map((name) => `${scope}/${name}`)
}

export const migrationNames = async (folder: 'shared' | 'group'): Promise<string[]> =>
  (await readdir(join(migrationsDir, folder))).filter((name) => name.endsWith('.sql')).sort()

/** Every migration of this program by scope, for the groups that a database has. */
export const expectedMigrations = async (groups: readonly string[]): Promise<string[]> => [
  ...(await migrationNames('shared')).map((name) => `${shared}/${name}`),
  ...(
    await Promise.all(groups.map(async (group) => (await migrationNames('group')).map((name) => `${group}/${name}`)))
  ).flat(),
]

export const shardGroups = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<Pick<MarketTable, 'shardGroup'>>`
    select shard_group from public.market union select ${defaultGroup} order by 1`.execute(db)
  return rows.map(({ shardGroup }) => shardGroup)
}

/** Rejects a changed market number. It is part of every property id, so existing ids would point to another market. */
const registerMarkets = async (connection: Db): Promise<void> => {
  for (const { id, number } of markets) {
    await sql`insert into public.market (id, number) values (${id}, ${number}) on conflict do nothing`.execute(
      connection,
    )
    const { rows } = await sql<Pick<MarketTable, 'number'>>`select number from public.market where id = ${id}`.execute(
      connection,
    )
    if (rows[0]?.number !== number)
      throw new UnfitServer(
        `Market ${id} has number ${number} in data/markets.json, but ${
          rows[0]
            ? `this database has it as number ${rows[0].number}`
            : 'that number belongs to another market in this database'
        }. Numbers never change: restore the old number.`,
      )
  }
}

/** Rejects a database of version 1, which recorded its migrations without a scope and had all tables in `public`. */
export const rejectVersion1 = async (connection: Db): Promise<void> => {
  const { rows } = await sql`
    select 1 where to_regclass('public.migration') is not null and not exists (
      select from pg_attribute where attrelid = to_regclass('public.migration') and attname = 'scope')`.execute(
    connection,
  )
  if (rows.length > 0)
    throw new UnfitServer(
      'This database was made by Lotline 1, and its tables cannot be upgraded. Nothing was changed. Point DATABASE_URL at a new, empty database (or DATA_DIR at a new folder) and load the data again: run "lotline ingest" for each source.',
    )
}
