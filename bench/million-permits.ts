// Permits by the million, in a database of their own beside the sample's, with wording as varied as real cities'.
import './packs.ts'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { type Database, inTransaction, openDatabase, sql } from '../src/store/engine/database.ts'
import { migrate } from '../src/store/engine/migrate.ts'
import { indexPermits } from '../src/store/permit-search/upkeep.ts'
import type { Context } from './context.ts'
import { type BenchPermit, type City, type Phrase, permitWording } from './permit-wording.ts'
import type { Environment } from './service.ts'

/** The last day of the permits. */
export const newestDay = '2026-11-15'

export const withPermits = (
  context: Context,
  rows: number,
  work: (database: Database) => Promise<void>,
): Promise<void> =>
  context.withStore(async (store) => {
    const name = `permits_${rows}`
    const { rows: held } = await store.pool.query('select 1 from pg_database where datname = $1', [name])
    if (held.length === 0) {
      context.say(`  making ${rows.toLocaleString('en-US')} permits…`)
      await store.pool.query(`drop database if exists ${name}_making with (force)`)
      await store.pool.query(`create database ${name}_making`)
      const making = openDatabase({ ...store.address, database: `${name}_making`, statementTimeoutMs: 0 })
      await migrate(making)
      await fill(store, making, rows)
      await making.close()
      await store.pool.query(`alter database ${name}_making rename to ${name}`)
    }
    const database = openDatabase({ ...store.address, database: name, statementTimeoutMs: 60_000 })
    try {
      await work(database)
    } finally {
      await database.close()
    }
  })

/** A service on this database. */
export const environmentOf = (context: Context, { pool }: Pick<Database, 'pool'>): Environment => ({
  ...context.environment,
  DATABASE_URL: `postgres://lotline@/${pool.options.database}?host=${encodeURIComponent(pool.options.host ?? '')}`,
  SECRET_KEY: '0'.repeat(64),
  SAMPLE_DATA: 'false',
  LOG_LEVEL: 'fatal',
})

/** `from` has the sample, whose wording and cities the permits have. Both may be the same database. */
export const fill = async (from: Pick<Database, 'db'>, to: Database, total: number): Promise<void> => {
  const { permits } = await wordingOf(from)
  await sql`
    insert into source (id, kind, holds, title, config) values ('bench', 'csv', 'permits', 'Bench', '{}')`.execute(
    to.db,
  )
  const client = await to.pool.connect()
  try {
    await client.query('set synchronous_commit = off')
    await copyPermits(client, permits(total))
  } finally {
    client.release()
  }
  await inTransaction(to.db, async (tx) => {
    // One pass over all rows instead of a million insertions.
    await sql`set local maintenance_work_mem = '512MB'`.execute(tx)
    const { rows } = await sql<{ definition: string }>`
      select pg_get_indexdef('permit_search_words'::regclass) as definition`.execute(tx)
    // The first load would build the index itself, after filling it row by row.
    await indexPermits(tx, sql`select market, city_slug, permit_id from permit limit 1`)
    await sql`drop index permit_search_words`.execute(tx)
    await indexPermits(tx)
    await sql.raw(rows[0]!.definition).execute(tx)
  })
  for (const table of ['permit', 'permit_search']) await sql.raw(`vacuum analyze ${table}`).execute(to.db)
  await sql`
    insert into ingest_run (source_id, state, first_load, finished_at) values ('bench', 'completed', true, now())`.execute(
    to.db,
  )
}

/** From the phrases and cities of the sample. */
const wordingOf = async ({ db }: Pick<Database, 'db'>) => {
  const phrases = await sql<Phrase>`
    select project_type, description, permit_class from permit where description is not null and project_type is not null
    group by 1, 2, 3 order by count(*) desc, 2, 1`.execute(db)
  const cities = await sql<City>`
    select city, city_slug, market, state from permit group by 1, 2, 3, 4 order by count(*) desc, 2`.execute(db)
  return permitWording(phrases.rows, cities.rows, new Date(newestDay))
}

const columns = `market, state, city, city_slug, permit_id, source_id, match_method, match_confidence, address, project_type,
  description, valuation_usd, sqft, contractor, architect, applied_on, issued_on, status, permit_class, collected_at, raw`

const copyPermits = async (client: pg.PoolClient, permits: Iterable<BenchPermit>): Promise<void> => {
  const lines = function* () {
    let text = ''
    for (const permit of permits) {
      text += `${valuesOf(permit).map(copyValue).join('\t')}\n`
      if (text.length < 1 << 18) continue
      yield text
      text = ''
    }
    yield text
  }
  await pipeline(Readable.from(lines()), client.query(copyFrom(`copy permit (${columns}) from stdin`)))
}

const valuesOf = (permit: BenchPermit) => [
  ...[permit.market, permit.state, permit.city, permit.citySlug, permit.permitId, 'bench', 'none', 'low'],
  ...[permit.address, permit.projectType, permit.description, permit.valuation, permit.sqft, permit.contractor],
  ...[permit.architect, permit.issuedOn, permit.issuedOn, 'issued', permit.permitClass, newestDay],
  // As wide as the rows of real feeds, which are kept beside what is read from them.
  JSON.stringify({ ...permit, source: 'bench', status: 'Issued', zoning: 'R-1', censusTract: '511200', district: '4' }),
]

const copyValue = (value: string | number | null): string =>
  value === null ? '\\N' : String(value).replace(/\\/g, '\\\\').replace(/\n/g, '\\n').replace(/\t/g, '\\t')
