// New houses that were bought, built and sold again near a point.
import { circleArea } from '../../criteria/geometry.ts'
import type { MarketId } from '../../domain/facts.ts'
import type { LatLng } from '../../domain/packs/markets.ts'
import { type Db, rowsOf, sql } from '../engine/database.ts'
import type { PermitTable, SaleTable } from '../engine/schema.ts'
import { groupOf } from '../engine/shard-groups.ts'
import { distanceSql, inTiles } from '../search/compile.ts'

export interface BuiltQuestion {
  market: MarketId
  center: LatLng
  radiusMi: number
  /** Permits were issued, and houses sold, from this day on. */
  from: string
  /** Start of the history window: both sales and the permit are in it. */
  since?: string | undefined
  /** Sources whose records may not be served here. */
  withoutSources: readonly string[]
  most: number
}

export interface BuiltRow extends Pick<PermitTable, 'address' | 'permitId' | 'issuedOn' | 'finaledOn' | 'sqft'> {
  propertyId: string
  city: string
  distanceMi: number
  lotPriceUsd: SaleTable['priceUsd']
  lotSoldOn: SaleTable['soldOn']
  resaleUsd: SaleTable['priceUsd']
  resoldOn: SaleTable['soldOn']
  livingSqft: SaleTable['livingSqft']
  builder: string | null
  sample: boolean
}

/** A lot that was bought longer before its permit was not bought for it. */
const boughtWithin = '5 years'
/** No house is finished and sold sooner after its permit. */
const leastBuildDays = 120

export const builtNearby = async (db: Db, question: BuiltQuestion): Promise<BuiltRow[]> => {
  const { market, center, radiusMi, from, since, withoutSources, most } = question
  const area = circleArea(center, radiusMi)
  if (area.type !== 'circle') return []
  const distance = distanceSql(sql`n.location`, center)
  const sale = sql`s.market = p.market and s.property_id = p.property_id and s.source_id <> all(${withoutSources}::text[])
    ${since === undefined ? sql`` : sql`and s.sold_on >= ${since}::date`}`
  return rowsOf<BuiltRow>(groupOf(db, market))`
    select * from (select distinct on (p.property_id) p.property_id, p.permit_id, p.address, p.city, p.issued_on, p.finaled_on, p.sqft,
      ${distance} as distance_mi, before.price_usd as lot_price_usd, before.sold_on as lot_sold_on,
      later.price_usd as resale_usd, later.sold_on as resold_on, later.living_sqft,
      b.name as builder, o.sample or before.sample or later.sample as sample
    from permit_search n join permit p on p.market = n.market and p.city_slug = n.city_slug and p.permit_id = n.permit_id
    join source o on o.id = p.source_id
    left join builder b on b.market = p.market and b.name_key = p.contractor_key and not b.hidden
    cross join lateral (
      select s.price_usd, s.sold_on, o.sample from sale s join source o on o.id = s.source_id
      where ${sale} and s.sold_on < coalesce(p.applied_on, p.issued_on)
        and s.sold_on >= p.issued_on - ${boughtWithin}::interval
      order by s.sold_on desc limit 1) before
    cross join lateral (
      select s.price_usd, s.sold_on, s.living_sqft, o.sample from sale s join source o on o.id = s.source_id
      where ${sale} and s.sold_on >= greatest(p.issued_on + ${leastBuildDays}::int, ${from}::date)
      order by s.sold_on limit 1) later
    where n.market = ${market} and n.permit_class = 'new_house' and n.issued_on >= ${from}::date and p.removed_at is null
      and p.property_id is not null and p.source_id <> all(${withoutSources}::text[])
      ${since === undefined ? sql`` : sql`and n.issued_on >= ${since}::date`}
      and ${inTiles(sql`n.location`, area.boxes)} and ${distance} <= ${radiusMi}::float8
    order by p.property_id, p.issued_on desc) built
    order by resold_on desc, property_id limit ${most}`
}
