// What happened to one property, as stored: listings with their changes, sales, permits with their changes, values.
import { marketOfProperty } from '../../domain/property-id.ts'
import { type Db, type Known, rowsOf, sql, withoutNulls } from '../engine/database.ts'
import type {
  ListingChangeTable,
  ListingTable,
  PermitChangeTable,
  PermitTable,
  SaleTable,
  ValueChangeTable,
} from '../engine/schema.ts'
import { groupOf } from '../engine/shard-groups.ts'

type ListingRow = Pick<
  ListingTable,
  'sourceId' | 'listingId' | 'status' | 'priceUsd' | 'originalPriceUsd' | 'listedOn' | 'pendingOn' | 'soldOn'
>
type ListingChangeRow = Pick<
  ListingChangeTable,
  'sourceId' | 'listingId' | 'changedOn' | 'priceUsd' | 'status' | 'previousPriceUsd' | 'previousStatus'
>
type PermitRow = Pick<PermitTable, 'permitId' | 'permitClass' | 'status' | 'issuedOn' | 'appliedOn' | 'valuationUsd'>
type PermitChangeRow = Pick<PermitChangeTable, 'changedOn' | 'status' | 'previousStatus'> &
  Pick<PermitTable, 'permitId' | 'permitClass' | 'issuedOn' | 'appliedOn'>

export interface StoredTimeline {
  listings: Known<ListingRow>[]
  listingChanges: Known<ListingChangeRow>[]
  sales: Known<Pick<SaleTable, 'soldOn' | 'priceUsd'>>[]
  permits: Known<PermitRow>[]
  permitChanges: Known<PermitChangeRow>[]
  values: Known<Omit<ValueChangeTable, 'market' | 'propertyId' | 'changedAt'>>[]
}

const most = 200

/** Without the records of the hidden sources. */
export const storedTimeline = async (
  db: Db,
  propertyId: string,
  hiddenSources: readonly string[],
): Promise<StoredTimeline | undefined> => {
  const market = marketOfProperty(propertyId)
  if (!market) return undefined
  const group = groupOf(db, market)
  const own = sql`market = ${market} and property_id = ${propertyId}`
  const shown = sql`source_id <> all(${hiddenSources}::text[])`
  const [listings, listingChanges, sales, permits, permitChanges, values] = await Promise.all([
    rowsOf<ListingRow>(group)`
      select source_id, listing_id, status, price_usd, original_price_usd, listed_on, pending_on, sold_on from listing where ${own} and ${shown}
      order by listed_on desc nulls last limit ${most}`,
    rowsOf<ListingChangeRow>(group)`
      select source_id, listing_id, changed_on, price_usd, status, previous_price_usd, previous_status
      from listing_change where ${own} and ${shown}
      order by changed_at desc limit ${most}`,
    rowsOf<Pick<SaleTable, 'soldOn' | 'priceUsd'>>(group)`
      select sold_on, price_usd from sale where ${own} and ${shown} and removed_at is null order by sold_on desc limit ${most}`,
    rowsOf<PermitRow>(group)`
      select permit_id, permit_class, status, issued_on, applied_on, valuation_usd from permit where ${own} and ${shown} and removed_at is null
      order by issued_on desc nulls last limit ${most}`,
    rowsOf<PermitChangeRow>(group)`
      select c.changed_on, c.status, c.previous_status, c.permit_id, p.permit_class, p.issued_on, p.applied_on
      from permit_change c join permit p on p.market = c.market and p.city_slug = c.city_slug and p.permit_id = c.permit_id
      where c.market = ${market} and c.property_id = ${propertyId} and p.source_id <> all(${hiddenSources}::text[]) order by c.changed_at desc limit ${most}`,
    rowsOf<Omit<ValueChangeTable, 'market' | 'propertyId' | 'changedAt'>>(group)`
      select changed_on, value_usd, value_low_usd, value_high_usd, return_pct, previous_value_usd, previous_return_pct, moved
      from value_change where ${own} order by changed_at desc limit ${most}`,
  ])
  return {
    listings: listings.map(withoutNulls),
    listingChanges: listingChanges.map(withoutNulls),
    sales: sales.map(withoutNulls),
    permits: permits.map(withoutNulls),
    permitChanges: permitChanges.map(withoutNulls),
    values: values.map(withoutNulls),
  }
}
