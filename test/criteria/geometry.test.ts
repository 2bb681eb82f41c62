import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundsOf, boxArea, checkPoint, circleArea, isInside, polygonArea } from '../../src/criteria/geometry.ts'
import { distanceMi, milesPerDegree } from '../../src/domain/distance.ts'
import { markets } from '../../src/domain/packs/markets.ts'

const square = [
  [-122.2, 37.4],
  [-122.1, 37.4],
  [-122.1, 37.5],
  [-122.2, 37.5],
  [-122.2, 37.4],
]
const polygonOf = (...rings: number[][][]) => polygonArea({ type: 'Polygon', coordinates: rings }, 100)

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
  ['swapped', [90, -122.2, -90, -122.1]],
  ['latitudes from', [-122.2, 37.4, -122.1, 91]],
  ['latitudes from', [-122.2, 95, 80, 96]],
  ['latitudes from', [80, 95, 91, 96]],
  ['longitudes from', [-181, 37.4, -122.1, 37.5]],
  ['longitudes from', [-122.2, 37.4, 181, 37.5]],
  ['south below north', [-122.2, 37.5, -122.1, 37.4]],
])('a box is rejected: %s (%j)', (problem, given) => expect(() => boxArea(given)).toThrow(problem))

test('a box may be the world, and a line or a point', () => {
  expect(boxArea([-180, -90, 180, 90])).toEqual({
    type: 'boxes',
    boxes: [{ west: -180, south: -90, east: 180, north: 90 }],
  })
  expect(isInside(boxArea([10, 20, 10, 20]), { lng: 10, lat: 20 })).toBe(true)
  expect(boxArea([10, 20, 10, 20])).toMatchObject({ boxes: [{ west: 10, east: 10 }] })
})

test('a box that reaches a market only if swapped is rejected', () => {
  const { south, north, west, east } = markets().find(({ id }) => id === 'nantucket')!.box
  // Each touches the market's box at one edge, or lies a little beyond it.
  const beside = (by: number) => [
    [north + by, west, north + 1, east],
    [south - 1, west, south - by, east],
    [south, east + by, north, east + 1],
    [south, west - 1, north, west - by],
  ]
  for (const given of beside(0)) expect(() => boxArea(given), String(given)).toThrow('swapped')
  for (const given of beside(0.001)) expect(() => boxArea(given), String(given)).not.toThrow()
})

test('a circle includes its edge', () => {
  const [center, at] = [
    { lat: 37.45, lng: -122.18 },
    { lat: 37.46, lng: -122.19 },
  ]
  expect(isInside(circleArea(center, distanceMi(center, at)), at)).toBe(true)
  expect(isInside(circleArea(center, distanceMi(center, at) - 0.001), at)).toBe(false)
})

test('a point on an edge that polygons share is in one of them', () => {
  const triangle = polygonOf([
    [0, 0],
    [4, 0],
    [0, 4],
    [0, 0],
  ])
  const halves = Array.from({ length: 15 }, (_, at) => at / 2 - 1)
  for (const lng of halves)
    for (const lat of halves)
      expect(isInside(triangle, { lng, lat }), `${lng},${lat}`).toBe(lng >= 0 && lat >= 0 && lng + lat < 4)
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

const ring = (...positions: unknown[]) => [...positions, positions[0]]
test.each([
  ['with an area', ring([-122, 37], [-121, 37], [-122, 37])],
  ['four positions', ring([-122, 37], [-121, 37])],
  ['closed rings', square.slice(0, 4)],
  ['closed rings', [...square.slice(0, 4), [-122.2, 37.41]]],
  ['closed rings', [...square.slice(0, 4), [-122.21, 37.4]]],
  ['cross itself', ring(square[0], square[2], square[1], square[3])],
  ['position 2 of ring 1 is not one', ring([-122, 37], [-121], [-121, 38])],
  ['position 2 of ring 1 is not one', ring([-122, 37], ['-121', 37], [-121, 38])],
  ['position 2 of ring 1 is not one', ring([-122, 37], [-121, Number.NaN], [-121, 38])],
  ['position 2 of ring 1 is not one', ring([-122, 37], [Infinity, 37], [-121, 38])],
  ['position 2 of ring 1 is not one', ring([-122, 37], 'x', [-121, 38])],
  ['looks swapped', ring([37, -122], [37, -121], [38, -121])],
  ['looks swapped', ring([90, -122], [37, -121], [38, -121])],
  ['latitudes from', ring([91, -122], [37, -121], [38, -121])],
  ['position 2 of ring 1 is [-361, 37]', ring([-122, 37], [-361, 37], [-121, 38])],
  // The short way from -180 to 180 has no length.
  ['less than 180 degrees', ring([-180, -60], [180, -60], [180, 60], [-180, 60])],
  // Only the order of the coordinates puts it into a market.
  ['looks swapped', ring([41.2, -70.2], [41.3, -70.2], [41.3, -70.1])],
])('a ring is rejected: %s (%j)', (problem, given) => {
  expect(() => polygonOf(given as number[][])).toThrow(problem)
})

test('a ring may reach the poles, half around the world and any longitude', () => {
  for (const given of [
    ring([0, -90], [-180, -90], [-180, 90], [0, 90]),
    ring([-100, 37], [100, 37], [0, 50]),
    ring([350, 10], [360, 10], [360, 20]),
    ring([-350, 10], [-360, 10], [-360, 20]),
  ])
    expect(() => polygonOf(given as number[][]), JSON.stringify(given)).not.toThrow()
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

test.each([
  undefined,
  {},
  { type: 'Polygon' },
  { type: 'Point', coordinates: [] },
  { type: 'Polygon', coordinates: 'x' },
])('a geometry that has no polygons is rejected: %j', (given) =>
  expect(() => polygonArea(given, 100)).toThrow('GeoJSON Polygon or MultiPolygon'),
)

test('a polygon without a ring is rejected by its number, and a list of polygons is read', () => {
  const several = (coordinates: unknown) => polygonArea({ type: 'MultiPolygon', coordinates }, 100)
  expect(() => several([])).toThrow('at least one polygon')
  expect(() => several([[square], []])).toThrow('polygon 2 has none')
  expect(() => several([[square], 'x'])).toThrow('polygon 2 has none')
  expect(() => several([[square], [square, 'x']])).toThrow('ring 2 of polygon 2 is not a list')
  expect(several([[square]])).toEqual(polygonOf(square))
  // Without copies beyond the antimeridian.
  expect(several([[square]])).toEqual({ type: 'polygons', polygons: [[square]] })
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

test.each([
  ['eastward', ring([170, 50], [-170, 50], [-170, 60], [170, 60])],
  ['westward', ring([-170, 50], [170, 50], [170, 60], [-170, 60])],
  ['beyond 180', ring([170, 50], [190, 50], [190, 60], [170, 60])],
  ['beyond -180', ring([-190, 50], [-170, 50], [-170, 60], [-190, 60])],
])('a polygon across the antimeridian is found from both sides: %s', (_, given) => {
  const area = polygonOf(given as number[][])
  expect([165, 175, -175, -165, 0].map((lng) => isInside(area, { lng, lat: 55 }))).toEqual([
    false,
    true,
    true,
    false,
    false,
  ])
})

test('a polygon that begins at 180 degrees includes that meridian', () => {
  const area = polygonOf(ring([180, 50], [190, 50], [190, 60], [180, 60]) as number[][])
  expect([180, -175].map((lng) => isInside(area, { lng, lat: 55 }))).toEqual([true, true])
})

test('the boxes of a circle contain it, also across the antimeridian and at a pole', () => {
  const boxes = (lat: number, lng: number, degrees: number) => {
    const area = circleArea({ lat, lng }, degrees * milesPerDegree)
    return area.type === 'circle' ? area.boxes.map((box) => Object.values(box).map((at) => Number(at.toFixed(3)))) : []
  }
  // West, south, east and north. A degree of longitude at latitude 61 is 0.485 of one at the equator.
  expect(boxes(0, 0, 1)).toEqual([[-1.001, -1.001, 1.001, 1.001]])
  expect(boxes(60, 10, 1)).toEqual([[7.935, 58.999, 12.065, 61.001]])
  expect(boxes(-60, 10, 1)).toEqual([[7.935, -61.001, 12.065, -58.999]])
  expect(boxes(0, -179.5, 1)).toEqual([
    [-180, -1.001, -178.499, 1.001],
    [179.499, -1.001, 180, 1.001],
  ])
  expect(boxes(0, 179.5, 1)).toEqual([
    [178.499, -1.001, 180, 1.001],
    [-180, -1.001, -179.499, 1.001],
  ])
  expect(boxes(89.5, 0, 1)).toEqual([[-180, 88.499, 180, 90]])
  expect(boxes(-89.5, 0, 1)).toEqual([[-180, -90, 180, -88.499]])
  // The pole is outside, but a few miles beside it a mile is many degrees.
  expect(boxes(89.8, 0, 0.19)).toEqual([[-180, 89.61, 180, 89.99]])
})

test('swapped coordinates are reported only where the swapped point is within a degree of a market', () => {
  expect(() => checkPoint({ lat: 37.45, lng: -122.18 })).not.toThrow()
  expect(() => checkPoint({ lat: 10, lng: 10 })).not.toThrow()
  const { south, north, west, east } = markets().find(({ id }) => id === 'sf-peninsula')!.box
  for (const [by, swapped] of [
    [0.99, true],
    [1.01, false],
  ] as const)
    for (const [lng, lat] of [
      [37.5, west - by],
      [37.5, east + by],
      [south - by, -122.2],
      [north + by, -122.2],
    ] as const) {
      const check = expect(() => checkPoint({ lat, lng }), `${lat},${lng}`)
      if (swapped) check.toThrow('look swapped')
      else check.not.toThrow()
    }
})

test('a ring is rejected exactly when two of its edges cross', () => {
  type Point = readonly [number, number]
  const side = ([ax, ay]: Point, [bx, by]: Point, [px, py]: Point) =>
    Math.sign((bx - ax) * (py - ay) - (by - ay) * (px - ax))
  const crosses = (ring: readonly Point[]) =>
    ring.slice(1).some((b, i) =>
      ring.slice(1).some((d, j) => {
        const [a, c] = [ring[i]!, ring[j]!]
        return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
      }),
    )
  const outcomes = { crossing: 0, simple: 0 }
  // Whole numbers, so that edges also touch, overlap and repeat.
  const position = fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 }))
  fc.assert(
    fc.property(fc.array(position, { minLength: 3, maxLength: 9 }), (points) => {
      const ring = [...points, points[0]!]
      const read = () => polygonArea({ type: 'Polygon', coordinates: [ring] }, 100)
      if (crosses(ring)) expect(read).toThrow('must not cross itself')
      else
        try {
          read()
        } catch (error) {
          expect(String(error)).not.toContain('cross itself')
        }
      outcomes[crosses(ring) ? 'crossing' : 'simple']++
    }),
  )
  expect(Math.min(outcomes.crossing, outcomes.simple)).toBeGreaterThan(5)
})
