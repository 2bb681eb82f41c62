// What is computed as of a day equals what a database computes whose records end on that day.
import { beforeAll, expect, test } from 'vitest'
import { fitAndAssess } from '../../src/assess/fit-and-assess.ts'
import { sql } from '../../src/store/engine/database.ts'
import { indexPermits } from '../../src/store/permit-search/upkeep.ts'
import { assessmentOf } from '../../src/store/properties/properties.ts'
import { useDatabase } from '../setup/database.ts'
import { listing, permit, sale } from '../setup/rows.ts'
import { smallMarket, today } from '../setup/small-market.ts'

const store = useDatabase()
const market = 'sf-peninsula'
/** Two halves of a year; weekly its months. */
const steps = process.env.LOTLINE_WEEKLY ? 12 : 2
const days = Array.from({ length: steps }, (_, at) => new Date(Date.UTC(2026, 8 - at * (12 / steps), 1, 12)))

beforeAll(async () => {
  const { db } = store()
  const { ids } = await smallMarket(db)
  // Records all through the year: sales, demolitions after them, permits that are finaled later, listings that are sold later.
  for (const [at, id] of ids.slice(0, 60).entries()) {
    const month = (day: number, later = 0) =>
      new Date(Date.UTC(2025, 9 + (at % 12) + later, day)).toISOString().slice(0, 10)
    const home = { property_id: id, match_method: 'apn', match_confidence: 'high' }
    await sale(db, {
      ...home,
      sold_on: month(3),
      price_usd: 1_500_000 + at * 20_000,
      list_price_usd: 1_450_000,
      living_sqft: 1_800,
      lat: 37.43,
      lng: -122.13,
    })
    if (at % 3 === 0)
      await permit(db, {
        ...home,
        permit_class: 'whole_house_demolition',
        issued_on: month(12, 1),
        applied_on: month(2),
        status: 'issued',
      })
    if (at % 4 === 0)
      await permit(db, {
        ...home,
        permit_class: 'new_house',
        sqft: 3_000,
        issued_on: month(25, 1),
        applied_on: month(5),
        finaled_on: month(27, 2),
        status: 'finaled',
      })
    if (at % 5 === 1)
      await listing(db, {
        ...home,
        status: 'sold',
        price_usd: 1_700_000 + at * 10_000,
        listed_on: month(6),
        pending_on: month(15),
        sold_on: month(24),
        current: false,
      })
  }
  await sql`update listing l set current = not exists (
    select 1 from listing o where o.property_id = l.property_id and o.listed_on > l.listed_on)`.execute(db)
}, 120_000)

/** Removes what happened after a day. */
const endOn = async (day: string): Promise<number> => {
  const { db } = store()
  const { rows } = await sql<{ count: number }>`
    with s as (delete from sale where sold_on > ${day} returning 1),
    l as (delete from listing where listed_on > ${day} returning 1),
    p as (delete from permit where coalesce(applied_on, issued_on) > ${day} returning 1)
    select (select count(*) from s) + (select count(*) from l) + (select count(*) from p) as count`.execute(db)
  await sql`update permit set issued_on = case when issued_on <= ${day} then issued_on end, status = case when issued_on <= ${day} then 'issued' else 'applied' end,
    finaled_on = null where greatest(issued_on, finaled_on) > ${day}`.execute(db)
  await indexPermits(db)
  await sql`update listing set status = case when pending_on <= ${day} then 'pending' else 'active' end,
    pending_on = case when pending_on <= ${day} then pending_on end, sold_on = null where sold_on > ${day}`.execute(db)
  await sql`update listing l set current = not exists (
    select 1 from listing o where o.property_id = l.property_id and o.listed_on > l.listed_on)`.execute(db)
  return rows[0]!.count
}

/** Every fit that was ever saved: a different one would be a new version or a changed body. */
const models = async () =>
  (
    await sql<{ name: string; body: string }>`
      select name, version, body::text from model where market = ${market} and name <> 'score-ranks' order by 1, 2`.execute(
      store().db,
    )
  ).rows

const series = async () =>
  (await sql`select city_slug, zip, length, period, figures from market_series order by 1, 2, 3, 4`.execute(store().db))
    .rows

test('moved through a year, nothing that is fitted or assessed has seen a later record', async () => {
  const { db } = store()
  for (const asOf of days) {
    const day = asOf.toISOString().slice(0, 10)
    const early = await fitAndAssess(db, market, { now: today, asOf, quick: true })
    const before = { fitted: early.fitted, models: await models(), series: await series() }
    expect(await endOn(day), day).toBeGreaterThan(0)
    const { changed, fitted } = await fitAndAssess(db, market, { now: today, asOf, quick: true })
    expect({ day, changed, fitted, models: await models(), series: await series() }).toEqual({
      day,
      changed: 0,
      ...before,
    })
  }
  const id = (
    await sql<{ id: string }>`select property_id as id from assessment where value_usd is not null limit 1`.execute(db)
  ).rows[0]!.id
  expect((await assessmentOf(db, id))!.assessedOn).toBe(days.at(-1)!.toISOString().slice(0, 10))
}, 300_000)
