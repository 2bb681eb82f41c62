import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parts } from '../../bench/context.ts'
import { atLeast, atMost, type Figure, figureOf } from '../../bench/figure.ts'
import { merged, regressions } from '../../bench/report.ts'

const figure = (ours: number, target: Figure['target'], rival?: number) =>
  figureOf('reads', 'ms', [ours], { rival: rival === undefined ? undefined : [rival], target })
const committed = (figure: Figure) => ({ machine: '', figures: [{ ...figure, measuredOn: '2026-11-15' }] })

test.each([
  ['a rate that fell by a quarter', figure(75, atLeast(0.7), 100), figure(100, atLeast(0.7), 100), true],
  ['a rate that fell by a tenth', figure(90, atLeast(0.7), 100), figure(100, atLeast(0.7), 100), false],
  ['a time that rose by a quarter', figure(125, atMost(200, 'ours')), figure(100, atMost(200, 'ours')), true],
  ['a time that fell', figure(50, atMost(200, 'ours')), figure(100, atMost(200, 'ours')), false],
  ['both sides slower alike', figure(50, atLeast(0.7), 50), figure(100, atLeast(0.7), 100), false],
  ['a failure where there was none', figure(1, atMost(0, 'ours')), figure(0, atMost(0, 'ours')), true],
  ['no failure, as before', figure(0, atMost(0, 'ours')), figure(0, atMost(0, 'ours')), false],
  ['a figure without a target', figure(900, undefined), figure(100, undefined), false],
])('the check: %s', (_what, now, before, worse) => {
  expect(regressions([now], committed(before)).length > 0).toBe(worse)
})

test('a figure that was never committed is not a regression', () => {
  expect(regressions([figure(1, atMost(0, 'ours'))], { machine: '', figures: [] })).toEqual([])
})

test('new figures of a part replace all of its old ones, and figures of other parts are kept', () => {
  const named = (name: string, ours: number) => figureOf(name, 'ms', [ours])
  const before = ['hot: a', 'hot: gone', 'cold: a', 'plain'].map((name) => ({ ...named(name, 1), measuredOn: 'then' }))
  const after = merged(before, [named('hot: a', 2), named('hot: new', 3)], 'now')
  expect(after.map(({ name, ours, measuredOn }) => [name, ours, measuredOn])).toEqual([
    ['hot: a', 2, 'now'],
    ['cold: a', 1, 'then'],
    ['plain', 1, 'then'],
    ['hot: new', 3, 'now'],
  ])
})

test('every file with a measurement is a part of the bench, which a weekly run starts', () => {
  const folder = join(import.meta.dirname, '../../bench')
  const measuring = readdirSync(folder).filter(
    (name) => name.endsWith('.ts') && readFileSync(join(folder, name), 'utf8').includes('export const measure ='),
  )
  expect(measuring.sort()).toEqual(parts.map((part) => `${part}.ts`).sort())
})
