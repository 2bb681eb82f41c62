// What makes the shapes of a map layer unusable, and how long lines are cut.
import { expect, test } from 'vitest'
import type { SourceConfig } from '../../src/domain/packs/source-config.ts'
import type { FlatRing, ShapeBox } from '../../src/domain/shapes.ts'
import { layerChecker } from '../../src/ingest/layer-rows.ts'
import type { ReadShape } from '../../src/sources/source.ts'
import { config } from './feed.ts'

const box: ShapeBox = [0, 0, 1, 1]
const area = (ring: FlatRing): ReadShape => ({ kind: 'area', rings: [ring], box })
const square = [0, 0, 1, 0, 1, 1, 0, 1]
const bow = [0, 0, 1, 1, 1, 0, 0, 1]
const circle = (count: number, swap = false): FlatRing => {
  const ring = Array.from({ length: count }, (_, at) => [
    Math.cos((2 * Math.PI * at) / count),
    Math.sin((2 * Math.PI * at) / count),
  ])
  if (swap) [ring[3], ring[9]] = [ring[9]!, ring[3]!]
  return ring.flat()
}
const layer = (sets: object = {}) =>
  layerChecker(config('layer', { sets: { overlay: 'floodZone', ...sets } } as Partial<SourceConfig>) as never)
const check = (checker: ReturnType<typeof layer>, shape: ReadShape | undefined, more: object = {}) =>
  checker.check({ number: 1, fields: {}, shape, market: 'sf-peninsula', ...more } as never)

test('a ring that crosses itself is read as its box, and is unknown', () => {
  for (const [ring, value] of [
    [square, 'yes'],
    [bow, 'unknown'],
    [circle(40), 'yes'],
    [circle(40, true), 'unknown'],
    [circle(41), 'yes'],
    [circle(41, true), 'unknown'],
  ] as const) {
    const { staged } = check(layer(), area(ring))
    expect(staged?.value).toBe(value)
    const [{ rings }] = JSON.parse(String(staged?.parts)) as [{ rings: number[][] }]
    expect(rings[0]).toHaveLength(value === 'yes' ? ring.length : 8)
  }
})

test('a layer is broken if more than a twentieth of its shapes, and more than one, cross themselves', () => {
  const problems = (crossing: number, of: number) => {
    const checker = layer()
    for (let at = 0; at < of; at += 1) check(checker, area(at < crossing ? bow : square))
    return checker.problems!()
  }
  expect(problems(1, 1)).toEqual([])
  expect(problems(2, 10)).toEqual(['2 of 10 shapes have a ring that crosses itself'])
  expect(problems(2, 40)).toEqual([])
  expect(problems(3, 40)).toEqual(['3 of 40 shapes have a ring that crosses itself'])
})

test('a layer without shapes is refused; with shapes that cannot be read only if lots under them would be called "no"', () => {
  expect(layer().problems!()).toEqual(['the layer has no shape in the market'])
  const unread = (sets: object) => {
    const checker = layer(sets)
    expect(check(checker, { ...area(square), unreadable: 'it has no ring' }).rejected?.code).toBe('shape')
    return checker.problems!()
  }
  expect(unread({})).toEqual([])
  expect(unread({ extent: 'market' })).toEqual(['1 shapes cannot be read, and lots under them would be called "no"'])
  expect(check(layer(), undefined).rejected?.code).toBe('no_shape')
})

test('an extent is no match, and a station has its name and its tier', () => {
  expect(check(layer(), area(square), { isExtent: true }).staged?.value).toBe('no')
  const station = (tier: unknown) =>
    check(
      layer({ overlay: undefined, fact: 'stations' }),
      { kind: 'point', rings: [[0, 0]], box },
      { fields: { tier } },
    ).staged?.about
  expect(station(undefined)).toEqual({ name: 'Station', tier: undefined })
})

test('a line is stored in parts of at most 64 positions that share their ends', () => {
  const partsOf = (positions: number) => {
    const line = Array.from({ length: positions }, (_, at) => [at, 0]).flat()
    const { staged } = check(layer(), { kind: 'line', rings: [line], box })
    return (JSON.parse(String(staged?.parts)) as { rings: number[][] }[]).map(({ rings }) => [
      rings[0]![0],
      rings[0]!.at(-2),
    ])
  }
  expect(partsOf(2)).toEqual([[0, 1]])
  expect(partsOf(64)).toEqual([[0, 63]])
  expect(partsOf(65)).toEqual([
    [0, 63],
    [63, 64],
  ])
  expect(partsOf(127)).toEqual([
    [0, 63],
    [63, 126],
  ])
  expect(partsOf(128)).toHaveLength(3)
})
