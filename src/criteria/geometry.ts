// Areas on the ground: a box, a circle or polygons with holes. Longitude and latitude in degrees of WGS 84.

import { badRequest } from '../common/errors.ts'
import { tableOf } from '../common/typed.ts'
import { distanceMi, earthRadiusMi } from '../domain/distance.ts'
import { type LatLng, markets } from '../domain/packs/markets.ts'
import { examplePolygon } from './geojson.ts'

export type Position = readonly [lng: number, lat: number]
export type Ring = readonly Position[]

/** The first ring is the outline, the others are holes. No ring crosses the antimeridian; longitudes may go beyond ±180. */
type Polygon = readonly Ring[]

export type Area =
  | { type: 'boxes'; boxes: readonly Bounds[] }
  | { type: 'circle'; center: LatLng; radiusMi: number; boxes: readonly Bounds[] }
  | { type: 'polygons'; polygons: readonly Polygon[] }

export interface Bounds {
  west: number
  south: number
  east: number
  north: number
}

const degrees = Math.PI / 180

export const isInside = (area: Area, at: LatLng): boolean => {
  switch (area.type) {
    case 'boxes':
      return area.boxes.some((box) => inBox(box, at))
    case 'circle':
      return distanceMi(area.center, at) <= area.radiusMi
    case 'polygons':
      return area.polygons.some(
        ([outline, ...holes]) => inRing(outline!, at) && !holes.some((hole) => inRing(hole, at)),
      )
  }
}

const inBox = ({ west, south, east, north }: Bounds, { lat, lng }: LatLng): boolean =>
  lng >= west && lng <= east && lat >= south && lat <= north

/** Counts how often a ray to the east crosses the ring. */
const inRing = (ring: Ring, { lat, lng }: LatLng): boolean => {
  let inside = false
  for (let at = 0, before = ring.length - 1; at < ring.length; before = at++) {
    const [x1, y1] = ring[at]!
    const [x2, y2] = ring[before]!
    if (y1 > lat !== y2 > lat && lng < ((x2 - x1) * (lat - y1)) / (y2 - y1) + x1) inside = !inside
  }
  return inside
}

/** Where west is greater than east, the box crosses the antimeridian and becomes two. */
export const boxArea = (given: readonly number[]): Area => {
  const [west, south, east, north] = given as [number, number, number, number]
  const example = `for example bbox=-122.26,37.41,-122.12,37.50; it is ${given.join(',')}.`
  const looksSwapped = () =>
    badRequest(`bbox looks swapped: it is west,south,east,north, so longitude comes first; ${example}`)
  if (Math.abs(south) > 90 || Math.abs(north) > 90) {
    if (Math.abs(west) <= 90 && Math.abs(east) <= 90) throw looksSwapped()
    throw badRequest(`bbox must have latitudes from -90 to 90, ${example}`)
  }
  if (Math.abs(west) > 180 || Math.abs(east) > 180)
    throw badRequest(`bbox must have longitudes from -180 to 180, ${example}`)
  if (south > north) throw badRequest(`bbox must be west,south,east,north with south below north, ${example}`)
  const boxes =
    west <= east
      ? [{ west, south, east, north }]
      : [
          { west, south, east: 180, north },
          { west: -180, south, east, north },
        ]
  const swapped = { west: south, south: west, east: north, north: east }
  if (!boxes.some(touchesMarket) && touchesMarket(swapped)) throw looksSwapped()
  return { type: 'boxes', boxes }
}

export const circleArea = (center: LatLng, radiusMi: number): Area => {
  checkPoint(center)
  return { type: 'circle', center, radiusMi, boxes: circleBounds(center, radiusMi) }
}

/** Boxes that contain the circle. */
const circleBounds = ({ lat, lng }: LatLng, radiusMi: number): Bounds[] => {
  const high = (radiusMi / earthRadiusMi / degrees) * 1.001
  const south = Math.max(-90, lat - high)
  const north = Math.min(90, lat + high)
  const wide = high / Math.cos(Math.max(Math.abs(south), Math.abs(north)) * degrees)
  // Near a pole the circle covers every longitude.
  if (wide >= 180) return [{ west: -180, south, east: 180, north }]
  const [west, east] = [lng - wide, lng + wide]
  if (west < -180) return [bounds(-180, south, east, north), bounds(west + 360, south, 180, north)]
  if (east > 180) return [bounds(west, south, 180, north), bounds(-180, south, east - 360, north)]
  return [bounds(west, south, east, north)]
}

const bounds = (west: number, south: number, east: number, north: number): Bounds => ({ west, south, east, north })

export const checkPoint = (point: LatLng): void => {
  const at = { west: point.lng, east: point.lng, south: point.lat, north: point.lat }
  const swapped = { west: point.lat, east: point.lat, south: point.lng, north: point.lng }
  const near = (box: Bounds) => touchesMarket(bounds(box.west - 1, box.south - 1, box.east + 1, box.north + 1))
  if (!near(at) && near(swapped))
    throw badRequest(
      `lat and lng look swapped: lat=${point.lat} and lng=${point.lng} is far from every market, but lat=${point.lng} and lng=${point.lat} is in one. Example: lat=37.45&lng=-122.18&radiusMi=1.`,
    )
}

const touchesMarket = ({ west, south, east, north }: Bounds): boolean =>
  markets().some(({ box }) => west <= box.east && east >= box.west && south <= box.north && north >= box.south)

const badPolygon = (problem: string) => badRequest(`${problem}. Example: ${JSON.stringify(examplePolygon)}`)

/** The polygons of a GeoJSON geometry, or a 400 with the reason. */
export const polygonArea = (given: unknown, maxPositions: number): Area => {
  const { type, coordinates } = (given ?? {}) as { type?: unknown; coordinates?: unknown }
  if ((type !== 'Polygon' && type !== 'MultiPolygon') || !Array.isArray(coordinates))
    throw badPolygon('within must be a GeoJSON Polygon or MultiPolygon')
  const polygons = (type === 'Polygon' ? [coordinates] : coordinates) as unknown[]
  let positions = 0
  const read = polygons.map((polygon, at) => {
    if (!Array.isArray(polygon) || polygon.length === 0)
      throw badPolygon(`within must have at least one ring in each polygon; polygon ${at + 1} has none`)
    return polygon.map((ring: unknown, ringAt) => {
      const label = `ring ${ringAt + 1}${polygons.length > 1 ? ` of polygon ${at + 1}` : ''}`
      if (!Array.isArray(ring)) throw badPolygon(`within must have lists of positions as rings; ${label} is not a list`)
      positions += ring.length
      if (positions > maxPositions)
        throw badRequest(
          `within must have at most ${maxPositions.toLocaleString('en-US')} positions on this key's plan; simplify the polygon.${maxPositions < 2_000 ? ' Pro keys may send 2,000.' : ''}`,
        )
      return readRing(ring, label)
    })
  })
  if (read.length === 0) throw badPolygon('within must have at least one polygon')
  if (!read.some((polygon) => touchesMarket(boundsOf(polygon[0]!)))) {
    const swapped = read.map(([outline]) => outline!.map(([lng, lat]): Position => [lat, lng]))
    if (swapped.some((ring) => touchesMarket(boundsOf(ring))))
      throw badRequest(
        'within looks swapped: GeoJSON positions are [longitude, latitude], for example [-122.18, 37.45].',
      )
  }
  return { type: 'polygons', polygons: read.flatMap(shiftedCopies) }
}

const readRing = (ring: readonly unknown[], label: string): Position[] => {
  const positions = ring.map((position, at): Position => {
    const [lng, lat] = Array.isArray(position) ? (position as unknown[]) : []
    if (typeof lng !== 'number' || typeof lat !== 'number' || !Number.isFinite(lng) || !Number.isFinite(lat))
      throw badPolygon(`within must have positions [longitude, latitude]; position ${at + 1} of ${label} is not one`)
    if (Math.abs(lat) > 90)
      throw badRequest(
        Math.abs(lng) <= 90
          ? `within looks swapped: GeoJSON positions are [longitude, latitude], for example [-122.18, 37.45]; position ${at + 1} of ${label} is [${lng}, ${lat}].`
          : `within must have latitudes from -90 to 90, for example [-122.18, 37.45]; position ${at + 1} of ${label} is [${lng}, ${lat}].`,
      )
    if (Math.abs(lng) > 360)
      throw badPolygon(
        `within must have longitudes from -180 to 180; position ${at + 1} of ${label} is [${lng}, ${lat}]`,
      )
    return [lng, lat]
  })
  const [first, last] = [positions[0], positions.at(-1)]
  if (positions.length < 4)
    throw badPolygon(`within must have rings of at least four positions; ${label} has ${positions.length}`)
  if (first![0] !== last![0] || first![1] !== last![1])
    throw badPolygon(`within must have closed rings: the last position of ${label} must equal its first`)
  const unwrapped = unwrap(positions)
  if (crossesItself(unwrapped)) throw badPolygon(`within must not cross itself; ${label} does`)
  if (areaOf(unwrapped) === 0 && areaOf(positions) !== 0)
    throw badPolygon(
      `within must have positions less than 180 degrees of longitude apart; add positions between those of ${label}`,
    )
  if (areaOf(unwrapped) === 0) throw badPolygon(`within must have rings with an area; ${label} has none`)
  return unwrapped
}

/** A step of more than 180 degrees is taken as a crossing of the antimeridian, the short way. */
const unwrap = (ring: readonly Position[]): Position[] => {
  let shift = 0
  return ring.map(([lng, lat], at) => {
    if (at > 0) {
      const step = lng - ring[at - 1]![0]
      if (step > 180) shift -= 360
      else if (step < -180) shift += 360
    }
    return [lng + shift, lat]
  })
}

const areaOf = (ring: Ring): number =>
  ring.reduce((sum, [x, y], at) => {
    const [nextX, nextY] = ring[(at + 1) % ring.length]!
    return sum + x * nextY - nextX * y
  }, 0)

/**
 * Whether two edges cross. Edges are compared only while their longitudes overlap, and then only if their latitudes do; in the worst case,
 * 2,000 positions whose edges all overlap, that is 2 million comparisons of numbers.
 */
const crossesItself = (ring: Ring): boolean => {
  const start = (edge: number) => Math.min(ring[edge]![0], ring[edge + 1]![0])
  const edges = Array.from({ length: ring.length - 1 }, (_, edge) => edge).sort((a, b) => start(a) - start(b))
  // In arrays of numbers, in the order of the sweep: a loop over them takes a fifth of the time of one over positions.
  const columns = ['ax', 'ay', 'bx', 'by', 'west', 'east', 'south', 'north'] as const
  const { ax, ay, bx, by, west, east, south, north } = tableOf(columns, () => new Float64Array(edges.length))
  for (const [at, edge] of edges.entries()) {
    ;[ax[at], ay[at]] = ring[edge]!
    ;[bx[at], by[at]] = ring[edge + 1]!
    west[at] = start(edge)
    east[at] = Math.max(ax[at]!, bx[at]!)
    south[at] = Math.min(ay[at]!, by[at]!)
    north[at] = Math.max(ay[at]!, by[at]!)
  }
  /** Whether the second edge has one end on each side of the line through the first. */
  const isSplit = (i: number, j: number): boolean => {
    const dx = bx[i]! - ax[i]!
    const dy = by[i]! - ay[i]!
    const a = dx * (ay[j]! - ay[i]!) - dy * (ax[j]! - ax[i]!)
    const b = dx * (by[j]! - ay[i]!) - dy * (bx[j]! - ax[i]!)
    // Edges that share a position do not cross: it is on no side of either.
    return a > 0 ? b < 0 : a < 0 && b > 0
  }
  for (let i = 0; i < edges.length; i++) {
    const [easternmost, low, high] = [east[i]!, south[i]!, north[i]!]
    for (let j = i + 1; j < edges.length && west[j]! <= easternmost; j++)
      if (south[j]! <= high && north[j]! >= low && isSplit(i, j) && isSplit(j, i)) return true
  }
  return false
}

export const boundsOf = (ring: Ring): Bounds =>
  ring.reduce<Bounds>(
    ({ west, south, east, north }, [lng, lat]) => ({
      west: Math.min(west, lng),
      south: Math.min(south, lat),
      east: Math.max(east, lng),
      north: Math.max(north, lat),
    }),
    { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity },
  )

/** The polygon and its copies one turn east and west, where they reach into the longitudes that are stored. */
const shiftedCopies = (polygon: Ring[]): Polygon[] =>
  [0, 360, -360]
    .map((by) => polygon.map((ring) => ring.map(([lng, lat]): Position => [lng + by, lat])))
    .filter(([outline]) => {
      const { west, east } = boundsOf(outline!)
      return west <= 180 && east >= -180
    })
