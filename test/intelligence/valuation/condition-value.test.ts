import { describe, expect, test } from 'vitest'
import {
  type ConditionSale,
  conditionValueAssumptions,
  conditionValuePrior,
  fitConditionValue,
  valueInCondition,
  valuesAroundRenovation,
} from '../../../src/intelligence/valuation/condition-value.ts'
import { seededRandom } from '../../../src/intelligence/valuation/seeded-random.ts'

const sales = (count: number, below: number, above = below, noise = 0.15): ConditionSale[] => {
  const random = seededRandom(5)
  return Array.from({ length: count }, () => {
    const usual = 55 + 30 * random()
    const condition = usual + 60 * (random() - 0.5)
    const error = noise * (random() + random() + random() - 1.5) * 2
    return { usual, condition, unexplained: (condition < usual ? below : above) * (condition - usual) + error }
  })
}

describe('what condition is worth', () => {
  test('is learned from sales, separately for poor and for good homes', () => {
    const model = fitConditionValue(sales(4000, 0.008, 0.002))
    expect(model.below).toBeCloseTo(0.008, 3)
    expect(model.above).toBeCloseTo(0.002, 3)
  })

  test('is the documented default while sales are few, and near it while they are not many', () => {
    expect(fitConditionValue(sales(50, 0.01))).toMatchObject({ kind: 'prior', below: conditionValuePrior.below })
    const some = fitConditionValue(sales(150, 0.012, 0.012, 0.3)).below
    expect(some).toBeGreaterThan(conditionValuePrior.below)
    expect(some).toBeLessThan(0.012)
  })

  test('is never negative', () => {
    expect(fitConditionValue(sales(4000, -0.02)).below).toBe(conditionValueAssumptions.below.range[0])
    expect(fitConditionValue(sales(4000, 0.05)).above).toBe(conditionValueAssumptions.above.range[1])
  })

  test('a home in the usual condition is worth its estimate, a better one more, within a factor of 1.6', () => {
    const home = { valueUsd: 1_000_000, usual: 60 }
    const model = { ...conditionValuePrior, center: 2 }
    expect(valueInCondition(model, home, 62)).toBeCloseTo(1_000_000, 6)
    const values = Array.from({ length: 21 }, (_, k) => valueInCondition(model, home, 5 * k))
    expect(values.every((value, k) => k === 0 || value > values[k - 1]!)).toBe(true)
    expect(valueInCondition({ ...model, above: 0.1 }, home, 95)).toBeCloseTo(1_600_000, 6)
  })

  test('the after-repair value starts from the present value and is that of the better condition, never below', () => {
    const usualUsd = 1_000_000
    const values = (condition: number, mostUsd?: number) =>
      valuesAroundRenovation(
        conditionValuePrior,
        {
          valueUsd: valueInCondition(conditionValuePrior, { valueUsd: usualUsd, usual: 85 }, condition),
          usual: 85,
          usualUsd,
        },
        { condition, target: 85, mostUsd },
      )
    expect(values(85, 1_700_000)).toEqual({ valueNowUsd: 1_000_000, afterRepairValueUsd: 1_000_000 })
    const poor = values(45)
    expect(poor.afterRepairValueUsd / poor.valueNowUsd).toBeCloseTo(Math.exp(40 * conditionValuePrior.below), 4)
    expect(values(45, 900_000).afterRepairValueUsd).toBe(900_000)
    expect(values(45, 500_000).afterRepairValueUsd).toBe(poor.valueNowUsd)
  })
})
