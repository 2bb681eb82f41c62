import { expect, test } from 'vitest'
import { openDatabase, prepared, sql } from '../../../src/store/engine/database.ts'
import { asOf } from '../../../src/store/ingest/freshness.ts'
import { signalsByKey } from '../../../src/store/properties/signals.ts'
import { newDatabase } from '../../setup/database.ts'

test('a marked statement is planned once per connection, whatever its values', async () => {
  const store = openDatabase({ ...(await newDatabase()), poolSize: 1 })
  try {
    const keys = ['a', 'b', 'c'].map((id) => ({ market: 'sf-peninsula', id }))
    for (const count of [1, 2, 3, 1]) await signalsByKey(store.db, keys.slice(0, count))
    await asOf(store.db, ['parcels'])
    await asOf(store.db, ['sales', 'listings'], 'sf-peninsula')
    await sql`select 1`.execute(store.db)
    const { rows } = await store.pool.query<{ times: string }>(
      'select generic_plans + custom_plans as times from pg_prepared_statements',
    )
    expect(rows.map(({ times }) => Number(times)).sort()).toEqual([2, 2, 4])
  } finally {
    await store.close()
  }
})

test('a marked statement reads the schema of its handle, on a connection that read another one before', async () => {
  const address = await newDatabase()
  const store = openDatabase({ ...address, poolSize: 1 })
  try {
    for (const schema of ['one', 'two'])
      await store.pool.query(`create schema ${schema}; create table ${schema}.held as select '${schema}' as name`)
    const inSchema = async (schema: string) => {
      await store.pool.query(`set search_path to ${schema}`)
      return (await sql<{ name: string }>`${prepared} select name from held`.execute(store.db)).rows[0]!.name
    }
    for (let round = 0; round < 8; round++)
      expect([await inSchema('one'), await inSchema('two')]).toEqual(['one', 'two'])
  } finally {
    await store.close()
  }
})
