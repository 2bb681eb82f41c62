import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assumptionsFor } from '../../../src/domain/assumptions/assumptions.ts'
import { packOf } from '../../../src/domain/packs/use-packs.ts'
import { type CharmFacts, charmPoints, historicCharm } from '../../../src/intelligence/condition/historic-charm.ts'
import { sellingCostPctAt } from '../../../src/intelligence/proforma/proforma-arithmetic.ts'
import { type FlipFacts, flipDeal, flippability } from '../../../src/intelligence/scores/flippability.ts'
import { rankScore } from '../../../src/intelligence/statistics/rank-score.ts'

const house = (facts: Partial<FlipFacts> = {}, pack = packOf('sf-peninsula')): FlipFacts => ({
  pack,
  propertyType: 'single_family',
  priceUsd: 1_500_000,
  afterRepairValueUsd: 2_200_000,
  livingSqft: 1500,
  conditionScore: 45,
  heat: 70,
  valueConfidence: 'high',
  costs: assumptionsFor(pack, ''),
  ...facts,
})
const score = (facts: Partial<FlipFacts> = {}) => flippability(house(facts)).score!

describe('flippability', () => {
  test.each([
    ['high', {}],
    ['medium', { heat: undefined }],
    ['medium', { valueConfidence: 'medium' }],
    ['low', { valueConfidence: 'low' }],
    ['low', { conditionScore: undefined }],
  ] as const)('confidence is %s with %o', (confidence, facts) => {
    const found = flippability(house(facts))
    expect(found.confidence).toBe(confidence)
    expect([found.used, found.missing].map((names) => names.includes('heat'))).toEqual(
      'heat' in facts ? [false, true] : [true, false],
    )
  })

  test('the deal can be computed by hand', () => {
    const facts = house()
    const deal = flipDeal(facts)!
    expect(deal.renovationUsd).toBeCloseTo(deal.costPerSqftUsd * 1500, 6)
    expect(deal.buyingUsd).toBeCloseTo(15_000 * facts.costs.acquisitionPct, 6)
    expect(deal.sellingUsd).toBeCloseTo(22_000 * sellingCostPctAt(2_200_000, facts.costs), 6)
    expect(deal.totalCostUsd).toBeCloseTo(1_500_000 + deal.renovationUsd + deal.buyingUsd + deal.carryUsd, 6)
    expect(deal.profitUsd).toBeCloseTo(2_200_000 - deal.sellingUsd - deal.totalCostUsd, 6)
    expect(deal.returnOnCost).toBeCloseTo(deal.profitUsd / deal.totalCostUsd, 12)
    expect(deal.maximumOfferUsd).toBeCloseTo(0.7 * 2_200_000 - deal.renovationUsd, 6)
  })

  test('is computed at the expected price, with the profit at the asking price beside it', () => {
    const asking = flipDeal(house())!
    expect(asking).toMatchObject({ priceBasis: 'asking', profitAtAskingUsd: asking.profitUsd })
    const deal = flipDeal(house({ expectedPriceUsd: 1_600_000 }))!
    const { priceBasis: _, profitAtAskingUsd, ...lines } = deal
    expect(deal.priceBasis).toBe('expected')
    expect(profitAtAskingUsd).toBeCloseTo(asking.profitUsd, 6)
    const { priceBasis: _a, profitAtAskingUsd: _p, ...same } = flipDeal(house({ priceUsd: 1_600_000 }))!
    expect(lines).toEqual(same)
    expect(score({ expectedPriceUsd: 1_600_000 })).toBeCloseTo(score({ priceUsd: 1_600_000 }), 9)
    const words = flippability(house({ expectedPriceUsd: 1_600_000 })).parts.map(({ because }) => because)
    expect(words.join()).toContain('the expected price is $1,600,000')
  })

  test('a price below the estimated value counts by half, never turns a profit into a loss, and puts the estimate in doubt', () => {
    const found = (valueNowUsd: number, facts = {}) =>
      flippability(house({ valueNowUsd, conditionScore: 85, ...facts }))
    const part = (finding: ReturnType<typeof flippability>) => finding.parts.find(({ name }) => name === 'bargain')
    expect(part(found(1_500_000))).toBeUndefined()
    const bargain = found(1_900_000)
    expect(part(bargain)!.points).toBeLessThan(-3)
    expect(part(bargain)!.because).toContain('less than the estimated value of $1,900,000')
    expect(bargain.deal).toEqual({ ...found(1_500_000).deal, valueNowUsd: 1_900_000 })
    // More than a fifth below the value.
    expect([1_875_000, 1_876_000].map((value) => found(value).confidence)).toEqual(['high', 'low'])
    expect(part(found(1_900_000, { afterRepairValueUsd: 1_500_000 }))).toBeUndefined()
  })

  test('more value or a lower price never lowers it; a worse house never raises it', () => {
    const steps = (make: (k: number) => Partial<FlipFacts>) => Array.from({ length: 12 }, (_, k) => score(make(k)))
    const rising = (values: number[]) => values.every((value, k) => k === 0 || value >= values[k - 1]!)
    expect(rising(steps((k) => ({ afterRepairValueUsd: 1_500_000 + 150_000 * k })))).toBe(true)
    expect(rising(steps((k) => ({ priceUsd: 2_400_000 - 150_000 * k })))).toBe(true)
    expect(rising(steps((k) => ({ conditionScore: 8 * k })))).toBe(true)
    expect(rising(steps((k) => ({ heat: 8 * k })))).toBe(true)
  })

  test('a house within a point of the target needs no renovation, and no text names $0', () => {
    const finding = flippability(house({ conditionScore: 84.6 }))
    expect(finding.deal).toMatchObject({ renovationUsd: 0, conditionNow: 84.6, conditionAfter: 84.6 })
    expect(finding.parts.map(({ because }) => because).join(' ')).not.toMatch(/\$0/)
    expect(flipDeal(house({ conditionScore: 83 }))!.renovationUsd).toBeGreaterThan(0)
  })

  test('parts add up to a score within 0-100; more gain, more value and a lower price never lower it', () => {
    const money = fc.integer({ min: 50_000, max: 20_000_000 })
    const known = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
    const homes = fc.record({
      priceUsd: money,
      expectedPriceUsd: known(money),
      valueNowUsd: money,
      gainUsd: fc.integer({ min: 0, max: 3_000_000 }),
      conditionScore: known(fc.integer({ min: 0, max: 100 })),
      heat: known(fc.integer({ min: 0, max: 100 })),
      daysToPending: known(fc.integer({ min: 1, max: 200 })),
    })
    fc.assert(
      fc.property(homes, fc.integer({ min: 1, max: 500_000 }), ({ gainUsd, ...facts }, more) => {
        const found = (changes: Partial<FlipFacts> = {}) =>
          flippability(house({ ...facts, afterRepairValueUsd: facts.valueNowUsd + gainUsd, ...changes }))
        const { score, parts } = found()
        expect(parts.reduce((sum, part) => sum + part.points, 0)).toBeCloseTo(score!, 9)
        expect(score!).toBeGreaterThanOrEqual(0)
        expect(score!).toBeLessThanOrEqual(100)
        const atLeast = score! - 1e-9
        expect(found({ afterRepairValueUsd: facts.valueNowUsd + gainUsd + more }).score!).toBeGreaterThanOrEqual(
          atLeast,
        )
        const cheaper = (price: number) => Math.max(50_000, price - more)
        const expectedPriceUsd = facts.expectedPriceUsd && cheaper(facts.expectedPriceUsd)
        expect(found({ priceUsd: cheaper(facts.priceUsd), expectedPriceUsd }).score!).toBeGreaterThanOrEqual(atLeast)
      }),
    )
  })

  test('a home that repairs make worth more ranks above one that loses less because nothing needs repair', () => {
    const poor = flippability(house({ valueNowUsd: 1_500_000, afterRepairValueUsd: 1_700_000, conditionScore: 45 }))
    const good = flippability(house({ valueNowUsd: 1_500_000, afterRepairValueUsd: 1_500_000, conditionScore: 86 }))
    expect(poor.deal!.profitUsd).toBeLessThan(good.deal!.profitUsd)
    expect(poor.score!).toBeGreaterThan(10)
    expect(good.score!).toBeCloseTo(0, 9)
    expect(good.parts.at(-1)).toMatchObject({ name: 'gain', because: expect.stringContaining('nothing to repair') })
    // Also at a bargain: the profit is not earned by a renovation.
    const bargain = house({ valueNowUsd: 1_900_000, afterRepairValueUsd: 1_900_000, conditionScore: 86 })
    expect(flippability(bargain).deal!.profitUsd).toBeGreaterThan(0)
    expect(flippability(bargain).score!).toBeCloseTo(0, 9)
    // A tenth of the price earns all points, half of it half of them.
    const gains = [0, 75_000, 150_000, 300_000].map((gainUsd) =>
      flippability(house({ valueNowUsd: 1_500_000, afterRepairValueUsd: 1_500_000 + gainUsd })).parts.find(
        ({ name }) => name === 'gain',
      ),
    )
    expect(gains[0]!.because).toBe('Repairs would add nothing to the value')
    expect(gains[1]!.because).toContain('Repairs would add $75,000 to the value, 5.0% of the asking price')
    expect(gains.slice(2)).toEqual([undefined, undefined])
  })

  test('an assumption is replaced by name', () => {
    expect(flipDeal(house(), { rulePct: 80 })!.maximumOfferUsd).toBeGreaterThan(flipDeal(house())!.maximumOfferUsd)
    const cheap = { ...house().costs, sellingCostPct: 0 }
    expect(score({ costs: cheap })).toBeGreaterThan(score())
  })

  test('the same work costs more and takes longer on the island', () => {
    const island = flipDeal(house({}, packOf('nantucket')))!
    const mainland = flipDeal(house())!
    expect(island.renovationUsd).toBeGreaterThan(mainland.renovationUsd)
    expect(island.months).toBeGreaterThan(mainland.months)
  })

  test('the budget says which condition it buys; a house already in that condition needs none', () => {
    const poor = flippability(house({ conditionScore: 35 }))
    expect(poor.deal).toMatchObject({ conditionNow: 35, conditionAfter: 85, afterRepairValueUsd: 2_200_000 })
    expect(poor.deal!.renovationUsd).toBeCloseTo(250 * 1500, 6)
    expect(poor.parts[1]!.because).toMatch(
      /^A renovation for \$375,000 \(\$250 per sq ft\) brings it from condition C5 \(35\) to C2 \(85\), in which it would sell for \$2,200,000\./,
    )
    const good = flippability(house({ conditionScore: 91 }))
    expect(good.deal).toMatchObject({ conditionNow: 91, conditionAfter: 91, renovationUsd: 0 })
    expect(good.parts[1]!.because).toMatch(/needs no renovation/)
    expect(good.deal!.months).toBeLessThan(poor.deal!.months - 8)
  })

  test('without an after-repair value, or without a house, there is no score', () => {
    expect(flippability(house({ afterRepairValueUsd: undefined })).score).toBeUndefined()
    expect(flippability(house({ propertyType: 'land' })).excluded).toContain('no house')
    expect(flippability(house({ afterRepairValueUsd: undefined })).missing).toContain('afterRepairValueUsd')
  })
})

describe('historicCharm', () => {
  const charmOf = (facts: CharmFacts) => historicCharm(facts, packOf('nantucket')!.market.charm!)

  const antique: CharmFacts = {
    yearBuilt: 1790,
    remarks:
      'Circa 1790 house in the Old Historic District with wide-board floors, four fireplaces and a walled garden.',
    fireplaces: 4,
    lat: 41.2838,
    lng: -70.0985,
    historicContributing: 'yes',
  }

  test('an antique house in town scores high, a new house far out scores 0', () => {
    expect(charmOf(antique).score!).toBeGreaterThan(80)
    expect(charmOf({ yearBuilt: 2024, remarks: 'New construction near the beach', lat: 41.26, lng: -70.2 }).score).toBe(
      0,
    )
  })

  test('an older house, a shorter distance, contributing status and more fireplaces never lower it', () => {
    const less = charmOf({ ...antique, yearBuilt: 1925, lat: 41.25, historicContributing: 'no', fireplaces: 1 }).score!
    for (const better of [
      { yearBuilt: 1840 },
      { lat: 41.283 },
      { historicContributing: 'yes' as const },
      { fireplaces: 3 },
    ]) {
      expect(
        charmOf({ ...antique, yearBuilt: 1925, lat: 41.25, historicContributing: 'no', fireplaces: 1, ...better })
          .score!,
      ).toBeGreaterThan(less)
    }
  })

  test('parts add up, and at most to 100', () => {
    expect(Object.values(charmPoints).reduce((sum, part) => sum + part.value, 0)).toBe(100)
    const finding = charmOf(antique)
    expect(finding.parts.reduce((sum, part) => sum + part.points, 0)).toBeCloseTo(finding.score!, 9)
  })

  test('"not an antique" is not an antique', () => {
    expect(charmOf({ yearBuilt: 1990, remarks: 'Not an antique.' }).score).toBe(0)
  })

  test('without any fact there is no score', () => {
    expect(charmOf({}).score).toBeUndefined()
  })
})

describe('rankScore', () => {
  test('each ranking rule uses its scores and never guesses a missing one', () => {
    expect(rankScore('teardown', { teardownScore: 12.345, flippabilityScore: 90 })).toBe(12.345)
    expect(rankScore('flip_and_charm', { flippabilityScore: 40, historicCharm: 61 })).toBe(50.5)
    expect(rankScore('flip_and_charm', { flippabilityScore: 40 })).toBeUndefined()
    expect(rankScore('teardown', { flippabilityScore: 40, historicCharm: 61 })).toBeUndefined()
  })
})
