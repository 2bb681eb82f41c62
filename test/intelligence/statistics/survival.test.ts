import { expect, test } from 'vitest'
import { kaplanMeier } from '../../../src/intelligence/statistics/survival.ts'

// The remission times of the 6-MP group (Freireich et al. 1963), in R: survfit(Surv(time, status) ~ 1).
const remission = [
  { days: 6, ended: 3, open: 1 },
  { days: 7, ended: 1, open: 0 },
  { days: 9, ended: 0, open: 1 },
  { days: 10, ended: 1, open: 1 },
  { days: 11, ended: 0, open: 1 },
  { days: 13, ended: 1, open: 0 },
  { days: 16, ended: 1, open: 0 },
  { days: 17, ended: 0, open: 1 },
  { days: 19, ended: 0, open: 1 },
  { days: 20, ended: 0, open: 1 },
  { days: 22, ended: 1, open: 0 },
  { days: 23, ended: 1, open: 0 },
  { days: 25, ended: 0, open: 1 },
  { days: 32, ended: 0, open: 2 },
  { days: 34, ended: 0, open: 1 },
  { days: 35, ended: 0, open: 1 },
]

test('the published curve of a known data set is reproduced, with open cases counted', () => {
  const curve = kaplanMeier([...remission].reverse())
  expect(curve.cases).toBe(21)
  expect([6, 7, 10, 13, 16, 22, 23].map((day) => Number(curve.openAfter(day)!.toFixed(3)))).toEqual([
    0.857, 0.807, 0.753, 0.69, 0.627, 0.538, 0.448,
  ])
  expect([curve.quantile(0.25), curve.quantile(0.5), curve.quantile(0.8)]).toEqual([13, 23, undefined])
})

test('a share is unknown after the last day observed, and a share reached exactly counts', () => {
  const curve = kaplanMeier([
    { days: 1, ended: 1, open: 0 },
    { days: 2, ended: 1, open: 0 },
    { days: 5, ended: 0, open: 2 },
  ])
  expect([curve.quantile(0.5), curve.openAfter(0), curve.openAfter(5), curve.openAfter(6)]).toEqual([
    2,
    1,
    0.5,
    undefined,
  ])
  expect(kaplanMeier([]).openAfter(0)).toBeUndefined()
  // Where all cases have ended, none can be open later.
  expect(kaplanMeier([{ days: 7, ended: 3, open: 0 }]).openAfter(1_095)).toBe(0)
})
