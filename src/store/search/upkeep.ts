// Updates property_search in the transaction that changes a property, its current listing or its assessment.
import { searchColumns } from '../../criteria/search-columns.ts'
import type { MarketId } from '../../domain/facts.ts'
import { columnOf, comparedColumns } from '../engine/columns.ts'
import { type Db, execute, onlyValue, sql, valuesOf } from '../engine/database.ts'
import type { Sql } from './compile.ts'

/** Writes the rows of these properties that changed; true if there are any. */
export const indexPropertiesOf = (tx: Db, market: MarketId, ids: readonly string[]): Promise<boolean> =>
  indexProperties(tx, sql`t.market = ${market} and t.property_id = any(${ids}::text[])`)

/** Locks the rows of these properties, in the order of every other lock on them. */
export const lockSearchRows = async (tx: Db, market: MarketId, ids: readonly string[]): Promise<void> => {
  await lockRows(tx, sql`t.market = ${market} and t.property_id = any(${ids}::text[])`)
}

/** All rows of a market that changed. Reads the whole market, and locks only the rows that changed. */
export const indexMarket = async (tx: Db, market: MarketId): Promise<boolean> => {
  const ids = await valuesOf<string>(tx)`
    select s.property_id from property_search_source s
    left join property_search t on t.market = s.market and t.property_id = s.property_id
    where s.market = ${market} and (t.property_id is null or (${compared('t')}) is distinct from (${compared('s')}))
    order by s.property_id`
  return ids.length > 0 && indexPropertiesOf(tx, market, ids)
}

/** Names the definition of the rows. After a change of it, all of them have to be compared. */
export const searchDefinition = (db: Db) =>
  onlyValue<string>(db)`
    select md5(concat(obj_description(to_regclass('property_search_source'), 'pg_class'), ${columns.join()}::text))`

/** The properties whose records an ingest run has changed. */
export const indexTouched = async (tx: Db, markets: readonly string[], touchedAt: Date): Promise<void> => {
  await indexProperties(tx, ofTouched(markets, touchedAt))
}

const ofTouched = (markets: readonly string[], touchedAt: Date): Sql => sql`(t.market, t.property_id) in (
  select market, property_id from touched_property where market = any(${markets}) and touched_at = ${touchedAt})`

/** The same after a run of a layer. Of what a row holds, a layer changes only the overlays, and the rest need not be compared. */
export const indexOverlays = async (tx: Db, markets: readonly string[], touchedAt: Date): Promise<void> => {
  await lockRows(tx, ofTouched(markets, touchedAt))
  await execute(tx)`
    with s as materialized (
      select p.market, p.id, array(select o.key from jsonb_each_text(p.overlays) o where o.value = 'yes' order by o.key) as overlays_yes
      from touched_property t join property p on p.market = t.market and p.id = t.property_id
      where t.market = any(${markets}) and t.touched_at = ${touchedAt})
    update property_search t set overlays_yes = s.overlays_yes from s
    where t.market = s.market and t.property_id = s.id and t.overlays_yes is distinct from s.overlays_yes`
}

/**
 * `which` selects by market and property_id of `t`. An ingest run and an assessment may write the same property at the same time: each
 * locks the rows and then reads the source in a new statement, so the second one sees what the first has committed.
 */
const indexProperties = async (tx: Db, which: Sql): Promise<boolean> => {
  await lockRows(tx, which)
  // Materialized, because the values of a source row are used twice and are expensive to compute. Sorted, because all rows have to be
  // compared before the first is inserted: for a table that was empty when it was analyzed, the plan reads it once for each row.
  return onlyValue<boolean>(tx)`
    with s as materialized (select * from property_search_source t where ${which}),
    updated as (
      update property_search t set (${names}) = row(${values('s')}) from s
      where t.market = s.market and t.property_id = s.property_id
        and (${compared('t')}) is distinct from (${compared('s')})
      returning 1),
    inserted as (
      insert into property_search (market, property_id, ${names}) select s.market, s.property_id, ${values('s')} from s
      where not exists (select 1 from property_search t where t.market = s.market and t.property_id = s.property_id)
      order by s.market, s.property_id
      on conflict do nothing
      returning 1)
    select exists (select 1 from updated) or exists (select 1 from inserted) as changed`
}

const lockRows = (tx: Db, which: Sql) =>
  execute(tx)`select 1 from property_search t where ${which} order by t.market, t.property_id for no key update`

/** All columns but the key; those that take longest to compute and compare are last. */
const columns = [
  ...['city_slug', 'zip', 'removed', 'known_from_listing', 'pending_on'],
  ...searchColumns.homes.flatMap(({ column, computed }) => (computed ? [] : [columnOf(column)])),
  ...['sb9_blocked', 'adu_blocked', 'redevelopment_blocked', 'location', 'overlays_yes', 'deal'],
]
const names = sql.raw(columns.join(', '))
const values = (row: string) => sql.raw(columns.map((name) => `${row}.${name}`).join(', '))
const compared = (row: string) => comparedColumns(columns, row)
