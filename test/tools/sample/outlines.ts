// Plane geometry for the outlines of lots.
import type { Row } from './feeds.ts'

export type Corner = readonly [lng: number, lat: number]

/** The four corners of a lot. */
export const outlineOf = (row: Row): Corner[] => (JSON.parse(row.outline as string) as Corner[][])[0]!.slice(0, -1)

const lngScale = (lat: number): number => Math.cos((lat * Math.PI) / 180)

export const meters = (a: Corner, b: Corner): number =>
  111_195 * Math.hypot(a[1] - b[1], (a[0] - b[0]) * lngScale(a[1]))

export const boundsOf = (corners: readonly Corner[]) => ({
  west: Math.min(...corners.map(([lng]) => lng)),
  east: Math.max(...corners.map(([lng]) => lng)),
  south: Math.min(...corners.map(([, lat]) => lat)),
  north: Math.max(...corners.map(([, lat]) => lat)),
})

/** 1% smaller: neighbors share a side, and positions are rounded to 11 cm. */
export const shrunk = (corners: readonly Corner[]): Corner[] => {
  const x = corners.reduce((sum, [lng]) => sum + lng, 0) / corners.length
  const y = corners.reduce((sum, [, lat]) => sum + lat, 0) / corners.length
  return corners.map(([lng, lat]) => [x + (lng - x) * 0.99, y + (lat - y) * 0.99])
}

/** Whether two convex shapes overlap: no side of either separates them. */
export const overlap = (a: readonly Corner[], b: readonly Corner[]): boolean => !separated(a, b) && !separated(b, a)

const separated = (a: readonly Corner[], b: readonly Corner[]): boolean =>
  a.some(([x1, y1], i) => {
    const [x2, y2] = a[(i + 1) % a.length] as Corner
    const side = ([x, y]: Corner): number => (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)
    const inside = Math.sign(a.reduce((sum, corner) => sum + side(corner), 0))
    return b.every((corner) => side(corner) * inside <= 0)
  })

/** Meters from a position to a straight street. */
export const toLine = (position: Corner, [from, to]: readonly [Corner, Corner]): number => {
  const scale = lngScale(position[1])
  const [dx, dy] = [(to[0] - from[0]) * scale, to[1] - from[1]]
  const [px, py] = [(position[0] - from[0]) * scale, position[1] - from[1]]
  const t = Math.min(1, Math.max(0, (px * dx + py * dy) / (dx * dx + dy * dy)))
  return 111_195 * Math.hypot(px - t * dx, py - t * dy)
}

/** Whether two straight streets cross, or one ends at the other. */
export const meet = (a: readonly [Corner, Corner], b: readonly [Corner, Corner]): boolean => {
  const side = ([from, to]: readonly [Corner, Corner], [x, y]: Corner): number =>
    Math.sign((to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0]))
  const divides = (line: readonly [Corner, Corner], other: readonly [Corner, Corner]): boolean =>
    side(line, other[0]) * side(line, other[1]) < 0
  return (divides(a, b) && divides(b, a)) || a.some((end) => toLine(end, b) < 1) || b.some((end) => toLine(end, a) < 1)
}
