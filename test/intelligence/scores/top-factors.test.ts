import { expect, test } from 'vitest'
import { topFactors } from '../../../src/intelligence/scores/top-factors.ts'

const part = (name: string, points: number) => ({ name, points, because: `Because of ${name}` })

test('the five largest factors are named, the rest is one number, and together they are the score', () => {
  const parts = [
    part('base', 20),
    ...[3, -9, 0.04, 5, -1, 2, 0.5, -0.01].map((points, k) => part(`factor${k}`, points)),
  ]
  const { top, other } = topFactors(parts)
  expect(top.map(({ points }) => points)).toEqual([-9, 5, 3, 2, -1])
  expect(20 + top.reduce((sum, { points }) => sum + points, 0) + other.points).toBeCloseTo(
    parts.reduce((sum, { points }) => sum + points, 0),
    9,
  )
})

test('a factor whose points are shown as 0.0 is not named', () => {
  expect(topFactors([part('base', 20), part('age', 0.049), part('size', 0.05)])).toEqual({
    top: [part('size', 0.05)],
    other: { points: 0.049 },
  })
  expect(topFactors([part('base', 20)])).toEqual({ top: [], other: { points: 0 } })
})
