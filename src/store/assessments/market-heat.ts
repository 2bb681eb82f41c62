// The heat index of a city by month.
import type { MarketId } from '../../domain/facts.ts'
import { type Db, rowsOf } from '../engine/database.ts'
import type { MarketHeatTable } from '../engine/schema.ts'
import { groupOf } from '../engine/shard-groups.ts'

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
