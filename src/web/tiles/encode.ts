// Vector tiles (Mapbox Vector Tile 2) from GeoJSON features.
import { GeoJSONVT } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import type { Feature } from 'geojson'
import { maxZoom, type TileAddress } from './grid.ts'

/** Empty layers are left out; a tile without features has no bytes. */
export const encodeTile = (
  address: TileAddress,
  layers: Readonly<Partial<Record<string, readonly Feature[]>>>,
): Buffer => {
  const tiles: Parameters<typeof fromGeojsonVt>[0] = {}
  for (const [name, features] of Object.entries(layers)) {
    if (!features || features.length === 0) continue
    const index = new GeoJSONVT(
      { type: 'FeatureCollection', features: [...features] },
      { maxZoom, indexMaxZoom: 0, tolerance: 3, buffer: 64, extent: 4096 },
    )
    const tile = index.getTile(address.z, address.x, address.y)
    if (tile) tiles[name] = tile
  }
  return Object.keys(tiles).length > 0 ? Buffer.from(fromGeojsonVt(tiles, { version: 2 })) : Buffer.alloc(0)
}
