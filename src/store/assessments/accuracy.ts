// Measured accuracy of the models. The newest row per model and market is served.
import { type Db, sql } from '../engine/database.ts'
import type { AccuracyTable } from '../engine/schema.ts'
import { groupOf } from '../engine/shard-groups.ts'

export const latestAccuracy = async (db: Db): Promise<AccuracyTable[]> => {
  const { rows } = await sql<AccuracyTable>`
    select distinct on (name, market) name, market, measured_at, data, model_version, measures
    from accuracy order by name, market, measured_at desc`.execute(db)
  return rows
}

export const recordAccuracy = (db: Db, row: AccuracyTable) =>
  sql`insert into accuracy (name, market, measured_at, data, model_version, measures)
    values (${row.name}, ${row.market}, ${row.measuredAt}, ${row.data}, ${row.modelVersion}, ${JSON.stringify(row.measures)})
    on conflict (market, name, measured_at) do update set measures = excluded.measures, data = excluded.data`.execute(
    groupOf(db, row.market),
  )

/** Figures of a model that the market no longer has would be read as those of what is served. */
export const removeAccuracyExcept = (db: Db, market: AccuracyTable['market'], names: readonly string[]) =>
  sql`delete from accuracy where market = ${market} and name <> all(${names}::text[])`.execute(groupOf(db, market))

export const removeValueAccuracy = (db: Db, market: AccuracyTable['market']) =>
  sql`delete from accuracy where market = ${market} and name like 'value-%'`.execute(groupOf(db, market))

/** How many homes and sales of a market have coordinates, without which there are no values. */
export const locatedRecords = async (
  db: Db,
  market: AccuracyTable['market'],
): Promise<Record<'homes' | 'homesLocated' | 'sales' | 'salesLocated', number>> => {
  const { rows } = await sql<Record<'homes' | 'homesLocated' | 'sales' | 'salesLocated', number>>`
    select (select count(*) from property where market = ${market} and removed_at is null) as homes,
      (select count(lat) from property where market = ${market} and removed_at is null) as homes_located,
      count(*) as sales, count(coalesce(p.lat, s.lat)) as sales_located
    from sale s left join property p on p.market = s.market and p.id = s.property_id
    where s.market = ${market} and s.removed_at is null`.execute(groupOf(db, market))
  return rows[0]!
}

/** Homes with a value estimate. */
export const valuedHomes = async (db: Db, market: AccuracyTable['market']): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(value_usd) from assessment where market = ${market}`.execute(groupOf(db, market))
  return rows[0]!.count
}
