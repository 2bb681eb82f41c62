// Bytes per row of each table, and what they come to for a number of parcels: what to expect of a larger market.
import { type Db, onlyRow, rowsOf, sql } from './database.ts'
import { shardGroups } from './migrate.ts'
import { retentionDays } from './prune.ts'
import { sizeOf } from './shards.ts'

interface TableSize {
  table: string
  rows: number
  bytes: number
  /** How many rows more there will be in a year, at the rate of the last 30 days; undefined for tables that do not grow with time. */
  rowsMore?: number
}

/** Shared tables that grow with time, the column that dates a row, and the days it is kept. */
const kept = [
  ['event', 'created_at', retentionDays.events],
  ['delivery', 'created_at', retentionDays.deliveries],
  ['watch_match', 'changed_at', retentionDays.watchMatches],
  ['waiting_match', 'changed_at', retentionDays.waitingMatches],
] as const

/** Tables of a group that grow with time, and the column that dates a row. */
const dated: Readonly<Record<string, string>> = {
  permit: 'issued_on',
  permit_search: 'issued_on',
  sale: 'sold_on',
  sale_search: 'sold_on',
  rent: 'as_of',
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
  const add = async (schema: string, table: string, column: string | undefined, keptDays?: number) => {
    // What was written on the first day is not growth. A sample has forecasts of the days before it was loaded.
    const [firstTable, firstColumn] = table === 'forecast' ? ['assess_run', 'started_at'] : [table, column]
    const recent =
      column === undefined
        ? sql`null`
        : sql`count(*) filter (where ${sql.ref(column)} >= ${since} and ${sql.ref(column)}::date >
            (select min(${sql.ref(firstColumn!)})::date from ${sql.id(schema, firstTable)}))`
    const { rows, recent: added } = await onlyRow<{ rows: number; recent: number | null }>(db)`
      select count(*) as rows, ${recent} as recent from ${sql.id(schema, table)}`
    const before = sizes.get(table) ?? { table, rows: 0, bytes: 0 }
    const perDay = (added ?? 0) / 30
    const more = keptDays === undefined ? perDay * 365 : Math.max(0, perDay * keptDays - rows)
    sizes.set(table, {
      table,
      rows: before.rows + rows,
      bytes: before.bytes + (await sizeOf(db, schema, table)),
      ...(column === undefined ? {} : { rowsMore: (before.rowsMore ?? 0) + more }),
    })
  }
  for (const group of await shardGroups(db)) {
    const rows = await rowsOf<{ name: string }>(db)`
      select relname as name from pg_class
      where relnamespace = ${group}::regnamespace and relkind = 'r' and relpersistence = 'p' order by 1`
    for (const { name } of rows) await add(group, name, dated[name])
  }
  for (const [table, column, days] of kept) await add('public', table, column, days)
  return [...sizes.values()].filter(({ rows }) => rows > 0).sort((a, b) => b.bytes - a.bytes)
}
