// Tests whether a point is on land, from the coastline in the market's pack.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { valueAt } from '../../src/common/typed.ts'
import type { MarketId } from '../../src/domain/facts.ts'
import { packOf } from '../../src/domain/packs/use-packs.ts'

type Ring = readonly (readonly [lng: number, lat: number])[]

interface Land {
  contains(lat: number, lng: number): boolean
}

const loaded = new Map<MarketId, Land>()

export const landOf = (market: MarketId): Land =>
  valueAt(loaded, market, () => {
    const url = join(packOf(market)!.dir, 'land.geojson')
    const feature = JSON.parse(readFileSync(url, 'utf8')) as { geometry: { coordinates: Ring[][] } }
    return landFrom(feature.geometry.coordinates)
  })

const bandCount = 512

/** Even-odd rule over all rings, which handles islands and lakes. Edges are grouped into latitude bands for speed. */
function landFrom(polygons: readonly (readonly Ring[])[]): Land {
  const rings = polygons.flat()
  const lats = rings.flatMap((ring) => ring.map(([, lat]) => lat))
  const south = lats.reduce((a, b) => Math.min(a, b))
  const perDegree = bandCount / (lats.reduce((a, b) => Math.max(a, b)) - south)
  const bandOf = (lat: number): number => Math.floor((lat - south) * perDegree)
  const bands: number[][] = Array.from({ length: bandCount + 1 }, () => [])
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i++) {
      const [x1, y1] = ring[i - 1] as readonly [number, number]
      const [x2, y2] = ring[i] as readonly [number, number]
      for (let band = bandOf(Math.min(y1, y2)); band <= bandOf(Math.max(y1, y2)); band++)
        bands[band]?.push(x1, y1, x2, y2)
    }
  }
  const edges = bands.map((band) => Float64Array.from(band))
  return {
    contains: (lat, lng) => {
      const band = edges[bandOf(lat)]
      if (!band) return false
      let odd = false
      for (let i = 0; i < band.length; i += 4) {
        const x1 = band[i] as number
        const y1 = band[i + 1] as number
        const x2 = band[i + 2] as number
        const y2 = band[i + 3] as number
        if (y1 > lat !== y2 > lat && lng < ((x2 - x1) * (lat - y1)) / (y2 - y1) + x1) odd = !odd
      }
      return odd
    },
  }
}
