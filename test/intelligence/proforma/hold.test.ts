import { expect, it } from 'vitest'
import type { Rent } from '../../../src/domain/findings/rent.ts'
import { holdOf } from '../../../src/intelligence/proforma/hold.ts'
import { monthlyRent, rentIndex } from '../../../src/intelligence/proforma/rent.ts'
import { assumptionsFor } from '../../setup/city-rules.ts'

const none = () => false

// Worked by hand. A year of rent: 12 × 5,000 = 60,000. Vacancy 5% 3,000, operating 25% of the rest 14,250, tax 1.2% of 2,000,000
// 24,000, insurance 1% of 500 × 1,500 = 7,500: noi 11,250. Loan 1,400,000 at 6%: a payment of 8,393.71, 100,724 a year. Buying costs 20,000.
it('the figures of holding follow the formulas of the contract', () => {
  const assumptions = {
    vacancyPct: 5,
    operatingCostPct: 25,
    propertyTaxPct: 1.2,
    landlordInsurancePct: 1,
    acquisitionPct: 1,
    holdLoanPct: 70,
    holdRatePct: 6,
  }
  const holdAt = (terms: Parameters<typeof holdOf>[0], changed = {}, isDefault: Parameters<typeof holdOf>[2] = none) =>
    holdOf(terms, { ...assumptionsFor('San Mateo'), costPerSqft: 500, ...assumptions, ...changed }, isDefault)
  const terms = { priceUsd: 2_000_000, rentUsd: 5_000, livingSqft: 1_500 }
  expect(holdAt(terms, {}, (name) => name === 'vacancyPct')).toEqual({
    noi: 11_250,
    capRatePct: 0.6,
    grossYieldPct: 3,
    dscr: 0.11,
    cashOnCashPct: -14.4,
    debtService: 100_724,
    terms: {
      price: 2_000_000,
      rent: 5_000,
      livingSqft: 1_500,
      costPerSqft: 500,
      rebuildCost: 750_000,
      loan: 1_400_000,
      acquisition: 20_000,
      ...assumptions,
    },
    covers: expect.objectContaining({ landlordInsurancePct: expect.stringContaining('rebuild cost') }),
    defaults: ['vacancyPct'],
  })
  // 57,000 − 14,250 − 1,200 of 100,000.
  expect(holdAt({ priceUsd: 100_000, rentUsd: 5_000, livingSqft: 0 })).toMatchObject({
    noi: 41_550,
    capRatePct: 41.6,
    grossYieldPct: 60,
  })
  // Without a loan there is no debt service to cover; at 0% interest the loan is repaid in 360 equal parts.
  expect(holdAt(terms, { holdLoanPct: 0 })).not.toHaveProperty('dscr')
  expect(holdAt(terms, { holdRatePct: 0 }).debtService).toBe(46_667)
  expect(holdAt(terms, { holdLoanPct: 100, acquisitionPct: 0 })).not.toHaveProperty('cashOnCashPct')
  // SCHEMES-2026 9, example 1: rebuild cost 631,156 by size, NOI 23,486.
  const usual = assumptionsFor('San Mateo')
  const example = { priceUsd: 1_450_000, rentUsd: 4_600, livingSqft: 1_150 }
  const held = holdOf(example, { ...usual, propertyTaxPct: 1.15 }, none)
  expect(held.terms.rebuildCost).toBeCloseTo(631_156, -2)
  expect(held.noi).toBeCloseTo(23_486, -1)
  expect(held.capRatePct).toBe(1.6)
})

const rent = (amountUsd: number, of: Partial<Rent> = {}): Rent => ({
  zip: '94063',
  bedrooms: 2,
  amountUsd,
  asOf: '2026-10-01',
  statistic: 'rent',
  sourceTitle: 'Rents',
  sample: false,
  ...of,
})
const place = { zip: '94063', county: 'San Mateo' }
const rentOf = (rents: readonly Rent[], bedrooms = 2) => monthlyRent(rentIndex(rents), place, bedrooms, '2026-11-16')

it('a range is given from ten rents of the place and size on', () => {
  const ten = Array.from({ length: 10 }, (_, n) => rent(3_000 + 100 * n))
  expect(rentOf(ten.toReversed())).toEqual(rentOf(ten))
  expect(rentOf(ten)).toEqual({
    amount: 3_450,
    low: 3_090,
    high: 3_810,
    basis: 'Median of 10 rents of homes with 2 bedrooms in ZIP code 94063.',
    asOf: '2026-10-01',
    source: 'Rents',
  })
  expect(rentOf(ten.slice(1))?.amount).toBe(3_500)
  expect(rentOf(ten.slice(1))).not.toHaveProperty('low')
  expect(rentOf([rent(3_000), rent(1_000), rent(2_100)])?.amount).toBe(2_100)
  expect(rentOf([rent(3_000), rent(1_000), rent(2_100, { asOf: '2026-11-16' })])?.amount).toBe(2_100)
  expect(rentOf([rent(3_000), rent(1_000), rent(2_100, { asOf: '2026-11-17' })])).toBeUndefined()
  // Two rents, rents of another size and rents of more than two years ago say nothing.
  expect(rentOf(ten.slice(8))).toBeUndefined()
  expect(rentOf(ten, 3)).toBeUndefined()
  expect(rentOf(ten.map((each) => ({ ...each, asOf: '2024-11-16' })))).toBeUndefined()
})

it('the federal figure says that it is the 40th percentile with utilities; a county stands in for its ZIP code', () => {
  const federal = rent(3_900, { statistic: 'fair_market', sample: true })
  expect(rentOf([federal, rent(3_000), rent(3_100), rent(3_200)])).toEqual({
    amount: 3_900,
    basis:
      'Federal fair market rent of homes with 2 bedrooms in ZIP code 94063: the 40th percentile of rents, with utilities.',
    asOf: '2026-10-01',
    source: 'Rents',
    sample: true,
  })
  const county = rent(2_800, { zip: undefined, county: 'San Mateo', statistic: 'median' })
  expect(rentOf([county])).toMatchObject({
    amount: 2_800,
    basis: 'Published median rent of homes with 2 bedrooms in San Mateo County.',
  })
  // Larger homes are counted with those of four bedrooms.
  expect(rentOf([rent(8_000, { bedrooms: 4, statistic: 'median' })], 4)?.basis).toContain('4 or more bedrooms')
  expect(rentOf([rent(8_000, { bedrooms: 5, statistic: 'median' })], 6)?.basis).toBe(
    'Published median rent of homes with 4 or more bedrooms in ZIP code 94063.',
  )
})
