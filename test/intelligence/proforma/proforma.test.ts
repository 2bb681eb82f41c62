import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type StoredDeal, storedDeal } from '../../../src/criteria/conditions.ts'
import type { OwnValues } from '../../../src/criteria/own-assumptions.ts'
import { assumptionNames, assumptionTable } from '../../../src/domain/assumptions/assumptions.ts'
import type { ProformaOverrides } from '../../../src/domain/findings/proforma.ts'
import { cities } from '../../../src/domain/packs/markets.ts'
import { packOf } from '../../../src/domain/packs/use-packs.ts'
import {
  adjusted,
  demolitionCost,
  noComps,
  type ProformaInput,
  proforma,
} from '../../../src/intelligence/proforma/proforma.ts'
import { computeProforma, priceForReturn } from '../../../src/intelligence/proforma/proforma-arithmetic.ts'
import { proformaDetail } from '../../../src/intelligence/proforma/proforma-detail.ts'
import { dealTerms, ownProforma, ownReturns, ownRows } from '../../../src/intelligence/proforma/proforma-own.ts'
import { oneDecimal, sellingCostPctAt } from '../../../src/intelligence/proforma/project.ts'
import {
  newHouseDuration,
  projectAssumptions,
  unmeasuredPermit,
} from '../../../src/intelligence/proforma/project-duration.ts'
import { buildingEnvelope } from '../../../src/intelligence/site/envelope.ts'
import { proforma as exampleProforma } from '../../../src/wire/operations/examples.ts'
import { runProforma } from '../../../src/wire/operations/properties.ts'
import { assumptionsFor, districtOf, packWith } from '../../setup/city-rules.ts'

const overlays = { historicListed: 'no', historicContributing: 'no' } as const

/** A Palo Alto house on 6,000 sq ft, for sale, with good comparables. */
function input(changes: Partial<ProformaInput> = {}, facts: Partial<ProformaInput['facts']> = {}): ProformaInput {
  const parcel = {
    propertyType: 'single_family',
    lotSqft: 6000,
    livingSqft: 1200,
    zoning: 'R-1',
    slopePct: 2,
    overlays,
    ...facts,
  } as const
  return {
    pack: packOf('sf-peninsula'),
    facts: parcel,
    priceUsd: 2_400_000,
    envelope: buildingEnvelope(parcel, districtOf('Palo Alto', 'R-1')),
    comps: { arvPerSqft: 2150, compCount: 7, compsCityMatched: true, compsTypeMatched: true, confidence: 'high' },
    marketMeanRoiPct: 4.2,
    assumptions: assumptionsFor('Palo Alto'),
    ...changes,
  }
}

it('computed again from its stored terms, a pro forma has the same returns, also with another size of house', () => {
  for (const buildSizeMultiple of [6, 1.5]) {
    const assumptions = { ...assumptionsFor('Palo Alto'), buildSizeMultiple }
    const given = input({ assumptions })
    const { proforma: served, developerROI } = proforma(given)
    const deal = {
      priceUsd: given.priceUsd!,
      expectedUsd: undefined,
      existingSqft: given.facts.livingSqft!,
      isVacant: false,
      // Stored at the assumptions of the market.
      buildSqft: proforma(input()).proforma.buildSqft!,
      mostSqft: given.envelope.maxSqft!,
      arvPerSqft: served.arvPerSqft!,
      shrinkWeight: served.assumptions.shrinkWeight!,
      marketMeanRoiPct: 4.2,
      stories: 2,
      slopePct: 2,
    }
    const project = { assumptions, permit: unmeasuredPermit(assumptions, packOf('sf-peninsula')) }
    const own = ownReturns(deal, project)
    expect(own).toEqual({
      returnPct: served.returnPct,
      returnAtExpectedPct: null,
      developerRoi: developerROI,
      proformaRoi: served.roiPct,
    })
    const again = (...changed: string[]) =>
      ownProforma({ ...served, defaults: ['ratePct', 'pointsPct'] }, deal, project, new Set(changed)).proforma
    expect(again('ratePct')).toEqual({ ...served, defaults: ['pointsPct'] })
    expect(again('ratePct', 'pointsPct')).toEqual(served)
    // A cost and a duration of the caller are final; the base cost then has no effect.
    const final = { ...project, assumptions: { ...assumptions, costPerSqft: 650, months: 30 } }
    const defaulted = { ...served, defaults: ['baseCostPerSqft', 'ratePct'] }
    const { defaults, assumptions: used } = ownProforma(defaulted, deal, final, new Set()).proforma
    expect(defaults).toEqual(['ratePct'])
    expect(used).toMatchObject({ costPerSqft: 650, months: 30, costBasis: 'your own assumption' })
    // The size stays where the largest is unknown, and where there is no house to multiply.
    const stays = ownReturns(
      { ...deal, mostSqft: undefined },
      { ...project, assumptions: { ...assumptions, buildSizeMultiple: 1 } },
    )
    expect(stays.returnPct).toBe(proforma(input()).proforma.returnPct)
    const demolished = ownReturns({ ...deal, existingSqft: 0 }, project).returnPct
    expect(ownReturns({ ...deal, existingSqft: 0, isVacant: true }, project).returnPct).toBeGreaterThan(demolished)
  }
})

it('the terms of a stored deal leave out what is not known', () => {
  const known = { priceUsd: 2_000_000, existingSqft: 1200, buildSqft: 2550, arvPerSqft: 2150, shrinkWeight: 0.85 }
  expect(dealTerms(2_000_000, [1200, 0, 2550, 2150, 0.85, null, null, null])).toEqual({ ...known, isVacant: false })
  const kept: StoredDeal = [1200, 1, 2550, 2150, 0.85, 4.2, 2_100_000, 3000]
  const full = { ...known, isVacant: true, marketMeanRoiPct: 4.2, expectedUsd: 2_100_000, mostSqft: 3000 }
  expect(dealTerms(2_000_000, kept)).toEqual(full)
  const now = storedDeal([1200, 1, 2550, 2150, 0.85, 4.2, 2_100_000, 2, 14], 3000)
  expect(dealTerms(2_000_000, now)).toEqual({ ...full, stories: 2, slopePct: 14 })
})

it('computes the examples of the API reference', () => {
  const example = input(
    {
      priceUsd: 2_681_500,
      comps: {
        arvPerSqft: 1_900,
        compCount: 12,
        compsCityMatched: true,
        compsTypeMatched: true,
        confidence: 'medium',
      },
      marketMeanRoiPct: -4.2,
    },
    { lotSqft: 7_500, livingSqft: 1_400, yearBuilt: 1951, overlays: { historicListed: 'no' } },
  )
  const envelope = buildingEnvelope(example.facts, districtOf('Palo Alto', 'R-1'))
  expect(proforma({ ...example, envelope }).proforma).toEqual(exampleProforma)
  const { id, ...overrides } = runProforma.example.input
  const { data } = runProforma.example.output
  const detail = proformaDetail({ ...example, envelope, overrides })
  const { proforma: served, cases, maximumOffer, residualLandValue, totalCost, profit, developerROI, warnings } = data
  expect(detail).toMatchObject({ cases, maximumOffer, residualLandValue, totalCost, profit, developerROI, warnings })
  expect(detail.proforma).toEqual(served)
  expect(detail.stress).toContainEqual(data.stress[0])
  expect(detail.lines).toContainEqual(data.lines[0])
  expect(id).toBe(data.id)
})

const anyOverrides: fc.Arbitrary<ProformaOverrides> = fc.record(
  {
    price: fc.integer({ min: 100_000, max: 20_000_000 }),
    costPerSqft: fc.double({ min: 200, max: 1500, noNaN: true }),
    buildSqft: fc.integer({ min: 400, max: 12_000 }),
    arvPerSqft: fc.integer({ min: 400, max: 4000 }),
    softCosts: fc.integer({ min: 0, max: 2_000_000 }),
    demoCost: fc.integer({ min: 0, max: 200_000 }),
    sellingCostPct: fc.double({ min: 0, max: 12, noNaN: true }),
    contingencyPct: fc.double({ min: 0, max: 25, noNaN: true }),
    months: fc.integer({ min: 6, max: 48 }),
    ratePct: fc.double({ min: 0, max: 15, noNaN: true }),
    targetRoiPct: fc.double({ min: -20, max: 50, noNaN: true }),
  },
  { requiredKeys: [] },
)

/** Everything the wire accepts, however odd. */
const anyAcceptedOverrides: fc.Arbitrary<ProformaOverrides> = fc.record(
  {
    price: fc.double({ min: 1, max: 1e9, noNaN: true }),
    costPerSqft: fc.double({ min: 0, max: 10_000, noNaN: true }),
    buildSqft: fc.double({ min: 100, max: 100_000, noNaN: true }),
    arvPerSqft: fc.double({ min: 0, max: 50_000, noNaN: true }),
    softCosts: fc.double({ min: 0, max: 1e8, noNaN: true }),
    demoCost: fc.double({ min: 0, max: 1e8, noNaN: true }),
    sellingCostPct: fc.double({ min: 0, max: 50, noNaN: true }),
    contingencyPct: fc.double({ min: 0, max: 100, noNaN: true }),
    months: fc.double({ min: 1, max: 120, noNaN: true }),
    ratePct: fc.double({ min: 0, max: 50, noNaN: true }),
    targetRoiPct: fc.double({ min: -50, max: 200, noNaN: true }),
  },
  { requiredKeys: [] },
)

describe('pro forma', () => {
  it('the served figures add up to within rounding, for any replaced assumptions', () => {
    fc.assert(
      fc.property(anyOverrides, (overrides) => {
        const given = input({ overrides })
        const { proforma: served, proformaROI, developerROI } = proforma(given)
        const { assumptions: a } = served
        const price = overrides.price ?? given.priceUsd!
        expect(
          Math.abs(served.capital! - (price + served.buildSqft! * a.costPerSqft + a.softCosts! + a.demoCost!)),
        ).toBeLessThanOrEqual(1)
        expect(
          Math.abs(served.resaleNet! - served.buildSqft! * served.arvPerSqft! * (1 - a.sellingCostPct / 100)),
        ).toBeLessThanOrEqual(1)
        const roi = (100 * (served.resaleNet! - served.capital!)) / served.capital!
        expect(Math.abs(served.roiPct! - roi)).toBeLessThanOrEqual(0.0501)
        expect(proformaROI).toBe(served.roiPct)
        const extra =
          a.acquisition! + a.contingency! + a.carry!.interest + a.carry!.points + a.carry!.tax + a.carry!.insurance
        const after = (100 * (served.resaleNet! - served.capital! - extra)) / (served.capital! + extra)
        const shrunk = a.shrinkWeight! * after + (1 - a.shrinkWeight!) * a.marketMeanRoiPct!
        expect(Math.abs(developerROI! - shrunk)).toBeLessThanOrEqual(0.0501)
        for (const money of [served.capital, served.resaleNet, a.softCosts, a.demoCost, a.contingency])
          expect(Number.isInteger(money)).toBe(true)
      }),
    )
  })

  it('the lines sum to capital, to total cost and to net resale', () => {
    fc.assert(
      fc.property(anyOverrides, (overrides) => {
        const detail = proformaDetail(input({ overrides }))
        const sum = (of: string) =>
          detail.lines.filter((line) => line.of === of).reduce((all, line) => all + line.usd, 0)
        expect(sum('capital')).toBe(detail.proforma.capital)
        expect(sum('capital') + sum('afterCapital')).toBe(detail.totalCost)
        expect(sum('resale')).toBe(detail.proforma.resaleNet)
      }),
    )
  })

  it('raising the resale value never lowers a return, raising cost, price, time or rate never raises one', () => {
    const worse = fc.constantFrom('price', 'costPerSqft', 'months', 'ratePct', 'contingencyPct', 'demoCost' as const)
    fc.assert(
      fc.property(anyOverrides, fc.integer({ min: 1, max: 500 }), worse, (overrides, more, name) => {
        const before = proforma(input({ overrides }))
        const served = before.proforma
        const richer = proforma(input({ overrides: { ...overrides, arvPerSqft: served.arvPerSqft! + more } }))
        expect(richer.proformaROI!).toBeGreaterThanOrEqual(before.proformaROI!)
        expect(richer.developerROI!).toBeGreaterThanOrEqual(before.developerROI!)
        const now = name === 'price' ? (overrides.price ?? 2_400_000) : served.assumptions[name]!
        const dearer = proforma(input({ overrides: { ...overrides, [name]: now + more } }))
        expect(dearer.proformaROI!).toBeLessThanOrEqual(before.proformaROI!)
        // A losing project's percentage can only rise through its denominator, so compare profit there.
        expect(dearer.sums!.profit).toBeLessThanOrEqual(before.sums!.profit + 3)
      }),
    )
  })

  it('paying the maximum offer returns the target', () => {
    fc.assert(
      fc.property(anyOverrides, (overrides) => {
        const { maximumOffer, residualLandValue } = proformaDetail(input({ overrides }))
        const target = maximumOffer!.targetRoiPct
        if (maximumOffer!.price !== undefined && maximumOffer!.price > 50_000) {
          const at = proforma(input({ overrides: { ...overrides, price: maximumOffer!.price } }))
          expect(Math.abs(at.proforma.returnPct! - target)).toBeLessThanOrEqual(0.1)
        }
        if (residualLandValue! > 50_000) {
          const at = proforma(input({ overrides: { ...overrides, price: residualLandValue! } }))
          expect(Math.abs(at.returnPct!)).toBeLessThanOrEqual(0.01)
        }
      }),
    )
  })

  it('low is never above base, nor base above high, and a stress row without stress is the base', () => {
    fc.assert(
      fc.property(anyAcceptedOverrides, (overrides) => {
        const { cases, stress, proforma: served } = proformaDetail(input({ overrides }))
        expect(cases!.low.roiPct).toBeLessThanOrEqual(cases!.base.roiPct)
        expect(cases!.base.roiPct).toBeLessThanOrEqual(cases!.high.roiPct)
        expect(cases!.base.roiPct).toBe(served.roiPct)
        const still = stress.find((row) => row.resalePct === 0 && row.costPct === 0 && row.extraMonths === 0)
        const { maximumOffer: _, ...base } = cases!.base
        expect(still).toMatchObject(base)
        expect(stress).toHaveLength(45)
      }),
      {
        examples: [
          // A cost that is no whole number of cents: rounding it for the table once moved the return by a tenth.
          [{ costPerSqft: 258.85271800679504, buildSqft: 8830, arvPerSqft: 3637, demoCost: 10, sellingCostPct: 0 }],
          [{ costPerSqft: 0.004, months: 1.04, arvPerSqft: 1 }],
        ],
      },
    )
  })

  it('each stress makes the return after carry no better than one step less of it', () => {
    fc.assert(
      fc.property(anyAcceptedOverrides, (overrides) => {
        const { stress } = proformaDetail(input({ overrides }))
        for (const row of stress) {
          for (const worse of stress) {
            const harder =
              worse.resalePct <= row.resalePct && worse.costPct >= row.costPct && worse.extraMonths >= row.extraMonths
            if (!harder) continue
            expect(worse.resaleNet).toBeLessThanOrEqual(row.resaleNet)
            expect(worse.roiPct).toBeLessThanOrEqual(row.roiPct)
          }
        }
      }),
      { numRuns: 25 },
    )
  })

  it('a worked example can be computed by hand', () => {
    const { proforma: served, developerROI } = proforma(input())
    // 0.45·5,000 + 0.30·1,000 = 2,550, under 6 × 1,200 = 7,200.
    expect(served.buildSqft).toBe(2550)
    expect(served.assumptions).toMatchObject({
      // 600 × (2,550 / 2,500) ^ −0.12.
      costPerSqft: 598.58,
      // 15% of 1,526,379, and school fees of 5.17 on 2,550 − 1,200 sq ft.
      softCosts: 235_936,
      demoCost: 35_000,
      // 5.4% and a transfer tax of 0.44% in Palo Alto.
      sellingCostPct: 5.84,
      acquisition: 24_000,
      existingSqft: 1200,
    })
    expect(served.capital).toBe(2_400_000 + 1_526_379 + 235_936 + 35_000)
    expect(served.resaleNet).toBe(5_162_322)
    expect(served.roiPct).toBe(23)
    expect(served.assumptions.contingency).toBe(114_478)
    // Loan 0.70·4,335,793 = 3,035,055. The schedule by an independent program has interest of 305,180 and a profit of 398,711.
    expect(served.assumptions.carry).toEqual({
      ...{ interest: 305_180, points: 45_526, tax: 50_400, insurance: 26_712 },
      ...{ averageBalance: 1_937_651, months: 21, ratePct: 9, loan: 3_035_055 },
    })
    // 8 months to the permit, 6.5 + 1.7·2.55 to build, 2.5 to sell.
    expect(served.assumptions).toMatchObject({ months: 21.3, ratePct: 9, shrinkWeight: 0.85, marketMeanRoiPct: 4.2 })
    // 398,711 of 4,763,611 = 8.37%; 0.85·8.37 + 0.15·4.2.
    expect(proformaDetail(input())).toMatchObject({ totalCost: 4_763_611, profit: 398_711 })
    expect(developerROI).toBe(7.7)
    // Of the 4,763,611 − 3,035,055 that are not borrowed.
    expect(proformaDetail(input()).returnOnEquityPct).toBe(23.1)
  })

  it('a city that taxes expensive sales more raises the selling costs from that price on', () => {
    const costs = assumptionsFor('Mountain View')
    expect(sellingCostPctAt(5_999_999, costs)).toBe(5.84)
    expect(sellingCostPctAt(6_000_000, costs)).toBe(7.34)
  })

  it('a house is no larger than nine in ten of the new houses sold, and the basis names every limit', () => {
    const { proforma: served } = proforma(input({ newHouses: { sqft: 2_300, count: 12, area: 'nearby' } }))
    expect(served.buildSqft).toBe(2_300)
    expect(served.assumptions.buildSizeBasis).toBe(
      'nine in ten of the 12 new houses sold within 3 miles have at most 2,300 sq ft; zoning limit of 2,550 sq ft (floor area); 6 × the existing 1,200 sq ft is 7,200 sq ft',
    )
  })

  it('the build size is the zoning limit or the stated multiple of the existing house, and says which', () => {
    expect(proforma(input()).proforma.assumptions.buildSizeBasis).toContain('zoning limit of 2,550 sq ft (floor area)')
    const small = proforma(input({}, { livingSqft: 300 })).proforma
    expect(small.buildSqft).toBe(1800)
    expect(small.assumptions.buildSizeBasis).toMatch(/^6 × the existing 300 sq ft is 1,800 sq ft;/)
    const given = proforma(input({ overrides: { buildSqft: 3000 } }))
    expect(given.proforma.buildSqft).toBe(3000)
    expect(given.warnings.join()).toContain('that zoning allows')
  })

  it('Redwood City builds what needs no hearing, less a garage; a larger house says so and takes longer', () => {
    const facts = { lotSqft: 6300, livingSqft: 1300 }
    const envelope = buildingEnvelope(facts, districtOf('Redwood City', 'R-1'))
    const given = input({ envelope, assumptions: assumptionsFor('Redwood City') }, facts)
    const usual = proforma(given)
    expect(envelope.maxSqft).toBeGreaterThan(4800)
    // min(2,999, 0.45 × 6,300 = 2,835) − 420.
    expect(usual.proforma.buildSqft).toBe(2415)
    expect(usual.proforma.assumptions.buildSizeBasis).toContain(
      '2,415 sq ft without a decision of the Planning Commission (2,835 sq ft, minus 420 sq ft for a garage)',
    )
    expect(usual.warnings.join()).not.toContain('hearing')
    const larger = proforma({ ...given, overrides: { buildSqft: 2980 } })
    expect(larger.warnings).toContain(
      'A house above 2,415 sq ft needs a hearing of the Planning Commission, which may refuse it; 4 months are added.',
    )
    // 8 and 4 months to the permit, 6.5 + 1.7 × 2.98 to build, 2.5 to sell.
    expect(larger.proforma.assumptions).toMatchObject({ months: 26.1 })
    expect(larger.proforma.assumptions.monthsBasis).toContain('; 4 for the hearing of the Planning Commission; 11.6 to')
  })

  it('San Carlos counts the garage in the 3,000 sq ft that it reviews', () => {
    const facts = { lotSqft: 6300, livingSqft: 1400 }
    const envelope = buildingEnvelope(facts, districtOf('San Carlos', 'RS-6'))
    expect(proforma(input({ envelope }, facts)).proforma.buildSqft).toBe(2580)
  })

  it('a new house is at most a tenth larger than the largest comparable, or than nine in ten of the new houses', () => {
    const newHouses = { sqft: 2_000, count: 12, area: 'similarCities', largestCompSqft: 2_100 } as const
    const { proforma: served } = proforma(input({ newHouses }))
    expect(served.buildSqft).toBe(2_310)
    expect(served.assumptions.buildSizeBasis).toMatch(
      /^1\.1 × the largest comparable of 2,100 sq ft is 2,310 sq ft \(nine in ten of the 12 new houses sold in cities with similar prices/,
    )
    expect(proforma(input({ newHouses: { ...newHouses, sqft: 2_400 } })).proforma.buildSqft).toBe(2_400)
  })

  it('cost per square foot and months follow size, stories and slope; what the caller gives is final', () => {
    const of = (overrides: ProformaOverrides, facts = {}) => proforma(input({ overrides }, facts)).proforma.assumptions
    const house = of({ buildSqft: 2_500 })
    // 8 months to the permit, 6.5 + 1.7 × 2.5 to build, 2.5 to sell.
    expect(house).toMatchObject({ costPerSqft: 600, stories: 2, slopePct: 2, months: 21.3 })
    expect(of({ buildSqft: 1_200 }).costPerSqft).toBe(655.24)
    // 0.96 + 0.05 × 6.208 at most 1.35, and a custom finish of 20%.
    expect(of({ buildSqft: 9_708 }).costPerSqft).toBeCloseTo(600 * 1.2708 * 1.2, 0)
    expect(of({ buildSqft: 9_708 }).months).toBe(33.5)
    // 1 + 0.008 × 15; more than 20% of slope adds two months.
    expect(of({ buildSqft: 2_500 }, { slopePct: 25 })).toMatchObject({ costPerSqft: 672, months: 23.3 })
    expect(house.costBasis).toBe('$600 per sq ft for 2,500 sq ft on two stories')
    expect(of({ buildSqft: 2_500 }, { slopePct: 25 }).costBasis).toContain(' × 1.12 for a slope of 25%')
    const own = { costPerSqft: 640, months: 30 }
    expect(of(own)).toMatchObject({ ...own, costBasis: 'construction cost entered by the user' })
    // Unknown slope counts as flat, with less confidence.
    const unknown = proforma(input({}, { slopePct: undefined }))
    expect(unknown.proforma).toMatchObject({ confidence: 'low', returnPct: proforma(input()).proforma.returnPct })
    expect(unknown.proforma.assumptions.costBasis).toMatch(/the slope is unknown and counts as flat$/)
    expect(unknown.warnings).toContain('The slope of the lot is unknown; cost and time are those of a flat lot.')
    const quoted = proforma(input({ overrides: { costPerSqft: 600 } }, { slopePct: undefined }))
    expect(quoted.proforma.confidence).toBe('medium')
  })

  it.each([
    ['NOT_SINGLE_FAMILY', /only for single-family/, {}, { propertyType: 'condo' }],
    ['HISTORIC_BLOCKED', /listed as historic/, {}, { overlays: { historicListed: 'yes' } }],
    ['HISTORIC_BLOCKED', /contributes to/, {}, { overlays: { historicContributing: 'yes' } }],
    ['HISTORIC_BLOCKED', /Built in 1840/, { pack: packOf('nantucket') }, { yearBuilt: 1840, overlays: {} }],
    ['NO_PRICE', /no asking price/, { priceUsd: undefined }, {}],
    ['NO_PRICE', /no asking price/, { priceUsd: 0 }, {}],
    ['NO_LOT_SIZE', /lot size is unknown/, {}, { lotSqft: undefined }],
    ['NO_ZONING', /zoning/i, { envelope: buildingEnvelope({ lotSqft: 6000 }, undefined) }, {}],
    ['TOO_FEW_COMPS', /^Only 2 comp/, { comps: { arvPerSqft: 2000, compCount: 2, confidence: 'low' } }, {}],
  ] as const)('%s: nothing that cannot be computed is served', (reason, because, changes, facts) => {
    const result = proforma(input(changes as Partial<ProformaInput>, facts as Partial<ProformaInput['facts']>))
    expect(result.proforma.unmodellableReason).toBe(reason)
    expect(result.because).toMatch(because)
    expect(result.proforma.roiPct).toBeUndefined()
    expect(result.proforma.capital).toBeUndefined()
    expect(result.proformaROI).toBeUndefined()
    expect(result.developerROI).toBeUndefined()
  })

  it('the smallest number of comparable sales is enough', () => {
    const { minComps } = assumptionsFor('Palo Alto')
    const of = (compCount: number) => proforma(input({ comps: { arvPerSqft: 2000, compCount, confidence: 'low' } }))
    expect([minComps, minComps - 1].map((count) => of(count).proforma.unmodellableReason)).toEqual([
      null,
      'TOO_FEW_COMPS',
    ])
  })

  it('a caller who gives the missing term gets an answer', () => {
    const noPrice = input({ priceUsd: undefined, overrides: { price: 2_000_000 } })
    const noZoning = input({ envelope: buildingEnvelope({}, undefined), overrides: { buildSqft: 2500 } })
    const noComps = input({ comps: { compCount: 0, confidence: 'low' }, overrides: { arvPerSqft: 2000 } })
    for (const one of [noPrice, noZoning, noComps]) expect(proforma(one).proforma.unmodellableReason).toBeNull()
  })

  it('where no larger house is allowed it says so, unless the caller gives a size', () => {
    const large = proforma(input({}, { livingSqft: 2600 }))
    expect(large.proforma).toMatchObject({ unmodellableReason: 'AT_LIMIT', because: large.because })
    expect(large.proforma.roiPct).toBeUndefined()
    expect(large.because).toMatch(
      /^No larger house is allowed: 2,\d{3} sq ft can realistically be built, and the house has 2,600/,
    )
    expect(proforma(input({ overrides: { buildSqft: 2500 } }, { livingSqft: 2600 })).proforma.roiPct).toBeDefined()
  })

  it('the return at the expected price is that of the same deal at p50, and a given price overrides both', () => {
    const expectedPrice = { p10: 2_300_000, p50: 2_550_000, p90: 2_800_000 }
    const asking = proforma(input()).proforma
    const both = proforma(input({ expectedPrice })).proforma
    const atMiddle = proforma(input({ priceUsd: 2_550_000 })).proforma
    expect(both).toEqual({ ...asking, expectedPrice, returnAtExpectedPct: atMiddle.returnPct })
    expect(asking.returnAtExpectedPct).toBeUndefined()
    const given = proforma(input({ expectedPrice, overrides: { price: 2_000_000 } })).proforma
    expect(given.returnAtExpectedPct).toBe(given.returnPct)
    expect(given.expectedPrice).toBeUndefined()
    const condo = proforma(input({ expectedPrice }, { propertyType: 'condo' })).proforma
    expect(condo).toMatchObject({ unmodellableReason: 'NOT_SINGLE_FAMILY', expectedPrice })
    expect(condo.returnAtExpectedPct).toBeUndefined()
  })

  it('on Nantucket a house built from 1900 to 1944 of unknown historic status has low confidence and a warning', () => {
    const found = (yearBuilt: number, known = {}) =>
      proforma(input({ pack: packOf('nantucket') }, { yearBuilt, overlays: known }))
    const refused = /may refuse a demolition/
    for (const year of [1900, 1944]) {
      expect(found(year).proforma).toMatchObject({ unmodellableReason: null, confidence: 'low' })
      expect(found(year).warnings.join()).toMatch(refused)
      expect(found(year, overlays).proforma.confidence).not.toBe('low')
      expect(found(year, overlays).warnings.join()).not.toMatch(refused)
    }
    expect(found(1945).proforma.confidence).not.toBe('low')
    expect(found(1840, overlays).proforma.unmodellableReason).toBeNull()
    expect(found(1840, { historicContributing: 'no' }).because).toMatch(/its historic status is unknown/)
  })

  it('a vacant lot has no house that could contribute to a historic district', () => {
    const lot = { propertyType: 'land', livingSqft: undefined } as const
    const contributing = proforma(input({}, { ...lot, overlays: { historicContributing: 'yes' } })).proforma
    expect(contributing.unmodellableReason).toBeNull()
    const listed = proforma(input({}, { ...lot, overlays: { historicListed: 'yes' } })).proforma
    expect(listed.unmodellableReason).toBe('HISTORIC_BLOCKED')
  })

  it('an empty lot has nothing to demolish', () => {
    const served = proforma(input({}, { propertyType: 'land', livingSqft: undefined })).proforma
    expect(served.assumptions.demoCost).toBe(0)
    expect(served.unmodellableReason).toBeNull()
    const byRoll = { propertyType: undefined, livingSqft: undefined, assessedImprovementUsd: 0 }
    expect(proforma(input({}, byRoll)).proforma.assumptions.demoCost).toBe(0)
  })

  it('without a market mean nothing is shrunk', () => {
    const result = proforma(input({ marketMeanRoiPct: undefined }))
    expect(result.proforma.assumptions.shrinkWeight).toBe(1)
    expect(result.developerROI).toBeCloseTo(result.returnPct!, 1)
  })

  it('beyond the largest comparable the confidence falls, the cases widen and a warning says so', () => {
    const comps = { arvPerSqft: 2150, compCount: 7, confidence: 'medium' } as const
    const beyond = /larger than every comparable sale; the largest has 2,549 sq ft/
    const found = (largestCompSqft: number, overrides = {}) =>
      proformaDetail(input({ comps: { ...comps, largestCompSqft }, overrides }))
    // The house has 2,550 sq ft.
    expect(found(2550).proforma).toMatchObject({ confidence: 'medium', largestCompSqft: 2550 })
    expect(found(2550).warnings.join()).not.toMatch(/larger than every/)
    expect(found(2549).proforma.confidence).toBe('low')
    expect(found(2549).warnings.join()).toMatch(beyond)
    expect(found(2549).cases!.low.arvPerSqft).toBeLessThan(found(2550).cases!.low.arvPerSqft)
    expect(found(2549).developerROI).toBe(found(2550).developerROI)
    const large = { ...comps, confidence: 'high' as const, largestCompSqft: 2040 }
    const at = (largestCompSqft: number) => proforma(input({ comps: { ...large, largestCompSqft } }))
    // From 2,040 sq ft, 2,550 is a quarter more.
    expect([at(2040), at(2039)].map((each) => each.proforma.confidence)).toEqual(['medium', 'low'])
    // A resale value of the caller is not that of the comparables.
    expect(found(2549, { arvPerSqft: 2000 }).warnings.join()).not.toMatch(/larger than every/)
    expect(found(2550, { buildSqft: 2600 }).warnings.join()).toMatch(/larger than every/)
  })

  it('no warning contradicts a block, over all historic facts', () => {
    const values = ['yes', 'no', 'unknown', undefined] as const
    for (const historicListed of values)
      for (const historicContributing of values)
        for (const historicDistrict of values) {
          const found = proforma(input({}, { overlays: { historicListed, historicContributing, historicDistrict } }))
          const isHistoric = historicListed === 'yes' || historicContributing === 'yes'
          expect(found.proforma.unmodellableReason).toBe(isHistoric ? 'HISTORIC_BLOCKED' : null)
          const isKnown = historicListed === 'no' && (historicContributing === 'no' || historicDistrict === 'no')
          expect(found.warnings.includes('Historic status is unknown.')).toBe(!isHistoric && !isKnown)
        }
    const land = proforma(
      input({}, { propertyType: 'land', livingSqft: undefined, yearBuilt: undefined, overlays: {} }),
    )
    expect(land.warnings).not.toContain('Historic status is unknown.')
  })

  it('the confidence is that of the weaker of envelope and comparables', () => {
    expect(proforma(input()).proforma.confidence).toBe('medium')
    const comps = { arvPerSqft: 2000, compCount: 4, confidence: 'low' } as const
    expect(proforma(input({ comps })).proforma.confidence).toBe('low')
  })
})

describe('assumptions', () => {
  it('every value, for every city, lies in its stated range', () => {
    for (const name of assumptionNames) {
      const { range, reason, source, unit } = assumptionTable[name]
      for (const text of [reason, source, unit]) expect(text.length, name).toBeGreaterThan(0)
      for (const city of cities()) {
        const value = assumptionsFor(city.slug)[name]
        expect(value, `${name} in ${city.name}`).toBeGreaterThanOrEqual(range[0])
        expect(value, `${name} in ${city.name}`).toBeLessThanOrEqual(range[1])
      }
    }
  })

  it('a city has its own value, then its market, then the value for everywhere', () => {
    expect(assumptionsFor('Atherton').baseCostPerSqft).toBe(700)
    expect(assumptionsFor('nantucket').baseCostPerSqft).toBe(950)
    expect(assumptionsFor('Elsewhere').baseCostPerSqft).toBe(500)
  })
})

type ExampleTerms = Omit<Parameters<typeof computeProforma>[0], 'phases'>

/** With the phases of a project in a city whose permits are not measured. */
const withPhases = (terms: ExampleTerms, city: string) => {
  const assumptions = assumptionsFor(city)
  const permit = unmeasuredPermit(assumptions, packWith(city))
  return {
    ...terms,
    phases: newHouseDuration({ sqft: terms.buildSqft }, { ...assumptions, months: terms.months }, permit).phases,
  }
}

/** The figures of an example in the documentation, from its price, sizes, resale value and terms. */
const exampleSums = (
  terms: ExampleTerms,
  city: string,
  { shrinkWeight, marketMeanRoiPct }: { shrinkWeight: number; marketMeanRoiPct: number },
) => {
  const sums = computeProforma(withPhases(terms, city), assumptionsFor(city))
  const adjustment = `${shrinkWeight} × ${sums.returnPct.toFixed(2)}% + ${(1 - shrinkWeight).toFixed(2)} × ${String(marketMeanRoiPct).replace('-', '−')}%`
  return {
    ...sums,
    returnPct: Math.round(10 * sums.returnPct) / 10,
    developerROI: adjusted(sums.returnPct, { shrinkWeight, mean: marketMeanRoiPct }),
    extra: sums.totalCost - sums.capital,
    adjustment,
  }
}
const textOf = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const n = (value: number) => Math.round(value).toLocaleString('en-US')

it('the worked example of the README follows from its price, sizes and resale value', () => {
  const readme = textOf('README.md')
  const [home] = JSON.parse(/```json\n([\s\S]*?)```/.exec(readme)![1]!).data
  const { buildSqft, arvPerSqft, assumptions: shown } = home.proforma
  const { costPerSqft, existingSqft, demoCost, contingencyPct, months, ratePct } = shown
  const { capital, resaleNet, roiPct, returnPct, developerROI, adjustment, extra, ...sums } = exampleSums(
    {
      ...{ priceUsd: home.price, buildSqft, arvPerSqft, costPerSqft, existingSqft },
      ...{ demoCost, contingencyPct, months, ratePct },
    },
    home.city,
    shown,
  )
  const { acquisition, contingency, carry, softCosts, sellingCostPct } = sums
  expect(home).toMatchObject({
    ...{ returnPct, developerROI, proformaROI: roiPct },
    proforma: {
      ...{ capital, resaleNet, roiPct, returnPct },
      assumptions: { softCosts, sellingCostPct, acquisition, contingency, carry },
    },
  })
  expect(home.verdict).toBe(home.decision.text)
  // The nearest use may stand on thinner evidence than the best one, and then bears more.
  const [, nearest] = /at \$([\d.]+)M or less/.exec(home.verdict)!
  expect(Number(nearest) * 1e6).toBeGreaterThanOrEqual(1e4 * Math.floor(home.decision.worthUpTo / 1e4))
  const { interest, points, tax, insurance } = carry
  for (const row of [
    `${n(home.price)} + ${n(buildSqft)} × ${costPerSqft} + ${n(softCosts)} + ${n(demoCost)} = ${n(capital)} |`,
    `${n(buildSqft)} × ${n(arvPerSqft)} × (1 − ${(sellingCostPct / 100).toFixed(4)}) = ${n(resaleNet)} |`,
    `(${n(resaleNet)} − ${n(capital)}) ÷ ${n(capital)} = ${roiPct}% |`,
    `${[acquisition, contingency, interest, points, tax, insurance].map(n).join(' + ')} = ${n(extra)} |`,
    `(${n(resaleNet)} − ${n(capital)} − ${n(extra)}) ÷ (${n(capital)} + ${n(extra)}) = ${returnPct}% |`,
    `${adjustment} = ${developerROI}% |`,
  ])
    expect(readme).toContain(row)
})

it('the example of docs/methods/proforma.md follows from its price, sizes and resale value', () => {
  const method = textOf('docs/methods/proforma.md')
  const terms = {
    ...{ priceUsd: 2_565_000, buildSqft: 2385, arvPerSqft: 2455, costPerSqft: 553.12, existingSqft: 890 },
    ...{ demoCost: 35_000, contingencyPct: 7.5, months: 21.1, ratePct: 9 },
  }
  const sums = exampleSums(terms, 'Menlo Park', { shrinkWeight: 0.85, marketMeanRoiPct: -5.6 })
  const { capital, resaleNet, roiPct, returnPct, carry, sellingCostPct } = sums
  const { interest, points, tax, insurance } = carry
  for (const row of [
    `| Purchase | $${n(terms.priceUsd)} |`,
    `| Construction | $${n(sums.hardCost)} |`,
    `| Soft costs | $${n(sums.softCosts)} |`,
    `| **Capital** | **$${n(capital)}** |`,
    `| Resale, gross | $${n(sums.resaleGross)} | ${n(terms.buildSqft)} sq ft × $${n(terms.arvPerSqft)} |`,
    `| Selling costs | −$${n(sums.sellingCosts)} | ${sellingCostPct}% of resale,`,
    `| **Net resale** | **$${n(resaleNet)}** |`,
    `| **\`roiPct\`** | **${roiPct}%** | (${n(resaleNet)} − ${n(capital)}) ÷ ${n(capital)} |`,
    `| Buying costs | $${n(sums.acquisition)} |`,
    `| Contingency | $${n(sums.contingency)} |`,
    `| $${n(interest + points + tax + insurance)} | interest ${n(interest)}, points ${n(points)}, property tax ${n(tax)}, insurance ${n(insurance)}, for ${carry.months} months |`,
    `${n(carry.averageBalance)} × ${carry.ratePct}% × ${carry.months} / 12 = ${n(interest)}.`,
    `| **Profit** | **$${n(sums.profit)}** |`,
    `| **\`returnPct\`** | **${returnPct}%** | ${n(sums.profit)} ÷ ${n(sums.totalCost)} |`,
    `| **\`developerROI\`** | **${sums.developerROI}%** | ${sums.adjustment} |`,
    `breaks even after contingency and financing. Here it is $${n(priceForReturn(withPhases(terms, 'Menlo Park'), assumptionsFor('Menlo Park'), 0))}.`,
    `15% by default. Here it is $${n(priceForReturn(withPhases(terms, 'Menlo Park'), assumptionsFor('Menlo Park'), 15))}.`,
  ])
    expect(method).toContain(row)
})

it('names the facts that were used and those that are missing', () => {
  const all = ['propertyType', 'lotSqft', 'livingSqft', 'zoning', 'price', 'comparables']
  expect(proforma(input())).toMatchObject({ used: all, missing: ['lotWidthFt', 'lotDepthFt'] })
  expect(proforma(input({}, { yearBuilt: 1950 })).used).toContain('yearBuilt')
  const bare = proforma(input({ priceUsd: undefined, comps: noComps }, { livingSqft: undefined, zoning: undefined }))
  expect(bare).toMatchObject({
    used: ['propertyType', 'lotSqft'],
    missing: ['livingSqft', 'zoning', 'price', 'lotWidthFt', 'lotDepthFt'],
  })
  expect(proforma(input({}, { propertyType: 'land', livingSqft: undefined })).missing).not.toContain('livingSqft')
})

it('names only defaults that have an effect', () => {
  const defaults = (sqft: number, facts = {}) =>
    proforma(input({ pack: undefined, overrides: { buildSqft: sqft } }, facts)).proforma.defaults!
  // Fees are due on added area, and demolition costs more above 2,000 sq ft.
  expect([1200, 1201].map((sqft) => defaults(sqft).includes('impactFeesPerSqft'))).toEqual([false, true])
  expect([2000, 2001].map((livingSqft) => defaults(2500, { livingSqft }).includes('demoPerSqftUsd'))).toEqual([
    false,
    true,
  ])
  const assumptions = { ...assumptionsFor('Palo Alto'), demoBaseUsd: 30_000, demoIncludedSqft: 2000, demoPerSqftUsd: 8 }
  expect([2000, 2500].map((size) => demolitionCost(size, assumptions))).toEqual([30_000, 34_000])
})

it('the selling costs are those at the resale price', () => {
  const at = (arvPerSqft: number) =>
    proforma(input({ assumptions: assumptionsFor('Mountain View'), overrides: { buildSqft: 3000, arvPerSqft } }))
      .proforma.assumptions.sellingCostPct
  expect([at(1999), at(2000)]).toEqual([5.84, 7.34])
  expect(oneDecimal(-0.01)).toBe(0)
})

it('warns of weak zoning, of comparables where they are used, and of a house that is not larger', () => {
  const weak = input()
  const warnings = (overrides: ProformaOverrides) =>
    proforma({
      ...weak,
      envelope: { ...weak.envelope, confidence: 'low' },
      comps: { ...weak.comps, confidence: 'low' },
      overrides,
    }).warnings
  const [zoning, comps] = [
    'The zoning limits of this district are unverified.',
    'The comparable sales are few or far away.',
  ]
  expect(warnings({})).toEqual([zoning, comps])
  expect(warnings({ buildSqft: 2000 })).toEqual([zoning, comps])
  expect(warnings({ arvPerSqft: 2000 })).toEqual([zoning])
  expect([2549, 2550].map((livingSqft) => proforma(input({}, { livingSqft })).proforma.unmodellableReason)).toEqual([
    null,
    'AT_LIMIT',
  ])
})

it('the lines say how soft and selling costs are computed', () => {
  const because = (changes: Partial<ProformaInput>) => {
    const { lines } = proformaDetail(input(changes))
    return ['softCosts', 'sellingCosts'].map((name) => lines.find((line) => line.name === name)!.because)
  }
  const tax = '5.84% of the resale price, of which 0.44% is transfer tax'
  expect(because({})).toEqual(['15% of the hard cost, and fees of $5.17 per sq ft on 1,350 sq ft added', tax])
  expect(because({ overrides: { buildSqft: 1200 } })).toEqual(['15% of the hard cost', tax])
  expect(because({ overrides: { softCosts: 1, sellingCostPct: 6 } })).toEqual([
    'entered by the user',
    '6% of the resale price',
  ])
  const free = { ...assumptionsFor('Palo Alto'), impactFeesPerSqft: 0, transferTaxPct: 0 }
  expect(because({ assumptions: free })).toEqual(['15% of the hard cost', '5.4% of the resale price'])
  const delays = (delayMonths?: number) =>
    proformaDetail(input({ permit: { months: 8, basis: '', unused: 'designMonths', delayMonths } }))
      .stress.slice(0, 3)
      .map(({ extraMonths }) => extraMonths)
  expect([delays(), delays(3)]).toEqual([
    [0, 6, 12],
    [0, 3, 9],
  ])
})

it('a project takes design and the time to the permit, and says which is measured', () => {
  const pack = packOf('sf-peninsula')
  const times = (p90?: number) => ({ since: '2024-01-01', cities: { 'menlo-park': { n: 12, p50: 180, p90 } } })
  const of = (p90?: number) => projectAssumptions(pack, 'Menlo Park', times(p90), { designMonths: 3 })
  // 180 days are 5.9 months, 400 are 13.1.
  expect(of(400).permit).toEqual({
    months: 8.9,
    basis:
      'Menlo Park, new house: 5.9 months to permit, median of 12 applied for since 2024-01-01 (nine of ten within 13.1), and 3 of design',
    unused: 'designAndPermitMonths',
    delayMonths: 8,
  })
  expect([of(180), of()].map(({ permit }) => permit.delayMonths)).toEqual([1, undefined])
  const timed = (own: OwnValues) => {
    const { assumptions, permit } = projectAssumptions(pack, 'Menlo Park', times(400), own)
    return newHouseDuration({ sqft: 2_000 }, assumptions, permit)
  }
  // 8.9 + 6.5 + 1.7 × 2 + 2.5; a duration of the caller scales the phases.
  expect(timed({ designMonths: 3 }).months).toBe(21.3)
  expect(timed({ designMonths: 3 }).basis).toMatch(/and 3 of design; 9\.9 to build 2,000 sq ft, 2\.5 to sell$/)
  expect(timed({ designMonths: 3, months: 42.6 })).toMatchObject({ months: 42.6, basis: 'your own assumption' })
  expect(timed({ designMonths: 3, months: 42.6 }).phases.build).toBeCloseTo(2 * 9.9, 6)
  // Without measured permits the assumption of the market, never the days of all homes.
  const unknown = projectAssumptions(undefined, 'Springfield', undefined)
  expect(unknown.permit).toMatchObject({ months: 8, unused: 'designMonths' })
  expect(unknown.permit.basis).toMatch(/^8 months of design and permit, the default of the program, because too few/)
})

it('a home without a price or without a deal has no return of its own', () => {
  const rowOf = ownRows(packOf)({}, undefined)
  const home = { market: 'sf-peninsula', citySlug: 'menlo-park', texts: {} } as const
  const deal: StoredDeal = [1500, 0, 3000, 1200, 0, null, null, null]
  const numbers = { price: 1_500_000, returnPct: 99 }
  expect(rowOf({ ...home, numbers, deal }).numbers.returnPct).not.toBe(99)
  expect(rowOf({ ...home, numbers, deal }).numbers.returnPct).toBeTypeOf('number')
  expect(rowOf({ ...home, numbers }).numbers).toEqual({ price: 1_500_000 })
  expect(rowOf({ ...home, numbers: { returnPct: 99 }, deal }).numbers).toEqual({})
})
