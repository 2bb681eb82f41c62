// One server with 2 million parcels and 10 million permits in one market: a small feed beside the same feed in an empty database,
// coverage, leads and search. Other sizes: --parcels and --permits. --data keeps the store.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Dataset } from '../src/domain/facts.ts'
import type { SourceConfig } from '../src/domain/packs/source-config.ts'
import { runIngest } from '../src/ingest/run.ts'
import { leadsByKey } from '../src/store/assessments/leads.ts'
import { type Database, type Db, openDatabase, sql } from '../src/store/engine/database.ts'
import { openQueue } from '../src/store/engine/queue.ts'
import { coverage } from '../src/store/ingest/coverage.ts'
import { permitPage } from '../src/store/permits/permits.ts'
import { countProperties, type PropertyQuery, propertyKeys } from '../src/store/search/properties.ts'
import type { Context } from './context.ts'
import { atMost, type Figure, figureOf, quantile, timed } from './figure.ts'
import { openServer } from './sandbox.ts'
import { frequentWord, makeSource, market } from './size-data.ts'
import { makeStore, type Store, sizeFolder } from './size-store.ts'

/** The first page and the capped total of a lead list. */
const leads = async (db: Db, kind: 'accessory_unit' | 'redevelopment') => {
  const field = kind === 'accessory_unit' ? 'aduScore' : 'redevelopmentScore'
  const query: PropertyQuery = {
    base: kind,
    markets: [market],
    conditions: [{ name: 'minScore', type: 'atLeast', field, value: 40 }],
    sort: [{ field, descending: true }],
    today: '2026-11-14',
  }
  const [keys] = await Promise.all([
    propertyKeys(db, query, { limit: 25, offset: 0 }),
    countProperties(db, query, 10_000),
  ])
  return leadsByKey(db, kind, keys)
}

const now = new Date('2026-11-14T12:00:00Z')
const feedRows = 100

export const measure = async (context: Context): Promise<Figure[]> => {
  const { parcels, permits } = context.size
  const at = `${parcels.toLocaleString('en-US')} parcels, ${permits.toLocaleString('en-US')} permits`
  const empty = await withServer(undefined, (store) => feedTimes(context, store, 'e'))
  return withServer(sizeFolder(context.data, context.size), async (store) => {
    await makeStore(store.address, context.size, context.say)
    const full = await feedTimes(context, store, `f${Date.now().toString(36)}`)
    const feeds = Object.entries(full).map(([holds, times]) =>
      figureOf({
        name: `size: feed of ${feedRows} ${holds} against an empty database`,
        unit: 'ms',
        ours: times,
        rival: empty[holds as Dataset],
        target: atMost(2),
        note: at,
      }),
    )
    const reads = (name: string, ask: () => Promise<unknown>) => readFigure(context, `size: ${name}`, at, ask)
    return [
      ...feeds,
      await reads('coverage', () => coverage(store.db, now)),
      await reads('accessory-unit leads', () => leads(store.db, 'accessory_unit')),
      await reads('redevelopment leads', () => leads(store.db, 'redevelopment')),
      await searchFigure(context, store, at),
    ]
  })
}

const withServer = async <T>(kept: string | undefined, work: (store: Store) => Promise<T>): Promise<T> => {
  const server = await openServer(kept)
  const database = openDatabase({ ...server.address, statementTimeoutMs: 0 })
  const queue = await openQueue(server.address)
  try {
    await makeSource(database.db)
    return await work({ ...database, queue, address: server.address })
  } finally {
    await queue.close()
    await database.close()
    await server.close()
  }
}

type Times = Partial<Record<Dataset, number[]>>

/** New rows in every run, so that each inserts, matches and indexes. */
const feedTimes = async (context: Context, store: Store, name: string): Promise<Times> => {
  const folder = join(context.dir, `size-${name}`)
  await mkdir(folder)
  const times: Times = {}
  for (const holds of ['parcels', 'permits', 'sales', 'listings'] as const) {
    const config = {
      id: `feed-${holds}`,
      title: holds,
      kind: 'csv',
      holds,
      market,
      where: { url: 'feed.csv' },
      sameNames: true,
    } as SourceConfig
    for (let run = -1; run < context.runs; run++) {
      await writeFile(join(folder, 'feed.csv'), feed(holds, `${name}${run + 1}`, 500 * (run + 2)))
      const ms = await timed(() => runIngest(store, config, { now, folder, highValueUsd: 1e12, accept: 'benchmark' }))
      // The first run of a source is its first load.
      if (run >= 0) times[holds] = [...(times[holds] ?? []), ms]
    }
  }
  return times
}

/** A third of the records match a parcel by number, a third by address, a third none. */
const feed = (holds: Exclude<Dataset, 'rents'>, run: string, offset: number): string => {
  const rows = Array.from({ length: feedRows }, (_, n) => {
    const home = offset + 5 * n
    const place = n % 3 === 0 ? `,"${home} Oak St"` : n % 3 === 1 ? `${home},` : `,"${run}${n} Elm St"`
    return {
      parcels: `${run}x${n},"${run} ${n} Pine St",7000,1950`,
      permits: `${run}-${n},${place},Kitchen remodel and new bath,50000,ISSUED,2026-11-10`,
      sales: `${run}-${n},${place},2026-10-01,2500000`,
      listings: `${run}-${n},${place},Active,3000000,2026-10-01`,
    }[holds]
  })
  const header = {
    parcels: 'apn,address,lotSqft,yearBuilt',
    permits: 'permitId,apn,address,description,valuation,status,issuedOn',
    sales: 'saleId,apn,address,soldOn,priceUsd',
    listings: 'listingId,apn,address,status,priceUsd,listedOn',
  }[holds]
  return [`${header},city`, ...rows.map((row) => `${row},Palo Alto`)].join('\n')
}

const readFigure = async (context: Context, name: string, note: string, ask: () => Promise<unknown>) => {
  await ask()
  const ours: number[] = []
  for (let run = 0; run < context.runs * 4; run++) ours.push(await timed(ask))
  return figureOf({ name, unit: 'ms', ours: [quantile(ours, 0.95)], target: atMost(100, 'ours'), note: `p95; ${note}` })
}

const searchFigure = async (context: Context, { db }: Database, note: string): Promise<Figure> => {
  const { rows } = await sql<{ description: string; address: string; permitId: string }>`
    select description, address, permit_id from permit
    where market = ${market} and permit_id = any(${Array.from({ length: 40 }, (_, n) => `B${1 + n * 97}`)})
      and city_slug = any(${['palo-alto', 'san-mateo', 'burlingame', 'redwood-city', 'los-altos']})`.execute(db)
  const questions = [
    ...rows.map(({ description }, at) => description.split(' ')[at % 8]!),
    ...rows.slice(0, 10).map(({ permitId }) => permitId),
    ...rows.slice(0, 10).map(({ address }) => address),
    ...[1, 2, 5, 10, 20, 30].map(frequentWord),
    'kitchen bath',
    'seismic foundation',
    'nothingmatches',
  ].filter((q) => q.length > 2)
  const ask = (q: string, city?: string) => permitPage(db, { words: q.split(' '), city }, { limit: 25, offset: 0 })
  const times: number[] = []
  for (let run = -1; run < context.runs; run++)
    for (const q of questions)
      for (const city of [undefined, 'Palo Alto']) {
        const ms = await timed(() => ask(q, city))
        if (run >= 0) times.push(ms)
      }
  return figureOf({
    name: 'size: permit search p95',
    unit: 'ms',
    ours: [quantile(times, 0.95)],
    target: atMost(150, 'ours'),
    note: `${questions.length} questions with and without a city, totals to the cap included; median ${quantile(times, 0.5).toFixed(1)} ms, slowest ${Math.max(...times).toFixed(0)} ms; ${note}`,
  })
}
