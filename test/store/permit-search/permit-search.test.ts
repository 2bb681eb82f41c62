import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/store/engine/database.ts'
import { countFrequentTerms } from '../../../src/store/permit-search/bits.ts'
import { type PermitFilter, permitPage } from '../../../src/store/permits/permits.ts'
import { useDatabase } from '../../setup/database.ts'
import { manyPermits, permit } from '../../setup/rows.ts'

const store = useDatabase()
const cities = ['Palo Alto', 'East Palo Alto', 'Menlo Park', 'Nantucket']

/** Few letters, so that words meet; marks and letters beyond ASCII, so that nothing is taken for a pattern. */
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
  issued_on: fc.constantFrom('2026-11-10', '2026-11-09', '2020-01-01', null),
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

/** The search written down naively: each word in any of the six fields, by ILIKE. */
const naive = async ({ words = [], city, minValuation, issuedFrom, issuedTo }: PermitFilter) => {
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
    issuedFrom: fc.constantFrom('2020-01-02', '2026-10-16', '2026-11-10'),
    issuedTo: fc.constantFrom('2026-11-09'),
  },
  { requiredKeys: ['words'] },
)

test('search finds exactly the permits that ILIKE over the six fields finds, in the same order', async () => {
  await fc.assert(
    fc.asyncProperty(filter, async (each) => {
      expect(await found(each)).toEqual(await naive(each))
    }),
    { numRuns: 400, seed: 11 },
  )
}, 60_000)

test('every part of every word of a permit finds it', async () => {
  const { rows } = await sql<{ search: string }>`select search from permit where issued_on is not null`.execute(
    store().db,
  )
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

test('a permit that changes its words, is issued, or is valued anew is found by what it says now', async () => {
  const { db } = store()
  await permit(db, { permit_id: 'ZZ-1', description: 'greenhouse', issued_on: null })
  expect(await found({ words: ['greenhouse'] })).toEqual([])
  await sql`update permit set issued_on = '2026-11-01' where permit_id = 'ZZ-1'`.execute(db)
  expect(await found({ words: ['eenhou'] })).toEqual(['Palo Alto ZZ-1'])
  await sql`update permit set description = 'orangery', valuation_usd = 700000 where permit_id = 'ZZ-1'`.execute(db)
  expect(await found({ words: ['greenhouse'] })).toEqual([])
  expect(await found({ words: ['orangery'], minValuation: 600_000 })).toEqual(['Palo Alto ZZ-1'])
  expect(await found({ words: ['zz-1'] })).toEqual(['Palo Alto ZZ-1'])
})

test('beyond ten thousand the total stays there and the page is still the newest', async () => {
  const { db } = store()
  await manyPermits(db, 10_100)
  for (const filter of [{ words: ['reroof'] }, { words: ['umbe'] }, { words: ['roo', 'm-0'] }, { words: ['er'] }]) {
    const { rows, total, truncated } = await permitPage(db, filter, { limit: 3, offset: 0 })
    expect({ total, truncated }).toEqual({ total: 10_000, truncated: true })
    expect(rows.map(({ issuedOn }) => issuedOn)).toEqual(['2026-11-10', '2026-11-10', '2026-11-10'])
  }
  const one = await permitPage(db, { words: ['m-005049'] }, { limit: 3, offset: 0 })
  expect(one.rows.map(({ permitId }) => permitId)).toEqual(['M-005049', 'M-005049'])
})

test('what bits count stays exact while permits come, change and go', async () => {
  const { db } = store()
  await countFrequentTerms(db)
  const counted = await sql<{ term: string }>`select term from permit_term where counted order by 1`.execute(db)
  expect(counted.rows.map(({ term }) => term)).toEqual(
    expect.arrayContaining(['\nmenlo-park', '\npalo-alto', 'number', 'reroof']),
  )
  const asTold = async (city: string) => {
    for (const words of [['reroof'], ['reroof', 'numb'], ['oof']]) {
      const { rows, total } = await permitPage(db, { words, city }, { limit: 50, offset: 0 })
      const expected = await naive({ words, city })
      expect(total).toBe(expected.length)
      expect(rows.map(({ city, permitId }) => `${city} ${permitId}`)).toEqual(expected.slice(0, 50))
    }
  }
  await asTold('Menlo Park')
  await sql`update permit set description = 'Gate' where description like '%7'`.execute(db)
  await asTold('Menlo Park')
  await sql`update permit set description = 'Reroof number 7' where description = 'Gate' and permit_id like '%5'`.execute(
    db,
  )
  await sql`update permit set issued_on = null where description like 'Reroof%1'`.execute(db)
  await sql`update permit set property_id = null`.execute(db)
  await asTold('Menlo Park')
  await sql`delete from permit where permit_id like 'M-0011%'`.execute(db)
  await asTold('Menlo Park')
  await sql`update permit set issued_on = '2026-01-02' where issued_on is null`.execute(db)
  await permit(db, { permit_id: 'R-1', city: 'Menlo Park', description: 'Reroof, new' })
  await permit(db, { permit_id: 'R-2', city: 'Menlo Park', description: 'prereroofed', valuation_usd: 3_000_000 })
  expect(await found({ words: ['reroof'], city: 'Menlo', minValuation: 2_500_000 })).toEqual(['Menlo Park R-2'])
  await asTold('Menlo Park')
  await sql`truncate permit`.execute(db)
  expect(await found({ words: ['reroof'] })).toEqual([])
})
