// What each workload costs on a store of one size: a service of its own on it, asked over HTTP.
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'undici'
import { assessProperties, assessWithView, readyView } from '../src/assess/assess-market.ts'
import { openStore } from '../src/bin/open-store.ts'
import { type Database, type Db, sql } from '../src/store/database.ts'
import { insertKey } from '../src/store/keys.ts'
import { makeMarket } from './assess.ts'
import type { Context } from './context.ts'
import { timed } from './figure.ts'
import { ingested, writeFeed } from './ingest.ts'
import { drive } from './load.ts'
import { withPermits } from './million-permits.ts'
import { ours, type Question } from './search.ts'
import { cpuMs, type Service, startService } from './service.ts'

export interface Work {
  name: string
  grows: 'not' | 'n log n'
  /** One for each run. */
  ms: number[]
}

const parcelsPerPermit = 1 / 25
const market = 'sf-peninsula'

export const workAt = async (context: Context, permits: number): Promise<Work[]> => {
  const works: Work[] = []
  await withPermits(context, permits, async (database) => {
    const parcels = Math.round(permits * parcelsPerPermit)
    context.say(`  at ${permits.toLocaleString('en-US')} permits and ${parcels.toLocaleString('en-US')} parcels…`)
    const { db } = database
    await withMarket(db, parcels)
    works.push(...(await assessing(db, context.runs)))
    works.push(await searching(context, database))
    const name = (await sql<{ name: string }>`select current_database() as name`.execute(db)).rows[0]!.name
    const { rows: server } = await database.pool.query("select current_setting('unix_socket_directories') as dir")
    const service = await startService(
      {
        DATABASE_URL: `postgres://lotline@/${name}?host=${encodeURIComponent(server[0].dir)}`,
        SECRET_KEY: '0'.repeat(64),
        DATA_DIR: context.dir,
        SAMPLE_DATA: 'false',
      },
      'api',
    )
    try {
      works.push(...(await reading(context, service, db)))
    } finally {
      await service.stop()
    }
  })
  return works
}

const withMarket = async (db: Db, parcels: number) => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from property`.execute(db)
  if (Number(rows[0]!.n) === 0) await makeMarket(db, parcels)
}

/** The whole market, then single properties whose listing changed, against the view that is now warm. */
const assessing = async (db: Db, runs: number): Promise<Work[]> => {
  const now = new Date()
  const whole: Work = { name: 'a whole market assessed', grows: 'n log n', ms: [] }
  const one: Work = { name: 'one property reassessed', grows: 'not', ms: [] }
  const begun = performance.now()
  const view = await readyView(db, market, now)
  await assessWithView(db, view, { now })
  whole.ms.push(performance.now() - begun)
  await sql`vacuum analyze`.execute(db)
  for (let i = 1; i <= runs * 8; i++) {
    const id = `bench_${String(i * 5).padStart(8, '0')}`
    await sql`update listing set price_usd = price_usd * 0.97 where property_id = ${id}`.execute(db)
    const at = new Date(now.getTime() + i * 1000)
    const ms = await timed(() => assessProperties(db, [id], view, { now: at }))
    if (i > 5) one.ms.push(ms)
  }
  return [whole, one]
}

const searching = async (context: Context, database: Database): Promise<Work> => {
  const questions = await questionsOf(database)
  for (const question of questions) await ours(database, question)
  const ms: number[] = []
  for (let run = 0; run < context.runs; run++) {
    let sum = 0
    for (const question of questions) sum += await timed(() => ours(database, question))
    ms.push(sum / questions.length)
  }
  return { name: 'permit search, mean of the mixed set', grows: 'n log n', ms }
}

/** The kinds of the search measurement, drawn so that any size has them. */
const questionsOf = async ({ db }: Database): Promise<Question[]> => {
  const { rows } = await sql<{ permitId: string; address: string; citySlug: string }>`
    select permit_id, address, city_slug from permit where issued_on is not null order by permit_id limit 6`.execute(db)
  const words: [kind: string, q: string][] = [
    ...rows.slice(0, 3).map(({ permitId }): [string, string] => ['permit number', permitId]),
    ...rows.slice(3).map(({ address }): [string, string] => ['address', address]),
    ...['seismic', 'greywater', 'nothingmatches'].map((q): [string, string] => ['selective', q]),
    ...['kitchen', 'new', 'remodel bath'].map((q): [string, string] => ['broad', q]),
    ...['ac', 'hv'].map((q): [string, string] => ['two letters', q]),
  ]
  const city = rows[0]!.citySlug
  return words.flatMap(([kind, q]) => [
    { kind, q },
    { kind, q, city },
    { kind, q, minValuation: 250_000 },
  ])
}

const reading = async (context: Context, service: Service, db: Db): Promise<Work[]> => {
  const keys: string[] = []
  for (let i = 0; i < 1_500; i++) keys.push((await insertKey(db, { plan: 'pro', email: 'bench@example.com' })).key)
  const { rows } = await sql<{ propertyId: string; citySlug: string; permitId: string }>`
    select (select property_id from listing where current order by 1 limit 1) as property_id, city_slug, permit_id
    from permit where issued_on is not null order by issued_on desc, permit_id limit 1`.execute(db)
  const { propertyId, citySlug, permitId } = rows[0]!
  const reads: [name: string, path: string, grows?: Work['grows']][] = [
    ['signals page', '/api/v1/market-signals?limit=25'],
    ['SB 9 inventory', '/api/v1/sb9-inventory?status=any&limit=25'],
    ['ADU leads', '/api/v1/adu-leads?minScore=1&limit=25'],
    ['redevelopment leads', '/api/v1/redevelopment-leads?minScore=1&limit=25'],
    ['newest permits', '/api/v1/permits?limit=25'],
    ['a property', `/api/v1/properties/${propertyId}?`],
    ['a property with all its parts', `/api/v1/properties/${propertyId}?include=explanation,proforma,comps,history`],
    ['a permit', `/api/v1/permits/${citySlug}/${permitId}?`],
    ['coverage', '/api/v1/coverage?', 'n log n'],
  ]
  const client = new Client(service.url)
  let n = 0
  const ask = async (path: string) => {
    // An unknown parameter is ignored, and makes the page one that nobody asked for before.
    const { statusCode, body } = await client.request({
      method: 'GET',
      path: `${path}&n=${n}`,
      headers: { 'x-api-key': keys[n++ % keys.length]! },
    })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: ${text.slice(0, 200)}`)
  }
  const works: Work[] = []
  for (const [name, path, grows = 'not'] of reads) {
    for (let i = 0; i < 10; i++) await ask(path)
    const ms: number[] = []
    for (let i = 0; i < context.runs * 6; i++) ms.push(await timed(() => ask(path)))
    works.push({ name: `cold, ${name}`, grows, ms })
  }
  await client.close()
  const hot = { url: service.url, path: '/api/v1/market-signals?limit=25', keys, seconds: 1 }
  await drive(hot)
  const ms: number[] = []
  for (let run = 0; run < context.runs; run++) {
    const before = await cpuMs(service.process.pid!)
    const { requests } = await drive(hot)
    ms.push(((await cpuMs(service.process.pid!)) - before) / requests)
  }
  works.push({ name: 'hot, signals page, processor time', grows: 'not', ms })
  return works
}

/** Less what the command takes for a feed without rows: its start would hide how the rest grows. */
export const ingestCosts = async (context: Context, rows: readonly number[]): Promise<number[][]> => {
  const seconds: number[] = []
  for (const count of [0, ...rows]) {
    const dataDir = join(context.dir, `growth-ingest-${count}`)
    await mkdir(dataDir)
    await writeFeed(context.dir, count)
    // Held open, so that the database's own start and stop are not timed.
    const store = await openStore({ DATA_DIR: dataDir, DATABASE_URL: undefined }, { statementTimeoutMs: 0 })
    try {
      seconds.push((await ingested(dataDir, join(context.dir, 'feed.json'))).seconds)
    } finally {
      await store.close()
      await rm(dataDir, { recursive: true, force: true })
    }
  }
  const [start = 0, ...rest] = seconds
  return rest.map((each) => [Math.max(1, (each - start) * 1000)])
}
