// The columns of a feed with the values of a sample, and what their values look like.
import { propertyTypes } from '../../domain/facts.ts'
import { stateCodes } from '../../domain/states.ts'
import { isQualified, nameRank, nameReadings } from '../column-names.ts'
import { fieldReader } from '../field-path.ts'
import { isNull, readPoint, unreadable } from '../values.ts'
import { propertyType } from '../vocabulary.ts'
import { isStreetAddress } from './field-evidence.ts'

export type Row = Readonly<Record<string, unknown>>

export interface Column {
  name: string
  /** Values that are not empty. */
  values: readonly unknown[]
  distinct: number
  /** The values of all rows. */
  all: readonly unknown[]
  /** Other readings of the name, the most certain first. */
  readings: readonly string[]
}

export const columnsOf = (rows: readonly Row[]): Column[] => {
  const namesOfRow = (row: Row, table = ''): string[] =>
    Object.entries(row).flatMap(([name, value]) =>
      isTable(value) && name !== 'geometry'
        ? [`${table}${name}`, ...namesOfRow(value, `${table}${name}.`)]
        : `${table}${name}`,
    )
  const names = new Set(rows.flatMap((row) => namesOfRow(row)))
  const hasArea = rows.some(({ geometry }) => (geometry as Row | null | undefined)?.areaSqft !== undefined)
  const shaped = hasArea ? ['geometry.areaSqft', 'geometry.widthFt', 'geometry.depthFt'] : []
  const readingsOf = nameReadings([...names])
  return [...[...names].filter((name) => name !== 'geometry'), ...shaped].map((name) => {
    const all = rows.map(fieldReader(name))
    const values = all.filter((value) => !isNull(value))
    return { name, values, all, distinct: new Set(values.map(String)).size, readings: readingsOf(name) }
  })
}
/** Objects in saved JSON have columns of their own; a point is one value. */
const isTable = (value: unknown): value is Row =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  (Object.keys(value).length > 5 || readPoint(value) === unreadable)

/** Names that match as they are, or without what is in parentheses, rank before all other readings. */
export const rankOf = ({ name, readings }: Column, patterns: readonly string[]): number => {
  for (const [at, each] of [name, ...readings].entries()) {
    const rank = nameRank(each, patterns)
    if (rank >= 0) return rank + (at > 1 ? 100 : 0)
  }
  return -1
}

/** The share of the values that match. Without values it is NaN, which is neither above nor below a limit. */
export const share = (values: readonly unknown[], fits: RegExp | ((text: string) => boolean)): number => {
  const isFitting = typeof fits === 'function' ? fits : (text: string) => fits.test(text)
  return values.filter((value) => isFitting(String(value))).length / values.length
}

export const medianOf = (values: readonly unknown[]): number =>
  values.map(Number).sort((a, b) => a - b)[values.length >> 1] ?? 0

/** The most frequent values, for a reason. */
export const quoted = (values: readonly unknown[]): string => {
  const counts = Map.groupBy(values.map(String), (text) => text)
  const shown = [...counts].sort((a, b) => b[1].length - a[1].length).slice(0, 3)
  return shown.map(([text, all]) => `"${text.slice(0, 30)}" (${all.length.toLocaleString('en-US')})`).join(', ')
}

/** Whether two columns agree in at least half of the rows that have both; undefined if no row has. */
export const agrees = (one: Column, two: Column, same: (a: string, b: string) => boolean): boolean | undefined => {
  const both = one.all.flatMap((value, row) => {
    const other = two.all[row]
    return isNull(value) || isNull(other) || Number(other) === 0
      ? []
      : [same(String(value).trim(), String(other).trim().replace(/\.0$/, ''))]
  })
  return both.length === 0 ? undefined : both.filter(Boolean).length >= both.length / 2
}

export const areHouseNumbers = (values: readonly unknown[]): boolean => share(values, /^\s*\d{1,6}(\.0)?\s*$/) > 0.8
export const areCodes = (values: readonly unknown[]): boolean => share(values, /^\d{1,3}(\.0)?$/) > 0.5

/** "Physical address (often incomplete)", or streets with a town and a ZIP code, unless the name says that they are other addresses. */
export const areStreets = ({ name, values }: Column): boolean =>
  !/bill|agent|applicant|contact|business|contractor|legal|geocod|owner|mail/i.test(name) &&
  !isQualified(name) &&
  share(values, /addr/i.test(name) ? isStreetAddress : streetAndZip) > 0.6
export const anyState = `(?:${stateCodes.join('|')})`
const streetAndZip = new RegExp(String.raw`^\d+\w? \w[^,]*,\s*[a-z][^,\d]+,?\s+${anyState}\s+\d{5}(-\d{4})?$`, 'i')

/** Every value has several lines: the street, then the city. */
export const areLines = ({ values }: Column): boolean => values.every((value) => /\n/.test(String(value)))

const homeTypes = new Set<string | undefined>(propertyTypes.filter((type) => type !== 'land' && type !== 'other'))
const isHomeType = (text: string): boolean => homeTypes.has(propertyType(text))
/** Tenths of the values that are types of homes; "Residential" is none. */
export const homeTypeTenths = ({ values, distinct }: Column): number =>
  distinct > 500 ? 0 : Math.round(10 * share(values, isHomeType))
/** Two or more words for types of homes and hardly any other: the values say what a column named "type" or "StateCode" holds. */
export const areHomeTypes = ({ name, values, distinct }: Column): boolean =>
  distinct > 1 &&
  distinct <= 200 &&
  !/zon|^name$|(building|property|community|complex|project)\W?name|title/i.test(name) &&
  // "R-1 - Single Family" is a zoning district.
  share(values, /^(<|[a-z]{1,3}-\d)/i) <= 0.5 &&
  share(values, (text) => propertyType(text) !== undefined) > 0.8 &&
  values.some((value) => isHomeType(String(value)))

/** A column of websites and brokers. */
export const isListingSiteColumn = ({ name, values }: Column): boolean =>
  /url|(?<!hyper)link|agent|broker|realtor|listing|zestimate|cap ?rate|days.?on|list(ed|ing)?.?price|asking/i.test(
    name,
  ) || share(values, /\bfor[ -]sale\b/i) > 0.4
