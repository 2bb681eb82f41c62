// Facts of a lot derived from its shape: a point inside it, its area, and an estimate of width and depth.
import proj4 from 'proj4'
import { valueAt } from '../common/typed.ts'
import type { ShapeKind } from '../domain/layers.ts'
import { boxOfRings, type FlatRing, turned } from '../domain/shapes.ts'
import { type Outline, simplifiedOutline } from './outline.ts'
import type { ReadShape } from './source.ts'

interface ShapeFacts {
  lat: number
  lng: number
  areaSqft?: number
  /** Sides of the smallest rectangle around the lot. Exact only for rectangular lots, so they are an estimate. */
  widthFt?: number
  depthFt?: number
  estimated?: boolean
  /** The outline in WGS 84, simplified: the coordinates of a GeoJSON MultiPolygon. */
  outline?: Outline
}

export type Position = readonly [number, number]
export type Ring = readonly Position[]
/** Rings per polygon, the outer one first; a point is one polygon of one position. */
export type Shape = readonly (readonly Ring[])[]

/** Undefined when a position of the shape is not on earth. */
export const shapeFacts = (shape: Shape, spatialReference?: string): ShapeFacts | undefined => {
  if (
    !shape.every(
      (polygon) => Array.isArray(polygon) && polygon.every((ring) => Array.isArray(ring) && ring.every(Array.isArray)),
    )
  )
    return undefined
  const placed = shape.map((polygon) =>
    polygon.map((ring) => ring.map((position) => toDegrees(position, spatialReference))),
  )
  const all = placed.flat(2)
  if (all.length === 0 || !all.every(isOnEarth)) return undefined
  if (all.length < 4) return { lng: all[0]![0], lat: all[0]![1] }
  const origin = all[0]!
  const flat = placed.map((polygon) => polygon.map((ring) => ring.map((position) => toFeet(position, origin))))
  const largest = flat
    .map((polygon) => polygon[0]!)
    .reduce((best, ring) => (Math.abs(ringArea(ring)) > Math.abs(ringArea(best)) ? ring : best))
  // Writers differ in the direction of holes; a hole is always subtracted.
  const area = flat.reduce(
    (sum, [outer, ...holes]) =>
      sum + Math.abs(ringArea(outer!)) - holes.reduce((total, hole) => total + Math.abs(ringArea(hole)), 0),
    0,
  )
  const [lng, lat] = fromFeet(centroid(largest), origin)
  if (!(area > 0)) return { lat, lng }
  return {
    lat,
    lng,
    areaSqft: Math.round(area),
    ...sidesOf(largest),
    estimated: true,
    outline: simplifiedOutline(placed),
  }
}

export const offEarth = ' is not on earth'

/** The whole shape, for layers. The first ring of each part of an area is its outer ring, the others are holes. */
export const layerShape = (kind: ShapeKind, parts: Shape, reference: string | undefined): ReadShape => {
  const rings: FlatRing[] = []
  for (const part of parts)
    for (const [at, ring] of part.entries()) {
      const flat: number[] = []
      for (const position of ring) {
        if (!Array.isArray(position)) return unreadable('a position is not a pair of numbers')
        const placed = toDegrees(position as unknown as Position, reference)
        if (!isOnEarth(placed)) return unreadable(`the position ${position.slice(0, 2).join(', ')}${offEarth}`)
        flat.push(round7(placed[0]), round7(placed[1]))
      }
      if (kind === 'area' && flat.at(-2) === flat[0] && flat.at(-1) === flat[1]) flat.length -= 2
      if (kind === 'area' && flat.length < 6) continue
      if (flat.length > 0) rings.push(kind === 'area' ? turned(flat, at > 0) : flat)
    }
  return rings.length > 0 ? { kind, rings, box: boxOfRings(rings) } : unreadable('it has no positions')
}
const unreadable = (why: string): ReadShape => ({ kind: 'point', rings: [], box: [0, 0, 0, 0], unreadable: why })
const round7 = (degrees: number): number => Math.round(degrees * 1e7) / 1e7

/**
 * Many files declare WGS 84 but contain Web Mercator meters, recognizable because degrees never exceed 180. In the Americas those are
 * negative; State Plane feet are positive, and read as Web Mercator they would give lots of many times their size off Africa.
 */
const toDegrees = ([x, y]: Position, reference: string | undefined): Position => {
  const from = reference ?? (x < -180 ? 'EPSG:3857' : undefined)
  if (from === undefined || isDegrees(from) || !Number.isFinite(x) || !Number.isFinite(y)) return [x, y]
  return converter(from).forward([x, y]) as [number, number]
}

/** Kept, because reading a definition takes longer than converting a thousand positions. */
const converters = new Map<string, ReturnType<typeof newConverter>>()
const newConverter = (reference: string) => proj4(definition(reference), 'EPSG:4326')
const converter = (reference: string): ReturnType<typeof newConverter> =>
  valueAt(converters, reference, () => newConverter(reference))

const isDegrees = (reference: string): boolean => /4326|4269|CRS84/.test(reference)

const isOnEarth = ([lng, lat]: Position): boolean =>
  Number.isFinite(lng) &&
  Number.isFinite(lat) &&
  Math.abs(lng) <= 180 &&
  Math.abs(lat) <= 90 &&
  (lng !== 0 || lat !== 0)

/** The spatial references that counties of our markets use. Any other can be given as a PROJ string. */
const definitions: Readonly<Record<string, string>> = {
  'EPSG:2227':
    '+proj=lcc +lat_0=36.5 +lon_0=-120.5 +lat_1=38.4333333333333 +lat_2=37.0666666666667 +x_0=2000000.0001016 +y_0=500000.0001016 +datum=NAD83 +units=us-ft +no_defs',
  'EPSG:26943':
    '+proj=lcc +lat_0=36.5 +lon_0=-120.5 +lat_1=38.4333333333333 +lat_2=37.0666666666667 +x_0=2000000 +y_0=500000 +datum=NAD83 +units=m +no_defs',
  // The Albers projection of one state, in which it publishes its layers.
  'EPSG:3310':
    '+proj=aea +lat_0=0 +lon_0=-120 +lat_1=34 +lat_2=40.5 +x_0=0 +y_0=-4000000 +datum=NAD83 +units=m +no_defs',
  'EPSG:2249':
    '+proj=lcc +lat_0=41 +lon_0=-71.5 +lat_1=42.6833333333333 +lat_2=41.7166666666667 +x_0=200000.0001016 +y_0=750000.0001016 +datum=NAD83 +units=us-ft +no_defs',
  'EPSG:26986':
    '+proj=lcc +lat_0=41 +lon_0=-71.5 +lat_1=42.6833333333333 +lat_2=41.7166666666667 +x_0=200000 +y_0=750000 +datum=NAD83 +units=m +no_defs',
  'EPSG:2250':
    '+proj=lcc +lat_0=41 +lon_0=-70.5 +lat_1=41.4833333333333 +lat_2=41.2833333333333 +x_0=500000.0001016 +y_0=0 +datum=NAD83 +units=us-ft +no_defs',
  'EPSG:26987':
    '+proj=lcc +lat_0=41 +lon_0=-70.5 +lat_1=41.4833333333333 +lat_2=41.2833333333333 +x_0=500000 +y_0=0 +datum=NAD83 +units=m +no_defs',
}
/** Esri's codes for the same references. */
const esri: Readonly<Record<string, string>> = {
  'EPSG:102100': 'EPSG:3857',
  'EPSG:102113': 'EPSG:3857',
  'EPSG:900913': 'EPSG:3857',
  'EPSG:102600': 'EPSG:3310',
  'EPSG:102643': 'EPSG:2227',
  'EPSG:102243': 'EPSG:26943',
  'EPSG:102686': 'EPSG:2249',
  'EPSG:102687': 'EPSG:2250',
}
const definition = (name: string): string => {
  if (name.startsWith('+')) return name
  const code = esri[name] ?? name
  const utm = utmCode.exec(code)
  if (utm) return `+proj=utm +zone=${Number(utm[2] ?? utm[4])} +datum=${utm[1] ? 'NAD83' : 'WGS84'} +units=m +no_defs`
  return definitions[code] ?? code
}
/** UTM zones on NAD 83 and WGS 84, in which elevation grids and many state layers are published. */
const utmCode = /^EPSG:(?:(269)(0[1-9]|1\d|2[0-3])|(326)(0[1-9]|[1-5]\d|60))$/

export const fromDegrees = (place: Position, reference: string): Position =>
  isDegrees(reference) ? place : (converter(reference).inverse([...place]) as [number, number])
export const knowsReference = (name: string): boolean =>
  name.startsWith('+') ||
  utmCode.test(name) ||
  Object.hasOwn(definitions, esri[name] ?? name) ||
  ['EPSG:3857', 'EPSG:4326', 'EPSG:4269'].includes(esri[name] ?? name)

const feetPerMeter = 3.280_839_895
/** Length of a degree on the WGS 84 ellipsoid at a latitude. Within a lot, the earth counts as flat. */
export const degreeFeet = (lat: number): Position => {
  const phi = (lat * Math.PI) / 180
  const east = 111_412.84 * Math.cos(phi) - 93.5 * Math.cos(3 * phi) + 0.118 * Math.cos(5 * phi)
  const north = 111_132.92 - 559.82 * Math.cos(2 * phi) + 1.175 * Math.cos(4 * phi)
  return [east * feetPerMeter, north * feetPerMeter]
}
const toFeet = ([lng, lat]: Position, [lng0, lat0]: Position): Position => {
  const [east, north] = degreeFeet(lat0)
  return [(lng - lng0) * east, (lat - lat0) * north]
}
const fromFeet = ([x, y]: Position, [lng0, lat0]: Position): Position => {
  const [east, north] = degreeFeet(lat0)
  return [lng0 + x / east, lat0 + y / north]
}

export const ringArea = (ring: Ring): number => {
  let twice = 0
  for (let at = 0; at < ring.length; at += 1) {
    const [x1, y1] = ring[at]!
    const [x2, y2] = ring[(at + 1) % ring.length]!
    twice += x1 * y2 - x2 * y1
  }
  return twice / 2
}

const centroid = (ring: Ring): Position => {
  const area = ringArea(ring)
  if (area === 0) return ring[0]!
  let [x, y] = [0, 0]
  for (let at = 0; at < ring.length; at += 1) {
    const [x1, y1] = ring[at]!
    const [x2, y2] = ring[(at + 1) % ring.length]!
    const cross = x1 * y2 - x2 * y1
    x += (x1 + x2) * cross
    y += (y1 + y2) * cross
  }
  return [x / (6 * area), y / (6 * area)]
}

/** `axis` is the direction of the longer side. The smallest rectangle shares a side with the convex hull, so every edge of the hull is tried. */
export const smallestRectangle = (ring: Ring) => {
  let best = { area: Number.POSITIVE_INFINITY, widthFt: 0, depthFt: 0, axis: [1, 0] as Position }
  const hull = convexHull(ring)
  for (let at = 0; at < hull.length; at += 1) {
    const [x1, y1] = hull[at]!
    const [x2, y2] = hull[(at + 1) % hull.length]!
    const length = Math.hypot(x2 - x1, y2 - y1)
    if (length === 0) continue
    const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length]
    const along = hull.map(([x, y]) => x * ux + y * uy)
    const across = hull.map(([x, y]) => y * ux - x * uy)
    const [a, b] = [Math.max(...along) - Math.min(...along), Math.max(...across) - Math.min(...across)]
    if (a * b < best.area)
      best = {
        area: a * b,
        widthFt: Math.min(a, b),
        depthFt: Math.max(a, b),
        axis: a >= b ? [ux, uy] : [-uy, ux],
      }
  }
  return best
}

const sidesOf = (ring: Ring): { widthFt: number; depthFt: number } => {
  const { widthFt, depthFt } = smallestRectangle(ring)
  return { widthFt: Math.round(widthFt * 10) / 10, depthFt: Math.round(depthFt * 10) / 10 }
}

const convexHull = (points: Ring): Position[] => {
  const sorted = [...points].sort(([x1, y1], [x2, y2]) => x1 - x2 || y1 - y2)
  const half = (list: readonly Position[]): Position[] => {
    const hull: Position[] = []
    for (const point of list) {
      while (hull.length >= 2 && turn(hull.at(-2)!, hull.at(-1)!, point) <= 0) hull.pop()
      hull.push(point)
    }
    return hull.slice(0, -1)
  }
  return [...half(sorted), ...half(sorted.reverse())]
}
const turn = ([ax, ay]: Position, [bx, by]: Position, [cx, cy]: Position): number =>
  (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
