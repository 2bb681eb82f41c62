import { expect, test } from 'vitest'
import type { Proforma } from '../../src/domain/findings/proforma.ts'
import {
  assessedFields,
  milesFrom,
  oneDecimal,
  scoreOf,
  twoDecimals,
  unknownOverlays,
  valueConfidence,
  valueRange,
} from '../../src/operations/served-values.ts'

test('the confidence of a value is high only if the expected price agrees with it', () => {
  const agrees = { returnPct: 12 } as Proforma
  const contradicts = { ...agrees, priceTension: { text: 'The asking price is above the value.' } } as Proforma
  expect([undefined, agrees, contradicts].map((proforma) => valueConfidence('high', proforma))).toEqual([
    'high',
    'high',
    'medium',
  ])
  for (const confidence of ['medium', 'low', undefined] as const)
    expect([valueConfidence(confidence, agrees), valueConfidence(confidence, contradicts)]).toEqual([
      confidence,
      confidence,
    ])
})

test('scores are whole numbers from 0 to 100, other figures have one or two decimals, and unknown stays unknown', () => {
  expect([-3, 0, 49.5, 99.4, 100.4, 170, undefined].map(scoreOf)).toEqual([0, 0, 50, 99, 100, 100, undefined])
  expect([1.25, -0.04, 7, undefined].map(oneDecimal)).toEqual([1.3, -0, 7, undefined])
  expect([1.255, 7, undefined].map(twoDecimals)).toEqual([1.25, 7, undefined])
  expect(valueRange({ valueUsd: 5, valueLowUsd: 4, valueHighUsd: 7 }, { asOf: 'x' })).toEqual({
    ...{ value: 5, low: 4, high: 7, asOf: 'x' },
  })
  expect([valueRange({ valueUsd: 5 }, {}), valueRange({ valueLowUsd: 4 }, {})]).toEqual([
    { value: 5, low: 5, high: 5 },
    undefined,
  ])
  const point = { lat: 37, lng: -122 }
  expect(milesFrom(point, { lat: 37.01, lng: -122 })).toBe(0.69)
  expect([milesFrom(undefined, point), milesFrom(point, { lat: 37 }), milesFrom(point, { lng: -122 })]).toEqual(
    Array(3).fill(undefined),
  )
  expect(assessedFields({})).toEqual({})
  const scores = { teardownScore: 1.4, flippabilityScore: 2.5, conditionScore: 3.2, historicCharm: 120 }
  const proforma = { roiPct: 7.77, returnPct: 3, expectedPrice: { p50: 5 } } as unknown as Proforma
  expect(assessedFields({ ...scores, developerRoi: 1.25, proforma, assessedOn: '2026-11-15' })).toEqual({
    ...{ teardownScore: 1, flippabilityScore: 3, conditionScore: 3, historicCharm: 100 },
    expectedPrice: { p50: 5, asOf: '2026-11-15' },
    ...{ returnPct: 3, developerROI: 1.3, proformaROI: 7.77 },
  })
})

test('the overlays that were asked about and that nobody knows are named', () => {
  const asked = ['floodZone', 'landslide', 'historicDistrict'].map((overlay) => ({
    ...{ name: overlay, type: 'overlay', overlay, value: 'no' },
  })) as never
  const named = (overlays: object | undefined) => unknownOverlays(asked, overlays as never)
  expect(named({ floodZone: 'yes', landslide: 'no', historicDistrict: 'unknown' })).toEqual(['historicDistrict'])
  expect(named({ floodZone: 'no', landslide: 'no', historicDistrict: 'yes' })).toBeUndefined()
  expect(named(undefined)).toEqual(['floodZone', 'landslide', 'historicDistrict'])
  expect(unknownOverlays([{ name: 'minPrice', type: 'atLeast' }] as never, undefined)).toBeUndefined()
})
