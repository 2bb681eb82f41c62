// What a run keeps of the listings and permits it changes, and the events of permits.
import { beforeEach, expect, test } from 'vitest'
import { announceTo } from '../../src/assess/announce.ts'
import { assessMarket } from '../../src/assess/assess-market.ts'
import type { SearchRow } from '../../src/criteria/conditions.ts'
import type { Criteria } from '../../src/criteria/vocabulary.ts'
import { inTransaction, sql } from '../../src/store/engine/database.ts'
import { insertKey } from '../../src/store/keys/keys.ts'
import { indexPropertiesOf } from '../../src/store/search/upkeep.ts'
import { saveWatch } from '../../src/store/watches/watches.ts'
import { announceMatches } from '../../src/watches/announce.ts'
import { matchChanges } from '../../src/watches/matching.ts'
import type { WatchKind, WatchTrigger } from '../../src/wire/watches.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import { assessedAsOf, emptyTables } from '../setup/rows.ts'
import { ingest, listingRow, parcelRow, permitRow, today } from './feed.ts'

const store = useDatabaseWithQueue()
const later = new Date(today.getTime() + 3_600_000)
const latest = new Date(today.getTime() + 7_200_000)

beforeEach(async () => {
  await emptyTables(
    store().db,
    'listing',
    'permit',
    'property',
    'event',
    'ingest_run',
    'source',
    'assess_run',
    'watch',
    'watched_change',
    'waiting_match',
    'api_key',
  )
})

const listingChanges = async () =>
  (
    await sql`
      select listing_id, price_usd, status, previous_price_usd, previous_status, changed_on from listing_change
      order by changed_at, listing_id`.execute(store().db)
  ).rows

const events = async () =>
  (
    await sql<{ type: string; data: Record<string, unknown>; row: Record<string, never> }>`
      select type, body::jsonb->'data' as data, search_row as row from event order by seq`.execute(store().db)
  ).rows

test('new listings, price and status changes are kept; a first load and an unchanged row are not', async () => {
  const home = listingRow({ listingId: 'L1', priceUsd: 2_000_000, status: 'active' })
  await ingest(store(), 'listings', [home])
  expect(await listingChanges()).toEqual([])
  const other = listingRow({ listingId: 'L2', address: '12 Elm St', priceUsd: 900_000, status: 'active' })
  await ingest(store(), 'listings', [{ ...home, priceUsd: 1_900_000 }, other], {}, { now: later })
  await ingest(
    store(),
    'listings',
    [{ ...home, priceUsd: 1_900_000, status: 'pending', pendingOn: '2026-11-10' }, other],
    {},
    // A change has the time at which it is loaded: mails that were sent while the feed was read have not told it.
    { now: later, loadedAt: () => latest },
  )
  expect(await listingChanges()).toEqual([
    {
      listingId: 'L1',
      priceUsd: 1_900_000,
      status: 'active',
      previousPriceUsd: 2_000_000,
      previousStatus: 'active',
      changedOn: '2026-11-15',
    },
    {
      listingId: 'L2',
      priceUsd: 900_000,
      status: 'active',
      previousPriceUsd: null,
      previousStatus: null,
      changedOn: '2026-11-15',
    },
    {
      listingId: 'L1',
      priceUsd: 1_900_000,
      status: 'pending',
      previousPriceUsd: 1_900_000,
      previousStatus: 'active',
      changedOn: '2026-11-10',
    },
  ])
})

test('a change of the price alone has the day of the run, not that of the status', async () => {
  const home = listingRow({ listingId: 'L1', priceUsd: 2_000_000, status: 'pending', pendingOn: '2026-11-10' })
  await ingest(store(), 'listings', [home])
  await ingest(store(), 'listings', [{ ...home, priceUsd: 1_900_000 }], {}, { now: later })
  expect(await listingChanges()).toMatchObject([{ priceUsd: 1_900_000, status: 'pending', changedOn: '2026-11-15' }])
})

test('a listing that a complete feed no longer contains is kept as withdrawn', async () => {
  const homes = Array.from({ length: 6 }, (_, at) =>
    listingRow({ listingId: `L${at}`, address: `${10 + at} Elm St`, status: 'active' }),
  )
  await ingest(store(), 'listings', homes, { complete: true })
  await ingest(store(), 'listings', homes.slice(1), { complete: true }, { now: later })
  expect(await listingChanges()).toMatchObject([{ listingId: 'L0', status: 'withdrawn', previousStatus: 'active' }])
})

test('a run that fails keeps no change', async () => {
  const home = listingRow({ listingId: 'L1', priceUsd: 2_000_000 })
  await ingest(store(), 'listings', [home])
  await sql`alter table touched_property rename to touched_away`.execute(store().db)
  await expect(ingest(store(), 'listings', [{ ...home, priceUsd: 1_500_000 }], {}, { now: later })).rejects.toThrow()
  await sql`alter table touched_away rename to touched_property`.execute(store().db)
  expect(await listingChanges()).toEqual([])
})

test('a permit whose status changes is kept and announced with its city, page and searchable row', async () => {
  const permit = permitRow({ permitId: 'B1', status: 'Issued', valuation: 90_000 })
  await ingest(store(), 'permits', [permit])
  expect(await events()).toEqual([])
  await assessedAsOf(store().db, 'sf-peninsula', '2026-08-31')
  await ingest(
    store(),
    'permits',
    [{ ...permit, status: 'Finaled' }],
    {},
    { now: later, publicUrl: 'https://lots.test' },
  )
  await assessedAsOf(store().db, 'sf-peninsula')
  // Nothing in it was assessed.
  expect((await sql`select 1 from event where body::jsonb ? 'asOf'`.execute(store().db)).rows).toEqual([])
  expect(await events()).toMatchObject([
    {
      type: 'permit.status_changed',
      data: {
        permitId: 'B1',
        citySlug: expect.any(String),
        status: 'finaled',
        previous: { status: 'issued' },
        permitUrl: expect.stringMatching(/^https:\/\/lots.test\/permits\/[a-z-]+\/B1$/),
      },
      row: { texts: { status: 'finaled' }, numbers: { valuation: 90_000 } },
    },
  ])
  expect((await sql`select status, previous_status from permit_change`.execute(store().db)).rows).toEqual([
    { status: 'finaled', previousStatus: 'issued' },
  ])
})

test('permit.created says where the permit is and when it was issued', async () => {
  await ingest(store(), 'permits', [permitRow({ permitId: 'B0' })])
  await ingest(
    store(),
    'permits',
    [permitRow({ permitId: 'B1', valuation: 900_000, issuedOn: '2026-11-10' })],
    {},
    { now: later },
  )
  const [event] = await events()
  expect(event).toMatchObject({
    type: 'permit.created',
    data: {
      permitId: 'B1',
      city: 'Palo Alto',
      citySlug: 'palo-alto',
      issuedDate: '2026-11-10',
      permitClass: expect.any(String),
      permitUrl: expect.stringContaining('/permits/'),
    },
  })
  expect(event!.data).not.toHaveProperty('market')
})

const saveWatchOn = async (kind: WatchKind, criteria: Criteria, triggers: WatchTrigger[]) => {
  const { id: keyId } = await insertKey(store().db, { plan: 'pro', email: `${kind}@example.com` })
  return saveWatch(
    store().db,
    { keyId, mailbox: kind, confirmed: true },
    {
      name: kind,
      kind,
      criteria,
      markets: null,
      cities: null,
      triggers,
      cadence: 'instant',
      email: false,
      feedHash: null,
      assumptionSetId: null,
      endpoints: [],
      note: null,
      savedHome: false,
    },
    { most: 9, now: today },
  )
}

const matches = async () => {
  await matchChanges(store().db, today)
  return (
    await sql<{ watchId: string; record: string; triggers: string[]; before: SearchRow | null; after: SearchRow }>`
      select watch_id, record, triggers, before, after from watch_match union all
      select e.key, m.record, array(select jsonb_array_elements_text(e.value)), m.before, m.after
      from waiting_match m cross join lateral jsonb_each(m.watches) e order by record`.execute(store().db)
  ).rows
}

const market = 'sf-peninsula'
const assess = (now: Date) =>
  assessMarket(store().db, market, { now, announce: announceTo({ queue: store().queue }, now) })
const announce = async (now: Date) => {
  await matchChanges(store().db, now)
  return announceMatches(store().db, { queue: store().queue, publicUrl: 'https://lots.test' }, now)
}

test('a parcel that a feed adds or changes matches once, although it is assessed later; a first load matches nothing', async () => {
  await saveWatchOn('parcels', { minLotSize: 8_000 }, ['entered'])
  const lot = parcelRow({ lotSqft: 5_000 })
  await ingest(store(), 'parcels', [lot, parcelRow({ apn: '123-45-600', address: '8 Oak St', lotSqft: 9_900 })])
  await assess(today)
  expect(await matches()).toEqual([])
  const added = parcelRow({ apn: '123-45-679', address: '12 Oak St', lotSqft: 9_500 })
  await ingest(store(), 'parcels', [{ ...lot, lotSqft: 9_000 }, added], {}, { now: later })
  const lots = async () =>
    (await matches())
      .map(({ before, after, triggers }) => [after.numbers.lotSize, before?.numbers.lotSize, ...triggers])
      .sort()
  const expected = [
    [9_000, 5_000, 'entered'],
    [9_500, undefined, 'entered'],
  ]
  expect(await lots()).toEqual(expected)
  await assess(later)
  expect(await lots()).toEqual(expected)
  await announce(later)
  await ingest(store(), 'parcels', [{ ...lot, lotSqft: 9_000, yearBuilt: 1951 }, added], {}, { now: latest })
  await assess(latest)
  expect(await lots()).toEqual(expected)
})

test('a parcel that an overlay now covers leaves the searches that exclude it', async () => {
  await saveWatchOn('parcels', { exclude: ['floodZone'] }, ['left'])
  const lot = { ...parcelRow(), 'overlay.floodZone': 'no' }
  await ingest(store(), 'parcels', [lot])
  await ingest(store(), 'parcels', [{ ...lot, 'overlay.floodZone': 'yes' }], {}, { now: later })
  expect((await matches()).map(({ triggers }) => triggers)).toEqual([['left']])
})

test('a listing change and facts that change with it, or before the assessment, are one match', async () => {
  await saveWatchOn('listings', { maxPrice: 2_000_000, minLotSize: 8_000 }, ['entered', 'price'])
  const [first, second] = [
    { ...listingRow({ listingId: 'L1', priceUsd: 2_100_000 }), lotSqft: 5_000 },
    { ...listingRow({ listingId: 'L2', address: '12 Elm St', priceUsd: 2_000_000 }), lotSqft: 5_000 },
  ]
  const prices = [
    { ...first, priceUsd: 1_900_000 },
    { ...second, priceUsd: 1_900_000, lotSqft: 9_000 },
  ]
  await ingest(store(), 'listings', [first, second])
  await assess(today)
  await ingest(store(), 'listings', prices, {}, { now: later })
  await ingest(store(), 'listings', [{ ...prices[0], lotSqft: 9_000 }, prices[1]!], {}, { now: latest })
  await announce(latest)
  await assess(latest)
  await announce(latest)
  const told = (await matches()).map(({ before, triggers }) => [before?.numbers.price, ...triggers])
  expect(told.sort()).toEqual([
    [2_000_000, 'entered', 'price'],
    [2_100_000, 'entered', 'price'],
  ])
})

const told = async () =>
  (await matches())
    .map(({ before, after, triggers }) => [before?.numbers.price, after.numbers.price, ...triggers])
    .sort()

test('a home that is listed again before its assessment is compared with its row before the first change', async () => {
  await saveWatchOn('listings', { maxPrice: 2_000_000 }, ['entered', 'price'])
  const first = listingRow({ listingId: 'L1', priceUsd: 2_100_000 })
  await ingest(store(), 'listings', [first])
  await assess(today)
  await ingest(store(), 'listings', [{ ...first, priceUsd: 1_900_000 }], {}, { now: later })
  const again = listingRow({ listingId: 'L2', priceUsd: 1_800_000, listedOn: '2026-11-14' })
  const withdrawn = { ...first, priceUsd: 1_900_000, status: 'Withdrawn' }
  await ingest(store(), 'listings', [withdrawn, again], {}, { now: latest })
  await assess(latest)
  expect(await told()).toEqual([[2_100_000, 1_800_000, 'entered', 'price']])
})

test('the first load of another source that lists the home does not hide the change that waits', async () => {
  await saveWatchOn('listings', { maxPrice: 2_000_000 }, ['entered', 'price'])
  const first = listingRow({ listingId: 'L1', priceUsd: 2_100_000 })
  await ingest(store(), 'listings', [first])
  await assess(today)
  await ingest(store(), 'listings', [{ ...first, priceUsd: 1_900_000 }], {}, { now: later })
  const other = listingRow({ listingId: 'L2', priceUsd: 1_850_000, listedOn: '2026-11-14' })
  await ingest(store(), 'listings', [other], { id: 'other-listings' }, { now: latest })
  await assess(latest)
  expect(await told()).toEqual([[2_100_000, 1_850_000, 'entered', 'price']])
})

test('facts that change with a listing match although new models make the assessment silent', async () => {
  await saveWatchOn('listings', { minLotSize: 8_000 }, ['entered', 'price'])
  const home = { ...listingRow({ listingId: 'L1', priceUsd: 2_100_000 }), lotSqft: 5_000 }
  await ingest(store(), 'listings', [home])
  await assess(today)
  await ingest(store(), 'listings', [{ ...home, priceUsd: 1_900_000 }], {}, { now: later })
  await ingest(store(), 'listings', [{ ...home, priceUsd: 1_900_000, lotSqft: 9_000 }], {}, { now: latest })
  for (const table of ['assessment', 'assess_run'])
    await sql`update ${sql.table(table)} set model_version = 'older'`.execute(store().db)
  await assess(latest)
  expect(await told()).toEqual([[2_100_000, 1_900_000, 'entered', 'price']])
})

test('facts match once although a listing change waits that is older than the watch, or that created the home', async () => {
  const home = { ...listingRow({ listingId: 'L1', priceUsd: 2_100_000 }), lotSqft: 5_000 }
  const cheaper = { ...home, priceUsd: 1_900_000 }
  const added = { ...listingRow({ listingId: 'L2', address: '12 Elm St', priceUsd: 900_000 }), lotSqft: 9_000 }
  await ingest(store(), 'listings', [home])
  await assess(today)
  await ingest(store(), 'listings', [cheaper], {}, { now: later })
  await saveWatchOn('listings', { minLotSize: 8_000 }, ['entered'])
  await ingest(store(), 'listings', [cheaper, added], {}, { now: latest })
  const last = new Date(latest.getTime() + 1_000)
  await ingest(
    store(),
    'listings',
    [
      { ...cheaper, lotSqft: 9_000 },
      { ...added, beds: 4 },
    ],
    {},
    { now: last },
  )
  await announce(last)
  await assess(last)
  await announce(last)
  const lots = (await matches()).map(({ before, after, triggers }) => [
    before?.texts.status && before.numbers.lotSize,
    after.numbers.lotSize,
    ...triggers,
  ])
  expect(lots.sort()).toEqual([
    [undefined, 9_000, 'entered'],
    [5_000, 9_000, 'entered'],
  ])
})

test('an assessment waits for a load that leaves its match to it', async () => {
  const { db } = store()
  await saveWatchOn('listings', { minLotSize: 8_000 }, ['entered', 'price'])
  const home = { ...listingRow({ listingId: 'L1', priceUsd: 2_100_000 }), lotSqft: 5_000 }
  await ingest(store(), 'listings', [home])
  await assess(today)
  await ingest(store(), 'listings', [{ ...home, priceUsd: 1_900_000 }], {}, { now: later })
  // Announces nothing, so the change still waits and the next assessment has only the change to announce.
  await assessMarket(db, market, { now: later })
  let isDone = false
  let assessing: Promise<unknown> | undefined
  await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ propertyId: string }>`
      update listing set lot_sqft = 9000 returning property_id`.execute(tx)
    const ids = rows.map(({ propertyId }) => propertyId)
    await indexPropertiesOf(tx, market, ids)
    assessing = assess(latest).finally(() => {
      isDone = true
    })
    assessing.catch(() => {})
    const isWaiting = async () =>
      (
        await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          db,
        )
      ).rows.length > 0
    while (!isDone && !(await isWaiting()));
  })
  await assessing
  expect(await told()).toEqual([[2_100_000, 1_900_000, 'entered', 'price']])
})

test('a listing whose facts change matches with them; a new price waits for the assessment and matches once', async () => {
  await saveWatchOn('listings', { minBeds: 4 }, ['entered', 'price'])
  const [first, second] = [
    listingRow({ listingId: 'L1', beds: 3 }),
    listingRow({ listingId: 'L2', address: '12 Elm St', beds: 4 }),
  ]
  await ingest(store(), 'listings', [first, second])
  await assess(today)
  await ingest(
    store(),
    'listings',
    [
      { ...first, beds: 4 },
      { ...second, priceUsd: 2_900_000 },
    ],
    {},
    { now: later },
  )
  expect((await matches()).map(({ triggers }) => triggers)).toEqual([['entered']])
  await announce(later)
  await assess(later)
  await announce(later)
  expect((await matches()).map(({ triggers }) => triggers.join()).sort()).toEqual(['entered', 'price'])
})

test('watches of permits and of homes match a permit that is recorded or changes its status, not those of a first load', async () => {
  const permits = await saveWatchOn('permits', { issued: 'any' }, ['entered', 'status'])
  const homes = await saveWatchOn('listings', {}, ['permit'])
  await ingest(store(), 'listings', [listingRow({ listingId: 'L1', status: 'active' })])
  const first = permitRow({ permitId: 'B1', status: 'applied', issuedOn: undefined })
  await ingest(store(), 'permits', [first])
  expect(await matches()).toEqual([])
  await ingest(
    store(),
    'permits',
    [{ ...first, status: 'in_review' }, permitRow({ permitId: 'B2' })],
    {},
    { now: later },
  )
  const found = await matches()
  expect(found.filter(({ watchId }) => watchId === permits).map(({ triggers }) => triggers)).toEqual([
    ['status'],
    ['entered'],
  ])
  expect(found.filter(({ watchId }) => watchId === homes).map(({ triggers }) => triggers)).toEqual([['permit']])
})
