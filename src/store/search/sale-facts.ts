// The facts of a sale that lists filter and sort by. `sale_search` stores them.

import { searchColumns, searchValues } from '../../criteria/search-columns.ts'
import { factTable } from '../../domain/fact-table.ts'
import { minMarketPriceUsd } from '../../domain/facts.ts'
import { columnOf } from '../engine/columns.ts'
import { sql } from '../engine/database.ts'
import { isHiddenSale } from '../properties/listing-status.ts'
import type { Columns, Sql } from './compile.ts'

/** The values that are facts of the house. */
const saleHome = searchColumns.sales.flatMap(({ column, fact }) => (fact ? [{ column, fact }] : []))

/**
 * By column of sale_search. Facts of the house come from the sale first. A house that was built after the sale is another house, so
 * the parcel's facts count only if its house stood at the time.
 */
const factsOf = (sale: string, property?: string): Readonly<Record<string, Sql>> => {
  const saleColumn = (column: string): Sql => sql.ref(`${sale}.${column}`)
  const parcel = (column: string): Sql => (property ? sql.ref(`${property}.${column}`) : sql`null`)
  const parcelFirst = (column: string): Sql =>
    property ? sql`coalesce(${parcel(column)}, ${saleColumn(column)})` : saleColumn(column)
  const ofHouse = (column: string): Sql =>
    property
      ? sql`coalesce(${saleColumn(column)}, case when coalesce(${parcel('year_built')}, 0) <= extract(year from ${saleColumn('sold_on')})
          then ${parcel(column)} end)`
      : saleColumn(column)
  const [lat, lng] = [parcelFirst('lat'), parcelFirst('lng')]
  return {
    property_id: parcel('id'),
    known_from_listing: property ? sql`coalesce(${parcel('known_from')} = 'listing', false)` : sql`false`,
    city_slug: saleColumn('city_slug'),
    zip: parcel('zip'),
    sold_on: saleColumn('sold_on'),
    price: saleColumn('price_usd'),
    // A token price says nothing about an area.
    price_per_sqft: sql`case when ${saleColumn('price_usd')} >= ${sql.lit(minMarketPriceUsd)}
      then round((${saleColumn('price_usd')} / nullif(${ofHouse('living_sqft')}, 0))::numeric, 2)::double precision end`,
    days_on_market: saleColumn('days_on_market'),
    ...Object.fromEntries(
      saleHome.map(({ column, fact }) => [
        columnOf(column),
        (factTable[fact].parcelFirst ? parcelFirst : ofHouse)(columnOf(fact)),
      ]),
    ),
    location: sql`case when ${lat} is not null and ${lng} is not null then point(${lng}, ${lat}) end`,
  }
}
/** `s` is the sale and `p` its property. */
export const saleFacts: Readonly<Record<string, Sql>> = factsOf('s', 'p')

/** The facts of the house and its lot as columns of `sale`. */
export const saleHomeColumns = sql.join(
  saleHome.map(({ column, fact }) => sql`${saleFacts[columnOf(column)]} as ${sql.ref(columnOf(fact))}`),
)

const columnsOf = (fact: (name: string) => Sql): Columns => ({
  market: sql`s.market`,
  id: fact('property_id'),
  citySlug: fact('city_slug'),
  zip: fact('zip'),
  location: fact('location'),
  overlays: sql`p.overlays`,
  ...searchValues('sales', ({ column }) => fact(columnOf(column))),
})

/** `s` is a row of sale_search. */
export const saleColumns: Columns = {
  ...columnsOf((name) => sql.ref(`s.${name}`)),
  indexedLocation: sql`s.location`,
  /** The inner sale is named as the outer one, because the condition on the city names it. */
  address: (condition) => sql`(s.market, s.source_id, s.sale_id) in (
    select s.market, s.source_id, s.sale_id from property q join sale s on s.market = q.market and s.property_id = q.id
    where ${condition(sql`q.address_key`)}
    union all
    select s.market, s.source_id, s.sale_id from sale s where s.property_id is null and ${condition(sql`s.address_key`)})`,
}

/** A property that is known only through a hidden sale does not exist for the caller. */
const isOfHiddenSale = (since: string, market: Sql, propertyId: Sql): Sql => sql`exists (
  select 1 from listing l where l.market = ${market} and l.property_id = ${propertyId} and l.current
    and ${isHiddenSale('l', since)})`

/** `w` is the sale if its property is hidden: its own facts count. For all other sales the id is null, which finds nothing at once. */
export const salesWithHiddenProperty = (since: string): Sql => sql`sale_search s
  left join sale w on w.market = s.market and w.source_id = s.source_id and w.sale_id =
    case when s.known_from_listing and ${isOfHiddenSale(since, sql`s.market`, sql`s.property_id`)} then s.sale_id end`

const ownFacts = factsOf('w')
/** These never come from the property. */
const ofSale: readonly string[] = ['city_slug', 'sold_on', 'price', 'days_on_market']

/** The columns of `salesWithHiddenProperty`. */
export const windowedColumns: Columns = {
  ...columnsOf((name) => {
    const stored = sql.ref(`s.${name}`)
    return ofSale.includes(name) ? stored : sql`case when w.sale_id is null then ${stored} else ${ownFacts[name]} end`
  }),
  address: (condition) => sql`exists (
    select 1 from sale a left join property b on b.market = a.market and b.id = case when w.sale_id is null then a.property_id end
    where a.market = s.market and a.source_id = s.source_id and a.sale_id = s.sale_id
      and ${condition(sql`coalesce(b.address_key, a.address_key)`)})`,
}

/** The property of a row of `saleColumns` or `windowedColumns` that the caller may see. */
export const visibleProperty = (windowed: boolean): Sql => sql`left join property p on p.market = s.market
  and p.id = ${windowed ? sql`case when w.sale_id is null then s.property_id end` : sql`s.property_id`}`

/** The property of the sale `s` that the caller may see. */
export const visiblePropertyOfSale = (since: string | undefined): Sql => sql`left join property p on p.market = s.market
  and p.id = s.property_id
  ${since === undefined ? sql`` : sql`and (p.known_from <> 'listing' or not ${isOfHiddenSale(since, sql`p.market`, sql`p.id`)})`}`
