// What is known of the rows before they are read as one of the data sets.
import { addressParts, nameKey, namesOf } from '../column-names.ts'
import { areHouseNumbers, type Column, columnsOf, medianOf, type Row, rankOf } from './columns.ts'
import { isStreetAddress } from './field-evidence.ts'
import { datesAreMonthFirst } from './read-dates.ts'

export interface Table {
  readonly rows: readonly Row[]
  readonly columns: readonly Column[]
  /** Columns with values, without those of owners. */
  readonly filled: readonly Column[]
  /** Dates such as 04/05/2026 have the month first, by other columns of the file. */
  readonly isMonthFirst: boolean
  /** Rows are apartment buildings, which cost and measure as much as all their homes together. */
  readonly hasBuildings: boolean
}

export const tableOf = (rows: readonly Row[]): Table => {
  const columns = columnsOf(rows)
  const filled = withoutOwners(columns.filter(({ values }) => values.length > 0))
  const isUnits = (column: Column) => rankOf(column, namesOf('parcels', 'units')) >= 0
  return {
    ...{ rows, columns, filled },
    isMonthFirst: datesAreMonthFirst(columns),
    hasBuildings: filled.some((column) => isUnits(column) && medianOf(column.values) > 4),
  }
}

/** Leaves out columns that are named as an owner's, and the unnamed parts of a mailing address that follow one. */
const withoutOwners = (columns: readonly Column[]): Column[] => {
  const isOwner = ({ name }: Column) =>
    /owner|taxpayer|mail|^(co\W*)?own([\W_]|add|city|st|zip|n)|^m(city|state|zip|unit)$|^pstl/i.test(name)
  const isHomeAddress = (column: Column) =>
    (propertyAddress.test(nameKey(column.name)) && column.values.some((value) => isStreetAddress(String(value)))) ||
    (rankOf(column, addressParts.slice(0, 1)) >= 0 && areHouseNumbers(column.values))
  const kept = columns.filter((column) => !isOwner(column))
  if (!kept.some(isHomeAddress)) return kept
  let inBlock = false
  return columns.filter((column) => {
    inBlock = isOwner(column) || (inBlock && mailingPart.test(nameKey(column.name)))
    return !inBlock
  })
}
const propertyAddress =
  /^([a-z]{3}prcllocn|(property|prop|site|parcel|premises?|phy\w*|loc)(add|loc|street)|situs|location)/
/** Parts of an address whose names do not say whose it is. */
export const mailingPart =
  /^(addr(ess)?(line)?\d?|street|(addr(ess)?)?(city(name)?|state|zip(code)?\d?)|st|country|careof|city(st|state)\w*)$/
