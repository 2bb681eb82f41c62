import { describe, expect, test } from 'vitest'
import { packOf } from '../../../src/domain/packs/use-packs.ts'
import { conditionScore } from '../../../src/intelligence/condition/condition.ts'
import { conditionLevels } from '../../../src/intelligence/condition/condition-phrases.ts'
import {
  conditionLog,
  conditionPrior,
  fitConditionValue,
  type RatedSale,
  valueInCondition,
  valuesAroundRenovation,
} from '../../../src/intelligence/valuation/condition-value.ts'
import { inPresentCondition, valueFinding } from '../../../src/intelligence/valuation/present-value.ts'
import { seededRandom } from '../../../src/intelligence/valuation/seeded-random.ts'

const prior = conditionPrior()

/** Sales whose prices follow the table times `below` and `above`. */
const sales = (count: number, below: number, above = below, noise = 0.15): RatedSale[] => {
  const random = seededRandom(5)
  return Array.from({ length: count }, () => {
    const condition = 15 + 80 * random()
    const log = conditionLog(prior, condition)
    const error = noise * (random() + random() + random() - 1.5) * 2
    return { condition, againstC4: log * (log < 0 ? below : above) + error }
  })
}
const at = (model: typeof prior, level: keyof typeof conditionLevels) =>
  Math.exp(conditionLog(model, conditionLevels[level]))

describe('what condition is worth', () => {
  test.each([
    [95, 'Beautifully remodeled.', 1, 'Condition 95, where 95 is what its source says'],
    [15, 'Needs TLC.', 1, 'Condition 15, where 15 is what its source says'],
    [undefined, 'Needs TLC.', 0.917, 'Condition 43, where 59 is usual for such homes'],
  ])('rated %s and %s', (condition, remarks, factor, because) => {
    const facts = { livingSqft: 2_000, yearBuilt: 1955, condition, lat: 37.4, lng: -122.1 }
    const value = {
      ...{ valueUsd: 1e6, lowUsd: 9e5, highUsd: 11e5, confidence: 'high' as const, parts: () => [] },
      ...{
        nearestSaleMi: 0.1,
        salesWithinMile12m: 9,
        missing: [],
        doubtful: [],
        basis: { model: 1e6, weightOfComps: 0 },
      },
    }
    const on = '2026-11-15'
    const finding = conditionScore({ ...facts, remarks }, on)
    const present = inPresentCondition(facts, { conditionValue: prior, on }, value, finding)
    expect(present.valueUsd / 1e6).toBeCloseTo(factor, 3)
    expect(valueFinding(facts, present).parts.map((part) => part.because)).toEqual([because])
  })

  test('is the table of the market: from C5 to C2 a Peninsula home gains 18%, one elsewhere 23%', () => {
    const peninsula = conditionPrior(packOf('sf-peninsula'))
    expect(at(peninsula, 'C2') / at(peninsula, 'C5')).toBeCloseTo(1.178, 3)
    expect(at(prior, 'C2') / at(prior, 'C5')).toBeCloseTo(1.227, 3)
    expect([at(peninsula, 'C1'), at(peninsula, 'C4'), at(peninsula, 'C6')].map((x) => x.toFixed(2))).toEqual([
      '1.15',
      '1.00',
      '0.80',
    ])
  })

  test('follows the market’s own sales where they show it, separately for poor and for good homes', () => {
    const model = fitConditionValue(prior, sales(4000, 1.4, 0.8))
    expect(model.kind).toBe('fitted')
    expect(Math.log(at(model, 'C6')) / Math.log(at(prior, 'C6'))).toBeCloseTo(1.4, 1)
    expect(Math.log(at(model, 'C2')) / Math.log(at(prior, 'C2'))).toBeCloseTo(0.8, 1)
  })

  test('stays at the table below 300 rated sales, and where the slope is not three times its standard error', () => {
    expect(fitConditionValue(prior, sales(299, 1.5))).toMatchObject({ kind: 'prior', curve: prior.curve })
    expect(fitConditionValue(prior, sales(310, 1.5, 1.5, 1.5))).toMatchObject({ kind: 'prior', curve: prior.curve })
  })

  test('is never less than half of the table nor more than twice of it', () => {
    expect(Math.log(at(fitConditionValue(prior, sales(9000, 0.2)), 'C6'))).toBeCloseTo(Math.log(0.75) / 2, 6)
    expect(Math.log(at(fitConditionValue(prior, sales(9000, 5)), 'C2'))).toBeCloseTo(Math.log(1.08) * 2, 6)
  })

  test('does not count what sellers say of every home', () => {
    const described = Array.from({ length: 200 }, () => ({ usual: 55, condition: 70 }))
    const model = fitConditionValue(prior, [], described)
    expect(valueInCondition(model, { valueUsd: 1_000_000, usual: 55 }, 70)).toBeCloseTo(1_000_000, 6)
    expect(valueInCondition(model, { valueUsd: 1_000_000, usual: 55 }, 55)).toBeLessThan(1_000_000)
  })

  test('a home in the usual condition is worth its estimate, a better one more', () => {
    const home = { valueUsd: 1_000_000, usual: 60 }
    expect(valueInCondition(prior, home, 60)).toBeCloseTo(1_000_000, 6)
    const values = Array.from({ length: 17 }, (_, k) => valueInCondition(prior, home, 15 + 5 * k))
    expect(values.every((value, k) => k === 0 || value > values[k - 1]!)).toBe(true)
  })

  test('the after-repair value starts from the present value and is that of the better condition, never below', () => {
    const usualUsd = 1_000_000
    const values = (condition: number, mostUsd?: number) =>
      valuesAroundRenovation(
        prior,
        { valueUsd: valueInCondition(prior, { valueUsd: usualUsd, usual: 85 }, condition), usual: 85, usualUsd },
        { condition, target: 85, mostUsd },
      )
    expect(values(85, 1_700_000)).toEqual({ valueNowUsd: 1_000_000, afterRepairValueUsd: 1_000_000 })
    const poor = values(35)
    expect(poor.afterRepairValueUsd / poor.valueNowUsd).toBeCloseTo(1.227, 3)
    expect(values(35, 900_000).afterRepairValueUsd).toBe(900_000)
    expect(values(35, 500_000).afterRepairValueUsd).toBe(poor.valueNowUsd)
  })
})
