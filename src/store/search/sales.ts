// Recorded sales by criteria: one page, the total and the funnel. The history window is part of every query.
import type { Condition } from '../../contract/criteria/conditions.ts'
import type { SortField, SortKey } from '../../contract/criteria/fields.ts'
import type { MarketId } from '../../contract/facts.ts'
import type { LatLng } from '../../contract/markets.ts'
import { type Db, type Known, sql, withoutNulls } from '../engine/database.ts'
import type { PropertyTable, SaleTable, SourceTable } from '../engine/schema.ts'
import { groupOfAll } from '../engine/shard-groups.ts'
import { all, type Columns, compile, distanceSql, type Sql } from './compile.ts'
import { type FunnelStep, funnelOf, keysAfter, orderOf, type Position } from './paging.ts'

export interface SaleQuery {
  markets: readonly MarketId[]
  conditions: readonly Condition[]
  sort: readonly SortKey[]
  point?: LatLng | undefined
  /** Start of the history window: older sales do not exist for the caller. */
  since?: string | undefined
}

export type SaleRow = Known<
  Pick<SaleTable, 'saleId' | 'propertyId' | 'address' | 'city' | 'soldOn' | 'listPriceUsd' | 'daysOnMarket'> &
    Pick<SaleTable, 'propertyType' | 'livingSqft' | 'lotSqft' | 'beds' | 'baths' | 'yearBuilt' | 'lat' | 'lng'> &
    Pick<SaleTable, 'priceUsd' | 'sourceId' | 'collectedAt'> &
    Pick<SourceTable, 'license' | 'sample'> & {
      pricePerSqft: number | null
      overlays: PropertyTable['overlays'] | null
      sourceTitle: SourceTable['title']
      sourceUrl: SourceTable['url']
      sourceKind: SourceTable['kind']
      sourceUses: NonNullable<SourceTable['config']['uses']> | null
    }
>

interface SalePage {
  rows: SaleRow[]
  /** For the cursor, in the order of the rows. */
  positions: Position[]
}

/** The first sales in order, after a position or an offset. */
export const salePage = async (
  db: Db,
  query: SaleQuery,
  page: { limit: number; offset: number; after?: Position | undefined },
): Promise<SalePage> => {
  const keys = query.sort.map(({ field }) => sortColumn(field, query.point))
  const shown = keys.map((key, at) => sql`${key} as ${sql.ref(`sort_${at}`)}`)
  const { rows } = await sql<Record<string, unknown> & { rowId: string }>`
    select ${sql.join([...shown, sql`${rowId} as row_id`])}, ${number} as sale_id, p.id as property_id,
      coalesce(p.address, s.address) as address, s.city, s.sold_on, s.price_usd, ${pricePerSqft} as price_per_sqft,
      s.list_price_usd, s.days_on_market, ${ofHouse('property_type')} as property_type,
      ${ofHouse('living_sqft')} as living_sqft, ${lotSqft} as lot_sqft, ${ofHouse('beds')} as beds,
      ${ofHouse('baths')} as baths, ${ofHouse('year_built')} as year_built, coalesce(p.lat, s.lat) as lat,
      coalesce(p.lng, s.lng) as lng, p.overlays, o.id as source_id, o.title as source_title, o.license, o.sample,
      o.kind as source_kind, o.config->'uses' as source_uses, coalesce(s.source_url, o.url) as source_url, s.collected_at
    from ${tables(query)} join source o on o.id = s.source_id
    where ${all([...matching(query), ...keysAfter(query.sort, keys, rowId, page.after)])}
    order by ${orderOf(query.sort, keys, rowId)} limit ${page.limit} offset ${page.offset}`.execute(handleOf(db, query))
  return {
    rows: rows.map((row) => withoutNulls(row) as unknown as SaleRow),
    positions: rows.map((row) => [...query.sort.map((_, at) => row[`sort${at}`] as Position[number]), row.rowId]),
  }
}

/** Counts up to the cap and one more. */
export const countSales = async (db: Db, query: SaleQuery, cap: number): Promise<number> => {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (
      select 1 from ${tables(query)} where ${all(matching(query))} limit ${cap + 1}) m`.execute(handleOf(db, query))
  return rows[0]!.total
}

export const saleFunnel = (db: Db, query: SaleQuery): Promise<FunnelStep[]> =>
  funnelOf(handleOf(db, query), sql`${tables(query)} where ${all(base(query))}`, query.conditions, columns)

/** How many sales have a value, by field, and how many there are. */
export const filledSales = async (db: Db): Promise<Record<string, number>> => {
  const counted = Object.entries({ ...columns.numbers, ...columns.texts }).map(
    ([field, column]) => sql`count(${column}) as ${sql.ref(field)}`,
  )
  const { rows } = await sql<Record<string, number>>`
    select count(*) as rows, ${sql.join(counted)} from ${tables({})} where s.removed_at is null`.execute(db)
  return rows[0]!
}

const handleOf = (db: Db, { markets }: SaleQuery): Db => groupOfAll(db, markets)

/** A property that is known only through a sale before the history window does not exist for the caller. */
const tables = ({ since }: Pick<SaleQuery, 'since'>): Sql => sql`sale s left join property p
  on p.market = s.market and p.id = s.property_id
  ${
    since === undefined
      ? sql``
      : sql`and (p.known_from <> 'listing' or not exists (
          select from listing l where l.market = p.market and l.property_id = p.id and l.current and l.status = 'sold'
            and l.sold_on < ${since}::date))`
  }`

const base = ({ markets, since }: SaleQuery): Sql[] => [
  markets.length === 1 ? sql`s.market = ${markets[0]}` : sql`s.market = any(${markets as MarketId[]})`,
  sql`s.removed_at is null`,
  ...(since === undefined ? [] : [sql`s.sold_on >= ${since}::date`]),
]

const matching = (query: SaleQuery): Sql[] => [
  ...base(query),
  ...compile(query.conditions, query.since === undefined ? { ...columns, address: indexedAddress } : columns),
]

/**
 * An index finds the parcels of an address, and then their sales. Within a history window some parcels are hidden and the sale's own
 * address counts, so the few sales of the window are all compared. The inner sale is named as the outer one, because the condition
 * on the city names it.
 */
const indexedAddress: NonNullable<Columns['address']> = (condition) => sql`(s.market, s.source_id, s.sale_id) in (
  select s.market, s.source_id, s.sale_id from property q join sale s on s.market = q.market and s.property_id = q.id
  where ${condition(sql`q.address_key`)}
  union all
  select s.market, s.source_id, s.sale_id from sale s where s.property_id is null and ${condition(sql`s.address_key`)})`

/** As in a grid of comparable sales: numbers repeat between sources. */
const number = sql`s.source_id || ':' || s.sale_id`

/** Orders sales that are equal otherwise. */
const rowId = sql`(s.source_id || ':' || s.sale_id || ' ' || s.market)`

/**
 * Facts of the house come from the sale first. A house that was built after the sale is another house, so the parcel's facts count
 * only if its house stood at the time.
 */
const ofHouse = (column: string): Sql =>
  sql`coalesce(${sql.ref(`s.${column}`)}, case when coalesce(p.year_built, 0) <= extract(year from s.sold_on)
    then ${sql.ref(`p.${column}`)} end)`

const lotSqft = sql`coalesce(p.lot_sqft, s.lot_sqft)`
const pricePerSqft = sql`round((s.price_usd / nullif(${ofHouse('living_sqft')}, 0))::numeric, 2)::double precision`

const columns: Columns = {
  market: sql`s.market`,
  citySlug: sql`s.city_slug`,
  zip: sql`p.zip`,
  location: sql`point(coalesce(p.lng, s.lng), coalesce(p.lat, s.lat))`,
  near: (inside) => sql`(s.market, s.source_id, s.sale_id) in (
    select n.market, n.source_id, n.sale_id from property q
    join sale n on n.market = q.market and n.property_id = q.id
    where q.lat is not null and q.lng is not null and ${inside(sql`point(q.lng, q.lat)`)}
    union all
    select n.market, n.source_id, n.sale_id from sale n
    where n.lat is not null and n.lng is not null and ${inside(sql`point(n.lng, n.lat)`)})`,
  overlays: sql`p.overlays`,
  address: (condition) => condition(sql`coalesce(p.address_key, s.address_key)`),
  numbers: {
    price: sql`s.price_usd`,
    pricePerSqft,
    daysOnMarket: sql`s.days_on_market`,
    sqft: ofHouse('living_sqft'),
    lotSize: lotSqft,
    beds: ofHouse('beds'),
    baths: ofHouse('baths'),
    yearBuilt: ofHouse('year_built'),
  },
  texts: { soldOn: sql`s.sold_on`, propertyType: ofHouse('property_type') },
}

const sortColumn = (field: SortField, point: LatLng | undefined): Sql => {
  if (field === 'id') return number
  if (field === 'city') return sql`s.city_slug`
  if (field === 'distanceMi') return distanceSql(columns.location!, point!)
  const known: Readonly<Record<string, Sql | undefined>> = { ...columns.numbers, ...columns.texts }
  return known[field] ?? sql`null::double precision`
}
