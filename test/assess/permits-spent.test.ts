import { expect, test } from 'vitest'
import { permitsSpentUsd } from '../../src/assess/permits-spent.ts'
import type { SubjectPermit } from '../../src/store/assessments/market-facts.ts'

const remodel = (given: Partial<SubjectPermit>): SubjectPermit => ({
  permitClass: 'remodel',
  status: 'finaled',
  issuedOn: '2024-05-01',
  ...given,
})

test('recent valuations add up; older permits and demolitions stay out', () => {
  const permits = [
    remodel({ valuationUsd: 90_000 }),
    remodel({ valuationUsd: 20_000 }),
    remodel({ valuationUsd: 500_000, issuedOn: '2010-01-01' }),
    remodel({ valuationUsd: 15_000, permitClass: 'whole_house_demolition' }),
  ]
  expect(permitsSpentUsd(permits, '2026-11-15', true)).toBe(110_000)
})

test('where permits are held, none is nothing spent; where they are not, nothing is known', () => {
  expect(permitsSpentUsd([], '2026-11-15', true)).toBe(0)
  expect(permitsSpentUsd([], '2026-11-15', false)).toBeUndefined()
})

test('work filed without a valuation is not free work', () => {
  expect(permitsSpentUsd([remodel({})], '2026-11-15', true)).toBeUndefined()
})
