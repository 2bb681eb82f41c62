// A rotated rectangle on the ground, for placing neighborhoods without overlap.
import { sharedArea, turned } from '../../src/domain/shapes.ts'
import type { Position } from './streets.ts'

export type Footprint = ReturnType<typeof footprint>

const metersPerLat = 111_195

export function footprint(given: Record<'lat' | 'lng' | 'bearingDeg' | 'lengthM' | 'heightM', number>) {
  const { lat, lng, lengthM, heightM } = given
  const bearing = (given.bearingDeg * Math.PI) / 180
  const sin = Math.sin(bearing)
  const cos = Math.cos(bearing)
  /** The length of a degree of longitude, as a share of a degree of latitude. */
  const lngScale = Math.cos((lat * Math.PI) / 180)
  const metersPerLng = metersPerLat * lngScale
  /** The position x meters along the bearing and y meters to its right, from the center. */
  const position = (x: number, y: number): Position => [
    round6(lng + (x * sin + y * cos) / metersPerLng),
    round6(lat + (x * cos - y * sin) / metersPerLat),
  ]
  const [x, y] = [lengthM / 2, heightM / 2]
  const corners = [position(-x, -y), position(x, -y), position(x, y), position(-x, y)]
  /** `radiusM`: from the center to a corner. */
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

/** By more than a tenth of a square meter, as positions are rounded. */
export const overlaps = (a: Footprint, b: Footprint): boolean =>
  metersBetween(a, b) < a.radiusM + b.radiusM && sharedArea([ringOf(a)], [ringOf(b)]) > 1e-11

const ringOf = ({ corners }: Footprint) => turned(corners.flat(), false)

export function metersBetween(a: Footprint, b: { lat: number; lng: number }): number {
  const north = a.lat - b.lat
  const east = (a.lng - b.lng) * a.lngScale
  return metersPerLat * Math.sqrt(north * north + east * east)
}
