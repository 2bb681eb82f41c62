import { expect, test } from 'vitest'
import {
  atMarket,
  cursorPageOf,
  historyWindow,
  listAnswer,
  oneMarket,
  searchAnswer,
} from '../../src/operations/listing-page.ts'
import { limitsOf } from '../../src/wire/plans.ts'

const now = new Date('2026-11-15T12:00:00Z')
const caller = { limits: limitsOf({ plan: 'free' }, now) } as never
const asOf = now.toISOString()

test('a page is as long as its plan permits, and a cursor counts the rows before it', () => {
  const cursor = (text: string) => Buffer.from(text).toString('base64url')
  expect(cursorPageOf(caller, {})).toEqual({ limit: 25, offset: 0 })
  expect(cursorPageOf(caller, { limit: 500, offset: 7 })).toEqual({ limit: 25, offset: 7 })
  expect(cursorPageOf(caller, { limit: 2, offset: 7, cursor: cursor('after:40') })).toEqual({ limit: 2, offset: 40 })
  for (const wrong of [
    '',
    'x',
    cursor('after:'),
    cursor('after:-1'),
    cursor('after:1234567890'),
    `${cursor('after:4')}=`,
  ])
    expect(() => cursorPageOf(caller, { cursor: wrong }), wrong).toThrow(/cursor must be pagination\.nextCursor/)
})

test('the next page is named while rows are left, by its offset up to 9,999', () => {
  const next = (offset: number, returned: number, total: number) => {
    const { pagination } = listAnswer({ limit: 5, offset }, Array(returned).fill(0), total, { asOf })
    const cursor = pagination.nextCursor
    return [pagination.nextOffset, cursor && Buffer.from(cursor, 'base64url').toString()]
  }
  expect([next(0, 5, 6), next(0, 5, 5), next(5, 0, 6), next(9_994, 5, 20_000), next(9_995, 5, 20_000)]).toEqual([
    [5, 'after:5'],
    [null, null],
    [null, null],
    [9_999, 'after:9999'],
    [null, 'after:10000'],
  ])
  expect(listAnswer({ limit: 5, offset: 0 }, [1, 2], 2, { asOf })).toMatchObject({
    count: 2,
    historyWindow: null,
    asOf,
  })
  expect(historyWindow(limitsOf({ plan: 'free' }, now), now)).toEqual({ days: 30, oldestDate: '2026-10-16' })
  expect(historyWindow(limitsOf({ plan: 'pro' }, now), now)).toBeNull()
  expect([oneMarket([]), oneMarket(['nantucket']), oneMarket(['nantucket', 'sf-peninsula'])]).toEqual([
    undefined,
    'nantucket',
    undefined,
  ])
})

test('a search that found nothing says what to try, and a page read by cursor has no offset', () => {
  const search = { kind: 'listings', suggestions: ['Did you mean Menlo Park?'], ifEmpty: ['Remove a filter.'] } as const
  const page = { limit: 5, offset: 0 }
  const answer = (given: object = {}, of: object = {}) =>
    searchAnswer(
      {
        page,
        cursor: undefined,
        total: 9,
        nextCursor: 'n',
        applied: { city: 'x' },
        search: { ...search, ...of },
        ...given,
      } as never,
      [1, 2],
      { asOf },
    )
  expect(answer()).toMatchObject({
    applied: { city: 'x' },
    pagination: { nextOffset: 2, nextCursor: 'n' },
    suggestions: search.suggestions,
  })
  expect(answer({ cursor: 'c' }).pagination.nextOffset).toBeNull()
  expect(answer({ total: 0 }).suggestions).toEqual([...search.suggestions, ...search.ifEmpty])
  expect(Object.keys(answer({}, { suggestions: [] }))).not.toContain('suggestions')
  expect(Object.keys(answer())).not.toContain('funnel')
  expect(answer({ funnel: [] })).toHaveProperty('funnel')
})

test('with own assumptions, criteria and order of stored figures are named', () => {
  const query = {
    conditions: [
      { name: 'minCapRatePct', type: 'atLeast', field: 'capRatePct', value: 4 },
      { name: 'minScore', type: 'atLeast', field: 'flipProfitUsd', value: 4 },
      { name: 'minPrice', type: 'atLeast', field: 'price', value: 4 },
      { name: 'within', type: 'area' },
    ],
    sort: [
      { field: 'capRatePct', descending: true },
      { field: 'price', descending: false },
    ],
  }
  const applied = { minCapRatePct: 4, minPrice: 4, within: {} }
  expect(atMarket({ search: { kind: 'listings' }, query: query as never, applied })).toEqual([
    'bestUse',
    'minCapRatePct',
    'sort=-capRatePct',
  ])
  expect(atMarket({ search: { kind: 'listings' }, applied })).toEqual(['bestUse'])
})
