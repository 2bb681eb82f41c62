import { expect, test } from 'vitest'
import { compsText } from '../../src/wire/comps-text.ts'
import type { PropertyDetail } from '../../src/wire/property.ts'

const textOf = (weights: readonly number[], compsValue: number) =>
  compsText({
    comps: weights.map((weight, at) => ({ weight, adjustedUsd: 2_000_000 + at, soldOn: '2026-09-22' })),
    compsValue,
    comparables: {},
    intelligence: {
      valueEstimate: { value: 2_000_000, low: 1_800_000, high: 2_200_000, basis: { weightOfComps: 0.4 } },
    },
  } as unknown as PropertyDetail)

test('the text says how much the comparables count in the value, and when they differ from it', () => {
  expect(textOf([0.4, 0.6], 2_050_000)).toContain(
    'the weighted median of the adjusted prices is $2,050,000 and counts 40% in it, the model 60%.',
  )
  expect(textOf([0.4, 0.6], 2_400_000)).toContain('$2,400,000, 20% more. It counts 40% in it')
  expect(textOf([0.4, 0.6], 1_600_000)).toContain('20% less. It counts 40% in it')
})

test('the sentence names all that the value adds up from', () => {
  const basis = { model: 2_822_265, comps: 2_809_461, weightOfComps: 0.15, conditionUsd: -529_449 }
  const text = compsText({
    ...{ comps: [], compsValue: 2_809_461, comparables: {} },
    intelligence: { valueEstimate: { value: 2_292_834, low: 2_000_000, high: 2_500_000, basis } },
  } as unknown as PropertyDetail)
  expect(text).toContain('It counts 15% in it, the model of $2,822,265 85%')
  expect(text).toContain('; the condition of the home takes off $529,449.')
})

test('the text dates the listed sales and counts the recent ones separately', () => {
  const text = compsText({
    comps: ['2024-04-01', '2026-09-22'].map((soldOn) => ({ soldOn, weight: 0.5, adjustedUsd: 2_000_000 })),
    comparables: { recentSalesCount: 1, windowMonths: 6, radiusMiles: 1 },
    intelligence: { valueEstimate: { value: 2_000_000, low: 1_800_000, high: 2_200_000, asOf: '2026-10-01' } },
  } as unknown as PropertyDetail)
  expect(text).toContain(
    'the most comparable 2 sales between Apr 1, 2024 and Sep 22, 2026, adjusted to this property and to prices of Oct 1, 2026.',
  )
  expect(text).toContain('For comparison, 1 home of the same type sold within 1 mile in the last 6 months.')
})
