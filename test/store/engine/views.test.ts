import { expect, test } from 'vitest'
import { openDatabase, sql } from '../../../src/store/engine/database.ts'
import { pendingMigrations } from '../../../src/store/engine/health.ts'
import { makeViews, migrate } from '../../../src/store/engine/migrate.ts'
import { addShard } from '../../../src/store/engine/shards.ts'
import { type View, viewFiles, viewMark } from '../../../src/store/engine/view-files.ts'
import { newDatabase } from '../../setup/database.ts'

const [view] = (await viewFiles()) as [View]
/** The same with one more column, as the next version. */
const changed: View = {
  ...view,
  version: view.version + 1,
  text: view.text.replace('\nfrom property p\n', ', 1 as more\nfrom property p\n'),
}

/** How often the view was made, by the transaction that wrote its rule, its comment and its number of columns. */
const stateIn = async ({ db }: ReturnType<typeof openDatabase>, group: string) => {
  const { rows } = await sql<{ made: string; mark: string; columns: number }>`
    select r.xmin::text as made, obj_description(c.oid, 'pg_class') as mark, c.relnatts::int as columns
    from pg_class c join pg_rewrite r on r.ev_class = c.oid
    where c.relnamespace = ${group}::regnamespace and c.relname = ${view.name}`.execute(db)
  return rows[0]!
}

test('a changed view is made again in every group, once, and an unchanged one is not touched', async () => {
  const address = await newDatabase()
  const open = openDatabase(address)
  await addShard(open, 'g01')
  const first = await stateIn(open, 'g00')
  expect(first.mark).toBe(viewMark(view))
  expect(await migrate(open)).toEqual([])
  expect(await stateIn(open, 'g00')).toEqual(first)
  for (const group of ['g00', 'g01']) {
    expect((await stateIn(open, group)).columns).toBe(first.columns)
    await makeViews(open.db, group, [changed])
    expect(await stateIn(open, group)).toMatchObject({ mark: viewMark(changed), columns: first.columns + 1 })
  }
  const second = await stateIn(open, 'g00')
  await makeViews(open.db, 'g00', [changed])
  expect(await stateIn(open, 'g00')).toEqual(second)
  // The program of the version before starts again: its view has a column less.
  expect(await pendingMigrations(open.db)).toEqual([])
  expect(await migrate(open)).toEqual([])
  expect(await stateIn(open, 'g00')).toEqual(second)
  await open.close()
})

test('a view that was edited or dropped is made again by the next start, once by several processes', async () => {
  const address = await newDatabase()
  const open = Array.from({ length: 4 }, () => openDatabase(address))
  const { db } = open[0]!
  const { columns } = await stateIn(open[0]!, 'g00')
  const edited = { ...view, text: `${view.text}-- edited` }
  await makeViews(db, 'g00', [edited])
  expect((await stateIn(open[0]!, 'g00')).mark).toBe(viewMark(edited))
  expect(await pendingMigrations(db)).toEqual([`views/${view.name}.sql`])
  await sql`drop view g00.property_search_source`.execute(db)
  await Promise.all(open.map((each) => migrate(each)))
  expect(await stateIn(open[0]!, 'g00')).toMatchObject({ mark: viewMark(view), columns })
  expect(await pendingMigrations(db)).toEqual([])
  await Promise.all(open.map((each) => each.close()))
})

test('a view that fails leaves all views of the group as they were and says which file to correct', async () => {
  const open = openDatabase(await newDatabase())
  const before = await stateIn(open, 'g00')
  const wrong = { ...view, name: 'wrong', text: 'create view wrong as select price_usdd from listing;' }
  await expect(makeViews(open.db, 'g00', [changed, wrong])).rejects.toThrow(
    /^views\/wrong\.sql failed in g00, whose views were not changed: column "price_usdd" does not exist/,
  )
  expect(await stateIn(open, 'g00')).toEqual(before)
  const fewer = { ...changed, text: view.text.replace(/,\n[^\n]* as new_house_approval/, '') }
  await expect(makeViews(open.db, 'g00', [fewer])).rejects.toThrow(/cannot (drop columns from|change name of) view/)
  expect(await stateIn(open, 'g00')).toEqual(before)
  await open.close()
})
