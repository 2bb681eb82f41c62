// The zones of the sample (Peninsula cities and areas of Nantucket) with the medians the generator targets.

import island from '../../data/sample/nantucket.json' with { type: 'json' }
import peninsula from '../../data/sample/peninsula.json' with { type: 'json' }
import type { MarketId } from '../contract/facts.ts'

export interface Anchor {
  lat: number
  lng: number
  radiusM: number
  /** Main direction of the streets. */
  bearingDeg: number
  /** 0 flat .. 1 steep. */
  hill: number
  /** 0 high ground .. 1 at water level. */
  bay: number
}

export interface Zone {
  market: MarketId
  city: string
  area?: string
  county: string
  medianPriceUsd: number
  livingSqft: number
  lotSqft: number
  newPpsfUsd: number
  /** Number of homes in the real zone, or a relative weight. */
  stock: number
  eras: readonly (readonly [from: number, to: number, percent: number])[]
  box: { south: number; north: number; west: number; east: number }
  spread: 'tract' | 'mixed' | 'estate'
  newSqft: readonly [low: number, high: number]
  /** Zoning districts with the smallest lot of each, ascending. */
  districts: readonly (readonly [name: string, fromLotSqft: number])[]
  septicShare: number
  anchors: readonly Anchor[]
  streets: readonly string[]
  /** Number of sample parcels in the zone. */
  parcels: number
}

/** Sales and permit activity of a city. Nantucket is one city. */
export interface CityPace {
  market: MarketId
  city: string
  salesPerYear: number
  medianDom: number
  saleToList: number
  shareAboveList: number
  /** Share of sales that are followed by a teardown. */
  teardownsPerSale: number
  permitsPerMonth: number
  permitMix: Record<PermitMixKind, number>
}

export type PermitMixKind = 'adu' | 'addition' | 'remodel' | 'roof' | 'solar' | 'trades' | 'newHouse' | 'demolition'

const peninsulaParcels = 10_800
const islandParcels = 1_200
/** Minimum per city: enough for comparables, without distorting the proportions. */
const minParcels = 60
const peninsulaSalesPerYear = 1_800
const islandSalesPerYear = 200
/** Even the smallest town needs some sales for comparables. */
const minSalesPerYear = 8
const peninsulaPermitsPerMonth = 190
const islandPermitsPerMonth = 12
/** With fewer, a month could lack permits with a valuation or without one. */
const minPermitsPerMonth = 4
/** Sample homes sell more often than real ones, so a smaller share of sales is followed by a teardown. */
const teardownScale = 0.45

export const zones: readonly Zone[] = [
  ...withParcels(
    peninsula.zones.map((zone) => ({ ...zone, market: 'sf-peninsula' })),
    peninsulaParcels,
    minParcels,
  ),
  ...withParcels(
    island.zones.map((zone) => ({ ...zone, market: 'nantucket' })),
    islandParcels,
    12,
  ),
]

export const cityPaces: readonly CityPace[] = [...peninsulaPaces(), islandPace()]

function withParcels(list: readonly object[], total: number, minimum: number): Zone[] {
  const typed = list as (Zone & { stock: number })[]
  const shares = allocate(
    total,
    typed.map((zone) => zone.stock),
    minimum,
  )
  return typed.map((zone, i) => ({ ...zone, parcels: shares[i] as number }))
}

/** Splits a total into integers proportional to the weights, none below `minimum`, that add up exactly. */
export function allocate(total: number, weights: readonly number[], minimum: number): number[] {
  let scale = total / weights.reduce((sum, w) => sum + w, 0)
  for (let round = 0; round < 20; round++) {
    const low = weights.filter((w) => w * scale < minimum)
    const rest = weights.filter((w) => w * scale >= minimum).reduce((sum, w) => sum + w, 0)
    scale = (total - low.length * minimum) / rest
  }
  const shares = weights.map((w) => Math.max(minimum, Math.floor(w * scale)))
  const largest = weights.indexOf(Math.max(...weights))
  shares[largest] = (shares[largest] as number) + total - shares.reduce((sum, s) => sum + s, 0)
  return shares
}

function peninsulaPaces(): CityPace[] {
  const cities = peninsula.zones
  const allSales = cities.reduce((sum, c) => sum + c.salesPerYear, 0)
  const permits = allocate(
    peninsulaPermitsPerMonth,
    cities.map((c) => c.permitsPerYear),
    minPermitsPerMonth,
  )
  return cities.map((c, i) => ({
    market: 'sf-peninsula',
    city: c.city,
    salesPerYear: Math.max(minSalesPerYear, (peninsulaSalesPerYear * c.salesPerYear) / allSales),
    medianDom: c.medianDom,
    saleToList: c.saleToList,
    shareAboveList: c.shareAboveList,
    teardownsPerSale: (teardownScale * Math.max(0.5, c.permits.demolition)) / c.salesPerYear,
    permitsPerMonth: permits[i] as number,
    permitMix: c.permits,
  }))
}

function islandPace(): CityPace {
  return {
    market: 'nantucket',
    city: 'Nantucket',
    salesPerYear: islandSalesPerYear,
    medianDom: 92,
    saleToList: 0.95,
    shareAboveList: 0.08,
    teardownsPerSale: 0.04,
    permitsPerMonth: islandPermitsPerMonth,
    permitMix: {
      newHouse: 60,
      demolition: 0,
      adu: 70,
      addition: 200,
      remodel: 250,
      roof: 250,
      solar: 60,
      trades: 610,
    },
  }
}
