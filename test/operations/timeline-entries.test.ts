import { expect, test } from 'vitest'
import { timelineOf, valueMovesSince } from '../../src/operations/timeline.ts'
import type { StoredTimeline } from '../../src/store/properties/timeline.ts'

const listing = { sourceId: 's', listingId: 'L1', status: 'active', listedOn: '2026-03-01', priceUsd: 900_000 }
const change = (changedOn: string, more: object = {}) => ({
  ...{ sourceId: 's', listingId: 'L1', changedOn, status: 'active', previousStatus: 'active' },
  ...more,
})
const permit = (permitId: string, more: object = {}) => ({
  permitId,
  permitClass: 'new_house',
  status: 'issued',
  ...more,
})
const value = (changedOn: string, more: object = {}) => ({ changedOn, moved: [], ...more })
const stored = (more: object) =>
  ({
    listings: [],
    listingChanges: [],
    sales: [],
    permits: [],
    permitChanges: [],
    values: [],
    ...more,
  }) as unknown as StoredTimeline

const home = stored({
  listings: [listing],
  listingChanges: [
    change('2026-04-01', { status: 'pending', priceUsd: 950_000, previousPriceUsd: 950_000 }),
    change('2026-03-20', { priceUsd: 950_000, previousPriceUsd: 900_000 }),
    change('2026-03-10', { priceUsd: 900_000, previousPriceUsd: 1_000_000 }),
    change('2026-03-05', { listingId: 'L2', priceUsd: 1, previousPriceUsd: 2 }),
    change('2026-03-01', { previousStatus: undefined, priceUsd: 1_000_000 }),
  ],
  sales: [{ soldOn: '2019-05-01', priceUsd: 600_000 }],
  permits: [
    permit('A', { issuedOn: '2026-02-01', valuationUsd: 250_000 }),
    permit('B', { appliedOn: '2026-01-15', status: 'applied' }),
    permit('C'),
  ],
  permitChanges: [
    {
      changedOn: '2026-03-10',
      permitId: 'A',
      permitClass: 'new_house',
      status: 'final',
      previousStatus: 'issued',
      issuedOn: '2026-02-01',
    },
  ],
  values: [
    value('2026-04-02', {
      ...{ valueUsd: 960_000.4, valueLowUsd: 900_000.4, valueHighUsd: 1_000_000.4, previousValueUsd: 930_000.4 },
      ...{ returnPct: -3.5, previousReturnPct: 4 },
      moved: [
        { input: 'comparablesValue', from: 1, to: 2 },
        { input: 'conditionValue', from: 2, to: 1 },
        { input: 'capital', from: 1, to: 2 },
        { input: 'model' },
      ],
    }),
    value('2026-03-15', { valueUsd: 930_000.4, returnPct: 4, moved: [{ input: 'model' }] }),
  ],
})

test('a timeline says in words what happened, newest first', () => {
  expect(timelineOf(home).map(({ date, kind, text }) => `${date} ${kind} ${text}`)).toMatchInlineSnapshot(`
    [
      "2026-04-02 value Value estimate from $930,000 to $960,000; return from 4% to −3.5%. Changed: its comparable sales point higher, worse condition, price and costs.",
      "2026-04-01 status Listing changed from active to pending.",
      "2026-03-20 price Price raised from $900,000 to $950,000 (+5.6%).",
      "2026-03-15 value Value estimate $930,000; return 4%. Changed: newer sales in the area.",
      "2026-03-10 price Price cut from $1,000,000 to $900,000 (−10%).",
      "2026-03-10 permitStatus Permit A changed from issued to final.",
      "2026-03-01 listed Listed for $1,000,000.",
      "2026-02-01 permit Permit A (new house) issued, $250,000.",
      "2026-01-15 permit Permit B (new house) applied for.",
      "2019-05-01 sale Sold for $600,000.",
    ]
  `)
  expect(timelineOf(home).find(({ kind }) => kind === 'value')).toMatchInlineSnapshot(`
    {
      "changePct": 3.2,
      "date": "2026-04-02",
      "high": 1000000,
      "kind": "value",
      "low": 900000,
      "moved": [
        {
          "from": 1,
          "input": "comparablesValue",
          "to": 2,
        },
        {
          "from": 2,
          "input": "conditionValue",
          "to": 1,
        },
        {
          "from": 1,
          "input": "capital",
          "to": 2,
        },
        {
          "input": "model",
        },
      ],
      "previous": {
        "returnPct": 4,
        "value": 930000,
      },
      "returnPct": -3.5,
      "text": "Value estimate from $930,000 to $960,000; return from 4% to −3.5%. Changed: its comparable sales point higher, worse condition, price and costs.",
      "value": 960000,
    }
  `)
  expect(timelineOf(home).filter(({ kind }) => kind === 'price')).toMatchObject([
    { price: 950_000, previous: { price: 900_000 }, changePct: 5.6 },
    { price: 900_000, previous: { price: 1_000_000 }, changePct: -10 },
  ])
})

test('entries of the same day stay in the order listing, sale, permit, change of a permit, value', () => {
  const day = '2026-03-01'
  const one = stored({
    listings: [listing],
    sales: [{ soldOn: day, priceUsd: 1 }],
    permits: [permit('A', { issuedOn: day }), permit('B', { issuedOn: day })],
    permitChanges: [{ changedOn: day, permitId: 'C', permitClass: 'adu', status: 'final', previousStatus: 'issued' }],
    values: [value(day, { valueUsd: 5 })],
  })
  expect(timelineOf(one).map(({ kind, permitId }) => permitId ?? kind)).toEqual([
    'listed',
    'sale',
    'A',
    'B',
    'C',
    'value',
  ])
})

test('a window hides what is older, but nothing of a listing on the market', () => {
  const kinds = (of: StoredTimeline, since: string, hidden?: boolean) =>
    timelineOf(of, since, hidden).map(({ date, kind }) => `${date.slice(5)} ${kind}`)
  expect(kinds(home, '2026-03-15')).toEqual([
    ...['04-02 value', '04-01 status', '03-20 price', '03-15 value', '03-10 price', '03-01 listed'],
  ])
  expect(kinds(home, '2026-02-01')).toContain('03-10 permitStatus')
  expect(kinds(home, '2026-02-02')).not.toContain('03-10 permitStatus')
  const soldOn = (status: string, soldOn?: string) =>
    stored({ ...home, listings: [{ ...listing, status, soldOn }], values: [] })
  expect(kinds(soldOn('sold', '2026-03-15'), '2026-03-15')).toHaveLength(4)
  expect(kinds(soldOn('sold', '2026-03-14'), '2026-03-15')).toEqual([])
  expect(kinds(soldOn('sold'), '2026-03-15')).toEqual([])
  expect(kinds(soldOn('withdrawn'), '2026-03-20')).toEqual(['04-01 status', '03-20 price'])
})

test('without the price there is no return, and no change of the return alone', () => {
  const values = [
    value('2026-03-03', {
      valueUsd: 1_000,
      previousValueUsd: 1_000,
      returnPct: 3,
      previousReturnPct: 2,
      moved: [{ input: 'capital' }],
    }),
    value('2026-03-02', {
      valueUsd: 1_010,
      previousValueUsd: 1_000,
      returnPct: 3,
      moved: [{ input: 'capital' }, { input: 'conditionValue', from: 1, to: 2 }],
    }),
    value('2026-03-01', { valueUsd: 1_009, previousValueUsd: 1_000, returnPct: 2 }),
    value('2026-02-28', { previousValueUsd: 1_000 }),
    value('2026-02-27', { returnPct: 1 }),
  ]
  const entries = timelineOf(stored({ values }), undefined, true)
  expect(entries.map(({ date, text }) => [date, text])).toMatchInlineSnapshot(`
    [
      [
        "2026-03-02",
        "Value estimate from $1,000 to $1,010. Changed: better condition.",
      ],
      [
        "2026-02-28",
        "Value estimate no longer computed.",
      ],
    ]
  `)
  expect(timelineOf(stored({ values })).map(({ text }) => text)).toMatchInlineSnapshot(`
    [
      "Return from 2% to 3%. Changed: price and costs.",
      "Value estimate from $1,000 to $1,010; return 3%. Changed: better condition, price and costs.",
      "Return 2%.",
      "Value estimate no longer computed.",
      "Return 1%.",
    ]
  `)
})

test('a value that hardly moved is no entry where there is no return', () => {
  const values = [value('2026-03-01', { valueUsd: 1_001, previousValueUsd: 1_000, moved: [{ input: 'model' }] })]
  expect(timelineOf(stored({ values }))).toEqual([])
  expect(valueMovesSince(stored({ values }), '2026-01-01')).toBeUndefined()
})

test('the moves of some weeks are one: from before the first to after the last', () => {
  const texts = (from: string, of = home) => valueMovesSince(of, from)?.text
  expect(texts('2026-03-15')).toMatchInlineSnapshot(
    `"Value estimate $960,000; return −3.5%. Changed: worse condition, its comparable sales point higher, price and costs."`,
  )
  expect(texts('2026-03-16')).toMatchInlineSnapshot(
    `"Value estimate from $930,000 to $960,000; return from 4% to −3.5%. Changed: worse condition, its comparable sales point higher, price and costs."`,
  )
  expect(texts('2026-04-03')).toBeUndefined()
  const moved = (input: string, from?: number, to?: number) => [{ input, from, to }]
  const there = { valueUsd: 120, previousValueUsd: 100, moved: moved('conditionValue', 1, 2) }
  const back = { valueUsd: 100, previousValueUsd: 120, moved: moved('conditionValue', 2, 1) }
  expect(
    texts('2026-01-01', stored({ values: [value('2026-02-02', back), value('2026-02-01', there)] })),
  ).toBeUndefined()
  const more = { valueUsd: 150, previousValueUsd: 120, returnPct: 5, moved: moved('conditionValue', 2, 1) }
  const both = valueMovesSince(
    stored({ values: [value('2026-02-02', more), value('2026-02-01', there)] }),
    '2026-02-01',
  )
  expect(both).toMatchObject({ value: 150, previous: { value: 100 }, moved: [], changePct: 50 })
  expect(both!.text).toBe('Value estimate from $100 to $150; return 5%.')
})
