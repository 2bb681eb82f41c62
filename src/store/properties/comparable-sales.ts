// The homes in a grid of comparable sales.
import type { MarketId } from '../../domain/facts.ts'
import { type Db, type Known, knownRows } from '../engine/database.ts'
import type { SaleTable } from '../engine/schema.ts'
import { groupOf } from '../engine/shard-groups.ts'
import { locationColumns, soldHomeColumns } from './fact-columns.ts'

/** `saleId` is source and number, as in the grid, since numbers repeat between sources. */
export type SoldHome = Known<
  Pick<SaleTable, 'saleId' | 'propertyId' | 'address' | 'city' | 'lat' | 'lng' | (typeof gridFacts)[number]>
>
const gridFacts = ['livingSqft', 'lotSqft', 'beds', 'baths', 'yearBuilt'] as const

/** Finds sales by day and id. The day is needed to use the index on market and day. */
export const soldHomes = async (
  db: Db,
  market: MarketId,
  sales: readonly { saleId: string; soldOn: string }[],
): Promise<Map<string, SoldHome>> => {
  if (sales.length === 0) return new Map()
  const rows = await knownRows<SoldHome>(groupOf(db, market))`
    select s.source_id || ':' || s.sale_id as sale_id, s.property_id, coalesce(p.address, s.address) as address, s.city,
      ${locationColumns('s', 'p')}, ${soldHomeColumns('s', 'p', gridFacts)}
    from sale s left join property p on p.market = s.market and p.id = s.property_id
    where s.market = ${market} and s.removed_at is null and s.sold_on = any(${sales.map(({ soldOn }) => soldOn)}::date[])
      and s.source_id || ':' || s.sale_id = any(${sales.map(({ saleId }) => saleId)})`
  return new Map(rows.map((row) => [row.saleId, row]))
}
