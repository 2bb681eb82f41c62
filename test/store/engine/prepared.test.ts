import { expect, test } from 'vitest'
import { onlyValue, openDatabase, prepared, sql } from '../../../src/store/engine/database.ts'
import { asOf } from '../../../src/store/ingest/freshness.ts'
import { signalsByKey } from '../../../src/store/properties/signals.ts'
import { newDatabase } from '../../setup/database.ts'

test('a marked statement is parsed once per connection, and its plan is kept after five executions', async () => {
  const store = openDatabase({ ...(await newDatabase()), poolSize: 1 })
  try {
    const keys = ['a', 'b', 'c'].map((id) => ({ market: 'sf-peninsula', id }))
    for (const count of [1, 2, 3, 1, 2, 3, 1, 2]) await signalsByKey(store.db, keys.slice(0, count))
    await asOf(store.db, ['parcels'])
    await asOf(store.db, ['sales', 'listings'], 'sf-peninsula')
    await sql`select 1`.execute(store.db)
    const { rows } = await store.pool.query<{ kept: string; planned: string }>(
      'select generic_plans as kept, custom_plans as planned from pg_prepared_statements order by custom_plans',
    )
    expect(rows.map(({ kept, planned }) => [Number(planned), Number(kept)])).toEqual([
      [2, 0],
      [2, 0],
      [5, 3],
    ])
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
      return onlyValue<string>(store.db)`${prepared} select name from held`
    }
    for (let round = 0; round < 8; round++)
      expect([await inSchema('one'), await inSchema('two')]).toEqual(['one', 'two'])
  } finally {
    await store.close()
  }
})
