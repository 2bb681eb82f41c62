// The same rows on one server and on a cluster: feeds of two markets, loaded and assessed as the service does it.

import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assessMarket } from '../../src/assess/assess-market.ts'
import type { Dataset } from '../../src/domain/facts.ts'
import type { SourceConfig } from '../../src/domain/packs/source-config.ts'
import { runIngest } from '../../src/ingest/run.ts'
import { type Database, type Db, sql } from '../../src/store/engine/database.ts'
import type { Queue } from '../../src/store/engine/queue.ts'
import { groupOf } from '../../src/store/engine/shard-groups.ts'

export const markets = ['sf-peninsula', 'nantucket'] as const
const cities = { 'sf-peninsula': 'Palo Alto', nantucket: 'Nantucket' } as const
const now = new Date('2026-11-14T12:00:00Z')
const feedRows = 600

export const fill = async (store: Database & { queue: Queue }, folder: string): Promise<void> => {
  await mkdir(folder)
  for (const market of markets)
    for (const holds of ['parcels', 'permits', 'sales', 'listings'] as const) {
      const file = `${market}-${holds}.csv`
      await writeFile(join(folder, file), feed(holds, cities[market]))
      const config = { id: `${market}-${holds}`, title: holds, kind: 'csv', holds, market, where: { url: file } }
      await runIngest(store, { ...config, sameNames: true } as SourceConfig, { now, folder, highValueUsd: 1e12 })
    }
  for (const market of markets) await assessMarket(store.db, market, { now })
}

const feed = (holds: Exclude<Dataset, 'rents'>, city: string): string => {
  const header = {
    parcels: 'apn,address,lotSqft,livingSqft,yearBuilt,beds,baths',
    permits: 'permitId,apn,address,description,valuation,status,issuedOn',
    sales: 'saleId,apn,address,soldOn,priceUsd,livingSqft',
    listings: 'listingId,apn,address,status,priceUsd,listedOn,livingSqft',
  }[holds]
  const rows = Array.from({ length: feedRows }, (_, n) => {
    const [apn, address, day] = [`F${n}`, `${n + 1} Pine St`, `2026-10-${String(1 + (n % 28)).padStart(2, '0')}`]
    return {
      parcels: `${apn},${address},${5_000 + 37 * n},${1_200 + 11 * n},${1930 + (n % 80)},${2 + (n % 3)},2`,
      permits: `${city.slice(0, 2)}-${n},${apn},${address},${n % 2 ? 'Kitchen remodel' : 'New roof'},${10_000 + 900 * n},ISSUED,${day}`,
      sales: `S${n},${apn},${address},${day},${1_500_000 + 9_000 * n},${1_200 + 11 * n}`,
      listings: `L${n},${n % 2 ? apn : ''},${address},Active,${1_600_000 + 9_000 * n},${day},${1_200 + 11 * n}`,
    }[holds]
  })
  return [`${header},city`, ...rows.map((row) => `${row},${city}`)].join('\n')
}

const tables = [
  'property',
  'listing',
  'sale',
  'permit',
  'permit_search',
  'property_search',
  'sale_search',
  'assessment',
  'dataset_count',
]
/** When rows were written. */
const differing = ['updated_at', 'collected_at', 'assessed_at']

/** A hash of every table of both markets. */
export const tableHashes = async (db: Db): Promise<Map<string, string>> => {
  const hashes = new Map<string, string>()
  for (const market of markets)
    for (const table of tables) {
      const { rows } = await sql<{ row: string }>`
        select (to_jsonb(t) - ${differing}::text[])::text as row from ${sql.table(table)} t where market = ${market}
        order by 1`.execute(groupOf(db, market))
      hashes.set(
        `${table} of ${market}, ${rows.length} rows`,
        createHash('sha256')
          .update(rows.map(({ row }) => row).join())
          .digest('hex'),
      )
    }
  return hashes
}
