// Land outlines for the built-in base map, from data/land.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MarketId } from '../contract/facts.ts'
import type { LandRings } from './charts/market-map.ts'

const dir = join(dirname(fileURLToPath(import.meta.url)), '../../data/land')

export interface Land {
  /** The GeoJSON file, unparsed: the map library in the browser reads it. */
  text: string
  rings: LandRings
  attribution: string
}

type Position = [number, number]
interface LandFeature {
  properties?: { attribution?: string }
  geometry: { type: 'Polygon'; coordinates: Position[][] } | { type: 'MultiPolygon'; coordinates: Position[][][] }
}

const loaded = new Map<MarketId, Land>()

export const landOf = (market: MarketId): Land => {
  let land = loaded.get(market)
  if (!land) {
    const text = readFileSync(join(dir, `${market}.geojson`), 'utf8')
    const body = JSON.parse(text) as LandFeature | { features: LandFeature[] }
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
