// Recorded sales by criteria: one page, the total and the funnel. The history window is part of every query.
import type { Condition } from '../../contract/criteria/conditions.ts'
import type { SortField, SortKey } from '../../contract/criteria/fields.ts'
import type { MarketId } from '../../contract/facts.ts'
import type { LatLng } from '../../contract/markets.ts'
import { type Db, type Known, sql, withoutNulls } from '../engine/database.ts'
import type { PropertyTable, SaleTable, SourceTable } from '../engine/schema.ts'
import { groupOfAll } from '../engine/shard-groups.ts'
import { all, type Columns, compile, distanceSql, readsAllOverlays, type Sql } from './compile.ts'
import { type FunnelStep, funnelOf, keysAfter, orderOf, type Position } from './paging.ts'
import {
  saleColumns,
  saleFacts,
  salesWithHiddenProperty,
  visibleProperty,
  visiblePropertyOfSale,
  windowedColumns,
} from './sale-facts.ts'

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
      zip: PropertyTable['zip']
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
  const { from, where, columns } = sourceOf(query)
  const keys = query.sort.map(({ field }) => sortColumn(field, columns, query.point))
  const names = keys.map((_, at) => sql.ref(`sort_${at}`))
  const shown = keys.map((key, at) => sql`${key} as ${names[at]!}`)
  const { rows } = await sql<Record<string, unknown> & { rowId: string }>`
    select ${sql.join([...names, sql`${number} || ' ' || s.market as row_id`])}, ${number} as sale_id, p.id as property_id,
      coalesce(p.address, s.address) as address, s.city, p.zip, s.sold_on, s.price_usd, ${saleFacts.price_per_sqft} as price_per_sqft,
      s.list_price_usd, s.days_on_market, ${saleFacts.property_type} as property_type,
      ${saleFacts.sqft} as living_sqft, ${saleFacts.lot_size} as lot_sqft, ${saleFacts.beds} as beds,
      ${saleFacts.baths} as baths, ${saleFacts.year_built} as year_built, coalesce(p.lat, s.lat) as lat,
      coalesce(p.lng, s.lng) as lng, p.overlays, o.id as source_id, o.title as source_title, o.license, o.sample,
      o.kind as source_kind, o.config->'uses' as source_uses, coalesce(s.source_url, o.url) as source_url, s.collected_at
    from (
      select ${sql.join([sql`s.market`, sql`s.source_id`, sql`s.sale_id`, ...shown])}
      from ${from} where ${all([...where, ...keysAfter(query.sort, keys, rowId, page.after, idAfter)])}
      order by ${orderOf(query.sort, keys, rowId, neverNull)} limit ${page.limit} offset ${page.offset}) k
    join sale s on s.market = k.market and s.source_id = k.source_id and s.sale_id = k.sale_id
    ${visiblePropertyOfSale(query.since)}
    join source o on o.id = s.source_id
    order by ${orderOf(query.sort, names, rowId)}`.execute(handleOf(db, query))
  return {
    rows: rows.map((row) => withoutNulls(row) as unknown as SaleRow),
    positions: rows.map((row) => [...query.sort.map((_, at) => row[`sort${at}`] as Position[number]), row.rowId]),
  }
}

/** Counts up to the cap and one more. */
export const countSales = async (db: Db, query: SaleQuery, cap: number): Promise<number> => {
  const { from, where } = sourceOf(query)
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (select 1 from ${from} where ${all(where)} limit ${cap + 1}) m`.execute(
    handleOf(db, query),
  )
  return rows[0]!.total
}

export const saleFunnel = (db: Db, query: SaleQuery): Promise<FunnelStep[]> => {
  const { from, base, columns } = sourceOf(query, true)
  return funnelOf(handleOf(db, query), sql`${from} where ${all(base)}`, query.conditions, columns)
}

/** How many sales have a value, by field, and how many there are. */
export const filledSales = async (db: Db): Promise<Record<string, number>> => {
  const counted = Object.entries({ ...saleColumns.numbers, ...saleColumns.texts, zip: sql`s.zip` }).map(
    ([field, column]) => sql`count(${column}) as ${sql.ref(field)}`,
  )
  const { rows } = await sql<Record<string, number>>`
    select count(*) as rows, ${sql.join(counted)} from sale_search s`.execute(db)
  return rows[0]!
}

const handleOf = (db: Db, { markets }: SaleQuery): Db => groupOfAll(db, markets)

interface Source {
  from: Sql
  /** Which sales exist for this caller, before any condition. */
  base: Sql[]
  where: Sql[]
  columns: Columns
}

/** `explained`: every overlay is read, to count those that are not known. */
const sourceOf = (query: SaleQuery, explained = false): Source => {
  const { markets, since, conditions } = query
  const windowed = since !== undefined
  const base = [
    markets.length === 1 ? sql`s.market = ${markets[0]}` : sql`s.market = any(${markets as MarketId[]})`,
    ...(windowed ? [sql`s.sold_on >= ${since}::date`] : []),
  ]
  const columns = windowed ? windowedColumns : saleColumns
  const sales = windowed ? salesWithHiddenProperty(since) : sql`sale_search s`
  const needsParcel = conditions.some((each) => each.type === 'overlay' && (explained || readsAllOverlays(each)))
  return {
    from: needsParcel ? sql`${sales} ${visibleProperty(windowed)}` : sales,
    base,
    where: [...base, ...compile(conditions, columns)],
    columns,
  }
}

/** As in a grid of comparable sales: numbers repeat between sources. */
const number = sql`s.source_id || ':' || s.sale_id`

/** Orders sales that are equal otherwise. Joined to one text, it would take longer to compute than to find and sort the sales. */
const rowId = sql`s.source_id, s.sale_id, s.market`

/** A cursor has the three as one text: the number, a space and the market. */
const idAfter = (last: Position[number] | undefined): Sql => {
  const [, source = '', sale = '', market = ''] = /^([^:]*):(.*) (\S*)$/s.exec(String(last)) ?? []
  return sql`(${rowId}) > (${source}, ${sale}, ${market})`
}

/** Every sale has them, so an index in either direction gives their order. */
const neverNull: readonly SortField[] = ['soldOn', 'price']

const sortColumn = (field: SortField, { numbers, texts, location }: Columns, point: LatLng | undefined): Sql => {
  if (field === 'id') return number
  if (field === 'city') return sql`s.city_slug`
  if (field === 'distanceMi') return distanceSql(location!, point!)
  const known: Readonly<Record<string, Sql | undefined>> = { ...numbers, ...texts }
  return known[field] ?? sql`null::double precision`
}
