// Permits by the million, in a database of their own beside the sample's: its wording, streets and firms, put together
// anew for every row, so that words are as frequent as in life and no two rows are alike.
import type pg from 'pg'
import { type Database, openDatabase, sql } from '../src/store/engine/database.ts'
import { countFrequentTerms } from '../src/store/permit-search/bits.ts'
import type { Context } from './context.ts'

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
      await store.pool.query(`create database ${name}_making`)
      const making = openDatabase({ ...store.address, database: `${name}_making`, statementTimeoutMs: 0 })
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

const fill = async (from: Database, to: Database, rows: number): Promise<void> => {
  const { migrate } = await import('../src/store/engine/migrate.ts')
  await migrate(to)
  const client = await to.pool.connect()
  try {
    await client.query("set maintenance_work_mem = '512MB'; set work_mem = '256MB'; set synchronous_commit = off")
    await copySample(from, client)
    const indexes = await dropIndexes(client)
    await client.query(insertMixed, [rows])
    for (const definition of indexes) await client.query(definition)
  } finally {
    client.release()
  }
  await countFrequentTerms(to.db)
  await to.pool.query('vacuum analyze permit')
  await to.pool.query('vacuum analyze permit_bits')
}

/** The sample's permits, numbered, as the words to draw from. */
const copySample = async (from: Database, client: pg.PoolClient) => {
  await client.query(`
    create temp table word (k int primary key, city_slug text, city text, market text, state text, street text, project_type text,
      description text, contractor text, architect text, valuation float8, sqft float8, permit_class text)`)
  const { rows } = await sql<{ row: string }>`
    select row_to_json(w)::text as row from (
      select row_number() over (order by city_slug, permit_id) - 1 as k, city_slug, city, market, state,
        regexp_replace(address, '^[0-9]+ ', '') as street, project_type, description, contractor, architect,
        valuation_usd as valuation, sqft, permit_class
      from permit where issued_on is not null) w`.execute(from.db)
  await client.query('insert into word select w.* from unnest($1::json[]) j, json_populate_record(null::word, j) w', [
    rows.map(({ row }) => row),
  ])
  await client.query(
    `insert into source (id, kind, holds, title, config) values ('bench', 'csv', 'permits', 'Bench', '{}')`,
  )
  await client.query(
    `insert into ingest_run (source_id, state, first_load, finished_at) values ('bench', 'completed', true, now())`,
  )
}

const dropIndexes = async (client: pg.PoolClient): Promise<string[]> => {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select indexname as name, indexdef as definition from pg_indexes where tablename = 'permit' and indexname <> 'permit_pkey'`)
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

const insertMixed = `
  insert into permit (city_slug, permit_id, source_id, market, state, city, match_method, match_confidence, address, project_type,
    description, valuation_usd, sqft, contractor, architect, issued_on, status, permit_class, collected_at)
  select a.city_slug, 'B' || 2000 + i % 26 || '-' || lpad(i::text, 7, '0'), 'bench', a.market, a.state, a.city, 'none', 'low',
    1 + (i * 31) % 9973 || ' ' || d.street, b.project_type,
    b.description || case when i % 3 = 0 then '. Also ' || lower(c.description) else '' end,
    round(b.valuation * (0.5 + (i % 97) / 97.0)), b.sqft, c.contractor, d.architect,
    current_date - ((i * 7 + i / 1000) % 7300)::int, 'issued', b.permit_class, now()
  from (select count(*)::bigint as n from word) t, generate_series(1, $1::bigint) i
  join word a on a.k = i % (select count(*) from word)
  join word b on b.k = (i * 7919) % (select count(*) from word)
  join word c on c.k = (i * 104729 + 17) % (select count(*) from word)
  join word d on d.k = (i * 1299709 + 5) % (select count(*) from word)
  order by i`
