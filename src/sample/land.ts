// Where there is land: the outlines in data/land, cut once by scripts/cut-land.ts.

import { readFileSync } from 'node:fs'
import type { MarketId } from '../contract/facts.ts'

type Ring = readonly (readonly [lng: number, lat: number])[]

export interface Land {
  contains(lat: number, lng: number): boolean
}

const read = new Map<MarketId, Land>()

export function landOf(market: MarketId): Land {
  let land = read.get(market)
  if (!land) {
    const url = new URL(`../../data/land/${market}.geojson`, import.meta.url)
    const feature = JSON.parse(readFileSync(url, 'utf8')) as { geometry: { coordinates: Ring[][] } }
    land = landFrom(feature.geometry.coordinates)
    read.set(market, land)
  }
  return land
}

function landFrom(polygons: readonly (readonly Ring[])[]): Land {
  return {
    contains: (lat, lng) =>
      polygons.some(([outer, ...holes]) => outer && inside(outer, lat, lng) && !holes.some((h) => inside(h, lat, lng))),
  }
}

/** Even-odd rule: a ray to the east crosses the ring an odd number of times. */
function inside(ring: Ring, lat: number, lng: number): boolean {
  let odd = false
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [xi, yi] = ring[i] as readonly [number, number]
    const [xj, yj] = ring[j] as readonly [number, number]
    if (yi > lat !== yj > lat && lng < ((xj - xi) * (lat - yi)) / (yj - yi) + xi) odd = !odd
  }
  return odd
}
