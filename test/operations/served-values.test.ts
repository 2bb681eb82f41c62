import { expect, test } from 'vitest'
import type { Proforma } from '../../src/domain/findings/proforma.ts'
import { valueConfidence } from '../../src/operations/served-values.ts'

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
