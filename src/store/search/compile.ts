// Conditions as SQL, with the meaning of `meets` in src/criteria/conditions.ts. A condition on an unknown value is not true.
import type { AddressPattern } from '../../criteria/address-condition.ts'
import type { Condition } from '../../criteria/conditions.ts'
import { type Area, type Bounds, boundsOf, type Ring } from '../../criteria/geometry.ts'
import type { NumberField, TextField } from '../../criteria/search-columns.ts'
import { earthRadiusMi } from '../../domain/distance.ts'
import type { LatLng } from '../../domain/packs/markets.ts'
import { sql } from '../engine/database.ts'
import { likeEscaped } from '../properties/signals.ts'

export type Sql = ReturnType<typeof sql>

/** Where a table of rows has each value. A value that it does not have is null. */
export interface Columns {
  market: Sql
  /** Of the property. */
  id?: Sql
  citySlug: Sql
  zip?: Sql
  /** A point of longitude and latitude, and the same value where an index on its tile exists. */
  location?: Sql
  indexedLocation?: Sql
  /** All overlays of the parcel with their values, and where its search row is known, the names of those that lie over it. */
  overlays?: Sql
  overlaysYes?: Sql
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
    case 'ids':
      return columns.id ? isOneOf(columns.id, condition.values) : never
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
    case 'issued':
      return sql`${columns.texts.issuedOn ?? missing} is ${condition.is ? sql`not null` : sql`null`}`
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
  values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${values}::text[])`

/**
 * The overlays that are present answer most questions; only the others read the whole object. Permits and sales find them in the search
 * row of their home, by the index on homes that have any.
 */
const overlayIs = (overlay: string, accepted: readonly string[], columns: Columns): Sql => {
  const { market, id, overlaysYes } = columns
  const isYes = overlaysYes
    ? sql`${overlaysYes} @> array[${overlay}]`
    : id &&
      sql`exists (select 1 from property_search h where h.market = ${market} and h.property_id = ${id}
        and cardinality(h.overlays_yes) > 0 and h.overlays_yes @> array[${overlay}])`
  if (isYes && accepted.length === 1 && accepted[0] === 'yes') return isYes
  if (isYes && accepted.length === 2 && !accepted.includes('yes')) return sql`not ${isYes}`
  if (!columns.overlays) return never
  return isOneOf(sql`coalesce(${columns.overlays}->>${overlay}, 'unknown')`, accepted)
}

/** The planner does not know how rare an overlay is, and may test every row in order for the first page. */
export const requiresOverlay = (conditions: readonly Condition[]): boolean =>
  conditions.some((each) => each.type === 'overlay' && !each.accepted.includes('no'))

/** Whether an overlay is not known is only in the table of properties. */
export const readsAllOverlays = ({ accepted }: Extract<Condition, { type: 'overlay' }>): boolean =>
  accepted.includes('yes') === accepted.includes('unknown')

/**
 * The index finds the tiles around an area; the exact test follows. In a CASE, the planner expects it to keep half of the rows. As a
 * plain condition it would expect next to none, and sort all rows of a large area instead of reading the first ones in order.
 */
const inArea = (area: Area, location: Sql, { indexedLocation: indexed }: Columns): Sql => {
  const boxes = area.type === 'polygons' ? area.polygons.map(([outline]) => boundsOf(outline!)) : area.boxes
  const exact = exactly(area, location)
  return indexed ? sql`(${inTiles(indexed, boxes)} and case when ${exact} then true else false end)` : exact
}

const exactly = (area: Area, location: Sql): Sql => {
  switch (area.type) {
    case 'boxes':
      return anyOf(area.boxes.map((box) => within(location, box)))
    case 'circle':
      return sql`(${anyOf(area.boxes.map((box) => sql`${location} <@ ${boxOf(box)}`))}
        and ${distanceSql(location, area.center)} <= ${area.radiusMi}::double precision)`
    case 'polygons': {
      const inside = area.polygons.map(([outline, ...holes]) =>
        all([
          // PostgreSQL compares a point with every edge, so the bounding box is tested first.
          within(location, boundsOf(outline!)),
          sql`${location} <@ ${polygonOf(outline!)}`,
          ...holes.map((hole) => sql`not ${location} <@ ${polygonOf(hole)}`),
        ]),
      )
      return anyOf(inside.map((each) => sql`(${each})`))
    }
  }
}

/** A tile is a fiftieth of a degree high and wide, about a mile. */
const tilesPerDegree = 50
const tilesPerRow = 360 * tilesPerDegree
/** A circle of 25 miles has 1,700 tiles at the latitude of San Francisco. For more, the planner would take longer than a scan. */
const mostTiles = 4_000

/**
 * Whether the index may have the point in one of the boxes. PostgreSQL knows how many rows a tile has, but takes every condition on
 * a point to be met by a thousandth of the rows. The expression is that of the indexes.
 */
export const inTiles = (point: Sql, boxes: readonly Bounds[]): Sql => {
  const at = (degrees: number) => Math.floor(degrees * tilesPerDegree)
  const ranges = boxes.map(({ west, south, east, north }) => [at(west), at(south), at(east), at(north)] as const)
  const count = ranges.reduce((sum, [west, south, east, north]) => sum + (east - west + 1) * (north - south + 1), 0)
  if (count > mostTiles) return sql`${point} is not null`
  const tiles = ranges.flatMap(([west, south, east, north]) =>
    Array.from({ length: north - south + 1 }, (_, row) =>
      Array.from({ length: east - west + 1 }, (_, column) => (south + row) * tilesPerRow + west + column),
    ).flat(),
  )
  const axis = (name: 0 | 1) => sql`floor((${point})[${sql.lit(name)}] * ${sql.lit(tilesPerDegree)})::int`
  return sql`(${axis(1)} * ${sql.lit(tilesPerRow)} + ${axis(0)}) = any(${tiles}::int[])`
}

const anyOf = (parts: readonly Sql[]): Sql => (parts.length === 0 ? never : sql`(${sql.join(parts, sql` or `)})`)

/** The operators of geometric types round to a millionth of a degree, so the numbers are compared too. */
const within = (location: Sql, { west, south, east, north }: Bounds): Sql =>
  sql`((${location})[0] between ${west}::float8 and ${east}::float8 and (${location})[1] between ${south}::float8 and ${north}::float8)`

export const boxOf = ({ west, south, east, north }: Bounds): Sql =>
  sql`box(point(${west}::float8, ${south}::float8), point(${east}::float8, ${north}::float8))`

/** As text, because a ring has up to 2,000 positions. All parts are numbers. */
const polygonOf = (ring: Ring): Sql => sql`${`(${ring.map(([lng, lat]) => `(${lng},${lat})`).join(',')})`}::polygon`

/** Miles, by the formula of `distanceMi`. */
export const distanceSql = (location: Sql, { lat, lng }: LatLng): Sql =>
  sql`(2 * ${sql.raw(String(earthRadiusMi))} * asin(sqrt(least(1, sin(radians((${location})[1] - ${lat}::float8) / 2) ^ 2
    + cos(radians(${lat}::float8)) * cos(radians((${location})[1])) * sin(radians((${location})[0] - ${lng}::float8) / 2) ^ 2))))`
