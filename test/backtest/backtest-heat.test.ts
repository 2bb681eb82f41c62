import { describe, expect, test } from 'vitest'
import { backtestHeat, type HeatSeries } from '../../src/backtest/backtest-heat.ts'
import { parseMetroSeries, readHeatSeries } from '../../src/bin/commands/backtest-methods.ts'
import { seededRandom } from '../../src/intelligence/valuation/seeded-random.ts'
import { sharedData } from '../assess/shared-data.ts'

const months = Array.from(
  { length: 60 },
  (_, k) => `${2021 + Math.floor(k / 12)}-${String((k % 12) + 1).padStart(2, '0')}`,
)

/** Metros whose published index follows their sale-to-list ratio, and nothing else. */
const series = (): HeatSeries => {
  const random = seededRandom(4)
  const metros = Array.from({ length: 40 }, (_, k) => `m${k}`)
  const of = (value: (ratio: number) => number) =>
    new Map(metros.map((metro, k) => [metro, new Map(months.map((month) => [month, value(0.94 + 0.003 * k)]))]))
  return {
    published: of((ratio) => 1000 * (ratio - 0.9)),
    saleToList: of((ratio) => ratio),
    shareAboveList: of(() => random()),
    daysToPending: of(() => 20 + 60 * random()),
    inventory: of(() => 100 + 300 * random()),
    sales: of(() => 80 + 20 * random()),
  }
}

describe('backtestHeat', () => {
  test('compares the index and the other statistics with the published index', () => {
    const report = backtestHeat(series())
    expect(report.month).toBe('2025-12')
    expect(report.heat).toEqual({ month: expect.closeTo(1), twelveMonths: expect.closeTo(1) })
    expect(report.last24Months.worst).toBeCloseTo(1)
    for (const other of Object.values(report.others)) expect(Math.abs(other.month)).toBeLessThan(0.6)
  })

  test('too few metros are rejected with the number', () => {
    const few = series()
    const cut = { ...few, sales: new Map([...few.sales].slice(0, 3)) }
    expect(() => backtestHeat(cut)).toThrow('only 3 metros')
  })

  test('a file without month columns is rejected by name', () => {
    expect(() => parseMetroSeries('RegionID,RegionType\n1,msa\n', 'x.csv')).toThrow('x.csv: no month columns')
    expect(() => readHeatSeries('/')).toThrow('exactly one is needed')
  })

  const folder = sharedData('market')
  test.skipIf(!folder)(
    'ranks real metros as the published index does: 0.80 on the month, 0.88 on twelve months',
    () => {
      const report = backtestHeat(readHeatSeries(folder!))
      expect(report.heat.month).toBeGreaterThanOrEqual(0.8)
      expect(report.heat.twelveMonths).toBeGreaterThanOrEqual(0.88)
      expect(report.last24Months.mean).toBeGreaterThanOrEqual(0.84)
    },
  )
})
