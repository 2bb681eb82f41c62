// Applies numbered SQL files, forward only: the shared ones in schema `public`, the group ones in the schema of every shard group. Then
// makes the views of each group again whose definition changed.
// Several processes may call it at the same time: one applies the migrations under an advisory lock, the others wait and then find
// nothing to do.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import manifest from '../../../package.json' with { type: 'json' }
import { codeOf, messageOf } from '../../common/typed.ts'
import { markets } from '../../domain/packs/markets.ts'
import { advisoryLocks } from './advisory-locks.ts'
import {
  anyRow,
  type Database,
  type Db,
  defaultGroup,
  execute,
  firstValue,
  onlyValue,
  rowsOf,
  sql,
  valuesOf,
} from './database.ts'
import { writeGroupViews } from './group-views.ts'
import { folderOf, hashOf, migrationNames, migrationsDir, shared } from './migration-files.ts'
import { fillHashes, migrationProblem } from './migration-problem.ts'
import { UnusableServer } from './server-check.ts'
import { staleViews, type View, viewFiles, viewMark } from './view-files.ts'

/**
 * Returns what was applied, as "shared/0001_markets.sql" or "g00/0001_properties.sql". With `only`, others are not applied. Rejects a
 * database whose tables are not those of this program before it changes anything.
 */
export const migrate = (database: Pick<Database, 'db'>, only?: readonly string[]): Promise<string[]> =>
  withMigrationLock(database, async (connection) => {
    await rejectOldLayout(connection)
    const problem = await migrationProblem(connection)
    if (problem) throw new UnusableServer(problem)
    await execute(connection)`
      create table if not exists public.migration (
        scope text, name text, applied_at timestamptz not null default now(), hash text, version text, primary key (scope, name))`
    await fillHashes(connection)
    await execute(connection)`
      comment on table public.migration is 'The migrations that were applied, to public and to each shard group.'`
    const applied = await migrateScope(connection, shared, only)
    const registered = await registerMarkets(connection)
    for (const group of await shardGroups(connection)) applied.push(...(await migrateGroup(connection, group, only)))
    if (applied.length > 0 || registered > 0) await connection.transaction().execute(writeGroupViews)
    return applied
  })

const timeLimits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']

/** Runs `work` on one connection without time limits. One process at a time changes the schema. */
export const withMigrationLock = <T>({ db }: Pick<Database, 'db'>, work: (connection: Db) => Promise<T>): Promise<T> =>
  db.connection().execute(async (connection) => {
    const limits = await rowsOf<{ name: string; value: string }>(connection)`
      select name, current_setting(name) as value from unnest(${timeLimits}::text[]) name`
    for (const { name } of limits) await execute(connection)`select set_config(${name}, '0', false)`
    await takeLock(connection)
    try {
      return await work(connection)
    } finally {
      await execute(connection)`select pg_advisory_unlock(${advisoryLocks.migrating})`
      for (const { name, value } of limits) await execute(connection)`select set_config(${name}, ${value}, false)`
    }
  })

/** Creates the group if it does not exist. The caller writes the views over all groups. */
export const migrateGroup = async (connection: Db, group: string, only?: readonly string[]): Promise<string[]> => {
  await execute(connection)`create schema if not exists ${sql.id(group)}`
  const applied = await migrateScope(connection, group, only)
  if (!only) await makeViews(connection, group, await viewFiles())
  return applied
}

/** Makes the views of a group that differ from these, in one transaction: if one fails, all stay as they are. */
export const makeViews = async (connection: Db, group: string, views: readonly View[]): Promise<void> => {
  const stale = await staleViews(connection, group, views)
  if (stale.length === 0) return
  await inSchemas(connection, schemasOf(group), async (tx) => {
    for (const view of stale)
      try {
        for (const statement of statementsOf(view.text)) await sql.raw(statement).execute(tx)
        await execute(tx)`comment on view ${sql.id(view.name)} is ${sql.lit(viewMark(view))}`
      } catch (error) {
        if (codeOf(error) === lockNotAvailable) throw error
        throw new Error(
          `views/${view.name}.sql failed in ${group}, whose views were not changed: ${messageOf(error)}`,
          {
            cause: error,
          },
        )
      }
  })
}

const migrateScope = async (connection: Db, scope: string, only?: readonly string[]): Promise<string[]> => {
  const applied = new Set(await valuesOf<string>(connection)`select name from public.migration where scope = ${scope}`)
  const folder = folderOf(scope)
  const schemas = schemasOf(scope)
  const pending = (await migrationNames(folder)).filter(
    (name) => !applied.has(name) && (only?.includes(`${scope}/${name}`) ?? true),
  )
  for (const name of pending) {
    const text = await readFile(join(migrationsDir, folder, name), 'utf8')
    const record = (db: Db) =>
      execute(db)`
        insert into public.migration (scope, name, hash, version)
        values (${scope}, ${name}, ${hashOf(text)}, ${manifest.version})`
    if (isOnline(text)) {
      await runOnline(connection, schemas, text)
      await record(connection)
    } else
      await inSchemas(connection, schemas, async (tx) => {
        for (const statement of statementsOf(text)) await sql.raw(statement).execute(tx)
        await record(tx)
      })
  }
  return pending.map((name) => `${scope}/${name}`)
}

/** Polls: a session that waits in pg_advisory_lock has a snapshot, for which `create index concurrently` would wait in turn. */
const takeLock = async (connection: Db): Promise<void> => {
  while (!(await onlyValue<boolean>(connection)`select pg_try_advisory_lock(${advisoryLocks.migrating})`))
    await wait(100)
}

/** A statement that waits for a table lock blocks everyone who comes after it, so it gives up early and is repeated. */
const lockTimeoutMs = 3_000
const lockRetries = 100

const lockNotAvailable = '55P03'

type Schemas = ReturnType<typeof sql>

const schemasOf = (scope: string): Schemas => (scope === shared ? sql`public` : sql`${sql.id(scope)}, public`)

const inSchemas = async (connection: Db, schemas: Schemas, work: (tx: Db) => Promise<void>): Promise<void> => {
  for (let left = lockRetries; ; left--)
    try {
      return await connection.transaction().execute(async (tx) => {
        await execute(tx)`set local search_path = ${schemas}`
        await execute(tx)`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`
        await work(tx)
      })
    } catch (error) {
      if (codeOf(error) !== lockNotAvailable || left === 0) throw error
      await wait(1_000)
    }
}

/** See migrations/README.md. */
export const isOnline = (text: string): boolean => text.startsWith('-- online\n')

const runOnline = async (connection: Db, schemas: Schemas, text: string): Promise<void> => {
  const before = await onlyValue<string>(connection)`select current_setting('search_path') as path`
  await execute(connection)`set search_path = ${schemas}`
  try {
    // An interrupted build leaves an invalid index, which `if not exists` would take for a finished one.
    const invalid = await valuesOf<string>(connection)`
      select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
      where not i.indisvalid and c.relnamespace = current_schema()::regnamespace`
    for (const name of invalid) await execute(connection)`drop index concurrently if exists ${sql.id(name)}`
    for (const statement of statementsOf(text)) await sql.raw(statement).execute(connection)
  } finally {
    await execute(connection)`select set_config('search_path', ${before}, false)`
  }
}

/** One by one: a Citus cluster sends a statement to its nodes together with the others of the same request, which they reject. */
const statementsOf = (text: string): string[] =>
  text
    .replace(/^--.*$/gm, '')
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')

/** Every migration of this program by scope, for the groups that a database has. */
export const expectedMigrations = async (groups: readonly string[]): Promise<string[]> => [
  ...(await migrationNames('shared')).map((name) => `${shared}/${name}`),
  ...(
    await Promise.all(groups.map(async (group) => (await migrationNames('group')).map((name) => `${group}/${name}`)))
  ).flat(),
]

/** Every group, also one without markets. */
export const shardGroups = (db: Db) =>
  valuesOf<string>(db)`
    select shard_group from public.market union select ${defaultGroup}
    union select scope from public.migration where scope <> ${shared} order by 1`

/** Returns the number of new markets. Rejects a changed number: existing property ids would point to another market. */
const registerMarkets = async (connection: Db): Promise<number> => {
  let registered = 0
  for (const { id, number } of markets()) {
    registered += await execute(connection)`
      insert into public.market (id, number) values (${id}, ${number}) on conflict do nothing`
    const stored = await firstValue<number>(connection)`select number from public.market where id = ${id}`
    if (stored !== number)
      throw new UnusableServer(
        `Market ${id} has number ${number} in its pack, but ${
          stored === undefined
            ? 'that number belongs to another market in this database'
            : `this database has it as number ${stored}`
        }. Numbers never change: restore the old number.`,
      )
  }
  return registered
}

/** Rejects a database with the old layout: all tables in `public`, and migrations recorded without a scope. */
export const rejectOldLayout = async (connection: Db): Promise<void> => {
  const isOld = await anyRow(connection)`
    select 1 where to_regclass('public.migration') is not null and not exists (
      select 1 from pg_attribute where attrelid = to_regclass('public.migration') and attname = 'scope')`
  if (isOld)
    throw new UnusableServer(
      'This database was made by an earlier, unreleased version of Lotline, and its tables cannot be upgraded. Nothing was changed. Point DATABASE_URL at a new, empty database (or DATA_DIR at a new folder) and load the data again: run "lotline ingest" for each source.',
    )
}
