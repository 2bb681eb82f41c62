// The homes in a grid of comparable sales.
import type { MarketId } from '../../domain/facts.ts'
import { type Db, type Known, knownRows, onlyRow } from '../engine/database.ts'
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

// The expected resale price per square foot of new houses near a parcel, from the assessed listings of its city.
const nearest = 9

/** The median of the nearest assessed listings; undefined with fewer than three. */
export const nearbyResale = async (
  db: Db,
  { market, citySlug, lat, lng }: { market: MarketId; citySlug: string; lat?: number; lng?: number },
): Promise<{ arvPerSqft: number; compCount: number; marketMeanRoiPct?: number } | undefined> => {
  if (lat === undefined || lng === undefined) return undefined
  const { arv, listings, mean } = await onlyRow<{ arv: number | null; listings: number; mean: number | null }>(db)`
    with near as (
      select (a.proforma->>'arvPerSqft')::double precision as arv,
        (a.proforma->'assumptions'->>'marketMeanRoiPct')::double precision as mean
      from assessment a join property p on p.market = a.market and p.id = a.property_id
      where a.market = ${market} and a.city_slug = ${citySlug} and a.proforma is not null and a.proforma ? 'arvPerSqft' and p.lat is not null
      order by (p.lat - ${lat}) ^ 2 + ((p.lng - ${lng}) * cos(radians(${lat}))) ^ 2, p.id limit ${nearest})
    select percentile_cont(0.5) within group (order by arv) as arv, count(*) as listings, max(mean) as mean from near`
  if (arv === null || listings < 3) return undefined
  return { arvPerSqft: Math.round(arv), compCount: listings, marketMeanRoiPct: mean ?? undefined }
}
