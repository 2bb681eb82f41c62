// Land outlines for the built-in base map, from the packs.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MarketId } from '../contract/facts.ts'
import type { LandFile } from '../contract/pack-land.ts'
import { packOf } from '../contract/use-packs.ts'
import type { LandRings } from './charts/market-map.ts'

interface Land {
  /** The GeoJSON file, unparsed: the map library in the browser reads it. */
  text: string
  rings: LandRings
  attribution: string
}

const loaded = new Map<MarketId, Land>()

/** Undefined for a market whose pack has no outline. */
export const landOf = (market: MarketId): Land | undefined => {
  let land = loaded.get(market)
  if (!land) {
    const file = join(packOf(market)?.dir ?? '', 'land.geojson')
    if (!existsSync(file)) return undefined
    const text = readFileSync(file, 'utf8')
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
