// Another way to search the same permits, as an expert would write it, with the same total and page.
import type pg from 'pg'
import { permitCountCap } from '../src/contract/operations/permits.ts'
import type { Question } from './search-questions.ts'

export interface Rival {
  name: string
  /** Builds its tables unless they are there. */
  prepare(pool: pg.Pool): Promise<void>
  /** Returns the total, to be compared. */
  ask(pool: pg.Pool, question: Question): Promise<number>
}

const searchText = `lower(coalesce(address, '') || chr(10) || coalesce(project_type, '') || chr(10) || coalesce(description, '')
  || chr(10) || coalesce(contractor, '') || chr(10) || coalesce(architect, '') || chr(10) || permit_id)`

const built = async (pool: pg.Pool, table: string, statements: readonly string[]): Promise<void> => {
  const { rows } = await pool.query('select to_regclass($1) is not null as there', [table])
  if (rows[0].there) return
  const client = await pool.connect()
  try {
    // Building an index over a million rows takes longer than a query may.
    await client.query('set statement_timeout = 0')
    await client.query("set maintenance_work_mem = '512MB'")
    for (const statement of statements) await client.query(statement)
  } finally {
    client.release(true)
  }
}

/** A trigram index on the text in the permit table itself, everything else left to PostgreSQL. */
export const trigram: Rival = {
  name: 'trigram index on the permit table',
  prepare: (pool) =>
    built(pool, 'rival_permit', [
      `create table rival_permit as select *, ${searchText} as search from permit`,
      'create index on rival_permit using gin (search gin_trgm_ops) where issued_on is not null',
      'create index on rival_permit (issued_on desc, permit_id, city_slug) where issued_on is not null',
      'create index on rival_permit (city_slug, issued_on desc, permit_id) where issued_on is not null',
      'create index on rival_permit (valuation_usd) where issued_on is not null',
      'vacuum analyze rival_permit',
    ]),
  ask: (pool, question) => {
    const { conditions, values } = filters(question, (slugs) => `city_slug = any(${slugs}::text[])`)
    for (const word of wordsOf(question)) conditions.push(`search like $${values.push(pattern(word))}`)
    return countThenPage(pool, 'rival_permit', ['issued_on is not null', ...conditions], values, question)
  },
}

const wordsOf = ({ q }: Question): string[] => [...new Set(q.toLowerCase().split(' '))]

const pattern = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`

const filters = ({ city, minValuation, issuedFrom }: Question, inCities: (slugs: string) => string) => {
  const conditions: string[] = []
  const values: unknown[] = []
  if (city) {
    const slugs = `(select array_agg(city_slug) from permit_city where city_slug like $${values.push(pattern(city))})`
    conditions.push(inCities(slugs))
  }
  if (minValuation) conditions.push(`valuation_usd >= $${values.push(minValuation)}`)
  if (issuedFrom) conditions.push(`issued_on >= $${values.push(issuedFrom)}`)
  return { conditions, values }
}

const countThenPage = async (
  pool: pg.Pool,
  table: string,
  conditions: readonly string[],
  values: unknown[],
  { offset = 0 }: Question,
): Promise<number> => {
  const matching = `from ${table} where ${conditions.join(' and ')}`
  const counted = await pool.query<{ total: number }>(
    `select count(*)::int as total from (select ${matching} limit ${permitCountCap + 1}) t`,
    values,
  )
  const total = Math.min(permitCountCap, counted.rows[0]!.total)
  const page = await pool.query<{ city_slug: string; permit_id: string }>(
    `select city_slug, permit_id ${matching} order by issued_on desc, permit_id, city_slug limit 26 offset ${offset}`,
    values,
  )
  await pool.query(
    'select p.* from unnest($1::text[], $2::text[]) k (city, id) join permit p on p.city_slug = k.city and p.permit_id = k.id',
    [page.rows.map((row) => row.city_slug), page.rows.map((row) => row.permit_id)],
  )
  return total
}

export const rivals: readonly Rival[] = [trigram]
