// Other ways to search the same permits, as an expert would write them, each with the same total and page.
import type pg from 'pg'
import { permitCountCap } from '../src/wire/operations/permits.ts'
import type { Question } from './search-questions.ts'

export interface Rival {
  name: string
  /** Builds its tables unless they are there. */
  prepare(pool: pg.Pool): Promise<void>
  /** Returns the total, to be compared. */
  ask(pool: pg.Pool, question: Question): Promise<number>
  /** Statements that add the permits whose number begins with "NEW-", and that remove them again. */
  write: readonly string[]
  remove: string
}

const searchText = `lower(coalesce(address, '') || chr(10) || coalesce(project_type, '') || chr(10) || coalesce(description, '')
  || chr(10) || coalesce(contractor, '') || chr(10) || coalesce(architect, '') || chr(10) || permit_id)`

/** `table` gets its name last, so that an interrupted build is repeated. */
const built = async (pool: pg.Pool, table: string, statements: readonly string[]): Promise<void> => {
  const { rows } = await pool.query('select to_regclass($1) is not null as there', [table])
  if (rows[0].there) return
  const client = await pool.connect()
  try {
    // Building an index over a million rows takes longer than a query may.
    await client.query('set statement_timeout = 0')
    await client.query("set maintenance_work_mem = '512MB'")
    await client.query("set work_mem = '256MB'")
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
      'drop table if exists rival_permit_making',
      `create table rival_permit_making as select *, ${searchText} as search from permit`,
      'create index rival_permit_words on rival_permit_making using gin (search gin_trgm_ops) where issued_on is not null',
      'create index on rival_permit_making (issued_on desc, permit_id, city_slug) where issued_on is not null',
      'create index on rival_permit_making (city_slug, issued_on desc, permit_id) where issued_on is not null',
      'create index on rival_permit_making (valuation_usd) where issued_on is not null',
      'vacuum analyze rival_permit_making',
      'alter table rival_permit_making rename to rival_permit',
    ]),
  ask: (pool, question) => {
    const { conditions, values } = filters(question, (slugs) => `city_slug = any(${slugs}::text[])`)
    for (const word of wordsOf(question)) conditions.push(`search like $${values.push(pattern(word))}`)
    return countThenPage(pool, 'rival_permit', ['issued_on is not null', ...conditions], values, question)
  },
  write: [
    `insert into rival_permit select *, ${searchText} from permit where permit_id like 'NEW-%'`,
    "select gin_clean_pending_list('rival_permit_words')",
  ],
  remove: "delete from rival_permit where permit_id like 'NEW-%'",
}

const terms = `string_to_array(translate(${searchText}, E'\\n.,;:()"', '        '), ' ') || (E'\\n' || city_slug)`
const wordRow = `city_slug, permit_id, issued_on, valuation_usd, ${searchText} as search, ${terms} as terms`

/** An inverted index: a list of all words says which contain the one asked for, an index of arrays has their permits. */
export const wholeWords: Rival = {
  name: 'index of whole words and a list of words',
  prepare: (pool) =>
    built(pool, 'rival_word', [
      'drop table if exists rival_words, rival_word_making',
      `create table rival_words as select ${wordRow} from permit where issued_on is not null`,
      'create index rival_words_terms on rival_words using gin (terms)',
      'create index on rival_words (issued_on desc, permit_id, city_slug)',
      'vacuum analyze rival_words',
      `create table rival_word_making as
        select term collate "C" as term, count(*) as permits from rival_words, unnest(terms) term where term <> '' group by 1`,
      'create unique index on rival_word_making (term)',
      'create index rival_word_parts on rival_word_making using gin (term gin_trgm_ops)',
      'vacuum analyze rival_word_making',
      'alter table rival_word_making rename to rival_word',
    ]),
  ask: async (pool, question) => {
    const { conditions, values } = filters(
      question,
      (slugs) => `terms && array(select E'\\n' || slug from unnest(${slugs}::text[]) slug)`,
    )
    for (const word of wordsOf(question)) {
      const part = word.split(/[.,;:()"]/).reduce((longest, each) => (each.length > longest.length ? each : longest))
      const found = part.length < 2 ? undefined : await termsWith(pool, part)
      if (found?.length === 0) return 0
      if (found) conditions.push(`terms && $${values.push(found)}::text[]`)
      if (!found || part !== word) conditions.push(`search like $${values.push(pattern(word))}`)
    }
    return countThenPage(pool, 'rival_words', conditions, values, question)
  },
  write: [
    `insert into rival_words select ${wordRow} from permit where permit_id like 'NEW-%' and issued_on is not null`,
    `insert into rival_word as w
      select term, count(*) from rival_words, unnest(terms) term where permit_id like 'NEW-%' and term <> '' group by 1
      on conflict (term) do update set permits = w.permits + excluded.permits`,
    "select gin_clean_pending_list('rival_words_terms')",
    "select gin_clean_pending_list('rival_word_parts')",
  ],
  remove: "delete from rival_words where permit_id like 'NEW-%'",
}

/** More terms than this cost more to look up than the rows cost to read. */
const termsAtMost = 400

const termsWith = async (pool: pg.Pool, part: string): Promise<string[] | undefined> => {
  const { rows } = await pool.query<{ term: string }>(
    `select term from rival_word where term like $1 and left(term, 1) <> E'\\n' limit ${termsAtMost + 1}`,
    [pattern(part)],
  )
  return rows.length > termsAtMost ? undefined : rows.map(({ term }) => term)
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
  const matching = `from ${table} where ${conditions.length > 0 ? conditions.join(' and ') : 'true'}`
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

export const rivals: readonly Rival[] = [trigram, wholeWords]
