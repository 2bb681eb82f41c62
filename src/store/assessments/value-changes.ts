// The history of values and returns.
import type { MarketId } from '../../domain/facts.ts'
import { recordset } from '../engine/columns.ts'
import { type Db, execute, rowsOf } from '../engine/database.ts'
import type { ValueChangeTable } from '../engine/schema.ts'

export type ValueChange = Omit<ValueChangeTable, 'market' | 'changedAt' | 'changedOn'>

export type LastValue = Pick<ValueChangeTable, 'propertyId' | 'valueUsd' | 'returnPct'>

/** The latest kept value of each property that has one. */
export const lastValues = async (db: Db, market: MarketId, ids: readonly string[]): Promise<Map<string, LastValue>> => {
  if (ids.length === 0) return new Map()
  const rows = await rowsOf<LastValue>(db)`
    select distinct on (property_id) property_id, value_usd, return_pct from value_change
    where market = ${market} and property_id = any(${ids}::text[])
    order by property_id, changed_at desc`
  return new Map(rows.map((row) => [row.propertyId, row]))
}

export const writeValueChanges = async (
  tx: Db,
  market: MarketId,
  changes: readonly ValueChange[],
  at: { now: Date; today: string },
): Promise<void> => {
  if (changes.length === 0) return
  await execute(tx)`
    insert into value_change (market, property_id, changed_at, changed_on, value_usd, value_low_usd, value_high_usd, return_pct,
      previous_value_usd, previous_return_pct, moved)
    select ${market}, property_id, ${at.now}, ${at.today}::date, value_usd, value_low_usd, value_high_usd, return_pct,
      previous_value_usd, previous_return_pct, moved
    from ${recordset('value_change', changes)}
    on conflict (market, property_id, changed_at) do nothing`
}
