import { expect, test } from 'vitest'
import { sql } from '../../../src/store/engine/database.ts'
import { marketLock } from '../../../src/store/ingest/market-lock.ts'
import { ingest, permitRow } from '../../ingest/feed.ts'
import { useDatabaseWithQueue } from '../../setup/database.ts'

const store = useDatabaseWithQueue()

test('a load waits for another load of its market and not for loads of other markets', async () => {
  const peninsula = [permitRow()]
  const nantucket = [permitRow({ permitId: 'N-1', city: 'Nantucket', address: '1 Main St', apn: '42.3.4-21' })]
  let loading: ReturnType<typeof ingest> | undefined
  let done = false
  await store()
    .db.transaction()
    .execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${marketLock('sf-peninsula')})`.execute(tx)
      loading = ingest(store(), 'permits', peninsula, { id: 'peninsula', market: 'sf-peninsula' }).finally(() => {
        done = true
      })
      const other = await ingest(store(), 'permits', nantucket, { id: 'nantucket', market: 'nantucket' })
      expect(other.counts.loaded).toBe(1)
      await expect.poll(() => waiting(), { timeout: 10_000 }).toBe(1)
      expect(done).toBe(false)
    })
  expect((await loading)?.counts.loaded).toBe(1)
})

const waiting = async (): Promise<number> => {
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting from pg_locks where locktype = 'advisory' and not granted and database =
      (select oid from pg_database where datname = current_database())`.execute(store().db)
  return rows[0]!.waiting
}
