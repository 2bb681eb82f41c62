// What the parcels of a place have of the facts that leads need. Read only to explain an empty list.
import type { MarketId } from '../../contract/facts.ts'
import { type Db, sql } from '../engine/database.ts'
import { groupOf } from '../engine/shard-groups.ts'

export interface LeadInputs {
  parcels: boolean
  lotSizes: boolean
  houseSizes: boolean
  /** Some of the zoning districts as the parcels name them. */
  zoning: readonly string[]
}

/** Of a market, or of one city of it. */
export const leadInputs = async (db: Db, market: MarketId, citySlug: string | undefined): Promise<LeadInputs> => {
  const place = sql`market = ${market} and removed_at is null and (${citySlug ?? null}::text is null or city_slug = ${citySlug ?? null})`
  const { rows } = await sql<LeadInputs>`
    select exists (select from property where ${place}) as parcels,
      exists (select from property where ${place} and lot_sqft is not null) as lot_sizes,
      exists (select from property where ${place} and living_sqft is not null) as house_sizes,
      coalesce((select array_agg(zoning) from
        (select distinct zoning from property where ${place} and zoning is not null limit 200) z), '{}') as zoning`.execute(
    groupOf(db, market),
  )
  return rows[0]!
}
