// Land outlines for the built-in base map, from the packs.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MarketId } from '../domain/facts.ts'
import type { Box } from '../domain/packs/market-pack.ts'
import type { LandFile } from '../domain/packs/pack-land.ts'
import { packOf } from '../domain/packs/use-packs.ts'
import type { LandRings } from './charts/market-map.ts'

interface Land {
  /** The GeoJSON file, unparsed: the map library in the browser reads it. */
  text: string
  rings: LandRings
  attribution: string
}

const loaded = new Map<MarketId, Land>()

/** The box of the market if its pack has no outline: homes on plain land are better than homes in open sea. */
export const landOf = (market: MarketId): Land | undefined => {
  let land = loaded.get(market)
  if (!land) {
    const pack = packOf(market)
    if (!pack) return undefined
    const file = join(pack.dir, 'land.geojson')
    const text = existsSync(file) ? readFileSync(file, 'utf8') : JSON.stringify(boxLand(pack.market.box))
    const body = JSON.parse(text) as LandFile
    const features = 'features' in body ? body.features : [body]
    land = {
      text,
      rings: features.flatMap(({ geometry }) =>
        geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat(),
      ),
      attribution: features.find((feature) => feature.properties?.attribution)?.properties?.attribution ?? '',
    }
    loaded.set(market, land)
  }
  return land
}

const boxLand = ({ south, north, west, east }: Box) => {
  // Wider than the market, so that its edge does not look like a coast.
  const [height, width] = [north - south, east - west]
  const [s, n, w, e] = [south - height, north + height, west - width, east + width]
  const ring = [
    [w, s],
    [e, s],
    [e, n],
    [w, n],
    [w, s],
  ]
  return { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [ring] } }
}
