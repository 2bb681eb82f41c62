// The zones of the sample (cities, or areas of one city) with the medians the generator targets: packs/<id>/sample/market.json (how
// a market behaves) and zones.json (its cities or areas). They are read when this file is imported, so the packs must be in use
// before: import ../packs.ts first.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MarketId } from '../../src/domain/facts.ts'
import type { SampleMarketFile, SampleZonesFile, ZoneEntry } from '../../src/domain/packs/pack-sample.ts'
import { packOf, packs } from '../../src/domain/packs/use-packs.ts'
import { isInside } from '../../src/domain/shapes.ts'

const read = <File>(market: MarketId, name: string): File =>
  JSON.parse(readFileSync(join(packOf(market)!.dir, name), 'utf8')) as File

/** Markets whose pack has a sample, in the order of their numbers. */
export const sampleMarkets: readonly MarketId[] = packs()
  .filter(({ dir }) => existsSync(join(dir, 'sample/market.json')))
  .sort((a, b) => a.market.number - b.market.number)
  .map(({ market }) => market.id)

const marketFiles = new Map(sampleMarkets.map((id) => [id, read<SampleMarketFile>(id, 'sample/market.json')]))
export const sampleMarket = (market: MarketId): SampleMarketFile => marketFiles.get(market)!

export type CityActivity = NonNullable<SampleMarketFile['cityActivity']>[number] & { market: MarketId; island: boolean }

/** Even the smallest town needs some sales for comparables. */
const minSalesPerYear = 8
/** With fewer, a month could lack permits with a valuation or without one. */
const minPermitsPerMonth = 2
/** Sample homes sell more often than real ones, so a smaller share of sales is followed by a teardown. */
const teardownScale = 0.45

export const cityActivity = sampleMarkets.flatMap((market): CityActivity[] => {
  const { cityActivity, salesPerYear = 0, permitsPerMonth = 0, historicIsland = false } = sampleMarket(market)
  const place = { market, island: historicIsland }
  if (cityActivity) return cityActivity.map((activity) => ({ ...activity, ...place }))
  // The loader of packs rejects a file without cityActivity in both places.
  const cities = entriesOf(market) as readonly Required<ZoneEntry>[]
  const allSales = cities.reduce((sum, city) => sum + city.salesPerYear, 0)
  const permitsPerYear = cities.map((city) => city.permitsPerYear)
  const permits = allocate(permitsPerMonth, permitsPerYear, minPermitsPerMonth)
  return cities.map((city, at) => ({
    ...city,
    ...place,
    salesPerYear: Math.max(minSalesPerYear, (salesPerYear * city.salesPerYear) / allSales),
    teardownsPerSale: (teardownScale * Math.max(0.5, city.permits.demolition)) / city.salesPerYear,
    permitsPerMonth: permits[at]!,
    permitMix: city.permits,
  }))
})

export type Zone = (typeof zones)[number]

/** Of every sample market, in the order of their numbers. */
export const zones = sampleMarkets.flatMap((market) => {
  const { parcels, minParcels } = sampleMarket(market)
  const entries = entriesOf(market)
  const stocks = entries.map(({ stock }) => stock)
  const shares = allocate(parcels, stocks, minParcels)
  const activities = cityActivity.filter((activity) => activity.market === market)
  return entries.map((zone, at) => {
    const activity = activities.find(({ city }) => city === zone.city)!
    return { ...zone, market, island: activity.island, activity, parcels: shares[at]! }
  })
})

function entriesOf(market: MarketId): readonly ZoneEntry[] {
  return read<SampleZonesFile>(market, 'sample/zones.json').zones
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
  shares[largest]! += total - shares.reduce((sum, s) => sum + s, 0)
  return shares
}

/** From the coastline in the pack. */
const coasts = new Map(
  sampleMarkets.map((id) => {
    const { geometry } = read<{ geometry: { coordinates: number[][][][] } }>(id, 'land.geojson')
    return [id, geometry.coordinates.flat().map((ring) => ring.slice(1).flat())]
  }),
)
export const isOnLand = (market: MarketId, [lng, lat]: readonly [lng: number, lat: number]): boolean =>
  isInside(lng, lat, coasts.get(market)!)
