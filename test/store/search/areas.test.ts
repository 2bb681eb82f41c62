import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Area, boxArea, checkPoint, circleArea, isInside, polygonArea } from '../../../src/criteria/geometry.ts'
import { distanceMi } from '../../../src/domain/distance.ts'
import { sql } from '../../../src/store/engine/database.ts'
import { compileOne } from '../../../src/store/search/compile.ts'
import { useService } from '../../setup/service.ts'

const service = useService()

/** The points of the list that SQL finds inside, with the tests for the index and without. */
const insideSql = async (area: Area, points: readonly { lat: number; lng: number }[]) => {
  const at = sql`v.location`
  const columns = { market: at, citySlug: at, location: at, indexedLocation: at, numbers: {}, texts: {} }
  const condition = compileOne({ name: 'area', type: 'area', area }, columns)
  const { rows } = await sql<{ n: number }>`
    select v.n from (select n, point(lng, lat) as location from unnest(
      ${points.map(({ lng }) => lng)}::float8[], ${points.map(({ lat }) => lat)}::float8[]) with ordinality p (lng, lat, n)) v
    where ${condition} order by v.n`.execute(service().db)
  return rows.map(({ n }) => Number(n) - 1)
}

/** With five decimals, as feeds have them: PostgreSQL reports an error where the square of a tiny difference is no number. */
const degrees = (min: number, max: number) => fc.integer({ min: min * 1e5, max: max * 1e5 }).map((each) => each / 1e5)

const nearAntimeridian = fc.record({
  lat: degrees(-20, 20),
  lng: fc.oneof(degrees(175, 180), degrees(-180, -175), degrees(-180, 180)),
})

const square = (west: number, south: number, east: number, north: number) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
]

const areas: readonly [string, Area, inside: [number, number][], outside: [number, number][]][] = [
  [
    'box',
    boxArea([178, -10, -178, 10]),
    [
      [179, 0],
      [-179, 0],
    ],
    [
      [0, 0],
      [177, 0],
      [-177, 0],
    ],
  ],
  ['circle', circleArea({ lat: 0, lng: 179.95 }, 20), [[-179.9, 0]], [[-179, 0]]],
  [
    'polygon whose longitudes jump',
    polygonArea({ type: 'Polygon', coordinates: [square(178, -10, -178, 10)] }, 100),
    [
      [179, 0],
      [-179, 0],
    ],
    [
      [0, 0],
      [-177, 0],
    ],
  ],
  [
    'polygon with longitudes beyond 180 and a hole',
    polygonArea(
      { type: 'Polygon', coordinates: [square(176, -10, 184, 10), square(179.5, -1, 180.5, 1).toReversed()] },
      100,
    ),
    [
      [177, 0],
      [-177, 0],
    ],
    [
      [179.9, 0],
      [-179.9, 0],
      [0, 0],
    ],
  ],
]

test.each(areas)(
  'a %s across the antimeridian holds both sides of it, in memory and in SQL',
  async (...[, area, inside, outside]) => {
    const points = [...inside, ...outside].map(([lng, lat]) => ({ lng, lat }))
    const expected = inside.map((_, at) => at)
    expect(points.flatMap((point, at) => (isInside(area, point) ? [at] : []))).toEqual(expected)
    expect(await insideSql(area, points)).toEqual(expected)
  },
)

test('SQL and memory agree on random points near the antimeridian', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(nearAntimeridian, { minLength: 20, maxLength: 40 }),
      nearAntimeridian,
      fc.double({ min: 0.05, max: 25, noNaN: true }),
      async (points, center, radiusMi) => {
        for (const area of [...areas.map(([, area]) => area), circleArea(center, radiusMi)])
          expect(await insideSql(area, [...points, center])).toEqual(
            [...points, center].flatMap((point, at) => (isInside(area, point) ? [at] : [])),
          )
      },
    ),
    { numRuns: 20 },
  )
  expect(distanceMi({ lat: 0, lng: 179.9 }, { lat: 0, lng: -179.9 })).toBeCloseTo(13.8, 1)
})

test('SQL and memory agree on points at the edges of small areas', async () => {
  // Many are multiples of a fiftieth of a degree, where the tiles of the index begin.
  const position = fc.record({
    lat: fc.integer({ min: 374, max: 378 }).map((each) => each / 10),
    lng: fc.integer({ min: -12220, max: -12190 }).map((each) => each / 100),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(position, { minLength: 40, maxLength: 60 }), position, position, async (points, a, b) => {
      const box = [Math.min(a.lng, b.lng), Math.min(a.lat, b.lat), Math.max(a.lng, b.lng), Math.max(a.lat, b.lat)]
      for (const area of [boxArea(box), circleArea(a, 10), circleArea(b, 25)])
        expect(await insideSql(area, points)).toEqual(points.flatMap((each, at) => (isInside(area, each) ? [at] : [])))
    }),
    { numRuns: 30 },
  )
})

test('the indexes by tile have the expression of the condition', async () => {
  const at = sql`s.location`
  const columns = { market: at, citySlug: at, location: at, indexedLocation: at, numbers: {}, texts: {} }
  const condition = compileOne({ name: 'area', type: 'area', area: circleArea({ lat: 37.5, lng: -122.2 }, 1) }, columns)
  for (const table of ['property_search', 'sale_search', 'permit_search']) {
    const lines = await service()
      .db.transaction()
      .execute(async (tx) => {
        await sql`set local enable_seqscan = off`.execute(tx)
        return sql<Record<string, string>>`
          explain select from ${sql.ref(table)} s where ${condition}`.execute(tx)
      })
    const plan = lines.rows.map((row) => Object.values(row)[0]).join('\n')
    expect(plan).toContain(`${table}_location`)
    expect(plan).toMatch(/Index Cond: .*floor/)
  }
})

test('swapped coordinates are recognized in a box, a point and a polygon, and correct ones are accepted', () => {
  const [west, south, east, north] = [-122.26, 37.41, -122.12, 37.5]
  expect(() => boxArea([south, west, north, east])).toThrow(/bbox looks swapped/)
  expect(() => boxArea([west, south, east, north])).not.toThrow()
  // On Nantucket both numbers are valid latitudes, so only the markets tell.
  expect(() => boxArea([41.2, -70.2, 41.4, -69.9])).toThrow(/bbox looks swapped/)
  expect(() => checkPoint({ lat: -70.1, lng: 41.28 })).toThrow(/lat and lng look swapped/)
  expect(() => checkPoint({ lat: 41.28, lng: -70.1 })).not.toThrow()
  const polygon = (coordinates: number[][]) => () => polygonArea({ type: 'Polygon', coordinates: [coordinates] }, 100)
  expect(polygon(square(south, west, north, east))).toThrow(/within looks swapped/)
  expect(polygon(square(-70.2, 41.2, -69.9, 41.4).map(([lng, lat]) => [lat!, lng!]))).toThrow(/within looks swapped/)
  expect(polygon(square(west, south, east, north))).not.toThrow()
})
