// The homes in a grid of comparable sales.
import type { HomeFact } from '../../domain/fact-table.ts'
import { type MarketId, minMarketPriceUsd } from '../../domain/facts.ts'
import type { LatLng } from '../../domain/packs/markets.ts'
import { type Db, type Known, sql, withoutNulls } from '../engine/database.ts'
import type { SaleTable } from '../engine/schema.ts'
import { groupOf } from '../engine/shard-groups.ts'
import { inTiles } from '../search/compile.ts'
import { homeColumns, locationColumns, soldHomeColumns } from './fact-columns.ts'

/** `saleId` is source and number, as in the grid, since numbers repeat between sources. */
type SoldHome = Known<
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
  const { rows } = await sql<SoldHome>`
    select s.source_id || ':' || s.sale_id as sale_id, s.property_id, coalesce(p.address, s.address) as address, s.city,
      ${locationColumns('s', 'p')}, ${soldHomeColumns('s', 'p', gridFacts)}
    from sale s left join property p on p.market = s.market and p.id = s.property_id
    where s.market = ${market} and s.sold_on = any(${sales.map(({ soldOn }) => soldOn)}::date[])
      and s.source_id || ':' || s.sale_id = any(${sales.map(({ saleId }) => saleId)})`.execute(groupOf(db, market))
  return new Map(rows.map((row) => [row.saleId, withoutNulls(row)]))
}

type NearbySale = Known<
  Pick<SaleTable, 'saleId' | 'propertyId' | 'address' | 'city' | 'soldOn' | 'priceUsd' | HomeFact>
> & { lat: number; lng: number }

/** Sales with a market price from a day on, in a square around a point, newest first. The index on tiles finds them. */
export const salesAround = async (
  db: Db,
  market: MarketId,
  { lat, lng }: LatLng,
  { km, since, most }: { km: number; since: string; most: number },
): Promise<NearbySale[]> => {
  const [north, east] = [km / 110.574, km / (111.32 * Math.cos((lat * Math.PI) / 180))]
  const box = { west: lng - east, south: lat - north, east: lng + east, north: lat + north }
  const { rows } = await sql<NearbySale>`
    select s.source_id || ':' || s.sale_id as sale_id, s.property_id, coalesce(p.address, s.address) as address, s.city, s.sold_on,
      s.price_usd, k.location[1] as lat, k.location[0] as lng, ${homeColumns('s', 'p')}
    from sale_search k join sale s on s.market = k.market and s.source_id = k.source_id and s.sale_id = k.sale_id
    left join property p on p.market = s.market and p.id = s.property_id
    where k.market = ${market} and k.sold_on >= ${since}::date and k.price >= ${minMarketPriceUsd} and k.sqft > 0
      and ${inTiles(sql`k.location`, [box])}
    order by k.sold_on desc, k.source_id, k.sale_id limit ${most}`.execute(groupOf(db, market))
  return rows.map(withoutNulls)
}
