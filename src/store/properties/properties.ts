// One property with its current listing, assessment and history.

import type { FactName, HomeFact } from '../../domain/fact-table.ts'
import { marketOfProperty } from '../../domain/property-id.ts'
import { assessedOn } from '../assessments/assessments.ts'
import { type Db, type Known, sql, withoutNulls } from '../engine/database.ts'
import type {
  AssessmentHistoryTable,
  AssessmentTable,
  LeadTable,
  ListingTable,
  PropertyTable,
} from '../engine/schema.ts'
import { groupOf } from '../engine/shard-groups.ts'
import { homeColumnsOf, parcelColumnsOf } from './fact-columns.ts'
import { type MaybeSourced, type Sourced, sourceColumns } from './source-columns.ts'

export type PropertyRow = Known<
  Pick<
    PropertyTable,
    | 'id'
    | 'market'
    | 'city'
    | 'citySlug'
    | 'zip'
    | 'address'
    | 'county'
    | 'apn'
    | 'lat'
    | 'lng'
    | FactName
    | 'overlays'
    | 'buildings'
    | 'stations'
    | 'knownFrom'
    | 'collectedAt'
    | 'removedAt'
  > &
    MaybeSourced & { overlaySources: Record<string, OverlaySource> | null }
>

/** The layer that a value is from, and the day it was read. */
export interface OverlaySource {
  source: string
  title: string
  asOf: string
}

export const propertyById = async (db: Db, id: string): Promise<PropertyRow | undefined> => {
  const market = marketOfProperty(id)
  if (!market) return undefined
  const { rows } = await sql<PropertyRow>`
    select p.id, p.market, p.city, p.city_slug, p.zip, p.address, p.county, p.apn, p.lat, p.lng, ${parcelColumnsOf('p')},
      p.overlays, p.buildings, p.stations, p.known_from, p.collected_at, p.removed_at,
      (select jsonb_object_agg(o.key, jsonb_build_object('source', m.id, 'title', m.title, 'asOf', (
        select (max(r.finished_at) at time zone 'UTC')::date from ingest_run r where r.source_id = m.id and r.state = 'completed')))
        from jsonb_each_text(p.overlay_sources) o join source m on m.id = o.value) as overlay_sources,
      ${sourceColumns('p')}
    from property p left join source s on s.id = p.source_id
    where p.market = ${market} and p.id = ${id}`.execute(groupOf(db, market))
  return rows[0] && withoutNulls(rows[0])
}

export type ListingRow = Known<
  Pick<
    ListingTable,
    | 'listingId'
    | 'status'
    | 'listedOn'
    | 'pendingOn'
    | 'soldOn'
    | HomeFact
    | 'lat'
    | 'lng'
    | 'remarks'
    | 'visionAnalysis'
    | 'photoUrls'
    | 'listingUrl'
    | 'collectedAt'
  > & {
    price: ListingTable['priceUsd']
    originalPrice: ListingTable['originalPriceUsd']
    soldPrice: ListingTable['soldPriceUsd']
  } & Sourced
>

/** The most recent listing, whatever its status. */
export const currentListing = async (db: Db, propertyId: string): Promise<ListingRow | undefined> => {
  const market = marketOfProperty(propertyId)
  if (!market) return undefined
  const { rows } = await sql<ListingRow>`
    select l.listing_id, l.status, l.price_usd as price, l.original_price_usd as original_price, l.listed_on,
      l.pending_on, l.sold_on, l.sold_price_usd as sold_price, ${homeColumnsOf('l')}, l.lat, l.lng, l.remarks,
      coalesce(l.vision_analysis, g.analysis) as vision_analysis, l.photo_urls, l.listing_url, l.collected_at,
      ${sourceColumns('l')}
    from listing l join source s on s.id = l.source_id
    left join listing_photo_grade g on g.market = l.market and g.source_id = l.source_id and g.listing_id = l.listing_id
    where l.market = ${market} and l.property_id = ${propertyId} and l.current`.execute(groupOf(db, market))
  return rows[0] && withoutNulls(rows[0])
}

export type AssessmentRow = Known<
  Pick<
    AssessmentTable,
    | 'modelVersion'
    | 'assessedAt'
    | 'assessedOn'
    | 'teardownScore'
    | 'flippabilityScore'
    | 'conditionScore'
    | 'historicCharm'
    | 'biddingWar'
    | 'developerRoi'
    | 'proforma'
    | 'offers'
    | 'uses'
    | 'valueUsd'
    | 'valueLowUsd'
    | 'valueHighUsd'
    | 'recentSalesCount'
    | 'avgPricePerSqft'
    | 'comps'
    | 'explanation'
    | 'redevelopment'
  >
> & {
  /** The leads that lists show, one of each kind. */
  leads: readonly Pick<LeadTable, 'law' | 'kind' | 'finding'>[]
}

export const assessmentOf = async (db: Db, propertyId: string): Promise<AssessmentRow | undefined> => {
  const market = marketOfProperty(propertyId)
  if (!market) return undefined
  const { rows } = await sql<AssessmentRow>`
    select model_version, assessed_at, ${assessedOn('a')}, teardown_score, flippability_score, condition_score, historic_charm,
      bidding_war, developer_roi, proforma, offers, uses, value_usd, value_low_usd, value_high_usd,
      recent_sales_count, avg_price_per_sqft, comps, explanation, redevelopment,
      coalesce((select json_agg(json_build_object('law', d.law, 'kind', d.kind, 'finding', d.finding)) from lead d
        where d.market = a.market and d.property_id = a.property_id and d.best), '[]') as leads
    from assessment a where market = ${market} and property_id = ${propertyId}`.execute(groupOf(db, market))
  return rows[0] && withoutNulls(rows[0])
}

export type HistoryRow = Known<
  Pick<
    AssessmentHistoryTable,
    'changedAt' | 'teardownScore' | 'flippabilityScore' | 'previous' | 'reason' | 'modelVersion'
  >
>

export const assessmentHistory = async (db: Db, propertyId: string): Promise<HistoryRow[]> => {
  const market = marketOfProperty(propertyId)
  if (!market) return []
  const { rows } = await sql<HistoryRow>`
    select changed_at, teardown_score, flippability_score, previous, reason, model_version
    from assessment_history where market = ${market} and property_id = ${propertyId} order by changed_at desc limit 100`.execute(
    groupOf(db, market),
  )
  return rows.map(withoutNulls)
}
