// The lines of the required yards inside a lot that has four sides, or nearly so. Plane coordinates in feet.
import type { Setbacks } from '../../domain/packs/zoning.ts'
import { rearYardFt, sideYardFt } from './setback-box.ts'

export type Point = readonly [x: number, y: number]
type Line = readonly [from: Point, to: Point]

/** A corner that turns less than this is a bend in a side. */
const leastTurn = (15 * Math.PI) / 180
/** A side this much farther from the street than the front, in feet, does not face it. */
const streetMarginFt = 15

/** The four corners in order, or undefined: of another shape, or with a corner that points inward. */
export const fourCorners = (ring: readonly Point[]): readonly Point[] | undefined => {
  const open = ring.filter((point, at) => distance(point, ring[(at + 1) % ring.length]!) > 0.5)
  const turns = open.map((point, at) =>
    turnAt(open[(at + open.length - 1) % open.length]!, point, open[(at + 1) % open.length]!),
  )
  const corners = open.filter((_, at) => Math.abs(turns[at]!) >= leastTurn)
  const signs = new Set(turns.filter((turn) => Math.abs(turn) >= leastTurn).map(Math.sign))
  return corners.length === 4 && signs.size === 1 ? corners : undefined
}

/** The sides with their distances to a street, and which of them is the front. Undefined where no street is known. */
const sidesOf = (corners: readonly Point[], streets: readonly (readonly Point[])[]) => {
  const sides: Line[] = corners.map((from, at) => [from, corners[(at + 1) % 4]!])
  const toStreet = sides.map(([a, b]) => distanceToStreets(middle(a, b), streets))
  const nearest = Math.min(...toStreet)
  return Number.isFinite(nearest) ? { sides, toStreet, nearest, front: toStreet.indexOf(nearest) } : undefined
}

/** The same corners, those of the front first. */
export const frontFirst = (
  corners: readonly Point[],
  streets: readonly (readonly Point[])[],
): readonly Point[] | undefined => {
  const { front } = sidesOf(corners, streets) ?? {}
  return front === undefined ? undefined : corners.map((_, at) => corners[(at + front) % 4]!)
}

/** The corners of the area inside the yards; undefined where the front is not known or nothing remains. */
export const setbackLines = (
  corners: readonly Point[],
  setbacks: Setbacks,
  streets: readonly (readonly Point[])[],
): readonly Point[] | undefined => {
  const lotSides = sidesOf(corners, streets)
  if (!lotSides) return undefined
  const { sides, toStreet, nearest, front } = lotSides
  const lengths = sides.map(([a, b]) => distance(a, b))
  const widthFt = (lengths[front]! + lengths[(front + 2) % 4]!) / 2
  const depthFt = (lengths[(front + 1) % 4]! + lengths[(front + 3) % 4]!) / 2
  const side = sideYardFt(setbacks.side, widthFt)
  const yardOf = (at: number): number => {
    if (at === front) return setbacks.front
    if (at === (front + 2) % 4) return rearYardFt(setbacks.rear, depthFt)
    const facesStreet = toStreet[at]! <= nearest + streetMarginFt
    return facesStreet ? Math.max(setbacks.streetSide ?? side, side) : side
  }
  const inward = Math.sign(turnAt(corners[3]!, corners[0]!, corners[1]!))
  const moved = sides.map((line, at) => shifted(line, inward * yardOf(at)))
  const inner = moved.map((line, at) => crossing(moved[(at + 3) % 4]!, line))
  const isInside = inner.every(
    (point, at) => point && Math.sign(turnAt(inner[(at + 3) % 4]!, point, inner[(at + 1) % 4]!)) === inward,
  )
  const keepsDirection = inner.every((point, at) => {
    const next = inner[(at + 1) % 4]!
    const [a, b] = sides[at]!
    return (next[0] - point[0]) * (b[0] - a[0]) + (next[1] - point[1]) * (b[1] - a[1]) > 0
  })
  return isInside && keepsDirection ? inner : undefined
}

/** A corner or a wide lot gives both halves a front; otherwise one is reached by a strip or an easement. */
const wideFt = 100
export const sharesAccess = ({ cornerLot, lotWidthFt = 0 }: { cornerLot?: boolean; lotWidthFt?: number }): boolean =>
  !cornerLot && lotWidthFt < wideFt

export const distance = (a: Point, b: Point): number => Math.hypot(b[0] - a[0], b[1] - a[1])

export const middle = (a: Point, b: Point): Point => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]

/** Positive to the left. */
const turnAt = (before: Point, at: Point, after: Point): number => {
  const [ax, ay, bx, by] = [at[0] - before[0], at[1] - before[1], after[0] - at[0], after[1] - at[1]]
  return Math.atan2(ax * by - ay * bx, ax * bx + ay * by)
}

/** To the left of its direction. */
const shifted = ([a, b]: Line, by: number): Line => {
  const length = distance(a, b)
  const [dx, dy] = [(-(b[1] - a[1]) / length) * by, ((b[0] - a[0]) / length) * by]
  return [
    [a[0] + dx, a[1] + dy],
    [b[0] + dx, b[1] + dy],
  ]
}

/** Neighboring sides of a lot with four corners are never parallel. */
const crossing = ([a, b]: Line, [c, d]: Line): Point => {
  const [rx, ry, sx, sy] = [b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]]
  const t = ((c[0] - a[0]) * sy - (c[1] - a[1]) * sx) / (rx * sy - ry * sx)
  return [a[0] + t * rx, a[1] + t * ry]
}

const distanceToStreets = (point: Point, streets: readonly (readonly Point[])[]): number =>
  Math.min(
    Number.POSITIVE_INFINITY,
    ...streets.flatMap((path) => path.slice(1).map((to, at) => distanceToLine(point, path[at]!, to))),
  )

const distanceToLine = (point: Point, a: Point, b: Point): number => {
  const length = distance(a, b) ** 2
  const share = length === 0 ? 0 : ((point[0] - a[0]) * (b[0] - a[0]) + (point[1] - a[1]) * (b[1] - a[1])) / length
  const t = Math.max(0, Math.min(1, share))
  return distance(point, [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])])
}
