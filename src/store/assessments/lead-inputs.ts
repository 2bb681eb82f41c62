// What the parcels of a place have of the facts that leads need. Read only to explain an empty list.
import type { MarketId } from '../../domain/facts.ts'
import { anyRow, type Db, onlyRow, sql } from '../engine/database.ts'
import { groupOf } from '../engine/shard-groups.ts'

/** Of a market, or of one city of it. Undefined if the place has leads, so that no table is read as a whole there. */
export const leadInputs = async (from: Db, market: MarketId, citySlug: string | undefined) => {
  const db = groupOf(from, market)
  const inCity = citySlug === undefined ? sql`` : sql`and city_slug = ${citySlug}`
  const scored = await anyRow(db)`
    select 1 from property_search
    where market = ${market} ${inCity} and redevelopment_score is not null and not removed limit 1`
  if (scored) return undefined
  const place = sql`market = ${market} ${inCity} and removed_at is null and known_from = 'parcel'`
  return onlyRow<{
    parcels: boolean
    lotSizes: boolean
    houseSizes: boolean
    /** The zoning districts as the parcels name them. */
    zoning: readonly string[]
  }>(db)`
    select exists (select 1 from property where ${place}) as parcels,
      exists (select 1 from property where ${place} and lot_sqft is not null) as lot_sizes,
      exists (select 1 from property where ${place} and living_sqft is not null) as house_sizes,
      coalesce((select array_agg(distinct zoning) from property where ${place} and zoning is not null), '{}') as zoning
  `
}
