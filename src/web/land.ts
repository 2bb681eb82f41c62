// Land outlines for the built-in base map: from the pack, else drawn around the parcels of the market.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { valueAt } from '../common/typed.ts'
import type { MarketId } from '../domain/facts.ts'
import type { Box } from '../domain/packs/market-pack.ts'
import type { LandFile } from '../domain/packs/pack-land.ts'
import { packOf } from '../domain/packs/use-packs.ts'
import { parcelCells } from '../operations/map-listings.ts'
import { cached } from './cached.ts'
import type { LandRings } from './charts/market-map.ts'
import type { Site } from './site.ts'

type LandFeature = Extract<LandFile, { type: 'Feature' }>

type Land = ReturnType<typeof landWith>

const landWith = (features: readonly LandFeature[]) => ({
  features,
  rings: features.flatMap(
    ({ geometry }): LandRings => (geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat()),
  ),
})

/** By folder, because a pack keeps its file while the process runs. */
const files = new Map<string, Land | undefined>()

const landInPack = (market: MarketId): Land | undefined => {
  const dir = packOf(market)?.dir
  if (dir === undefined) return undefined
  if (!files.has(dir)) {
    const file = join(dir, 'land.geojson')
    const body = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as LandFile) : undefined
    files.set(dir, body && landWith('features' in body ? body.features : [body]))
  }
  return files.get(dir)
}

export const landCredit = (market: MarketId): string | undefined =>
  landInPack(market)?.features.find(({ properties }) => properties?.attribution)?.properties?.attribution

const drawn = new WeakMap<Site, Map<MarketId, () => Promise<Land>>>()
const drawnForMs = 600_000

export const landOf = async (site: Site, market: MarketId): Promise<Land | undefined> => {
  const inPack = landInPack(market)
  const box = packOf(market)?.market.box
  if (inPack || !box) return inPack
  const ofSite = valueAt(drawn, site, () => new Map<MarketId, () => Promise<Land>>())
  const outline = valueAt(ofSite, market, () => cached(drawnForMs, () => aroundParcels(site, market, box)))
  // Homes on plain land are better than no page.
  return outline().catch(() => plain(box))
}

const aroundParcels = async (site: Site, market: MarketId, box: Box): Promise<Land> => {
  const context = { db: site.services.db, now: site.clock() }
  const rings = outlineOf(await parcelCells(context, market, box, outlineSquares), box)
  if (rings.length === 0) return plain(box)
  return landWith(
    rings.map((ring) => ({ type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [ring] } })),
  )
}

/** Wider than the market, so that its edge does not look like a coast. */
const plain = ({ south, north, west, east }: Box): Land => {
  const [height, width] = [north - south, east - west]
  const [s, n, w, e] = [south - height, north + height, west - width, east + width]
  const ring: [number, number][] = [
    [w, s],
    [e, s],
    [e, n],
    [w, n],
    [w, s],
  ]
  return landWith([{ type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [ring] } }])
}

type Point = readonly [x: number, y: number]

/** Squares along each side of the market's box. */
const outlineSquares = 64

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
