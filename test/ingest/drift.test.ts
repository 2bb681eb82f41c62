import { expect, test } from 'vitest'
import type { FeedProfile } from '../../src/domain/packs/source-config.ts'
import { driftProblems, feedProfile } from '../../src/ingest/drift.ts'
import { runIngest } from '../../src/ingest/run.ts'
import { sql } from '../../src/store/engine/database.ts'
import { runReports } from '../../src/store/ingest/run.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import {
  config,
  count,
  csvOf,
  feedFolder,
  highValueUsd,
  ingest,
  listingRow,
  permitRow,
  type Row,
  saleRow,
  today,
} from './feed.ts'

const store = useDatabaseWithQueue()

const listings = (given: (at: number) => Row) =>
  Array.from({ length: 40 }, (_, at) => listingRow({ listingId: `L${at}`, address: `${at + 1} Oak St`, ...given(at) }))
const priced = async () => {
  const { rows } = await sql<{ count: number }>`select count(price_usd) from listing`.execute(store().db)
  return rows[0]!.count
}

test('a field that loses its values fails the run, changes nothing, and is accepted once on request', async () => {
  await ingest(
    store(),
    'listings',
    listings(() => ({})),
  )
  const renamed = listings(() => ({})).map(({ priceUsd, ...row }) => ({ ...row, price_usd: priceUsd }))
  await expect(ingest(store(), 'listings', renamed)).rejects.toThrow(
    /priceUsd fell from 100% to 0%.*Nothing was changed.*--accept/,
  )
  expect(await priced()).toBe(40)
  const options = { now: today, folder: await feedFolder({ 'feed.csv': csvOf(renamed) }), highValueUsd }
  const { accepted } = await runIngest(store(), config('listings'), { ...options, accept: 'the broker hides prices' })
  expect(accepted).toEqual(['rows with a value in priceUsd fell from 100% to 0%'])
  expect(await priced()).toBe(0)
  const [report] = await runReports(store().db, 'test-listings')
  expect(report!.accepted).toEqual({ reason: 'the broker hides prices', problems: accepted })
  // The accepted run is what the next one is compared with.
  await runIngest(store(), config('listings'), options)
})

test('an emptied column fails the run under an explicit mapping, and a field no longer mapped does not', async () => {
  const fields = { listingId: 'listingId', status: 'status', priceUsd: 'priceUsd', address: 'address' }
  const given = { sameNames: false, city: 'Palo Alto', fields }
  await ingest(
    store(),
    'listings',
    listings(() => ({})),
    { ...given, id: 'explicit' },
  )
  const empty = listings(() => ({ priceUsd: '' }))
  await expect(ingest(store(), 'listings', empty, { ...given, id: 'explicit' })).rejects.toThrow(
    /priceUsd fell from 100%/,
  )
  const { priceUsd: _, ...without } = fields
  await ingest(store(), 'listings', empty, { ...given, id: 'explicit', fields: without })
})

test('rows that the configuration excludes are not rejected rows: more of them is no drift', async () => {
  const given = { id: 'excluding', require: [{ field: 'status', in: ['active'] }] }
  const active = listings(() => ({ status: 'active' }))
  const sold = listings((at) => ({ status: 'sold', listingId: `S${at}` }))
  await ingest(store(), 'listings', active, given)
  const { counts } = await ingest(store(), 'listings', [...active, ...sold], given)
  expect(counts).toMatchObject({ read: 80, loaded: 40, rejected: 40 })
  // Rows without an id are rejected, and half of the rows is drift.
  const broken = listings(() => ({ status: 'active', listingId: '' }))
  await expect(ingest(store(), 'listings', [...active, ...broken], given)).rejects.toThrow(
    /50% of the rows are rejected, 0% in the last run/,
  )
})

test('a few rows and small changes of a share are not drift', async () => {
  await ingest(store(), 'sales', [saleRow({ livingSqft: 2000 })], { id: 'few' })
  await ingest(store(), 'sales', [saleRow()], { id: 'few' })
  const sales = (share: number) =>
    Array.from({ length: 50 }, (_, at) => saleRow({ saleId: `S${at}`, beds: at < 50 * share ? 3 : '' }))
  await ingest(store(), 'sales', sales(0.9), { id: 'many' })
  await ingest(store(), 'sales', sales(0.5), { id: 'many' })
})

test('rows far from their market are rejected; a wrong point of a known city is left out', async () => {
  const result = await ingest(
    store(),
    'sales',
    [
      saleRow({ saleId: 'A', city: 'Seattle', lat: 47.61, lng: -122.33 }),
      saleRow({ saleId: 'B', city: 'Palo Alto', lat: 47.61, lng: -122.33 }),
      saleRow({ saleId: 'C', city: 'Palo Alto', lat: 37.69, lng: -122.48 }),
      saleRow({ saleId: 'D', city: 'Palo Alto', lat: 37.44, lng: -122.15 }),
    ],
    { id: 'geo', market: 'sf-peninsula' },
  )
  expect(result.counts).toMatchObject({ loaded: 3, rejected: 1 })
  expect(result.leftOut).toEqual({
    'lat, lng: outside the market of the city': 1,
    'lat, lng: not in or near Palo Alto': 1,
  })
  const { rows } = await sql<{ reason: string }>`
    select reason from rejected_row where run_id = ${result.runId}`.execute(store().db)
  expect(rows[0]!.reason).toMatch(/47\.6100, -122\.3300 is about 69\d miles from San Francisco Peninsula/)
})

test('a permit with one row per address keeps every address, and a true duplicate is rejected', async () => {
  const rows = [
    permitRow({ permitId: 'M', address: '1 Elm St' }),
    permitRow({ permitId: 'M', address: '3 Elm St' }),
    permitRow({ permitId: 'M', address: '5 Elm Street' }),
    permitRow({ permitId: 'M', address: '5 Elm St', description: 'again' }),
    permitRow({ permitId: 'N' }),
    permitRow({ permitId: 'N', description: 'again' }),
  ]
  const result = await ingest(store(), 'permits', rows, { id: 'addresses' })
  expect(result.counts).toMatchObject({ read: 6, rejected: 1, inserted: 2 })
  const { rows: held } = await sql<{ address: string; otherAddresses: string[] }>`
    select address, other_addresses from permit where permit_id = 'M'`.execute(store().db)
  const all = [held[0]!.address, ...held[0]!.otherAddresses].map((address) => address.slice(0, 1)).sort()
  expect(all).toEqual(['1', '3', '5'])
  expect((await ingest(store(), 'permits', [...rows].reverse(), { id: 'addresses' })).counts.changed).toBe(0)
  expect(await count(store(), 'permit')).toBe(2)
})

const profile = (given: Partial<FeedProfile>): FeedProfile => ({
  rows: 1000,
  rejected: 0,
  changesOnly: false,
  fields: { priceUsd: 1000 },
  medians: {},
  ...given,
})
const sales = (given: Parameters<typeof config>[1] = {}) => config('sales', given)

test('a run that asks only for changes is compared with the last such run, never with a full one', () => {
  const full = profile({})
  const changes = profile({ changesOnly: true, rows: 30, fields: { priceUsd: 3 } })
  expect(driftProblems(sales(), [full], changes)).toEqual([])
  expect(driftProblems(sales(), [changes], full)).toEqual([])
  expect(driftProblems(sales(), [full, profile({ changesOnly: true })], changes)).toEqual([
    'rows with a value in priceUsd fell from 100% to 10%',
  ])
})

test('a field that is always filled is missed in small runs of changes, also long after the last large run', () => {
  const run = (rows: number, filled = rows) =>
    profile({ changesOnly: true, rows, fields: filled > 0 ? { priceUsd: filled } : {} })
  const runs = (count: number, filled = 1) => Array.from({ length: count }, () => run(1, filled))
  const lost = (earlier: FeedProfile[], now: number, listsColumns = false) =>
    driftProblems(sales(), earlier, run(now, 0), listsColumns)
  expect(lost(runs(25), 1)).toEqual(['rows with a value in priceUsd fell from 100% to 0%'])
  expect(lost(runs(19), 1)).toEqual([])
  // The newest runs count, not an older large one.
  expect(lost([run(30, 12), run(1000)], 3)).toEqual([])
  expect(lost([...runs(4, 0), run(30, 18)], 3)).toEqual([])
  expect(lost([...runs(5, 0), run(30, 18)], 3)).toHaveLength(1)
  // A column that the service lists may be empty in a few rows.
  expect(lost(runs(25), 6, true)).toEqual([])
  expect(lost([...runs(14, 0), ...runs(25)], 6, true)).toHaveLength(1)
  // What an accepted run lacked is known to be missing, as is what a run of the whole feed lacked.
  expect(lost([{ ...run(3, 0), accepted: true }, ...runs(25)], 6)).toEqual([])
  expect(lost([profile({ rows: 1000, fields: {} }), ...runs(25)], 6)).toEqual([])
  expect(lost([{ ...run(3, 0), accepted: true }, run(30)], 25)).toEqual([])
  expect(lost([run(1), { ...run(3, 0), accepted: true }, run(30)], 25)).toHaveLength(1)
})

test('new permits that wait for their issue need no issue date in a run of changes', () => {
  const run = (issued: number, undated: number, dated = 0, changesOnly = true) =>
    profile({
      changesOnly,
      rows: issued + undated + dated,
      fields: issued + dated > 0 ? { issuedOn: issued + dated } : {},
      unissued: { dated, undated },
    })
  const lost = (earlier: FeedProfile[], now: FeedProfile, listsColumns = true) =>
    driftProblems(config('permits'), earlier, now, listsColumns).length
  expect(lost([run(40, 0)], run(0, 25))).toBe(0)
  expect(lost([run(40, 10)], run(22, 100))).toBe(0)
  expect(lost([run(40, 0)], run(0, 3), false)).toBe(0)
  // Issued permits without a date; and a city that calls issued permits open.
  expect(
    lost([run(40, 0)], profile({ changesOnly: true, rows: 30, fields: {}, unissued: { dated: 0, undated: 5 } })),
  ).toBe(1)
  expect(lost([run(0, 0, 40)], run(0, 25))).toBe(1)
  expect(lost([run(400, 0, 0, false)], run(100, 300, 0, false))).toBe(1)

  const counts = feedProfile()
  for (const [status, issuedOn] of [['applied'], ['in_review'], ['approved', '2026-11-10'], ['issued'], ['expired']])
    counts.count({ status, issuedOn })
  expect(counts.result().unissued).toEqual({ dated: 1, undated: 2 })
})

test('a share is compared from 20 rows in both runs', () => {
  const lost = (before: number, now: number) =>
    driftProblems(
      sales({ drift: { minRowsPct: 1 } }),
      [profile({ rows: before, fields: { priceUsd: before } })],
      profile({ rows: now, fields: {} }),
    ).length
  expect([lost(20, 20), lost(19, 20), lost(20, 19)]).toEqual([1, 0, 0])
  const filled = (before: number, now: number) =>
    driftProblems(sales(), [profile({ fields: { priceUsd: before } })], profile({ fields: { priceUsd: now } })).length
  expect([filled(100, 49), filled(100, 50), filled(99, 0)]).toEqual([1, 0, 0])
  const rejected = (rows: number, now: number) =>
    driftProblems(sales(), [profile({ rows, fields: {} })], profile({ rows, rejected: now, fields: {} })).length
  expect([rejected(10, 10), rejected(10, 9), rejected(95, 5)]).toEqual([1, 0, 0])
})

test('rejected rows fail the run above 5% and three times the last share', () => {
  const rejected = (before: number, now: number, drift = {}) =>
    driftProblems(sales({ drift }), [profile({ rejected: before })], profile({ rejected: now }))
  expect(rejected(0, 52)).toEqual([])
  expect(rejected(0, 60)).toEqual(['6% of the rows are rejected, 0% in the last run'])
  expect(rejected(30, 60)).toEqual([])
  expect(rejected(0, 60, { maxRejectedPct: 10 })).toEqual([])
  expect(rejected(30, 60, { maxRejectedFactor: 1.5 })).toHaveLength(1)
})

test('medians fail the run at a factor of 1.5, years at 5, with 200 rows or more', () => {
  const moved = (field: string, before: number, now: number, drift = {}) =>
    driftProblems(sales({ drift }), [profile({ medians: { [field]: before } })], profile({ medians: { [field]: now } }))
  expect(moved('priceUsd', 1_000_000, 1_490_000)).toEqual([])
  expect(moved('priceUsd', 1_000_000, 1_500_000)).toEqual(['the median of priceUsd moved from 1,000,000 to 1,500,000'])
  expect(moved('priceUsd', 1_500_000, 1_000_000)).toHaveLength(1)
  expect(moved('priceUsd', 1_000_000, 1_500_000, { maxMedianFactor: 2 })).toEqual([])
  expect(moved('yearBuilt', 1950, 1954)).toEqual([])
  expect(moved('yearBuilt', 1950, 1955)).toEqual(['the median of yearBuilt moved from 1950 to 1955'])
  expect(moved('yearBuilt', 1950, 1955, { maxMedianYears: 10 })).toEqual([])
  const counted = feedProfile()
  for (let at = 1; at < 200; at += 1) counted.count({ priceUsd: at })
  expect(counted.result().medians).toEqual({})
  counted.count({ priceUsd: 200 })
  expect(counted.result().medians).toEqual({ priceUsd: 101 })
  for (let at = 201; at <= 100_000; at += 1) counted.count({ priceUsd: at })
  expect(Math.abs(counted.result().medians.priceUsd! - 50_000)).toBeLessThan(100)
})

test('facts stop going together below a third of a correlation of 0.3 or more; one value fills a column at 90%', () => {
  const problems = (before: object, now: object) => driftProblems(sales({}), [profile(before)], profile(now)).length
  const link = (before: number, now: number) =>
    problems({ links: { 'beds, baths': before } }, { links: { 'beds, baths': now } })
  expect([link(0.3, 0.09), link(0.29, 0), link(0.75, 0.25), link(0.75, 0.24)]).toEqual([1, 0, 0, 1])
  const common = (before: number, now: number, old = '2') =>
    problems({ common: { view: { value: old, share: before } } }, { common: { view: { value: '2', share: now } } })
  expect([common(0.74, 0.9), common(0.75, 1), common(0.74, 0.89), common(1, 0.9, '0')]).toEqual([1, 0, 0, 1])
})

test('half of the rows or fewer fail a full run, and so does none', () => {
  const rows = (before: number, now: number, given = {}) =>
    driftProblems(sales(given), [profile({ rows: before, fields: {} })], profile({ rows: now, fields: {} }))
  expect(rows(1000, 510)).toEqual([])
  expect(rows(1000, 500)).toEqual(['500 rows can be loaded, 1,000 in the last run'])
  expect(rows(1000, 500, { drift: { minRowsPct: 20 } })).toEqual([])
  // The rows that a complete feed lacks have a limit of their own.
  expect(rows(1000, 400, { complete: true })).toEqual([])
  expect(rows(3, 1)).toEqual([])
  expect(rows(3, 0)).toHaveLength(1)
})

/** 600 homes whose facts go together as in a county. */
const homes = (
  change: (home: Record<string, unknown>, at: number, all: Record<string, unknown>[]) => object = () => ({}),
) => {
  let state = 7
  const random = () => {
    state = (state * 16807) % 2147483647
    return state / 2147483647
  }
  const all = Array.from({ length: 600 }, (_, at) => {
    const size = Math.exp(7.4 + 0.4 * (random() + random() + random() - 1.5))
    return {
      saleId: `S${at}`,
      livingSqft: Math.round(size),
      lotSqft: Math.round(size * (3 + 4 * random())),
      beds: Math.max(1, Math.round(size / 600 + random())),
      baths: Math.max(1, Math.round(size / 900 + random())),
      yearBuilt: 1940 + Math.round(60 * random()),
      quality: Math.round(30 + size / 80 + 10 * random()),
      waterfront: at % 90 === 0,
      view: at % 12 === 0 ? 2 : 0,
      condition: 55,
      priceUsd: Math.round(size * 400 * (0.8 + 0.4 * random())),
    }
  })
  const profile = feedProfile()
  for (const [at, home] of all.entries()) profile.count({ ...home, ...change(home, at, all) } as never)
  return { rows: 600, rejected: 0, changesOnly: false, ...profile.result() }
}

test.each([
  ['waterfront on everything', () => ({ waterfront: true }), /waterfront is true in 100% of the rows; false in 99%/],
  ['no waterfront at all', () => ({ waterfront: false }), undefined],
  [
    'quality on a scale of 1 to 13',
    (h) => ({ quality: Math.round((h.quality as number) / 8) }),
    /median of quality moved/,
  ],
  ['quality 100 everywhere', () => ({ quality: 100 }), /quality is 100 in 100% of the rows/],
  ['living area doubled', (h) => ({ livingSqft: 2 * (h.livingSqft as number) }), /median of livingSqft moved/],
  [
    'living area in square meters',
    (h) => ({ livingSqft: (h.livingSqft as number) / 10.764 }),
    /median of livingSqft moved/,
  ],
  ['lot in acres', (h) => ({ lotSqft: (h.lotSqft as number) / 43_560 }), /median of lotSqft moved/],
  ['bathrooms counted twice', (h) => ({ baths: 2 * (h.baths as number) }), /median of baths moved/],
  ['one year for every home', () => ({ yearBuilt: 1985 }), /yearBuilt is 1985 in 100%/],
  [
    'living area moved by a row',
    (_, at, all) => ({ livingSqft: all[(at + 1) % 600]!.livingSqft }),
    /livingSqft and beds no longer go together/,
  ],
  [
    'bathrooms moved by a row',
    (_, at, all) => ({ baths: all[(at + 1) % 600]!.baths }),
    /livingSqft and baths no longer go together: correlation 0\.\d+, now −?-?0\.\d/,
  ],
  [
    'quality moved by a row',
    (_, at, all) => ({ quality: all[(at + 1) % 600]!.quality }),
    /livingSqft and quality no longer go together/,
  ],
  [
    'price moved by a row',
    (_, at, all) => ({ priceUsd: all[(at + 1) % 600]!.priceUsd }),
    /livingSqft and priceUsd no longer go together/,
  ],
  ['prices in thousands', (h) => ({ priceUsd: (h.priceUsd as number) / 1000 }), /median of priceUsd moved/],
  ['view filled in', () => ({ view: 3 }), /view is 3 in 100%/],
  [
    'the same feed a month later',
    (h, at) => (at % 10 === 0 ? { priceUsd: 1.1 * (h.priceUsd as number) } : {}),
    undefined,
  ],
] as const satisfies readonly (readonly [string, Parameters<typeof homes>[0], RegExp | undefined])[])(
  'a second delivery with %s',
  (_, change, said) => {
    const problems = driftProblems(config('sales'), [homes()], homes(change)).join('; ')
    if (said) expect(problems).toMatch(said)
    else expect(problems).toBe('')
  },
)
