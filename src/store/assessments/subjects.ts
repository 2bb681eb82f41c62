// The properties to assess, in batches in order of id, each with its current listing.

import type { HomeFact } from '../../domain/fact-table.ts'
import type { MarketId } from '../../domain/facts.ts'
import { type Db, type Known, sql, withoutNulls } from '../engine/database.ts'
import type { ListingPhotoGradeTable, ListingTable } from '../engine/schema.ts'
import { homeJsonOf, parcelColumnsOf } from '../properties/fact-columns.ts'
import { shown } from '../properties/listing-status.ts'
import type { PropertyRow } from '../properties/properties.ts'
import type { IdRange } from './assess-runs.ts'

export type SubjectListing = Known<
  Pick<
    ListingTable,
    | 'status'
    | 'priceUsd'
    | 'originalPriceUsd'
    | 'listedOn'
    | 'pendingOn'
    | 'soldOn'
    | HomeFact
    | 'lat'
    | 'lng'
    | 'remarks'
    | 'visionAnalysis'
  > & {
    /** The grade of the photos, where the feed itself says nothing about them. */
    visionCondition: ListingPhotoGradeTable['condition'] | null
  }
>

export type Subject = Omit<
  PropertyRow,
  'sourceTitle' | 'sourceUrl' | 'sourceKind' | 'sourceUses' | 'license' | 'sample' | 'collectedAt'
> & {
  listing?: SubjectListing
}

const columns = sql`
  p.id, p.market, p.city, p.city_slug, p.zip, p.address, p.county, p.apn, p.lat, p.lng, ${parcelColumnsOf('p')},
  p.overlays, p.known_from, p.source_id,
  case when l.property_id is null then null else json_build_object(
    'status', l.status, 'priceUsd', l.price_usd, 'originalPriceUsd', l.original_price_usd, 'listedOn', l.listed_on,
    'pendingOn', l.pending_on, 'soldOn', l.sold_on, ${homeJsonOf('l')},
    'lat', l.lat, 'lng', l.lng, 'remarks', l.remarks, 'visionAnalysis', coalesce(l.vision_analysis, g.analysis),
    'visionCondition', case when l.vision_analysis is null then g.condition end) end as listing`

const from = sql`
  from property p
  left join listing l on l.market = p.market and l.property_id = p.id and l.current
  left join listing_photo_grade g on g.market = l.market and g.source_id = l.source_id and g.listing_id = l.listing_id`

export const subjectsIn = async (db: Db, market: MarketId, { afterId, toId }: IdRange): Promise<Subject[]> => {
  const { rows } = await sql<Subject>`
    select ${columns} ${from}
    where p.market = ${market} and p.id > ${afterId} ${toId === undefined ? sql`` : sql`and p.id <= ${toId}`}
    order by p.id`.execute(db)
  return rows.map(cleaned)
}

export const subjectsByIds = async (db: Db, market: MarketId, ids: readonly string[]): Promise<Subject[]> => {
  const { rows } = await sql<Subject>`
    select ${columns} ${from} where p.market = ${market} and p.id = any(${ids}) order by p.id`.execute(db)
  return rows.map(cleaned)
}

/** A sample of the market's listed properties with a price. Ordered by a hash of the id, so that every run reads the same ones. */
export const listedSubjects = async (db: Db, market: MarketId, most: number): Promise<Subject[]> => {
  const { rows } = await sql<Subject>`
    select ${columns} ${from}
    where p.market = ${market} and l.price_usd is not null and ${shown('l.status')}
    order by md5(p.id) limit ${most}`.execute(db)
  return rows.map(cleaned).sort((a, b) => (a.id < b.id ? -1 : 1))
}

const cleaned = (row: Subject): Subject => {
  const subject = withoutNulls(row)
  if (subject.listing) withoutNulls(subject.listing)
  return subject
}
