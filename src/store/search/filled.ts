// How many rows have a value, by field, for the share that GET /v1/fields serves.

import type { Dataset } from '../../domain/facts.ts'
import { marketIds } from '../../domain/packs/markets.ts'
import type { FeedProfile } from '../../domain/packs/source-config.ts'
import { type Db, onlyRow, onlyValue, sql, valuesOf } from '../engine/database.ts'
import { askEachGroup } from '../engine/shard-groups.ts'
import { permitColumns } from '../permit-search/columns.ts'
import type { Sql } from './compile.ts'
import { saleColumns } from './sale-facts.ts'

/** Of a larger table, the pages with about this many rows are counted: more would not change a percentage. */
const rowsCounted = 50_000

/** `rows` is the number of rows. `columns`: of property_search. */
export const filledProperties = (db: Db, kind: 'listings' | 'parcels', columns: readonly string[]) =>
  filledValues(
    db,
    'property_search',
    Object.fromEntries(columns.map((column) => [column, sql.ref(column)])),
    kind === 'listings' ? sql`status is not null` : sql`not removed`,
  )

/** Of permits that are issued. */
export const filledPermits = (db: Db): Promise<Record<string, number>> =>
  filledValues(db, 'permit_search', { ...permitColumns.numbers, ...permitColumns.texts }, sql`issued_on is not null`)

export const filledSales = (db: Db): Promise<Record<string, number>> =>
  filledValues(db, 'sale_search', { ...saleColumns.numbers, ...saleColumns.texts, zip: sql`s.zip` }, sql`true`, sql`s`)

const filledValues = async (
  db: Db,
  table: string,
  columns: Readonly<Record<string, Sql | undefined>>,
  condition: Sql = sql`true`,
  alias: Sql = sql``,
): Promise<Record<string, number>> => {
  const counts = Object.entries({ rows: sql`*`, ...columns }).map(
    ([name, column]) => sql`count(${column}) as ${sql.ref(name)}`,
  )
  const parts = await askEachGroup(db, marketIds(), async (group, markets) => {
    const size = await onlyValue<number>(group)`
      select reltuples::float8 as rows from pg_class where oid = to_regclass(${table})`
    const percent = Math.min(100, (100 * rowsCounted) / Math.max(1, size))
    const sample = percent < 100 ? sql`tablesample system (${percent}) repeatable (1)` : sql``
    const counted = await onlyRow<Record<string, number>>(group)`
      select ${sql.join(counts)} from ${sql.table(table)} ${alias} ${sample}
      where market = any(${markets}::text[]) and ${condition}`
    return Object.entries(counted).map(([name, count]) => [name, (count * 100) / percent] as const)
  })
  const total: Record<string, number> = {}
  for (const [name, count] of parts.flat()) total[name] = (total[name] ?? 0) + count
  return total
}

/** Rows and values by field that the last complete read of every source of a data set had. Counting the tables would read all of them. */
export const filledFields = async (db: Db, holds: Dataset): Promise<FeedProfile['fields'] & { rows: number }> => {
  const profiles = await valuesOf<FeedProfile>(db)`
    select r.filled from public.source s cross join lateral (
      select filled from public.ingest_run r
      where r.source_id = s.id and r.state = 'completed' and r.filled is not null and not (r.filled->>'changesOnly')::boolean
      order by r.id desc limit 1) r
    where s.holds = ${holds}`
  const total: FeedProfile['fields'] & { rows: number } = { rows: 0 }
  for (const { rows, fields } of profiles) {
    total.rows += rows
    for (const [name, count] of Object.entries(fields)) total[name] = (total[name] ?? 0) + count
  }
  return total
}
