// Past sales with the facts that were known on the day of the sale, and whether the house was demolished later. The teardown
// model is fitted on them.

import type { HomeFact } from '../../domain/fact-table.ts'
import type { MarketId } from '../../domain/facts.ts'
import { columnsOf, type RowOf } from '../engine/columns.ts'
import { type Db, type Known, knownRows } from '../engine/database.ts'
import type { ListingTable, PropertyTable, SaleTable } from '../engine/schema.ts'
import { doubtfulDemolitions } from '../permits/doubtful-demolitions.ts'
import { locationColumns, soldHomeColumns } from '../properties/fact-columns.ts'
import { type Period, within } from './known-on.ts'

const ofSale = columnsOf<SaleTable>()('soldOn priceUsd listPriceUsd listedOn daysOnMarket')
const ofParcel = columnsOf<PropertyTable>()(
  'market city citySlug address lotWidthFt lotDepthFt cornerLot slopePct zoning overlays',
)

/**
 * The home as the record of the sale describes it. From the parcel only what a new house does not change: its land, location
 * and zoning. Assessed values and the present house are left out of every row, because they would reveal a later rebuild.
 */
export type PastSale = Known<
  RowOf<typeof ofSale> &
    RowOf<typeof ofParcel> &
    Pick<SaleTable, 'saleId' | HomeFact> &
    Pick<PropertyTable, 'lat' | 'lng'> &
    Pick<ListingTable, 'originalPriceUsd' | 'remarks' | 'visionAnalysis'>
> & {
  propertyId: string
  /** Issue date of the first whole-house demolition permit on or after the sale. Doubtful demolitions are left out. */
  demolishedOn?: string
}

/** The latest `most` sales of a period, oldest first, whose property was matched with more than low confidence. */
export const pastSales = (db: Db, market: MarketId, period: Period, most: number) =>
  knownRows<PastSale>(db)`
    with doubtful as materialized (${doubtfulDemolitions(market, period.until)}),
    latest as (
      select * from sale where market = ${market} and ${within('sold_on', period)} and property_id is not null and removed_at is null
        and match_confidence <> 'low'
      order by sold_on desc, source_id, sale_id limit ${most})
    select s.source_id || ':' || s.sale_id as sale_id, s.property_id, ${ofSale('s')}, ${ofParcel('p')},
      ${soldHomeColumns('s', 'p')}, ${locationColumns('s', 'p')}, l.original_price_usd,
      coalesce(l.remarks, s.remarks) as remarks, l.vision_analysis, d.demolished_on
    from latest s
    join property p on p.market = s.market and p.id = s.property_id
    left join lateral (
      select original_price_usd, remarks, vision_analysis from listing l
      where l.market = s.market and l.property_id = s.property_id and l.sold_on between s.sold_on - 10 and least(s.sold_on + 10, ${period.until}::date)
      order by l.sold_on desc limit 1) l on true
    left join lateral (
      select min(m.issued_on) as demolished_on from permit m
      where m.market = s.market and m.property_id = s.property_id and m.permit_class = 'whole_house_demolition' and m.issued_on between s.sold_on and ${period.until}::date
        and m.status not in ('expired', 'cancelled') and m.removed_at is null
        and (m.city_slug, m.permit_id) not in (select city_slug, permit_id from doubtful)) d on true
    order by s.sold_on, s.source_id, s.sale_id`
