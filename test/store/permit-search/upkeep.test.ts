import { beforeEach, expect, test } from 'vitest'
import { sql } from '../../../src/store/engine/database.ts'
import { indexPermits, removeDeletedPermits } from '../../../src/store/permit-search/upkeep.ts'
import { permitCities, permitPage } from '../../../src/store/permits/permits.ts'
import { useDatabase } from '../../setup/database.ts'
import { emptyTables, permit } from '../../setup/rows.ts'

const store = useDatabase()
beforeEach(async () => {
  await emptyTables(store().db, 'permit', 'permit_search', 'permit_city')
})

const found = async (...words: string[]) => {
  const { rows } = await permitPage(store().db, { words }, { limit: 100, offset: 0 })
  return rows.map(({ permitId }) => permitId)
}

test('a permit whose words or issue date change is found by its present words, and only while it is issued', async () => {
  const { db } = store()
  await permit(db, { permit_id: 'Z-1', description: 'greenhouse', issued_on: null })
  expect(await found('greenhouse')).toEqual([])
  await sql`update permit set issued_on = '2026-11-01'`.execute(db)
  await indexPermits(db)
  expect(await found('eenhou')).toEqual(['Z-1'])
  await sql`update permit set description = 'orangery', valuation_usd = 700000`.execute(db)
  await indexPermits(db, sql`select market, city_slug, permit_id from permit`)
  expect(await found('greenhouse')).toEqual([])
  const { total } = await permitPage(db, { words: ['orangery'], minValuation: 600_000 }, { limit: 1, offset: 0 })
  expect(total).toBe(1)
  await sql`update permit set issued_on = null`.execute(db)
  await indexPermits(db)
  expect(await found('orangery')).toEqual([])
})

test('only the permits with the given keys are written', async () => {
  const { db } = store()
  for (const id of ['A-1', 'A-2']) await permit(db, { permit_id: id, description: 'shed' })
  await sql`update permit set description = 'barn'`.execute(db)
  await indexPermits(db, sql`select market, city_slug, permit_id from permit where permit_id = 'A-1'`)
  expect(await found('barn')).toEqual(['A-1'])
})

test('a row that has not changed is not written again', async () => {
  const { db } = store()
  await permit(db, { permit_id: 'A-1' })
  const version = () => sql<{ xmin: string }>`select xmin::text from permit_search`.execute(db)
  const before = (await version()).rows
  await indexPermits(db)
  expect((await version()).rows).toEqual(before)
})

test('a deleted permit is no longer found', async () => {
  const { db } = store()
  await permit(db, { permit_id: 'A-1', description: 'shed' })
  await sql`delete from permit`.execute(db)
  await removeDeletedPermits(db)
  expect(await found('shed')).toEqual([])
})

test('a city is found by part of its name while it has permits', async () => {
  const { db } = store()
  await permit(db, { permit_id: 'A-1', city: 'East Palo Alto' })
  await permit(db, { permit_id: 'A-1', city: 'Menlo Park' })
  await permit(db, { permit_id: 'A-2', city: 'Atherton', issued_on: null })
  const slugs = async (part: string) => (await permitCities(db, [part])).map(({ citySlug }) => citySlug).sort()
  expect(await slugs('palo alto')).toEqual(['east-palo-alto'])
  expect(await slugs('lo-PA')).toEqual(['menlo-park'])
  expect(await slugs('')).toEqual(['atherton', 'east-palo-alto', 'menlo-park'])
  expect(await slugs('%')).toEqual([])
  await sql`delete from permit where city_slug = 'menlo-park'`.execute(db)
  await removeDeletedPermits(db)
  expect(await slugs('')).toEqual(['atherton', 'east-palo-alto'])
})
