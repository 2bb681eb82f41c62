// Measures the cost of each workload on a store of one size, over HTTP on a service of its own.
import './packs.ts'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'undici'
import { assessProperties, assessWithView, openView } from '../src/assess/assess-market.ts'
import { openStore } from '../src/bin/open-store.ts'
import { type Database, type Db, sql } from '../src/store/engine/database.ts'
import { insertKey } from '../src/store/keys/keys.ts'
import { makeMarket } from './assess.ts'
import type { Context } from './context.ts'
import { timed } from './figure.ts'
import { ingested, writeFeed } from './ingest.ts'
import { drive } from './load.ts'
import { ours, type Question } from './search.ts'
import { cpuMs, type Service, startService } from './service.ts'

export interface Work {
  name: string
  grows: 'not' | 'n log n'
}

/** A workload on a store of one size. */
export interface Task extends Work {
  /** Repetitions in each run of the measurement. */
  perRun: number
  /** Milliseconds of one repetition. */
  cost(): Promise<number>
}

export interface Stage {
  /** Milliseconds the whole market's assessment took. */
  assessedMs: number
  tasks: Task[]
  close(): Promise<void>
}

const parcelsPerPermit = 1 / 25
const market = 'sf-peninsula'

/** Creates a market in the database of the permits, assesses it, and starts a service on it. */
export const stageAt = async (context: Context, database: Database, permits: number): Promise<Stage> => {
  const parcels = Math.round(permits * parcelsPerPermit)
  context.say(`  at ${permits.toLocaleString('en-US')} permits and ${parcels.toLocaleString('en-US')} parcels…`)
  const { db } = database
  await withMarket(db, parcels)
  const { assessedMs, task } = await assessing(db)
  const { rows } = await database.pool.query(
    "select current_database() as name, current_setting('unix_socket_directories') as dir",
  )
  const service = await startService(
    {
      DATABASE_URL: `postgres://lotline@/${rows[0].name}?host=${encodeURIComponent(rows[0].dir)}`,
      SECRET_KEY: '0'.repeat(64),
      DATA_DIR: context.dir,
      SAMPLE_DATA: 'false',
    },
    'api',
  )
  const client = new Client(service.url)
  return {
    assessedMs,
    tasks: [task, await searching(database), ...(await reading(service, client, db))],
    close: async () => {
      await client.close()
      await service.stop()
    },
  }
}

const withMarket = async (db: Db, parcels: number) => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from property`.execute(db)
  if (Number(rows[0]!.n) === 0) await makeMarket(db, parcels)
}

/** The whole market, then single properties whose listing changed, against the view that is now warm. */
const assessing = async (db: Db): Promise<{ assessedMs: number; task: Task }> => {
  const now = new Date()
  let view: Awaited<ReturnType<typeof openView>> | undefined
  const assessedMs = await timed(async () => {
    view = await openView(db, market, now)
    await assessWithView(db, view, { now })
  })
  await sql`vacuum analyze`.execute(db)
  let n = 0
  const cost = async () => {
    n++
    const id = `bench_${String((1 + (n % 40)) * 5).padStart(8, '0')}`
    await sql`update listing set price_usd = price_usd * 0.97 where property_id = ${id}`.execute(db)
    return timed(() => assessProperties(db, [id], view!, { now: new Date(now.getTime() + n * 1000) }))
  }
  return { assessedMs, task: { name: 'one property reassessed', grows: 'not', perRun: 6, cost } }
}

const searching = async (database: Database): Promise<Task> => {
  const questions = await questionsOf(database)
  const cost = async () => {
    let sum = 0
    for (const question of questions) sum += await timed(() => ours(database, question))
    return sum / questions.length
  }
  return { name: 'permit search, mean of the mixed set', grows: 'n log n', perRun: 1, cost }
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

const reading = async (service: Service, client: Client, db: Db): Promise<Task[]> => {
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
  let n = 0
  const ask = async (path: string) => {
    // An unknown parameter is ignored, but makes the URL new, so the response is not cached.
    const { statusCode, body } = await client.request({
      method: 'GET',
      path: `${path}&n=${n}`,
      headers: { 'x-api-key': keys[n++ % keys.length]! },
    })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: ${text.slice(0, 200)}`)
  }
  const cold = reads.map(
    ([name, path, grows = 'not']): Task => ({
      name: `cold, ${name}`,
      grows,
      perRun: 6,
      cost: () => timed(() => ask(path)),
    }),
  )
  const load = { url: service.url, path: '/api/v1/market-signals?limit=25', keys, seconds: 1 }
  const hot = async () => {
    const before = await cpuMs(service.process.pid!)
    const { requests } = await drive(load)
    return ((await cpuMs(service.process.pid!)) - before) / requests
  }
  return [...cold, { name: 'hot, signals page, processor time', grows: 'not', perRun: 1, cost: hot }]
}

/** Subtracts the time for an empty feed: the start of the command would hide how the rest grows. */
export const ingestCosts = async (context: Context, rows: readonly number[]): Promise<number[][]> => {
  const seconds: number[] = []
  for (const count of [0, ...rows]) {
    const dataDir = join(context.dir, `growth-ingest-${count}`)
    await mkdir(dataDir)
    await writeFeed(context.dir, count)
    // Kept open, so that starting and stopping the database is not timed.
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
