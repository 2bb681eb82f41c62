import { expect, test } from 'vitest'
import { compsText } from '../../src/contract/comps-text.ts'
import type { PropertyDetail } from '../../src/contract/property.ts'

const textOf = (weights: readonly number[]) =>
  compsText({
    comps: weights.map((weight, at) => ({ weight, adjustedUsd: 2_000_000 + at, soldOn: '2026-09-22' })),
    comparables: {},
    intelligence: { valueEstimate: { value: 2_000_000, low: 1_800_000, high: 2_200_000 } },
  } as unknown as PropertyDetail)

test('the text says so where one sale decides the weighted median', () => {
  expect(textOf([0.93, 0.07])).toContain('One sale has 93% of the weight, so its adjusted price is the estimate.')
  expect(textOf([0.5, 0.5])).not.toContain('One sale')
  expect(textOf([1])).not.toContain('One sale')
})

test('the text dates the listed sales and counts the recent ones separately', () => {
  const text = compsText({
    comps: ['2024-04-01', '2026-09-22'].map((soldOn) => ({ soldOn, weight: 0.5, adjustedUsd: 2_000_000 })),
    comparables: { recentSalesCount: 1, windowMonths: 6, radiusMiles: 1 },
    intelligence: { valueEstimate: { value: 2_000_000, low: 1_800_000, high: 2_200_000 } },
  } as unknown as PropertyDetail)
  expect(text).toContain('the most comparable 2 sales between Apr 1, 2024 and Sep 22, 2026')
  expect(text).toContain('For comparison, 1 home of the same type sold within 1 mile in the last 6 months.')
})

test('the text says for which condition the value is', () => {
  expect(textOf([0.4, 0.6])).toContain('for the usual condition of a home of this age: $2,000,000')
})
