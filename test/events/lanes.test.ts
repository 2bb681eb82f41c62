import { expect, test } from 'vitest'
import { laneLimits, openLanes } from '../../src/events/lanes.ts'

const starts = (lanes: ReturnType<typeof openLanes>, endpoint: string, tries: number, at = 0) =>
  Array.from({ length: tries }, () => lanes.admit(endpoint, at, 0).verdict).filter((verdict) => verdict === 'start')
    .length

test('endpoints that never answer leave room for one that does', () => {
  const lanes = openLanes({ ...laneLimits, total: 100, unproven: 60 })
  lanes.admit('good', 0, 0)
  lanes.finish('good', true, 5, 0)
  for (let i = 0; i < 500; i++) lanes.admit(`hanging-${i}`, 0, 0)
  expect(lanes.room()).toBe(40)
  expect(starts(lanes, 'good', 1)).toBe(1)
})

test('an endpoint that answers well is given more at a time, up to a limit; one that fails is soon down to one', () => {
  const lanes = openLanes({ ...laneLimits, first: 1, most: 8 })
  for (let i = 0; i < 20; i++) {
    lanes.admit('a', 0, 0)
    lanes.finish('a', true, 5, 0)
  }
  expect(starts(lanes, 'a', 50)).toBe(8)
  for (let i = 0; i < 8; i++) lanes.finish('a', false, 15_000, 0)
  expect(starts(lanes, 'a', 50)).toBe(1)
})

test('what a failing endpoint cannot take now comes back at its own pace, each at a time of its own, within five minutes', () => {
  const lanes = openLanes()
  lanes.admit('a', 0, 0)
  lanes.finish('a', false, 15_000, 0)
  lanes.admit('a', 0, 0)
  const times = Array.from({ length: 1_000 }, () => lanes.admit('a', 0, 0)).map((admission) =>
    admission.verdict === 'later' ? admission.until : Number.NaN,
  )
  expect(times[0]).toBeGreaterThan(250)
  expect(times[1]! - times[0]!).toBeGreaterThan(1_000)
  expect(Math.max(...times)).toBe(laneLimits.longestWaitMs)
  expect(times.every((time, i) => i === 0 || time >= times[i - 1]!)).toBe(true)
})

test('an endpoint not heard of yet may hold a burst, one that fails may not', () => {
  const lanes = openLanes()
  expect(lanes.admit('a', 0, 0).verdict).toBe('start')
  expect(lanes.admit('a', 0, 10).verdict).toBe('hold')
  lanes.finish('a', false, 15_000, 0)
  lanes.admit('a', 0, 0)
  expect(lanes.admit('a', 0, 10).verdict).toBe('later')
})
