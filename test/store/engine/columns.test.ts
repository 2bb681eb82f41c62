import { expect, test } from 'vitest'
import { columnsOf, type RowOf } from '../../../src/store/engine/columns.ts'
import { sql } from '../../../src/store/engine/database.ts'
import type { WatchTable } from '../../../src/store/engine/schema.ts'
import { useDatabase } from '../../setup/database.ts'

const database = useDatabase()

test('columns are named once: for the statement and for the type of its rows', async () => {
  const columns = columnsOf<WatchTable>()('id keyId savedHome')
  const text = (alias?: string) => sql`select ${columns(alias)}`.compile(database().db).sql
  expect(text('w')).toBe('select "w"."id", "w"."key_id", "w"."saved_home"')
  expect(text()).toBe('select "id", "key_id", "saved_home"')
  const row: RowOf<typeof columns> = { id: 'wat_1', keyId: 'key_1', savedHome: false }
  expect(Object.keys(row)).toHaveLength(3)
  // @ts-expect-error The table has no such column.
  columnsOf<WatchTable>()('id savedhome')
})
