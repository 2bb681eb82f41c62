import { expect, test } from 'vitest'
import { columnsOf, type RowOf, recordset } from '../../../src/store/engine/columns.ts'
import {
  anyRow,
  execute,
  firstRow,
  firstValue,
  knownRows,
  onlyValue,
  sql,
  valuesOf,
} from '../../../src/store/engine/database.ts'
import type { WatchTable } from '../../../src/store/engine/schema.ts'
import { useDatabase } from '../../setup/database.ts'

const database = useDatabase()

test('columns are named once: for the statement and for the type of its rows', async () => {
  const columns = columnsOf<WatchTable>()('id keyId savedHome')
  const text = (alias?: string) => sql`select ${columns(alias)}`.compile(database().db).sql
  expect(text('w')).toBe('select "w"."id", "w"."key_id", "w"."saved_home"')
  expect(text()).toBe('select "id", "key_id", "saved_home"')
  expect(sql`select ${columns('w', 'named')}`.compile(database().db).sql).toBe(
    'select "w"."id" as "id", "w"."key_id" as "keyId", "w"."saved_home" as "savedHome"',
  )
  const row: RowOf<typeof columns> = { id: 'wat_1', keyId: 'key_1', savedHome: false }
  expect(Object.keys(row)).toHaveLength(3)
  // @ts-expect-error The table has no such column.
  columnsOf<WatchTable>()('id savedhome')
})

test('a statement gives its rows, its values, its first row or the number of rows written', async () => {
  const { db } = database()
  const rows = recordset('daily_count', [{ day: '2026-11-18', purpose: 'keys', subject: 'a', used: 2 }])
  expect(await execute(db)`insert into daily_count (day, purpose, subject, used) select * from ${rows}`).toBe(1)
  expect(await knownRows(db)`select day, used, null as missing from daily_count`).toEqual([
    { day: '2026-11-18', used: 2 },
  ])
  expect(await valuesOf<string>(db)`select subject from daily_count`).toEqual(['a'])
  expect(await onlyValue<number>(db)`select count(*) from daily_count`).toBe(1)
  expect(await firstValue(db)`select null`).toBeUndefined()
  expect(await firstRow(db)`select used from daily_count where used > 2`).toBeUndefined()
  expect(await anyRow(db)`select 1 from daily_count where used = 2`).toBe(true)
  expect(await execute(db)`update daily_count set used = 3 where subject = 'b'`).toBe(0)
})
