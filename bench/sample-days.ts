// What a day costs the database: loads the sample, advances it day by day and prints what each day wrote.
//   DATA_DIR=/tmp/days PORT=3999 node bench/sample-days.ts --days 30
// First the day is moved by one without new data. The last lines compare the database, and the tables that would shrink most, with
// their sizes after `vacuum full`.
import { parseArgs } from 'node:util'
import { announceTo } from '../src/assess/announce.ts'
import { assessMarket } from '../src/assess/assess-market.ts'
import { openServices } from '../src/bin/open-services.ts'
import { advanceSample, loadSample } from '../src/bin/sample-markets.ts'
import { useMarketPacks } from '../src/bin/use-market-packs.ts'
import { readConfig } from '../src/config.ts'
import { dayOf } from '../src/domain/day.ts'
import { type Db, sql } from '../src/store/engine/database.ts'
import { tableSizes } from '../src/store/engine/table-sizes.ts'
import { sampleMarkets } from '../tools/sample/sample-market.ts'

const { values } = parseArgs({ options: { days: { type: 'string', default: '30' } } })
const config = readConfig()
useMarketPacks()
const now = new Date()
const options = { now, highValueUsd: config.HIGH_VALUE_PERMIT_USD }

interface Figures {
  lsn: string
  updates: number
  searchUpdates: number
  history: number
  events: number
  bytes: number
}

const figuresOf = async (db: Db): Promise<Figures> => {
  await sql`select pg_stat_force_next_flush(), pg_sleep(0.2)`.execute(db)
  const { rows } = await sql<Figures>`
    select pg_current_wal_lsn()::text as lsn, pg_database_size(current_database()) as bytes,
      (select sum(n_tup_upd)::int from pg_stat_user_tables where relname = 'assessment') as updates,
      (select sum(n_tup_upd)::int from pg_stat_user_tables where relname = 'property_search') as search_updates,
      (select count(*) from assessment_history) as history,
      (select count(*) from event) as events`.execute(db)
  return rows[0]!
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

await loadSample(() => openServices(config, { statementTimeoutMs: 0 }), options)
const services = await openServices(config, { statementTimeoutMs: 0 })
try {
  const { db } = services
  const { rows } = await sql<{ homes: number }>`select count(*) as homes from property`.execute(db)
  let before = await figuresOf(db)
  const sampleTime = (n: number) => new Date(now.getTime() + n * 86_400_000)
  for (const market of sampleMarkets())
    await assessMarket(db, market, {
      now,
      today: sampleTime(1),
      announce: announceTo({ ...options, queue: services.queue }, now),
    })
  const moved = await figuresOf(db)
  console.log(
    `the day moved by one without new data: ${moved.updates - before.updates} assessments, ${moved.events - before.events} events`,
  )
  before = moved
  console.log(`${rows[0]!.homes} properties, ${megabytes(before.bytes)}`)
  console.log('day         fed rows  assessments  search rows  history  events  WAL  database')
  for (let n = 1; n <= Number(values.days); n++) {
    const to = dayOf(sampleTime(n))
    const { runs } = await advanceSample(services, to, options)
    const fed = runs.reduce((sum, { counts }) => sum + counts.changed, 0)
    const after = await figuresOf(db)
    const { rows: wal } = await sql<{ bytes: number }>`
      select pg_wal_lsn_diff(${after.lsn}::pg_lsn, ${before.lsn}::pg_lsn)::float8 as bytes`.execute(db)
    console.log(
      [
        to,
        fed,
        after.updates - before.updates,
        after.searchUpdates - before.searchUpdates,
        after.history - before.history,
        after.events - before.events,
        megabytes(wal[0]!.bytes),
        megabytes(after.bytes),
      ].join('  '),
    )
    before = after
  }
  const sizes = await tableSizes(db, now)
  await sql`vacuum full`.execute(db)
  const compacted = (await figuresOf(db)).bytes
  console.log(`compacted ${megabytes(compacted)}: ${(before.bytes / compacted).toFixed(2)} times its compacted size`)
  const compact = new Map((await tableSizes(db, now)).map(({ table, bytes }) => [table, bytes]))
  const shrunk = sizes.map((size) => ({ ...size, less: size.bytes - (compact.get(size.table) ?? 0) }))
  for (const { table, rows, bytes, less } of shrunk.toSorted((a, b) => b.less - a.less).slice(0, 8))
    console.log(`  ${table}: ${rows} rows, ${megabytes(bytes)}, compacted ${megabytes(bytes - less)}`)
} finally {
  await services.close()
}
