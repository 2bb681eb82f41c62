// Bytes per row of each table, and what they come to for a number of parcels: what to expect of a larger market.
import { type Db, sql } from './database.ts'
import { shardGroups } from './migrate.ts'
import { sizeOf } from './shards.ts'

interface TableSize {
  table: string
  rows: number
  bytes: number
  /** Rows of the last 30 days by their own date; undefined for tables that do not grow with time. */
  recent?: number
}

/** Tables that grow with time, and the column that dates a row. */
const dated: Readonly<Record<string, string>> = {
  permit: 'issued_on',
  sale: 'sold_on',
  listing: 'listed_on',
  assessment_history: 'changed_at',
  value_change: 'changed_at',
  listing_change: 'changed_at',
  permit_change: 'changed_at',
  forecast: 'made_on',
  market_series: 'period',
}

export const tableSizes = async (db: Db, now: Date): Promise<TableSize[]> => {
  const since = new Date(now.getTime() - 30 * 86_400_000)
  const sizes = new Map<string, TableSize>()
  const add = async (schema: string, table: string, column: string | undefined) => {
    // What was written on the first day is not growth.
    const recent =
      column === undefined
        ? sql`null`
        : sql`count(*) filter (where ${sql.ref(column)} >= ${since} and ${sql.ref(column)}::date >
            (select min(${sql.ref(column)})::date from ${sql.id(schema, table)}))`
    const { rows } = await sql<{ rows: number; recent: number | null }>`
      select count(*) as rows, ${recent} as recent from ${sql.id(schema, table)}`.execute(db)
    const before = sizes.get(table) ?? { table, rows: 0, bytes: 0 }
    sizes.set(table, {
      table,
      rows: before.rows + rows[0]!.rows,
      bytes: before.bytes + (await sizeOf(db, schema, table)),
      ...(column === undefined ? {} : { recent: (before.recent ?? 0) + (rows[0]!.recent ?? 0) }),
    })
  }
  for (const group of await shardGroups(db)) {
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class
      where relnamespace = ${group}::regnamespace and relkind = 'r' and relpersistence = 'p' order by 1`.execute(db)
    for (const { name } of rows) await add(group, name, dated[name])
  }
  for (const table of ['event', 'delivery']) await add('public', table, 'created_at')
  for (const table of ['watch_match', 'waiting_match']) await add('public', table, 'changed_at')
  return [...sizes.values()].filter(({ rows }) => rows > 0).sort((a, b) => b.bytes - a.bytes)
}
