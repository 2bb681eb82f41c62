// What a day costs the database: loads the sample, advances it day by day and prints what each day wrote.
//   DATA_DIR=/tmp/days PORT=3999 node bench/sample-days.ts --days 30
// The last line compares the size of the database with its size after `vacuum full`.
import { parseArgs } from 'node:util'
import { openServices } from '../src/bin/open-services.ts'
import { advanceSample, loadSample } from '../src/bin/sample-markets.ts'
import { useMarketPacks } from '../src/bin/use-market-packs.ts'
import { readConfig } from '../src/config.ts'
import { dayOf } from '../src/domain/day.ts'
import { type Db, sql } from '../src/store/engine/database.ts'

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
      (select count(*) from event where type = 'property.score_updated') as events`.execute(db)
  return rows[0]!
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

await loadSample(() => openServices(config, { statementTimeoutMs: 0 }), options)
const services = await openServices(config, { statementTimeoutMs: 0 })
try {
  const { db } = services
  const { rows } = await sql<{ homes: number }>`select count(*) as homes from property`.execute(db)
  let before = await figuresOf(db)
  console.log(`${rows[0]!.homes} properties, ${megabytes(before.bytes)}`)
  console.log('day         fed rows  assessments  search rows  history  events  WAL  database')
  for (let n = 1; n <= Number(values.days); n++) {
    const to = dayOf(new Date(now.getTime() + n * 86_400_000))
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
  await sql`vacuum full`.execute(db)
  const compacted = (await figuresOf(db)).bytes
  console.log(`compacted ${megabytes(compacted)}: ${(before.bytes / compacted).toFixed(2)} times its compacted size`)
} finally {
  await services.close()
}
