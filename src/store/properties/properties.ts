// One property with its current listing, assessment and history.

import type { FactName, HomeFact } from '../../domain/fact-table.ts'
import { marketOfProperty } from '../../domain/property-id.ts'
import { assessedOn } from '../assessments/assessments.ts'
import { columnsOf, type RowOf } from '../engine/columns.ts'
import { type Db, type Known, knownRows } from '../engine/database.ts'
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

const ofProperty = columnsOf<PropertyTable>()(
  'id market city citySlug zip address county apn lat lng overlays buildings stations knownFrom collectedAt removedAt',
)

export type PropertyRow = Known<
  RowOf<typeof ofProperty> &
    Pick<PropertyTable, FactName> &
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
  const [row] = await knownRows<PropertyRow>(groupOf(db, market))`
    select ${ofProperty('p')}, ${parcelColumnsOf('p')}, ${sourceColumns('p')},
      (select jsonb_object_agg(o.key, jsonb_build_object('source', m.id, 'title', m.title, 'asOf', (
        select (max(r.finished_at) at time zone 'UTC')::date from ingest_run r where r.source_id = m.id and r.state = 'completed')))
        from jsonb_each_text(p.overlay_sources) o join source m on m.id = o.value) as overlay_sources
    from property p left join source s on s.id = p.source_id
    where p.market = ${market} and p.id = ${id}`
  return row
}

const ofListing = columnsOf<ListingTable>()(
  'listingId status listedOn pendingOn soldOn lat lng remarks photoUrls listingUrl collectedAt',
)

export type ListingRow = Known<
  RowOf<typeof ofListing> &
    Pick<ListingTable, HomeFact | 'visionAnalysis'> & {
      price: ListingTable['priceUsd']
      originalPrice: ListingTable['originalPriceUsd']
      soldPrice: ListingTable['soldPriceUsd']
    } & Sourced
>

/** The most recent listing, whatever its status. */
export const currentListing = async (db: Db, propertyId: string): Promise<ListingRow | undefined> => {
  const market = marketOfProperty(propertyId)
  if (!market) return undefined
  const [row] = await knownRows<ListingRow>(groupOf(db, market))`
    select ${ofListing('l')}, l.price_usd as price, l.original_price_usd as original_price, l.sold_price_usd as sold_price,
      ${homeColumnsOf('l')}, coalesce(l.vision_analysis, g.analysis) as vision_analysis, ${sourceColumns('l')}
    from listing l join source s on s.id = l.source_id
    left join listing_photo_grade g on g.market = l.market and g.source_id = l.source_id and g.listing_id = l.listing_id
    where l.market = ${market} and l.property_id = ${propertyId} and l.current`
  return row
}

const ofAssessment = columnsOf<AssessmentTable>()(
  'modelVersion assessedAt teardownScore flippabilityScore conditionScore historicCharm biddingWar developerRoi proforma',
  'offers uses valueUsd valueLowUsd valueHighUsd recentSalesCount avgPricePerSqft comps explanation redevelopment',
)

export type AssessmentRow = Known<RowOf<typeof ofAssessment> & Pick<AssessmentTable, 'assessedOn'>> & {
  /** The leads that lists show, one of each kind. */
  leads: readonly Pick<LeadTable, 'law' | 'kind' | 'finding'>[]
}

export const assessmentOf = async (db: Db, propertyId: string): Promise<AssessmentRow | undefined> => {
  const market = marketOfProperty(propertyId)
  if (!market) return undefined
  const [row] = await knownRows<AssessmentRow>(groupOf(db, market))`
    select ${ofAssessment('a')}, ${assessedOn('a')},
      coalesce((select json_agg(json_build_object('law', d.law, 'kind', d.kind, 'finding', d.finding)) from lead d
        where d.market = a.market and d.property_id = a.property_id and d.best), '[]') as leads
    from assessment a where market = ${market} and property_id = ${propertyId}`
  return row
}

const ofHistory = columnsOf<AssessmentHistoryTable>()(
  'changedAt teardownScore flippabilityScore previous reason modelVersion',
)

export type HistoryRow = Known<RowOf<typeof ofHistory>>

export const assessmentHistory = async (db: Db, propertyId: string): Promise<HistoryRow[]> => {
  const market = marketOfProperty(propertyId)
  if (!market) return []
  return knownRows<HistoryRow>(groupOf(db, market))`
    select ${ofHistory()}
    from assessment_history where market = ${market} and property_id = ${propertyId} order by changed_at desc limit 100`
}
