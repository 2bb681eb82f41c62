// The sample of one market, from packs/<id>/sample: market.json (how it behaves) and zones.json (its cities or areas).
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { valueAt } from '../../src/common/typed.ts'
import type { MarketId } from '../../src/domain/facts.ts'
import type { MarketPack } from '../../src/domain/packs/pack.ts'
import type { SampleMarketFile } from '../../src/domain/packs/pack-sample.ts'
import { packs } from '../../src/domain/packs/use-packs.ts'

export type CityActivity = NonNullable<SampleMarketFile['cityActivity']>[number] & { market: MarketId }

/** Markets whose pack has a sample, in the order of their numbers. */
export const sampleMarkets = (): MarketId[] =>
  packs()
    .filter(({ dir }) => existsSync(join(dir, 'sample/market.json')))
    .sort((a, b) => a.market.number - b.market.number)
    .map(({ market }) => market.id)

const read = new WeakMap<MarketPack, SampleMarketFile>()

export const sampleMarket = (market: MarketId): SampleMarketFile => {
  const pack = packs().find((each) => each.market.id === market)!
  return valueAt(read, pack, () => JSON.parse(readFileSync(join(pack.dir, 'sample/market.json'), 'utf8')))
}

export const isHistoricIsland = (market: MarketId): boolean => sampleMarket(market).historicIsland === true
