import { beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/store/engine/database.ts'
import { indexPermits } from '../../src/store/permit-search/upkeep.ts'
import { ask } from '../setup/ask.ts'
import { permit, source } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

const service = useService()
let pro: string
let free: string
beforeAll(async () => {
  service().setNow(new Date('2026-11-15T12:00:00Z'))
  const { db } = service()
  pro = await service().proKey()
  free = await service().freeKey()
  // 40 new houses in Palo Alto: 30 issued after 10, 20, … days, 10 open; 5 in Menlo Park.
  await sql`
    insert into permit (city_slug, permit_id, source_id, market, state, city, match_method, match_confidence, applied_on,
      issued_on, status, permit_class, collected_at)
    select case when n < 40 then 'palo-alto' else 'menlo-park' end, 'T-' || n, ${await source(db)}, 'sf-peninsula', 'CA',
      case when n < 40 then 'Palo Alto' else 'Menlo Park' end, 'none', 'low', '2020-01-01'::date,
      case when n < 30 then '2020-01-01'::date + 10 * (n + 1) end, case when n < 30 then 'issued' else 'applied' end,
      'new_house', now()
    from generate_series(0, 44) n`.execute(db)
  await indexPermits(db)
  await permit(db, { permit_id: 'NO-DATE', permit_class: 'new_house', issued_on: '2026-11-01' })
  await permit(db, {
    permit_id: 'SWAPPED',
    permit_class: 'new_house',
    applied_on: '2021-01-01',
    issued_on: '2020-01-01',
  })
})

const timelines = async (query: Record<string, string>, key = pro) =>
  (await ask(service(), `/v1/permit-timelines?${new URLSearchParams(query)}`, { key })).body

test('open applications are counted: the median is later than that of the issued ones', async () => {
  const { data } = await timelines({ city: 'Palo Alto', permitClass: 'new_house' })
  expect(data).toEqual([
    {
      n: 42,
      open: 10,
      toIssue: { n: 40, p25: 100, p50: 200 },
      toFinal: { n: 31 },
      neverIssuedPct: 25,
      stalledPct: 100,
      basis: expect.objectContaining({ withoutApplicationDate: 1, invalidDates: 1, observedTo: '2026-11-01' }),
    },
  ])
})

test('groups of fewer than 30 permits show their number only', async () => {
  const { data } = await timelines({ groupBy: 'city,permitClass' })
  expect(data[0]).toEqual({ city: 'Menlo Park', citySlug: 'menlo-park', permitClass: 'new_house', n: 5 })
  expect(data[1]).toMatchObject({ city: 'Palo Alto', permitClass: 'new_house', n: 42, toIssue: { p50: 200 } })
})

test('a windowed key reads applications within its window only', async () => {
  expect((await timelines({}, free)).data).toEqual([])
})

test('an unknown city is a 404 that names a near one', async () => {
  expect(await timelines({ city: 'Palo Atlo' })).toMatchObject({
    success: false,
    error: expect.stringContaining('Palo Alto'),
  })
})
