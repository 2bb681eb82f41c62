// The expected resale price per square foot of new houses near a parcel, from the assessed listings of its city.
import type { MarketId } from '../../domain/facts.ts'
import { type Db, rowsOf } from '../engine/database.ts'

const nearest = 9

/** The median of the nearest assessed listings; undefined with fewer than three. */
export const nearbyResale = async (
  db: Db,
  { market, citySlug, lat, lng }: { market: MarketId; citySlug: string; lat?: number; lng?: number },
): Promise<{ arvPerSqft: number; compCount: number; marketMeanRoiPct?: number } | undefined> => {
  if (lat === undefined || lng === undefined) return undefined
  const rows = await rowsOf<{ arv: number | null; listings: number; mean: number | null }>(db)`
    with near as (
      select (a.proforma->>'arvPerSqft')::double precision as arv,
        (a.proforma->'assumptions'->>'marketMeanRoiPct')::double precision as mean
      from assessment a join property p on p.market = a.market and p.id = a.property_id
      where a.market = ${market} and a.city_slug = ${citySlug} and a.proforma is not null and a.proforma ? 'arvPerSqft' and p.lat is not null
      order by (p.lat - ${lat}) ^ 2 + ((p.lng - ${lng}) * cos(radians(${lat}))) ^ 2, p.id limit ${nearest})
    select percentile_cont(0.5) within group (order by arv) as arv, count(*) as listings, max(mean) as mean from near`
  const row = rows[0]
  if (!row || row.arv === null || row.listings < 3) return undefined
  return {
    arvPerSqft: Math.round(row.arv),
    compCount: row.listings,
    ...(row.mean === null ? {} : { marketMeanRoiPct: row.mean }),
  }
}
