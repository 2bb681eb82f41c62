// Recorded sales by criteria: one page, the total and the funnel. The history window is part of every query.

import { pick } from '../../common/typed.ts'
import type { SortField } from '../../criteria/fields.ts'
import type { FunnelStep } from '../../wire/pagination.ts'
import { type Db, type Known, knownRows, rowsOf, sql } from '../engine/database.ts'
import type { PropertyTable, SaleTable } from '../engine/schema.ts'
import { askGroups, type Positioned } from '../engine/shard-groups.ts'
import { type Sourced, sourceColumns } from '../properties/source-columns.ts'
import { all, compile, readsAllOverlays, type Sql } from './compile.ts'
import {
  countOfGroups,
  evaluatedOnce,
  funnelOfGroups,
  type KeyPage,
  keysAfter,
  matchesOf,
  orderOf,
  type Position,
  pageOfGroups,
  positionOf,
  type SortValues,
  type Source,
  sortColumn,
} from './paging.ts'
import { fewMatches, type PropertyQuery } from './properties.ts'
import {
  saleColumns,
  saleFacts,
  saleHomeColumns,
  salesWithHiddenProperty,
  visibleProperty,
  visiblePropertyOfSale,
  windowedColumns,
} from './sale-facts.ts'

export type SaleQuery = Pick<PropertyQuery, 'markets' | 'conditions' | 'sort' | 'point' | 'since'>

export type SaleRow = Known<
  Pick<SaleTable, 'saleId' | 'propertyId' | 'address' | 'city' | 'soldOn' | 'listPriceUsd' | 'daysOnMarket'> &
    Pick<SaleTable, 'propertyType' | 'livingSqft' | 'lotSqft' | 'beds' | 'baths' | 'yearBuilt' | 'lat' | 'lng'> &
    Pick<SaleTable, 'priceUsd' | 'collectedAt'> &
    Sourced & {
      pricePerSqft: number | null
      zip: PropertyTable['zip']
      overlays: PropertyTable['overlays'] | null
    }
>

/**
 * The first sales in order, after a position or an offset, and their positions for the cursor. `matches` is how many there are, if they
 * were counted: a few are all read and sorted, as in `propertyKeys`.
 */
export const salePage = async (db: Db, query: SaleQuery, page: KeyPage, matches = Infinity) => {
  const keys = await pageOfGroups(
    db,
    query,
    page,
    (group, markets, part) => saleKeys(group, { ...query, markets }, part, matches <= fewMatches),
    idParts,
  )
  const rows = await askGroups(
    db,
    keys,
    ['market', 'sourceId', 'saleId'],
    (group, k) =>
      knownRows<SaleRow & Positioned>(group)`
    select k.key_order, ${number} as sale_id, p.id as property_id,
      coalesce(p.address, s.address) as address, s.city, p.zip, s.sold_on, s.price_usd, ${saleFacts.price_per_sqft} as price_per_sqft,
      s.list_price_usd, s.days_on_market, ${saleHomeColumns}, coalesce(p.lat, s.lat) as lat,
      coalesce(p.lng, s.lng) as lng, p.overlays, ${sourceColumns('s', 'o')}, s.collected_at
    from ${k} join sale s on s.market = k.market and s.source_id = k.source_id and s.sale_id = k.sale_id
    ${visiblePropertyOfSale(query.since)}
    join source o on o.id = s.source_id`,
  )
  return { rows, positions: keys.map(({ position }) => position) }
}

type SaleKey = Pick<SaleTable, 'market' | 'sourceId' | 'saleId'> & { position: Position }

const saleKeys = async (db: Db, query: SaleQuery, page: KeyPage, isSorted: boolean): Promise<SaleKey[]> => {
  const { from, where, columns } = sourceOf(query)
  const keys = query.sort.map(({ field }) => sortColumn(field, columns, number, query.point))
  const sorted = keys.map((_, at) => sql.ref(`sort_${at}`))
  const sortValues = keys.map((key, at) => sql`${key} as ${sorted[at]!}`)
  const rows = await rowsOf<SortValues & Omit<SaleKey, 'position'>>(db)`
    select * from (
      select ${sql.join([sql`s.market`, sql`s.source_id`, sql`s.sale_id`, ...sortValues])}
      from ${from} where ${all([...where, ...keysAfter(query.sort, keys, rowId, page.after, idAfter)])}
      ${isSorted ? evaluatedOnce : sql``}) s
    order by ${orderOf(query.sort, sorted, rowId, neverNull)} limit ${page.limit} offset ${page.offset}`
  return rows.map((row) => {
    const key = pick(row, 'market', 'sourceId', 'saleId')
    return { ...key, position: positionOf(row, query.sort, `${key.sourceId}:${key.saleId} ${key.market}`) }
  })
}

/** Counts up to the cap and one more. */
export const countSales = (db: Db, query: SaleQuery, cap: number): Promise<number> =>
  countOfGroups(db, query.markets, (markets) => sourceOf({ ...query, markets }), cap)

export const saleFunnel = (db: Db, query: SaleQuery): Promise<FunnelStep[]> =>
  funnelOfGroups(db, query, (markets, met, lacking) =>
    matchesOf(sourceOf({ ...query, markets, conditions: met }, lacking?.type === 'overlay'), met, lacking),
  )

/** `explained`: every overlay is read, to count those that are not known. */
const sourceOf = (query: SaleQuery, explained = false): Source => {
  const { markets, since, conditions } = query
  const windowed = since !== undefined
  const base = [
    markets.length === 1 ? sql`s.market = ${markets[0]}` : sql`s.market = any(${markets})`,
    ...(windowed ? [sql`s.sold_on >= ${since}::date`] : []),
  ]
  const columns = windowed ? windowedColumns : saleColumns
  const sales = windowed ? salesWithHiddenProperty(since) : sql`sale_search s`
  const needsParcel = explained || conditions.some((each) => each.type === 'overlay' && readsAllOverlays(each))
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
const idParts = (id: string): readonly string[] => {
  const [, source = '', sale = '', market = ''] = /^([^:]*):(.*) (\S*)$/s.exec(id) ?? []
  return [source, sale, market]
}
const idAfter = (last: Position[number] | undefined): Sql => sql`(${rowId}) > (${sql.join(idParts(String(last)))})`

/** Every sale has them, so an index in either direction gives their order. */
const neverNull: readonly SortField[] = ['soldOn', 'price']
