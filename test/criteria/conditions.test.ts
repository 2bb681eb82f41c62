// What a condition means, without a database: watches and webhook filters use `meets`, and areas are read before any search.
import { describe, expect, test } from 'vitest'
import { type Condition, meets, type SearchRow } from '../../src/criteria/conditions.ts'
import { readSort } from '../../src/criteria/fields.ts'
import { boundsOf, boxArea, checkPoint, circleArea, isInside, polygonArea } from '../../src/criteria/geometry.ts'
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

const square = [
  [-122.2, 37.4],
  [-122.1, 37.4],
  [-122.1, 37.5],
  [-122.2, 37.5],
  [-122.2, 37.4],
]
const polygonOf = (...rings: number[][][]) => polygonArea({ type: 'Polygon', coordinates: rings }, 100)

describe('areas', () => {
  test('a place with one coordinate is in no area', () => {
    const area = circleArea({ lat: 37.45, lng: -122.18 }, 50)
    expect(meetsOne({ type: 'area', area }, { lat: 37.45 })).toBe(false)
    expect(meetsOne({ type: 'area', area }, { lat: 37.45, lng: -122.18 })).toBe(true)
  })

  test('a box includes its edges, and across the antimeridian it is two', () => {
    const box = boxArea([-122.2, 37.4, -122.1, 37.5])
    const inside = (lng: number, lat: number) => isInside(box, { lng, lat })
    expect([inside(-122.2, 37.4), inside(-122.1, 37.5)]).toEqual([true, true])
    expect([inside(-122.21, 37.45), inside(-122.09, 37.45)]).toEqual([false, false])
    expect([inside(-122.15, 37.39), inside(-122.15, 37.51)]).toEqual([false, false])
    const across = boxArea([170, -10, -170, 10])
    expect([175, -175, 0].map((lng) => isInside(across, { lng, lat: 0 }))).toEqual([true, true, false])
  })

  test.each([
    ['swapped', [37.4, -122.2, 37.5, -122.1]],
    ['latitudes from', [-122.2, 37.4, -122.1, 91]],
    ['longitudes from', [-181, 37.4, -122.1, 37.5]],
    ['south below north', [-122.2, 37.5, -122.1, 37.4]],
  ])('a box is rejected: %s', (problem, given) => {
    expect(() => boxArea(given)).toThrow(problem)
    expect(() => boxArea([-180, -90, 180, 90])).not.toThrow()
  })

  test('a hole is outside its polygon', () => {
    const hole = square.map(([lng, lat]) => [-122.15 + (lng! + 122.15) / 2, 37.45 + (lat! - 37.45) / 2])
    const area = polygonOf(square, hole)
    expect(isInside(area, { lng: -122.15, lat: 37.45 })).toBe(false)
    expect(isInside(area, { lng: -122.19, lat: 37.45 })).toBe(true)
    expect(isInside(area, { lng: -122.25, lat: 37.45 })).toBe(false)
  })

  test('the bounds of a ring are its extremes', () => {
    expect(
      boundsOf([
        [1, 2],
        [5, -3],
        [4, 9],
      ]),
    ).toEqual({ west: 1, south: -3, east: 5, north: 9 })
  })

  test('a ring without an area, open or crossing itself is rejected', () => {
    expect(() =>
      polygonOf([
        [-122, 37],
        [-121, 37],
        [-122, 37],
        [-122, 37],
      ]),
    ).toThrow('with an area')
    expect(() => polygonOf(square.slice(0, 4))).toThrow('closed rings')
    expect(() => polygonOf([square[0]!, square[2]!, square[1]!, square[3]!, square[0]!])).toThrow('cross itself')
    expect(() =>
      polygonOf([
        [-100, 37],
        [100, 37],
        [0, 50],
        [-100, 37],
      ]),
    ).not.toThrow()
  })

  test('a ring may be concave and may touch itself', () => {
    const corner = [
      [-122.2, 37.4],
      [-122.1, 37.4],
      [-122.1, 37.42],
      [-122.18, 37.43],
      [-122.19, 37.5],
      [-122.2, 37.4],
    ]
    const touching = [square[0]!, square[1]!, square[2]!, [-122.15, 37.4], square[3]!, square[0]!]
    for (const ring of [corner, touching]) expect(() => polygonOf(ring)).not.toThrow()
    expect(isInside(polygonOf(corner), { lng: -122.19, lat: 37.45 })).toBe(true)
    expect(isInside(polygonOf(corner), { lng: -122.15, lat: 37.45 })).toBe(false)
    // The last edge but one crosses the first.
    const crossing = [square[0]!, square[1]!, square[2]!, [-122.15, 37.3], square[3]!, square[0]!]
    expect(() => polygonOf(crossing)).toThrow('cross itself')
  })

  test('a polygon without a ring is rejected by its number, and a list of polygons is read', () => {
    const several = (coordinates: unknown) => polygonArea({ type: 'MultiPolygon', coordinates }, 100)
    expect(() => several([[square], []])).toThrow('polygon 2 has none')
    expect(() => several([[square], 'x'])).toThrow('polygon 2 has none')
    expect(() => several([[square], [square, 'x']])).toThrow('ring 2 of polygon 2 is not a list')
    expect(several([[square]])).toEqual(polygonOf(square))
  })

  test('a polygon may have as many positions as the plan allows', () => {
    const square = {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 0],
        ],
      ],
    }
    expect(() => polygonArea(square, 4)).not.toThrow()
    expect(() => polygonArea(square, 3)).toThrow('at most 3 positions')
  })

  test('a polygon across the antimeridian is found from both sides', () => {
    const area = polygonOf([
      [170, 50],
      [-170, 50],
      [-170, 60],
      [170, 60],
      [170, 50],
    ])
    for (const lng of [175, -175]) expect(isInside(area, { lng, lat: 55 }), String(lng)).toBe(true)
    expect(isInside(area, { lng: 0, lat: 55 })).toBe(false)
  })

  test('the boxes of a circle contain it, also across the antimeridian and at a pole', () => {
    const boxes = (lat: number, lng: number, mi: number) => {
      const area = circleArea({ lat, lng }, mi)
      return area.type === 'circle' ? area.boxes : []
    }
    expect(boxes(0, 0, 69)).toHaveLength(1)
    expect(boxes(0, 0, 69)[0]!.east).toBeCloseTo(1, 1)
    expect(boxes(0, -180, 69).map(({ west, east }) => [Math.round(west), Math.round(east)])).toEqual([
      [-180, -179],
      [179, 180],
    ])
    expect(boxes(89.9, 0, 69)).toEqual([expect.objectContaining({ west: -180, east: 180, north: 90 })])
  })

  test('swapped coordinates are reported only where the swapped point is in a market', () => {
    expect(() => checkPoint({ lat: -122.18, lng: 37.45 })).toThrow('look swapped')
    expect(() => checkPoint({ lat: 37.45, lng: -122.18 })).not.toThrow()
    expect(() => checkPoint({ lat: 10, lng: 10 })).not.toThrow()
    // Swapped, each would be beside the market: north, south, west and east of it.
    for (const [lat, lng] of [
      [-122.18, 60],
      [-122.18, -10],
      [-150, 37.45],
      [-100, 37.45],
    ] as const)
      expect(() => checkPoint({ lat, lng })).not.toThrow()
  })
})

test('distance sorts only around a point', () => {
  expect(readSort(['-price', 'distanceMi'], 'listings', true)).toEqual([
    { field: 'price', descending: true },
    { field: 'distanceMi', descending: false },
  ])
  expect(() => readSort(['distanceMi'], 'listings', false)).toThrow('needs a point')
  expect(readSort(['price'], 'listings', false)).toEqual([{ field: 'price', descending: false }])
})
