// Who gives frequent words their bits: a small load itself, the worker where that would hold a load up.
import { expect, test } from 'vitest'
import { type Db, sql } from '../../../src/store/engine/database.ts'
import { countFrequentTerms, settleTerms } from '../../../src/store/permit-search/bits.ts'
import { useDatabaseWithQueue } from '../../setup/database.ts'
import { manyPermits } from '../../setup/rows.ts'

const store = useDatabaseWithQueue()

const rows = async (db: Db, query: ReturnType<typeof sql>) => (await query.execute(db)).rows.length
const bits = (db: Db) => rows(db, sql`select from permit_bits limit 1`)
const waiting = (db: Db) => rows(db, sql`select from pgboss.job where name = 'permit-terms' and state = 'created'`)

test('a small load counts its words itself; a larger one leaves one job for the worker, however many loads follow', async () => {
  const { db, queue } = store()
  await manyPermits(db, 600)
  await settleTerms(db, queue)
  expect([await bits(db), await waiting(db)]).toEqual([1, 0])

  await sql`truncate permit`.execute(db)
  await manyPermits(db, 6000)
  await settleTerms(db, queue)
  await settleTerms(db, queue)
  expect([await bits(db), await waiting(db)]).toEqual([0, 1])
  await countFrequentTerms(db)
  expect(await bits(db)).toBe(1)
  await settleTerms(db, queue)
  expect(await waiting(db)).toBe(1)
})
