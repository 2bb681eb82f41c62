// Stored rows as the conditions of a search see them, for `meets`. test/operations/search.test.ts checks that SQL and `meets` agree on
// them.
import { keysOf, pick } from '../../common/typed.ts'
import { type DealTerms, type SearchRow, storedDeal } from '../../criteria/conditions.ts'
import { searchValues } from '../../criteria/search-columns.ts'
import { daysOnMarket } from '../../domain/days-on-market.ts'
import type { ListingStatus, MarketId } from '../../domain/facts.ts'
import { columnsOf, type RowOf, tableOfRows } from '../engine/columns.ts'
import { type Db, type Known, rowsOf, sql, withoutNulls } from '../engine/database.ts'
import type { PermitTable, PropertySearchTable, PropertyTable } from '../engine/schema.ts'
import { permitSearchText } from '../permit-search/upkeep.ts'
import type { Sql } from './compile.ts'
import { mostSqft } from './deal-terms.ts'

/** What a condition may ask for and property_search does not have. */
type Place = Pick<PropertyTable, 'city' | 'addressKey' | 'overlays'>

/** The present rows of properties, by id. */
export const searchRowsOf = async (
  db: Db,
  market: MarketId,
  ids: readonly string[],
  today: string,
  { deals = false }: { deals?: boolean } = {},
): Promise<Map<string, SearchRow>> => {
  if (ids.length === 0) return new Map()
  const most = deals
    ? sql`(select ${mostSqft} from assessment a where a.market = s.market and a.property_id = s.property_id and s.deal is not null)`
    : sql`null::float8`
  const rows = await rowsOf<PropertySearchTable & Place & { mostSqft: number | null }>(db)`
    select s.*, p.city, p.address_key, p.overlays, ${most} as most_sqft
    from property_search s join property p on p.market = s.market and p.id = s.property_id
    where s.market = ${market} and s.property_id = any(${ids}::text[])`
  return new Map(
    rows.map((row) => {
      const searchRow = searchRowOf(row, row, today)
      const deal = deals && row.deal ? storedDeal(row.deal as unknown as DealTerms, row.mostSqft) : undefined
      return [row.propertyId, deal ? { ...searchRow, deal } : searchRow]
    }),
  )
}

const searchRowOf = (row: PropertySearchTable, { city, addressKey, overlays }: Place, today: string): SearchRow => ({
  market: row.market,
  id: row.propertyId,
  citySlug: row.citySlug,
  city,
  addressKey,
  overlays: overlaysOf(row, overlays),
  blocked: row.sb9Blocked,
  ...known({ zip: row.zip, lat: row.location?.y, lng: row.location?.x }),
  ...(searchValues('homes', ({ name, column }) => {
    if (name === 'daysOnMarket') return daysOf(row, today)
    if (name === 'soldOn' && row.status !== 'sold') return undefined
    return row[column as keyof PropertySearchTable]
  }) as Pick<SearchRow, 'numbers' | 'texts'>),
})

/** A run updates the property first: until its search row is written, that row has the overlays from before. */
const overlaysOf = ({ overlaysYes }: PropertySearchTable, overlays: Place['overlays']): Place['overlays'] => ({
  ...Object.fromEntries(Object.entries(overlays).filter(([, value]) => value !== 'yes')),
  ...Object.fromEntries(overlaysYes.map((name) => [name, 'yes'])),
})

const daysOf = ({ status, listedOn, pendingOn, soldOn }: PropertySearchTable, today: string): number | undefined =>
  status === null
    ? undefined
    : daysOnMarket({ status: status as ListingStatus, ...known({ listedOn, pendingOn, soldOn }) }, today)

const ofPermit = columnsOf<PermitTable>()(
  'market citySlug permitId city lat lng addressKey otherAddressKeys',
  'valuationUsd units status issuedOn appliedOn finaledOn permitClass contractor',
)

type PermitRow = RowOf<typeof ofPermit> & {
  zip: string | null
  overlays: PropertyTable['overlays'] | null
  search: string
  builderId: string | null
}

/** The present rows of permits, in no order. `keys` selects market, city_slug and permit_id. */
export const permitRowsOf = async (db: Db, keys: Sql): Promise<{ permitId: string; row: SearchRow }[]> => {
  const rows = await rowsOf<PermitRow>(db)`
    select ${ofPermit('p')}, case when h.known_from = 'parcel' then h.zip end as zip, h.overlays, ${permitSearchText} as search,
      (select b.builder_id from builder b where b.market = p.market and b.name_key = p.contractor_key and not b.hidden) as builder_id
    from permit p join (${keys}) k using (market, city_slug, permit_id)
    left join property h on h.market = p.market and h.id = p.property_id`
  return rows.map((row) => ({ permitId: row.permitId, row: permitRowOf(row) }))
}

/** The present rows of permits of one market, by city and number: `palo-alto/B-1`. */
export const permitRowsByKey = async (
  db: Db,
  market: MarketId,
  keys: readonly { citySlug: string; permitId: string }[],
): Promise<Map<string, SearchRow>> => {
  if (keys.length === 0) return new Map()
  const table = tableOfRows(keys, { citySlug: 'text', permitId: 'text' })
  const rows = await permitRowsOf(db, sql`select ${market} as market, city_slug, permit_id from ${table}`)
  return new Map(rows.map(({ permitId, row }) => [`${row.citySlug}/${permitId}`, row]))
}

const permitRowOf = (row: PermitRow): SearchRow => ({
  ...pick(row, 'market', 'citySlug', 'city', 'search'),
  ...known(pick(row, 'zip', 'lat', 'lng', 'overlays', 'addressKey', 'otherAddressKeys')),
  ...(searchValues('permits', ({ column }) => row[column as keyof PermitRow]) as Pick<SearchRow, 'numbers' | 'texts'>),
})

const known = <T extends object>(values: T): Known<T> => {
  const knownValues = withoutNulls(values)
  for (const key of keysOf(knownValues)) if (knownValues[key] === undefined) delete knownValues[key]
  return knownValues
}
