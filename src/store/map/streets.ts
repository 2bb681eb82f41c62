// Street centerlines of the sample markets.
import type { MarketId } from '../../domain/facts.ts'
import { marketIds } from '../../domain/packs/markets.ts'
import { type Db, execute, inTransaction } from '../engine/database.ts'
import { groupOf } from '../engine/shard-groups.ts'

export interface Street {
  market: MarketId
  kind: 'street' | 'road'
  name?: string
  path: readonly (readonly [lng: number, lat: number])[]
}

export const replaceStreets = async (db: Db, all: readonly Street[]): Promise<void> => {
  for (const market of marketIds())
    await replaceMarketStreets(
      groupOf(db, market),
      market,
      all.filter((street) => street.market === market),
    )
}

const replaceMarketStreets = (db: Db, market: MarketId, streets: readonly Street[]): Promise<void> =>
  inTransaction(db, async (tx) => {
    await execute(tx)`delete from street where market = ${market}`
    await execute(tx)`
      insert into street (market, id, kind, name, path, bounds)
      select ${market}, id, kind, name, path::json, bounds::box
      from unnest(${streets.map((_, id) => id)}::int[],
        ${streets.map(({ kind }) => kind)}::text[], ${streets.map(({ name }) => name ?? null)}::text[],
        ${streets.map(({ path }) => JSON.stringify(path))}::text[], ${streets.map(boundsOf)}::text[])
        as s (id, kind, name, path, bounds)`
  })

const boundsOf = ({ path }: Street): string => {
  const lngs = path.map(([lng]) => lng)
  const lats = path.map(([, lat]) => lat)
  return `((${Math.max(...lngs)},${Math.max(...lats)}),(${Math.min(...lngs)},${Math.min(...lats)}))`
}
