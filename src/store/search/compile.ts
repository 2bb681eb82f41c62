// Conditions as SQL, with the meaning of `meets` in src/contract/criteria/conditions.ts. A condition on an unknown value is not true.
import type { AddressPattern } from '../../contract/criteria/address-condition.ts'
import type { Condition, NumberField, TextField } from '../../contract/criteria/conditions.ts'
import type { Area, Bounds, Ring } from '../../contract/criteria/geometry.ts'
import { earthRadiusMi } from '../../contract/distance.ts'
import type { LatLng } from '../../contract/markets.ts'
import { sql } from '../engine/database.ts'
import { likeEscaped } from '../properties/signals.ts'

export type Sql = ReturnType<typeof sql>

/** Where a table of rows has each value. A value that it does not have is null. */
export interface Columns {
  market: Sql
  citySlug: Sql
  zip?: Sql
  /** A point of longitude and latitude, and the same value where an index on it exists. */
  location?: Sql
  indexedLocation?: Sql
  /** The names of the overlays that lie over the parcel, or all of them with their values. */
  overlaysYes?: Sql
  overlays?: Sql
  blocked?: Sql
  numbers: Readonly<Partial<Record<NumberField, Sql>>>
  texts: Readonly<Partial<Record<TextField, Sql>>>
  /**
   * Wraps a condition on the normalized address. `listCondition` is for a text of several addresses, so that an index can find it:
   * it is true for every list with a matching address, and for some without one.
   */
  address?: (condition: (addressKey: Sql) => Sql, listCondition: (addressList: Sql) => Sql) => Sql
  words?: (words: readonly string[]) => Sql
  cityPart?: (parts: readonly string[]) => Sql
}

const never = sql`false`
const missing = sql`null`

export const all = (parts: readonly Sql[]): Sql => (parts.length === 0 ? sql`true` : sql.join(parts, sql` and `))

export const compile = (conditions: readonly Condition[], columns: Columns): Sql[] =>
  conditions.map((condition) => compileOne(condition, columns))

export const compileOne = (condition: Condition, columns: Columns): Sql => {
  switch (condition.type) {
    case 'atLeast':
      return sql`${columns.numbers[condition.field] ?? missing} >= ${condition.value}::double precision`
    case 'atMost':
      return sql`${columns.numbers[condition.field] ?? missing} <= ${condition.value}::double precision`
    case 'from':
      return sql`${columns.texts[condition.field] ?? missing} >= ${condition.value}::date`
    case 'to':
      return sql`${columns.texts[condition.field] ?? missing} <= ${condition.value}::date`
    case 'oneOf': {
      const column = columns.texts[condition.field] ?? missing
      const values = condition.values.map((value) => value.toLowerCase())
      return condition.field === 'zoning' ? isOneOf(sql`lower(${column})`, values) : isOneOf(column, values)
    }
    case 'contains':
      return sql`lower(${columns.texts[condition.field] ?? missing}) like ${`%${likeEscaped(condition.text.toLowerCase())}%`}`
    case 'city':
      return isOneOf(columns.citySlug, condition.slugs)
    case 'cityPart':
      return columns.cityPart?.(condition.parts) ?? never
    case 'zip':
      return columns.zip ? isOneOf(columns.zip, condition.values) : never
    case 'address':
      return (
        columns.address?.(
          (key) => anyOf(condition.patterns.map((each) => fitsSql(each, key, columns))),
          (list) => anyOf(condition.patterns.map((each) => fitsSql({ ...each, fits: 'contains' }, list, columns))),
        ) ?? never
      )
    case 'words':
      return columns.words?.(condition.words) ?? never
    case 'overlay':
      return overlayIs(condition.overlay, condition.accepted, columns)
    case 'notBlocked':
      return columns.blocked ? sql`not ${columns.blocked}` : sql`true`
    case 'rank': {
      const thresholds = Object.entries(condition.thresholds)
      const reached = thresholds.map(
        ([market, score]) =>
          sql`(${columns.market} = ${market} and ${columns.numbers[condition.field] ?? missing} >= ${score}::double precision)`,
      )
      return reached.length === 0 ? never : sql`(${sql.join(reached, sql` or `)})`
    }
    case 'area':
      return columns.location ? inArea(condition.area, columns.location, columns) : never
  }
}

/** Whether the value that the condition is about is missing. */
export const compileUnknown = (condition: Condition, columns: Columns): Sql => {
  switch (condition.type) {
    case 'atLeast':
    case 'atMost':
    case 'rank':
      return sql`${columns.numbers[condition.field] ?? missing} is null`
    case 'from':
    case 'to':
    case 'oneOf':
    case 'contains':
      return sql`${columns.texts[condition.field] ?? missing} is null`
    case 'zip':
      return sql`${columns.zip ?? missing} is null`
    case 'area':
      return sql`${columns.location ?? missing} is null`
    case 'overlay':
      return overlayIs(condition.overlay, ['unknown'], columns)
    default:
      return never
  }
}

const fitsSql = ({ fits, key, citySlugs }: AddressPattern, addressKey: Sql, { citySlug }: Columns): Sql => {
  const like = (pattern: string) => sql`${addressKey} like ${pattern}`
  const escaped = likeEscaped(key)
  const fitting =
    fits === 'equals' ? sql`${addressKey} = ${key}` : like(fits === 'starts' ? `${escaped}%` : `%${escaped}%`)
  return citySlugs ? sql`(${isOneOf(citySlug, citySlugs)} and ${fitting})` : fitting
}

const isOneOf = (column: Sql, values: readonly string[]): Sql =>
  values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${values as string[]}::text[])`

/** The list of overlays that are present answers most questions; only the others read the whole object. */
const overlayIs = (overlay: string, accepted: readonly string[], columns: Columns): Sql => {
  const isYes = columns.overlaysYes && sql`coalesce(${overlay} = any(${columns.overlaysYes}), false)`
  if (isYes && accepted.length === 1 && accepted[0] === 'yes') return isYes
  if (isYes && accepted.length === 2 && !accepted.includes('yes')) return sql`not ${isYes}`
  if (!columns.overlays) return never
  return isOneOf(sql`coalesce(${columns.overlays}->>${overlay}, 'unknown')`, accepted)
}

/** Whether an overlay is not known is only in the table of properties. */
export const readsAllOverlays = ({ accepted }: Extract<Condition, { type: 'overlay' }>): boolean =>
  accepted.includes('yes') === accepted.includes('unknown')

/** The index finds the boxes around an area; the exact test follows. */
const inArea = (area: Area, location: Sql, { indexedLocation: indexed }: Columns): Sql => {
  const around = (boxes: readonly Bounds[]) => {
    const inside = (point: Sql) => anyOf(boxes.map((box) => sql`${point} <@ ${boxOf(box)}`))
    return indexed ? sql`${inside(indexed)} and ` : sql``
  }
  switch (area.type) {
    case 'boxes':
      return sql`(${around(area.boxes)}${anyOf(area.boxes.map((box) => within(location, box)))})`
    case 'circle':
      return sql`(${around(area.boxes)}${distanceSql(location, area.center)} <= ${area.radiusMi}::double precision)`
    case 'polygons': {
      const inside = area.polygons.map(([outline, ...holes]) =>
        all([
          ...(indexed ? [sql`${indexed} <@ ${polygonOf(outline!)}`] : []),
          sql`${location} <@ ${polygonOf(outline!)}`,
          ...holes.map((hole) => sql`not ${location} <@ ${polygonOf(hole)}`),
        ]),
      )
      return anyOf(inside.map((each) => sql`(${each})`))
    }
  }
}

const anyOf = (parts: readonly Sql[]): Sql => (parts.length === 0 ? never : sql`(${sql.join(parts, sql` or `)})`)

/** The operators of geometric types round to a millionth of a degree, so the numbers are compared too. */
const within = (location: Sql, { west, south, east, north }: Bounds): Sql =>
  sql`((${location})[0] between ${west}::float8 and ${east}::float8 and (${location})[1] between ${south}::float8 and ${north}::float8)`

const boxOf = ({ west, south, east, north }: Bounds): Sql =>
  sql`box(point(${west}::float8, ${south}::float8), point(${east}::float8, ${north}::float8))`

/** As text, because a ring has up to 2,000 positions. All parts are numbers. */
const polygonOf = (ring: Ring): Sql => sql`${`(${ring.map(([lng, lat]) => `(${lng},${lat})`).join(',')})`}::polygon`

/** Miles, by the formula of `distanceMi`. */
export const distanceSql = (location: Sql, { lat, lng }: LatLng): Sql =>
  sql`(2 * ${sql.raw(String(earthRadiusMi))} * asin(sqrt(least(1, sin(radians((${location})[1] - ${lat}::float8) / 2) ^ 2
    + cos(radians(${lat}::float8)) * cos(radians((${location})[1])) * sin(radians((${location})[0] - ${lng}::float8) / 2) ^ 2))))`
