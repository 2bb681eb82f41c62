import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sizeWithoutReview } from '../../../src/domain/packs/city-facts.ts'
import { packs } from '../../../src/domain/packs/use-packs.ts'
import type { District, FloorAreaRule, LotUnitFactorRule } from '../../../src/domain/packs/zoning.ts'
import { lowestConfidence } from '../../../src/intelligence/scores/confidence.ts'
import { allowableArea, buildSize } from '../../../src/intelligence/site/allowable-area.ts'
import { buildingEnvelope, type EnvelopeFacts } from '../../../src/intelligence/site/envelope.ts'
import { type FloorAreaFacts, floorAreaLimit, lotUnitFactor } from '../../../src/intelligence/site/floor-area.ts'
import { rearYard } from '../../../src/intelligence/site/rear-yard.ts'
import { setbackBox, sideYardFt } from '../../../src/intelligence/site/setback-box.ts'
import { districtOf } from '../../setup/city-rules.ts'

const districts = packs().flatMap((pack) => pack.districts)
const district = (city: string, code: string) => districtOf(city, code)!
const envelope = (city: string, code: string, facts: EnvelopeFacts) => buildingEnvelope(facts, district(city, code))
const floorArea = (city: string, code: string, facts: FloorAreaFacts) =>
  floorAreaLimit(district(city, code).floorArea as Exclude<FloorAreaRule, { kind: 'none' }>, facts)

describe('envelope', () => {
  it('a lot of unknown shape has the rear yard of one twice as deep as wide', () => {
    const lot = { propertyType: 'single_family', lotSqft: 5000, livingSqft: 1500, stories: 1 } as const
    const known = rearYard({ ...lot, lotWidthFt: 50, lotDepthFt: 100 }).yard!
    expect(rearYard(lot).yard).toEqual({ ...known, shapeAssumed: true })
  })

  it('footprints replace the estimate: the deeper side is the rear, and a shed there takes its part', () => {
    const lot = { propertyType: 'single_family', lotSqft: 6000, lotWidthFt: 50, lotDepthFt: 120 } as const
    const house = { sqft: 1600, toLinesFt: 5, alongFt: [20, 60], acrossFt: [5, 45] } as const
    // Behind the house remain 60 ft; of these 6 ft to the house and 4 ft at the rear, 4 ft at both sides.
    expect(rearYard({ ...lot, buildings: [house] }).yard).toEqual({
      ...{ coveragePct: 26.7, rearYardSqft: 3000, buildableSqft: 50 * 42, shapeAssumed: false, houseAssumed: false },
    })
    const shed = { sqft: 200, toLinesFt: 4, alongFt: [100, 116], acrossFt: [4, 16] } as const
    expect(rearYard({ ...lot, buildings: [house, shed] }).yard).toMatchObject({ coveragePct: 30, buildableSqft: 1900 })
    expect(rearYard({ ...lot, buildings: undefined }).yard?.houseAssumed).toBe(true)
  })

  it('the rear yard can be computed by hand', () => {
    const yard = (facts: object) =>
      rearYard({
        propertyType: 'single_family',
        lotSqft: 6000,
        lotWidthFt: 50,
        lotDepthFt: 120,
        livingSqft: 1500,
        stories: 1,
        ...facts,
      })
    // 1,500 sq ft across 40 ft are 37.5 ft deep; behind them remain 120 − 20 − 37.5 ft. Of these, 6 ft stay between house and
    // unit, 4 ft at both sides and 4 ft at the rear.
    expect(yard({}).yard).toEqual({
      coveragePct: 25,
      rearYardSqft: 3125,
      buildableSqft: 2173,
      shapeAssumed: false,
      houseAssumed: false,
    })
    expect(yard({ stories: 2, garageSqft: 400 }).yard).toMatchObject({ coveragePct: 19.2, rearYardSqft: 3563 })
    // A lot narrower than its yards: the house takes half of its width.
    expect(yard({ lotWidthFt: 8, lotDepthFt: 750 }).yard).toMatchObject({ rearYardSqft: 2840, buildableSqft: 0 })
    expect(yard({ lotDepthFt: undefined }).yard).toMatchObject({ shapeAssumed: true })
    expect(yard({ lotWidthFt: undefined }).yard).toMatchObject({ shapeAssumed: true })
    // A house of unknown size covers 30% of the lot, at most 3,000 sq ft.
    expect(yard({ livingSqft: undefined }).notes[0]).toContain('a footprint of 1,800 sq ft is assumed')
    expect(yard({ livingSqft: undefined, lotSqft: 20_000 }).notes[0]).toContain('3,000 sq ft is assumed')
    expect(yard({ livingSqft: undefined }).yard).toMatchObject({ coveragePct: undefined, houseAssumed: true })
    expect(yard({ propertyType: 'land', livingSqft: undefined })).toMatchObject({
      yard: { rearYardSqft: 5000 },
      notes: [],
    })
    // More than 60% of the lot cannot be right.
    expect(yard({ livingSqft: 3600 }).yard).toBeDefined()
    expect(yard({ livingSqft: 3606 }).yard).toBeUndefined()
    const notes = (facts: object) => yard(facts).notes.join()
    expect(notes({})).toBe('The depth of the house is estimated at 38 ft from its footprint.')
    expect(notes({ stories: undefined })).toContain('one story is assumed')
    // 6,000 sq ft may differ from the recorded size by a fifth of it.
    expect([4999, 5000, 7500, 7501].map((lotSqft) => notes({ lotSqft }).includes('irregular'))).toEqual([
      true,
      false,
      false,
      true,
    ])
  })

  it('a corner lot keeps the larger of the street-side and the side yard', () => {
    const width = (streetSide: number | undefined, cornerLot: boolean) => {
      const yards = { front: 20, side: 5, rear: 20, streetSide }
      return setbackBox(yards, { widthFt: 50, depthFt: 100, cornerLot }, 1).storySqft[0]! / 60
    }
    expect([width(12, true), width(3, true), width(undefined, true), width(12, false)]).toEqual([33, 40, 40, 40])
  })

  it('is the smallest of its candidates, fits on the lot, and names the limit that applies', () => {
    const lots = fc.record({
      lotSqft: fc.integer({ min: 1500, max: 400_000 }),
      lotWidthFt: fc.option(fc.integer({ min: 25, max: 400 }), { nil: undefined }),
      lotDepthFt: fc.option(fc.integer({ min: 50, max: 900 }), { nil: undefined }),
      slopePct: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
      cornerLot: fc.option(fc.boolean(), { nil: undefined }),
    })
    fc.assert(
      fc.property(fc.constantFrom(...districts), lots, (one, facts) => {
        const found = buildingEnvelope(facts, one)
        if (found.maxSqft === undefined) {
          expect(found.unmodelledReason).toBeTruthy()
          expect(found.limitedBy).toBeUndefined()
          return
        }
        expect(Number.isInteger(found.maxSqft)).toBe(true)
        expect(found.maxSqft).toBe(Math.min(...found.candidates.map((candidate) => candidate.sqft)))
        expect(found.candidates.find((candidate) => candidate.limit === found.limitedBy)?.sqft).toBe(found.maxSqft)
        expect(found.livableSqft).toBeLessThanOrEqual(found.maxSqft)
        if (one.floorArea.kind === 'none') expect(found.limitedBy).not.toBe('floor_area')
        const near = found.candidates.filter((candidate) => candidate.sqft * 6 <= found.maxSqft! * 7)
        const lowest = lowestConfidence(...near.map((candidate) => candidate.confidence))
        const small = one.minLotSqft !== undefined && facts.lotSqft < one.minLotSqft
        if (!small && found.notes.length === 0) expect(found.confidence).toBe(lowest)
      }),
      { numRuns: 2000 },
    )
  })

  it('never shrinks when the lot grows', () => {
    const modeled = districts.filter((one) => one.modelled)
    fc.assert(
      fc.property(
        fc.constantFrom(...modeled),
        fc.integer({ min: 1500, max: 300_000 }),
        fc.integer({ min: 1, max: 50_000 }),
        fc.integer({ min: 0, max: 44 }),
        (one, lotSqft, more, slopePct) => {
          const small = buildingEnvelope({ lotSqft, slopePct, cornerLot: false }, one).maxSqft
          const large = buildingEnvelope({ lotSqft: lotSqft + more, slopePct, cornerLot: false }, one).maxSqft
          if (small !== undefined) expect(large).toBeGreaterThanOrEqual(small)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['Los Altos', 'R1-10', 15000, 4250],
    ['Los Altos', 'R1-10', 11000, 3850],
    ['Hillsborough', 'RD-1', 65340, 14157],
    ['Atherton', 'R-1A', 43560, 7840],
    ['Menlo Park', 'R-1-S', 10040, 3560],
    ['Menlo Park', 'R-1-U', 6000, 2800],
    ['San Mateo', 'R1-C', 7875, 3375],
    ['Palo Alto', 'R-1', 5000, 2250],
    ['Palo Alto', 'R-1', 6000, 2550],
    ['Palo Alto', 'R-1(10000)', 10000, 3750],
    ['Palo Alto', 'RE', 43560, 6000],
    ['Mountain View', 'R1', 5000, 2250],
    ['Mountain View', 'R1', 7500, 3187],
    ['Mountain View', 'R1', 10000, 4000],
    ['Brisbane', 'R-1', 5000, 3600],
    ['East Palo Alto', 'R-LD', 5000, 2750],
    ['South San Francisco', 'RL-8', 5000, 2500],
    ['San Mateo County', 'S-83', 7500, 3200],
    ['San Mateo County', 'S-83', 10000, 3450],
    ['San Mateo County', 'S-108', 20000, 4450],
  ])('%s %s on %i sqft allows %i sqft of floor area', (city, code, lotSqft, expected) => {
    expect(floorArea(city, code, { lotSqft }).sqft).toBe(expected)
  })

  it.each([
    [4720, false, 'detached', 3010],
    [6000, false, 'attached', 3020],
    [6000, false, 'detached', 3420],
    [6000, true, 'attached', 2820],
    [6000, true, 'detached', 3170],
  ] as const)('Burlingame on %i sqft, corner %s, %s garage allows %i', (lotSqft, cornerLot, garage, expected) => {
    expect(floorArea('Burlingame', 'R-1', { lotSqft, cornerLot, garage }).sqft).toBe(expected)
  })

  it('Burlingame without garage or corner data uses the smaller allowance and lists the missing facts', () => {
    const limit = floorArea('Burlingame', 'R-1', { lotSqft: 6000 })
    expect(limit.sqft).toBe(2820)
    expect(limit.missing).toEqual(['cornerLot', 'garage'])
  })

  it('Belmont at the slope of the planning report gives its 1,674 sq ft', () => {
    const found = envelope('Belmont', 'R-1B', { lotSqft: 6153, slopePct: 44 })
    expect(found.maxSqft).toBe(1674)
    expect(found.confidence).toBe('high')
  })

  it('Belmont has low confidence between its two known slopes and is not modeled beyond them or without a slope', () => {
    expect(envelope('Belmont', 'R-1B', { lotSqft: 6000, slopePct: 25 }).confidence).toBe('low')
    expect(envelope('Belmont', 'R-1B', { lotSqft: 6000, slopePct: 50 }).maxSqft).toBeUndefined()
    const without = envelope('Belmont', 'R-1B', { lotSqft: 6000 })
    expect(without.maxSqft).toBeUndefined()
    expect(without.missing).toContain('slopePct')
  })

  it('Belmont’s hillside district has a fixed size that falls with the slope, and another on large lots', () => {
    const at = (lotSqft: number, slopePct?: number) => floorArea('Belmont', 'HRO-2', { lotSqft, slopePct })
    // Halfway from 10% to 45% it is halfway from 1,200 to 900.
    expect([at(39_999, 10).sqft, at(39_999, 27.5).sqft, at(39_999, 45).sqft]).toEqual([1200, 1050, 900])
    expect(at(39_999).missing).toEqual(['slopePct'])
    expect(at(40_000).sqft).toBe(3500)
  })

  it('Palo Alto limits the coverage of a house with two stories', () => {
    const found = envelope('Palo Alto', 'R-1', { lotSqft: 6000 })
    expect(found.candidates.find(({ limit }) => limit === 'coverage')!.sqft).toBe(0.35 * 6000 * 2)
  })

  it('Los Altos Hills keeps the floors of Ordinance 412 and its small-lot permit formula', () => {
    const at = (lotUnitFactor: number, slopePct?: number) =>
      floorArea('Los Altos Hills', 'R-A', { lotSqft: 43560, lotUnitFactor, slopePct })
    expect(at(0.51, 33.8)).toMatchObject({ sqft: 5000, developmentAreaSqft: 7500 })
    expect(at(0.52, 14.7).developmentAreaSqft).toBe(7500)
    // At the limit the permit formula still applies, and needs no slope.
    expect(at(0.5)).toMatchObject({ sqft: 5000, developmentAreaSqft: 7100 })
    expect(at(0.4)).toMatchObject({ sqft: 4000, developmentAreaSqft: 6100 })
    expect(at(0.25).sqft).toBe(2500)
    expect(at(0.2).sqft).toBe(2500)
    expect(at(0.2).formula).toContain('2,000')
  })

  const tiers: FloorAreaRule = {
    kind: 'tiers',
    tiers: [
      { fromSqft: 5000, baseSqft: 0, rate: 0.5, overSqft: 0 },
      { fromSqft: 10_000, baseSqft: 5000, rate: 0.1, overSqft: 10_000 },
      { fromSqft: 20_000, baseSqft: 6000, rate: 0, overSqft: 20_000 },
    ],
  }
  const slopes: FloorAreaRule = {
    kind: 'slopeRatio',
    points: [
      { slopePct: 10, ratio: 0.5, confidence: 'high' },
      { slopePct: 30, ratio: 0.3, confidence: 'medium' },
    ],
  }
  it.each([
    [{ kind: 'ratio', ratio: 0.5 }, { lotSqft: 6000 }, 3000, '0.5 × 6,000 sq ft'],
    [{ kind: 'ratio', ratio: 0.5, capSqft: 3000 }, { lotSqft: 6000 }, 3000, '0.5 × 6,000 sq ft'],
    [{ kind: 'ratio', ratio: 0.5, capSqft: 2900 }, { lotSqft: 6000 }, 2900, '0.5 × 6,000 sq ft, capped at 2,900 sq ft'],
    [tiers, { lotSqft: 4999 }, undefined, 'unknown'],
    [tiers, { lotSqft: 5000 }, 2500, '0.5 × 5,000 sq ft'],
    [tiers, { lotSqft: 15_000 }, 5500, '5,000 sq ft + 0.1 × (15,000 sq ft − 10,000 sq ft)'],
    [tiers, { lotSqft: 20_000 }, 6000, '6,000 sq ft'],
    [
      { kind: 'slidingRatio', fromSqft: 5000, fromRatio: 0.45, toSqft: 10_000, toRatio: 0.4 },
      { lotSqft: 7500 },
      3187,
      '0.425 × 7,500 sq ft',
    ],
    [slopes, { lotSqft: 6000, slopePct: 5 }, 3000, '0.5 × 6,000 sq ft at 5% slope'],
    [slopes, { lotSqft: 6000, slopePct: 10 }, 3000, '0.5 × 6,000 sq ft at 10% slope'],
    [
      slopes,
      { lotSqft: 6000, slopePct: 15 },
      2700,
      '0.45 × 6,000 sq ft at 15% slope, interpolated between two known points',
    ],
    [slopes, { lotSqft: 6000, slopePct: 30 }, 1800, '0.3 × 6,000 sq ft at 30% slope'],
    [slopes, { lotSqft: 6000, slopePct: 31 }, undefined, 'unknown'],
  ] satisfies [FloorAreaRule, FloorAreaFacts, number | undefined, string][])(
    'the rule %j on %j allows %s: %s',
    (rule, facts, sqft, formula) =>
      expect(floorAreaLimit(rule, facts)).toMatchObject(sqft ? { sqft, formula } : { formula }),
  )

  it('a limit by lot unit factor falls with the slope between two slopes, down to its floor', () => {
    const rule: LotUnitFactorRule = {
      kind: 'lotUnitFactor',
      perUnitSqft: 6000,
      fallPerSlopePct: 50,
      fallFromSlopePct: 10,
      fallToSlopePct: 30,
      floorSqft: 5000,
      smallUnit: 0.5,
      smallApprovableSqft: 2500,
      unitSlopeRate: 0.02,
      development: {
        perUnitSqft: 15_000,
        fallPerSlopePct: 225,
        floorSqft: 7500,
        smallExtraSqft: 2100,
        smallApprovableSqft: 4500,
      },
    }
    const at = (lotUnitFactor: number | undefined, slopePct?: number, lotSqft = 87_120) => {
      const { sqft, developmentAreaSqft } = floorAreaLimit(rule, { lotSqft, lotUnitFactor, slopePct })
      return [sqft, developmentAreaSqft]
    }
    expect(at(2, 5)).toEqual([12_000, 30_000])
    expect(at(2, 20)).toEqual([11_000, 25_500])
    expect(at(2, 40)).toEqual([10_000, 21_000])
    expect(at(0.6, 40)).toEqual([5000, 7500])
    // Two acres without a slope are two units; 0.02 of them is lost for each percent above 10.
    expect(at(undefined, 10)).toEqual([12_000, 30_000])
    expect(lotUnitFactor(rule, 43_560, 35)).toBeCloseTo(0.5, 9)
    expect(lotUnitFactor(rule, 43_560, 70)).toBe(0)
    expect([at(undefined), at(2)]).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ])
    expect(at(0.1)).toEqual([2500, 4500])
    expect(at(0.25)).toEqual([2500, 4600])
    const formula = (lotUnitFactor: number) => floorAreaLimit(rule, { lotSqft: 1, lotUnitFactor }).formula
    expect(formula(0.1)).toBe('(0.1 ÷ 0.5) × 5,000 sq ft = 1,000 sq ft by permit, but 2,500 sq ft may be approved')
    expect(formula(0.25)).toBe('(0.25 ÷ 0.5) × 5,000 sq ft = 2,500 sq ft by permit')
  })

  describe('of an invented district', () => {
    const invented = (rules: Partial<District>): District => ({
      city: 'springfield',
      codes: ['R'],
      modelled: true,
      floorArea: { kind: 'none' },
      confidence: { floorArea: 'high', coverage: 'low', setbacks: 'high', groundCover: 'high' },
      source: 'invented',
      asOf: '2026-01-01',
      ...rules,
    })
    const limit30 = { kind: 'ratio', ratio: 0.3 } as const
    const boardReview = { garageCounted: false, body: 'board', approval: 'discretionary', months: 4 } as const
    const of = (rules: Partial<District>, facts: EnvelopeFacts = { lotSqft: 10_000 }) =>
      buildingEnvelope(facts, invented(rules))
    const sizes = (rules: Partial<District>, facts?: EnvelopeFacts) =>
      Object.fromEntries(of(rules, facts).candidates.map(({ limit, sqft }) => [limit, sqft]))

    it('coverage allows the larger of one wide story and several narrower ones', () => {
      const coverage = { oneStoreyPct: 40, twoStoreyPct: 30 }
      // 30 ft are two stories of 12 ft; without a height there is one.
      expect(sizes({ coverage, heightFt: 30 })).toEqual({ coverage: 6000 })
      expect(sizes({ coverage, storeys: 3 })).toEqual({ coverage: 9000 })
      expect(sizes({ coverage, heightFt: 23 })).toEqual({ coverage: 4000 })
      expect(sizes({ coverage })).toEqual({ coverage: 4000 })
      expect(sizes({ coverage: { oneStoreyPct: 70, twoStoreyPct: 30 }, storeys: 2 })).toEqual({ coverage: 7000 })
      expect(sizes({ coverage: { twoStoreyPct: 30 }, storeys: 1 })).toEqual({})
      const likeFloorArea = { ...coverage, oneStoreyIsFloorArea: true }
      expect(sizes({ coverage: likeFloorArea, floorArea: limit30 })).toEqual({ floor_area: 3000 })
      expect(sizes({ coverage: likeFloorArea, storeys: 2 })).toEqual({ coverage: 6000 })
    })

    it('setbacks need both dimensions, and a lot that they fill counts as a small lot', () => {
      const setbacksFt = { front: 20, side: 5, rear: 20 }
      const lot = { lotSqft: 5000, lotWidthFt: 50, lotDepthFt: 100 }
      expect(sizes({ setbacksFt }, lot)).toEqual({ setbacks: 2400 })
      expect(of({ setbacksFt, floorArea: limit30 }, { ...lot, lotDepthFt: undefined }).missing).toEqual(['lotDepthFt'])
      expect(of({ setbacksFt, floorArea: limit30 }, { lotSqft: 5000 }).missing).toEqual(['lotWidthFt', 'lotDepthFt'])
      const filled = of({ setbacksFt: { ...setbacksFt, side: 25 }, floorArea: limit30 }, lot)
      expect(filled).toMatchObject({ maxSqft: 1500, confidence: 'medium' })
      expect(filled.notes.join()).toContain('leave no room')
    })

    it('a lot below the minimum has a note and less confidence', () => {
      const at = (lotSqft: number) => of({ floorArea: limit30, minLotSqft: 5000 }, { lotSqft })
      expect(at(5000)).toMatchObject({ confidence: 'high', notes: [] })
      expect(at(4999)).toMatchObject({
        confidence: 'medium',
        notes: [expect.stringContaining('minimum of 5,000 sq ft')],
      })
      expect(of({ floorArea: limit30 }, { lotSqft: 0 })).toMatchObject({ missing: ['lotSqft'] })
    })

    it('a limit up to a sixth above the deciding one lowers the confidence', () => {
      const at = (oneStoreyPct: number) => of({ floorArea: limit30, coverage: { oneStoreyPct } })
      expect(at(30)).toMatchObject({ limitedBy: 'floor_area', confidence: 'low' })
      expect(at(35)).toMatchObject({ limitedBy: 'floor_area', confidence: 'low' })
      expect(at(35.1)).toMatchObject({ limitedBy: 'floor_area', confidence: 'high' })
      expect(at(29)).toMatchObject({ limitedBy: 'coverage', maxSqft: 2900 })
    })

    it('ground cover is a footprint of 1.8 stories, and a review trigger is no limit', () => {
      expect(of({ groundCoverPct: 25 })).toMatchObject({ groundCoverSqft: 2500, maxSqft: 4500, confidence: 'medium' })
      const reviewed = (sqft: number, ratio?: number) =>
        of({ floorArea: limit30, sizeReview: { ...boardReview, sqft, ratio } })
      expect([1500, 2500].map((sqft) => reviewed(sqft, 0.2).likelyApprovableSqft)).toEqual([1500, 2000])
      expect(reviewed(2500)).toMatchObject({
        maxSqft: 3000,
        notes: [expect.stringContaining('above 2,500 sq ft need approval from the board')],
      })
      expect(of({ floorArea: limit30 }).likelyApprovableSqft).toBeUndefined()
    })

    it('what is realistic to build is without the garage and within what is likely to be approved', () => {
      const area = (rules: Partial<District>, lotSqft = 10_000) =>
        allowableArea(of({ floorArea: limit30, ...rules }, { lotSqft }))
      expect(area({})).toEqual({
        allowableSqft: 3000,
        buildableSqft: 3000,
        basis: 'zoning limit of 3,000 sq ft (floor area)',
      })
      expect(area({ garageCounts: true })).toMatchObject({
        buildableSqft: 2580,
        basis: 'zoning limit of 3,000 sq ft (floor area), minus 420 sq ft for a garage',
      })
      expect(area({ garageCounts: true }, 1400)).toBeUndefined()
      expect(area({ modelled: false })).toBeUndefined()
      const sizeReview = { ...boardReview, sqft: 3000 }
      expect(area({ sizeReview })!.basis).toBe('zoning limit of 3,000 sq ft (floor area)')
      expect(area({ sizeReview: { ...sizeReview, sqft: 2999 } })).toMatchObject({
        buildableSqft: 2999,
        basis: '2,999 sq ft without a decision of the board, within the zoning limit of 3,000 sq ft (floor area)',
      })
    })

    it('a house is built no larger than new houses of the market and six times the existing one', () => {
      const size = (existing?: number, newHouses?: number) =>
        buildSize(
          of({ floorArea: limit30 }),
          existing,
          { buildSizeMultiple: 6 },
          newHouses === undefined ? undefined : { sqft: newHouses, count: 20, area: 'city' },
        )
      expect(size()).toMatchObject({ sqft: 3000, capped: false })
      expect(size(1000, 4000)).toMatchObject({ sqft: 3000, capped: false })
      expect(size(400, 4000)).toMatchObject({ sqft: 2400, capped: true })
      expect(size(400, 2000)).toMatchObject({ sqft: 2000, capped: false })
      expect(size(400, 2000).basis).toBe(
        'nine in ten of the 20 new houses sold in the city have at most 2,000 sq ft; 6 × the existing 400 sq ft is 2,400 sq ft; zoning limit of 3,000 sq ft (floor area)',
      )
      expect(buildSize(of({ modelled: false }), 1000, { buildSizeMultiple: 6 })).toEqual({})
    })
  })

  it('the slope line returns both lot unit factors printed by the town', () => {
    const rule = district('Los Altos Hills', 'R-A').floorArea as LotUnitFactorRule
    expect(lotUnitFactor(rule, 1.037 * 43560, 33.8)).toBeCloseTo(0.51, 2)
    expect(lotUnitFactor(rule, 0.578 * 43560, 14.7)).toBeCloseTo(0.52, 3)
  })

  it('Redwood City has no floor-area limit, narrow side yards on narrow lots, and a review trigger', () => {
    const side = district('Redwood City', 'R-1').setbacksFt!.side
    expect([50, 38, 60, 80].map((width) => sideYardFt(side, width))).toEqual([5, 4, 6, 6])
    const found = envelope('Redwood City', 'R-1', { lotSqft: 5000, lotWidthFt: 50, lotDepthFt: 100 })
    expect(found).toMatchObject({ maxSqft: 4000, limitedBy: 'coverage', likelyApprovableSqft: 2250 })
    // The city's own example: 2,500 sq ft on 5,000 goes to the Commission, and on a large lot so does 3,000.
    const trigger = district('Redwood City', 'R-1').sizeReview!
    expect([5000, 6300, 10_000].map((lot) => sizeWithoutReview(trigger, lot))).toEqual([2250, 2835, 2999])
    expect(trigger).toMatchObject({ garageCounted: true, approval: 'discretionary', months: 4 })
    expect(found.notes.join()).toContain('Planning Commission')
  })

  it('Burlingame side yards follow the table of Ordinance 1362', () => {
    const side = district('Burlingame', 'R-1').setbacksFt!.side
    expect([40, 42, 50, 51, 54, 60, 61, 80].map((width) => sideYardFt(side, width))).toEqual([3, 3, 4, 4, 5, 6, 7, 7])
  })

  it.each([
    ['LUG-1', 40000, 2800],
    ['LUG-2', 80000, 3200],
    ['LUG-3', 120000, 3600],
    ['R-20', 20000, 2500],
    ['R-10', 10000, 2500],
    ['R-5', 5000, 2000],
    ['R-40', 40000, 4000],
  ])('Nantucket %s on %i sqft allows %i sqft of ground cover', (code, lotSqft, expected) => {
    const found = envelope('Nantucket', code, { lotSqft })
    expect(found.groundCoverSqft).toBe(expected)
    expect(found.limitedBy).toBe('ground_cover')
    expect(found.maxSqft).toBe(Math.floor(expected * 1.8))
  })

  it('the old historic district uses the safe values and low confidence', () => {
    const found = envelope('Nantucket', 'ROH', { lotSqft: 5000 })
    expect(found.groundCoverSqft).toBe(2000)
    expect(found.confidence).toBe('low')
  })

  it('an unverified ratio gives an envelope of low confidence', () => {
    expect(envelope('San Bruno', 'R-1', { lotSqft: 5000 }).confidence).toBe('low')
    expect(envelope('Millbrae', 'R-1', { lotSqft: 6000 }).confidence).toBe('high')
  })

  it('without a rule on the size of houses the confidence is low, and a note says so', () => {
    const lot = { lotSqft: 6000, lotWidthFt: 60, lotDepthFt: 100 }
    const noRule = /^No floor-area rule is known/
    for (const [city, code] of [
      ['Foster City', 'R-1'],
      ['Daly City', 'R-1'],
      ['Pacifica', 'R-1'],
      ['Colma', 'R-S'],
    ] as const) {
      const found = envelope(city, code, lot)
      expect([found.confidence, found.notes.some((note) => noRule.test(note))], city).toEqual(['low', true])
    }
    // A commission that reviews large houses and a limit on the footprint are such rules.
    for (const found of [envelope('Redwood City', 'R-1', lot), envelope('Nantucket', 'R-10', { lotSqft: 12_000 })]) {
      expect(found.confidence).not.toBe('low')
      expect(found.notes.join()).not.toMatch(noRule)
    }
  })

  it('setbacks limit a narrow lot with deep yards, and the upper story more than the lower', () => {
    const found = envelope('Millbrae', 'R-1', { lotSqft: 5000, lotWidthFt: 50, lotDepthFt: 100 })
    const setbacks = found.candidates.find((one) => one.limit === 'setbacks')
    expect(setbacks?.sqft).toBe(40 * 70 + 20 * 60)
  })

  it('an unknown lot size, an unknown district and an unmodeled one give a reason and no number', () => {
    expect(buildingEnvelope({}, district('Palo Alto', 'R-1')).missing).toEqual(['lotSqft'])
    expect(buildingEnvelope({ lotSqft: 6000 }, undefined).missing).toEqual(['zoning'])
    expect(envelope('Portola Valley', 'R-E/1A', { lotSqft: 45000 }).unmodelledReason).toContain('not found')
    expect(envelope('Atherton', 'R-1A', { lotSqft: 30000 }).unmodelledReason).toContain('43,560')
    expect(envelope('Menlo Park', 'R-1-U', { lotSqft: 4500 }).maxSqft).toBeUndefined()
  })

  it('a garage that counts as floor area reduces the living area', () => {
    const found = envelope('Los Altos', 'R1-10', { lotSqft: 10000 })
    expect(found.maxSqft! - found.livableSqft!).toBe(420)
    expect(envelope('Palo Alto', 'R-1', { lotSqft: 6000 }).livableSqft).toBe(2550)
  })
})
