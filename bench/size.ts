// One server with 2 million parcels and a million permits in one market: a small feed beside the same feed in an empty database,
// coverage and leads. Other sizes: --parcels and --permits. --data keeps the store.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Dataset } from '../src/domain/facts.ts'
import type { SourceConfig } from '../src/domain/packs/source-config.ts'
import { runIngest } from '../src/ingest/run.ts'
import { leadsByKey } from '../src/store/assessments/leads.ts'
import { type Db, rowsOf } from '../src/store/engine/database.ts'
import { openQueue } from '../src/store/engine/queue.ts'
import { coverage } from '../src/store/ingest/coverage.ts'
import { countProperties, type PropertyQuery, propertyKeys } from '../src/store/search/properties.ts'
import type { Context } from './context.ts'
import { atMost, type Figure, figureOf, quantile, timed } from './figure.ts'
import { type MarketStore, market, now, today, withMarket } from './market-data.ts'

/** The first page and the capped total of a lead list. */
const leads = async (db: Db, kind: 'accessory_unit' | 'redevelopment') => {
  const field = kind === 'accessory_unit' ? 'aduScore' : 'redevelopmentScore'
  const query: PropertyQuery = {
    base: kind,
    markets: [market],
    conditions: [{ name: 'minScore', type: 'atLeast', field, value: 40 }],
    sort: [{ field, descending: true }],
    today,
  }
  const [keys] = await Promise.all([
    propertyKeys(db, query, { limit: 25, offset: 0 }),
    countProperties(db, query, 10_000),
  ])
  return leadsByKey(db, kind, keys)
}

const feedRows = 100

export const measure = async (context: Context): Promise<Figure[]> => {
  const { homes, permits } = context.size
  const at = `${homes.toLocaleString('en-US')} parcels, ${permits.toLocaleString('en-US')} permits`
  const run = `f${Date.now().toString(36)}`
  const { full, records, reads } = await withMarket(context, context.size, async (store) => {
    const records = await someHomes(store.db, feedRows * (context.runs + 1))
    const full = await feedTimes(context, store, run, records)
    const p95 = (name: string, ask: () => Promise<unknown>) => readFigure(context, `size: ${name}`, at, ask)
    const reads = [
      await p95('coverage', () => coverage(store.db, now)),
      await p95('accessory-unit leads', () => leads(store.db, 'accessory_unit')),
      await p95('redevelopment leads', () => leads(store.db, 'redevelopment')),
    ]
    return { full, records, reads }
  })
  const empty = await withMarket(context, { homes: 0, permits: 0 }, (store) => feedTimes(context, store, run, records))
  const feeds = Object.entries(full).map(([holds, times]) =>
    figureOf(`size: feed of ${feedRows} ${holds} against an empty database`, 'ms', times, {
      rival: empty[holds as Dataset],
      target: atMost(2),
      note: at,
    }),
  )
  return [...feeds, ...reads]
}

type Home = Record<'apn' | 'address' | 'city', string>

const someHomes = (db: Db, count: number) => rowsOf<Home>(db)`
  select apn, address, city from property where source_id = 'bench' order by md5(id) limit ${count}`

type Times = Partial<Record<Dataset, number[]>>

/** New rows in every run, so that each inserts, matches and indexes. */
const feedTimes = async (context: Context, store: MarketStore, name: string, records: readonly Home[]) => {
  const folder = join(context.dir, `size-${name}`)
  await mkdir(folder, { recursive: true })
  const queue = await openQueue(store.address)
  const times: Times = {}
  try {
    for (const holds of ['parcels', 'permits', 'sales', 'listings'] as const) {
      const place = { market, where: { url: 'feed.csv' }, sameNames: true }
      const config = { id: `feed-${holds}`, title: holds, kind: 'csv', holds, ...place } as SourceConfig
      for (let run = 0; run <= context.runs; run++) {
        const rows = records.slice(run * feedRows, (run + 1) * feedRows)
        await writeFile(join(folder, 'feed.csv'), feed(holds, `${name}${run}`, rows))
        const options = { now, folder, highValueUsd: 1e12, accept: 'benchmark' }
        const ms = await timed(() => runIngest({ ...store, queue }, config, options))
        // The first run of a source is its first load.
        if (run > 0) times[holds] = [...(times[holds] ?? []), ms]
      }
    }
  } finally {
    await queue.close()
  }
  return times
}

/** A third of the records match a parcel by number, a third by address, a third none. Every tenth permit names a builder that is new in this run. */
export const feed = (holds: Exclude<Dataset, 'rents'>, run: string, homes: readonly Home[]): string => {
  const rows = homes.map(({ apn, address, city }, n) => {
    const place = n % 3 === 0 ? `,"${address}"` : n % 3 === 1 ? `${apn},` : `,"${n} ${run} St"`
    const row = {
      parcels: `${run}x${n},"${n} ${run} St",7000,1950`,
      permits: `${run}-${n},${place},Kitchen remodel and new bath,50000,ISSUED,2026-11-10,Builder ${n % 10 ? n : run}`,
      sales: `${run}-${n},${place},2026-10-01,2500000`,
      listings: `${run}-${n},${place},Active,3000000,2026-10-01`,
    }[holds]
    return `${row},${city}`
  })
  const header = {
    parcels: 'apn,address,lotSqft,yearBuilt',
    permits: 'permitId,apn,address,description,valuation,status,issuedOn,contractor',
    sales: 'saleId,apn,address,soldOn,priceUsd',
    listings: 'listingId,apn,address,status,priceUsd,listedOn',
  }[holds]
  return [`${header},city`, ...rows].join('\n')
}

const readFigure = async (context: Context, name: string, note: string, ask: () => Promise<unknown>) => {
  await ask()
  const ours: number[] = []
  for (let run = 0; run < context.runs * context.sized(4, 4, 1); run++) ours.push(await timed(ask))
  return figureOf(name, 'ms', [quantile(ours, 0.95)], { target: atMost(100, 'ours'), note: `p95; ${note}` })
}
