import { expect, test } from 'vitest'
import { atLeast, atMost, type Figure, figureOf } from '../../bench/figure.ts'
import { exponentOf } from '../../bench/growth.ts'
import { growthPlot } from '../../bench/growth-plot.ts'
import { merged, regressions } from '../../bench/report.ts'

const figure = (ours: number, target: Figure['target'], rival?: number) =>
  figureOf({ name: 'reads', unit: 'ms', ours: [ours], rival: rival === undefined ? undefined : [rival], target })
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
  const named = (name: string, ours: number) => figureOf({ name, unit: 'ms', ours: [ours] })
  const before = ['hot: a', 'hot: gone', 'cold: a', 'plain'].map((name) => ({ ...named(name, 1), measuredOn: 'then' }))
  const after = merged(before, [named('hot: a', 2), named('hot: new', 3)], 'now')
  expect(after.map(({ name, ours, measuredOn }) => [name, ours, measuredOn])).toEqual([
    ['hot: a', 2, 'now'],
    ['cold: a', 1, 'then'],
    ['plain', 1, 'then'],
    ['hot: new', 3, 'now'],
  ])
})

test('the exponent of a power law is found, whatever its factor', () => {
  expect(exponentOf([1, 4, 16], [7, 7, 7])).toBeCloseTo(0)
  expect(exponentOf([1, 4, 16], [3, 12, 48])).toBeCloseTo(1)
  expect(
    exponentOf(
      [1, 4, 16],
      [2, 8, 32].map((each) => each ** 2),
    ),
  ).toBeCloseTo(2)
})

test('the plot names every workload that has sizes, and is absent without one', () => {
  const plain = figure(1, atMost(2, 'ours'))
  expect(growthPlot([plain])).toBeUndefined()
  const growth = { times: [1, 4, 16], costs: [1, 1.1, 1.2], exponent: 0.07 }
  expect(growthPlot([plain, { ...plain, name: 'growth: a <page>', growth }])).toContain('a &lt;page>: n^0.07')
})
