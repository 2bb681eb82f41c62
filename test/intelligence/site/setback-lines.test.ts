import { expect, test } from 'vitest'
import { fourCorners, type Point, setbackLines } from '../../../src/intelligence/site/setback-lines.ts'

const lot: Point[] = [
  [0, 0],
  [60, 0],
  [60, 120],
  [0, 120],
]
const street: Point[] = [
  [-100, -30],
  [200, -30],
]
const yards = { front: 20, side: 5, rear: 25 }

test('the yards of a rectangular lot are measured from the street, its rear and its sides', () => {
  const expected = [
    [5, 20],
    [55, 20],
    [55, 95],
    [5, 95],
  ]
  expect(setbackLines(lot, yards, [street])).toEqual(expected)
  const reversed = setbackLines([...lot].reverse(), yards, [street])!
  expect([...reversed].sort()).toEqual([...expected].sort())
})

test('a side that faces a second street has the street-side yard', () => {
  const second: Point[] = [
    [90, -50],
    [90, 200],
  ]
  const inner = setbackLines(lot, { ...yards, streetSide: 12 }, [street, second])!
  expect(Math.max(...inner.map(([x]) => x))).toBe(48)
  expect(Math.min(...inner.map(([x]) => x))).toBe(5)
})

test('nothing is drawn without a street, or where the yards leave no room', () => {
  expect(setbackLines(lot, yards, [])).toBeUndefined()
  expect(setbackLines(lot, { ...yards, side: 31 }, [street])).toBeUndefined()
  expect(setbackLines(lot, { ...yards, front: 70, rear: 60 }, [street])).toBeUndefined()
})

test('a bend in a side is no corner, and other shapes have no four corners', () => {
  expect(fourCorners([...lot.slice(0, 1), [30, -2], ...lot.slice(1), [0, 0]])).toEqual(lot)
  expect(fourCorners([...lot.slice(0, 3), [30, 120], [30, 60], [0, 60]])).toBeUndefined()
  expect(fourCorners(lot.slice(0, 3))).toBeUndefined()
})
