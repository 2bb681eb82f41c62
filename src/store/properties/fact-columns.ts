// The facts of domain/fact-table.ts as columns of parcels, listings and sales.
import { type FactName, factNames, factTable, type HomeFact, homeFactNames } from '../../domain/fact-table.ts'
import { columnOf } from '../engine/columns.ts'
import { sql } from '../engine/database.ts'

const listed = (names: readonly FactName[], column: (column: string, name: FactName) => string) =>
  sql.raw(names.map((name) => column(columnOf(name), name)).join(', '))

/** What a listing or sale says of its home. */
export const homeColumnsOf = (row: string) => listed(homeFactNames, (column) => `${row}.${column}`)

/** What is known of a parcel and its home. */
export const parcelColumnsOf = (row: string) => listed(factNames, (column) => `${row}.${column}`)

/** For json_build_object. */
export const homeJsonOf = (row: string) => listed(homeFactNames, (column, name) => `'${name}', ${row}.${column}`)

/**
 * The rule of domain/home-facts.ts in SQL: the lot comes from the parcel first, the house from the listing or sale first. No other
 * SQL decides between the two. test/operations/agreement.test.ts checks that both rules agree.
 */
export const homeColumns = (row: string, parcel: string, names: readonly HomeFact[] = homeFactNames) =>
  listed(names, (column, name) => {
    const [first, second] = factTable[name].parcelFirst ? [parcel, row] : [row, parcel]
    return `coalesce(${first}.${column}, ${second}.${column}) as ${column}`
  })

/** The house as it was sold: from the sale only. The parcel's facts may be those of a later house. */
export const soldHomeColumns = (sale: string, parcel: string, names: readonly HomeFact[] = homeFactNames) =>
  listed(names, (column, name) =>
    factTable[name].parcelFirst ? `coalesce(${parcel}.${column}, ${sale}.${column}) as ${column}` : `${sale}.${column}`,
  )

/** From the parcel first. */
export const locationColumns = (row: string, parcel: string) =>
  sql.raw(['lat', 'lng'].map((name) => `coalesce(${parcel}.${name}, ${row}.${name}) as ${name}`).join(', '))

/** What a row of a list serves of a home, for a query with the parcel as `p` and its current listing as `l`. */
export const servedHome = sql`
  ${homeColumns('l', 'p', ['livingSqft', 'lotSqft', 'yearBuilt', 'beds', 'baths'])}, ${locationColumns('l', 'p')}`
