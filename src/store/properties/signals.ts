// Ranked listings: the most recent listing of each property.
import type { ListingStatus, MarketId } from '../../contract/facts.ts'
import { type Db, type Known, sql, withoutNulls } from '../engine/database.ts'
import type { AssessmentTable, ListingTable, PropertyTable, SourceTable } from '../engine/schema.ts'
import { homeColumns } from './home-columns.ts'
import { shown } from './listing-status.ts'

export interface SignalFilter {
  market: MarketId
  citySlug?: string
  /** Part of an address, normalized. */
  addressKey?: string
  /** Start of the history window for sold listings. */
  soldSince?: string
  status?: readonly ListingStatus[]
  minPrice?: number
  maxPrice?: number
  minScore?: number
}

export type SignalRow = Known<
  Pick<PropertyTable, 'id' | 'address' | 'city'> &
    Pick<
      ListingTable,
      | 'status'
      | 'listedOn'
      | 'pendingOn'
      | 'soldOn'
      | 'livingSqft'
      | 'lotSqft'
      | 'yearBuilt'
      | 'beds'
      | 'baths'
      | 'lat'
      | 'lng'
      | 'visionAnalysis'
      | 'rankScore'
      | 'collectedAt'
    > &
    Pick<
      AssessmentTable,
      'teardownScore' | 'flippabilityScore' | 'historicCharm' | 'conditionScore' | 'developerRoi' | 'proforma'
    > &
    Pick<SourceTable, 'license' | 'sample'> & {
      price: ListingTable['priceUsd']
      soldPrice: ListingTable['soldPriceUsd']
      sourceId: SourceTable['id']
      sourceTitle: SourceTable['title']
      sourceUrl: SourceTable['url']
    }
>

const chosen = (filter: SignalFilter) => sql`
  from listing l
  ${filter.addressKey !== undefined ? sql`join property p on p.market = l.market and p.id = l.property_id` : sql``}
  where l.market = ${filter.market} and l.current and ${shown('l.status')}
  ${filter.citySlug !== undefined ? sql`and l.city_slug = ${filter.citySlug}` : sql``}
  ${filter.soldSince ? sql`and (l.status <> 'sold' or l.sold_on >= ${filter.soldSince})` : sql``}
  ${filter.status ? sql`and l.status = any(${filter.status as string[]})` : sql``}
  ${filter.minPrice !== undefined ? sql`and l.price_usd >= ${filter.minPrice}` : sql``}
  ${filter.maxPrice !== undefined ? sql`and l.price_usd <= ${filter.maxPrice}` : sql``}
  ${filter.minScore !== undefined ? sql`and l.rank_score >= ${filter.minScore}` : sql``}
  ${filter.addressKey === undefined ? sql`` : sql`and ${addressContains(filter.addressKey)}`}`

/** A text without letters and digits matches no address. As an empty pattern it would match all. */
const addressContains = (part: string) =>
  part === '' ? sql`false` : sql`p.address_key like ${`%${likeEscaped(part)}%`}`

export const countSignals = async (db: Db, filter: SignalFilter): Promise<number> => {
  const { rows } = await sql<{ total: number }>`select count(*) as total ${chosen(filter)}`.execute(db)
  return rows[0]!.total
}

export const signalPage = async (
  db: Db,
  filter: SignalFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<SignalRow[]> => {
  const { rows } = await sql<SignalRow>`
    with page as (
      select l.* ${chosen(filter)}
      order by l.rank_score desc nulls last, l.property_id limit ${limit} offset ${offset}
    )
    select p.id, p.address, p.city, l.price_usd as price, l.status, l.listed_on, l.pending_on, l.sold_on,
      l.sold_price_usd as sold_price, ${homeColumns}, coalesce(l.vision_analysis, g.analysis) as vision_analysis,
      l.rank_score, a.teardown_score, a.flippability_score, a.historic_charm, a.condition_score, a.developer_roi,
      a.proforma, s.id as source_id, s.title as source_title, s.license, s.sample,
      coalesce(l.source_url, s.url) as source_url, l.collected_at
    from page l
    join property p on p.market = l.market and p.id = l.property_id
    join source s on s.id = l.source_id
    left join listing_photo_grade g on g.market = l.market and g.source_id = l.source_id and g.listing_id = l.listing_id
    left join assessment a on a.market = l.market and a.property_id = l.property_id
    order by l.rank_score desc nulls last, l.property_id`.execute(db)
  return rows.map(withoutNulls)
}

export type SignalPoint = Known<
  Pick<PropertyTable, 'id' | 'address'> & Pick<ListingTable, 'rankScore'> & { price: ListingTable['priceUsd'] }
> & { lat: number; lng: number }

/** The locations of the matching listings for a map, best first. */
export const signalPoints = async (db: Db, filter: SignalFilter, limit: number): Promise<SignalPoint[]> => {
  const { rows } = await sql<SignalPoint>`
    with page as (select l.* ${chosen(filter)} order by l.rank_score desc nulls last, l.property_id limit ${limit})
    select p.id, p.address, coalesce(p.lat, l.lat) as lat, coalesce(p.lng, l.lng) as lng, l.price_usd as price, l.rank_score
    from page l join property p on p.market = l.market and p.id = l.property_id
    where coalesce(p.lat, l.lat) is not null and coalesce(p.lng, l.lng) is not null
    order by l.rank_score desc nulls last, l.property_id`.execute(db)
  return rows.map(withoutNulls)
}

/** Escapes `%`, `_` and `\`, so that LIKE takes them literally. */
export const likeEscaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
