// The sample of one market, from packs/<id>/sample: market.json (how it behaves) and zones.json (its cities or areas).
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MarketId } from '../contract/facts.ts'
import { type MarketPack, packs } from '../contract/use-packs.ts'

export type PermitMixKind = 'adu' | 'addition' | 'remodel' | 'roof' | 'solar' | 'trades' | 'newHouse' | 'demolition'

/** Sales and permit activity of a city. */
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

type Point = readonly [lat: number, lng: number]

export interface SampleMarket {
  /** Old houses, a long season, slow sales, and a commission that votes on every demolition. */
  historicIsland?: boolean
  parcels: number
  minParcels: number
  /** Of all cities together; absent where `paces` says it. */
  salesPerYear?: number
  permitsPerMonth?: number
  /** Above the numbers in use on these streets, so that no sample address is a real one. */
  firstHouseNumber: number
  listingPrefix: string
  /** Price level by year, 2025 = 1; after the last point it grows at `later` per year. */
  priceTrend: { points: readonly (readonly [year: number, level: number])[]; later: number }
  /** Prices by month: higher in spring, lower at the end of the year. */
  priceSeason: readonly number[]
  /** Percentage of a year's new listings by month. */
  listingSeason: readonly number[]
  /** County to the form of its parcel numbers: "3-3-3". */
  parcelNumbers: Readonly<Record<string, string>>
  faultTrace: readonly Point[]
  stations: readonly Point[]
  paces?: readonly Omit<CityPace, 'market'>[]
}

/** Markets whose pack has a sample, in the order of their numbers. */
export const sampleMarkets = (): MarketId[] =>
  packs
    .filter(({ dir }) => existsSync(join(dir, 'sample/market.json')))
    .sort((a, b) => a.market.number - b.market.number)
    .map(({ market }) => market.id)

const read = new WeakMap<MarketPack, SampleMarket>()

export const sampleMarket = (market: MarketId): SampleMarket => {
  const pack = packs.find((each) => each.market.id === market)!
  let found = read.get(pack)
  if (!found) {
    found = JSON.parse(readFileSync(join(pack.dir, 'sample/market.json'), 'utf8')) as SampleMarket
    read.set(pack, found)
  }
  return found
}

export const isHistoricIsland = (market: MarketId): boolean => sampleMarket(market).historicIsland === true
