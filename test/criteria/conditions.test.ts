// What a condition means, without a database: watches and webhook filters use `meets`, and areas are read before any search.
import { describe, expect, test } from 'vitest'
import { type Condition, conditionText, meets, type SearchRow } from '../../src/criteria/conditions.ts'
import { readSort, sortText } from '../../src/criteria/fields.ts'
import { boxArea, circleArea } from '../../src/criteria/geometry.ts'
import { rowForMatch } from '../../src/criteria/row-readings.ts'

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

describe('a condition is met by the values it names and by no others', () => {
  const area = boxArea([-122.2, 37.4, -122.1, 37.5])
  test.each<[object, Partial<SearchRow>, Partial<SearchRow>]>([
    [{ type: 'atLeast', field: 'price', value: 5 }, { numbers: { price: 6 } }, { numbers: { price: 4 } }],
    [{ type: 'atMost', field: 'price', value: 5 }, { numbers: { price: 4 } }, { numbers: { price: 6 } }],
    [
      { type: 'from', field: 'soldOn', value: '2026-01-02' },
      { texts: { soldOn: '2026-01-03' } },
      { texts: { soldOn: '2026-01-01' } },
    ],
    [
      { type: 'to', field: 'soldOn', value: '2026-01-02' },
      { texts: { soldOn: '2026-01-01' } },
      { texts: { soldOn: '2026-01-03' } },
    ],
    [
      { type: 'oneOf', field: 'zoning', values: ['r-1', 'R-2'] },
      { texts: { zoning: 'R-1' } },
      { texts: { zoning: 'R-3' } },
    ],
    [
      { type: 'contains', field: 'contractor', text: 'Acme' },
      { texts: { contractor: 'The ACME Co' } },
      { texts: { contractor: 'Ac Me' } },
    ],
    [{ type: 'city', slugs: ['palo-alto', 'atherton'] }, { citySlug: 'atherton' }, { citySlug: 'menlo-park' }],
    // The slug of a city names that city alone; any other text is a part of a slug or of a name.
    [{ type: 'cityPart', parts: ['palo-alto'] }, { citySlug: 'palo-alto' }, { citySlug: 'east-palo-alto' }],
    [{ type: 'cityPart', parts: ['alto'] }, { citySlug: 'east-palo-alto' }, { citySlug: 'menlo-park' }],
    [
      { type: 'cityPart', parts: ['menlo p'] },
      { citySlug: 'menlo-park', city: 'Menlo Park' },
      { citySlug: 'menlo-park' },
    ],
    [{ type: 'zip', values: ['94025'] }, { zip: '94025' }, { zip: '94301' }],
    [{ type: 'ids', values: ['a', 'b'] }, { id: 'b' }, { id: 'c' }],
    [{ type: 'words', words: ['New', 'roof'] }, { search: 'a new tile roof' }, { search: 'a new house' }],
    [
      { type: 'overlay', overlay: 'floodZone', accepted: ['no', 'unknown'] },
      { overlays: {} },
      { overlays: { floodZone: 'yes' } },
    ],
    [
      { type: 'area', area },
      { lat: 37.45, lng: -122.15 },
      { lat: 37.45, lng: -122.25 },
    ],
  ])('%j', (condition, met, other) => {
    expect([meetsOne(condition, met), meetsOne(condition, other)]).toEqual([true, false])
  })
})

test('a condition is written as a caller would write it', () => {
  const text = (condition: object) => conditionText({ name: 'x', ...condition } as Condition)
  expect(text({ type: 'area', area: circleArea({ lat: 37.45, lng: -122.18 }, 2) })).toBe('radiusMi=2')
  expect(text({ type: 'area', area: boxArea([-122.2, 37.4, -122.1, 37.5]) })).toBe('x')
  expect(text({ type: 'zip', values: ['94025', '94301'] })).toBe('x=94025,94301')
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
  expect(meetsOne({ type: 'area', area }, { lng: -122.18 })).toBe(false)
  expect(meetsOne({ type: 'area', area }, { lat: 37.45, lng: -122.18 })).toBe(true)
})

test('distance sorts only around a point', () => {
  expect(readSort(['-price', 'distanceMi'], 'listings', true)).toEqual([
    { field: 'price', descending: true },
    { field: 'distanceMi', descending: false },
  ])
  expect(() => readSort(['distanceMi'], 'listings', false)).toThrow('needs a point')
  expect(readSort(['price'], 'listings', false)).toEqual([{ field: 'price', descending: false }])
  for (const none of [undefined, []]) expect(readSort(none, 'listings', false)).toBeUndefined()
  expect(readSort(['price', 'sqft', 'beds'], 'listings', false)).toHaveLength(3)
  expect(() => readSort(['price', 'sqft', 'beds', 'baths'], 'listings', false)).toThrow('at most 3 fields')
  expect(sortText('listings', readSort(['-price', 'beds'], 'listings', false)!)).toEqual(['-price', 'beds'])
})
