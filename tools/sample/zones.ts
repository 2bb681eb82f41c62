// The zones of the sample (cities, or areas of one city) with the medians the generator targets.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { valueAt } from '../../src/common/typed.ts'
import type { MarketId } from '../../src/domain/facts.ts'
import type { MarketPack } from '../../src/domain/packs/pack.ts'
import type { SampleMarketFile, SampleZonesFile, ZoneEntry } from '../../src/domain/packs/pack-sample.ts'
import { packOf, packs } from '../../src/domain/packs/use-packs.ts'

export type { Anchor } from '../../src/domain/packs/pack-sample.ts'

type ActivityField = 'salesPerYear' | 'medianDom' | 'saleToList' | 'shareAboveList' | 'permitsPerYear' | 'permits'

export interface Zone extends Omit<ZoneEntry, ActivityField> {
  market: MarketId
  /** Number of sample parcels in the zone. */
  parcels: number
}

/** Even the smallest town needs some sales for comparables. */
const minSalesPerYear = 8
/** With fewer, a month could lack permits with a valuation or without one. */
const minPermitsPerMonth = 2
/** Sample homes sell more often than real ones, so a smaller share of sales is followed by a teardown. */
const teardownScale = 0.45

/** By the list of packs, so that another set of packs has its own. */
const [zonesIn, activityIn] = [new WeakMap<object, Zone[]>(), new WeakMap<object, CityActivity[]>()]

/** Of every sample market, in the order of their numbers. */
export const zones = (): readonly Zone[] => valueAt(zonesIn, packs(), () => sampleMarkets().flatMap(zonesOf))
export const cityActivity = (): readonly CityActivity[] =>
  valueAt(activityIn, packs(), () => sampleMarkets().flatMap(activityOf))

const read = <File>(pack: MarketPack, name: string): File =>
  JSON.parse(readFileSync(join(pack.dir, 'sample', name), 'utf8')) as File

const entriesOf = (market: MarketId) => read<SampleZonesFile>(packOf(market)!, 'zones.json').zones

function zonesOf(market: MarketId): Zone[] {
  const entries = entriesOf(market)
  const { parcels, minParcels } = sampleMarket(market)
  const stocks = entries.map((zone) => zone.stock)
  const shares = allocate(parcels, stocks, minParcels)
  return entries.map((zone, i) => ({ ...zone, market, parcels: shares[i] as number }))
}

/** Splits a total into integers proportional to the weights, none below `minimum`, that add up exactly. */
function allocate(total: number, weights: readonly number[], minimum: number): number[] {
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

function activityOf(market: MarketId): CityActivity[] {
  const { cityActivity, salesPerYear = 0, permitsPerMonth = 0 } = sampleMarket(market)
  if (cityActivity) return cityActivity.map((activity) => ({ ...activity, market }))
  // The loader of packs rejects a file without cityActivity in both places.
  const cities = entriesOf(market) as readonly (ZoneEntry & Required<Pick<ZoneEntry, ActivityField>>)[]
  const allSales = cities.reduce((sum, c) => sum + c.salesPerYear, 0)
  const permitsPerYear = cities.map((c) => c.permitsPerYear)
  const permits = allocate(permitsPerMonth, permitsPerYear, minPermitsPerMonth)
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

// The sample of one market, from packs/<id>/sample: market.json (how it behaves) and zones.json (its cities or areas).
export type CityActivity = NonNullable<SampleMarketFile['cityActivity']>[number] & { market: MarketId }

/** Markets whose pack has a sample, in the order of their numbers. */
export const sampleMarkets = (): MarketId[] =>
  packs()
    .filter(({ dir }) => existsSync(join(dir, 'sample/market.json')))
    .sort((a, b) => a.market.number - b.market.number)
    .map(({ market }) => market.id)

const marketFiles = new WeakMap<MarketPack, SampleMarketFile>()

export const sampleMarket = (market: MarketId): SampleMarketFile => {
  const pack = packOf(market)!
  return valueAt(marketFiles, pack, () => read(pack, 'market.json'))
}

export const isHistoricIsland = (market: MarketId): boolean => sampleMarket(market).historicIsland === true
