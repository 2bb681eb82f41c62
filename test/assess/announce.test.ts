import { beforeEach, expect, test } from 'vitest'
import { type AssessedMove, announceTo } from '../../src/assess/announce.ts'
import { scoreChange } from '../../src/assess/score-changes.ts'
import type { Subject } from '../../src/store/assessments/subjects.ts'
import { subjectsByIds } from '../../src/store/assessments/subjects.ts'
import { sql } from '../../src/store/engine/database.ts'
import { indexMarket } from '../../src/store/search/upkeep.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import { assessment, emptyTables, finding, listing, property } from '../setup/rows.ts'
import { today } from '../setup/small-market.ts'

const store = useDatabaseWithQueue()
const market = 'sf-peninsula'
let id: string
let subject: Subject

beforeEach(async () => {
  const { db } = store()
  await emptyTables(db, 'property', 'listing', 'event')
  id = await property(db)
  await listing(db, { property_id: id, price_usd: 1_500_000, listing_id: 'L1', source_id: 'test' })
  await assessment(db, id, { teardown_score: 12 })
  await indexMarket(db, market)
  subject = (await subjectsByIds(db, market, [id]))[0]!
})

interface Scores {
  teardownScore?: number
  flippabilityScore?: number
  redevelopmentScore?: number
}

const move = (before: Scores, after: Scores, silent = false, untouched = false): AssessedMove => {
  const { redevelopmentScore: _, ...previous } = before
  return {
    subject,
    before: { ...before, propertyId: id } as AssessedMove['before'],
    after: { ...after, propertyId: id, market } as AssessedMove['after'],
    change: { ...after, market, propertyId: id, previous, reason: 'A test', changed: [], modelVersion: '1' },
    silent,
    untouched,
  }
}

/** Of the last call of `announced`. */
let withheld = 0

/** The events of one assessment: names, with a question mark for a change below the threshold. */
const announced = async (...moves: AssessedMove[]): Promise<string[]> => {
  const { db, queue } = store()
  await sql`delete from event`.execute(db)
  withheld = await announceTo({ queue }, today)(db, { market, today: '2026-11-14', ids: [id], moves })
  const { rows } = await sql<{ type: string; minor: boolean }>`select type, minor from event order by seq`.execute(db)
  return rows.map(({ type, minor }) => (minor ? `${type}?` : type))
}

const scored = 'property.score_updated'

test('the first value of a score creates no event, even if the other score existed; every later change creates one', async () => {
  expect(await announced(move({}, { teardownScore: 12 }))).toEqual([])
  expect(await announced(move({ teardownScore: 12 }, { teardownScore: 12, flippabilityScore: 40 }))).toEqual([])
  expect(await announced(move({ flippabilityScore: 40 }, { teardownScore: 12, flippabilityScore: 40 }))).toEqual([])
  expect(await announced(move({ flippabilityScore: 40 }, { flippabilityScore: 41 }))).toEqual([`${scored}?`])
  expect(await announced(move({ teardownScore: 12, flippabilityScore: 40 }, { teardownScore: 12 }))).toEqual([scored])
})

test('small changes add up: they are compared with the score last announced', async () => {
  expect(await announced(move({ flippabilityScore: 40 }, { flippabilityScore: 42 }))).toEqual([`${scored}?`])
  expect(await announced(move({ flippabilityScore: 42 }, { flippabilityScore: 43 }))).toEqual([scored])
  expect(await announced(move({ flippabilityScore: 43 }, { flippabilityScore: 41 }))).toEqual([`${scored}?`])
})

test('a silent change sends nothing, is counted, and moves the score that later ones are compared with', async () => {
  expect(await announced(move({ flippabilityScore: 40 }, { flippabilityScore: 42 }))).toEqual([`${scored}?`])
  expect(await announced(move({ flippabilityScore: 42 }, { flippabilityScore: 60 }, true))).toEqual([])
  expect(withheld).toBe(1)
  expect(await announced(move({ flippabilityScore: 60 }, { flippabilityScore: 61 }))).toEqual([`${scored}?`])
  expect(withheld).toBe(0)
  // Also a silent change below the threshold: the next one is compared with 62, not with 60.
  expect(await announced(move({ flippabilityScore: 61 }, { flippabilityScore: 62 }, true))).toEqual([])
  expect(await announced(move({ flippabilityScore: 62 }, { flippabilityScore: 64 }))).toEqual([`${scored}?`])
})

test('a change without a new record sends nothing, and the next change is compared with what was announced before it', async () => {
  expect(await announced(move({ flippabilityScore: 40 }, { flippabilityScore: 45 }, false, true))).toEqual([])
  expect(await announced(move({ flippabilityScore: 45 }, { flippabilityScore: 46 }))).toEqual([scored])
  const reached = move({ redevelopmentScore: 50 }, { redevelopmentScore: 70 }, false, true)
  expect(await announced(reached)).toEqual([])
  expect(await announced(move({ redevelopmentScore: 70 }, { redevelopmentScore: 71 }))).toEqual(['lead.created'])
})

test('lead.created is sent when a parcel first reaches 60, not when it returns and not after a silent change', async () => {
  const same = { teardownScore: 12 }
  const to = (from: number, score: number, silent = false) =>
    announced(move({ ...same, redevelopmentScore: from }, { ...same, redevelopmentScore: score }, silent))
  expect(await to(50, 59.9)).toEqual([])
  expect(await to(59.9, 61)).toEqual(['lead.created'])
  expect(await to(61, 50)).toEqual([])
  expect(await to(50, 70)).toEqual([])
  await sql`delete from announced_score`.execute(store().db)
  expect(await to(50, 70, true)).toEqual([])
  expect(await to(70, 50)).toEqual([])
  expect(await to(50, 70)).toEqual([])
})

test('the reason of a change names inputs whose sentence changed, the largest first', () => {
  const part = (name: string, points: number, because: string) => ({ name, points, because })
  const parts = (lot: number, age: number, text: string) => [
    part('lot', lot, 'The lot has 7,000 sq ft'),
    part('age', age, text),
    part('permits', age === 10 ? 0 : -3, age === 10 ? 'No permits' : 'One remodel'),
  ]
  const before = { teardownScore: 30, flippabilityScore: 50 }
  const { changed, reason } = scoreChange(
    before as Parameters<typeof scoreChange>[0],
    { teardown: parts(5, 10, 'Built in 1950'), flippability: [] },
    {
      ...{ market, propertyId: id, modelVersion: '1', teardownScore: 41, flippabilityScore: 50 },
      explanation: { teardown: finding({ parts: parts(12, 14, 'Built in 1940') }) },
    } as Parameters<typeof scoreChange>[2],
    false,
  )
  // The points of the lot moved the most, because the others did.
  expect(changed.map(({ input, points }) => [input, points])).toEqual([
    ['age', 4],
    ['permits', -3],
  ])
  expect(reason).toBe('Built in 1940; before: Built in 1950 (+4.0 points).')
})

const change = (given: string) =>
  sql`insert into listing_change (market, source_id, listing_id, property_id, changed_on, changed_at, price_usd, status, previous_price_usd, previous_status)
    values ${sql.raw(given.replaceAll('@', `'${market}', 'test', 'L1', '${id}', '2026-11-14'`))}`.execute(store().db)

test('listing changes are announced once, with the assessed home; several since the last assessment are one', async () => {
  await change(
    `(@, '2026-11-14T01:00Z', 1700000, 'active', 1800000, 'active'), (@, '2026-11-14T02:00Z', 1500000, 'active', 1700000, 'active')`,
  )
  expect(await announced()).toEqual(['listing.price_changed'])
  const { rows } = await sql<{ data: object; row: object }>`
    select body::jsonb->'data' as data, search_row as row from event`.execute(store().db)
  expect(rows[0]).toMatchObject({
    data: { propertyId: id, price: 1_500_000, previous: { price: 1_800_000 }, changePct: -16.7, teardownScore: 12 },
    row: { id, numbers: { price: 1_500_000 }, texts: { status: 'active' } },
  })
  expect(await announced()).toEqual([])
})

test('a home that became pending and then sold since the last assessment has both events, each with its own price', async () => {
  await change(
    `(@, '2026-11-14T01:00Z', 1800000, 'pending', 1800000, 'active'), (@, '2026-11-14T02:00Z', 1750000, 'sold', 1800000, 'pending')`,
  )
  expect(await announced()).toEqual(['listing.status_changed', 'listing.status_changed'])
  const rows = await eventsInOrder()
  expect(rows.map(({ data }) => data)).toMatchObject([
    { status: 'pending', price: 1_800_000, previous: { status: 'active' } },
    {
      ...{ status: 'sold', price: 1_750_000, previous: { status: 'pending', price: 1_800_000 } },
      ...{ changePct: -2.8, teardownScore: 12 },
    },
  ])
  // The scores are those of the home as sold.
  expect(rows[0]!.data).not.toHaveProperty('teardownScore')
  // A receiver can order them by their time.
  expect(new Set(rows.map(({ timestamp }) => timestamp)).size).toBe(2)
})

test('a price cut before the home became pending is announced before it', async () => {
  await change(
    `(@, '2026-11-14T01:00Z', 1700000, 'active', 1800000, 'active'), (@, '2026-11-14T02:00Z', 1700000, 'pending', 1700000, 'active')`,
  )
  await announced()
  expect((await eventsInOrder()).map(({ data }) => [data.status, data.price])).toEqual([
    ['active', 1_700_000],
    ['pending', 1_700_000],
  ])
})

test('after a status change and a later price cut in one run, the last event has the present price', async () => {
  await change(
    `(@, '2026-11-14T01:00Z', 1800000, 'pending', 1800000, 'active'), (@, '2026-11-14T02:00Z', 1800000, 'active', 1800000, 'pending'),
      (@, '2026-11-14T03:00Z', 1700000, 'active', 1800000, 'active')`,
  )
  await announced()
  expect((await eventsInOrder()).map(({ data }) => [data.status, data.price])).toEqual([
    ['pending', 1_800_000],
    ['active', 1_800_000],
    ['active', 1_700_000],
  ])
})

const eventsInOrder = async () => {
  const { rows } = await sql<{ timestamp: string; data: { status: string; price: number } }>`
    select body::jsonb->>'timestamp' as timestamp, body::jsonb->'data' as data from event
    where created_at = (body::jsonb->>'timestamp')::timestamptz order by created_at`.execute(store().db)
  return rows
}

test('a new listing is created once; a listing that left the market has a status event and no price event', async () => {
  await change(`(@, '2026-11-14T01:00Z', 1500000, 'active', null, null)`)
  expect(await announced()).toEqual(['listing.created'])
  await change(`(@, '2026-11-14T03:00Z', 1450000, 'sold', 1500000, 'active')`)
  expect(await announced()).toEqual(['listing.status_changed'])
})
