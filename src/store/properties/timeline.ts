// What happened to one property, as stored: listings with their changes, sales, permits with their changes, values.
import { marketOfProperty } from '../../domain/property-id.ts'
import { columnsOf, type RowOf } from '../engine/columns.ts'
import { type Db, knownRows, sql } from '../engine/database.ts'
import type {
  ListingChangeTable,
  ListingTable,
  PermitChangeTable,
  PermitTable,
  SaleTable,
  ValueChangeTable,
} from '../engine/schema.ts'
import { groupOf } from '../engine/shard-groups.ts'

const ofListing = columnsOf<ListingTable>()(
  'sourceId listingId status priceUsd originalPriceUsd listedOn pendingOn soldOn',
)
const ofListingChange = columnsOf<ListingChangeTable>()(
  'sourceId listingId changedOn priceUsd status previousPriceUsd previousStatus',
)
const ofSale = columnsOf<SaleTable>()('soldOn priceUsd')
const ofPermit = columnsOf<PermitTable>()('permitId permitClass status issuedOn appliedOn valuationUsd')
const ofPermitChange = columnsOf<PermitChangeTable>()('changedOn status previousStatus permitId')
const ofChangedPermit = columnsOf<PermitTable>()('permitClass issuedOn appliedOn')
const ofValue = columnsOf<ValueChangeTable>()(
  'changedOn valueUsd valueLowUsd valueHighUsd returnPct previousValueUsd previousReturnPct moved',
)

export type StoredTimeline = NonNullable<Awaited<ReturnType<typeof storedTimeline>>>

const most = 200

/** Without the records of the hidden sources. */
export const storedTimeline = async (db: Db, propertyId: string, hiddenSources: readonly string[]) => {
  const market = marketOfProperty(propertyId)
  if (!market) return undefined
  const group = groupOf(db, market)
  const ofProperty = sql`market = ${market} and property_id = ${propertyId}`
  const fromShownSource = sql`source_id <> all(${hiddenSources}::text[])`
  const [listings, listingChanges, sales, permits, permitChanges, values] = await Promise.all([
    knownRows<RowOf<typeof ofListing>>(group)`
      select ${ofListing()} from listing where ${ofProperty} and ${fromShownSource} order by listed_on desc nulls last limit ${most}`,
    knownRows<RowOf<typeof ofListingChange>>(group)`
      select ${ofListingChange()} from listing_change where ${ofProperty} and ${fromShownSource} order by changed_at desc limit ${most}`,
    knownRows<RowOf<typeof ofSale>>(group)`
      select ${ofSale()} from sale where ${ofProperty} and ${fromShownSource} and removed_at is null order by sold_on desc limit ${most}`,
    knownRows<RowOf<typeof ofPermit>>(group)`
      select ${ofPermit()} from permit where ${ofProperty} and ${fromShownSource} and removed_at is null
      order by issued_on desc nulls last limit ${most}`,
    knownRows<RowOf<typeof ofPermitChange> & RowOf<typeof ofChangedPermit>>(group)`
      select ${ofPermitChange('c')}, ${ofChangedPermit('p')}
      from permit_change c join permit p on p.market = c.market and p.city_slug = c.city_slug and p.permit_id = c.permit_id
      where c.market = ${market} and c.property_id = ${propertyId} and p.source_id <> all(${hiddenSources}::text[])
      order by c.changed_at desc limit ${most}`,
    knownRows<RowOf<typeof ofValue>>(group)`
      select ${ofValue()} from value_change where ${ofProperty} order by changed_at desc limit ${most}`,
  ])
  return { listings, listingChanges, sales, permits, permitChanges, values }
}
