import { expect, test } from 'vitest'
import { findNearest, indexPoints, makeNearest } from '../../../src/intelligence/valuation/nearest-sales.ts'
import { seededRandom } from '../../../src/intelligence/valuation/seeded-random.ts'

function points(n: number) {
  const random = seededRandom(5)
  const east = Float32Array.from({ length: n }, () => random() * 30)
  const north = Float32Array.from({ length: n }, () => random() * 30)
  return { east, north, ids: Int32Array.from({ length: n }, (_, i) => i) }
}

const places = [
  [15, 15],
  [0, 30],
  [-5, 8],
] as const

test('finds the true nearest points, nearest first', () => {
  const { east, north, ids } = points(3000)
  const index = indexPoints(east, north, ids)
  for (const [x, y] of places) {
    const near = findNearest(index, x, y, makeNearest(40))
    const all = Array.from(ids, (i) => Math.hypot(east[i]! - x, north[i]! - y)).sort((a, b) => a - b)
    expect(near.count).toBe(40)
    near.distanceKm.forEach((km, k) => {
      expect(km).toBeCloseTo(all[k]!, 5)
    })
  }
})

test('within a distance finds the same points, and looks at few others', () => {
  const { east, north, ids } = points(3000)
  const index = indexPoints(east, north, ids)
  for (const [x, y] of [...places, [east[7]!, north[7]!] as const]) {
    let looked = 0
    const all = findNearest(index, x, y, makeNearest(200))
    const near = findNearest(index, x, y, makeNearest(200), () => ++looked < 0, 2)
    const within = [...all.ids.subarray(0, all.count)].filter((_, k) => all.distanceKm[k]! <= 2)
    expect([...near.ids.subarray(0, near.count)]).toEqual(within)
    expect(looked).toBe(within.length)
    const beyond = findNearest(index, x, y, makeNearest(200), undefined, Number.POSITIVE_INFINITY, 2)
    const nextNearest = findNearest(index, x, y, makeNearest(400)).ids.subarray(within.length, within.length + 200)
    expect(beyond.ids).toEqual(nextNearest)
  }
  // A point at exactly the distance counts, and the capacity still limits.
  const row = indexPoints(Float32Array.of(0, 0.1, 0.3, 0.7), new Float32Array(4), Int32Array.of(0, 1, 2, 3))
  expect(findNearest(row, 0, 0, makeNearest(9), undefined, Math.fround(0.3)).count).toBe(3)
  expect(findNearest(row, 0, 0, makeNearest(2), undefined, 1).ids).toEqual(Int32Array.of(0, 1))
})

test('skipped points are replaced by the next nearest', () => {
  const { east, north, ids } = points(500)
  const near = findNearest(indexPoints(east, north, ids), 10, 10, makeNearest(30), (id) => id % 2 === 0)
  expect(near.count).toBe(30)
  expect([...near.ids].every((id) => id % 2 === 1)).toBe(true)
})

test('returns all points if there are fewer than requested, and none for an empty index', () => {
  const { east, north } = points(10)
  expect(findNearest(indexPoints(east, north, Int32Array.of(2, 5, 7)), 0, 0, makeNearest(9)).count).toBe(3)
  expect(findNearest(indexPoints(east, north, new Int32Array(0)), 0, 0, makeNearest(9)).count).toBe(0)
})

test('many homes at the same point are found', () => {
  const east = new Float32Array(300)
  const north = new Float32Array(300)
  const near = findNearest(
    indexPoints(
      east,
      north,
      Int32Array.from({ length: 300 }, (_, i) => i),
    ),
    0,
    0,
    makeNearest(60),
  )
  expect(near.count).toBe(60)
  expect(new Set(near.ids).size).toBe(60)
})
