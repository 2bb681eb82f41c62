// The zones of the sample (cities, or areas of one city) with the medians the generator targets.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MarketId } from '../contract/facts.ts'
import { type MarketPack, packOf, packs } from '../contract/use-packs.ts'
import { type CityPace, type PermitMixKind, sampleMarket, sampleMarkets } from './sample-market.ts'

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
  /** What permits of large projects add: "; CDP on file". */
  permitPhrase?: string
  /** `generic`: one project type for all permits, so that classification has to read descriptions. */
  permitTypes?: 'generic' | 'short'
  historicStreets?: readonly string[]
  farmlandShare?: number
  rentControl?: boolean
  /** The part in the coastal zone. */
  coastal?: { hillBelow?: number; westOf?: number }
  /** Number of sample parcels in the zone. */
  parcels: number
}

/** A zone as the file has it. The pace of its city is beside it, unless market.json says it. */
interface ZoneEntry extends Omit<Zone, 'market' | 'parcels'> {
  salesPerYear: number
  medianDom: number
  saleToList: number
  shareAboveList: number
  permitsPerYear: number
  permits: Record<PermitMixKind, number>
}

/** Even the smallest town needs some sales for comparables. */
const minSalesPerYear = 8
/** With fewer, a month could lack permits with a valuation or without one. */
const minPermitsPerMonth = 4
/** Sample homes sell more often than real ones, so a smaller share of sales is followed by a teardown. */
const teardownScale = 0.45

interface SampleZones {
  zones: readonly Zone[]
  paces: readonly CityPace[]
}

const loaded = new WeakMap<readonly MarketPack[], SampleZones>()

/** Of every sample market, in the order of their numbers. */
const sampleZones = (): SampleZones => {
  let found = loaded.get(packs)
  if (!found) {
    const markets = sampleMarkets()
    found = { zones: markets.flatMap(zonesOf), paces: markets.flatMap(pacesOf) }
    loaded.set(packs, found)
  }
  return found
}

export const zones = (): readonly Zone[] => sampleZones().zones
export const cityPaces = (): readonly CityPace[] => sampleZones().paces

const entriesOf = (market: MarketId): ZoneEntry[] =>
  (JSON.parse(readFileSync(join(packOf(market)!.dir, 'sample/zones.json'), 'utf8')) as { zones: ZoneEntry[] }).zones

function zonesOf(market: MarketId): Zone[] {
  const entries = entriesOf(market)
  const { parcels, minParcels } = sampleMarket(market)
  const shares = allocate(
    parcels,
    entries.map((zone) => zone.stock),
    minParcels,
  )
  return entries.map((zone, i) => ({ ...zone, market, parcels: shares[i] as number }))
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

function pacesOf(market: MarketId): CityPace[] {
  const { paces, salesPerYear = 0, permitsPerMonth = 0 } = sampleMarket(market)
  if (paces) return paces.map((pace) => ({ ...pace, market }))
  const cities = entriesOf(market)
  const allSales = cities.reduce((sum, c) => sum + c.salesPerYear, 0)
  const permits = allocate(
    permitsPerMonth,
    cities.map((c) => c.permitsPerYear),
    minPermitsPerMonth,
  )
  return cities.map((c, i) => ({
    market,
    city: c.city,
    salesPerYear: Math.max(minSalesPerYear, (salesPerYear * c.salesPerYear) / allSales),
    medianDom: c.medianDom,
    saleToList: c.saleToList,
    shareAboveList: c.shareAboveList,
    teardownsPerSale: (teardownScale * Math.max(0.5, c.permits.demolition)) / c.salesPerYear,
    permitsPerMonth: permits[i] as number,
    permitMix: c.permits,
  }))
}
