import { expect, test } from 'vitest'
import { blankDeal, changesBetween, decisionChanges, noticeable } from '../../src/operations/deal-homes.ts'
import type { DealSnapshot } from '../../src/wire/deals.ts'

test('a changed best use has the words of the pages', () => {
  const at = (scheme: DealSnapshot['scheme']) => ({ scheme, worthUpTo: 1_000_000, roomUsd: 0 }) as DealSnapshot
  expect(decisionChanges(at('renovate'), at('two_units'))).toMatchObject([
    { text: 'The best use is two homes; it was a renovation' },
  ])
})

/** What changed from one state of a home to another. */
const changed = (from: Partial<DealSnapshot>, to: Partial<DealSnapshot>, hidden = false) => {
  const on = '2026-11-15'
  return changesBetween({ on, ...from }, { on, ...to }, hidden).map(({ what }) => what)
}

test('the price, the status and the value of a home change; what the window hides does not', () => {
  const cases: readonly [Partial<DealSnapshot>, Partial<DealSnapshot>, string[]][] = [
    [{ price: 100 }, { price: 90 }, ['price']],
    [{ price: 100 }, { price: 100 }, []],
    [{ price: 100 }, {}, []],
    [{ status: 'active' }, { status: 'pending' }, ['status']],
    [{}, { status: 'active' }, ['status']],
    [{ status: 'active' }, {}, ['status']],
    [{}, {}, []],
    [{ value: 100 }, { value: 105 }, ['value']],
    [{ value: 100 }, { value: 95 }, ['value']],
    [{ value: 100 }, { value: 104 }, []],
    [{ value: 100 }, {}, []],
    [{}, { value: 100 }, []],
  ]
  expect(cases.map(([from, to]) => changed(from, to))).toEqual(cases.map(([, , what]) => what))
  const all = { price: 100, status: 'active', value: 100, scheme: 'rent', worthUpTo: 100, roomUsd: 5 } as const
  const none = { price: 90, status: 'sold', value: 200, scheme: 'renovate', worthUpTo: 200, roomUsd: -5 } as const
  expect(changed(all, none)).toEqual(['price', 'status', 'value', 'bestUse', 'room', 'worthUpTo'])
  expect(changed(all, none, true)).toEqual(['value'])
  const [up, , down] = [1.1, 1, 0.9].map((factor) =>
    changesBetween({ on: '', value: 1_000_000 }, { on: '', value: factor * 1_000_000 }, false),
  )
  expect([up![0]!.text, down![0]!.text]).toEqual([
    'Estimated value up from $1,000,000 to $1,100,000',
    'Estimated value down from $1,000,000 to $900,000',
  ])
  expect(changesBetween({ on: '' }, { on: '', status: 'active' }, false)[0]).toEqual({
    what: 'status',
    text: 'Status changed from not listed to active',
    to: 'active',
  })
  expect(changesBetween({ on: '', status: 'active' }, { on: '' }, false)[0]).toEqual({
    what: 'status',
    text: 'Status changed from active to not listed',
    from: 'active',
  })
})

test('a decision changes with its best use, the sign of its room and 5% of what the home could bear', () => {
  const of = (from: Partial<DealSnapshot>, to: Partial<DealSnapshot>) =>
    changed({ worthUpTo: 1_000, ...from }, { worthUpTo: 1_000, ...to })
  expect([
    of({ scheme: 'rent' }, { scheme: 'renovate' }),
    of({ scheme: 'rent' }, {}),
    of({}, { scheme: 'rent' }),
  ]).toEqual([['bestUse'], [], []])
  expect([
    of({ roomUsd: -1 }, { roomUsd: 0 }),
    of({ roomUsd: 0 }, { roomUsd: -1 }),
    of({ roomUsd: 0 }, { roomUsd: 9 }),
    // Without a price to beat.
    of({}, { roomUsd: -1 }),
    of({ roomUsd: -1 }, {}),
    of({ roomUsd: -1 }, { roomUsd: -9 }),
  ]).toEqual([['room'], ['room'], [], [], [], []])
  const room = (from: number, to: number) =>
    decisionChanges({ on: '', worthUpTo: 1, roomUsd: from }, { on: '', worthUpTo: 1, roomUsd: to })[0]!.text
  expect([room(-1, 0), room(0, -1)]).toEqual([
    'It now earns its target at the price to beat',
    'It no longer earns its target at the price to beat',
  ])
  expect([of({}, { worthUpTo: 1_050 }), of({}, { worthUpTo: 950 }), of({}, { worthUpTo: 1_049 })]).toEqual([
    ['worthUpTo'],
    ['worthUpTo'],
    [],
  ])
  // A home that is not for sale has none.
  expect([changed({ scheme: 'rent' }, { scheme: 'renovate', worthUpTo: 5 }), changed({ worthUpTo: 5 }, {})]).toEqual([
    [],
    [],
  ])
  expect([noticeable(1_000, 1_050), noticeable(1_000, 1_049.9), noticeable(1_000, 950)]).toEqual([true, false, true])
})

test('a deal is blank only while nothing was entered', () => {
  const deal = { stage: 'looking', scheme: null, priceUsd: null, assumptions: null, facts: null } as never
  expect(blankDeal(deal)).toBe(true)
  for (const entered of [{ stage: 'offer' }, { scheme: 'rent' }, { priceUsd: 5 }, { assumptions: {} }, { facts: {} }])
    expect(blankDeal({ ...(deal as object), ...entered } as never), JSON.stringify(entered)).toBe(false)
})
