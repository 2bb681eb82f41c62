import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { backtestBiddingWar } from '../../src/backtest/backtest-bidding-war.ts'
import { parseClosedListings } from '../../src/bin/commands/backtest-methods.ts'
import { seededRandom } from '../../src/intelligence/valuation/seeded-random.ts'
import { sharedData } from '../assess/shared-data.ts'

const header = 'zip,beds,baths,home_size_sqft,list_price,sale_to_list_ratio,remark_tokens'

describe('backtestBiddingWar', () => {
  test('random labels are predicted no better than chance', () => {
    const random = seededRandom(3)
    const lines = Array.from(
      { length: 1200 },
      (_, k) =>
        `9400${k % 5},3,2,1500,${900000 + 1000 * Math.floor(random() * 300)},${random() < 0.5 ? 1.05 : 0.98},home ${random() < 0.5 ? 'view' : 'lot'}`,
    )
    const { rows } = parseClosedListings([header, ...lines].join('\n'), 'x.csv')
    const report = backtestBiddingWar(rows, [1, 2])
    expect(Math.abs(report.auc - 0.5)).toBeLessThan(0.06)
    expect(report.brier).toBeLessThan(0.27)
    expect(report.heldOut).toBe(300)
  })

  test('rows without a price or ratio are rejected and counted, and missing columns are named', () => {
    const parsed = parseClosedListings(`${header}\n94002,3,2,1500,,1.02,home\n94002,3,2,,900000,1.02,home\n`, 'x.csv')
    expect(parsed.rejected).toBe(1)
    expect(parsed.rows[0]!.facts.livingSqft).toBeUndefined()
    expect(() => parseClosedListings('zip,beds\n1,2\n', 'x.csv')).toThrow('no column baths')
  })

  test('too few listings are rejected with the number', () => {
    expect(() => backtestBiddingWar([], [1])).toThrow('only 0 usable listings')
  })

  const file = sharedData('listings/peninsula-list-to-sale-remark-tokens-2014-2016.csv')
  test.skipIf(!file || !process.env.LOTLINE_WEEKLY)(
    'on real Peninsula closings a held-out quarter is ranked at 0.718 or better, Brier at most 0.1975',
    () => {
      const { rows } = parseClosedListings(readFileSync(file!, 'utf8'), file!)
      const report = backtestBiddingWar(rows, [1, 2])
      expect(report.auc).toBeGreaterThanOrEqual(0.718)
      expect(report.brier).toBeLessThanOrEqual(0.1975)
      expect(report.auc).toBeGreaterThan(report.areaRate.auc)
    },
    120_000,
  )
})
