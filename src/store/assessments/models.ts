// Fitted models and the heat index of each city's market.
import type { MarketId } from '../../domain/facts.ts'
import { recordset } from '../engine/columns.ts'
import { type Db, execute, firstRow, firstValue, type Known, prepared, rowsOf } from '../engine/database.ts'
import type { MarketHeatTable } from '../engine/schema.ts'
import { groupOf } from '../engine/shard-groups.ts'

/** The caller names the type: each model has its own. */
export const latestModel = <T>(db: Db, name: string, market: MarketId) =>
  firstValue<T>(groupOf(db, market))`${prepared}
    select body from model where name = ${name} and market = ${market} order by fitted_at desc limit 1`

export const saveModel = (db: Db, name: string, market: MarketId, version: string, body: object, now: Date) =>
  execute(groupOf(db, market))`insert into model (name, market, version, fitted_at, body)
    values (${name}, ${market}, ${version}, ${now}, ${JSON.stringify(body)})
    on conflict (market, name, version) do update set fitted_at = excluded.fitted_at, body = excluded.body`

export type HeatRow = Known<Omit<MarketHeatTable, 'market'>>

export const saveHeat = (db: Db, market: MarketId, rows: readonly HeatRow[]) =>
  execute(groupOf(db, market))`
    insert into market_heat as h (market, city_slug, property_type, as_of, heat_index, parts, sales)
    select ${market}, city_slug, property_type, as_of, heat_index, parts, sales
    from ${recordset('market_heat', rows)}
    on conflict (market, city_slug, property_type, as_of) do update
      set heat_index = excluded.heat_index, parts = excluded.parts, sales = excluded.sales
      where h.heat_index is distinct from excluded.heat_index or h.sales <> excluded.sales`

/** Keeps the day and the month ends before it. */
export const thinHeat = (db: Db, market: MarketId, day: string) =>
  execute(groupOf(db, market))`delete from market_heat
    where market = ${market} and (as_of > ${day} or as_of < ${day} and extract(day from as_of + 1) <> 1)`

/** The newest index of the city and type; without one that of the city, then that of the market. */
export const latestHeat = (db: Db, market: MarketId, citySlug: string, propertyType: string) =>
  firstRow<HeatRow>(groupOf(db, market))`
    select city_slug, property_type, as_of, heat_index, parts, sales from market_heat
    where market = ${market} and heat_index is not null
      and (city_slug = ${citySlug} and property_type in (${propertyType}, 'all') or city_slug = '' and property_type = 'all')
    order by as_of desc, (city_slug = ${citySlug}) desc, (property_type = ${propertyType}) desc limit 1`

export type HeatPoint = Pick<MarketHeatTable, 'asOf' | 'sales'> & { heatIndex: number }

/** Oldest first. Uses only the property type with the most sales, so that all points of the series are comparable. */
export const heatSeries = (db: Db, market: MarketId, citySlug: string) =>
  rowsOf<HeatPoint>(db)`
    with busiest as (
      select property_type from market_heat where market = ${market} and city_slug = ${citySlug}
      group by property_type order by sum(sales) desc, property_type limit 1)
    select as_of, heat_index, sales from (
      select as_of, heat_index, sales from market_heat join busiest using (property_type)
      where market = ${market} and city_slug = ${citySlug} and heat_index is not null
      order by as_of desc limit 120) newest
    order by as_of`

/** The heat of all homes together, by `city/day`; the city is empty for the market. */
export const heatAtMonthEnds = async (db: Db, market: MarketId): Promise<Map<string, number>> => {
  const rows = await rowsOf<Pick<HeatPoint, 'asOf' | 'heatIndex'> & { citySlug: string }>(groupOf(db, market))`
    select city_slug, as_of, heat_index from market_heat
    where market = ${market} and property_type = 'all' and heat_index is not null`
  return new Map(rows.map(({ citySlug, asOf, heatIndex }) => [`${citySlug}/${asOf}`, heatIndex]))
}
