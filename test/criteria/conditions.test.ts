// What a condition means, without a database: watches and webhook filters use `meets`, and areas are read before any search.
import { describe, expect, test } from 'vitest'
import { type Condition, meets, type SearchRow } from '../../src/criteria/conditions.ts'
import { readSort } from '../../src/criteria/fields.ts'
import { circleArea } from '../../src/criteria/geometry.ts'
import { rowForMatch } from '../../src/wire/watches.ts'

const row = (changes: Partial<SearchRow> = {}): SearchRow => ({
  market: 'sf-peninsula',
  citySlug: 'menlo-park',
  numbers: {},
  texts: {},
  ...changes,
})
const meetsOne = (condition: object, changes: Partial<SearchRow> = {}) => {
  const conditions = [condition as Condition]
  const result = meets(conditions, row(changes))
  expect(meets(conditions, rowForMatch(conditions)(row(changes))), 'what the match of a watch keeps').toBe(result)
  return result
}

describe('a condition on an unknown value is not met', () => {
  test.each([
    ['atLeast', { type: 'atLeast', field: 'price', value: 0 }],
    ['atMost', { type: 'atMost', field: 'price', value: 9 }],
    ['from', { type: 'from', field: 'soldOn', value: '2026-01-01' }],
    ['to', { type: 'to', field: 'soldOn', value: '2026-01-01' }],
    ['oneOf', { type: 'oneOf', field: 'status', values: ['active'] }],
    ['zip', { type: 'zip', values: ['94025'] }],
    ['ids', { type: 'ids', values: ['x'] }],
    ['rank', { type: 'rank', field: 'teardownRaw', thresholds: { 'sf-peninsula': 0 }, value: 0 }],
    ['area', { type: 'area', area: circleArea({ lat: 37.45, lng: -122.18 }, 50) }],
  ])('%s', (_, condition) => expect(meetsOne(condition)).toBe(false))
})

test('bounds include their own value', () => {
  const numbers = { price: 5 }
  expect(meetsOne({ type: 'atLeast', field: 'price', value: 5 }, { numbers })).toBe(true)
  expect(meetsOne({ type: 'atMost', field: 'price', value: 5 }, { numbers })).toBe(true)
  const texts = { soldOn: '2026-01-01' }
  expect(meetsOne({ type: 'from', field: 'soldOn', value: '2026-01-01' }, { texts })).toBe(true)
  expect(meetsOne({ type: 'to', field: 'soldOn', value: '2026-01-01' }, { texts })).toBe(true)
})

test('a parcel that is not known to be blocked is kept, and a permit is issued when it has a date', () => {
  expect(meetsOne({ type: 'notBlocked' })).toBe(true)
  expect(meetsOne({ type: 'notBlocked' }, { blocked: true })).toBe(false)
  for (const is of [true, false]) {
    expect(meetsOne({ type: 'issued', is })).toBe(!is)
    expect(meetsOne({ type: 'issued', is }, { texts: { issuedOn: '2026-01-01' } })).toBe(is)
  }
})

test('a rank is compared by the percentile of the row, else by the threshold of its market', () => {
  const rank = { type: 'rank', field: 'teardownRaw', thresholds: { 'sf-peninsula': 60 }, value: 90 }
  expect(meetsOne(rank, { percentiles: { teardownRaw: 90 } })).toBe(true)
  expect(meetsOne(rank, { percentiles: { teardownRaw: 89 }, numbers: { teardownRaw: 99 } })).toBe(false)
  expect(meetsOne(rank, { percentiles: {} })).toBe(false)
  expect([60, 59].map((teardownRaw) => meetsOne(rank, { numbers: { teardownRaw } }))).toEqual([true, false])
  expect(meetsOne(rank, { market: 'nantucket', numbers: { teardownRaw: 99 } })).toBe(false)
})

test('a place with one coordinate is in no area', () => {
  const area = circleArea({ lat: 37.45, lng: -122.18 }, 50)
  expect(meetsOne({ type: 'area', area }, { lat: 37.45 })).toBe(false)
  expect(meetsOne({ type: 'area', area }, { lat: 37.45, lng: -122.18 })).toBe(true)
})

test('distance sorts only around a point', () => {
  expect(readSort(['-price', 'distanceMi'], 'listings', true)).toEqual([
    { field: 'price', descending: true },
    { field: 'distanceMi', descending: false },
  ])
  expect(() => readSort(['distanceMi'], 'listings', false)).toThrow('needs a point')
  expect(readSort(['price'], 'listings', false)).toEqual([{ field: 'price', descending: false }])
})
