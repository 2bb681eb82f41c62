import { expect, test } from 'vitest'
import { permitSpendingUsd } from '../../src/assess/permit-spending.ts'
import type { SubjectPermit } from '../../src/store/assessments/market-facts.ts'

const remodel = (given: Partial<SubjectPermit>): SubjectPermit => ({
  permitClass: 'remodel',
  status: 'finaled',
  issuedOn: '2024-05-01',
  ...given,
})

test('recent valuations are added up; older permits and demolitions are excluded', () => {
  const permits = [
    remodel({ valuationUsd: 90_000 }),
    remodel({ valuationUsd: 20_000 }),
    remodel({ valuationUsd: 500_000, issuedOn: '2010-01-01' }),
    remodel({ valuationUsd: 15_000, permitClass: 'whole_house_demolition' }),
  ]
  expect(permitSpendingUsd({ permits }, '2026-11-15', true)).toBe(110_000)
})

test('without permits spending is 0 in a covered city and unknown elsewhere', () => {
  expect(permitSpendingUsd({ permits: [] }, '2026-11-15', true)).toBe(0)
  expect(permitSpendingUsd({ permits: [] }, '2026-11-15', false)).toBeUndefined()
})

test('permits without a valuation make spending unknown, not 0', () => {
  expect(permitSpendingUsd({ permits: [remodel({})] }, '2026-11-15', true)).toBeUndefined()
})

test('permits of a house that was replaced do not count', () => {
  const permits = [
    remodel({ valuationUsd: 144_200, issuedOn: '2019-05-01', finaledOn: '2019-11-01' }),
    remodel({ valuationUsd: 20_000 }),
  ]
  expect(permitSpendingUsd({ yearBuilt: 1950, permits }, '2026-11-15', true)).toBe(164_200)
  expect(permitSpendingUsd({ yearBuilt: 2023, permits }, '2026-11-15', true)).toBe(20_000)
})
