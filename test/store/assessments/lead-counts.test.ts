// The kept counts of leads against a plain count, through everything that can happen to a lead.
import { beforeEach, expect, test } from 'vitest'
import { writeAssessments } from '../../../src/store/assessments/assessments.ts'
import { countLeads, countLeadsAfter } from '../../../src/store/assessments/lead-counts.ts'
import { aduPage, type LeadPage, redevelopmentPage, sb9Page } from '../../../src/store/assessments/leads.ts'
import { type Db, inTransaction, openDatabase, sql } from '../../../src/store/engine/database.ts'
import { newDatabase, useDatabase } from '../../setup/database.ts'
import { listing, property } from '../../setup/rows.ts'

const database = useDatabase()
beforeEach(async () => {
  await sql`truncate source, property, event, touched_property cascade`.execute(database().db)
})

const now = new Date('2026-11-15T00:00:00Z')
const cities = ['Palo Alto', 'Menlo Park']
const slugs = ['palo-alto', 'menlo-park']

/** Numbers that look drawn at random and are the same in every run (Park and Miller, 1988). */
const drawing = (seed: number) => {
  let state = seed
  const below = (most: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % most
  }
  return { below, one: <T>(of: readonly T[]): T => of[below(of.length)]! }
}
type Draw = ReturnType<typeof drawing>

let hash = 0
const write = (db: Db, propertyId: string, citySlug: string, content: object) => {
  const of = { propertyId, market: 'sf-peninsula' as const, citySlug, modelVersion: 'test' }
  return writeAssessments(db, [{ ...of, contentHash: `hash-${hash++}`, json: JSON.stringify(content) }], now)
}

const assess = (db: Db, propertyId: string, citySlug: string, { below, one }: Draw) =>
  write(db, propertyId, citySlug, {
    sb9Status: one(['eligible', 'likely', 'blocked', undefined]),
    sb9MaxUnits: one([2, 3, 4, undefined]),
    sb9Blocked: one([true, false, undefined]),
    sb9: {},
    aduScore: one([below(6) * 20, undefined]),
    aduBlocked: one([true, false, undefined]),
    adu: {},
    redevelopmentScore: one([below(6) * 20, undefined]),
    redevelopmentClass: one(['teardown_candidate', 'expansion', undefined]),
    redevelopmentBlocked: one([true, false, undefined]),
    redevelopment: {},
  })

/** The next thing to happen, to a lead or to the facts it stands on. */
const happen = async (db: Db, draw: Draw, id: string) => {
  const { below, one } = draw
  const at = below(cities.length)
  const { rows } = await sql`select 1 from property where id = ${id}`.execute(db)
  if (rows.length === 0) {
    await property(db, { id, city: cities[at] })
    if (below(3) > 0) await listing(db, { property_id: id, city: cities[at] })
    return assess(db, id, slugs[at]!, draw)
  }
  await one([
    () => assess(db, id, one(slugs), draw),
    () => assess(db, id, one(slugs), draw),
    () => sql`update property set gone_at = ${one([now, null])} where id = ${id}`.execute(db),
    () =>
      sql`update listing set status = ${one(['active', 'pending', 'sold', 'withdrawn'])} where property_id = ${id}`.execute(
        db,
      ),
    () => sql`delete from property where id = ${id}`.execute(db),
    () => sql`update assessment set model_version = 'other' where property_id = ${id}`.execute(db),
  ])()
}

const idsOf = async (db: Db, question: ReturnType<typeof sql>): Promise<string[]> =>
  (await sql<{ id: string }>`${question}`.execute(db)).rows.map(({ id }) => id)

/** Page by page, as a caller walks; every page says the same total. */
const walked = async (page: (offset: number) => Promise<LeadPage>): Promise<string[]> => {
  const ids: string[] = []
  for (;;) {
    const { rows, total } = await page(ids.length)
    ids.push(...rows.map(({ id }) => id))
    if (rows.length > 0) expect(total).toBeGreaterThanOrEqual(ids.length)
    else {
      expect(total).toBe(ids.length)
      return ids
    }
  }
}

const expectExact = async (db: Db) => {
  for (const citySlug of [undefined, ...slugs])
    for (const excludeBlockers of [undefined, true]) {
      const inCity = citySlug === undefined ? sql`` : sql`and a.city_slug = ${citySlug}`
      for (const minScore of [0, 41])
        for (const [leads, kind, only] of [
          [aduPage, 'adu'],
          [redevelopmentPage, 'redevelopment'],
          [redevelopmentPage, 'redevelopment', 'expansion'],
        ] as const) {
          const filter = { minScore, citySlug, excludeBlockers, ...(only ? { class: only } : {}) }
          const score = sql.ref(`a.${kind}_score`)
          const plain = await idsOf(
            db,
            sql`select p.id from assessment a join property p on p.id = a.property_id
              where p.gone_at is null and ${score} >= ${minScore} ${inCity}
                ${only ? sql`and a.redevelopment_class = ${only}` : sql``}
                ${excludeBlockers ? sql`and ${sql.ref(`a.${kind}_blocked`)} is not true` : sql``}
              order by ${score} desc, p.id`,
          )
          const ids = await walked((offset) => leads(db, filter, { limit: 9, offset }))
          expect([kind, filter, ids]).toEqual([kind, filter, plain])
        }
      const listedIn = citySlug === undefined ? sql`` : sql`and l.city_slug = ${citySlug}`
      for (const statuses of [['likely'], ['eligible', 'likely'], ['eligible', 'likely', 'blocked']])
        for (const minUnits of [undefined, 3]) {
          const filter = { statuses, minUnits, citySlug, excludeBlockers }
          const plain = await idsOf(
            db,
            sql`select l.property_id as id from listing l join assessment a on a.property_id = l.property_id
              where l.current and l.status in ('active', 'coming_soon', 'pending') ${listedIn}
                and a.sb9_status = any(${statuses}) ${excludeBlockers ? sql`and a.sb9_blocked is not true` : sql``}
                ${minUnits === undefined ? sql`` : sql`and a.sb9_max_units >= ${minUnits}`}
              order by array_position(array['eligible', 'likely', 'blocked'], a.sb9_status), a.sb9_max_units desc nulls last, 1`,
          )
          const ids = await walked((offset) => sb9Page(db, filter, { limit: 9, offset }))
          expect([filter, ids]).toEqual([filter, plain])
        }
    }
}

const triggers = sql<{ tgenabled: string }>`
  select tgenabled from pg_trigger where tgrelid = 'assessment'::regclass and tgname like 'leads\\_%'`

const marks = async (db: Db): Promise<number> =>
  (await sql<{ n: number }>`select count(*) as n from derived.lead_count where market = ''`.execute(db)).rows[0]!.n

/** They are counted, not only answered as if they were: what is kept is what a plain count gives, number by number. */
const expectCounted = async (db: Db) => {
  const { rows: states } = await triggers.execute(db)
  expect(states.map(({ tgenabled }) => tgenabled)).toEqual(['O', 'O', 'O', 'O'])
  expect(await marks(db)).toBe(1)
  const { rows: kept } = await sql`
    select market, kind, score, city_slug, class, blocked, sum(leads)::bigint as leads from derived.lead_count
    where market <> '' group by 1, 2, 3, 4, 5, 6 having sum(leads) <> 0 order by 1, 2, 3, 4, 5, 6`.execute(db)
  const { rows: plain } = await sql`
    select a.market, l.kind, l.score, a.city_slug, l.class, l.blocked, count(*) as leads
    from assessment a, derived.leads_of(
      a.adu_score, a.adu_blocked, a.redevelopment_score, a.redevelopment_class, a.redevelopment_blocked) l
    group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6`.execute(db)
  expect(kept).toEqual(plain)
}

const totalOf = async (db: Db): Promise<number> => (await aduPage(db, { minScore: 0 }, { limit: 1, offset: 0 })).total

/** Each has written and none has committed when it opens. */
const gate = (writers: number) => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  let arrived = 0
  return {
    opened,
    open,
    arrive: () => {
      if (++arrived === writers) open()
      return opened
    },
  }
}

const lead = { aduScore: 80, adu: {} }

test('totals and pages are those of a plain count, before the leads are counted and whatever happens after', async () => {
  const { db } = database()
  const draw = drawing(20_261_115)
  for (let n = 0; n < 60; n++) await happen(db, draw, `p${draw.below(40)}`)
  await expectExact(db)
  await countLeads(db)
  await expectCounted(db)
  await expectExact(db)
  for (let round = 0; round < 2; round++) {
    for (let n = 0; n < 80; n++) await happen(db, draw, `p${draw.below(40)}`)
    await expectCounted(db)
    await expectExact(db)
  }
})

test('what is rolled back counts for nothing, and emptied tables hold no leads', async () => {
  const { db } = database()
  const draw = drawing(7)
  for (let n = 0; n < 30; n++) await happen(db, draw, `p${draw.below(15)}`)
  await countLeads(db)
  await expectCounted(db)
  const failing = inTransaction(db, async (tx) => {
    for (let n = 0; n < 30; n++) await happen(tx, draw, `p${draw.below(30)}`)
    await expectExact(tx)
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  await expectCounted(db)
  await expectExact(db)
  await sql`truncate property cascade`.execute(db)
  await expectExact(db)
  for (let n = 0; n < 30; n++) await happen(db, draw, `p${draw.below(15)}`)
  await expectExact(db)
  await countLeads(db)
  await expectCounted(db)
  await expectExact(db)
})

test('those who write leads at once do not wait for each other, however many, and all their leads are counted', async () => {
  const open = openDatabase({ ...(await newDatabase()), poolSize: 19 })
  try {
    const { db } = open
    await countLeads(db)
    // Two more than there are slots.
    const ids = Array.from({ length: 18 }, (_, n) => `p${n}`)
    for (const id of ids) await property(db, { id })
    const { arrive } = gate(ids.length)
    // All write to the same count.
    const writers = ids.map((id) =>
      inTransaction(db, async (tx) => {
        await write(tx, id, 'palo-alto', lead)
        await arrive()
      }),
    )
    await Promise.all(writers)
    await expectCounted(db)
    expect(await totalOf(db)).toBe(ids.length)
    const { rows } = await sql<{ shared: number; own: number }>`
      select count(*) filter (where slot > 0) as shared, count(*) filter (where slot < 0) as own from derived.lead_count`.execute(
      db,
    )
    expect(rows[0]).toEqual({ shared: 16, own: 2 })
  } finally {
    await open.close()
  }
})

test('leads being written while they are counted for the first time are counted once', async () => {
  const { db } = database()
  const ids = ['before', 'during', 'after']
  for (const id of ids) await property(db, { id })
  await write(db, 'before', 'palo-alto', lead)
  const written = gate(1)
  const waitedFor = gate(1)
  const writer = inTransaction(db, async (tx) => {
    await write(tx, 'during', 'palo-alto', lead)
    written.open()
    await waitedFor.opened
  })
  await written.opened
  const waiting = async (processes: number) => {
    for (let asked = 0; asked < 5000; asked++) {
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from pg_locks where relation = 'assessment'::regclass and not granted`.execute(db)
      if (rows[0]!.n === processes) return
    }
    throw new Error('nobody waits for the writer')
  }
  // Two processes at once, and a writer behind them.
  const behind: Promise<void>[] = [countLeads(db), countLeads(db)]
  try {
    await waiting(2)
    behind.push(write(db, 'after', 'palo-alto', lead))
    await waiting(3)
  } finally {
    waitedFor.open()
    await Promise.all([writer, ...behind])
  }
  await expectCounted(db)
  expect(await totalOf(db)).toBe(ids.length)
})

test('triggers switched on in a store that is not counted, or rows kept by nobody, do not falsify a total', async () => {
  const { db } = database()
  for (const id of ['p1', 'p2', 'p3', 'p4']) await property(db, { id })
  await write(db, 'p1', 'palo-alto', lead)
  await sql`alter table assessment enable trigger all`.execute(db)
  await write(db, 'p2', 'palo-alto', lead)
  const { rows: kept } = await sql`select from derived.lead_count`.execute(db)
  expect([kept.length, await totalOf(db)]).toEqual([0, 2])
  await countLeads(db)
  await expectCounted(db)
  await sql`alter table assessment disable trigger all`.execute(db)
  await write(db, 'p3', 'palo-alto', lead)
  expect(await totalOf(db)).toBe(3)
  await countLeads(db)
  await write(db, 'p4', 'palo-alto', lead)
  await expectCounted(db)
  expect(await totalOf(db)).toBe(4)
  await sql`alter table assessment enable trigger all`.execute(db)
})

const market = 'sf-peninsula'
const run = (db: Db, given: { market?: string; scope?: string; state?: string } = {}) => {
  const { market: of = market, scope = 'market', state = 'completed' } = given
  return sql`insert into assess_run (market, scope, state) values (${of}, ${scope}, ${state})`.execute(db)
}

test('leads are counted after a large run, or the second of a small market, and after no other', async () => {
  const { db } = database()
  const countedAfter = async (considered: number) => {
    await countLeadsAfter(db, { market, considered })
    return (await marks(db)) === 1
  }
  await sql`truncate assess_run cascade`.execute(db)
  await run(db)
  await run(db, { market: 'elsewhere' })
  await run(db, { scope: 'properties' })
  await run(db, { state: 'failed' })
  expect(await countedAfter(19_999)).toBe(false)
  expect(await countedAfter(20_000)).toBe(true)
  await expectCounted(db)
  await sql`truncate assessment`.execute(db)
  expect(await countedAfter(1)).toBe(false)
  await run(db)
  expect(await countedAfter(1)).toBe(true)
  await expectCounted(db)
})

test('a run whose leads cannot be counted now is completed all the same; a wrong statement is heard of', async () => {
  const { db } = database()
  await inTransaction(db, async (tx) => {
    await sql`lock table assessment in share row exclusive mode`.execute(tx)
    await expect(countLeads(db)).rejects.toMatchObject({ code: '55P03' })
    await countLeadsAfter(db, { market, considered: 20_000 })
  })
  await sql`alter table derived.lead_count rename to away`.execute(db)
  await expect(countLeadsAfter(db, { market, considered: 20_000 })).rejects.toThrow('does not exist')
  await sql`alter table derived.away rename to lead_count`.execute(db)
  await countLeadsAfter(db, { market, considered: 20_000 })
  await expectCounted(db)
})
