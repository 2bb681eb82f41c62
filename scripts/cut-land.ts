// Cuts the land outlines of the two markets out of a world map, once. Not part of a start: its output is committed.
// The map's tiles have simplified corners, which leaves slivers of false water inland. The tiles are therefore rasterized on a
// fine grid, water that is not connected to the sea becomes land, and the shores are traced again without seams.
//   npm install --prefix /some/where @geo-maps/earth-lands-100m@0.6.0
//   node scripts/cut-land.ts /some/where/node_modules/@geo-maps/earth-lands-100m/map.geo.json

import { readFileSync, writeFileSync } from 'node:fs'

type Point = [lng: number, lat: number]
type Ring = Point[]
type Grid = { land: Uint8Array; columns: number; rows: number }
type Box = { west: number; south: number; east: number; north: number }

const attribution =
  '© OpenStreetMap contributors, ODbL 1.0 (https://www.openstreetmap.org/copyright); outlines by geo-maps (earth-lands-100m 0.6.0), clipped and simplified.'

// Wider than the markets themselves, so that a map drawn on them shows the far shore of the bay too.
const cuts: { pack: string; name: string; box: Box; toleranceDeg: number }[] = [
  {
    pack: 'sf-peninsula',
    name: 'San Francisco Peninsula',
    box: { west: -122.62, south: 37.22, east: -121.9, north: 37.84 },
    toleranceDeg: 0.0004,
  },
  {
    pack: 'nantucket',
    name: 'Nantucket',
    box: { west: -70.34, south: 41.2, east: -69.92, north: 41.42 },
    toleranceDeg: 0.0004,
  },
]

const cellDeg = 0.00025
/** Rocks smaller than this many cells (about 500 m² each) are left out. */
const fewestCells = 400

function main(mapFile: string | undefined): void {
  if (!mapFile) throw new Error('usage: node scripts/cut-land.ts <map.geo.json of @geo-maps/earth-lands-100m>')
  const world = JSON.parse(readFileSync(mapFile, 'utf8')) as { geometries: { coordinates: Ring[][] }[] }
  const allRings = world.geometries.flatMap(({ coordinates }) => coordinates.flat())
  for (const { pack, name, box, toleranceDeg } of cuts) {
    const rings = allRings.filter((ring) => ring.some(([lng, lat]) => near(box, lng, lat)))
    const grid = drawn(rings, box)
    fillInland(grid)
    const shores = traced(grid, box).map((ring) => simplify(ring, toleranceDeg).map(rounded))
    const feature = {
      type: 'Feature',
      properties: { name, attribution, licence: 'ODbL-1.0' },
      bbox: [box.west, box.south, box.east, box.north],
      geometry: { type: 'MultiPolygon', coordinates: shores.filter((ring) => ring.length >= 4).map((ring) => [ring]) },
    }
    const text = `${JSON.stringify(feature)}\n`
    writeFileSync(new URL(`../packs/${pack}/land.geojson`, import.meta.url), text)
    console.log(`${pack}: ${shores.length} polygons, ${text.length} bytes`)
  }
}

/** Within a degree: a tile that covers the box may have its corners outside. */
const near = (box: Box, lng: number, lat: number): boolean =>
  lng > box.west - 1 && lng < box.east + 1 && lat > box.south - 1 && lat < box.north + 1

/** Even-odd scan conversion, one row of cells at a time. */
function drawn(rings: readonly Ring[], box: Box): Grid {
  const columns = Math.round((box.east - box.west) / cellDeg)
  const rows = Math.round((box.north - box.south) / cellDeg)
  const land = new Uint8Array(columns * rows)
  for (let row = 0; row < rows; row++) {
    const lat = box.south + (row + 0.5) * cellDeg
    const crossings: number[] = []
    for (const ring of rings) {
      for (let i = 1; i < ring.length; i++) {
        const a = ring[i - 1] as Point
        const b = ring[i] as Point
        if (a[1] > lat !== b[1] > lat) crossings.push(a[0] + ((b[0] - a[0]) * (lat - a[1])) / (b[1] - a[1]))
      }
    }
    crossings.sort((a, b) => a - b)
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const from = Math.max(0, Math.ceil(((crossings[i] as number) - box.west) / cellDeg - 0.5))
      const to = Math.min(columns, Math.ceil(((crossings[i + 1] as number) - box.west) / cellDeg - 0.5))
      if (to > from) land.fill(1, row * columns + from, row * columns + to)
    }
  }
  return { land, columns, rows }
}

/** Turns water that is not connected to the edge of the box into land: the map has coastlines only, so such water is an error, not a lake. */
function fillInland({ land, columns, rows }: Grid): void {
  const stack: number[] = []
  const flood = (at: number): void => {
    if (land[at] === 0) {
      land[at] = 2
      stack.push(at)
    }
  }
  for (let x = 0; x < columns; x++) for (const y of [0, rows - 1]) flood(y * columns + x)
  for (let y = 0; y < rows; y++) for (const x of [0, columns - 1]) flood(y * columns + x)
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const x = at % columns
    if (x > 0) flood(at - 1)
    if (x < columns - 1) flood(at + 1)
    if (at >= columns) flood(at - columns)
    if (at < columns * (rows - 1)) flood(at + columns)
  }
  land.forEach((cell, at) => {
    land[at] = cell === 2 ? 0 : 1
  })
}

/** The outlines of the land cells, counterclockwise. There are no holes, since the remaining water is sea. */
function traced({ land, columns, rows }: Grid, box: Box): Ring[] {
  const isLand = (x: number, y: number): boolean =>
    x >= 0 && y >= 0 && x < columns && y < rows && land[y * columns + x] === 1
  const width = columns + 1
  const next = new Map<number, number[]>()
  const edge = (x1: number, y1: number, x2: number, y2: number): void => {
    const from = y1 * width + x1
    const list = next.get(from)
    if (list) list.push(y2 * width + x2)
    else next.set(from, [y2 * width + x2])
  }
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      if (!isLand(x, y)) continue
      if (!isLand(x, y - 1)) edge(x, y, x + 1, y)
      if (!isLand(x + 1, y)) edge(x + 1, y, x + 1, y + 1)
      if (!isLand(x, y + 1)) edge(x + 1, y + 1, x, y + 1)
      if (!isLand(x - 1, y)) edge(x, y + 1, x, y)
    }
  }
  const rings: Ring[] = []
  for (const start of next.keys()) {
    while (next.get(start)?.length) {
      const ring: Ring = []
      let at = start
      do {
        ring.push([box.west + (at % width) * cellDeg, box.south + Math.floor(at / width) * cellDeg])
        at = next.get(at)?.pop() as number
      } while (at !== start)
      ring.push(ring[0] as Point)
      if (areaOf(ring) > fewestCells * cellDeg ** 2) rings.push(ring)
    }
  }
  return rings
}

const areaOf = (ring: Ring): number =>
  ring.slice(1).reduce((sum, [x, y], i) => sum + ((ring[i] as Point)[0] * y - x * (ring[i] as Point)[1]) / 2, 0)

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
