import { expect, test } from 'vitest'
import { limitsOf, mostAssumptionSets, mostWatches, plans, promotionEnd, windowStart } from '../../src/wire/plans.ts'

const now = new Date('2026-11-15T12:00:00Z')

test('the plans equal those of the published table', () => {
  expect(plans).toEqual({
    demo: { maxResults: 5, requestsPerMinute: 10, historyDays: null, webhooks: false },
    free: { maxResults: 25, requestsPerMinute: 30, historyDays: 30, webhooks: false },
    pro: { maxResults: 500, requestsPerMinute: 120, historyDays: null, webhooks: true },
  })
  expect(mostAssumptionSets).toEqual({ demo: 0, free: 1, pro: 20 })
  expect(mostWatches).toEqual({ demo: 0, free: 3, pro: 100 })
})

test('a free key issued before Sep 4, 2026 has no history window, and one issued at midnight that day has', () => {
  expect(limitsOf({ plan: 'free', createdAt: new Date('2026-09-03T23:59:59.999Z') }, now).historyDays).toBe(null)
  expect(limitsOf({ plan: 'free', createdAt: new Date('2026-09-04T00:00:00Z') }, now).historyDays).toBe(30)
})

test('the promotion gives the better of plan and promotion and does not change the history window', () => {
  const promotionUntil = new Date('2027-01-01T00:00:00Z')
  expect(limitsOf({ plan: 'free', createdAt: now, promotionUntil }, now)).toEqual({
    maxResults: 100,
    requestsPerMinute: 100,
    webhooks: true,
    historyDays: 30,
  })
  expect(limitsOf({ plan: 'pro', createdAt: now, promotionUntil }, now)).toEqual(plans.pro)
  expect(limitsOf({ plan: 'free', createdAt: now, promotionUntil }, promotionUntil)).toEqual(plans.free)
})

test('the promotion lasts three calendar months', () => {
  const end = (text: string) => promotionEnd(new Date(text)).toISOString()
  expect(end('2026-11-15T12:34:56.000Z')).toBe('2027-02-15T12:34:56.000Z')
  expect(end('2026-11-30T00:00:00.000Z')).toBe('2027-02-28T00:00:00.000Z')
  expect(end('2027-11-30T00:00:00.000Z')).toBe('2028-02-29T00:00:00.000Z')
  expect(end('2026-01-31T08:00:00.000Z')).toBe('2026-04-30T08:00:00.000Z')
})

test('the history window starts on the UTC date thirty days ago', () => {
  expect(windowStart(plans.free, new Date('2026-11-15T00:00:00Z'))).toBe('2026-10-16')
  expect(windowStart(plans.free, new Date('2026-11-15T23:59:59Z'))).toBe('2026-10-16')
  expect(windowStart(plans.pro, now)).toBeUndefined()
})
