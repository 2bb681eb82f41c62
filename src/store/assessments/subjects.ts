// The properties to assess, in batches in order of id, each with its current listing.

import type { HomeFact } from '../../domain/fact-table.ts'
import type { MarketId } from '../../domain/facts.ts'
import { type Db, type Known, knownRows, sql, withoutNulls } from '../engine/database.ts'
import type { ListingPhotoGradeTable, ListingTable } from '../engine/schema.ts'
import { homeJsonOf, parcelColumnsOf } from '../properties/fact-columns.ts'
import { isShownStatus } from '../properties/listing-status.ts'
import type { PropertyRow } from '../properties/properties.ts'
import { canHaveChanged, type IdRange } from './assess-runs.ts'
import { listingOn, notAfter } from './known-on.ts'

export type SubjectListing = Known<
  Pick<ListingTable, 'status' | 'priceUsd' | 'originalPriceUsd' | 'listedOn' | 'pendingOn' | 'soldOn'> &
    Pick<ListingTable, HomeFact | 'lat' | 'lng' | 'remarks' | 'visionAnalysis'> & {
      /** The grade of the photos, where the feed itself says nothing about them. */
      visionCondition: ListingPhotoGradeTable['condition'] | null
    }
>

export type Subject = Omit<
  PropertyRow,
  'overlaySources' | 'sourceTitle' | 'sourceUrl' | 'sourceKind' | 'sourceUses' | 'license' | 'sample' | 'collectedAt'
> & {
  listing?: SubjectListing
}

const columnsOn = (past: string | undefined) => sql`
  p.id, p.market, p.city, p.city_slug, p.zip, p.address, p.county, p.apn, p.lat, p.lng, ${parcelColumnsOf('p')},
  p.overlays, p.buildings, p.stations, p.known_from, p.source_id,
  case when l.property_id is null then null else json_build_object(
    'status', ${sql.raw(past ? 'l.known_status' : 'l.status')}, 'priceUsd', ${sql.raw(past ? 'l.known_price' : 'l.price_usd')},
    'originalPriceUsd', l.original_price_usd, 'listedOn', l.listed_on,
    'pendingOn', ${past ? notAfter('l.pending_on', past) : sql`l.pending_on`},
    'soldOn', ${past ? notAfter('l.sold_on', past) : sql`l.sold_on`}, ${homeJsonOf('l')},
    'lat', l.lat, 'lng', l.lng, 'remarks', l.remarks, 'visionAnalysis', coalesce(l.vision_analysis, g.analysis),
    'visionCondition', case when l.vision_analysis is null then g.condition end) end as listing`

/** `past`: a day before today that the homes are assessed for. Without it, each home has its current listing. */
export const subjectsIn = (db: Db, market: MarketId, { afterId, toId, changed }: IdRange, past?: string) =>
  subjectsWhere(
    db,
    past,
    sql`p.market = ${market} and p.id > ${afterId} ${toId === undefined ? sql`` : sql`and p.id <= ${toId}`}
      ${changed ? sql`and p.id in (${canHaveChanged(market, changed)})` : sql``} order by p.id`,
  )

export const subjectsByIds = (db: Db, market: MarketId, ids: readonly string[], past?: string) =>
  subjectsWhere(db, past, sql`p.market = ${market} and p.id = any(${ids}) order by p.id`)

/** A sample of the market's listed properties with a price. Ordered by a hash of the id, so that every run reads the same ones. */
export const listedSubjects = async (db: Db, market: MarketId, most: number, past?: string): Promise<Subject[]> => {
  const isListed = isShownStatus(past ? 'l.known_status' : 'l.status')
  const listed = sql`p.market = ${market} and l.price_usd is not null and ${isListed} order by md5(p.id) limit ${most}`
  return (await subjectsWhere(db, past, listed)).sort((a, b) => (a.id < b.id ? -1 : 1))
}

const subjectsWhere = async (db: Db, past: string | undefined, where: ReturnType<typeof sql>): Promise<Subject[]> => {
  const joined = past
    ? listingOn(past)
    : sql`left join listing l on l.market = p.market and l.property_id = p.id and l.current`
  const rows = await knownRows<Subject>(db)`
    select ${columnsOn(past)} from property p ${joined}
    left join listing_photo_grade g on g.market = l.market and g.source_id = l.source_id and g.listing_id = l.listing_id
    where ${where}`
  for (const { listing } of rows) if (listing) withoutNulls(listing)
  return rows
}
