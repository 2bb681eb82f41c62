// What has been announced about a property, and the listing changes that wait for its assessment.
import type { MarketId } from '../../domain/facts.ts'
import { columnsOf, type RowOf, recordset } from '../engine/columns.ts'
import { type Db, execute, rowsOf, sql, valuesOf } from '../engine/database.ts'
import type { AnnouncedScoreTable, ListingChangeTable, PropertyTable } from '../engine/schema.ts'

export type AnnouncedScores = Omit<AnnouncedScoreTable, 'market'>

export const announcedScores = async (db: Db, market: MarketId, ids: readonly string[]) => {
  const rows = await rowsOf<AnnouncedScores>(db)`
    select property_id, teardown_score, flippability_score, leads from announced_score
    where market = ${market} and property_id = any(${ids}::text[])`
  return new Map(rows.map((row) => [row.propertyId, row]))
}

export const saveAnnouncedScores = async (tx: Db, market: MarketId, rows: readonly AnnouncedScores[]) => {
  if (rows.length === 0) return
  await execute(tx)`
    insert into announced_score (market, property_id, teardown_score, flippability_score, leads)
    select ${market}, property_id, teardown_score, flippability_score, leads from ${recordset('announced_score', rows)}
    on conflict (market, property_id) do update set teardown_score = excluded.teardown_score,
      flippability_score = excluded.flippability_score, leads = excluded.leads`
}

const ofChange = columnsOf<ListingChangeTable>()(
  'propertyId listingId priceUsd status previousPriceUsd previousStatus rowBefore',
)
const ofHome = columnsOf<PropertyTable>()('address city citySlug')
export type PendingListing = RowOf<typeof ofChange> & RowOf<typeof ofHome> & { current: boolean }

/** Those of the properties with listing changes that wait. */
export const withPendingListings = (db: Db, market: MarketId, ids: readonly string[]) =>
  valuesOf<string>(db)`
    select distinct property_id from listing_change where announced_at is null and market = ${market}
      and property_id = any(${ids}::text[])`

/** The changes of one past day, of the generated history. */
export const listingChangesOn = (db: Db, market: MarketId, day: string) =>
  rowsOf<PendingListing>(db)`${pendingListings(
    sql`select * from listing_change where market = ${market} and changed_on = ${day}::date`,
  )}`

/** Marks the changes of these properties as announced and returns them as they were, oldest first. */
export const takePendingListings = (tx: Db, market: MarketId, ids: readonly string[], now: Date) =>
  rowsOf<PendingListing>(tx)`
    with taken as (
      update listing_change c set announced_at = ${now}, row_before = null from listing_change b
      where c.announced_at is null and c.market = ${market} and c.property_id = any(${ids}::text[])
        and b.market = c.market and b.source_id = c.source_id and b.listing_id = c.listing_id and b.changed_at = c.changed_at
      returning b.*)
    ${pendingListings(sql`select * from taken`)}`

/** Oldest first. */
const pendingListings = (changes: ReturnType<typeof sql>) => sql`
  select ${ofChange('c')}, ${ofHome('p')}, l.current
  from (${changes}) c join property p on p.market = c.market and p.id = c.property_id
  join listing l on l.market = c.market and l.source_id = c.source_id and l.listing_id = c.listing_id
  order by c.changed_at, c.listing_id`
