import { expect, test } from 'vitest'
import { bestUseOf, offerFields, ownOffers, rankedFlip } from '../../src/operations/decisions.ts'
import { chosenFirst } from '../../src/operations/schemes.ts'

test('the best use has its room against the price to beat, and what needs approval is named beside it', () => {
  const best = { kind: 'renovate', maximumOffer: 1_000_000, maximumOfferLow: 900_000, confidence: 'high' }
  const ifApproved = { kind: 'two_units', homes: 2, maximumOffer: 1_200_000, confidence: 'low' }
  const of = (row: object) => bestUseOf(row as never)
  expect(of({})).toBeUndefined()
  expect(of({ best })).toEqual({ scheme: 'renovate', maximumOffer: 1_000_000, confidence: 'high' })
  expect(of({ best, beat: { usd: 950_000, high: 990_000 } })).toMatchObject({
    room: { usd: 50_000, low: -90_000, against: 'value' },
  })
  expect(of({ ifApproved, status: 'active', price: 1_100_000 })).toEqual({
    ifApproved: { scheme: 'two_units', homes: 2, maximumOffer: 1_200_000, room: { usd: 100_000, against: 'asking' } },
  })
  expect(of({ best, ifApproved })).toMatchObject({ scheme: 'renovate', ifApproved: { scheme: 'two_units' } })
})

test('of a use, the form that the decision is about comes first, also where a refusable one could bear more', () => {
  const scheme = { kind: 'small_lots', variants: ['flats', 'townhouses'].map((variant) => ({ variant: { variant } })) }
  const formsOf = (...named: object[]) =>
    chosenFirst(scheme as never, named as never).variants.map(({ variant }) => variant.variant)
  const best = { kind: 'small_lots', variant: 'townhouses' }
  expect(formsOf(best, { kind: 'small_lots', variant: 'flats' })).toEqual(['townhouses', 'flats'])
  expect(formsOf({ kind: 'renovate' }, best)).toEqual(['townhouses', 'flats'])
  expect(formsOf({ kind: 'renovate' })).toEqual(['flats', 'townhouses'])
})

test('a renovation that loses has no rank, one that breaks even has', () => {
  const rank = (profitUsd: number) => rankedFlip(60, { flip: { profitUsd } } as never).flippabilityScore
  expect([rank(1), rank(0), rank(-1)]).toEqual([60, 60, undefined])
  expect([rankedFlip(60, {} as never), rankedFlip(60, undefined)]).toEqual([{}, {}])
})

test('a row has the offers that are known, and without a price they stay as stored', () => {
  const home = { market: 'sf-peninsula', city: 'Palo Alto' } as const
  expect(offerFields(home)).toEqual({})
  const rent = { capRatePct: 4, grossYieldPct: 6, maximumOffer: 5 }
  const flip = { profitUsd: 7, maximumOffer: 8, conditionNow: 5 }
  const offers = { rent, flip, monthlyRent: 5_000, priceToValue: 0.9, valueConfidence: 'high' } as never
  expect(offerFields({ ...home, valueUsd: 9, assessedOn: '2026-11-15', offers })).toEqual({
    valueEstimate: { value: 9, low: 9, high: 9, confidence: 'high', asOf: '2026-11-15' },
    ...{ priceToValue: 0.9, monthlyRent: { amount: 5_000 } },
    ...{ hold: { capRatePct: 4, grossYieldPct: 6 }, flip: { profitUsd: 7, maximumOffer: 8 } },
  })
  expect(ownOffers(offers, home, {})).toBe(offers)
})
