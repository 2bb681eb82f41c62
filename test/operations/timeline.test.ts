import { expect, test } from 'vitest'
import { timelineOf, valueMovesSince } from '../../src/operations/timeline.ts'
import type { StoredTimeline } from '../../src/store/properties/timeline.ts'

const stored: StoredTimeline = {
  listings: [
    {
      sourceId: 'mls',
      listingId: 'L1',
      status: 'active',
      priceUsd: 1_800_000,
      originalPriceUsd: 2_000_000,
      listedOn: '2026-08-01',
    },
  ],
  listingChanges: [
    {
      sourceId: 'mls',
      listingId: 'L1',
      changedOn: '2026-09-01',
      priceUsd: 1_800_000,
      status: 'active',
      previousPriceUsd: 2_000_000,
      previousStatus: 'active',
    },
  ],
  sales: [{ soldOn: '2020-05-01', priceUsd: 1_500_000 }],
  permits: [
    { permitId: 'B1', permitClass: 'remodel', status: 'finaled', issuedOn: '2021-02-01' },
    { permitId: 'B2', permitClass: 'roof', status: 'issued', issuedOn: '2026-11-01', valuationUsd: 20_000 },
    { permitId: 'B3', permitClass: 'roof', status: 'unknown' },
  ],
  permitChanges: [
    {
      permitId: 'B1',
      permitClass: 'remodel',
      issuedOn: '2021-02-01',
      changedOn: '2026-11-02',
      status: 'finaled',
      previousStatus: 'issued',
    },
  ],
  values: [
    {
      changedOn: '2026-11-03',
      valueUsd: 1_900_000,
      previousValueUsd: 1_850_000,
      returnPct: 0.9,
      previousReturnPct: -0.6,
      moved: [{ input: 'arvPerSqft', from: 1_200, to: 1_230 }],
    },
  ],
}

test('listings, sales, permits and values are one list, newest first, with what moved the value', () => {
  expect(timelineOf(stored).map(({ date, kind }) => `${date} ${kind}`)).toEqual([
    '2026-11-03 value',
    '2026-11-02 permitStatus',
    '2026-11-01 permit',
    '2026-09-01 price',
    '2026-08-01 listed',
    '2021-02-01 permit',
    '2020-05-01 sale',
  ])
  const [value, , , price] = timelineOf(stored)
  expect(value!.text).toBe(
    'Value estimate from $1,850,000 to $1,900,000; return from −0.6% to 0.9%. Changed: resale value per sq ft.',
  )
  expect(price).toMatchObject({ price: 1_800_000, previous: { price: 2_000_000 }, changePct: -10 })
})

test('a history window gives the timeline of a database without the older records', () => {
  const since = '2026-10-15'
  const recent = { ...stored, sales: [], permits: stored.permits.slice(1, 2), permitChanges: [] }
  expect(timelineOf(stored, since)).toEqual(timelineOf(recent, since))
  expect(timelineOf(stored, since).map(({ kind }) => kind)).toEqual(['value', 'permit', 'price', 'listed'])
  const sold = { ...stored, listings: [{ ...stored.listings[0]!, status: 'sold' as const, soldOn: '2026-09-20' }] }
  expect(timelineOf(sold, since).map(({ kind }) => kind)).toEqual(['value', 'permit'])
})

test('a home whose price the window hides shows its values without the return and without what moved it', () => {
  const moved = [{ input: 'model' }, { input: 'capital', from: 1_800_000, to: 1_700_000 }]
  const values = [
    { ...stored.values[0]!, moved },
    { ...stored.values[0]!, previousValueUsd: 1_900_000 },
  ]
  const shown = timelineOf({ ...stored, values }, '2026-10-15', true).filter(({ kind }) => kind === 'value')
  expect(shown).toEqual([
    {
      date: '2026-11-03',
      kind: 'value',
      value: 1_900_000,
      previous: { value: 1_850_000 },
      changePct: 2.7,
      moved: [{ input: 'model' }],
      text: 'Value estimate from $1,850,000 to $1,900,000. Changed: newer sales in the area.',
    },
  ])
})

test('a listing begins at its first known price, and a listing of another source with the same id is another one', () => {
  const first = { ...stored.listingChanges[0]!, priceUsd: 1_950_000 }
  const { previousPriceUsd: _p, previousStatus: _s, ...added } = first
  const listed = (listingChanges: StoredTimeline['listingChanges']) =>
    timelineOf({ ...stored, listingChanges }).find(({ kind }) => kind === 'listed')!.price
  expect(listed([added])).toBe(1_950_000)
  expect(listed([{ ...first, sourceId: 'other', previousPriceUsd: 900_000 }])).toBe(2_000_000)
})

test('the changes of the value and the return in a period are one, with what moved them', () => {
  const [last] = stored.values
  const first = {
    changedOn: '2026-10-20',
    valueUsd: 1_850_000,
    previousValueUsd: 1_800_000,
    returnPct: -0.6,
    previousReturnPct: -2.5,
    moved: [
      { input: 'capital', from: 2_000_000, to: 1_900_000 },
      { input: 'arvPerSqft', from: 1_190, to: 1_200 },
    ],
  }
  const old = { ...first, changedOn: '2026-10-01' }
  const values = [last!, first, old]
  expect(valueMovesSince({ ...stored, values }, '2026-10-04')).toMatchObject({
    value: 1_900_000,
    previous: { value: 1_800_000, returnPct: -2.5 },
    changePct: 5.6,
    moved: [
      { input: 'arvPerSqft', from: 1_190, to: 1_230 },
      { input: 'capital', from: 2_000_000, to: 1_900_000 },
    ],
    text: 'Value estimate from $1,800,000 to $1,900,000; return from −2.5% to 0.9%. Changed: resale value per sq ft, price and costs.',
  })
  expect(valueMovesSince({ ...stored, values }, '2026-10-04', true)!.text).toBe(
    'Value estimate from $1,800,000 to $1,900,000.',
  )
  expect(valueMovesSince(stored, '2026-11-04')).toBeUndefined()
  const undone = {
    ...first,
    changedOn: '2026-11-05',
    valueUsd: 1_850_000,
    previousValueUsd: 1_900_000,
    returnPct: -0.6,
  }
  expect(valueMovesSince({ ...stored, values: [undone, last!] }, '2026-10-04')).toBeUndefined()
})

test('a value that hardly moved is not told beside the return that did, nor on its own', () => {
  const [last] = stored.values
  const row = { ...last!, previousValueUsd: 1_000_000, valueUsd: 1_002_000, previousReturnPct: 4, returnPct: 6 }
  const value = (hidden: boolean) =>
    timelineOf({ ...stored, values: [row] }, undefined, hidden).find(({ kind }) => kind === 'value')?.text
  expect(value(false)).toMatch(/^Return from 4% to 6%/)
  expect(value(true)).toBeUndefined()
})
