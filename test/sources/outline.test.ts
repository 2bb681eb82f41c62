import { expect, test } from 'vitest'
import { shapeFacts } from '../../src/sources/geometry.ts'
import { readOutline, simplifiedOutline } from '../../src/sources/outline.ts'

const square = [
  [-122.1, 37.4],
  [-122.099, 37.4],
  [-122.099, 37.401],
  [-122.1, 37.401],
  [-122.1, 37.4],
] as const

test('positions on a straight side are dropped, and a bend of more than a foot is kept', () => {
  const detailed = [
    square[0],
    [-122.0995, 37.400_000_4],
    square[1],
    [-122.098_99, 37.4005],
    square[2],
    square[3],
    square[0],
  ] as const
  const [ring] = simplifiedOutline([[detailed]])![0]!
  expect(ring).toEqual([square[0], square[1], [-122.098_99, 37.4005], square[2], square[3], square[0]])
})

test('an outline with thousands of positions is simplified until it is small', () => {
  const circle = Array.from({ length: 5_000 }, (_, at): [number, number] => [
    -122.1 + 0.01 * Math.cos((at / 2_500) * Math.PI),
    37.4 + 0.01 * Math.sin((at / 2_500) * Math.PI),
  ])
  expect(simplifiedOutline([[circle]])!.flat(2).length).toBeLessThanOrEqual(400)
})

test('a shape keeps its outline with holes and parts, and a point has none', () => {
  const hole = square.map(([x, y]) => [x * 1 + 0.0004, y] as const)
  expect(shapeFacts([[square, hole], [square]])!.outline).toHaveLength(2)
  expect(shapeFacts([[square, hole], [square]])!.outline![0]).toHaveLength(2)
  expect(shapeFacts([[[square[0]]]])!.outline).toBeUndefined()
})

test('an outline is read from GeoJSON, its text, or bare coordinates; anything else is not one', () => {
  const expected = [[square]]
  expect(readOutline({ type: 'Polygon', coordinates: [square] })).toEqual(expected)
  expect(readOutline(JSON.stringify({ type: 'MultiPolygon', coordinates: [[square]] }))).toEqual(expected)
  expect(readOutline(JSON.stringify([square]))).toEqual(expected)
  for (const wrong of ['', '{', 'POLYGON', [], [[]], [[['a', 'b']]], null, 7, [[[0, 0]]]])
    expect(readOutline(wrong)).toBeUndefined()
})
