// Connections to PostgreSQL: a pool behind Kysely. SQL uses snake_case, rows have camelCase fields.
import { CamelCasePlugin, Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { keysOf } from '../../common/typed.ts'
import { type ConnectionShare, type Connections, cancelablePool } from './cancelable-pool.ts'
import { executionModes } from './copy-rows.ts'
import { defaultGroup, routeGroups, type ShardMap, shardMap } from './shard-groups.ts'

export type Db = Kysely<unknown>

export interface Database {
  db: Db
  pool: pg.Pool
  /** The same database for one request: its query ends with the signal, and it uses no more connections at once than the share allows. */
  within(signal: AbortSignal, share?: ConnectionShare): Db
  /** In which group each market is. Several pools of one process can share it. */
  shards: ShardMap
  close(): Promise<void>
}

export interface DatabaseOptions {
  connectionString?: string
  /** For the embedded server: the folder of its Unix socket. */
  socketDir?: string
  database?: string
  user?: string
  poolSize?: number
  applicationName?: string
  statementTimeoutMs?: number
  /** How long a caller waits for a free or new connection. */
  connectionTimeoutMs?: number
  /** How long a caller waits for the result of a query from a server that has stopped answering; no limit by default. */
  queryTimeoutMs?: number
  /** How many more processes one query may use. Defaults to the server's setting. */
  parallelWorkers?: number
  /** The schema whose tables every statement of this handle finds, instead of those of the statement's market. */
  group?: string
  /** The map of another pool: a pool whose callers can use it up should not have to read its own. */
  shards?: ShardMap
  /** Gives a connection to another server when this one cannot be connected to. */
  onUnreachable?: () => Promise<pg.PoolClient>
}

export { defaultGroup }

export const openDatabase = (options: DatabaseOptions): Database => {
  const pool = new pg.Pool({
    ...serverAddress(options),
    max: options.poolSize ?? 10,
    application_name: connectionName(options.applicationName ?? 'lotline'),
    connectionTimeoutMillis: options.connectionTimeoutMs ?? 10_000,
    query_timeout: options.queryTimeoutMs,
    onConnect: applySettings(options),
    types: { getTypeParser },
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  // The pool does not listen to connections in use: one that breaks between two statements would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  const connections = options.onUnreachable ? orElse(pool, options.onUnreachable) : pool
  const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })]
  const shards = options.shards ?? shardMap(connections)
  const { group } = options
  const within = (signal?: AbortSignal, share?: ConnectionShare): Db => {
    const handle = (schema: () => Promise<string>) =>
      new Kysely<unknown>({
        dialect: new PostgresDialect({ pool: cancelablePool(connections, schema, signal, share) }),
        plugins,
      })
    const bind = (schema: () => Promise<string>): Db => routeGroups(handle(schema), shards, bind)
    return group === undefined ? bind(shards.wholeSchema) : handle(async () => group)
  }
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= pool.end()
    return closed
  }
  return { db: within(), pool, within, shards, close }
}

/** With the process, so that an operator, and a process that stops the server, can tell whose connection it is. */
export const connectionName = (name: string): string => `${name} ${process.pid}`

const orElse = (pool: pg.Pool, other: () => Promise<pg.PoolClient>): Connections => ({
  connect: () => pool.connect().catch(other),
  end: () => pool.end(),
  options: pool.options,
})

/**
 * Every connection finds the tables of its group first, then the shared ones, so that SQL names tables without a schema. Sent as a
 * statement before the connection is used: poolers such as PgBouncer reject settings in the startup message.
 */
const applySettings = (options: DatabaseOptions) => {
  const settings: Record<string, string | number> = {
    search_path: `${options.group ?? defaultGroup}, public`,
    // Jobs whose statements take longer set their own limit.
    statement_timeout: options.statementTimeoutMs ?? 15_000,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 60_000,
    // The view of a search row joins eight relations, and a load joins them to its list of homes. Above this limit (8 by default)
    // PostgreSQL keeps the written order and reads the whole market first.
    join_collapse_limit: 10,
    ...(options.parallelWorkers === undefined ? {} : { max_parallel_workers_per_gather: options.parallelWorkers }),
  }
  const text = `select ${keysOf(settings).map((name, i) => `set_config('${name}', $${i + 1}, false)`)}`
  const values = Object.values(settings).map(String)
  const timeoutMs = options.queryTimeoutMs ?? options.connectionTimeoutMs ?? 10_000
  return async (client: pg.ClientBase): Promise<void> => {
    await client.query({ text, values, query_timeout: timeoutMs } as pg.QueryConfig)
  }
}

/** Where the server is. */
export const serverAddress = (options: DatabaseOptions): pg.PoolConfig =>
  options.connectionString
    ? { connectionString: options.connectionString }
    : { host: options.socketDir, database: options.database ?? 'lotline', user: options.user ?? 'lotline' }

/**
 * The first value of a statement that is parsed once per connection and may keep its plan, because its text does not depend on
 * the request. Planning a join of five tables takes longer than reading 25 rows.
 */
export const prepared = sql``

type Statement<Result> = (text: TemplateStringsArray, ...values: unknown[]) => Promise<Result>

/** Runs a statement: rowsOf<Row>(db)`select …`. */
export const rowsOf =
  <Row = unknown>(db: Db): Statement<Row[]> =>
  async (text, ...values) => {
    const query = sql<Row>(text, ...values).compile(db)
    if (values[0] === prepared) executionModes.set(query.parameters, 'prepared')
    return (await db.executeQuery(query)).rows
  }

/** The rows without their nulls. */
export const knownRows =
  <Row extends object>(db: Db): Statement<Known<Row>[]> =>
  async (text, ...values) =>
    (await rowsOf<Row>(db)(text, ...values)).map((row) => withoutNulls(row))

/** The first row, if there is one. */
export const firstRow =
  <Row>(db: Db): Statement<Row | undefined> =>
  async (text, ...values) =>
    (await rowsOf<Row>(db)(text, ...values))[0]

/** The row of a statement that always has one. */
export const onlyRow =
  <Row>(db: Db): Statement<Row> =>
  async (text, ...values) =>
    (await rowsOf<Row>(db)(text, ...values))[0]!

/** The values of a statement with one column. */
export const valuesOf =
  <Value>(db: Db): Statement<Value[]> =>
  async (text, ...values) =>
    (await rowsOf<object>(db)(text, ...values)).map((row) => Object.values(row)[0])

/** The value in the first row; undefined if there is no row, or it is null. */
export const firstValue =
  <Value>(db: Db): Statement<Value | undefined> =>
  async (text, ...values) =>
    (await valuesOf<Value | null>(db)(text, ...values))[0] ?? undefined

export const onlyValue =
  <Value>(db: Db): Statement<Value> =>
  async (text, ...values) =>
    (await valuesOf<Value>(db)(text, ...values))[0]!

export const anyRow =
  (db: Db): Statement<boolean> =>
  async (text, ...values) =>
    (await rowsOf(db)(text, ...values)).length > 0

/** Runs a statement that writes, and tells how many rows it wrote. */
export const execute =
  (db: Db): Statement<number> =>
  async (text, ...values) =>
    Number((await sql(text, ...values).execute(db)).numAffectedRows ?? 0n)

/** Runs `work` in one transaction; anything thrown rolls all of it back. */
export const inTransaction = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work)

/** Dates stay text, because a date has no time zone. Counts and amounts become numbers, exact up to 2^53. */
const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.NUMERIC, Number],
  [pg.types.builtins.DATE, (text) => text],
])
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  const parser = parsers.get(oid)
  return parser && format !== 'binary' ? parser : pg.types.getTypeParser(oid, format as 'text')
}

/** A row without its nulls: a column that may be null is an optional field. */
export type Known<T> = { [K in keyof T as null extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as null extends T[K] ? K : never]?: Exclude<T[K], null>
}

/** Deletes the fields that are null, in place: an unknown fact is a missing field. */
export const withoutNulls = <T extends object>(row: T): Known<T> => {
  for (const key of keysOf(row)) if (row[key] === null) delete row[key]
  return row as Known<T>
}

export { sql }
