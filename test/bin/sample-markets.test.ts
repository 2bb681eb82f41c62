import { expect, test } from 'vitest'
import type { OpenServices } from '../../src/bin/open-services.ts'
import { writeSampleHistory } from '../../src/bin/sample-history.ts'
import { advanceSample, loadSample } from '../../src/bin/sample-markets.ts'
import { sampleTask } from '../../src/bin/sample-state.ts'
import { sampleEnd, sampleSeed, writeSampleFeeds } from '../../src/ingest/sample-data.ts'
import { ingestFeeds, inTemporaryFolder } from '../../src/ingest/sample-feeds.ts'
import { forecastLedger } from '../../src/store/assessments/accuracy.ts'
import { marketRanks } from '../../src/store/assessments/score-distributions.ts'
import { sql } from '../../src/store/engine/database.ts'
import { writeSetting } from '../../src/store/engine/settings.ts'
import { insertKey } from '../../src/store/keys/keys.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import { assessedAsOf } from '../setup/rows.ts'
import { smallMarket, today } from '../setup/small-market.ts'

const store = useDatabaseWithQueue()
const options = { now: today, highValueUsd: 1e6 }
const day = today.toISOString().slice(0, 10)
const seed = sampleSeed()!
/** The first day of the data is before the day of the test. */
const shiftDays = -7

test('the sample is read before the database is opened, which a first start is still creating', async () => {
  const steps: string[] = []
  const open = async () => {
    steps.push('open the database')
    throw new Error('no database')
  }
  const loading = loadSample(open, { ...options, onProgress: (_, step) => steps.push(step) })
  await expect(loading).rejects.toThrow('no database')
  expect(steps).toEqual(['reading the sample markets', 'open the database'])
}, 120_000)

test('if a feed cannot be loaded, those read meanwhile are not loaded either, and say why', async () => {
  const { db, queue } = store()
  await sql`
    insert into source (id, title, kind, holds, config, sample) values ('real', 'Real', 'csv', 'sales', '{}', false)`.execute(
    db,
  )
  await sql`insert into ingest_run (source_id, state, first_load) values ('real', 'completed', true)`.execute(db)
  try {
    const load = inTemporaryFolder((dir) =>
      ingestFeeds(
        { store: store(), queue },
        writeSampleFeeds(dir, { from: '2026-10-01', to: day, shiftDays: -49 }),
        dir,
        options,
      ),
    )
    await expect(load).rejects.toThrow(/Sample data cannot be loaded/)
    const { rows } = await sql<{ sourceId: string; error: string }>`
      select source_id, error from ingest_run where state = 'failed' order by id`.execute(db)
    const [first, ...others] = rows
    expect(first!.error).toMatch(/Sample data cannot be loaded/)
    expect(others.length).toBeGreaterThan(0)
    for (const { error } of others) expect(error).toBe('Not loaded, because the feed before it failed.')
  } finally {
    await sql`delete from ingest_run`.execute(db)
    await sql`delete from source`.execute(db)
  }
}, 120_000)

test('a first load interrupted before its models were fitted is completed with models by the next start', async () => {
  const { db, queue } = store()
  const services = { db, queue, store: store() } as unknown as OpenServices
  await smallMarket(db, 120)
  await sql`update source set sample = true`.execute(db)
  const models = async () =>
    (
      await sql`select from model where market = 'sf-peninsula' and name not in ('score-ranks', 'permit-times', 'live-accuracy')`.execute(
        db,
      )
    ).rows.length

  // The day that an operator chose is kept.
  await assessedAsOf(db, 'sf-peninsula', '2026-10-31')
  await writeSetting(db, 'sample', { seed, today: day, assessed: false, fitted: true })
  await advanceSample(services, day, options)
  expect(await models()).toBe(0)
  expect((await marketRanks(db, 'sf-peninsula'))?.asOf).toBe('2026-10-31')
  await assessedAsOf(db, 'sf-peninsula')

  await writeSetting(db, 'sample', { seed, today: day, assessed: false, fitted: false })
  expect(await sampleTask(services, true, today)).toBe('advance')
  await advanceSample(services, day, options)
  expect(await models()).toBe(3)
  expect(await sampleTask(services, true, today)).toBeUndefined()

  // The days of this version are about other homes than those of an earlier version.
  await writeSetting(db, 'sample', { seed: seed + 1, today: '2026-10-01', assessed: true, fitted: true })
  expect(await sampleTask(services, true, today)).toBeUndefined()
  await expect(advanceSample(services, day, options)).rejects.toThrow(/earlier version/)

  // At the end of the data the sample stays as it is.
  const end = sampleEnd(shiftDays)!
  await writeSetting(db, 'sample', { seed, today: end, shiftDays, assessed: true, fitted: true })
  expect(await sampleTask(services, true, new Date(Date.parse(end) + 86_400_000))).toBeUndefined()
  expect(await advanceSample(services, '2099-01-01', options)).toEqual({ from: end, today: end, ended: true, runs: [] })
}, 120_000)

test('the generated history is kept: changes and events on their days, values, and forecasts with their scores', async () => {
  const { db, queue } = store()
  const market = 'sf-peninsula'
  const one = async <Row>(text: ReturnType<typeof sql<Row>>) => (await text.execute(db)).rows[0]!
  const listed = await one(sql<{ listingId: string; propertyId: string }>`
    select listing_id, property_id from listing where current and status = 'active' order by listing_id limit 1`)
  const permitted = await one(sql<{ city: string; permitId: string }>`select city, permit_id from permit limit 1`)
  await sql`update property set apn = id`.execute(db)
  const { rows: sold } = await sql<{ propertyId: string; priceUsd: number }>`
    select property_id, price_usd from sale where sold_on between '2026-01-01' and '2026-12-31'`.execute(db)
  const on = '2026-11-10'
  await writeSampleHistory(
    { db, queue },
    {
      listings: [
        {
          market,
          listingId: listed.listingId,
          on,
          status: 'active',
          priceUsd: 1_900_000,
          previousStatus: 'active',
          previousPriceUsd: 2_000_000,
        },
      ],
      permits: [{ market, ...permitted, on, status: 'issued', previousStatus: 'in_review' }],
      forecasts: sold.map(({ propertyId, priceUsd }) => ({
        market,
        apn: propertyId,
        model: 'value',
        madeOn: '2025-12-20',
        valueUsd: priceUsd * 1.1,
        lowUsd: priceUsd * 0.9,
        highUsd: priceUsd * 1.3,
      })),
      levels: [
        { market, on: '2025-11-14', level: 0.9, last: false },
        { market, on: '2026-10-14', level: 1, last: true },
      ],
    },
    options,
  )
  const { rows: events } = await sql<{ type: string; on: string; price: string | null; status: string | null }>`
    select type, to_char(created_at at time zone 'utc', 'YYYY-MM-DD') as on, search_row->'numbers'->>'price' as price,
      search_row->'texts'->>'status' as status
    from event where type in ('listing.price_changed', 'permit.status_changed') order by type`.execute(db)
  expect(events).toEqual([
    { type: 'listing.price_changed', on, price: '1900000', status: 'active' },
    { type: 'permit.status_changed', on, price: null, status: 'issued' },
  ])
  const kept = await one(sql<{ listings: number; permits: number; values: number; returns: number }>`
    select (select count(*) from listing_change where changed_on = ${on} and announced_at is not null) as listings,
      (select count(*) from permit_change where changed_on = ${on}) as permits,
      (select count(*) from value_change where changed_on = '2026-10-14' and value_usd > previous_value_usd) as values,
      (select count(*) from value_change where return_pct is not null) as returns`)
  expect(kept).toMatchObject({ listings: 1, permits: 1 })
  expect(kept.values).toBeGreaterThan(20)
  expect(kept.returns).toBeGreaterThan(20)
  const { live } = await forecastLedger(db)
  expect(live.length).toBeGreaterThan(0)
  expect(live.every(({ medianRatio }) => Math.abs(medianRatio! - 1.1) < 1e-9)).toBe(true)
}, 120_000)

test('advancing the sample past today creates events and runs with the current time', async () => {
  const { db, queue } = store()
  const services = { db, queue, store: store() } as unknown as OpenServices
  const { id: keyId } = await insertKey(db, { plan: 'pro', email: 'pro@example.com' })
  await sql`
    insert into webhook_endpoint (id, key_id, url, events, secret)
    values ('whk_1', ${keyId}, 'https://example.com/', '{permit.created,property.score_updated}', '')`.execute(db)
  await writeSetting(db, 'sample', { seed, today: day, shiftDays, assessed: true, fitted: true })
  const play = (days: number) =>
    advanceSample(services, new Date(today.getTime() + days * 86_400_000).toISOString().slice(0, 10), {
      now: today,
      highValueUsd: 1_000,
    })
  // The first load of a source creates no events.
  await play(1)
  await play(4)
  // One day has far fewer rows than three, and is no feed that was cut off.
  await play(5)

  const { rows } = await sql<{ type: string; last: Date; due: Date }>`
    select e.type, max((e.body::jsonb ->> 'timestamp')::timestamptz) as last, max(d.next_attempt_at) as due
    from event e join delivery d on d.event_id = e.id group by e.type order by e.type`.execute(db)
  expect(rows).toContainEqual({ type: 'permit.created', last: today, due: today })
  expect(rows.every(({ last, due }) => last <= today && due <= today)).toBe(true)
  for (const [table, column] of [
    ['ingest_run', 'finished_at'],
    ['assess_run', 'started_at'],
    ['assessment', 'assessed_at'],
  ] as const) {
    const { rows: dated } = await sql<{ last: Date }>`
      select max(${sql.ref(column)}) as last from ${sql.table(table)}`.execute(db)
    expect(dated, table).toEqual([{ last: today }])
  }
}, 120_000)
