// Permits whose city a feed corrects after they were loaded.
import { beforeEach, expect, test } from 'vitest'
import { sql } from '../../src/store/engine/database.ts'
import { recountMarket } from '../../src/store/ingest/dataset-counts.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import { emptyTables } from '../setup/rows.ts'
import { ingest, permitRow, type Row, tableRows } from './feed.ts'

const store = useDatabaseWithQueue()
beforeEach(async () => {
  await emptyTables(store().db, 'source', 'property', 'event', 'touched_property', 'permit_search', 'permit_city')
})

const builder = { contractor: 'Oak Builders Inc' }
const others = Array.from({ length: 5 }, (_, at) =>
  permitRow({ permitId: `B-${at + 10}`, address: `${at + 20} Oak St`, apn: undefined, ...builder }),
)
const wrong = permitRow({ permitId: 'B-1', city: 'Palo Alto', status: 'Applied', issuedOn: undefined, ...builder })
const load = (rows: readonly Row[], day: number, given: object = {}) =>
  ingest(store(), 'permits', rows, given, { now: new Date(`2026-11-${day}T12:00:00Z`) })

const stored = async () => {
  const { rows } = await sql<{ key: string }>`
    select city_slug || '/' || permit_id || coalesce(' ' || (select string_agg(c.previous_status || '>' || c.status, ' ')
      from permit_change c where (c.market, c.city_slug, c.permit_id) = (p.market, p.city_slug, p.permit_id)), '') as key
    from permit p where permit_id = 'B-1' order by 1`.execute(store().db)
  return rows.map(({ key }) => key)
}

/** What the load has written agrees with a count of every row. */
const expectCounted = async () => {
  const counts = () => sql`select city_slug, source_id, rows, removed from dataset_count where rows > 0 order by 1, 2`
  const before = (await counts().execute(store().db)).rows
  await recountMarket(store().db, 'sf-peninsula')
  expect((await counts().execute(store().db)).rows).toEqual(before)
  const { rows } = await sql`
    select (select count(*) from permit)::int as permits, (select count(*) from permit_search join permit using (market, city_slug, permit_id))::int as searched,
      (select count(*) from permit_search)::int as rows,
      (select array_agg(distinct city_slug) from permit) = (select array_agg(city_slug order by city_slug) from permit_city) as cities`.execute(
    store().db,
  )
  const [{ permits }] = rows as [{ permits: number }]
  expect(rows).toEqual([{ permits, searched: permits, rows: permits, cities: true }])
}

test.each([{ complete: true }, {}])(
  'a permit moves with its history to the city that its feed corrects %o',
  async (given) => {
    await load([...others, wrong], 11, given)
    const issued = { ...wrong, status: 'Issued', issuedOn: '2026-11-12' }
    await load([...others, issued], 12, given)
    const menlo = { ...issued, city: 'Menlo Park' }
    expect(await load(given.complete ? [...others, menlo] : [menlo], 13, given)).toMatchObject({
      removed: 0,
      counts: { inserted: 0, changed: 1 },
    })
    expect(await stored()).toEqual(['menlo-park/B-1 applied>issued'])
    expect((await sql`select permits from builder`.execute(store().db)).rows).toEqual([{ permits: 6 }])
    await expectCounted()
    const state = await tableRows(store(), 'permit')
    await load(given.complete ? [...others, menlo] : [menlo], 14, given)
    expect(await tableRows(store(), 'permit')).toEqual(state)
  },
)

test('a city that loses its last permit is no city of permits any more', async () => {
  await load([wrong, permitRow({ permitId: 'B-2', city: 'Atherton' })], 11)
  await load([{ ...wrong, city: 'Menlo Park' }], 12)
  expect(await stored()).toEqual(['menlo-park/B-1'])
  await expectCounted()
})

test('a permit that an earlier version stored twice is stored once after the next read', async () => {
  await load([wrong, { ...wrong, city: 'Menlo Park' }, { ...wrong, city: 'Atherton' }], 11)
  expect(await stored()).toEqual(['atherton/B-1', 'menlo-park/B-1', 'palo-alto/B-1'])
  await load([{ ...wrong, city: 'Menlo Park' }], 12)
  expect(await stored()).toEqual(['menlo-park/B-1'])
  await expectCounted()
})

test('a number that another city uses as well, or another source, stays with its permit', async () => {
  await load([wrong, permitRow({ permitId: 'B-2', city: 'Atherton' })], 11)
  const twin = { ...wrong, city: 'Menlo Park', address: '7 Elm St', apn: '999-99-999', description: 'New roof' }
  await load([twin], 12)
  await load([{ ...twin, status: 'Issued' }], 13)
  await load([{ ...wrong, city: 'Atherton' }], 14, { id: 'other' })
  expect(await stored()).toEqual(['atherton/B-1', 'menlo-park/B-1 applied>issued', 'palo-alto/B-1'])
  await expectCounted()
})

test('one permit that its feed now has in two cities moves to one of them, and its history with it', async () => {
  await load([wrong, permitRow({ permitId: 'B-2', city: 'Atherton' })], 11)
  const issued = { ...wrong, status: 'Issued', issuedOn: '2026-11-12' }
  await load([issued], 12)
  await load(
    [
      { ...issued, city: 'Menlo Park' },
      { ...issued, city: 'Atherton' },
    ],
    13,
  )
  expect(await stored()).toEqual(['atherton/B-1 applied>issued', 'menlo-park/B-1'])
  await expectCounted()
})

test('two permits of one number, work and day in two cities are two if their addresses differ', async () => {
  const roof = { ...wrong, description: 'Reroof', appliedOn: '2026-11-10' }
  await load([roof, permitRow({ permitId: 'B-2', city: 'Menlo Park' })], 11)
  await load([{ ...roof, city: 'Menlo Park', address: '99 Pine St', apn: '222-22-222' }], 12)
  expect(await stored()).toEqual(['menlo-park/B-1', 'palo-alto/B-1'])
  const nowhere = { ...roof, address: undefined, apn: undefined }
  await load([{ ...nowhere, city: 'Atherton' }], 13)
  expect(await stored()).toEqual(['atherton/B-1', 'menlo-park/B-1', 'palo-alto/B-1'])
  await load([{ ...nowhere, city: 'San Carlos' }], 14)
  expect(await stored()).toEqual(['menlo-park/B-1', 'palo-alto/B-1', 'san-carlos/B-1'])
  await expectCounted()
})

test('a feed corrects the city of all its permits', async () => {
  const rows = Array.from({ length: 2_000 }, (_, at) =>
    permitRow({ permitId: `B-${at}`, address: `${at} Oak St`, apn: undefined }),
  )
  await load(rows, 11)
  const moved = rows.map((row) => ({ ...row, city: 'Menlo Park' }))
  expect(await load(moved, 12, { complete: true })).toMatchObject({
    removed: 0,
    counts: { inserted: 0, changed: 2_000 },
  })
  await expectCounted()
})
