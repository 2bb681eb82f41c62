import { expect, test } from 'vitest'
import { noLandValue, noValueFinding } from '../../../src/intelligence/valuation/present-value.ts'

test('a lot without a value says whether facts of the lot or sales of land are missing', () => {
  const lot = { lotSqft: 8_000, lat: 37.4, lng: -122.1 } as Parameters<typeof noLandValue>[0]
  expect(noLandValue(lot)).toMatchObject({
    reason: 'TOO_FEW_SALES',
    text: expect.stringMatching(/^Too few sales of land/),
  })
  expect(noLandValue({ ...lot, lotSqft: undefined })).toEqual({
    reason: 'TOO_FEW_FACTS',
    text: 'No value without a recorded lot size.',
  })
  expect(noLandValue({ ...lot, lat: undefined })).toEqual({
    reason: 'TOO_FEW_FACTS',
    text: 'No value without a location.',
  })
  // The lot size is named first if both are missing.
  expect(noLandValue({ ...lot, lotSqft: undefined, lat: undefined }).text).toContain('lot size')
  expect(noValueFinding(noLandValue(lot))).toMatchObject({
    parts: [],
    confidence: 'low',
    unavailable: noLandValue(lot),
  })
})
