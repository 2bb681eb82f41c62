// Data for the whole website: whether sample data is loaded, and the pages listed in the sitemap.
import type { MarketId } from '../../domain/facts.ts'
import { type Db, sql } from '../engine/database.ts'
import type { PermitSearchTable, PropertySearchTable } from '../engine/schema.ts'

/** In one of these markets, or in any. */
export const sampleLoaded = async (db: Db, markets?: readonly MarketId[]): Promise<boolean> => {
  const inMarkets = markets ? sql`(market is null or market = any(${markets}))` : sql`true`
  const { rows } = await sql<{ loaded: boolean }>`
    select exists (select 1 from source where sample and ${inMarkets}) as loaded`.execute(db)
  return rows[0]!.loaded
}

export const newestPermits = async (db: Db, limit: number) => {
  const { rows } = await sql<Pick<PermitSearchTable, 'citySlug' | 'permitId'> & { issuedOn: string }>`
    select city_slug, permit_id, issued_on from permit_search where issued_on is not null
    order by issued_on desc, permit_id, city_slug limit ${limit}`.execute(db)
  return rows
}

export const listedPropertyIds = async (db: Db, limit: number): Promise<string[]> => {
  const { rows } = await sql<Pick<PropertySearchTable, 'propertyId'>>`
    select property_id from property_search where status is not null
    order by market desc, rank_score desc nulls last, property_id limit ${limit}`.execute(db)
  return rows.map(({ propertyId }) => propertyId)
}
