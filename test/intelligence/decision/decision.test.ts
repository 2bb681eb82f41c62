import { expect, test } from 'vitest'
import type { SchemeOffer } from '../../../src/domain/findings/decision.ts'
import { type DecisionFacts, decisionOf } from '../../../src/intelligence/decision/decision.ts'

const house = (maximumOffer: number, more: Partial<SchemeOffer> = {}): SchemeOffer => ({
  kind: 'new_house',
  maximumOffer,
  maximumOfferLow: 0.8 * maximumOffer,
  returnPct: 14.2,
  returnAtExpectedPct: 18.3,
  approval: 'ministerial',
  confidence: 'medium',
  ...more,
})
const renovation = (maximumOffer: number, more: Partial<SchemeOffer> = {}): SchemeOffer =>
  house(maximumOffer, { kind: 'renovate', approval: 'none', ...more })
const rent = (maximumOffer: number): SchemeOffer => house(maximumOffer, { kind: 'rent', approval: 'none' })
const condition = { text: 'Only if the Historic District Commission allows demolition.', citation: 'ch. 124' }
const ifAllowed = (maximumOffer: number): SchemeOffer => house(maximumOffer, { approval: 'discretionary', condition })

const home: DecisionFacts = {
  assessedOn: '2026-11-17',
  status: 'active',
  propertyType: 'single_family',
  askingUsd: 1_400_000,
  expected: { p10: 1_280_000, p50: 1_360_000, p90: 1_450_000 },
  value: { value: 1_350_000, high: 1_500_000 },
  offers: [house(1_500_000)],
  premiumPct: 10,
}
const textOf = (facts: Partial<DecisionFacts>): string => decisionOf({ ...home, ...facts }).text

test('a use that earns its target at the price to beat names that price, the return and what is left', () => {
  expect(decisionOf(home)).toEqual({
    scheme: 'new_house',
    text: 'Works at the expected price of $1.36M: 18% as a new house, $140K below what it could bear.',
    worthUpTo: 1_500_000,
    worthUpToLow: 1_200_000,
    room: { usd: 140_000, low: -250_000, against: 'expected' },
    approval: 'ministerial',
    conditions: [],
    confidence: 'medium',
    asOf: '2026-11-17',
  })
  expect(textOf({ expected: undefined })).toBe(
    'Works at the asking price of $1.4M: 14% as a new house, $100K below what it could bear.',
  )
  expect(textOf({ offers: [renovation(1_360_000)] })).toBe(
    'Works at the expected price of $1.36M: 18% as a renovation, as much as it could bear.',
  )
})

test('a home that is expected to sell above its asking price is compared at the asking price', () => {
  const expected = { p10: 1_400_000, p50: 1_450_000, p90: 1_600_000 }
  expect(textOf({ expected })).toBe(
    'Works at the asking price of $1.4M: 14% as a new house, $100K below what it could bear; it is expected to sell for $1.45M, more than it asks.',
  )
  // It would bear more than the asking price and less than the expected one: the sentence stops at the asking price and says so.
  // $1,395,000 rounded down to $1.39M would read as a price below the one that is asked.
  expect(textOf({ expected, askingUsd: 1_395_000, offers: [house(1_430_000)] })).toBe(
    'Works at the asking price of $1,395,000 or less as a new house, 4% below the expected price.',
  )
})

test('a use that works only below the price says at what price, and how far below', () => {
  expect(textOf({ offers: [house(1_209_999)] })).toBe(
    'Works at $1.2M or less as a new house, 11% below the expected price.',
  )
  expect(decisionOf({ ...home, offers: [house(1_209_999)] }).room?.usd).toBe(-150_001)
})

test('a use that may be refused is a condition, not advice', () => {
  const found = decisionOf({
    ...home,
    offers: [ifAllowed(1_500_000), renovation(700_000, { confidence: 'low', maximumOfferLow: undefined })],
  })
  expect(found.text).toBe(
    'Only if the Historic District Commission allows demolition: a new house would then earn its target at the expected price of $1.36M. Without that, no use does.',
  )
  expect(found).toMatchObject({ scheme: 'new_house', approval: 'discretionary', conditions: [condition] })
  expect(found).not.toHaveProperty('worthUpTo')
  expect(found).not.toHaveProperty('room')
  expect(textOf({ offers: [ifAllowed(1_250_000)] })).toBe(
    'Only if the Historic District Commission allows demolition: a new house would then work at $1.25M or less, 8% below the expected price. Without that, no use does.',
  )
  // The condition is that of the use that the sentence names, which is not the best one; a note of the law is no condition.
  const oath = { text: 'Only if the owner signs an affidavit. A company cannot sign it.' }
  const split = house(1_300_000, { kind: 'split', allowed: 'conditional', approval: 'ministerial', confidence: 'low' })
  const other = decisionOf({ ...home, offers: [{ ...split, condition: oath }, renovation(900_000)] })
  expect(other).toMatchObject({ scheme: 'renovate', worthUpTo: 900_000, conditions: [oath] })
  expect(other.text).toBe(
    'Only if the owner signs an affidavit: on thin evidence a lot split would then work at $1.3M or less, 4% below the expected price. Without that, no use does.',
  )
  expect(textOf({ offers: [{ ...split, condition: { text: 'In a flood hazard area.' } }] })).toMatch(
    /^Only if its conditions are met: /,
  )
  // A use that nobody may refuse comes first.
  expect(textOf({ offers: [ifAllowed(2_000_000), renovation(1_400_000)] })).toMatch(/^Works at .* as a renovation/)
})

test('work that costs more than it adds is said, so that nobody takes a low price for the work', () => {
  const losing = (usd: number) => textOf({ offers: [renovation(usd, { workLoses: true })] })
  expect(losing(1_250_000)).toBe(
    'Works at $1.25M or less as a renovation, 8% below the expected price; the work costs more than it adds.',
  )
  expect(losing(1_500_000)).toMatch(/below what it could bear; the work costs more than it adds\.$/)
  expect(losing(1_100_000)).toMatch(
    /the nearest is a renovation, at \$1\.1M or less \(the work costs more than it adds\)\.$/,
  )
  const unit = house(1_300_000, { kind: 'add_unit', workLoses: true })
  const thin = { ...unit, maximumOffer: 1_000_000, maximumOfferLow: 0, confidence: 'low' as const }
  expect(textOf({ offers: [renovation(900_000, { workLoses: true }), thin] })).toMatch(
    /is a renovation, at \$900K or less, or, on thin evidence, adding a unit, at \$1M or less; in both, the work costs more than it adds\.$/,
  )
  expect(textOf({ offers: [{ ...unit, approval: 'discretionary', condition }, house(500_000)] })).toContain(
    'adding a unit would then work at $1.3M or less, 4% below the expected price; the work costs more than it adds. Without',
  )
  expect(textOf({ offers: [{ ...unit, confidence: 'low', maximumOfferLow: 0 }, house(500_000)] })).toMatch(
    /adding a unit would, at \$1\.3M or less \(the work costs more than it adds\)\.$/,
  )
  expect(textOf({ isUnzoned: true, offers: [renovation(900_000, { workLoses: true })] })).toMatch(
    /only at \$900K or less \(the work costs more than it adds\)\.$/,
  )
})

test('a use near the price that is never best is said with its reason; keeping a home is no use that earns', () => {
  const keep = house(1_350_000, { kind: 'keep', approval: 'none' })
  expect(textOf({ offers: [keep, house(1_100_000)] })).toContain('the nearest is a new house, at $1.1M or less')
  expect(textOf({ offers: [keep, house(1_100_000, { confidence: 'low' })] })).toContain(
    'the nearest is, on thin evidence, a new house, at $1.1M or less',
  )
  expect(
    textOf({ offers: [keep, house(1_300_000, { confidence: 'low', maximumOfferLow: 0 }), renovation(900_000)] }),
  ).toBe(
    'No use we can compute with enough evidence earns its target near $1.36M; the nearest is a renovation, at $900K or less; on thin evidence a new house would, at $1.3M or less.',
  )
  expect(textOf({ offers: [rent(1_300_000)] })).toBe(
    'No use we can compute by building or selling earns its target near $1.36M; renting it out would, at $1.3M or less.',
  )
})

test('a use that bears less than 85% of the price is only the nearest', () => {
  expect(textOf({ offers: [house(1_100_000), renovation(900_000), rent(500_000)] })).toBe(
    'No use we can compute earns its target near $1.36M; the nearest is a new house, at $1.1M or less.',
  )
  expect(textOf({ offers: [ifAllowed(1_000_000), rent(500_000)] })).toBe(
    'No use we can compute earns its target near $1.36M; the nearest is, only if the Historic District Commission allows demolition, a new house, at $1M or less.',
  )
  expect(textOf({ offers: [rent(512_345)] })).toBe(
    'No use we can compute earns its target near $1.36M; the nearest is renting it out, at $512K or less.',
  )
  expect(textOf({ offers: [house(0)] })).toBe('No use we can compute earns its target near $1.36M.')
})

test('a home that is not for sale is decided at its value and what its owner wants above it', () => {
  const unlisted = { status: undefined, askingUsd: undefined, expected: undefined }
  const intro = 'If it could be bought at its estimated value of $1.35M (plus 10%): '
  expect(textOf({ ...unlisted, offers: [house(1_600_000)] })).toBe(
    `${intro}works at that price, 14% as a new house, $115K below what it could bear.`,
  )
  expect(textOf({ ...unlisted, offers: [house(1_300_000)] })).toBe(
    `${intro}works at $1.3M or less as a new house, 12% below it.`,
  )
  expect(textOf({ ...unlisted, offers: [house(700_000)] })).toBe(
    `${intro}no use we can compute earns its target near that price; the nearest is a new house, at $700K or less.`,
  )
  expect(decisionOf({ ...home, ...unlisted }).room?.against).toBe('value')
  expect(textOf({ ...unlisted, value: undefined, noValue: 'No known sales nearby.' })).toBe(
    'No estimate: no known sales nearby.',
  )
})

test('condominiums, homes without zoning, and homes that are sold or not assessed have sentences of their own', () => {
  expect(textOf({ propertyType: 'condo' })).toBe('A condominium: we compute no other use.')
  const unzoned = { isUnzoned: true }
  const intro = 'No zoning rules are known here, so new buildings are not computed'
  expect(textOf({ ...unzoned, offers: [renovation(1_250_000), rent(500_000)] })).toBe(
    `${intro}; works at $1.25M or less as a renovation, 8% below the expected price.`,
  )
  expect(textOf({ ...unzoned, offers: [rent(500_000)] })).toBe(
    `${intro}; renting it out does not earn its target near the expected price of $1.36M, only at $500K or less.`,
  )
  expect(textOf({ ...unzoned, offers: [] })).toBe(`${intro}.`)
  expect(textOf({ assessedOn: undefined })).toBe('Not assessed yet.')
  expect(textOf({ status: 'sold', soldOn: '2026-11-03' })).toBe('Sold Nov 3, 2026.')
})

test('the sentence names the use that the figures are of, and one that could bear more with what it lacks', () => {
  const thin = (maximumOffer: number, more: Partial<SchemeOffer> = {}) =>
    house(maximumOffer, { kind: 'two_units', confidence: 'low', maximumOfferLow: 0, ...more })
  const found = decisionOf({ ...home, offers: [thin(1_100_000), renovation(900_000), rent(950_000)] })
  expect(found).toMatchObject({ scheme: 'renovate', worthUpTo: 900_000 })
  expect(found.text).toBe(
    'No use we can compute earns its target near $1.36M; the nearest is a renovation, at $900K or less, or, on thin evidence, two homes, at $1.1M or less.',
  )
  expect(textOf({ offers: [renovation(900_000), ifAllowed(1_000_000)] })).toContain(
    'the nearest is a renovation, at $900K or less, or, only if the Historic District Commission allows demolition, a new house, at $1M or less.',
  )
  expect(textOf({ offers: [renovation(900_000), rent(1_000_000)] })).toContain(
    'the nearest is a renovation, at $900K or less, or renting it out, at $1M or less.',
  )
  // A law that could not be tested enough allows nothing.
  expect(textOf({ offers: [renovation(900_000), thin(1_300_000, { allowed: 'unknown' })] })).toMatch(
    /the nearest is a renovation, at \$900K or less\.$/,
  )
  expect(textOf({ offers: [thin(900_000, { maximumOfferLow: 700_000 }), thin(1_200_000)] })).toBe(
    'No use we can compute with enough evidence earns its target near $1.36M; the nearest is, on thin evidence, two homes, at $900K or less; on thin evidence two homes would, at $1.2M or less.',
  )
  expect(textOf({ offers: [house(1_400_000, { confidence: 'low' })] })).toMatch(
    /^Works, on thin evidence, at the expected price of \$1\.36M/,
  )
  expect(textOf({ offers: [house(1_250_000, { confidence: 'low' })] })).toBe(
    'Works, on thin evidence, at $1.25M or less as a new house, 8% below the expected price.',
  )
})

test('an approval that would not make a use the best is no advice, and what works without one is not denied', () => {
  const oath = { text: 'Only if the owner signs an affidavit.' }
  const split = house(1_300_000, { kind: 'split', allowed: 'conditional', confidence: 'low', maximumOfferLow: 0 })
  expect(textOf({ offers: [{ ...split, condition: oath }, renovation(900_000)] })).toBe(
    'No use we can compute with enough evidence earns its target near $1.36M; the nearest is a renovation, at $900K or less; on thin evidence and only if the owner signs an affidavit a lot split would, at $1.3M or less.',
  )
  const thin = house(1_250_000, { kind: 'two_units', confidence: 'low', maximumOfferLow: 0 })
  expect(textOf({ offers: [ifAllowed(1_300_000), thin, renovation(900_000)] })).toMatch(
    /Without that, no use does with enough evidence\.$/,
  )
  expect(textOf({ offers: [ifAllowed(1_300_000), rent(1_250_000)] })).toMatch(
    /Without that, only renting it out does\.$/,
  )
})

test('a lot without a price says what it could bear, and that no use pays where none does', () => {
  const lot = { status: undefined, askingUsd: undefined, expected: undefined, value: undefined } as const
  const land = { ...lot, propertyType: 'land' as const }
  const thin = house(666_000, { confidence: 'low', maximumOfferLow: 183_000 })
  const homes = house(219_000, { kind: 'two_units', maximumOfferLow: 190_000 })
  const none = 'it has no estimated value and no asking price to compare with.'
  expect(textOf({ ...land, offers: [homes] })).toBe(`Worth up to $219K as two homes; ${none}`)
  expect(decisionOf({ ...home, ...land, offers: [homes, thin] })).toMatchObject({
    worthUpTo: 219_000,
    text: `Worth up to $219K as two homes, or, on thin evidence, up to $666K as a new house; ${none}`,
  })
  expect(decisionOf({ ...home, ...land, offers: [ifAllowed(300_000)] })).toEqual({
    scheme: 'new_house',
    approval: 'discretionary',
    confidence: 'medium',
    text: `Only if the Historic District Commission allows demolition: worth up to $300K as a new house; ${none}`,
    conditions: [condition],
    asOf: '2026-11-17',
  })
  expect(textOf({ ...land, offers: [house(0), homes].map((each) => ({ ...each, maximumOffer: 0 })) })).toBe(
    'No use we can compute earns its target at any price.',
  )
})

test('without zoning the sentence is about the use that could bear most', () => {
  const unit = house(1_100_000, { kind: 'add_unit' })
  expect(textOf({ isUnzoned: true, offers: [renovation(700_000), unit] })).toBe(
    'No zoning rules are known here, so a new house is not computed; adding a unit does not earn its target near the expected price of $1.36M, only at $1.1M or less.',
  )
  expect(textOf({ isUnzoned: true, offers: [{ ...unit, confidence: 'low' }] })).toMatch(
    /price of \$1\.36M, only, on thin evidence, at \$1\.1M or less\.$/,
  )
})

test('a use of low confidence is the best only if its low case beats the others', () => {
  const doubtful = house(2_000_000, { confidence: 'low', maximumOfferLow: 1_000_000 })
  expect(decisionOf({ ...home, offers: [doubtful, renovation(1_400_000)] }).scheme).toBe('renovate')
  expect(decisionOf({ ...home, offers: [doubtful, renovation(900_000)] }).scheme).toBe('new_house')
})

test('own assumptions are named', () => {
  expect(textOf({ isOwn: true })).toMatch(/^At your assumptions: works at the expected price/)
  expect(textOf({ isOwn: true, isPartial: true })).toMatch(
    /^At your assumptions, comparing only a new house, a renovation and renting: works at the expected price/,
  )
})

test('what is near is said of the price that it is measured by, also where that is above the asking price', () => {
  const dearer = { expected: { p10: 1_400_000, p50: 1_600_000, p90: 1_800_000 }, offers: [house(1_330_000)] }
  expect(textOf(dearer)).toBe(
    'No use we can compute earns its target near $1.6M, the expected price; the nearest is a new house, at $1.33M or less.',
  )
  expect(textOf({ ...dearer, isUnzoned: true, offers: [renovation(1_330_000)] })).toContain(
    'does not earn its target near $1.6M, the expected price, only at $1.33M or less.',
  )
})

test('no sentence names a price above the asking price as one to pay', () => {
  for (let step = 0; step < 400; step++) {
    const [a, b] = [(step * 37) % 100, (step * 61) % 97]
    const facts = {
      ...home,
      expected: { p10: 1_000_000, p50: 1_000_000 + 8_000 * a, p90: 2_000_000 },
      offers: [step % 3 === 0 ? ifAllowed(800_000 + 15_000 * b) : house(800_000 + 15_000 * b)],
    }
    const { text } = decisionOf(facts)
    for (const [, amount, unit] of text.matchAll(/(?:at|of) \$([\d.]+)([MK])/g)) {
      const usd = Number(amount) * (unit === 'M' ? 1e6 : 1e3)
      expect(usd, text).toBeLessThanOrEqual(home.askingUsd!)
    }
  }
})
