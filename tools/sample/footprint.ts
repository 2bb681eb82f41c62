// A rotated rectangle on the ground, for placing neighborhoods without overlap.
import type { Position } from './streets.ts'

export interface Footprint {
  lat: number
  lng: number
  corners: readonly Position[]
  /** The length of a degree of longitude, as a share of a degree of latitude. */
  lngScale: number
  lengthM: number
  heightM: number
  /** From the center to a corner. */
  radiusM: number
  /** The position x meters along the bearing and y meters to its right, from the center. */
  position(x: number, y: number): Position
}

const metersPerLat = 111_195

export function footprint(given: {
  lat: number
  lng: number
  bearingDeg: number
  lengthM: number
  heightM: number
}): Footprint {
  const { lat, lng, lengthM, heightM } = given
  const bearing = (given.bearingDeg * Math.PI) / 180
  const sin = Math.sin(bearing)
  const cos = Math.cos(bearing)
  const lngScale = Math.cos((lat * Math.PI) / 180)
  const metersPerLng = metersPerLat * lngScale
  const position = (x: number, y: number): Position => [
    round6(lng + (x * sin + y * cos) / metersPerLng),
    round6(lat + (x * cos - y * sin) / metersPerLat),
  ]
  const [x, y] = [lengthM / 2, heightM / 2]
  const corners = [position(-x, -y), position(x, -y), position(x, y), position(-x, y)]
  return { lat, lng, lngScale, lengthM, heightM, radiusM: Math.hypot(x, y), corners, position }
}

/** 11 cm. */
export const round6 = (value: number): number => Math.round(value * 1e6) / 1e6

/** Points of a grid over the rectangle, at most `stepM` apart, with its edges. */
export function pointsOf({ lengthM, heightM, position }: Footprint, stepM: number): Position[] {
  const across = Math.ceil(lengthM / stepM)
  const down = Math.ceil(heightM / stepM)
  const points: Position[] = []
  for (let i = 0; i <= across; i++)
    for (let j = 0; j <= down; j++) points.push(position((i / across - 0.5) * lengthM, (j / down - 0.5) * heightM))
  return points
}

/** Two convex shapes are apart if a line along a side of one of them separates them. */
export const overlaps = (a: Footprint, b: Footprint): boolean =>
  metersBetween(a, b) < a.radiusM + b.radiusM && !separates(a.corners, b.corners) && !separates(b.corners, a.corners)

const separates = (a: readonly Position[], b: readonly Position[]): boolean =>
  a.some(([x1, y1], i) => {
    const [x2, y2] = a[(i + 1) % a.length] as Position
    const side = ([x, y]: Position): number => (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)
    const inside = Math.sign(a.reduce((sum, point) => sum + side(point), 0))
    return b.every((point) => side(point) * inside <= 0)
  })

export function metersBetween(a: Footprint, b: { lat: number; lng: number }): number {
  const north = a.lat - b.lat
  const east = (a.lng - b.lng) * a.lngScale
  return metersPerLat * Math.sqrt(north * north + east * east)
}

export function contains({ corners }: Pick<Footprint, 'corners'>, [x, y]: Position): boolean {
  let sign = 0
  for (let i = 0; i < corners.length; i++) {
    const [x1, y1] = corners[i] as Position
    const [x2, y2] = corners[(i + 1) % corners.length] as Position
    const side = Math.sign((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1))
    if (side !== 0 && side === -sign) return false
    sign ||= side
  }
  return true
}
