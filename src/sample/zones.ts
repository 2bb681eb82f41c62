// The places of the sample: a Peninsula city, or an area of Nantucket, with the levels to generate around.

import island from '../../data/sample/nantucket.json' with { type: 'json' }
import peninsula from '../../data/sample/peninsula.json' with { type: 'json' }
import type { MarketId } from '../contract/facts.ts'

export interface Anchor {
  lat: number
  lng: number
  radiusM: number
  /** Along which the streets run. */
  bearingDeg: number
  /** 0 flat .. 1 steep. */
  hill: number
  /** 0 dry .. 1 at the water's level. */
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
  /** Homes there, or a weight in place of it. */
  stock: number
  eras: readonly (readonly [from: number, to: number, percent: number])[]
  box: { south: number; north: number; west: number; east: number }
  spread: 'tract' | 'mixed' | 'estate'
  newSqft: readonly [low: number, high: number]
  /** From the smallest lot to the largest: [district, smallest lot that gets it]. */
  districts: readonly (readonly [name: string, fromLotSqft: number])[]
  septicShare: number
  anchors: readonly Anchor[]
  streets: readonly string[]
  /** How many parcels the sample has here. */
  parcels: number
}

/** How a city's homes sell and what its permit counter sees. Nantucket is one city. */
export interface CityPace {
  market: MarketId
  city: string
  salesPerYear: number
  medianDom: number
  saleToList: number
  shareAboveList: number
  /** Of sales that end in a teardown. */
  teardownsPerSale: number
  permitsPerMonth: number
  permitMix: Record<PermitMixKind, number>
}

export type PermitMixKind = 'adu' | 'addition' | 'remodel' | 'roof' | 'solar' | 'trades' | 'newHouse' | 'demolition'

const peninsulaParcels = 10_800
const islandParcels = 1_200
/** Small enough not to bend the proportions, large enough for comparables. */
const fewestParcels = 60
const peninsulaSalesPerYear = 1_800
const islandSalesPerYear = 200
/** A comparable needs a few sales even in the smallest town. */
const fewestSalesPerYear = 8
const peninsulaPermitsPerMonth = 190
const islandPermitsPerMonth = 12
/** Fewer could not show permits with and without a valuation in every month. */
const fewestPermitsPerMonth = 4
/** The sample's homes change hands more often than real ones do; teardowns must not follow every time. */
const teardownScale = 0.45

export const zones: readonly Zone[] = [
  ...withParcels(
    peninsula.zones.map((zone) => ({ ...zone, market: 'sf-peninsula' })),
    peninsulaParcels,
    fewestParcels,
  ),
  ...withParcels(
    island.zones.map((zone) => ({ ...zone, market: 'nantucket' })),
    islandParcels,
    12,
  ),
]

export const cityPaces: readonly CityPace[] = [...peninsulaPaces(), islandPace()]

function withParcels(list: readonly object[], total: number, fewest: number): Zone[] {
  const typed = list as (Zone & { stock: number })[]
  const shares = sharedOut(
    total,
    typed.map((zone) => zone.stock),
    fewest,
  )
  return typed.map((zone, i) => ({ ...zone, parcels: shares[i] as number }))
}

/** Whole shares of a total in proportion to weights, none below `fewest`, adding up exactly. */
export function sharedOut(total: number, weights: readonly number[], fewest: number): number[] {
  let scale = total / weights.reduce((sum, w) => sum + w, 0)
  for (let round = 0; round < 20; round++) {
    const low = weights.filter((w) => w * scale < fewest)
    const rest = weights.filter((w) => w * scale >= fewest).reduce((sum, w) => sum + w, 0)
    scale = (total - low.length * fewest) / rest
  }
  const shares = weights.map((w) => Math.max(fewest, Math.floor(w * scale)))
  const largest = weights.indexOf(Math.max(...weights))
  shares[largest] = (shares[largest] as number) + total - shares.reduce((sum, s) => sum + s, 0)
  return shares
}

function peninsulaPaces(): CityPace[] {
  const cities = peninsula.zones
  const allSales = cities.reduce((sum, c) => sum + c.salesPerYear, 0)
  const permits = sharedOut(
    peninsulaPermitsPerMonth,
    cities.map((c) => c.permitsPerYear),
    fewestPermitsPerMonth,
  )
  return cities.map((c, i) => ({
    market: 'sf-peninsula',
    city: c.city,
    salesPerYear: Math.max(fewestSalesPerYear, (peninsulaSalesPerYear * c.salesPerYear) / allSales),
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
