import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assumptionsFor } from '../../../src/domain/assumptions/assumptions.ts'
import { packOf } from '../../../src/domain/packs/use-packs.ts'
import { type CharmFacts, charmPoints, historicCharm } from '../../../src/intelligence/condition/historic-charm.ts'
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

  /** $1,000,000 for 1,000 sq ft, resold at $1,500,000; buying 1%, selling 5% and 1% transfer tax; default assumptions. */
  const simple = (facts: Partial<FlipFacts> = {}): FlipFacts => ({
    pack: undefined,
    propertyType: 'single_family',
    priceUsd: 1_000_000,
    afterRepairValueUsd: 1_500_000,
    livingSqft: 1000,
    conditionScore: 55,
    heat: 65,
    valueConfidence: 'high',
    costs: { ...assumptionsFor(undefined, ''), acquisitionPct: 1, sellingCostPct: 5, transferTaxPct: 1 },
    ...facts,
  })

  test('the deal can be computed by hand', () => {
    const { defaults, ...deal } = flipDeal(simple({ livingSqft: 2000 }))!
    expect(deal).toMatchObject({
      conditionNow: 55,
      conditionAfter: 85,
      afterRepairValueUsd: 1_500_000,
      // C4: $180 per sq ft; 10% design and permits, 15% contingency.
      renovationUsd: 360_000,
      costPerSqftUsd: 180,
      softUsd: 90_000,
      // 0.5 + 1.5 · 15 / 35 to the permit, 2.5 · (1 + 15 / 35) of work, 30 days to an accepted offer and a month to closing.
      months: expect.closeTo(6.7011, 4),
      buyingUsd: 10_000,
      sellingUsd: 90_000,
      priceBasis: 'asking',
      // 70% of the resale price less repairs.
      maximumOfferUsd: 690_000,
    })
    expect(deal.totalCostUsd).toBeCloseTo(1_000_000 + 10_000 + 360_000 + 90_000 + deal.carryUsd, 0)
    expect(deal.profitUsd).toBeCloseTo(1_410_000 - deal.totalCostUsd, 6)
    expect(deal.returnOnCost).toBeCloseTo(deal.profitUsd / deal.totalCostUsd, 9)
    expect(flipDeal(simple({ daysToPending: 20 }))!.months).toBeCloseTo(6.3722, 4)
    // Only assumptions that were used: C4 needs the cost of one grade.
    expect(defaults!.slice(10)).toEqual([
      'costMiddleSqft',
      'costFactor',
      'renovationSoftPct',
      'renovationContingencyPct',
      'extraMonths',
      'renovationMonths',
      'rulePct',
    ])
    expect(flipDeal(simple(), { rulePct: 80 })!.defaults).not.toContain('rulePct')
    expect(flipDeal(simple({ livingSqft: 2000 }), { costFactor: 2 })!.renovationUsd).toBe(720_000)
    expect(flipDeal(simple(), { extraMonths: 2 })!.months).toBeCloseTo(8.7011, 4)
    // Larger homes cost less per square foot, dearer places more.
    expect(flipDeal(simple({ livingSqft: 1150 }))!.costPerSqftUsd).toBeCloseTo(180 * (1150 / 2000) ** -0.1, 6)
    const dear = { ...simple().costs, baseCostPerSqft: 950 }
    expect(flipDeal(simple({ livingSqft: 2000, costs: dear }))!.costPerSqftUsd).toBeCloseTo(342, 6)
  })

  // The figures of an independent implementation, with the terms of its examples.
  test.each([
    [35, 1_707_778, 1_450_000, 1_957_616, -343_766, 9, 955_974],
    [35, 1_707_778, 1_030_000, 1_507_516, 106_334, 9, 955_974],
    [70, 1_659_444, 1_450_000, 1_664_789, -96_614, 5, 1_185_720],
    [70, 1_659_444, 1_200_000, 1_402_734, 165_441, 5, 1_185_720],
  ])(
    'from condition %i to %i for %i',
    (conditionScore, afterRepairValueUsd, priceUsd, total, profit, months, offer) => {
      const costs = {
        ...assumptionsFor(packOf('sf-peninsula'), 'san-mateo'),
        ...{ acquisitionPct: 1, sellingCostPct: 5.5, transferTaxPct: 0, highTransferTaxPct: 0, propertyTaxPct: 1.15 },
        ...{ insurancePct: 1, loanToCostPct: 65, ratePct: 8.5, pointsPct: 1.5, targetRenovatePct: 13 },
      }
      const deal = flipDeal(house({ conditionScore, afterRepairValueUsd, priceUsd, livingSqft: 1150, costs }))!
      expect(Math.abs(deal.totalCostUsd / total - 1)).toBeLessThan(0.005)
      expect(Math.abs(deal.profitUsd - profit)).toBeLessThan(0.005 * total)
      expect(deal.months).toBeCloseTo(months, 1)
      expect(Math.abs(deal.maximumOffer! / offer - 1)).toBeLessThan(0.01)
    },
  )

  test('the maximum offer returns the target, and is absent where no price does', () => {
    const { maximumOffer } = flipDeal(simple())!
    expect(flipDeal(simple({ priceUsd: maximumOffer! }))!.returnOnCost).toBeCloseTo(0.13, 4)
    expect(flipDeal(simple({ conditionScore: 15, livingSqft: 5000 }))).not.toHaveProperty('maximumOffer')
  })

  test.each([
    // Condition, cost per sq ft, months.
    [0, 400, 12.9868],
    [15, 400, 12.9868],
    [25, 330, 10.9868],
    [35, 260, 8.9868],
    [45, 220, 7.844],
    [62.5, 140, 5.844],
    [70, 100, 4.9868],
    [77.5, 50, 3.4868],
    // At least three months.
    [84, 6.6667, 3],
  ])('condition %s costs $%s per sq ft and takes %s months', (conditionScore, perSqft, months) => {
    const deal = flipDeal(simple({ conditionScore, livingSqft: 2000 }))!
    expect(deal.costPerSqftUsd).toBeCloseTo(perSqft, 3)
    expect(deal.months).toBeCloseTo(months, 4)
  })

  test('the points can be computed by hand', () => {
    const points = (facts: Partial<FlipFacts> = {}) =>
      Object.fromEntries(flippability(simple(facts)).parts.map(({ name, points }) => [name, points]))
    // With s(x) = 1 / (1 + e^-x) - 0.5: 60 · s(return / 0.15), 25 · s((offer / price - 1) / 0.12), 15 · s((65 - 50) / 15).
    const s = (x: number) => 1 / (1 + Math.exp(-x)) - 0.5
    const { returnOnCost, maximumOfferUsd } = flipDeal(simple())!
    const known = points()
    expect(known.base).toBe(50)
    expect(known.profit).toBeCloseTo(60 * s(returnOnCost / 0.15), 9)
    expect(known.rule).toBeCloseTo(25 * s((maximumOfferUsd / 1_000_000 - 1) / 0.12), 9)
    expect(known.speed).toBeCloseTo(3.4659, 4)
    // Without heat, 15 · s((40 - 20) / 20); without both, the other weights add up to 100.
    expect(points({ heat: undefined, daysToPending: 20 }).speed).toBeCloseTo(3.4659, 4)
    expect(points({ heat: undefined }).profit).toBeCloseTo((100 / 85) * known.profit!, 9)
    // $100,000 below the value: half of it is not profit. A gain of 40% of the price earns all points.
    expect(points({ valueNowUsd: 1_100_000 }).bargain).toBeLessThan(-2)
    // A gain of 5% earns half of the other points.
    const near = points({ valueNowUsd: 1_450_000 })
    const sum = known.base! + known.profit! + known.rule! + known.speed! + (near.bargain ?? 0)
    expect(near.gain).toBeCloseTo(-sum / 2, 6)
    expect(points({ valueNowUsd: 1_400_000 })).not.toHaveProperty('gain')
    // A bargain lowers a profit at most to nothing, and does not change a loss.
    expect(near.bargain).toBeCloseTo(-known.profit!, 6)
    expect(points({ valueNowUsd: 1_050_000, conditionScore: 15 })).not.toHaveProperty('bargain')
  })

  test('the words say loss, profit or that no offer is left', () => {
    const because = (facts: Partial<FlipFacts>) =>
      flippability(simple(facts))
        .parts.map(({ because }) => because)
        .join(' ')
    expect(because({})).toMatch(/leave a profit of \$[\d,]+, [\d.]+% of cost/)
    expect(because({})).toMatch(/The 70% rule allows an offer of up to \$[\d,]+/)
    expect(because({ conditionScore: 15 })).toMatch(/leave a loss of \$[\d,]+, −[\d.]+% of cost/)
    expect(because({ conditionScore: 15, livingSqft: 3000 })).toContain('repairs cost more than any offer leaves')
    expect(because({ heat: undefined, daysToPending: 1 })).toContain('an accepted offer in 1 day')
    expect(because({ valueNowUsd: 1_499_999 })).toContain('Repairs would add $1 to the value')
    expect(because({ valueNowUsd: 1_499_999.5 })).toContain('Repairs would add nothing')
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
      flippability(house({ valueNowUsd, conditionScore: 83, ...facts }))
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

  test('without work there is no deal, no score and no rank', () => {
    const finding = flippability(house({ conditionScore: 84.6 }))
    expect(finding).toMatchObject({ parts: [], excluded: 'In good condition: there is nothing to renovate' })
    expect(finding).not.toHaveProperty('deal')
    expect(finding.score).toBeUndefined()
    expect(flipDeal(house({ conditionScore: 91 }))).toBeUndefined()
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
      conditionScore: known(fc.integer({ min: 0, max: 84 })),
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

  test('what repairs add to the value decides how many points a deal keeps', () => {
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

  test('the same work costs more and takes longer on the island', () => {
    const island = flipDeal(house({}, packOf('nantucket')))!
    const mainland = flipDeal(house())!
    expect(island.renovationUsd).toBeGreaterThan(mainland.renovationUsd)
    expect(island.months).toBeGreaterThan(mainland.months)
  })

  test('the budget says which condition it buys', () => {
    const poor = flippability(house({ conditionScore: 35, livingSqft: 2000 }))
    expect(poor.deal).toMatchObject({ conditionNow: 35, conditionAfter: 85, afterRepairValueUsd: 2_200_000 })
    expect(poor.deal!.renovationUsd).toBeCloseTo(260 * 2000, 6)
    expect(poor.parts[1]!.because).toMatch(
      /^A renovation for \$520,000 \(\$260 per sq ft\) brings it from condition C5 \(35\) to C2 \(85\), in which it would sell for \$2,200,000\./,
    )
  })

  test('without an after-repair value, or without a house, there is no score', () => {
    expect(flippability(house({ afterRepairValueUsd: undefined })).score).toBeUndefined()
    expect(flippability(house({ propertyType: 'land' })).excluded).toContain('no house')
    expect(flippability(house({ afterRepairValueUsd: undefined })).missing).toContain('afterRepairValueUsd')
    for (const fact of ['priceUsd', 'livingSqft', 'afterRepairValueUsd'] as const)
      for (const value of [undefined, 0]) expect(flipDeal(house({ [fact]: value })), fact).toBeUndefined()
    expect(flipDeal(house({ priceUsd: undefined, expectedPriceUsd: 1_600_000 }))).toBeUndefined()
    expect(flippability(house({ replaced: 'Gone.' }))).toMatchObject({ excluded: 'Gone.', parts: [] })
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
    expect(Object.values(charmPoints).reduce((sum, part) => sum + part, 0)).toBe(100)
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
    expect(rankScore('flip_and_charm', { historicCharm: 61 })).toBeUndefined()
  })
})
