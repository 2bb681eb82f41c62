// Outlines of parcels: validated, simplified to about a foot and rounded, so that a county fits into a table of its own.
import { parsedJson } from '../common/typed.ts'
import type { Position, Ring } from './geometry.ts'

/** The coordinates of a GeoJSON MultiPolygon in WGS 84. */
export type Outline = readonly (readonly Ring[])[]

/** More positions than a lot needs. The tolerance doubles until the outline has fewer. */
const mostPositions = 400
/** A third of a meter, in degrees of latitude. */
const toleranceDeg = 3e-6

/** Undefined when no ring encloses an area. */
export const simplifiedOutline = (polygons: Outline): Outline | undefined => {
  for (let tolerance = toleranceDeg; ; tolerance *= 2) {
    const simplified = polygons
      .map((polygon) => polygon.map((ring) => closedRing(ring, tolerance)).filter((ring) => ring !== undefined))
      .filter((polygon) => polygon.length > 0)
    if (simplified.length === 0) return undefined
    if (simplified.flat(2).length <= mostPositions || tolerance > 1e-3) return simplified
  }
}

/** A GeoJSON geometry, its JSON text, or the bare coordinates of a Polygon or MultiPolygon. */
export const readOutline = (value: unknown): Outline | undefined => {
  const held = typeof value === 'string' ? parsedJson(value) : value
  const coordinates = Array.isArray(held) ? held : (held as { coordinates?: unknown } | null | undefined)?.coordinates
  if (!Array.isArray(coordinates)) return undefined
  const polygons = isRing(coordinates[0]) ? [coordinates] : coordinates
  if (!polygons.every((polygon) => Array.isArray(polygon) && polygon.length > 0 && polygon.every(isRing)))
    return undefined
  return simplifiedOutline(polygons as Outline)
}

const isRing = (value: unknown): value is Ring =>
  Array.isArray(value) &&
  value.length > 2 &&
  value.every(
    (position) =>
      Array.isArray(position) &&
      Number.isFinite(position[0]) &&
      Number.isFinite(position[1]) &&
      Math.abs(position[0] as number) <= 180 &&
      Math.abs(position[1] as number) <= 90,
  )

const closedRing = (ring: Ring, tolerance: number): Ring | undefined => {
  const open = ring.filter(([x, y], at) => {
    const before = ring[at - 1]
    return !before || before[0] !== x || before[1] !== y
  })
  const first = open[0]
  const last = open.at(-1)
  if (first && last && first !== last && first[0] === last[0] && first[1] === last[1]) open.pop()
  if (open.length < 3) return undefined
  // A closed line has no ends to start from, so it is cut at the position farthest from the first one.
  const from = open[0]!
  let far = 1
  for (const [at, position] of open.entries()) if (distance2(position, from) > distance2(open[far]!, from)) far = at
  const kept = [
    ...simplifiedLine(open.slice(0, far + 1), tolerance).slice(0, -1),
    ...simplifiedLine([...open.slice(far), from], tolerance),
  ].map(([x, y]): Position => [round6(x), round6(y)])
  return kept.length > 3 ? kept : undefined
}

const round6 = (value: number): number => Math.round(value * 1e6) / 1e6
const distance2 = ([x1, y1]: Position, [x2, y2]: Position): number => (x1 - x2) ** 2 + (y1 - y2) ** 2

/** Douglas-Peucker: keeps the ends and every position farther than the tolerance from the line between kept ones. */
const simplifiedLine = (line: Ring, tolerance: number): Ring => {
  if (line.length < 3) return line
  const [start, end] = [line[0]!, line.at(-1)!]
  let far = 0
  let most = 0
  for (let at = 1; at < line.length - 1; at += 1) {
    const off = offLine(line[at]!, start, end)
    if (off > most) [far, most] = [at, off]
  }
  if (most <= tolerance) return [start, end]
  return [
    ...simplifiedLine(line.slice(0, far + 1), tolerance).slice(0, -1),
    ...simplifiedLine(line.slice(far), tolerance),
  ]
}

const offLine = ([x, y]: Position, [x1, y1]: Position, [x2, y2]: Position): number => {
  const length = Math.hypot(x2 - x1, y2 - y1)
  if (length === 0) return Math.hypot(x - x1, y - y1)
  return Math.abs((x2 - x1) * (y1 - y) - (x1 - x) * (y2 - y1)) / length
}
