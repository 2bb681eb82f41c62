// Which rows the statements of a market read: every row here that is not expected fails exactly one condition.
import { beforeEach, expect, test } from 'vitest'
import {
  forgetOtherBasis,
  idRanges,
  lastAssessed,
  lastRun,
  lastRunVersion,
  marketsToAssessFirst,
  marketsTouched,
  runInProgress,
  touchAgain,
} from '../../src/store/assessments/assess-runs.ts'
import { endedTeardowns, soldForecasts } from '../../src/store/assessments/forecasts.ts'
import { leadInputs } from '../../src/store/assessments/leads.ts'
import { marketRebuilds, marketSales, permitsByProperty } from '../../src/store/assessments/market-facts.ts'
import {
  firstPermits,
  listingsOfYear,
  listingsSince,
  permitCounts,
  salesOfYear,
} from '../../src/store/assessments/market-series.ts'
import { pastSales } from '../../src/store/assessments/past-sales.ts'
import { pastDays } from '../../src/store/assessments/score-distributions.ts'
import { subjectsIn } from '../../src/store/assessments/subjects.ts'
import { ungradedListings } from '../../src/store/assessments/vision-cache.ts'
import { sql } from '../../src/store/engine/database.ts'
import { statementChannel, type TracedStatement } from '../../src/store/engine/trace-channels.ts'
import { asOf } from '../../src/store/ingest/freshness.ts'
import { useDatabase } from '../setup/database.ts'
import { assessedAsOf, assessment, emptyTables, listing, permit, property, sale, source } from '../setup/rows.ts'

const database = useDatabase()
const market = 'sf-peninsula'
const elsewhere = { market: 'nantucket', city: 'Nantucket' }
const removed = { removed_at: new Date('2026-11-01T00:00:00Z') }
const matched = { match_method: 'apn', match_confidence: 'high' }
const period = { from: '2020-01-01', until: '2020-12-31' }
const now = new Date('2026-11-15T12:00:00Z')

beforeEach(async () => {
  const { db } = database()
  await emptyTables(
    db,
    'source',
    'property',
    'permit',
    'sale',
    'touched_property',
    'assess_run',
    'assess_batch',
    'forecast',
    'dataset_count',
  )
  await source(db)
  await sql`insert into source (id, kind, holds, title, sample, config) values ('made', 'csv', 'sales', 'Made', true, '{}')`.execute(
    db,
  )
  // Generated records are no evidence beside real parcels.
  await property(db, { id: 'p_002real', ...elsewhere })
})

type Row = Record<string, unknown>
const homeOf = (label: string, given: Row) => `${given.market === 'nantucket' ? 'p_002' : 'p_001'}${label}`
/** One home for each label, and what `add` writes of it. */
const variants = async (
  rows: Readonly<Record<string, Row>>,
  add: (id: string, given: Row, label: string) => unknown,
) => {
  const { db } = database()
  for (const [label, { home, ...given }] of Object.entries(rows)) {
    const place = given.market === 'nantucket' ? elsewhere : {}
    const id = await property(db, { ...place, id: homeOf(label, given), lat: 37.4, lng: -122.1, ...(home as Row) })
    await add(id, given, label)
  }
}
const generated = async (table: string, label: string) => {
  await sql`delete from sale_search where sale_id = ${label}`.execute(database().db)
  await sql`update ${sql.table(table)} set source_id = 'made' where ${sql.ref(`${table}_id`)} = ${label}`.execute(
    database().db,
  )
}

test('reads of sales leave out other periods and markets, removed and generated rows, nominal prices and uncertain matches', async () => {
  const { db } = database()
  await variants(
    {
      first: { sold_on: '2020-01-01' },
      last: { sold_on: '2020-12-31' },
      before: { sold_on: '2019-12-31' },
      after: { sold_on: '2021-01-01' },
      least: { price_usd: 1_000 },
      token: { price_usd: 999 },
      low: { match_confidence: 'low' },
      free: { property_id: null },
      made: {},
      removed,
      elsewhere,
    },
    async (id, given, label) => {
      const row = { sale_id: label, sold_on: '2020-06-01', property_id: id, living_sqft: 1_500, ...matched }
      await sale(db, { ...row, ...given })
      if (label === 'made') await generated('sale', label)
      const soldOn = { first: '2019-12-22', least: '2020-06-11', token: '2020-06-12', last: '2020-12-25' }[label]
      const more = { property_id: id, current: false, status: 'sold' }
      if (soldOn) await listing(db, { ...more, sold_on: soldOn, original_price_usd: 111 })
      if (label === 'last') await listing(db, { ...more, sold_on: '2020-12-31', original_price_usd: 222 })
      if (label === 'last') await listing(db, { ...more, sold_on: '2021-01-02', original_price_usd: 333 })
      const demolished: readonly Row[] =
        {
          first: [{ issued_on: '2020-05-01' }, { issued_on: '2020-01-01' }, { issued_on: '2019-12-31' }],
          last: [{ issued_on: '2020-12-30' }, { issued_on: '2021-01-01' }],
          least: [{ issued_on: '2020-07-01', status: 'expired' }],
          token: [{ issued_on: '2020-07-01', ...removed }],
          made: [{ issued_on: '2020-07-01', permit_class: 'remodel' }],
        }[label] ?? []
      const words = { permit_class: 'whole_house_demolition', class_words: ['demolish', 'house'] }
      for (const each of demolished) await permit(db, { property_id: id, ...words, ...each })
    },
  )
  const names = (rows: readonly { saleId: string }[]) => rows.map(({ saleId }) => saleId.split(':')[1])
  expect(names(await marketSales(db, market, period))).toEqual(['first', 'free', 'least', 'low', 'last'])
  const sample = (most: number, allSince: string) => marketSales(db, market, period, { most, allSince })
  expect(names(await sample(9, '2020-01-02'))).toEqual(['first', 'free', 'least', 'low', 'last'])
  expect(names(await sample(1, '2020-06-02'))).toEqual(['last'])
  expect(names(await sample(1, '2020-12-31'))).toEqual(['last'])
  const ofYear = async (until: string) => (await salesOfYear(db, market, 2020, until)).map(({ soldOn }) => soldOn)
  expect(await ofYear('2020-12-30')).toEqual(['2020-01-01', '2020-06-01', '2020-06-01', '2020-06-01'])
  expect((await ofYear('2021-06-01')).at(-1)).toBe('2020-12-31')
  const past = await pastSales(db, market, period, 10)
  expect(
    past.map(({ saleId, originalPriceUsd, demolishedOn }) => [saleId.split(':')[1], originalPriceUsd, demolishedOn]),
  ).toEqual([
    ['first', 111, '2020-01-01'],
    ['made', undefined, undefined],
    ['least', 111, undefined],
    ['token', undefined, undefined],
    ['last', 222, undefined],
  ])
  expect(names(await pastSales(db, market, period, 2))).toEqual(['made', 'last'])
})

test('reads of permits leave out other classes, days and markets, removed and generated rows, and permits without a location', async () => {
  const { db } = database()
  const words = { class_words: ['demolish', 'house'] }
  await variants(
    {
      first: { issued_on: '2020-01-01' },
      last: { issued_on: '2020-12-31', finaled_on: '2021-02-01', status: 'finaled' },
      before: { issued_on: '2019-12-31' },
      after: { issued_on: '2021-01-01' },
      house: { permit_class: 'new_house' },
      other: { permit_class: 'remodel' },
      own: { home: { lat: null, lng: null }, lat: 37.5, lng: -122.2 },
      half: { home: { lat: null, lng: -122.1 }, lng: -122.2 },
      nowhere: { home: { lat: null, lng: null } },
      free: { property_id: null, lat: 37.6, lng: -122.3 },
      made: {},
      removed,
      elsewhere,
    },
    async (id, given, label) => {
      const row = { permit_id: label, property_id: id, permit_class: 'whole_house_demolition', issued_on: '2020-06-01' }
      await permit(db, { ...row, ...words, ...given })
      if (label === 'made') await generated('permit', label)
    },
  )
  const rebuilds = await marketRebuilds(db, market, period)
  expect(rebuilds.map(({ propertyId, lat, issuedOn }) => [propertyId?.slice(5), lat, issuedOn])).toEqual([
    ['first', 37.4, '2020-01-01'],
    [undefined, 37.6, '2020-06-01'],
    ['house', 37.4, '2020-06-01'],
    ['own', 37.5, '2020-06-01'],
    ['last', 37.4, '2020-12-31'],
  ])
  const ids = ['first', 'last', 'before', 'after', 'house', 'removed'].map((label) => `p_001${label}`)
  const known = await permitsByProperty(db, market, ids, '2020-12-31')
  expect(
    [...known].map(([id, rows]) => [id.slice(5), rows.map(({ status, finaledOn }) => [status, finaledOn])]),
  ).toEqual([
    ['before', [['issued', undefined]]],
    ['first', [['issued', undefined]]],
    ['house', [['issued', undefined]]],
    ['last', [['issued', undefined]]],
  ])
  expect(
    (await permitCounts(db, market, period)).map(({ permitClass, month, count }) => [month, permitClass, count]),
  ).toEqual([
    ['2020-01', 'whole_house_demolition', 1],
    ['2020-06', 'new_house', 1],
    ['2020-06', 'whole_house_demolition', 4],
    ['2020-12', 'whole_house_demolition', 1],
  ])
  await sql`update permit set issued_on = null where permit_id = 'before'`.execute(db)
  await sql`update permit set issued_on = '2018-01-01' where permit_id in ('removed', 'made', 'elsewhere')`.execute(db)
  expect(await firstPermits(db, market)).toEqual(new Map([['palo-alto', '2020-01']]))
})

test('a year has the listings that were on the market in it, with the status they had on the given day', async () => {
  const { db } = database()
  await variants(
    {
      open: { listed_on: '2020-02-01' },
      'same-day': { listed_on: '2020-06-30' },
      later: { listed_on: '2020-07-01' },
      'sold-in': { listed_on: '2019-11-01', sold_on: '2020-01-01', pending_on: '2019-12-30', status: 'sold' },
      'sold-before': { listed_on: '2019-11-01', sold_on: '2019-12-31', status: 'sold' },
      'sold-on': { listed_on: '2020-01-02', sold_on: '2020-06-30', pending_on: '2020-06-30', status: 'sold' },
      'sold-after': { listed_on: '2020-01-03', sold_on: '2020-07-01', pending_on: '2020-07-01', status: 'sold' },
      made: { listed_on: '2020-02-01', sold_on: '2018-01-01' },
      removed: { listed_on: '2020-02-01', ...removed },
      elsewhere: { listed_on: '2020-02-01', sold_on: '2018-01-01', ...elsewhere },
    },
    async (id, given, label) => {
      await listing(db, { listing_id: label, property_id: id, collected_at: new Date('2020-01-05'), ...given })
      if (label === 'made') await generated('listing', label)
    },
  )
  const rows = await listingsOfYear(db, market, 2020, '2020-06-30')
  expect(rows.map(({ listedOn, status, pendingOn, soldOn }) => [listedOn, status, pendingOn, soldOn])).toEqual([
    ['2020-02-01', 'active', undefined, undefined],
    ['2020-06-30', 'active', undefined, undefined],
    ['2020-01-03', 'active', undefined, undefined],
    ['2019-11-01', 'sold', '2019-12-30', '2020-01-01'],
    ['2020-01-02', 'sold', '2020-06-30', '2020-06-30'],
  ])
  expect(await listingsSince(db, market)).toBe('2019-12-31')
  await sql`update listing set sold_on = null`.execute(db)
  expect(await listingsSince(db, market)).toBe('2020-01-05')
})

test('photos are graded once, of open listings without an analysis, the newest first', async () => {
  const { db } = database()
  await variants(
    {
      old: { listed_on: '2026-01-01' },
      undated: { listed_on: null },
      new: { listed_on: '2026-10-01' },
      soon: { listed_on: '2026-09-01', status: 'coming_soon' },
      other: { listed_on: '2026-08-01' },
      graded: {},
      past: { current: false },
      sold: { status: 'sold' },
      bare: { photo_urls: [] },
      none: { photo_urls: null },
      told: { vision_analysis: 'a kitchen' },
      elsewhere,
    },
    async (id, given, label) => {
      await listing(db, { listing_id: label, property_id: id, photo_urls: [`https://a.test/${label}`], ...given })
      const photos = { graded: 'https://a.test/graded', other: 'https://a.test/before' }[label]
      if (photos)
        await sql`insert into listing_photo_grade (market, source_id, listing_id, photo_urls, condition, analysis, model)
          values (${market}, 'test', ${label}, ${[photos]}, 'C3', 'x', 'm')`.execute(db)
    },
  )
  const open = await ungradedListings(db, market)
  expect(open.map(({ listingId }) => listingId)).toEqual(['new', 'soon', 'other', 'old', 'undated'])
})

test('a forecast is scored against the first market sale after it that was not recorded before the forecast', async () => {
  const { db } = database()
  const forecast = (id: string, made_on: string, value: number, model = 'value', place: string = market) =>
    sql`insert into forecast (market, property_id, model, made_on, value_usd, probability, model_version)
      values (${place}, ${id}, ${model}, ${made_on}, ${model === 'value' ? value : null}, ${model === 'value' ? null : 0.5}, 'v')`.execute(
      db,
    )
  let value = 1_000_000
  await variants(
    {
      plain: {},
      newest: {},
      'same-day': { sold_on: '2020-06-01' },
      'other-price': {},
      'told-sale': {},
      'told-listing': {},
      'listing-price': {},
      least: { price_usd: 1_000 },
      token: { price_usd: 999 },
      low: { match_confidence: 'low' },
      made: {},
      removed,
      elsewhere,
    },
    async (id, given, label) => {
      value += 1
      const place = (given.market as string | undefined) ?? market
      await forecast(id, '2020-06-01', value, 'value', place)
      if (label === 'newest') await forecast(id, '2020-05-01', 5, 'value', place)
      const sold = { property_id: id, ...matched, price_usd: 900_000 }
      await sale(db, { ...sold, sale_id: label, sold_on: '2020-07-01', ...given })
      if (label === 'plain') await sale(db, { ...sold, sold_on: '2020-08-01', price_usd: 1_500_000 })
      if (label === 'other-price') await sale(db, { ...sold, sold_on: '2020-06-01', price_usd: 800_000 })
      if (label === 'told-sale') await sale(db, { ...sold, sold_on: '2020-06-01' })
      const told = { property_id: id, current: false, status: 'sold', sold_on: '2020-06-01' }
      if (label === 'told-listing') await listing(db, { ...told, sold_price_usd: 900_000 })
      if (label === 'listing-price') await listing(db, { ...told, sold_price_usd: 800_000 })
      if (label === 'made') await generated('sale', label)
    },
  )
  const scored = await soldForecasts(db, market)
  expect(scored.map(({ valueUsd, priceUsd }) => [valueUsd! - 1_000_000, priceUsd]).sort()).toEqual([
    [1, 900_000],
    [2, 900_000],
    [4, 900_000],
    [7, 900_000],
    [8, 1_000],
  ])
  // A teardown is known where permits reach from the sale to the end of the horizon.
  await emptyTables(db, 'forecast', 'sale')
  const demolition = { permit_class: 'whole_house_demolition', class_words: ['demolish', 'house'] }
  for (const [label, issued, status] of [
    ['start', '2020-07-01', 'issued'],
    ['end', '2022-07-01', 'issued'],
    ['late', '2022-07-02', 'issued'],
    ['early', '2020-06-30', 'issued'],
    ['void', '2021-01-01', 'cancelled'],
  ] as const) {
    const id = await property(db, { id: `p_001t-${label}`, address: label })
    await forecast(id, '2020-06-01', 0, 'teardown')
    await sale(db, { property_id: id, ...matched, sold_on: '2020-07-01', sale_id: label })
    await permit(db, { property_id: id, issued_on: issued, status, ...demolition })
  }
  const ended = async (today: string) =>
    (await endedTeardowns(db, market, today, 24)).map(({ demolished, month }) => `${demolished} ${month}`).sort()
  expect(await ended('2022-07-01')).toEqual([...Array(3).fill('false 2022-07'), ...Array(2).fill('true 2022-07')])
  expect(await ended('2022-06-30')).toEqual([])
  await sql`update permit set issued_on = '2022-07-01' where issued_on > '2022-07-01'`.execute(db)
  await sql`update permit set issued_on = '2020-07-01' where issued_on < '2020-07-01'`.execute(db)
  expect(await ended('2022-07-01')).toHaveLength(5)
  await sql`update permit set issued_on = '2022-06-30' where issued_on > '2022-06-30'`.execute(db)
  expect(await ended('2022-07-01')).toEqual([])
})

const run = (id: string, given: Row = {}) => {
  const row = { place: market, scope: 'market', state: 'completed', day: '01', begun: now, batches: null, ...given }
  return sql`insert into assess_run (market, id, scope, state, started_at, finished_at, assessed_on, batches, model_version)
    values (${row.place}, ${id}, ${row.scope}, ${row.state}, ${row.begun}, ${`2026-11-${row.day}T00:00:00Z`}, ${`2026-11-${row.day}`}, ${row.batches}, ${id})`.execute(
    database().db,
  )
}
const hours = (count: number) => new Date(now.getTime() - count * 3_600_000)

test('the last run is the one of the whole market that was completed last', async () => {
  const { db } = database()
  expect([await lastRun(db, market), await lastAssessed(db, market), await runInProgress(db, market)]).toEqual(
    Array(3).fill(undefined),
  )
  await run('z', { day: '02' })
  await run('a', { day: '05' })
  await run('failed', { day: '06', state: 'failed' })
  await run('part', { day: '07', scope: 'properties' })
  await run('other', { day: '08', place: 'nantucket' })
  expect((await lastRun(db, market))?.id).toBe('a')
  expect(await lastRunVersion(db, market)).toBe('a')
  expect(await lastAssessed(db, market)).toEqual(new Date('2026-11-05T00:00:00Z'))
  await run('run-1', { state: 'running', batches: 4 })
  await run('run-2', { state: 'running', batches: 8 })
  await run('run-3', { state: 'running', scope: 'properties' })
  await run('run-4', { state: 'running', place: 'nantucket' })
  for (const [place, id, after] of [
    [market, 'run-2', ''],
    [market, 'run-2', 'm'],
    [market, 'run-1', ''],
  ])
    await sql`insert into assess_batch (market, run_id, after_id, considered, changed) values (${place}, ${id}, ${after}, 1, 1)`.execute(
      db,
    )
  expect(await runInProgress(db, market)).toEqual({ startedAt: now, progressPct: 25 })
  expect(await runInProgress(db, 'nantucket')).toEqual({ startedAt: now })
})

test('a run forgets its basis only if homes are assessed with another one', async () => {
  const { db } = database()
  for (const [id, basis, given] of [
    ['a', 'one', {}],
    ['b', 'one', {}],
    ['unknown', null, {}],
    ['elsewhere', 'one', { place: 'nantucket' }],
  ] as const) {
    await run(id, given)
    await sql`update assess_run set basis = ${basis} where id = ${id}`.execute(db)
  }
  const kept = async (basis: string | undefined) => {
    await forgetOtherBasis(db, market, 'a', basis)
    await forgetOtherBasis(db, market, 'elsewhere', basis)
    const { rows } = await sql<{ id: string }>`
      select id from assess_run where basis = 'one' order by id`.execute(db)
    const changed = await forgetOtherBasis(db, market, 'unknown', basis)
    return [...rows.map(({ id }) => id), changed]
  }
  expect(await kept('one')).toEqual(['a', 'b', 'elsewhere', 0])
  expect(await kept('two')).toEqual(['b', 'elsewhere', 0])
  await sql`update assess_run set basis = 'one' where id = 'a'`.execute(db)
  // An assessment as of a day has no basis.
  expect(await kept(undefined)).toEqual(['b', 'elsewhere', 0])
})

test('data are as of the last completed load or assessment of their market', async () => {
  const { db } = database()
  const load = (state: string, hoursAgo: number, source = 'test') =>
    sql`insert into ingest_run (source_id, state, first_load, started_at, finished_at)
      values (${source}, ${state}, false, ${hours(99)}, ${hours(hoursAgo)})`.execute(db)
  await sql`insert into source (id, kind, holds, title, sample, market, config)
    values ('island', 'csv', 'listings', 'Island', false, 'nantucket', '{}')`.execute(db)
  await sql`update source set holds = 'permits' where id = 'test'`.execute(db)
  await sql`update source set holds = 'listings' where id = 'made'`.execute(db)
  const at = async (...args: [dataset: 'permits' | 'listings', market?: 'sf-peninsula' | 'nantucket']) => {
    const known = new Date(await asOf(db, [args[0]], args[1]))
    return (now.getTime() - known.getTime()) / 3_600_000
  }
  const { rows } = await sql<{ created: Date }>`select min(applied_at) as created from public.migration`.execute(db)
  expect(await asOf(db, ['permits'])).toBe(rows[0]!.created.toISOString())
  await load('completed', 9)
  await load('completed', 8, 'made')
  await load('completed', 7, 'island')
  await load('failed', 1)
  await load('failed', 1, 'made')
  expect(await Promise.all([at('permits'), at('listings', market), at('listings', 'nantucket')])).toEqual([9, 8, 7])
  const assessed = (id: string, place: string, state: string, hoursAgo: number) =>
    sql`insert into assess_run (market, id, scope, state, started_at, finished_at)
      values (${place}, ${id}, 'market', ${state}, ${hours(99)}, ${hours(hoursAgo)})`.execute(db)
  await assessed('a', market, 'completed', 6)
  await assessed('b', market, 'failed', 2)
  await assessed('c', 'nantucket', 'completed', 5)
  await assessed('d', 'nantucket', 'failed', 3)
  expect(
    await Promise.all([at('permits', market), at('listings', market), at('listings', 'nantucket'), at('listings')]),
  ).toEqual([9, 6, 5, 5])
})

test('a market is assessed first with settled real data, and again with touched homes, never beside a run', async () => {
  const { db } = database()
  const touch = (place: string, id: string, seconds: number) =>
    sql`insert into touched_property (market, property_id, touched_at) values (${place}, ${id}, now() - make_interval(secs => ${seconds}))`.execute(
      db,
    )
  await property(db, { id: 'p_001a' })
  await sql`delete from dataset_count where market = 'nantucket'`.execute(db)
  await touch('nantucket', 'p_002real', 60)
  const both = async () => [await marketsToAssessFirst(db, now), await marketsTouched(db, now)]
  expect(await both()).toEqual([[], []])
  await touch(market, 'p_001a', 60)
  expect(await both()).toEqual([[market], []])
  await sql`insert into ingest_run (source_id, state, first_load, started_at) values ('test', 'running', true, ${hours(0.9)})`.execute(
    db,
  )
  expect(await both()).toEqual([[], []])
  await sql`update ingest_run set started_at = ${hours(1.1)}`.execute(db)
  expect(await both()).toEqual([[market], []])
  await touch(market, 'p_001b', 5)
  expect(await both()).toEqual([[], []])
  await sql`delete from touched_property where property_id = 'p_001b'`.execute(db)
  await run('running', { state: 'running', begun: hours(0.9) })
  expect(await both()).toEqual([[], []])
  await sql`update assess_run set started_at = ${hours(1.1)}`.execute(db)
  expect(await both()).toEqual([[market], []])
  await run('failed', { state: 'failed', begun: hours(0.9) })
  await run('part', { scope: 'properties' })
  expect(await both()).toEqual([[], []])
  await sql`update assess_run set started_at = ${hours(1.1)} where id = 'failed'`.execute(db)
  expect(await both()).toEqual([[market], []])
  await run('whole')
  expect(await both()).toEqual([[], [market]])
  await sql`update assess_run set started_at = ${hours(0.9)} where id = 'running'`.execute(db)
  expect(await both()).toEqual([[], []])
  await sql`delete from assess_run where id = 'running'`.execute(db)
  await sql`delete from touched_property where market = ${market}`.execute(db)
  expect(await both()).toEqual([[], []])
  await emptyTables(db, 'assess_run')
  await touch(market, 'p_001a', 60)
  await sql`update source set sample = true`.execute(db)
  expect(await both()).toEqual([[], []])
  await sql`update source set sample = false`.execute(db)
  await sql`update dataset_count set rows = 0`.execute(db)
  expect(await both()).toEqual([[], []])
})

test('homes are touched again only if a run has begun or ended since the view of them was opened', async () => {
  const { db } = database()
  await run('seen')
  const again = (after: string | undefined) => touchAgain(db, market, ['p_001a', 'p_001b'], after, now)
  const touched = async () =>
    (await sql`select 1 from touched_property where market = ${market}`.execute(db)).rows.length
  expect([await again('seen'), await touched()]).toEqual([false, 0])
  expect([await again(undefined), await touched()]).toEqual([true, 2])
  // They are on the list already.
  expect([await again(undefined), await touched()]).toEqual([false, 2])
  await emptyTables(db, 'touched_property')
  await run('running', { state: 'running', begun: hours(0.5) })
  expect([await again('seen'), await touched()]).toEqual([true, 2])
})

test('between two days only homes with new records, changes, whole weeks or permits are assessed again', async () => {
  const { db } = database()
  const changed = { since: '2026-11-01', until: '2026-11-15' }
  await variants(
    {
      touched: {},
      still: {},
      week: { listed_on: '2026-10-26' },
      soon: { listed_on: '2026-10-26', status: 'coming_soon' },
      sold: { listed_on: '2026-10-26', status: 'sold' },
      ahead: { listed_on: '2026-11-20' },
      pending: { listed_on: '2026-11-20' },
      told: { listed_on: '2026-11-20' },
      'issued-before': { issued_on: '2026-11-01' },
      'issued-first': { issued_on: '2026-11-02' },
      'issued-last': { issued_on: '2026-11-15' },
      'issued-after': { issued_on: '2026-11-16' },
      'final-before': { issued_on: '2020-01-01', finaled_on: '2026-11-01' },
      'final-first': { issued_on: '2020-01-01', finaled_on: '2026-11-02' },
      'final-last': { issued_on: '2020-01-01', finaled_on: '2026-11-15' },
      'final-after': { issued_on: '2020-01-01', finaled_on: '2026-11-16' },
      elsewhere: { ...elsewhere, listed_on: '2026-10-26' },
    },
    async (id, given, label) => {
      if ('listed_on' in given) await listing(db, { property_id: id, listing_id: label, ...given })
      if ('issued_on' in given) await permit(db, { property_id: id, permit_id: label, ...given })
      if (label === 'touched')
        await sql`insert into touched_property (market, property_id, touched_at) values (${market}, ${id}, now())`.execute(
          db,
        )
      if (label === 'pending' || label === 'told')
        await sql`insert into listing_change (market, source_id, listing_id, changed_at, changed_on, property_id, status, announced_at)
          values (${market}, 'test', ${label}, now(), '2026-11-10', ${id}, 'active', ${label === 'told' ? now : null})`.execute(
          db,
        )
    },
  )
  const ids = async (days: { since: string; until: string }) =>
    (await subjectsIn(db, market, { afterId: '', changed: days })).map(({ id }) => id.slice(5))
  const expected = ['final-first', 'final-last', 'issued-first', 'issued-last', 'pending', 'soon', 'touched', 'week']
  expect(await ids(changed)).toEqual(expected)
  // Two days of the same whole week; of a home that is listed later, no week has passed.
  expect(await ids({ since: '2026-11-02', until: '2026-11-08' })).toEqual(['pending', 'touched'])
  const ranges = await idRanges(db, market, 3, changed)
  expect(ranges.map(({ afterId, toId }) => [afterId.slice(5), toId?.slice(5)])).toEqual([
    ['', 'issued-first'],
    ['issued-first', 'soon'],
    ['soon', undefined],
  ])
  const [, second] = ranges
  expect((await subjectsIn(db, market, second!)).map(({ id }) => id.slice(5))).toEqual([
    'issued-last',
    'pending',
    'soon',
  ])
})

test('removed parcels, listed homes and other markets do not count when a place lacks facts for leads', async () => {
  const { db } = database()
  const inputs = (city?: string) => leadInputs(db, market, city)
  expect(await inputs()).toEqual({ parcels: false, lotSizes: false, houseSizes: false, zoning: [] })
  const full = { lot_sqft: 6_000, living_sqft: 1_500, zoning: 'R-1' }
  await property(db, { id: 'p_001gone', ...full, ...removed })
  await property(db, { id: 'p_001listed', ...full, known_from: 'listing' })
  await property(db, { id: 'p_002full', ...elsewhere, ...full })
  expect(await inputs()).toEqual({ parcels: false, lotSizes: false, houseSizes: false, zoning: [] })
  await property(db, { id: 'p_001bare' })
  expect(await inputs()).toEqual({ parcels: true, lotSizes: false, houseSizes: false, zoning: [] })
  await property(db, { id: 'p_001lot', lot_sqft: 6_000, zoning: 'R-1' })
  await property(db, { id: 'p_001house', city: 'Menlo Park', living_sqft: 1_500, zoning: 'R-2' })
  expect(await inputs()).toEqual({ parcels: true, lotSizes: true, houseSizes: true, zoning: ['R-1', 'R-2'] })
  expect(await inputs('palo-alto')).toEqual({ parcels: true, lotSizes: true, houseSizes: false, zoning: ['R-1'] })
  expect(await inputs('menlo-park')).toEqual({ parcels: true, lotSizes: false, houseSizes: true, zoning: ['R-2'] })
  await assessment(db, 'p_001gone', { redevelopment_score: 50 })
  expect(await inputs()).toBeDefined()
  await assessment(db, 'p_001lot', { redevelopment_score: 50 })
  expect([await inputs(), await inputs('palo-alto')]).toEqual([undefined, undefined])
  expect(await inputs('menlo-park')).toBeDefined()
})

test('the listing of a past day is the newest that has a date, with the price and status of that day', async () => {
  const { db } = database()
  const collected = { collected_at: new Date('2026-01-01T00:00:00Z'), current: false }
  const none = { listed_on: null, pending_on: null, sold_on: null }
  await variants(
    {
      dated: { both: [{ listed_on: '2026-01-05' }, none] },
      newer: { both: [{ listed_on: '2026-01-05' }, { listed_on: '2026-01-06' }] },
      later: { both: [{ listed_on: '2026-01-05' }, { listed_on: '2026-02-02' }] },
      'on-the-day': { both: [{ ...none, listed_on: '2026-02-01' }] },
      pending: { both: [{ listed_on: '2026-01-05', pending_on: '2026-02-01', sold_on: '2026-02-02', status: 'sold' }] },
      active: { both: [{ listed_on: '2026-01-05', pending_on: '2026-02-02', status: 'pending' }] },
      sold: { both: [{ listed_on: '2026-01-05', sold_on: '2026-02-01', status: 'sold' }] },
      undated: { both: [none] },
      changed: { both: [{ listed_on: '2026-01-05', status: 'withdrawn' }], changes: ['2026-02-02', '2026-03-01'] },
      'changed-that-day': { both: [{ listed_on: '2026-01-05' }], changes: ['2026-02-01'] },
    },
    async (id, { both, changes = [] }, label) => {
      for (const [at, each] of (both as Row[]).entries())
        await listing(db, { property_id: id, listing_id: `${label}${at}`, price_usd: 100 + at, ...collected, ...each })
      for (const [at, on] of (changes as string[]).entries())
        await sql`insert into listing_change (market, source_id, listing_id, changed_at, changed_on, property_id, status, previous_status, previous_price_usd)
          values (${market}, 'test', ${`${label}0`}, ${on}, ${on}, ${id}, 'withdrawn', ${at === 0 ? 'active' : 'pending'}, ${900 + at})`.execute(
          db,
        )
    },
  )
  const found = await subjectsIn(db, market, { afterId: '' }, '2026-02-01')
  expect(
    Object.fromEntries(found.map(({ id, listing: of }) => [id.slice(5), of && `${of.status} ${of.priceUsd}`])),
  ).toEqual({
    dated: 'active 100',
    newer: 'active 101',
    later: 'active 100',
    'on-the-day': 'active 100',
    pending: 'pending 100',
    active: 'active 100',
    sold: 'sold 100',
    undated: 'active 100',
    changed: 'active 900',
    'changed-that-day': 'active 100',
  })
})

test('the past days of markets are read by one statement', async () => {
  const { db } = database()
  await assessedAsOf(db, market, '2026-08-31')
  await assessedAsOf(db, 'nantucket', '2026-07-31')
  const texts: string[] = []
  const note = (message: unknown) => texts.push((message as TracedStatement).text)
  statementChannel.start.subscribe(note)
  const days = await pastDays(db, [market, 'nantucket'])
  statementChannel.start.unsubscribe(note)
  expect(days).toEqual(
    new Map([
      [market, '2026-08-31'],
      ['nantucket', '2026-07-31'],
    ]),
  )
  expect(texts).toHaveLength(1)
  await assessedAsOf(db, market)
  expect(await pastDays(db, [market])).toEqual(new Map())
})
