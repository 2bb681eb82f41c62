// Answers of the vision model about photos, by the hash of the photos and by listing.
import type { MarketId } from '../../domain/facts.ts'
import { type Db, execute, firstRow, rowsOf } from '../engine/database.ts'
import type { ListingPhotoGradeTable, ListingTable } from '../engine/schema.ts'
import { onMarket } from '../properties/listing-status.ts'

type PhotoGrade = Pick<ListingPhotoGradeTable, 'condition' | 'analysis' | 'model'>

export const visionCache = (db: Db) => ({
  get: (hash: string) =>
    firstRow<PhotoGrade>(db)`
      select condition, analysis, model from photo_analysis where hash = ${hash}`,
  put: async (hash: string, { condition, analysis, model }: PhotoGrade): Promise<void> => {
    await execute(db)`insert into photo_analysis (hash, condition, analysis, model)
      values (${hash}, ${condition}, ${analysis}, ${model}) on conflict (hash) do nothing`
  },
})

type PhotographedListing = Pick<ListingTable, 'sourceId' | 'listingId' | 'propertyId'> & { photoUrls: string[] }

/** Open listings with photos that have no analysis in the feed and no grade for the present photos. */
export const ungradedListings = (db: Db, market: MarketId) =>
  rowsOf<PhotographedListing>(db)`
    select l.source_id, l.listing_id, l.property_id, l.photo_urls from listing l
    left join listing_photo_grade g on g.market = l.market and g.source_id = l.source_id and g.listing_id = l.listing_id
      and g.photo_urls = l.photo_urls
    where l.market = ${market} and l.current and ${onMarket('l.status')}
      and cardinality(l.photo_urls) > 0 and l.vision_analysis is null and g.listing_id is null
    order by l.listed_on desc nulls last, l.source_id, l.listing_id`

/** Stores the grade and marks the property as touched, so that it is assessed again. */
export const saveGrade = async (tx: Db, market: MarketId, listing: PhotographedListing, grade: PhotoGrade) => {
  const touchedAt = new Date()
  await execute(tx)`
    insert into listing_photo_grade (market, source_id, listing_id, photo_urls, condition, analysis, model)
    values (${market}, ${listing.sourceId}, ${listing.listingId}, ${listing.photoUrls}, ${grade.condition}, ${grade.analysis}, ${grade.model})
    on conflict (market, source_id, listing_id) do update set photo_urls = excluded.photo_urls, condition = excluded.condition,
      analysis = excluded.analysis, model = excluded.model, graded_at = excluded.graded_at`
  await execute(tx)`
    insert into touched_property (market, property_id, touched_at) values (${market}, ${listing.propertyId}, ${touchedAt})
    on conflict (market, property_id) do update set touched_at = excluded.touched_at`
}
