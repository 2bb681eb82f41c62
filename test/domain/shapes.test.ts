import { expect, test } from 'vitest'
import { type LayerShape, layerResult, mergedFacts } from '../../src/domain/layers.ts'
import {
  areaOf,
  boxOfRings,
  type FlatRing,
  isInside,
  lineDistance,
  partsOf,
  sharedArea,
  turned,
} from '../../src/domain/shapes.ts'

const square = (x: number, y: number, side: number): FlatRing => [x, y, x + side, y, x + side, y + side, x, y + side]
let seed = 7
const random = () => {
  seed = (seed * 16807) % 2147483647
  return seed / 2147483647
}
/** A ring around a point whose distance from it varies: never convex, never crossing itself. */
const star = (x: number, y: number, size: number, positions: number): FlatRing =>
  Array.from({ length: positions }, (_, at) => {
    const [angle, far] = [(2 * Math.PI * at) / positions, size * (0.3 + 0.7 * random())]
    return [x + far * Math.cos(angle), y + far * Math.sin(angle)]
  }).flat()

test('the shared area equals a count of points in both shapes, with holes and parts', () => {
  for (let round = 0; round < 6; round += 1) {
    const lot = [star(50, 50, 40, 9), turned(star(50, 50, 10, 7), true)]
    const shape = [star(70 * random(), 70 * random(), 60, 40), star(120, 120, 20, 12), turned(star(60, 60, 6, 8), true)]
    const steps = 250
    let inBoth = 0
    for (let x = 0.5; x < steps; x += 1)
      for (let y = 0.5; y < steps; y += 1) {
        const [px, py] = [(100 * x) / steps, (100 * y) / steps]
        if (!isInside(px, py, lot)) continue
        // The hole is only a hole where an outer ring covers it.
        const layers = shape.map((ring) => (isInside(px, py, [ring]) ? Math.sign(areaOf([ring])) : 0))
        inBoth += layers.reduce((sum, each) => sum + each, 0)
      }
    expect(sharedArea(lot, shape) / 10_000).toBeCloseTo(inBoth / steps ** 2, 2)
  }
})

test('a shape cut into parts covers the same area of a lot', () => {
  const zone = [star(0, 0, 1000, 5000), turned(star(0, 0, 200, 900), true)]
  const parts = partsOf(zone)
  expect(Math.max(...parts.map((part) => part.flat().length / 2))).toBeLessThanOrEqual(128)
  expect(parts.reduce((sum, part) => sum + areaOf(part), 0)).toBeCloseTo(areaOf(zone), 3)
  for (let round = 0; round < 50; round += 1) {
    const lot = [star(1200 * random() - 600, 1200 * random() - 600, 60, 8)]
    const whole = sharedArea(lot, zone)
    expect(parts.reduce((sum, part) => sum + sharedArea(lot, part), 0)).toBeCloseTo(whole, 4)
  }
})

test('distances are measured between lines and are 0 where they meet', () => {
  const lot = { lines: [square(0, 0, 10)], closed: true }
  expect(lineDistance(lot, { lines: [[13, 14]], closed: false })).toBe(5)
  expect(lineDistance(lot, { lines: [[-5, 5, 20, 5]], closed: false })).toBe(0)
  expect(lineDistance(lot, { lines: [square(2, 3, 4)], closed: true })).toBe(2)
})

const shapeOf = (
  rings: readonly FlatRing[],
  value: LayerShape['value'] = 'yes',
  kind: LayerShape['kind'] = 'area',
) => ({
  ...{ kind, value, rings },
  box: boxOfRings(rings),
})
const lot = {
  rings: [square(0, 0, 100)],
  box: [0, 0, 100, 100] as const,
  point: [50, 50] as const,
  axis: [0, 1] as const,
}
const answer = (shapes: readonly LayerShape[], sets = {}) =>
  layerResult({ overlay: 'floodZone', ...sets }, lot, shapes)?.value ?? 'unknown'

test('a layer says yes by share, no only where it was mapped, and unknown elsewhere', () => {
  expect(answer([shapeOf([[0, 0, 6, 0, 6, 100, 0, 100]])])).toBe('yes')
  expect(answer([shapeOf([[0, 0, 4, 0, 4, 100, 0, 100]])])).toBe('unknown')
  expect(answer([shapeOf([[0, 0, 4, 0, 4, 100, 0, 100]])], { minSharePct: 3 })).toBe('yes')
  expect(answer([], { extent: 'market' })).toBe('no')
  expect(answer([shapeOf([square(-10, -10, 200)], 'no')])).toBe('no')
  // A shape that could not be read keeps the answer open, even inside the mapped area.
  expect(answer([shapeOf([square(-10, -10, 50)], 'unknown')], { extent: 'market' })).toBe('unknown')
  expect(answer([shapeOf([[50, 50]], 'yes', 'point')])).toBe('yes')
  expect(answer([shapeOf([[200, 50]], 'yes', 'point')])).toBe('unknown')
  expect(answer([shapeOf([[200, 50]], 'yes', 'point')], { withinFt: 100 })).toBe('yes')
  expect(answer([shapeOf([[-50, 20, 150, 30]], 'yes', 'line')])).toBe('yes')
})

test('buildings have their size on the lot, the distance to its lines and where they stand along it', () => {
  const house = shapeOf([[20, 10, 80, 10, 80, 50, 20, 50]])
  const sliver = shapeOf([[99, 0, 140, 0, 140, 60, 99, 60]])
  const result = layerResult({ fact: 'buildings' }, lot, [house, sliver])
  expect(result?.detail).toEqual([{ sqft: 2400, toLinesFt: 10, alongFt: [10, 50], acrossFt: [20, 80] }])
  expect(layerResult({ fact: 'buildings' }, lot, [])).toBeUndefined()
  expect(layerResult({ fact: 'buildings', extent: 'market' }, lot, [])?.detail).toEqual([])
})

test('for a hazard any yes wins, otherwise the higher priority, otherwise the feed', () => {
  const layer = (sourceId: string, overlay: 'floodZone' | 'coastalZone', value: 'yes' | 'no', priority = 0) => ({
    ...{ sourceId, value },
    sets: { overlay, priority },
  })
  const both = [layer('a', 'floodZone', 'yes'), layer('b', 'floodZone', 'no', 10)]
  expect(mergedFacts({ floodZone: 'no' }, both)).toEqual({
    overlays: { floodZone: 'yes' },
    sources: { floodZone: 'a' },
  })
  expect(mergedFacts({ floodZone: 'yes' }, [layer('b', 'floodZone', 'no')])).toEqual({
    overlays: { floodZone: 'yes' },
    sources: {},
  })
  const coast = [layer('a', 'coastalZone', 'yes'), layer('b', 'coastalZone', 'no', 10)]
  expect(mergedFacts({ coastalZone: 'yes', septic: 'no' }, coast)).toEqual({
    overlays: { coastalZone: 'no', septic: 'no' },
    sources: { coastalZone: 'b' },
  })
})
