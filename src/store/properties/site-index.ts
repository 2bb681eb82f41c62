// Data for the whole website: whether sample data is loaded, and the pages listed in the sitemap.
import type { MarketId } from '../../domain/facts.ts'
import { type Db, onlyValue, rowsOf, sql, valuesOf } from '../engine/database.ts'
import type { PermitTable } from '../engine/schema.ts'

/** In one of these markets, or in any. */
export const sampleLoaded = async (db: Db, markets?: readonly MarketId[]): Promise<boolean> => {
  const inMarkets = markets ? sql`(market is null or market = any(${markets}))` : sql`true`
  return onlyValue<boolean>(db)`
    select exists (select 1 from source where sample and ${inMarkets}) as loaded`
}

export const newestPermits = (db: Db, limit: number) =>
  rowsOf<Pick<PermitTable, 'citySlug' | 'permitId'> & { issuedOn: string }>(db)`
    select city_slug, permit_id, issued_on from permit_search where issued_on is not null
    order by issued_on desc, permit_id, city_slug limit ${limit}`

export const listedPropertyIds = (db: Db, limit: number) =>
  valuesOf<string>(db)`
    select property_id from property_search where status is not null
    order by market desc, rank_score desc nulls last, property_id limit ${limit}`
