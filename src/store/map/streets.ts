// Street centerlines of the sample markets.
import type { MarketId } from '../../domain/facts.ts'
import { marketIds } from '../../domain/packs/markets.ts'
import { tableOfRows } from '../engine/columns.ts'
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
    const rows = streets.map((street, id) => ({
      ...{ ...street, id },
      ...{ path: JSON.stringify(street.path), bounds: boundsOf(street) },
    }))
    await execute(tx)`delete from street where market = ${market}`
    await execute(tx)`
      insert into street (market, id, kind, name, path, bounds)
      select ${market}, id, kind, name, path::json, bounds::box
      from ${tableOfRows(rows, { id: 'int', kind: 'text', name: 'text', path: 'text', bounds: 'text' })}`
  })

const boundsOf = ({ path }: Street): string => {
  const lngs = path.map(([lng]) => lng)
  const lats = path.map(([, lat]) => lat)
  return `((${Math.max(...lngs)},${Math.max(...lats)}),(${Math.min(...lngs)},${Math.min(...lats)}))`
}
