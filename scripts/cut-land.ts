// Cuts the land outlines of the two markets out of a world map, once. Not part of a start: its output is committed.
//   npm install --prefix /some/where @geo-maps/earth-lands-100m@0.6.0
//   node scripts/cut-land.ts /some/where/node_modules/@geo-maps/earth-lands-100m/map.geo.json

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'

type Point = [lng: number, lat: number]
type Ring = Point[]
type Box = { west: number; south: number; east: number; north: number }

const attribution =
  '© OpenStreetMap contributors, ODbL 1.0 (https://www.openstreetmap.org/copyright); outlines by geo-maps (earth-lands-100m 0.6.0), clipped and simplified.'

// Wider than the markets themselves, so that a map drawn on them shows the far shore of the bay too.
const cuts: { file: string; name: string; box: Box; toleranceDeg: number }[] = [
  {
    file: 'sf-peninsula.geojson',
    name: 'San Francisco Peninsula',
    box: { west: -122.62, south: 37.22, east: -121.9, north: 37.84 },
    toleranceDeg: 0.0001,
  },
  {
    file: 'nantucket.geojson',
    name: 'Nantucket',
    box: { west: -70.34, south: 41.2, east: -69.92, north: 41.42 },
    toleranceDeg: 0.0001,
  },
]

function main(mapFile: string | undefined): void {
  if (!mapFile) throw new Error('usage: node scripts/cut-land.ts <map.geo.json of @geo-maps/earth-lands-100m>')
  const world = JSON.parse(readFileSync(mapFile, 'utf8')) as { geometries: { coordinates: Ring[][] }[] }
  const outDir = new URL('../data/land/', import.meta.url)
  mkdirSync(outDir, { recursive: true })
  for (const { file, name, box, toleranceDeg } of cuts) {
    const polygons: Ring[][] = []
    for (const { coordinates } of world.geometries) {
      for (const polygon of coordinates) {
        const rings = polygon
          .map((ring) => simplify(clip(ring, box), toleranceDeg).map(rounded))
          .filter((ring) => ring.length >= 4)
        // Without its outer ring the rest are holes in nothing.
        if (rings.length > 0 && clip(polygon[0] ?? [], box).length >= 4) polygons.push(rings)
      }
    }
    const feature = {
      type: 'Feature',
      properties: { name, attribution, licence: 'ODbL-1.0' },
      bbox: [box.west, box.south, box.east, box.north],
      geometry: { type: 'MultiPolygon', coordinates: polygons },
    }
    const text = `${JSON.stringify(feature)}\n`
    writeFileSync(new URL(file, outDir), text)
    console.log(`${file}: ${polygons.length} polygons, ${text.length} bytes`)
  }
}

/** Sutherland-Hodgman against the four sides of the box; the ring comes back closed, or empty when nothing is inside. */
function clip(ring: Ring, box: Box): Ring {
  const sides: { inside: (p: Point) => boolean; cross: (a: Point, b: Point) => Point }[] = [
    { inside: (p) => p[0] >= box.west, cross: (a, b) => atLng(a, b, box.west) },
    { inside: (p) => p[0] <= box.east, cross: (a, b) => atLng(a, b, box.east) },
    { inside: (p) => p[1] >= box.south, cross: (a, b) => atLat(a, b, box.south) },
    { inside: (p) => p[1] <= box.north, cross: (a, b) => atLat(a, b, box.north) },
  ]
  let points = ring.slice(0, -1)
  for (const { inside, cross } of sides) {
    const kept: Ring = []
    points.forEach((point, i) => {
      const previous = points[(i + points.length - 1) % points.length] as Point
      if (inside(point) !== inside(previous)) kept.push(cross(previous, point))
      if (inside(point)) kept.push(point)
    })
    points = kept
  }
  return points.length < 3 ? [] : [...points, points[0] as Point]
}

const atLng = (a: Point, b: Point, lng: number): Point => [lng, a[1] + ((b[1] - a[1]) * (lng - a[0])) / (b[0] - a[0])]
const atLat = (a: Point, b: Point, lat: number): Point => [a[0] + ((b[0] - a[0]) * (lat - a[1])) / (b[1] - a[1]), lat]
const rounded = ([lng, lat]: Point): Point => [Math.round(lng * 1e4) / 1e4, Math.round(lat * 1e4) / 1e4]

/** Ramer-Douglas-Peucker on a closed ring, split at its farthest point so that both halves are open lines. */
function simplify(ring: Ring, tolerance: number): Ring {
  if (ring.length < 5) return ring
  const first = ring[0] as Point
  let far = 1
  ring.forEach((p, i) => {
    if (Math.hypot(p[0] - first[0], p[1] - first[1]) > Math.hypot(ring[far]![0] - first[0], ring[far]![1] - first[1]))
      far = i
  })
  return [...thin(ring.slice(0, far + 1), tolerance), ...thin(ring.slice(far), tolerance).slice(1)]
}

function thin(line: Ring, tolerance: number): Ring {
  const a = line[0] as Point
  const b = line.at(-1) as Point
  const length = Math.hypot(b[0] - a[0], b[1] - a[1])
  let worst = 0
  let at = 0
  for (let i = 1; i < line.length - 1; i++) {
    const p = line[i] as Point
    const off =
      length === 0
        ? Math.hypot(p[0] - a[0], p[1] - a[1])
        : Math.abs((b[0] - a[0]) * (a[1] - p[1]) - (a[0] - p[0]) * (b[1] - a[1])) / length
    if (off > worst) {
      worst = off
      at = i
    }
  }
  if (worst <= tolerance) return [a, b]
  return [...thin(line.slice(0, at + 1), tolerance), ...thin(line.slice(at), tolerance).slice(1)]
}

main(process.argv[2])
