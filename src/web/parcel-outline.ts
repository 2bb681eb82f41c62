// The outline of a market whose pack has none: the squares of a grid that hold parcels and their neighbors, joined and rounded.
import type { Box } from '../domain/packs/market-pack.ts'

type Point = readonly [x: number, y: number]

/** Squares along each side of the market's box. */
export const outlineSquares = 64

const around = [-1, 0, 1]

/** Closed rings of [longitude, latitude]. Lakes are left out. */
export const outlineOf = (places: readonly { lng: number; lat: number }[], { west, east, south, north }: Box) => {
  const [width, height] = [(east - west) / outlineSquares, (north - south) / outlineSquares]
  const filled = new Set(
    places.flatMap(({ lng, lat }) => {
      const [x, y] = [Math.floor((lng - west) / width), Math.floor((lat - south) / height)]
      return around.flatMap((right) => around.map((up) => `${x + right},${y + up}`))
    }),
  )
  return ringsAround(filled)
    .filter((ring) => areaOf(ring) > 0)
    .map((ring) => rounded(rounded(ring)).map(([x, y]): [number, number] => [west + x * width, south + y * height]))
    .map((ring) => [...ring, ring[0]!])
}

/** Of a square: from a corner to the next, and the square beyond. */
const sides = [
  [0, 0, 1, 0, 0, -1],
  [1, 0, 1, 1, 1, 0],
  [1, 1, 0, 1, 0, 1],
  [0, 1, 0, 0, -1, 0],
] as const

/** Counterclockwise around squares, clockwise around holes. */
const ringsAround = (filled: ReadonlySet<string>): Point[][] => {
  const next = new Map<string, Point[]>()
  for (const square of filled) {
    const [x, y] = square.split(',').map(Number) as [number, number]
    for (const [fromX, fromY, toX, toY, outX, outY] of sides) {
      const from = `${x + fromX},${y + fromY}`
      if (!filled.has(`${x + outX},${y + outY}`)) next.set(from, [...(next.get(from) ?? []), [x + toX, y + toY]])
    }
  }
  const rings: Point[][] = []
  for (const [start, ways] of next)
    while (ways.length > 0) {
      const ring = [ways.pop()!]
      while (ring.at(-1)!.join() !== start) ring.push(next.get(ring.at(-1)!.join())!.pop()!)
      rings.push(ring)
    }
  return rings
}

const pairs = (ring: readonly Point[]) => ring.map((from, at) => [from, ring[(at + 1) % ring.length]!] as const)

const areaOf = (ring: readonly Point[]): number =>
  pairs(ring).reduce((sum, [[x, y], [nextX, nextY]]) => sum + x * nextY - nextX * y, 0)

/** Cuts each corner (Chaikin). */
const rounded = (ring: readonly Point[]): Point[] =>
  pairs(ring).flatMap(([a, b]) => [0.25, 0.75].map((t): Point => [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]))
