// Compares search with a simple query: each word by ILIKE in any of the six fields.
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { type Db, sql } from '../../../src/store/engine/database.ts'
import { matching } from '../../../src/store/permit-search/conditions.ts'
import { type PermitPosition, questionOf } from '../../../src/store/permit-search/question.ts'
import { findPermits, findSortedPermits } from '../../../src/store/permit-search/search.ts'
import { type PermitFilter, permitCities, permitFunnel, permitPage } from '../../../src/store/permits/permits.ts'
import type { Position } from '../../../src/store/search/paging.ts'
import { useDatabase } from '../../setup/database.ts'
import { manyPermits, permit } from '../../setup/rows.ts'

const store = useDatabase()
const cities = ['Palo Alto', 'East Palo Alto', 'Menlo Park', 'Nantucket']

/** Few letters, so that words repeat. Pattern characters and letters beyond ASCII must be taken literally. */
const letters = fc.constantFrom(...'aab kKo. 1 2207 -/#%_\\\'"é Ñüß')
const some = fc.string({ unit: letters, maxLength: 14 })
const maybe = fc.option(some, { nil: null })
const valuation = fc.option(fc.constantFrom(1, 99_999, 100_000, 250_000, 999_999, 1_000_000, 3_000_000), { nil: null })
const row = fc.record({
  permit_id: fc.oneof(
    fc.string({ unit: letters, minLength: 1, maxLength: 9 }),
    fc.integer({ min: 1, max: 99_999 }).map((n) => `B2${n}-${n % 100}`),
  ),
  city: fc.constantFrom(...cities),
  address: maybe,
  project_type: maybe,
  description: maybe,
  contractor: maybe,
  architect: maybe,
  valuation_usd: valuation,
  // The sample can be ahead of the calendar.
  issued_on: fc.constantFrom('2029-03-01', '2026-11-10', '2026-11-09', '2020-01-01', '1999-12-31', '1994-03-01', null),
  // The same cities in two markets: a market tells them apart.
  market: fc.constantFrom('sf-peninsula', 'sf-peninsula', 'nantucket'),
  permit_class: fc.constantFrom('remodel', 'adu', 'new_house'),
})

beforeAll(async () => {
  const rows = fc.sample(row, { numRuns: 600, seed: 7 })
  const seen = new Set<string>()
  for (const each of rows) {
    const key = `${each.city} ${each.permit_id}`
    if (seen.has(key) || each.permit_id.trim() === '') continue
    seen.add(key)
    await permit(store().db, each)
  }
})

const fields = ['address', 'project_type', 'description', 'contractor', 'architect', 'permit_id']

const naive = async ({ words = [], city, minValuation, issuedFrom, issuedTo, others = [], markets }: PermitFilter) => {
  const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const conditions = words.map(
    (word) =>
      sql`(${sql.join(
        fields.map((field) => sql`coalesce(${sql.ref(field)}, '') ilike ${like(word)}`),
        sql` or `,
      )})`,
  )
  if (city) conditions.push(sql`city ilike ${like(city)}`)
  if (minValuation) conditions.push(sql`valuation_usd >= ${minValuation}`)
  if (issuedFrom) conditions.push(sql`issued_on >= ${issuedFrom}`)
  if (issuedTo) conditions.push(sql`issued_on <= ${issuedTo}`)
  if (markets) conditions.push(sql`market = any(${markets as string[]})`)
  if (others[0]?.type === 'oneOf') conditions.push(sql`permit_class = any(${others[0].values as string[]})`)
  const { rows } = await sql<{ city: string; permitId: string }>`
    select city, permit_id from permit where ${sql.join([sql`issued_on is not null`, ...conditions], sql` and `)}
    order by issued_on desc, permit_id, city_slug`.execute(store().db)
  return rows.map(({ city, permitId }) => `${city} ${permitId}`)
}

const found = async (filter: PermitFilter) => {
  const { rows, total, truncated } = await permitPage(store().db, filter, { limit: 1000, offset: 0 })
  expect({ total, truncated }).toEqual({ total: rows.length, truncated: false })
  return rows.map(({ city, permitId }) => `${city} ${permitId}`)
}

const word = fc
  .oneof(
    fc.string({ unit: letters, minLength: 1, maxLength: 4 }),
    fc.integer({ min: 1, max: 9999 }).map(String),
    fc.constantFrom('a', 'o', '1', '2', '12', '22', '.', '.,', '"', '-'),
  )
  .map((text) => text.replace(/\s/g, ''))
  .filter((text) => text !== '')
const filter = fc.record(
  {
    words: fc.array(word, { minLength: 1, maxLength: 3 }),
    city: fc.constantFrom('palo', 'Nantucket', 'o'),
    minValuation: fc.constantFrom(1, 100_000, 200_000, 250_000, 1_000_000, 5_000_000),
    issuedFrom: fc.constantFrom('1996-01-01', '1999-12-31', '2020-01-02', '2026-10-16', '2026-11-10'),
    issuedTo: fc.constantFrom('2026-11-09'),
    markets: fc.constantFrom(['sf-peninsula'], ['nantucket'], ['nantucket', 'sf-peninsula']),
    others: fc
      .constantFrom(['adu'], ['remodel', 'adu'])
      .map((values) => [{ name: 'permitClass', type: 'oneOf' as const, field: 'permitClass' as const, values }]),
  },
  { requiredKeys: ['words'] },
)

test('search finds exactly the permits that ILIKE over the six fields finds, in the same order', async () => {
  await fc.assert(
    fc.asyncProperty(filter, async (each) => {
      expect(await found(each)).toEqual(await naive(each))
    }),
    { numRuns: 300, seed: 11 },
  )
}, 60_000)

/** PostgreSQL reads a small table completely. Without sequential scans it uses the indexes, as in a large table. */
const byIndex = <Result>(work: (tx: Db) => Promise<Result>): Promise<Result> =>
  store()
    .db.transaction()
    .execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      return work(tx)
    })

test('a page and its total are the same below the cap and beyond it, from the table and from the indexes', async () => {
  const { db } = store()
  await fc.assert(
    fc.asyncProperty(filter, fc.nat(12), fc.constantFrom(3, 40, 10_000), async (each, offset, cap) => {
      const expected = await naive(each)
      const question = questionOf(each, each.city === undefined ? undefined : await permitCities(db, [each.city]))
      const ask = (from: Db) => findPermits(from, question, { limit: 5, offset }, cap)
      for (const { keys, total, truncated } of [await ask(db), await byIndex(ask)]) {
        expect({ total, truncated }).toEqual({
          total: Math.min(cap, expected.length),
          truncated: expected.length > cap,
        })
        expect(keys.map(({ permitId }) => permitId)).toEqual(
          expected.slice(offset, offset + 5).map((text) => text.slice(cityOf(text).length + 1)),
        )
      }
    }),
    { numRuns: 200, seed: 5 },
  )
}, 60_000)

test('beyond the cap, pages by cursor have every permit once, in list order', async () => {
  const { db } = store()
  const { rows: positions } = await sql<PermitPosition>`
    select issued_on, applied_on, permit_id, city_slug from permit_search where search like '%a%' and issued_on is not null
    order by issued_on desc, permit_id, city_slug`.execute(db)
  const question = questionOf({ words: ['a'] }, undefined)
  for (const at of [0, 100, positions.length - 10]) {
    const { keys } = await findPermits(db, question, { limit: 20, offset: 0, after: positions[at] }, 3)
    expect(keys.map(({ permitId }) => permitId)).toEqual(
      positions.slice(at + 1, at + 21).map(({ permitId }) => permitId),
    )
  }
})

test('a sorted list has the same pages below the cap and beyond it, also after a cursor', async () => {
  const { db } = store()
  const { rows } = await sql<{ key: string; permitClass: string }>`
    select permit_id || chr(10) || city_slug as key, permit_class from permit_search where issued_on is not null
    order by valuation_usd desc nulls last, permit_id || chr(10) || city_slug`.execute(db)
  const classes = ['adu', 'new_house']
  const expected = rows.filter(({ permitClass }) => classes.includes(permitClass)).map(({ key }) => key)
  const question = questionOf(
    { others: [{ name: 'permitClass', type: 'oneOf', field: 'permitClass', values: classes }] },
    undefined,
  )
  const order = { sort: [{ field: 'valuation' as const, descending: true }] }
  for (const cap of [5, 10_000]) {
    const pageOf = (page: { offset: number; after?: Position }) =>
      findSortedPermits(db, question, { limit: 7, ...page }, order, cap)
    const keysOf = ({ keys }: Awaited<ReturnType<typeof pageOf>>) =>
      keys.map(({ permitId, citySlug }) => `${permitId}\n${citySlug}`)
    const first = await pageOf({ offset: 0 })
    expect(first).toMatchObject({ total: Math.min(cap, expected.length), truncated: expected.length > cap })
    expect(keysOf(first)).toEqual(expected.slice(0, 7))
    expect(keysOf(await pageOf({ offset: 20 }))).toEqual(expected.slice(20, 27))
    expect(keysOf(await pageOf({ offset: 0, after: first.keys[6]!.position }))).toEqual(expected.slice(7, 14))
  }
})

test('a city of one market is not mixed with the city of the same name in another', async () => {
  const { db } = store()
  const nantucketOnly = (await permitCities(db, ['menlo'])).filter(({ market }) => market === 'nantucket')
  const question = questionOf({ words: [] }, nantucketOnly)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from permit where city = 'Menlo Park' and market = 'nantucket' and issued_on is not null`.execute(
    db,
  )
  for (const ask of [(work: (from: Db) => Promise<unknown>) => work(db), byIndex])
    expect(await ask((from) => findPermits(from, question, { limit: 1, offset: 0 }, 10_000))).toMatchObject({
      total: rows[0]!.count,
    })
})

test('the index finds a word with marks, pattern characters or letters beyond ASCII completely', async () => {
  const { db } = store()
  const texts = [
    'kitchen remodel',
    'kitchenette',
    'kitchxn kitch%n kitch_n',
    'kitch\\n pergola',
    'multi-family dwelling',
    'multifamily garage/carport',
    "o'sullivan brothers",
    'Straßenbeleuchtung Müllabfuhr',
    'B2026-00412 B2026-00413',
  ]
  const words =
    'kitchen kitchenette kitchen\\ kitch%n kitch_n kitch\\n multi-family multifamily family/garage garage/carport'
      .concat(" o'sullivan sullivan Straßenbeleuchtung müllabfuhr beleuchtung b2026-00412 2026-004 nothingmatches")
      .split(' ')
  for (const [at, description] of texts.entries())
    await permit(db, { permit_id: `PART-${at}`, description, issued_on: '2026-11-01' })
  for (const word of words) {
    const question = questionOf({ words: [word] }, undefined)
    const expected = await naive({ words: [word] })
    const { keys } = await byIndex((tx) => findPermits(tx, question, { limit: 100, offset: 0 }, 10_000))
    expect(keys.map(({ permitId }) => permitId)).toEqual(expected.map((text) => text.slice(cityOf(text).length + 1)))
  }
})

test('one lookup in the trigram index answers words, city, class, valuation and first date', async () => {
  const filter: PermitFilter = {
    words: ['kitchen'],
    minValuation: 250_000,
    issuedFrom: '2021-06-01',
    others: [{ name: 'permitClass', type: 'oneOf', field: 'permitClass', values: ['adu'] }],
  }
  const question = questionOf(filter, await permitCities(store().db, ['menlo']))
  const text = await byIndex(async (tx) => {
    // The other indexes are too good for a small table.
    await sql`drop index permit_search_newest, permit_search_class, permit_search_valuation, permit_search_timeline,
      permit_search_applied`.execute(tx)
    await sql`alter table permit_search drop constraint permit_search_pkey`.execute(tx)
    const { rows } = await sql<object>`explain select 1 from permit_search where ${matching(question)}`.execute(tx)
    await sql`rollback and chain`.execute(tx)
    return rows.map((row) => String(Object.values(row)[0])).join('\n')
  })
  const lookup = text.slice(text.indexOf('Bitmap Index Scan on permit_search_words'))
  expect(lookup.match(/&&/g)).toHaveLength(4)
  expect(lookup).toContain('%kitchen%')
})

test('first dates before 2000, long ago and ahead of the calendar find the permits since then', async () => {
  for (const issuedFrom of ['0001-01-01', '1994-03-01', '1999-12-31', '2029-03-01', '2029-03-02', '2150-01-01'])
    expect(await found({ issuedFrom })).toEqual(await naive({ issuedFrom }))
})

const cityOf = (text: string): string => cities.find((city) => text.startsWith(`${city} `))!

test('a permit is found by every part of every word', async () => {
  const { rows } = await sql<{ search: string }>`select search from permit_search`.execute(store().db)
  const words = [...new Set(rows.flatMap(({ search }) => search.split(/\s+/)).filter(Boolean))]
  const parts = fc.sample(
    fc
      .constantFrom(...words)
      .chain((text) =>
        fc
          .tuple(fc.nat(text.length - 1), fc.integer({ min: 1, max: text.length }))
          .map(([at, length]) => text.slice(at, at + length)),
      ),
    { numRuns: 100, seed: 3 },
  )
  for (const part of parts) expect(await found({ words: [part] })).toEqual(await naive({ words: [part] }))
}, 60_000)

test('a permit is found by any part of a very long word', async () => {
  const { db } = store()
  const noise = Array.from({ length: 4000 }, (_, at) => ((at * at * 7 + at) % 1296).toString(36)).join('')
  await permit(db, { permit_id: 'LONG-1', description: `scan ${noise} end`, issued_on: '2026-11-01' })
  for (const at of [0, 1, 1999, 3800]) {
    const question = questionOf({ words: [noise.slice(at, at + 200)] }, undefined)
    const { keys } = await byIndex((tx) => findPermits(tx, question, { limit: 5, offset: 0 }, 10_000))
    expect(keys.map(({ permitId }) => permitId)).toEqual(['LONG-1'])
  }
})

test('with more than ten thousand matches the total is capped and the page has the newest permits', async () => {
  const { db } = store()
  await manyPermits(db, 10_100)
  await sql`analyze permit_search`.execute(db)
  for (const filter of [{ words: ['reroof'] }, { words: ['umbe'] }, { words: ['roo', 'm-0'] }, { words: ['er'] }]) {
    const { rows, total, truncated } = await permitPage(db, filter, { limit: 3, offset: 0 })
    expect({ total, truncated }).toEqual({ total: 10_000, truncated: true })
    expect(rows.map(({ issuedOn }) => issuedOn)).toEqual(['2026-11-10', '2026-11-10', '2026-11-10'])
  }
  const one = await permitPage(db, { words: ['m-005049'] }, { limit: 3, offset: 0 })
  expect(one.rows.map(({ permitId }) => permitId)).toEqual(['M-005049', 'M-005049'])
  const last = await permitPage(db, { words: ['reroof'] }, { limit: 3, offset: 9997 })
  expect(last.rows).toHaveLength(3)
  const funnel = await permitFunnel(
    db,
    [
      { name: 'q', type: 'words', words: ['reroof'] },
      { name: 'minValuation', type: 'atLeast', field: 'valuation', value: 1e12 },
    ],
    ['sf-peninsula', 'nantucket'],
    (conditions) => ({ others: conditions }),
  )
  expect(funnel).toMatchObject([
    { condition: 'q=reroof', remaining: 10_000, wouldRemainWithout: 0 },
    { condition: 'minValuation=1000000000000', remaining: 0, wouldRemainWithout: 10_000 },
  ])
  // Which rows are counted up to the limit is arbitrary, and so is how many of them lack the value.
  expect(funnel.map(({ unknown }) => unknown)).toEqual([0, undefined])
})
