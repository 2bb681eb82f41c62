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
import { outlineOf, outlineSquares } from './parcel-outline.ts'
import type { Site } from './site.ts'

type LandFeature = Extract<LandFile, { type: 'Feature' }>

interface Land {
  features: readonly LandFeature[]
  rings: LandRings
}

const landWith = (features: readonly LandFeature[]): Land => ({
  features,
  rings: features.flatMap(({ geometry }) =>
    geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat(),
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
