// The one way to PostgreSQL: a pool behind Kysely. SQL is snake_case, rows come out camelCase.
import { CamelCasePlugin, Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import pg from 'pg'
import type { Schema } from './schema.ts'
import { isQueryTimeout } from './unavailable.ts'

export type Db = Kysely<Schema>

export interface Database {
  db: Db
  pool: pg.Pool
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
  /** The schema with the market data this handle reads and writes. Defaults to `g00`. */
  group?: string
}

/**
 * For a pool that serves requests: one that the database cannot answer in about two seconds gets 503 with Retry-After, well
 * before its HTTP connection times out. The client's own timeout is for a server that no longer enforces the statement's.
 */
export const requestTimeouts = { connectionTimeoutMs: 800, statementTimeoutMs: 1_500, queryTimeoutMs: 1_800 } as const

/** The group that markets are in unless they are moved. */
export const defaultGroup = 'g00'

export const openDatabase = (options: DatabaseOptions): Database => {
  const pool = new pg.Pool({
    ...poolAddress(options),
    max: options.poolSize ?? 10,
    application_name: options.applicationName ?? 'lotline',
    // A query that runs longer than this is a fault, not patience; jobs that need longer say so.
    statement_timeout: options.statementTimeoutMs ?? 15_000,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 60_000,
    connectionTimeoutMillis: options.connectionTimeoutMs ?? 10_000,
    query_timeout: options.queryTimeoutMs,
    types: { getTypeParser },
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  // Nor is one in use listened to by the pool: cut between two statements of a transaction, it would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: closingStalled(pool) }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
  return { db, pool, close: () => db.destroy() }
}

/** Closes a connection whose query timed out: its server may never answer, and later queries would wait behind that one. */
const closingStalled = (pool: pg.Pool): PostgresPool => ({
  connect: async () => {
    const client = await pool.connect()
    let closed = false
    const query = async (text: string, parameters: readonly unknown[]) => {
      try {
        return await client.query(text, [...parameters])
      } catch (error) {
        if (!closed && isQueryTimeout(error)) {
          closed = true
          client.release(true)
        }
        throw error
      }
    }
    return { query: query as unknown as PostgresPoolClient['query'], release: () => void (closed || client.release()) }
  },
  end: () => pool.end(),
  options: pool.options,
})

/**
 * Every connection finds the tables of its group first, then the shared ones, so that SQL names tables without a schema. Set
 * when the connection opens: a statement sent later could be overtaken by the first query.
 */
export const poolAddress = (options: DatabaseOptions): pg.PoolConfig => {
  const searchPath = `-c search_path=${options.group ?? defaultGroup},public`
  return options.connectionString
    ? { connectionString: withOptions(options.connectionString, searchPath) }
    : {
        host: options.socketDir,
        database: options.database ?? 'lotline',
        user: options.user ?? 'lotline',
        options: searchPath,
      }
}

/** `options` in a URL would replace ours, so they are joined there. */
const withOptions = (url: string, added: string): string => {
  const given = /([?&]options=)([^&#]*)/
  if (given.test(url))
    return url.replace(given, (_, name: string, value: string) => `${name}${value}%20${encodeURIComponent(added)}`)
  return `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent(added)}`
}

/** Runs `work` in one transaction; anything thrown rolls all of it back. */
export const inTransaction = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work)

/** Dates stay text (a day has no time zone); counts and money come out as numbers, exact up to 2^53. */
const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.NUMERIC, Number],
  [pg.types.builtins.DATE, (text) => text],
])
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  const own = parsers.get(oid)
  return own && format !== 'binary' ? own : pg.types.getTypeParser(oid, format as 'text')
}

/** A row without its nulls: a column that may be null is an optional field. */
export type Known<T> = { [K in keyof T as null extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as null extends T[K] ? K : never]?: Exclude<T[K], null>
}

/** Null columns are unknown facts: they leave as missing fields. */
export const withoutNulls = <T extends object>(row: T): Known<T> => {
  for (const key of Object.keys(row) as (keyof T)[]) if (row[key] === null) delete row[key]
  return row as Known<T>
}

export { sql }
