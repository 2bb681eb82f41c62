// The words permits are found by: very long ones, very many, and their bits while several processes are at work.
import { beforeEach, expect, test } from 'vitest'
import { inTransaction, sql } from '../../../src/store/engine/database.ts'
import { countFrequentTerms } from '../../../src/store/permit-search/bits.ts'
import { findWords, termsAtMost } from '../../../src/store/permit-search/terms.ts'
import { type PermitFilter, permitPage } from '../../../src/store/permits/permits.ts'
import { useDatabase } from '../../setup/database.ts'
import { manyPermits, permit } from '../../setup/rows.ts'

const store = useDatabase()
beforeEach(async () => {
  await sql`truncate permit`.execute(store().db)
})

const found = async (filter: PermitFilter) => {
  const { rows } = await permitPage(store().db, filter, { limit: 100, offset: 0 })
  return rows.map(({ permitId }) => permitId)
}

const termCount = async (term: string) => {
  const { rows } = await sql<{ permits: number }>`select permits from permit_term where term = ${term}`.execute(
    store().db,
  )
  return rows[0]?.permits
}

test('a permit is found by any part of a word too long for an index', async () => {
  const { db } = store()
  const noise = Array.from({ length: 4000 }, (_, at) => ((at * at * 7 + at) % 1296).toString(36))
    .join('')
    .slice(0, 4000)
  const signs = Array.from({ length: 2500 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * at) % 9973))).join('')
  await permit(db, { permit_id: 'A-1', description: `scan ${noise} end` })
  await permit(db, { permit_id: 'A-2', description: signs })
  await permit(db, { permit_id: 'A-3', description: `scan ${noise.slice(0, 2000)} ${noise.slice(2300)}` })
  for (const at of [0, 1, 199, 200, 201, 399, 1999, 2150, 3800]) {
    expect(await found({ words: [noise.slice(at, at + 200)] })).toContain('A-1')
    expect(await found({ words: [signs.slice(at % 2000, (at % 2000) + 200)] })).toEqual(['A-2'])
  }
  expect(await found({ words: [noise.slice(1900, 2150)] })).toEqual(['A-1'])
  expect(await found({ words: ['scan', 'end'] })).toEqual(['A-1'])
  await sql`update permit set description = 'short' where permit_id = 'A-1'`.execute(db)
  expect(await found({ words: [noise.slice(2050, 2250)] })).toEqual([])
})

test('a search brings home few terms, whatever and however much is asked', async () => {
  const { db } = store()
  await manyPermits(db, 3000)
  const words = [...'abcdefghijklmnopqrstuvwxyz0123456789.,-'].flatMap((letter) => [letter, letter.repeat(2)])
  const all = await findWords(db, words, [])
  expect(all.all).toBe(false)
  expect(all.words.length).toBeLessThanOrEqual(8)
  const [one] = (await findWords(db, ['1'], [])).words
  expect(one).toMatchObject({ many: true })
  expect(one!.terms.length).toBeLessThanOrEqual(termsAtMost)
  // Two digits are in no index of numbers: all numbers of their shape would be gone through.
  const [digits] = (await findWords(db, ['77'], [])).words
  expect(digits!.permits).toBeGreaterThanOrEqual(3000)
  const [marks] = (await findWords(db, ['.,'], [])).words
  expect(marks).toMatchObject({ many: true, terms: [] })
  // Of more words than the index is asked for, and of words given again and again, each must be held.
  const given = ['reroof', 'number', 'er', 'oo', 'mb', 'r', 'o', 'n', 'e', 'E', 'm-', '7', '77', '777']
  expect(await found({ words: [...given, ...given] })).toEqual(await found({ words: ['reroof', '777'] }))
  expect(await found({ words: [...given, 'z'] })).toEqual([])
})

test('in a store of many terms, numbers, letters and marks find what they find by reading, with bits and without', async () => {
  const { db } = store()
  await manyPermits(db, 30_000)
  // Too frequent to be rare, and in less than a fifth.
  await sql`update permit set description = replace(description, 'Reroof', 'Solar') where doc % 11 < 2`.execute(db)
  await permit(db, { permit_id: 'X', city: 'Nantucket', description: 'Deck, 12 x 14; new', issued_on: '2026-11-01' })
  // In more words than are looked up as a rule, and in few permits.
  await sql`update permit set description = description || ' ref/' || doc || '/zq' where doc % 30 = 0`.execute(db)
  // As a load leaves it.
  await sql`select gin_clean_pending_list('permit_by_term')`.execute(db)
  const [rare] = (await findWords(db, ['/zq'], [])).words
  expect(rare).toMatchObject({ many: false, permits: 1000 })
  expect(rare!.terms).toHaveLength(1000)
  const narrowings: Omit<PermitFilter, 'words'>[] = [
    {},
    { city: 'nantucket' },
    { city: 'palo' },
    { issuedFrom: '2026-10-16' },
    { issuedFrom: '2018-10-16' },
    { issuedFrom: '2026-10-16', city: 'menlo' },
    { issuedFrom: '2016-01-01', issuedTo: '2016-01-31' },
    { minValuation: 1 },
  ]
  const questions = [
    ['1'],
    ['12'],
    ['a'],
    [','],
    ['.'],
    ['-'],
    ['12,'],
    ['1', 'reroof'],
    ['umber', '99'],
    ['er'],
    ['ola'],
    ['ola', '1'],
    ['solar', 'number', '-'],
    ['ref/'],
    ['/zq', 'solar'],
    ['ef/1', '777'],
  ]
  const bySearch = async (words: string[], rest: Omit<PermitFilter, 'words'>) => {
    const { rows, total, truncated } = await permitPage(db, { ...rest, words }, { limit: 30, offset: 0 })
    return { words, rest, total, truncated, rows: rows.map(({ permitId }) => permitId) }
  }
  const byReading = async (words: string[], rest: Omit<PermitFilter, 'words'>) => {
    const { rows } = await sql<{ permitId: string }>`
      select permit_id from permit where ${sql.join(
        [
          ...words.map((word) => sql`strpos(search, ${word}) > 0`),
          ...(rest.city ? [sql`city_slug like ${`%${rest.city}%`}`] : []),
          ...(rest.minValuation ? [sql`valuation_usd >= ${rest.minValuation}`] : []),
          sql`issued_on between ${rest.issuedFrom ?? '1900-01-01'} and ${rest.issuedTo ?? '2100-01-01'}`,
        ],
        sql` and `,
      )} order by issued_on desc, permit_id, city_slug`.execute(db)
    return {
      words,
      rest,
      total: Math.min(10_000, rows.length),
      truncated: rows.length > 10_000,
      rows: rows.slice(0, 30).map(({ permitId }) => permitId),
    }
  }
  const cases = narrowings.flatMap((rest) => questions.map((words) => ({ words, rest })))
  const expected = []
  for (const { words, rest } of cases) expected.push(await byReading(words, rest))
  for (const [at, { words, rest }] of cases.entries()) expect(await bySearch(words, rest)).toEqual(expected[at])
  await countFrequentTerms(db)
  expect((await sql`select from permit_bits where block > 0`.execute(db)).rows).not.toEqual([])
  for (const [at, { words, rest }] of cases.entries()) expect(await bySearch(words, rest)).toEqual(expected[at])
}, 120_000)

test('what makes the terms of a permit becomes part of the query that asks for them', async () => {
  const { rows } = await sql`
    explain verbose select permit_terms(search, permit_id, city_slug, issued_on, valuation_usd) from permit`.execute(
    store().db,
  )
  const plan = JSON.stringify(rows)
  expect(plan).toContain('string_to_array')
  expect(plan).not.toContain('permit_terms')
})

test('two processes that count at once give each term its bits once', async () => {
  const { db } = store()
  await manyPermits(db, 6000)
  let both: Promise<unknown> = Promise.resolve()
  await inTransaction(db, async (tx) => {
    await sql`lock table permit in share row exclusive mode`.execute(tx)
    both = Promise.all([countFrequentTerms(db), countFrequentTerms(db)])
    both.catch(() => {})
    await expect.poll(waiting).toBe(2)
  })
  await both
  expect((await permitPage(db, { words: ['reroof'] }, { limit: 1, offset: 0 })).total).toBe(6000)
})

const waiting = async () => {
  const { rows } = await sql`
    select from pg_locks l join pg_database d on d.oid = l.database where not granted and datname = current_database()`.execute(
    store().db,
  )
  return rows.length
}

test('counting told to stop while it waits ends, and leaves its work to the next', async () => {
  const { db } = store()
  await manyPermits(db, 6000)
  const stopping = new AbortController()
  await inTransaction(db, async (tx) => {
    await sql`lock table permit in row exclusive mode`.execute(tx)
    const stopped = expect(countFrequentTerms(db, stopping.signal)).rejects.toThrow()
    await expect.poll(waiting).toBe(1)
    stopping.abort()
    await stopped
  })
  await expect(countFrequentTerms(db, stopping.signal)).rejects.toThrow()
  expect((await sql`select from permit_term where counted`.execute(db)).rows).toEqual([])
  await countFrequentTerms(db)
  expect((await sql`select from permit_term where counted`.execute(db)).rows).not.toEqual([])
})

test('a word that comes to permits by updates becomes as frequent as one they came with', async () => {
  const { db } = store()
  await manyPermits(db, 6000)
  await permit(db, { description: 'Solar' })
  await sql`update permit set description = 'Solar panels' where permit_id like 'M-%'`.execute(db)
  await sql`update permit set description = 'Solar panels, roof' where permit_id like 'M-%'`.execute(db)
  expect(await termCount('solar')).toBe(6001)
  await countFrequentTerms(db)
  expect((await sql`select from permit_bits where term = 'solar'`.execute(db)).rows).not.toEqual([])
})

test('permits with a rare form of a frequent word are counted with those of the frequent one', async () => {
  const { db } = store()
  await manyPermits(db, 6000)
  await permit(db, { permit_id: 'A-1', city: 'Menlo Park', description: 'prereroofed', issued_on: '2026-11-12' })
  await permit(db, { permit_id: 'A-2', city: 'Nantucket', description: 'Reroofing', issued_on: '2026-11-11' })
  await countFrequentTerms(db)
  const newest = async (filter: PermitFilter) => {
    const { rows, total } = await permitPage(db, filter, { limit: 1, offset: 0 })
    return { total, permitId: rows[0]?.permitId }
  }
  expect(await newest({ words: ['reroof'] })).toEqual({ total: 6002, permitId: 'A-1' })
  expect(await newest({ words: ['reroof', 'roofed'] })).toEqual({ total: 1, permitId: 'A-1' })
  // A city too small to have bits among others that have them.
  const { total } = await newest({ words: ['reroof'], city: 'n' })
  const inMenlo = await newest({ words: ['reroof'], city: 'menlo' })
  expect(total).toBe(inMenlo.total + 1)
  expect(inMenlo.permitId).toBe('A-1')
})
