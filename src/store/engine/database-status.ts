// What the operator should know about the database, for the page, `lotline doctor` and its JSON.
import { join, resolve, sep } from 'node:path'
import { codeOf, messageOf } from '../../common/typed.ts'
import { dayOf } from '../../domain/day.ts'
import { anyRow, type Database, type Db, execute, firstRow, firstValue, onlyValue, rowsOf, sql } from './database.ts'
import { isStandby } from './health.ts'
import { relationBytes } from './shards.ts'

/** Times are in seconds unless the name says otherwise. Statements have no values, only their places ($1). */
export interface DatabaseStatus {
  /** Those that took the most time together, without backups and migrations, which would hide the others. Undefined without the extension pg_stat_statements. */
  statements?: { statement: string; calls: number; seconds: number; meanMs: number; maxMs: number }[] | undefined
  /** Why the extension, which is there, could not be read. */
  statementsProblem?: string | undefined
  /** Connections whose statement began more than a second ago: active ones, and open transactions that others may wait for. */
  running: { pid: number; state: string; seconds: number; statement: string; blockedBy: number[] }[]
  /** The largest first. `rows` is null for tables on other nodes. `grown`: bytes since the day `since`; null before the second day. */
  tables: {
    name: string
    bytes: number
    rows: number | null
    deadRows: number
    grown: number | null
    since: string | null
  }[]
  replicas: { name: string; state: string; bytesBehind: number | null; secondsBehind: number | null }[]
  /** The last one that Lotline made. Other programs, such as pg_dump, are not known. */
  backup?: { madeAt: Date; file: string; bytes: number; rows: number }
  /** False while only the sample is loaded, which can be made again. */
  ownData: boolean
}

/** With the last backup in `backupFolder`, or anywhere if there is none. */
export const databaseStatus = async (db: Db, backupFolder?: string): Promise<DatabaseStatus> => ({
  ...(await slowStatements(db)),
  running: await runningStatements(db),
  tables: await rowsOf<DatabaseStatus['tables'][number]>(db)`
    select t.name, t.bytes, nullif(s.n_live_tup, 0)::float8 as rows, coalesce(s.n_dead_tup, 0)::float8 as dead_rows,
      (t.bytes - b.bytes)::float8 as grown, b.day::text as since
    from (${await tableBytes(db)}) t
    left join pg_stat_user_tables s on s.relid = t.oid
    left join lateral (select day, bytes from table_size where name = t.name
      and day between current_date - ${growthDays}::int and current_date - 1 order by day limit 1) b on true
    where t.bytes > 0 order by t.bytes desc`,
  replicas: (await isStandby(db))
    ? await rowsOf<DatabaseStatus['replicas'][number]>(db)`
        select 'this server' as name, 'standby' as state, null::float8 as bytes_behind,
          case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
            else extract(epoch from now() - pg_last_xact_replay_timestamp()) end::float8 as seconds_behind`
    : await rowsOf<DatabaseStatus['replicas'][number]>(db)`
        select coalesce(nullif(application_name, ''), host(client_addr), 'replica') as name, coalesce(state, 'unknown') as state,
          pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::float8 as bytes_behind,
          extract(epoch from replay_lag)::float8 as seconds_behind
        from pg_stat_replication order by 1`,
  backup: await firstRow<NonNullable<DatabaseStatus['backup']>>(db)`
    select made_at, file, bytes, rows from backup_made where ${isIn(backupFolder)} order by made_at desc limit 1`,
  ownData: await anyRow(db)`select 1 as found from source where not sample limit 1`,
})

export const runningStatements = (db: Db) =>
  rowsOf<DatabaseStatus['running'][number]>(db)`
    select pid, state, extract(epoch from now() - query_start)::float8 as seconds,
      -- The copies of an export have the values of its caller in their text.
      case when query ~* '^\\s*copy\\M' then 'copy' else ${oneLine} end as statement,
      pg_blocking_pids(pid) as blocked_by
    from pg_stat_activity
    where datname = current_database() and state <> 'idle' and backend_type = 'client backend'
      and pid <> pg_backend_pid() and query_start < now() - interval '1 second'
    order by seconds desc limit 20`

/** Growth is measured against the oldest size that is kept, at most this long ago. */
const growthDays = 30

const oneLine = sql`left(regexp_replace(query, '\\s+', ' ', 'g'), 300)`

/** Every table with its bytes and name, without those that a migration has locked: their size would be waited for. */
const tableBytes = async (db: Db) => sql`
  select c.oid, n.nspname || '.' || c.relname as name, (${await relationBytes(db)})::float8 as bytes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and c.relpersistence = 'p' and (n.nspname in ('public', 'pgboss') or n.nspname ~ '^g[0-9]{2}$')
    and not exists (select 1 from pg_locks l where l.relation = c.oid and l.mode = 'AccessExclusiveLock')`

/** The size of each table today, to compare later ones with. */
export const recordTableSizes = async (db: Db, now: Date): Promise<void> => {
  await execute(db)`
    insert into table_size (day, name, bytes) select ${dayOf(now)}, name, bytes from (${await tableBytes(db)}) t
    on conflict (day, name) do nothing`
}

export const slowStatements = async (db: Db): Promise<Pick<DatabaseStatus, 'statements' | 'statementsProblem'>> => {
  const schema = await firstValue<string>(db)`
    select extnamespace::regnamespace::text as name from pg_extension where extname = 'pg_stat_statements'`
  if (schema === undefined) return {}
  const read = rowsOf<NonNullable<DatabaseStatus['statements']>[number]>(db)`
    select ${oneLine} as statement, calls::float8 as calls, total_exec_time / 1000 as seconds, mean_exec_time as mean_ms,
      max_exec_time as max_ms
    from ${sql.id(schema, 'pg_stat_statements')}
    where dbid = (select oid from pg_database where datname = current_database())
      and query !~* '^\\s*(copy|create|alter|vacuum|analyze)\\M'
    order by total_exec_time desc limit 15`
  return read.then(
    (statements) => ({ statements }),
    // object_not_in_prerequisite_state: the server has not loaded the library, so it counts nothing.
    (error: unknown) => (codeOf(error) === '55000' ? {} : { statementsProblem: messageOf(error) }),
  )
}

/**
 * The embedded server counts its statements. An operator's own server keeps the extensions that its operator chose. The extension
 * gets a schema of its own, since `public` is backed up and described as ours.
 */
export const countStatements = async ({ db }: Pick<Database, 'db'>): Promise<void> => {
  try {
    await execute(db)`create schema if not exists statistics`
    await execute(db)`create extension if not exists pg_stat_statements schema statistics`
  } catch {
    // Another process is doing the same, or the programs of this platform have no such extension: the page says so.
  }
}

export const recordBackup = async (db: Db, backup: NonNullable<DatabaseStatus['backup']>): Promise<void> => {
  await execute(db)`
    insert into backup_made (made_at, file, bytes, rows) values (${backup.madeAt}, ${backup.file}, ${backup.bytes}, ${backup.rows})
    on conflict (made_at) do nothing`
}

/** Backups elsewhere do not count where daily ones have a folder. */
const isIn = (folder: string | undefined) =>
  folder === undefined ? sql`true` : sql`starts_with(file, ${join(resolve(folder), sep)})`

/**
 * Whether the last backup in this folder is almost a day old, so that a check every hour gives one a day even if the service was
 * stopped for a time.
 */
export const backupDue = async (db: Db, folder: string, now: Date): Promise<boolean> => {
  const last = await firstValue<Date>(db)`
    select max(made_at) as at from backup_made where ${isIn(folder)}`
  return !last || now.getTime() - last.getTime() > 23.5 * 3_600_000
}

export const measureQueues = (db: Db) =>
  rowsOf<{
    queue: string
    /** Jobs that are due and wait for a worker. */
    waiting: number
    /** Jobs that a worker has fetched. */
    active: number
    /** How long the oldest due job has waited. */
    oldestSeconds: number
  }>(db)`
    select name as queue,
      count(*) filter (where state in ('created', 'retry') and start_after <= now()) as waiting,
      count(*) filter (where state = 'active') as active,
      coalesce(extract(epoch from now() - min(start_after) filter
        (where state in ('created', 'retry') and start_after <= now())), 0)::float8 as oldest_seconds
    from pgboss.job where state in ('created', 'retry', 'active') and left(name, 2) <> '__' group by name`

export const countBrokenFiles = (db: Db) => onlyValue<number>(db)`select count(*) from source_file`

export const databaseBytes = (db: Db) => onlyValue<number>(db)`select pg_database_size(current_database()) as bytes`
