// Updates property_search in the transaction that changes a property, its current listing or its assessment.
import type { MarketId } from '../../contract/facts.ts'
import { type Db, sql } from '../engine/database.ts'
import type { Sql } from './compile.ts'

/** Writes the rows of these properties that changed; true if there are any. */
export const indexPropertiesOf = (tx: Db, market: MarketId, ids: readonly string[]): Promise<boolean> =>
  indexProperties(tx, sql`t.market = ${market} and t.property_id = any(${ids as string[]}::text[])`)

export const indexMarket = (tx: Db, market: MarketId): Promise<boolean> =>
  indexProperties(tx, sql`t.market = ${market}`)

/** The properties whose records an ingest run has changed. */
export const indexTouched = (tx: Db, markets: readonly string[], touchedAt: Date): Promise<boolean> =>
  indexProperties(
    tx,
    sql`(t.market, t.property_id) in (
      select market, property_id from touched_property
      where market = any(${markets as string[]}) and touched_at = ${touchedAt})`,
  )

/**
 * `which` selects by market and property_id of `t`. An ingest run and an assessment may write the same property at the same time: each
 * locks the rows that it changes and then reads the source in a new statement, so the second one sees what the first has
 * committed.
 */
const indexProperties = async (tx: Db, which: Sql): Promise<boolean> => {
  const { rows: changed } = await sql<{ propertyId: string }>`
    select t.property_id from property_search t
    join property_search_source s on s.market = t.market and s.property_id = t.property_id
    where ${which} and (${compared('t')}) is distinct from (${compared('s')})
    order by t.market, t.property_id for no key update of t`.execute(tx)
  if (changed.length > 0)
    await sql`
      update property_search t set (${names}) = row(${values('s')}) from property_search_source s
      where s.market = t.market and s.property_id = t.property_id
        and t.property_id = any(${changed.map(({ propertyId }) => propertyId)}::text[])`.execute(tx)
  const { numAffectedRows } = await sql`
    insert into property_search select * from property_search_source t
    where ${which} and not exists (
      select from property_search s where s.market = t.market and s.property_id = t.property_id)
    on conflict do nothing`.execute(tx)
  return changed.length > 0 || (numAffectedRows ?? 0n) > 0n
}

/** All columns but the key and the location. A point has no equality operator, so it is compared as text. */
const columns = [
  'city_slug',
  'zip',
  'removed',
  'known_from_listing',
  'status',
  'price',
  'price_cut_pct',
  'listed_on',
  'pending_on',
  'sold_on',
  'property_type',
  'sqft',
  'lot_size',
  'beds',
  'baths',
  'year_built',
  'zoning',
  'overlays_yes',
  'rank_score',
  'teardown_raw',
  'teardown_score',
  'flippability_raw',
  'flippability_score',
  'condition_score',
  'historic_charm',
  'developer_roi',
  'return_pct',
  'proforma_roi',
  'sb9_status',
  'sb9_max_units',
  'sb9_blocked',
  'adu_score',
  'adu_blocked',
  'redevelopment_score',
  'redevelopment_class',
  'redevelopment_blocked',
]
const names = sql.raw([...columns, 'location'].join(', '))
const values = (from: string) => sql.raw([...columns, 'location'].map((name) => `${from}.${name}`).join(', '))
const compared = (from: string) =>
  sql.raw([...columns.map((name) => `${from}.${name}`), `${from}.location::text`].join(', '))
