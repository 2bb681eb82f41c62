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
  const sides = (streetSide: number | undefined, x: number) => {
    const moved = second.map(([, y]): Point => [x, y])
    const xs = setbackLines(lot, { ...yards, streetSide }, [street, moved])!.map(([x]) => x)
    return [Math.min(...xs), Math.max(...xs)]
  }
  expect(sides(12, 90)).toEqual([5, 48])
  expect(sides(3, 90)).toEqual([5, 55])
  expect(sides(undefined, 90)).toEqual([5, 55])
  // The front is 30 ft from its street; a side faces a street that is up to 15 ft farther.
  expect(sides(12, 105)).toEqual([5, 48])
  expect(sides(12, 105.1)).toEqual([5, 55])
})

test('the lines turn with the lot', () => {
  for (let angle = 0; angle < 2 * Math.PI; angle += 0.3) {
    const turned = ([x, y]: Point): Point => [
      400 + x * Math.cos(angle) - y * Math.sin(angle),
      -700 + x * Math.sin(angle) + y * Math.cos(angle),
    ]
    for (const [corners, expected] of [
      [lot, [5, 20, 55, 20, 55, 95, 5, 95]],
      // Beginning at another corner.
      [
        [...lot.slice(2), ...lot.slice(0, 2)],
        [55, 95, 5, 95, 5, 20, 55, 20],
      ],
    ] as const) {
      const inner = setbackLines(corners.map(turned), yards, [street.map(turned)])!
      const at = [0, 2, 4, 6].flatMap((k) => turned([expected[k]!, expected[k + 1]!]))
      expect(inner.flat().map((value) => Math.round(1000 * value))).toEqual(at.map((value) => Math.round(1000 * value)))
    }
  }
})

test('the yards of a lot that narrows are measured at right angles to its sides', () => {
  const narrowing: Point[] = [
    [0, 0],
    [60, 0],
    [50, 120],
    [10, 120],
  ]
  const percent = {
    front: 20,
    side: { pctOfWidth: 10, minFt: 1, maxFt: 20 },
    rear: { pctOfDepth: 20, minFt: 1, maxFt: 99 },
  }
  const inner = setbackLines(narrowing, percent, [street])!
  // On average 50 ft wide, so 5 ft at each side; the sides are 120.4 ft long, so 24.1 ft at the rear.
  const slope = 10 / 120
  const side = 5 * Math.hypot(1, slope)
  const rear = 120 - 0.2 * Math.hypot(120, 10)
  expect(inner.flat()).toEqual(
    [side + 20 * slope, 20, 60 - side - 20 * slope, 20, 60 - side - rear * slope, rear, side + rear * slope, rear].map(
      (value) => expect.closeTo(value, 6),
    ),
  )
})

test('the front is the side nearest to a street, which ends where it ends', () => {
  const rears = (...streets: Point[][]) => setbackLines(lot, yards, streets)!.map(([, y]) => y)
  const behind: Point[] = [
    [200, 150],
    [0, 150],
  ]
  // It points at the lot from 40 ft; its extension would touch it.
  const deadEnd: Point[] = [
    [30, -200],
    [30, -40],
  ]
  const atFront = [20, 20, 95, 95]
  const atRear = [25, 25, 100, 100]
  expect(rears(behind, deadEnd)).toEqual(atRear)
  expect(rears(behind, [...deadEnd].reverse())).toEqual(atRear)
  expect(rears(deadEnd)).toEqual(atFront)
  expect(rears([deadEnd[1]!, deadEnd[1]!])).toEqual(atFront)
  // A street of several parts.
  expect(rears([...deadEnd, [30, -20]], behind)).toEqual(atFront)
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
  // Turned inward at one of four corners.
  expect(fourCorners([...lot.slice(0, 3), [50, 20]])).toBeUndefined()
  // Points half a foot apart are one.
  expect(fourCorners([...lot.slice(0, 2), [60.3, 0.4], ...lot.slice(2)])).toHaveLength(4)
})
