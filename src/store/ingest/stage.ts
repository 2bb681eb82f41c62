// Checked rows are copied into a staging table, then matched and merged by a few statements over all rows. Staging tables are
// ordinary unlogged tables in the schema of the group, named after their run and dropped after it. Temporary tables would not
// work: they exist on one node only, and the group may be on another.

import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { type FactName, factTable, homeFactNames, lotFactNames } from '../../domain/fact-table.ts'
import type { Holding } from '../../domain/facts.ts'
import { columnOf } from '../engine/columns.ts'
import { type Database, type Db, defaultGroup, execute, rowsOf, sql } from '../engine/database.ts'
import { statementChannel } from '../engine/trace-channels.ts'

/** A separate connection that holds the lock of the source. */
export interface IngestSession {
  client: pg.PoolClient
  /** Bound to the group. */
  db: Db
  group: string
  /** The run whose staging table is open. */
  stagedRun?: number
}

/** The staging tables of a run in a group. All but `rows` exist only within the transaction that loads it. */
export const stageTables = (runId: number, group: string) => {
  const table = (part: string) => sql.id(group, `stage_${runId}${part}`)
  return {
    /** The checked rows. */
    rows: table(''),
    /** The property of each row of listings, sales and permits that matches one. */
    match: table('_match'),
    /** The property each row of parcels updates. */
    target: table('_target'),
    /** Properties changed by this run, with the columns that records are matched by. */
    changed: table('_changed'),
    /** The listing of each changed property that becomes current. */
    current: table('_current'),
    /** Rows with the same key as another row. */
    duplicates: table('_duplicates'),
    /** Ids of rejected rows. */
    rejected: table('_rejected'),
    /** Keys of rows the feed no longer contains. */
    removed: table('_removed'),
    /** Stored permits whose city the feed corrects. */
    corrected: table('_corrected'),
  }
}
export type StageTables = ReturnType<typeof stageTables>

/** Drops the staging tables of a run that exist, in every group. */
export const dropStage = async (db: Db, runId: number): Promise<void> => {
  const rows = await rowsOf<{ group: string; name: string }>(db)`
    select n.nspname as group, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and (c.relname = ${`stage_${runId}`} or c.relname like ${`stage\\_${runId}\\_%`})`
  if (rows.length > 0)
    await execute(db)`drop table if exists ${sql.join(rows.map(({ group, name }) => sql.id(group, name)))}`
}

/** The group of a source's market, where its rows are staged. A source without a market is staged in the default group. */
const stagingGroup = async (client: pg.PoolClient, market: string | undefined): Promise<string> => {
  const { rows } = await client.query<{ group: string }>(
    'select shard_group as group from public.market where id = $1',
    [market],
  )
  return rows[0]?.group ?? defaultGroup
}

/** A checked row. Keys are column names in camelCase; unknown values are missing. */
export type StagedRow = Record<string, unknown>

export const withIngestSession = async <T>(
  { pool, db }: Pick<Database, 'pool' | 'db'>,
  source: { id: string; market?: string | undefined },
  work: (session: IngestSession) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> => {
  signal?.throwIfAborted()
  const client = await pool.connect()
  // The next statement reports the error. Without a listener it would end the process.
  client.on('error', () => {})
  // Ends the session on the server, so that a long statement is rolled back and its locks are free for the next process.
  let backend: number | undefined
  const end = () => void pool.query('select pg_terminate_backend($1)', [backend]).catch(() => {})
  signal?.addEventListener('abort', end, { once: true })
  const session: IngestSession = { client, db: overClient(client), group: defaultGroup }
  try {
    // No time limits: a load may take long, and a second run of the same source waits for the first.
    await client.query(
      `set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
       set work_mem = '48MB'; set gin_pending_list_limit = '64MB'`,
    )
    // Asked, because through a pooler the connection's own process number is that of the pooler.
    backend = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [`lotline:source:${source.id}`])
    session.group = await stagingGroup(client, source.market)
    await client.query(`set search_path to ${session.group}, public`)
    return await work(session)
  } finally {
    signal?.removeEventListener('abort', end)
    // Closed instead of returned to the pool, which ends its settings and its lock.
    client.release(true)
    // If the database is unavailable, the next run of the source drops the tables.
    if (session.stagedRun !== undefined) await dropStage(db, session.stagedRun).catch(() => {})
  }
}

/** Kysely over one connection, for the functions that take a `Db`. */
const overClient = (client: pg.PoolClient): Db => {
  const query = (text: string, values: unknown[]) =>
    statementChannel.tracePromise(() => client.query(text, values), { text })
  const pool = { connect: async () => ({ query, release: () => {} }), end: async () => {} }
  return new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: pool as never }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}

/** Columns that identify and place a record. */
export const placeColumns =
  'market text, state text, city text, city_slug text, apn text, apn_key text, address text, address_key text, lat float8, lng float8, source_url text'
/** `living_sqft float8, lot_sqft float8, …` */
const columnsOf = (names: readonly FactName[]): string =>
  names.map((name) => `${columnOf(name)} ${sqlTypes[factTable[name].type]}`).join(', ')
const sqlTypes = {
  number: 'float8',
  integer: 'int',
  year: 'int',
  boolean: 'boolean',
  text: 'text',
  propertyType: 'text',
} as const
const home = columnsOf(homeFactNames)

/** Columns that each data set stores, named as in its table. */
export const recordColumns: Readonly<Record<Holding, string>> = {
  parcels: `${placeColumns}, zip text, county text, source_record_id text, ${home}, ${columnsOf(lotFactNames)}, overlays jsonb`,
  listings: `${placeColumns}, listing_id text, status text, raw_status text, price_usd float8, original_price_usd float8, listed_on date,
    pending_on date, sold_on date, sold_price_usd float8, ${home}, remarks text, photo_urls text[], listing_url text,
    vision_analysis text`,
  sales: `${placeColumns}, sale_id text, sold_on date, price_usd float8, list_price_usd float8, listed_on date, days_on_market int, ${home},
    remarks text`,
  permits: `${placeColumns}, permit_id text, project_type text, description text, valuation_usd float8, raw_valuation text, sqft float8, units int,
    contractor text, contractor_key text, contractor_license text, architect text, applied_on date, issued_on date, finaled_on date, status text, raw_status text,
    permit_class text, class_words text[], other_addresses text[], other_address_keys text[]`,
  rents: `market text, city text, city_slug text, zip text, county text, rent_id text, bedrooms int, amount_usd float8, as_of date,
    statistic text, source_url text`,
  layer: 'market text, kind text, value text, about jsonb, parts json, hash text',
}

const stageOnly: Readonly<Record<Holding, string>> = {
  parcels: 'n int, id text, modified_at text, dated_on date, raw jsonb, outline json, bounds box',
  listings: 'n int, id text, zip text, modified_at text, raw jsonb',
  sales: 'n int, modified_at text, raw jsonb',
  permits: 'n int, modified_at text, raw jsonb',
  // The keys are always empty: a rent is matched to no property.
  rents: 'n int, modified_at text, raw jsonb, apn_key text, address_key text',
  layer: 'n int, city_slug text, apn_key text, address_key text',
}

export const columnNames = (columns: string): string[] =>
  columns.split(',').map((column) => column.trim().split(' ')[0]!)

export type Stage = Awaited<ReturnType<typeof openStage>>

export const openStage = async (session: IngestSession, runId: number, holds: Holding) => {
  const { client, db, group } = session
  const columns = `${stageOnly[holds]}, ${recordColumns[holds]}`
  const name = `${group}.stage_${runId}`
  session.stagedRun = runId
  await sql.raw(`create unlogged table ${name} (${columns})`).execute(db)
  const keys = columnNames(columns).map((name) =>
    name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
  )
  const stream = client.query(copyFrom(`copy ${name} (${columnNames(columns).join(', ')}) from stdin`))
  let broken: Error | undefined
  stream.on('error', (error) => {
    broken = error
  })
  return {
    write: async (rows: readonly StagedRow[]) => {
      if (broken) throw broken
      let text = ''
      for (const row of rows) text += line(row, keys)
      if (text !== '' && !stream.write(text)) await drained(stream)
      if (broken) throw broken
    },
    end: async () => {
      if (broken) throw broken
      stream.end()
      await once(stream, 'finish')
      await sql.raw(`alter table ${name} add primary key (n)`).execute(db)
      // Only columns used in joins: the others are wide and would take seconds.
      await sql
        .raw(`analyze ${name} (n, market, city_slug, apn_key, address_key${keys.includes('id') ? ', id' : ''})`)
        .execute(db)
    },
    abandon: async () => {
      stream.destroy()
    },
  }
}

/** Resolves when the stream accepts data again or is closed. */
const drained = (stream: Writable): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done)
      stream.off('close', done)
      resolve()
    }
    stream.on('drain', done)
    stream.on('close', done)
  })

/** A line of COPY's text format. */
const line = (row: StagedRow, keys: readonly string[]): string => {
  let text = ''
  for (let at = 0; at < keys.length; at += 1) text += (at === 0 ? '' : '\t') + copyValue(row[keys[at]!])
  return `${text}\n`
}

const copyValue = (value: unknown): string => {
  switch (typeof value) {
    case 'string':
      return special.test(value) ? escaped(value) : value
    case 'number':
      return String(value)
    case 'boolean':
      return value ? 't' : 'f'
    case 'object':
      if (value === null) return '\\N'
      return escaped(Array.isArray(value) ? arrayLiteral(value) : storableJson(value))
    default:
      return '\\N'
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL text cannot contain NUL
const special = /[\\\t\n\r\u0000]/
const escaped = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL text cannot contain NUL
  text.replace(/[\\\t\n\r\u0000]/g, (mark) => escapes[mark] ?? '')
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

const arrayLiteral = (items: readonly unknown[]): string =>
  `{${items.map((item) => `"${String(item).replace(/["\\]/g, '\\$&')}"`).join(',')}}`

/** JSON that jsonb accepts: it rejects NUL and unpaired surrogates. */
export const storableJson = (value: unknown): string => {
  const text = JSON.stringify(value)
  return /\\u0000|\\ud[89a-f]/i.test(text)
    ? text.replace(/(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/gi, '$1\ufffd')
    : text
}
