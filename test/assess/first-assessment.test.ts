// What a running service does with a market that was just loaded.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { announceTo } from '../../src/assess/announce.ts'
import { assessMarket } from '../../src/assess/assess-market.ts'
import { type AssessJob, assessor } from '../../src/assess/jobs.ts'
import { marketsToAssessFirst } from '../../src/store/assessments/assess-runs.ts'
import { sql } from '../../src/store/engine/database.ts'
import { noticeReader } from '../../src/web/notice.ts'
import { ingest, listingRow, parcelRow, today } from '../ingest/feed.ts'
import { ask } from '../setup/ask.ts'
import { startSite, type TestSite } from '../web/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startSite()
  site.setNow(today)
})
afterAll(() => site?.close())

const assess = () => assessor({ db: site.db, queue: site.services.queue, clock: () => today, batchSize: 1 })
const settle = () => sql`update touched_property set touched_at = touched_at - interval '1 minute'`.execute(site.db)
const market = async () =>
  (await ask(site, '/v1/markets', { key: await site.proKey() })).body.data.find(
    ({ id }: { id: string }) => id === 'sf-peninsula',
  ).assessment
const list = async (path: string) => (await ask(site, path, { key: await site.proKey() })).body

const batches = async () => {
  const { rows } = await sql<{ data: AssessJob }>`
    select data from pgboss.job where name = 'assess' and data ? 'runId' order by data->>'afterId'`.execute(site.db)
  return rows.map(({ data }) => data)
}

test('the first parcels and listings of a market are assessed after loading ends; until then responses say so', async () => {
  const store = { ...site, queue: site.services.queue }
  await ingest(store, 'parcels', [parcelRow(), parcelRow({ apn: '123-45-999', address: '12 Oak St' })])
  await ingest(store, 'listings', [listingRow()])

  expect(await market()).toEqual({ state: 'not_assessed' })
  const { data, notAssessed } = await list('/v1/market-signals')
  expect(notAssessed).toMatch(
    /^Loaded, not yet assessed: .* The service starts it within two minutes of the last load\.$/,
  )
  expect((await list('/v1/adu-leads')).notAssessed).toMatch(/^Loaded, not yet assessed/)
  expect((await list(`/v1/properties/${data[0].id}`)).data.notAssessed).toMatch(/^Loaded, not yet assessed/)
  for (const path of ['/explore', '/coverage', '/leads/redevelopment', `/properties/${data[0].id}`])
    expect((await ask(site, path)).text, path).toContain('Loaded, not yet assessed')

  const leads = (await ask(site, '/leads')).text
  expect(leads).toContain('San Francisco Peninsula: not assessed yet')
  expect(leads).not.toContain('San Francisco Peninsula: 0 leads')

  // Another source may follow.
  expect(await assess().run({ touched: true })).toEqual({ considered: 0, changed: 0 })
  await settle()
  expect(await assess().run({ touched: true })).toEqual({ considered: 0, changed: 0, begun: ['sf-peninsula'] })
  // A second worker does not start it again.
  expect(await marketsToAssessFirst(site.db, today)).toEqual([])

  const jobs = await batches()
  expect(jobs.length).toBeGreaterThan(1)
  await assess().run(jobs[0]!)
  // A cached answer is dropped when the notification of the change arrives.
  await expect.poll(market).toMatchObject({ state: 'not_assessed', progressPct: Math.floor(100 / jobs.length) })
  expect((await ask(site, '/coverage')).text).toMatch(/\d+% of the properties are done\./)
  for (const job of jobs.slice(1)) await assess().run(job)

  await expect.poll(market).toMatchObject({ state: 'assessed' })
  const after = await list('/v1/market-signals')
  expect(after.notAssessed).toBeUndefined()
  expect(after.data[0].teardownScore).toBeTypeOf('number')
  expect((await list(`/v1/properties/${data[0].id}`)).data.notAssessed).toBeUndefined()
  expect(await assess().run({ touched: true })).toEqual({ considered: 0, changed: 0 })
})

test('a market assessed as of a day counts days on market up to that day until it is assessed without one', async () => {
  const store = { ...site, queue: site.services.queue }
  const repriced = (priceUsd: number) => ingest(store, 'listings', [listingRow({ priceUsd })])
  const announce = announceTo(site.services, today)
  const days = async (query = '') =>
    (await list(`/v1/market-signals${query}`)).data.map(
      (row: { metadata: { daysOnMarket: number } }) => row.metadata.daysOnMarket,
    )
  expect(await days()).toEqual([45])
  const asOf = new Date('2026-10-11T12:00:00Z')
  await repriced(2_900_000)
  await assessMarket(site.db, 'sf-peninsula', { now: today, asOf, announce })
  expect(await days()).toEqual([10])
  expect(await days('?maxDaysOnMarket=10')).toEqual([10])
  expect(await market()).toMatchObject({ state: 'assessed', asOf: '2026-10-11' })
  expect((await ask(site, '/coverage')).text).toContain('Assessed as of Oct 11, 2026')
  // Every figure has that day, on every page and in every answer, not the day on which it was computed.
  const [signal] = (await list('/v1/market-signals')).data
  expect(signal.decision.asOf).toBe('2026-10-11')
  expect((await noticeReader(site.services)()).days.get('sf-peninsula')).toBe('2026-10-11')
  expect((await list(`/v1/properties/${signal.id}`)).data.decision.asOf).toBe('2026-10-11')
  for (const answer of ['proforma', 'schemes'])
    expect((await list(`/v1/properties/${signal.id}/${answer}`)).data.asOf, answer).toBe('2026-10-11')

  await sql`delete from pgboss.job`.execute(site.db)
  await repriced(2_800_000)
  await assess().run({ market: 'sf-peninsula' })
  for (const job of await batches()) await assess().run(job)
  expect(await days()).toEqual([10])
  await repriced(2_700_000)
  await settle()
  await assess().run({ touched: true })

  await repriced(2_600_000)
  await assessMarket(site.db, 'sf-peninsula', { now: today, announce })
  expect(await days()).toEqual([45])
  // Events have the day of their run: the first of these began before the day was stored, the last before it was removed.
  const { rows: events } = await sql<{ price: number; day: string | null }>`
    select (body::jsonb->'data'->>'price')::float8 as price, body::jsonb->>'asOf' as day
    from event where type = 'listing.price_changed' order by seq`.execute(site.db)
  expect(events.map(({ price, day }) => [price, day])).toEqual([
    [2_900_000, '2026-10-11'],
    [2_800_000, '2026-10-11'],
    [2_700_000, '2026-10-11'],
    [2_600_000, null],
  ])

  // Homes are assessed with other models than the run: the next one assesses all.
  const { rows } = await sql<{ basis: string }>`select max(basis) as basis from assess_run`.execute(site.db)
  const forgotten = async (basis: string) => {
    await sql`update assess_run set basis = ${basis}`.execute(site.db)
    await sql`insert into touched_property select market, id, now() from property limit 1`.execute(site.db)
    await assess().run({ market: 'sf-peninsula', touched: true })
    return (await sql`select 1 from assess_run where basis is null`.execute(site.db)).rows.length
  }
  expect([await forgotten(rows[0]!.basis), await forgotten('other models')]).toEqual([0, 1])
})

test('sample data and an unfinished load start no assessment', async () => {
  await sql`delete from assess_run`.execute(site.db)
  await sql`delete from touched_property`.execute(site.db)
  await sql`insert into touched_property select market, id, now() - interval '1 hour' from property`.execute(site.db)
  expect(await marketsToAssessFirst(site.db, today)).toEqual(['sf-peninsula'])
  await sql`update ingest_run set state = 'running', started_at = ${today}`.execute(site.db)
  expect(await marketsToAssessFirst(site.db, today)).toEqual([])
  await sql`update ingest_run set state = 'completed'`.execute(site.db)
  await sql`update source set sample = true`.execute(site.db)
  expect(await marketsToAssessFirst(site.db, today)).toEqual([])
})

test('what only an earlier version assessed has no decision and no day, and is assessed again without waiting for the daily run', async () => {
  await sql`update source set sample = false`.execute(site.db)
  await sql`delete from pgboss.job`.execute(site.db)
  await sql`delete from touched_property`.execute(site.db)
  await assessMarket(site.db, 'sf-peninsula', { now: today })
  expect(await marketsToAssessFirst(site.db, today)).toEqual([])
  // As such a version left it.
  await sql`update assessment set assessed_on = null, offers = null, uses = null, content_hash = ''`.execute(site.db)
  await sql`update assess_run set assessed_on = null, basis = null, model_version = 'earlier'`.execute(site.db)
  const [row] = (await list('/v1/market-signals')).data
  expect(row.decision).toEqual({ text: 'Not assessed yet.', conditions: [] })
  expect((await list(`/v1/properties/${row.id}?include=explanation`)).data.decision.text).toBe('Not assessed yet.')

  // A run that fails is not begun again each minute.
  await sql`insert into assess_run (market, id, scope, state, started_at) values ('sf-peninsula', 'failed', 'market', 'failed', ${today})`.execute(
    site.db,
  )
  expect(await marketsToAssessFirst(site.db, today)).toEqual([])
  expect(await marketsToAssessFirst(site.db, new Date(today.getTime() + 3_700_000))).toEqual(['sf-peninsula'])
  await sql`delete from assess_run where state = 'failed'`.execute(site.db)
  expect(await assess().run({ touched: true })).toMatchObject({ begun: ['sf-peninsula'] })
  for (const job of await batches()) await assess().run(job)
  expect(await marketsToAssessFirst(site.db, today)).toEqual([])
  await expect
    .poll(async () => (await list('/v1/market-signals')).data[0].decision.asOf)
    .toBe(today.toISOString().slice(0, 10))
})
