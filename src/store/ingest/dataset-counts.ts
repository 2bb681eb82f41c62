// Rows by data set, city and source. A load changes the counts by the difference its rows make, so that neither coverage nor a
// small feed counts a whole table.
import { keysOf } from '../../common/typed.ts'
import type { Dataset } from '../../domain/facts.ts'
import { notifyData } from '../assessments/assessments.ts'
import { tableOfRows } from '../engine/columns.ts'
import { type Db, execute, inTransaction, rowsOf, sql } from '../engine/database.ts'
import type { DatasetCountTable } from '../engine/schema.ts'
import { groupOf, shareLockMarkets } from '../engine/shard-groups.ts'
import { indexBuilders } from '../permits/builders.ts'
import { marketLock } from './market-lock.ts'
import type { Merge } from './merge.ts'
import { recordKeys, sameRecord } from './record-keys.ts'

type Count = Pick<DatasetCountTable, 'market' | 'citySlug' | 'sourceId' | 'city' | 'rows' | 'removed' | 'newestOn'>

/** Runs `merge` and counts what it changed in the rows that are staged before and after it. */
export const updateCounts = async <T>(tx: Db, holds: Dataset, merge: Merge, work: () => Promise<T>): Promise<T> => {
  const { table, key } = recordKeys[holds]
  const before = await stagedCounts(tx, holds, merge)
  const result = await work()
  // Without statistics the planner may read the whole market for each staged row, or all rows that the run wrote for each of them.
  if (merge.firstLoad) await sql.raw(`analyze ${table} (${key.join(', ')}, updated_at, removed_at)`).execute(tx)
  await addCounts(tx, holds, difference(before, await stagedCounts(tx, holds, merge)))
  return result
}

/** The date of a record. That of a parcel is what its feed says; most feeds say nothing, and the day of the load is not a date of the data. */
const dated: Readonly<Record<Dataset, ReturnType<typeof sql>>> = {
  parcels: sql`s.dated_on`,
  listings: sql`greatest(t.listed_on, t.pending_on, t.sold_on)`,
  sales: sql`t.sold_on`,
  permits: sql`t.issued_on`,
  rents: sql`t.as_of`,
}

/** The stored row of each staged row. */
const stagedJoin = (holds: Dataset, { stage, sourceId }: Merge) =>
  holds === 'parcels'
    ? sql`
      (select s.market, coalesce(g.property_id, s.id) as id, s.dated_on from ${stage.rows} s left join ${stage.target} g on g.n = s.n) s
      join property t on ${sameRecord(holds, sourceId)} and t.known_from = 'parcel' and t.source_id is not null`
    : sql`${stage.rows} s join ${sql.raw(recordKeys[holds].table)} t on ${sameRecord(holds, sourceId)}`

const stagedCounts = (tx: Db, holds: Dataset, merge: Merge) =>
  rowsOf<Count>(tx)`
    select t.market, t.city_slug, t.source_id, coalesce(max(t.city), t.city_slug) as city, count(*) as rows,
      count(t.removed_at) as removed, max(${dated[holds]}) as newest_on
    from ${stagedJoin(holds, merge)} group by t.market, t.city_slug, t.source_id`

const difference = (before: readonly Count[], after: readonly Count[]): Count[] => {
  const keyOf = ({ market, citySlug, sourceId }: Count) => JSON.stringify([market, citySlug, sourceId])
  const changes = new Map(after.map((count) => [keyOf(count), { ...count }]))
  for (const count of before) {
    const change = changes.get(keyOf(count)) ?? { ...count, rows: 0, removed: 0, newestOn: null }
    change.rows -= count.rows
    change.removed -= count.removed
    changes.set(keyOf(count), change)
  }
  return [...changes.values()]
}

const addCounts = async (tx: Db, holds: Dataset, changes: readonly Count[]): Promise<void> => {
  if (changes.length === 0) return
  const types = {
    ...{ market: 'text', citySlug: 'text', sourceId: 'text', city: 'text' },
    ...{ rows: 'int', removed: 'int', newestOn: 'date' },
  }
  await execute(tx)`
    insert into dataset_count as c (market, dataset, city_slug, source_id, city, rows, removed, newest_on)
    select d.market, ${holds}, d.city_slug, d.source_id, d.city, d.rows, d.removed, d.newest_on
    from ${tableOfRows(changes, types, 'd')}
    on conflict (market, dataset, city_slug, source_id) do update set city = excluded.city, rows = c.rows + excluded.rows,
      removed = c.removed + excluded.removed, newest_on = greatest(c.newest_on, excluded.newest_on)`
}

/** Part of a statement with `done`, the rows it marked (+) or unmarked (-) as removed: market, city_slug and source_id. */
export const countRemoved = (holds: Dataset, sign: '+' | '-') => sql`
  update dataset_count c set removed = c.removed ${sql.raw(sign)} d.rows
  from (select market, city_slug, source_id, count(*) as rows from done group by 1, 2, 3) d
  where c.market = d.market and c.dataset = ${holds} and c.city_slug = d.city_slug and c.source_id = d.source_id`

/** Counts every row and every builder of a market while no load of it runs. */
export const recountMarket = (db: Db, market: string): Promise<void> =>
  inTransaction(groupOf(db, market), async (tx) => {
    await execute(tx)`set local statement_timeout = 0`
    await execute(tx)`set local lock_timeout = 0`
    await execute(tx)`select pg_advisory_xact_lock(${marketLock(market)})`
    await shareLockMarkets(tx, [market])
    await countRows(tx, market)
    await indexBuilders(tx, market)
    await notifyData(tx, market)
  })

/** Counts every row of a market. The caller holds its lock. */
export const countRows = async (tx: Db, market: string): Promise<void> => {
  // Parcels do not keep the date that their feed gave, so the latest one stays.
  const parcels = await rowsOf<Pick<Count, 'citySlug' | 'sourceId' | 'newestOn'>>(tx)`
      select city_slug, source_id, newest_on from dataset_count
      where market = ${market} and dataset = 'parcels' and newest_on is not null`
  await execute(tx)`delete from dataset_count where market = ${market}`
  for (const holds of keysOf(recordKeys)) {
    const city = holds === 'listings' ? sql`coalesce(max(t.city), max(p.city))` : sql`max(t.city)`
    await execute(tx)`
        insert into dataset_count (market, dataset, city_slug, source_id, city, rows, removed, newest_on)
        select t.market, ${holds}, t.city_slug, t.source_id, ${city}, count(*), count(t.removed_at),
          ${holds === 'parcels' ? sql`null::date` : sql`max(${dated[holds]})`}
        from ${sql.raw(recordKeys[holds].table)} t
        ${holds === 'listings' ? sql`join property p on p.market = t.market and p.id = t.property_id` : sql``}
        where t.market = ${market}
        ${holds === 'parcels' ? sql`and t.known_from = 'parcel' and t.source_id is not null` : sql``}
        group by t.market, t.city_slug, t.source_id`
  }
  await execute(tx)`
      update dataset_count c set newest_on = d.newest_on
      from ${tableOfRows(parcels, { citySlug: 'text', sourceId: 'text', newestOn: 'date' }, 'd')}
      where c.market = ${market} and c.dataset = 'parcels' and c.city_slug = d.city_slug and c.source_id = d.source_id`
}
