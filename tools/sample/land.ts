// Tests whether a point is on land, from the coastline in the market's pack.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { valueAt } from '../../src/common/typed.ts'
import type { MarketId } from '../../src/domain/facts.ts'
import { packOf } from '../../src/domain/packs/use-packs.ts'
import { type FlatRing, isInside } from '../../src/domain/shapes.ts'

const rings = new Map<MarketId, FlatRing[]>()

export const landOf = (market: MarketId) => {
  const coast = valueAt(rings, market, () => {
    const text = readFileSync(join(packOf(market)!.dir, 'land.geojson'), 'utf8')
    const polygons = (JSON.parse(text) as { geometry: { coordinates: number[][][][] } }).geometry.coordinates
    return polygons.flat().map((ring) => ring.slice(1).flat())
  })
  return { contains: (lat: number, lng: number): boolean => isInside(lng, lat, coast) }
}
