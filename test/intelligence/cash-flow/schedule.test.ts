import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cashFlowOf,
  irrPct,
  type ProjectPlan,
  priceAtTarget,
  schedule,
  wholeMonths,
} from '../../../src/intelligence/cash-flow/schedule.ts'

const dollars = (max: number) => fc.integer({ min: 0, max })
const anyPlan: fc.Arbitrary<ProjectPlan> = fc.record({
  purchase: dollars(20_000_000),
  hard: dollars(10_000_000),
  soft: dollars(2_000_000),
  taxPerYear: fc.double({ min: 0, max: 200_000, noNaN: true }),
  insurancePerYear: fc.double({ min: 0, max: 100_000, noNaN: true }),
  phases: fc.record({
    permit: fc.double({ min: 0, max: 30, noNaN: true }),
    build: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 40, noNaN: true })),
    sale: fc.double({ min: 0, max: 12, noNaN: true }),
  }),
  proceeds: dollars(40_000_000),
  completedValue: dollars(40_000_000),
  loanToCostPct: fc.double({ min: 0, max: 100, noNaN: true }),
  ratePct: fc.double({ min: 0, max: 20, noNaN: true }),
  pointsPct: fc.double({ min: 0, max: 5, noNaN: true }),
})

const columns = ['purchase', 'hard', 'soft', 'fees', 'holding', 'interest', 'proceeds', 'loan', 'equity'] as const

describe('schedule', () => {
  it('every month balances, and sums over the months equal the lines to the dollar', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const { cashFlow, ...sums } = cashFlowOf(plan)
        const sum = (name: (typeof columns)[number]) => cashFlow.reduce((all, month) => all + month[name], 0)
        expect(columns.map(sum)).toEqual([
          plan.purchase,
          plan.hard,
          plan.soft,
          sums.points,
          sums.tax + sums.insurance,
          sums.interest,
          plan.proceeds,
          0,
          -sums.profit,
        ])
        let balance = 0
        for (const each of cashFlow) {
          const used = each.purchase + each.hard + each.soft + each.fees + each.holding + each.interest
          expect(each.equity).toBe(used - each.proceeds - each.loan)
          expect(columns.every((name) => Number.isInteger(each[name]))).toBe(true)
          balance += each.loan
          expect(balance).toBeGreaterThanOrEqual(0)
          expect(balance).toBeLessThanOrEqual(sums.loan)
        }
        expect(cashFlow.map(({ month }) => month)).toEqual(cashFlow.map((_, at) => at))
        expect(cashFlow.length).toBe(sums.months + 1)
        expect(sums.totalCost).toBe(
          plan.purchase + plan.hard + plan.soft + sums.points + sums.tax + sums.insurance + sums.interest,
        )
        // The loan of a list and of a page is one.
        expect(schedule(plan)).toMatchObject({ totalCost: sums.totalCost, interest: sums.interest })
      }),
    )
  })

  it('interest can be redone from average balance, months and rate', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const { interest, averageBalance, months } = schedule(plan)
        const byHand = (averageBalance * (plan.ratePct / 100) * months) / 12
        expect(Math.abs(interest - byHand)).toBeLessThanOrEqual(0.51 + (0.5 * (plan.ratePct / 100) * months) / 12)
      }),
    )
  })

  it('no loan is above its share of cost or 70% of the completed value, and equity comes first', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const { cashFlow, loan } = cashFlowOf(plan)
        const planned = plan.purchase + plan.hard + plan.soft
        expect(loan).toBeLessThanOrEqual(Math.round(0.7 * plan.completedValue))
        expect(loan).toBeLessThanOrEqual(Math.round((plan.loanToCostPct / 100) * planned))
        let equity = 0
        for (const month of cashFlow.slice(0, -1)) {
          equity += month.equity
          if (month.loan > 0) expect(equity).toBeGreaterThanOrEqual(planned - loan)
        }
      }),
    )
  })

  it('the offer returns the target, and a dollar more does not', () => {
    fc.assert(
      fc.property(anyPlan, fc.integer({ min: -20, max: 50 }), (plan, targetPct) => {
        const at = (price: number): ProjectPlan => ({
          ...plan,
          purchase: Math.round(1.01 * price),
          taxPerYear: 0.012 * price,
        })
        const offer = priceAtTarget(at, targetPct)
        const left = (price: number) => plan.proceeds - (1 + targetPct / 100) * schedule(at(price)).totalCost
        // Lines are rounded to dollars, so that one dollar more may cost nothing.
        expect(left(offer)).toBeGreaterThanOrEqual(0)
        expect(left(offer + 5)).toBeLessThan(0)
        expect(priceAtTarget(at, targetPct, 0)).toBe(Math.max(0, offer))
      }),
    )
  })

  it('ends are rounded half up from the purchase, with a month of building and one to the sale', () => {
    expect(wholeMonths({ permit: 8, build: 10.33, sale: 2.5 })).toEqual({ permit: 8, completion: 18, last: 21 })
    // 8.05 + 10.45 is below 18.5 as a binary number.
    expect(wholeMonths({ permit: 8.05, build: 10.45, sale: 0.1 })).toEqual({ permit: 8, completion: 19, last: 20 })
    expect(wholeMonths({ permit: 0.5, build: 0.1, sale: 0 })).toEqual({ permit: 1, completion: 2, last: 3 })
    expect(wholeMonths({ permit: 6, build: 0, sale: 6 })).toEqual({ permit: 6, completion: 6, last: 12 })
  })

  it('building is paid along an S-curve, a tenth of it a month after completion; soft costs 60% before the permit', () => {
    const { cashFlow } = cashFlowOf({
      ...{ purchase: 0, hard: 1_000_000, soft: 100_000, taxPerYear: 0, insurancePerYear: 0 },
      ...{ phases: { permit: 6, build: 10, sale: 2 }, proceeds: 0, completedValue: 0 },
      ...{ loanToCostPct: 0, ratePct: 0, pointsPct: 0 },
    })
    // SCHEMES-2026 5, of the 90% that are not kept back.
    expect(cashFlow.slice(7, 12).map(({ hard }) => Math.round(hard / 900) / 10)).toEqual([2.8, 7.6, 11.2, 13.6, 14.8])
    expect(cashFlow.slice(16).map(({ hard }) => hard)).toEqual([25_200, 100_000, 0])
    expect(cashFlow.slice(0, 8).map(({ soft }) => soft)).toEqual([
      ...[0, 10_000, 10_000, 10_000, 10_000, 10_000, 10_000],
      4_000,
    ])
  })

  it('a rate exists only where the flows change sign exactly once', () => {
    expect(irrPct([-100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 110])).toBeCloseTo(10, 6)
    expect(irrPct([100, -110])).toBeCloseTo(100 * (1.1 ** 12 - 1), 4)
    expect(irrPct([-100, 50])).toBeLessThan(-99)
    for (const none of [[], [0], [-1, -2], [1, 2], [-1, 2, -1], [-100, 230, -132]]) expect(irrPct(none)).toBeUndefined()
  })
})
