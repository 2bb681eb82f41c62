// One server with 2 million parcels and 10 million permits in one market: a small feed beside the same feed in an empty database,
// coverage, leads, search, and the memory of an assessment. Other sizes: --parcels and --permits.
import { fork } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assessRange, readyView } from '../src/assess/assess-market.ts'
import { assessHeapMb } from '../src/bin/assess-thread.ts'
import type { DataSet, SourceConfig } from '../src/contract/source-config.ts'
import { runIngest } from '../src/ingest/run.ts'
import { leadsByKey } from '../src/store/assessments/leads.ts'
import { type Database, type Db, openDatabase, sql } from '../src/store/engine/database.ts'
import { openQueue, type Queue } from '../src/store/engine/queue.ts'
import { coverage } from '../src/store/ingest/coverage.ts'
import { permitPage } from '../src/store/permits/permits.ts'
import { countProperties, type PropertyQuery, propertyKeys } from '../src/store/search/properties.ts'
import type { Context } from './context.ts'
import { atMost, type Figure, figureOf, quantile, timed } from './figure.ts'
import { openServer } from './sandbox.ts'
import {
  finishMarket,
  frequentWord,
  makeAssessments,
  makeParcels,
  makePermits,
  makeSales,
  makeSource,
  market,
} from './size-data.ts'

/** The first page and the capped total of a lead list. */
const leads = async (db: Db, kind: 'adu' | 'redevelopment') => {
  const field = kind === 'adu' ? 'aduScore' : 'redevelopmentScore'
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
const largestParcels = 2_400_000

export const measure = async (context: Context): Promise<Figure[]> => {
  const { parcels, permits } = context.size
  const at = `${parcels.toLocaleString('en-US')} parcels, ${permits.toLocaleString('en-US')} permits`
  const server = await openServer()
  const open = async () => {
    const database = openDatabase({ ...server.address, statementTimeoutMs: 0 })
    return { ...database, queue: await openQueue(server.address) }
  }
  const store = await open()
  try {
    // The empty database has a first load behind it, so that the timed feeds are ordinary runs.
    await makeSource(store.db)
    const empty = await feedTimes(context, store, 'empty')
    context.say(`  making ${at}…`)
    await bulk(store.pool)
    context.say(`  parcels ${seconds(await timed(() => makeParcels(store.db, parcels)))}`)
    context.say(`  assessments ${seconds(await timed(() => makeAssessments(store.db)))}`)
    context.say(`  permits ${seconds(await timed(() => makePermits(store.db, permits)))}`)
    context.say(`  vacuum and counts ${seconds(await timed(() => finishMarket(store.db)))}`)
    const full = await feedTimes(context, store, 'full')
    const figures = Object.entries(full).map(([holds, times]) =>
      figureOf({
        name: `size: feed of ${feedRows} ${holds} against an empty database`,
        unit: 'ms',
        ours: times,
        rival: empty[holds as DataSet],
        target: atMost(2),
        note: at,
      }),
    )
    const reads = (name: string, ask: () => Promise<unknown>) => readFigure(context, `size: ${name}`, at, ask)
    figures.push(
      await reads('coverage', () => coverage(store.db, now)),
      await reads('accessory-unit leads', () => leads(store.db, 'adu')),
      await reads('redevelopment leads', () => leads(store.db, 'redevelopment')),
      await searchFigure(context, store, at),
    )
    return [...figures, ...(await memoryFigures(context, parcels))]
  } finally {
    await store.queue.close()
    await store.close()
    await server.close()
  }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(0)} s`

const bulk = async (pool: Database['pool']) => {
  for (const setting of ['synchronous_commit = off', "maintenance_work_mem = '1GB'"])
    await pool.query(`alter database lotline set ${setting}`)
}

type Times = Partial<Record<DataSet, number[]>>

/** New rows in every run, so that each inserts, matches and indexes. */
const feedTimes = async (context: Context, store: Database & { queue: Queue }, name: string): Promise<Times> => {
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
      await writeFile(
        join(folder, 'feed.csv'),
        feed(holds, `${name}${run + 1}`, name === 'empty' ? 0 : 500 * (run + 2)),
      )
      const ms = await timed(() => runIngest(store, config, { now, folder, highValueUsd: 1e12 }))
      // The first run of a source is its first load.
      if (run >= 0) times[holds] = [...(times[holds] ?? []), ms]
    }
  }
  return times
}

/** A third of the records match a parcel by number, a third by address, a third none. */
const feed = (holds: DataSet, run: string, offset: number): string => {
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

/** A quarter and half of the size: 500,000 and a million of 2 million. */
const memoryFigures = async (context: Context, parcels: number): Promise<Figure[]> => {
  const [small, large] = [parcels / 4, parcels / 2]
  context.say(`  assessment memory at ${small} and ${large} parcels…`)
  const [a, b] = [await memoryOf(small), await memoryOf(large)]
  const slope = (of: keyof Memory) => Math.max(0, b[of] - a[of]) / (large - small)
  const megabytes = (of: keyof Memory) => `${a[of].toFixed(0)} and ${b[of].toFixed(0)} MB`
  return [
    figureOf({
      name: 'size: assessment memory at 2.4 million parcels, extrapolated',
      unit: 'MB',
      ours: [b.peakMb + slope('liveMb') * (largestParcels - large)],
      target: atMost(2_000, 'ours'),
      note: `at ${small.toLocaleString('en-US')} and ${large.toLocaleString('en-US')} parcels the process had ${megabytes('peakMb')} at most and ${megabytes('liveMb')} in use after a collection: ${(slope('liveMb') * 1e6).toFixed(0)} bytes a parcel`,
    }),
  ]
}

interface Memory {
  /** The largest size of the process. */
  peakMb: number
  /** What is in use after a garbage collection. */
  liveMb: number
}

/** With the heap limit of the service's assessment thread. */
const memoryOf = (parcels: number): Promise<Memory> =>
  new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, [String(parcels)], {
      execArgv: ['--expose-gc', `--max-old-space-size=${assessHeapMb}`],
    })
    child.once('message', (memory) => resolve(memory as Memory))
    child.once('exit', (code) => reject(new Error(`The assessing process ended with ${code}.`)))
  })

const peakMemory = async (parcels: number): Promise<Memory> => {
  const server = await openServer()
  const { db, pool, close } = openDatabase({ ...server.address, statementTimeoutMs: 0 })
  try {
    await makeSource(db)
    await bulk(pool)
    await makeParcels(db, parcels)
    await makeSales(db)
    await finishMarket(db)
    let peak = 0
    const look = () => {
      peak = Math.max(peak, process.memoryUsage().rss)
    }
    const watch = setInterval(look, 50)
    const view = await readyView(db, market, now)
    look()
    // Enough batches to reach the steady state: a batch needs the same memory in a market of any size.
    await assessRange(db, { afterId: '', toId: 'p_001bench_00004000' }, view, { now })
    look()
    clearInterval(watch)
    globalThis.gc!()
    const { heapUsed, external } = process.memoryUsage()
    return { peakMb: peak / 1e6, liveMb: (heapUsed + external) / 1e6 }
  } finally {
    await close()
    await server.close()
  }
}

if (process.argv[1] === import.meta.filename) {
  const memory = await peakMemory(Number(process.argv[2]))
  process.send!(memory, () => process.exit())
}
