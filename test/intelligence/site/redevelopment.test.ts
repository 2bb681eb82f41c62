import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PermitClass, PermitStatus } from '../../../src/domain/facts.ts'
import type { NewHouseLimit } from '../../../src/domain/findings/redevelopment.ts'
import { buildingEnvelope } from '../../../src/intelligence/site/envelope.ts'
import { type RedevelopmentParcel, redevelopment } from '../../../src/intelligence/site/redevelopment.ts'
import { assumptionsFor, districtOf, packWith } from '../../setup/city-rules.ts'

const today = '2026-11-15'

/** A 1955 ranch house of 1,500 sq ft on 15,000 sq ft in Los Altos. */
function find(
  changes: Partial<RedevelopmentParcel> = {},
  city = 'Los Altos',
  code = 'R1-10',
  pack = packWith(city),
  newHouses?: NewHouseLimit,
) {
  const parcel: RedevelopmentParcel = {
    propertyType: 'single_family',
    lotSqft: 15_000,
    livingSqft: 1500,
    yearBuilt: 1955,
    assessedLandUsd: 900_000,
    assessedImprovementUsd: 100_000,
    overlays: {},
    ...changes,
  }
  const district = districtOf(city, code)
  return redevelopment(
    parcel,
    buildingEnvelope(parcel, district),
    district,
    today,
    pack,
    assumptionsFor(city),
    newHouses,
  )
}

describe('redevelopment', () => {
  it('the figures agree with each other and the score is the sum of its parts', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 3000, max: 100_000 }),
        fc.integer({ min: 400, max: 12_000 }),
        fc.option(fc.integer({ min: 1890, max: 2026 }), { nil: undefined }),
        (lotSqft, livingSqft, yearBuilt) => {
          const found = find({ lotSqft, livingSqft, yearBuilt })
          const { far, allowableSqft } = found
          expect(far!.headroomSqft).toBe(allowableSqft! - far!.countedSqft!)
          expect(far!.utilisationPct).toBeCloseTo((100 * far!.countedSqft!) / allowableSqft!, 0)
          expect(far!.existing).toBeCloseTo(far!.countedSqft! / lotSqft, 2)
          expect(far!.allowed).toBeCloseTo(allowableSqft! / lotSqft, 2)
          const sum = found.parts.reduce((total, part) => total + part.points, 0)
          expect(Math.abs(found.redevelopmentScore! - Math.min(100, Math.max(0, sum)))).toBeLessThanOrEqual(0.51)
          const larger = find({ lotSqft, livingSqft: livingSqft + 200, yearBuilt })
          expect(larger.redevelopmentScore!).toBeLessThanOrEqual(found.redevelopmentScore!)
        },
      ),
    )
  })

  it('an old small house on a large lot is a teardown candidate, a large or young one an expansion', () => {
    const old = find()
    expect(old).toMatchObject({ class: 'teardown_candidate', allowableSqft: 4250 })
    expect([old, find({ yearBuilt: undefined })].map(({ missing }) => missing.includes('yearBuilt'))).toEqual([
      false,
      true,
    ])
    expect(old.redevelopmentScore).toBeGreaterThan(70)
    expect(find({ livingSqft: 3000 }).class).toBe('expansion')
    expect(find({ yearBuilt: 1999 }).class).toBe('expansion')
    // From half of 4,250 sq ft on, and from fifty years on.
    expect([2124, 2125].map((livingSqft) => find({ livingSqft }).class)).toEqual(['teardown_candidate', 'expansion'])
    expect([1976, 1977].map((yearBuilt) => find({ yearBuilt }).class)).toEqual(['teardown_candidate', 'expansion'])
    // The age decides only where less than half is built.
    expect(find({ yearBuilt: undefined }).class).toBeUndefined()
    expect(find({ yearBuilt: undefined, livingSqft: 3000 }).class).toBe('expansion')
  })

  it('the points can be computed by hand', () => {
    const points = (changes: Partial<RedevelopmentParcel> = {}) =>
      Object.fromEntries(find(changes).parts.map(({ name, points }) => [name, points]))
    expect(points()).toEqual({
      // 45 · (0.8 − 1,500 / 4,250) / 0.55; 2,750 sq ft of headroom.
      unusedFloorArea: 36.6,
      headroom: 15,
      // 20 · (71 − 20) / 70; the lot is 1.5 times the minimum of 10,000: 10 · (1.5 − 0.8) / 1.2.
      age: 14.6,
      lot: 5.8,
      landShare: 10,
      // No sales of new houses are given.
      fewNewHouses: -8,
    })
    // 10 · (0.6 − 0.5) / 0.3; a renovation counts for ten years.
    expect(points({ assessedImprovementUsd: 900_000, yearRenovated: 2016 })).toMatchObject({
      landShare: 3.3,
      renovation: -20,
    })
    expect(points({ yearRenovated: 2015 }).renovation).toBeUndefined()
    // 20 · (condition − 55) / 30, and nothing beside a renovation, which is the evidence of it.
    expect([40, 55, 70, 85, 95].map((conditionScore) => points({ conditionScore }).condition)).toEqual([
      undefined,
      undefined,
      -10,
      -20,
      -20,
    ])
    expect(points({ conditionScore: 90, yearRenovated: 2020 })).not.toHaveProperty('condition')
    expect(points({ assessedImprovementUsd: undefined }).landShare).toBe(0)
    expect(points({ assessedLandUsd: 0, assessedImprovementUsd: 0 }).landShare).toBe(0)
    // Never −0.
    expect(points({ conditionScore: 55.01 }).condition).toBe(0)
    expect(find({ livingSqft: 4250 }).parts[1]!.because).toBe('Nothing more could be built.')
    expect(find({ livingSqft: 4249 }).parts[1]!.because).toContain('1 sq ft more')
    expect(find().used).toEqual(['lotSqft', 'livingSqft', 'yearBuilt', 'assessedLandUsd', 'assessedImprovementUsd'])
    expect(find({ yearBuilt: undefined }).used).not.toContain('yearBuilt')
    expect(find()).not.toHaveProperty('newHouses')
    // 900 sq ft up to the 0.45 × 6,000 = 2,700 that need no hearing.
    const redwood = find({ lotSqft: 6000, livingSqft: 1800 }, 'Redwood City', 'R-1')
    expect(redwood.parts.find(({ name }) => name === 'headroom')!.points).toBe(5.4)
  })

  it('the share of the floor area used is rounded the same in its sentence and in its figure', () => {
    const { far, parts } = find({ livingSqft: 2570 })
    expect(far?.utilisationPct).toBe(60.5)
    expect(parts[0]!.because).toContain('uses 61% of')
  })

  it.each([
    ['coastalZone', /coastal development permit/],
    ['veryHighFire', /fire-hardening/],
    ['floodZone', /flood level/],
  ] as const)('%s gives a warning only where it is known', (overlay, text) => {
    for (const value of ['yes', 'no', 'unknown'] as const)
      expect(text.test(find({ overlays: { [overlay]: value } }).warnings.join()), value).toBe(value === 'yes')
  })

  it.each([
    ['historicContributing', 'HISTORIC_CONTRIBUTING'],
    ['wetland', 'WETLAND'],
    ['affordableDeed', 'AFFORDABLE'],
  ] as const)('%s blocks where it is known, without points', (overlay, code) => {
    const found = find({ overlays: { [overlay]: 'yes' } })
    expect(found).toMatchObject({ redevelopmentScore: 0, class: undefined })
    expect(found.blockers.map((one) => one.code)).toEqual([code])
    expect(find({ overlays: { [overlay]: 'no' } }).blockers).toEqual([])
  })

  it('an unknown blocking overlay is listed as missing, and unknown historic status gives a warning', () => {
    const open = find()
    expect(open.missing).toEqual(expect.arrayContaining(['historicListed', 'historicContributing', 'wetland']))
    expect(open.warnings).toContain('Historic status is unknown.')
    const known = { historicListed: 'no', historicContributing: 'no', wetland: 'no' } as const
    const told = find({ overlays: { ...known, conservationEasement: 'no', affordableDeed: 'no' } })
    expect(told.missing).not.toContain('historicListed')
    expect(told.warnings).not.toContain('Historic status is unknown.')
  })

  it('a remodel or addition of the last five years is a risk, from the record or a permit, and an older one is not', () => {
    const permit = (permitClass: PermitClass, issuedOn: string, status: PermitStatus = 'finaled') => ({
      ...{ permitClass, issuedOn, status },
    })
    const risk = (changes: Partial<RedevelopmentParcel>) => {
      const { recentWork, warnings } = find(changes)
      expect(warnings.includes(recentWork!)).toBe(recentWork !== undefined)
      return recentWork
    }
    expect(risk({ yearRenovated: 2025 })).toMatch('Renovated in 2025: a new house would waste that work')
    expect(risk({ yearRenovated: 2021 })).toBeUndefined()
    expect(risk({ permits: [permit('remodel', '2025-03-01')] })).toBe(
      'A permit for a remodel was issued in recent years: a new house would waste that work, and the price may include it.',
    )
    expect(risk({ permits: [permit('addition', '2022-03-01', 'issued')] })).toMatch(
      /^A permit for an addition was issued in/,
    )
    for (const none of [
      permit('remodel', '2021-03-01'),
      permit('remodel', '2025-03-01', 'cancelled'),
      permit('roof', '2025-03-01'),
    ])
      expect(risk({ permits: [none] })).toBeUndefined()
    expect(risk({ propertyType: 'land', livingSqft: undefined, yearRenovated: 2025 })).toBeUndefined()
  })

  it('where few new houses were sold in the city, the score is lower and the answer says so', () => {
    const limited = (area: 'city' | 'similarCities') =>
      find({}, 'Los Altos', 'R1-10', packWith('Los Altos'), { sqft: 9_000, count: 20, area })
    const [known, unseen] = [limited('city'), limited('similarCities')]
    expect(unseen.redevelopmentScore).toBe(known.redevelopmentScore! - 8)
    expect(find().redevelopmentScore).toBe(unseen.redevelopmentScore)
    expect(unseen.warnings).toContain(unseen.parts.find(({ name }) => name === 'fewNewHouses')!.because)
    expect(known.warnings.join()).not.toContain('new houses')
  })

  it('a garage counts as floor area where the district counts it, and never as living area', () => {
    const sizes = ({ existingSqft, far }: ReturnType<typeof find>) => [existingSqft, far!.countedSqft]
    expect(sizes(find({ garageSqft: 400 }))).toEqual([1500, 1900])
    expect(sizes(find({ garageSqft: 400 }, 'Palo Alto', 'R-1(10000)'))).toEqual([1500, 1500])
  })

  it('uses no more than the size that needs no hearing, and scores unverified zoning lower', () => {
    const redwood = find({ lotSqft: 6000, livingSqft: 1800 }, 'Redwood City', 'R-1')
    expect(redwood).toMatchObject({ allowableSqft: 4800, class: 'expansion' })
    expect(redwood.parts[0]!.because).toContain('67% of the size that needs no hearing')
    expect(find({}, 'San Bruno', 'R-1').parts.map((one) => one.name)).toContain('unverifiedZoning')
    expect(find().parts.map((one) => one.name)).not.toContain('unverifiedZoning')
    const unverified = 'The zoning limits of this district are unverified.'
    expect(find({}, 'San Bruno', 'R-1').warnings).toContain(unverified)
    expect(find().warnings).not.toContain(unverified)
  })

  it('without envelope or house there is no score and no class', () => {
    for (const found of [
      find({ lotSqft: undefined }),
      find({ livingSqft: undefined }),
      find({}, 'Portola Valley', 'R-E/1A'),
    ]) {
      expect(found.redevelopmentScore).toBeUndefined()
      expect(found.class).toBeUndefined()
      expect(found.far).toBeUndefined()
    }
  })

  it('a historic listing, an easement or an attached home blocks; an unknown does not', () => {
    const listed = find({ overlays: { historicListed: 'yes' } })
    expect(listed.blockers.map((one) => one.code)).toEqual(['HISTORIC_LISTED'])
    // So that it never ranks above a parcel that can be built on.
    expect([listed.redevelopmentScore, listed.class]).toEqual([0, undefined])
    expect(find({ overlays: { conservationEasement: 'yes' } }).blockers).toHaveLength(1)
    expect(find({ propertyType: 'condo' }).blockers.map((one) => one.code)).toEqual(['NOT_SINGLE_FAMILY'])
    expect(find({ overlays: { historicListed: 'unknown' } }).blockers).toEqual([])
  })

  it('a permit issued after the house was built for a new house or a demolition blocks; a lapsed, old or earlier one does not', () => {
    type Permit = NonNullable<RedevelopmentParcel['permits']>[number]
    const blocked = (permit: Partial<Permit>, changes: Partial<RedevelopmentParcel> = {}) =>
      find({
        permits: [{ permitClass: 'new_house', status: 'inspections', issuedOn: '2025-06-12', ...permit }],
        ...changes,
      }).blockers.map(({ reason }) => reason)
    expect(blocked({})).toEqual([
      'A permit for a new house was issued after the house on record was built, so that house may be gone.',
    ])
    expect(blocked({ permitClass: 'whole_house_demolition', status: 'finaled' })).toEqual([
      'A permit to demolish the house was issued and finaled after the house on record was built, so that house may be gone.',
    ])
    expect(blocked({}, { yearBuilt: undefined })).toEqual([
      'A permit for a new house was issued in recent years, so the house on record may be gone.',
    ])
    const land = { propertyType: 'land', livingSqft: undefined, yearBuilt: undefined } as const
    expect(blocked({}, land)).toEqual(['A permit for a new house was issued, so the lot may no longer be vacant.'])
    expect(blocked({ status: 'finaled', issuedOn: '2009-03-02' })).toHaveLength(1)
    for (const permit of [
      { status: 'expired' },
      { status: 'cancelled' },
      { permitClass: 'remodel' },
      { issuedOn: '2027-01-04' },
      { issuedOn: '2009-03-02' },
      { issuedOn: '2009-03-02', permitClass: 'whole_house_demolition', status: 'finaled' },
    ] as const)
      expect(blocked(permit), JSON.stringify(permit)).toEqual([])
    expect(blocked({}, { yearBuilt: 2025 })).toEqual([])
    // Unfinished houses and demolitions count for five years, from the day of issue on.
    expect([2021, 2020].map((year) => blocked({ issuedOn: `${year}-01-04` }).length)).toEqual([1, 0])
    expect([today, '2026-11-16'].map((issuedOn) => blocked({ issuedOn }).length)).toEqual([1, 0])
    // A new house says more than a demolition, whichever was issued later.
    const both = ['new_house', 'whole_house_demolition', 'whole_house_demolition'] as const
    const permits = both.map(
      (permitClass, at) => ({ permitClass, status: 'issued', issuedOn: `2025-0${at + 1}-01` }) as const,
    )
    expect(blocked({}, { permits })[0]).toContain('for a new house')
    expect(blocked({}, { permits: permits.slice(1) })[0]).toContain('to demolish the house')
    expect(blocked({ permitClass: 'whole_house_demolition' }, land)).toEqual([])
  })

  it('names the commission on every row that it decides, and no law of another state', () => {
    const island = (changes: Partial<RedevelopmentParcel>) =>
      find(changes, 'Los Altos', 'R1-10', packWith('Nantucket')).warnings.find((text) => /Commission/.test(text))
    expect(island({ yearBuilt: 1928 })).toMatch(/^Historic District Commission: a demolition .*may refuse.*2 months/)
    expect(island({ yearBuilt: undefined })).toContain('may refuse')
    expect(island({ yearBuilt: 1990 })).not.toContain('refuse')
    expect(island({ propertyType: 'land', livingSqft: undefined })).toContain('a new building needs a certificate')
    expect(find({ yearBuilt: 1928 }).warnings.join()).not.toContain('Commission')
    const { blockers, warnings } = find({
      overlays: { historicListed: 'yes', conservationEasement: 'yes', tenantLast3y: 'yes' },
    })
    expect(JSON.stringify([blockers, warnings])).not.toMatch(/Gov\. Code|CEQA|Civil Code/)
  })

  it('unknown historic status of an old house lowers the score where all of the market is a historic district', () => {
    const score = (yearBuilt: number, overlays: RedevelopmentParcel['overlays'] = {}) =>
      find({ yearBuilt, overlays }, 'Los Altos', 'R1-10', packWith('Nantucket')).redevelopmentScore!
    const known = { historicListed: 'no', historicContributing: 'no' } as const
    expect(score(1850) / score(1850, known)).toBeCloseTo(0.1, 1)
    expect(score(1920) / score(1920, known)).toBeCloseTo(0.5, 1)
    expect(score(1950)).toBe(score(1950, known))
    expect(find({ yearBuilt: 1899 }).redevelopmentScore).toBe(
      find({ yearBuilt: 1899, overlays: known }).redevelopmentScore,
    )
  })

  it.each([
    ['land', { propertyType: 'land', livingSqft: undefined, yearBuilt: undefined }],
    [
      'a roll without a building',
      { propertyType: undefined, livingSqft: undefined, yearBuilt: undefined, assessedImprovementUsd: 0 },
    ],
  ] as const)('a vacant lot is the best lead: %s', (_, changes) => {
    const found = find({ ...changes, assessedImprovementUsd: 0 })
    expect(found).toMatchObject({
      class: 'vacant_lot',
      allowableSqft: 4250,
      far: { existing: 0, countedSqft: 0, headroomSqft: 4250, utilisationPct: 0 },
      confidence: 'high',
    })
    expect(found.existingSqft).toBeUndefined()
    expect(found.redevelopmentScore!).toBeGreaterThan(find().redevelopmentScore!)
    expect(found.missing).not.toContain('livingSqft')
    expect(found.buildSqft).toBe(found.buildableSqft)
  })

  it('a house of unknown size keeps its allowable size; score, headroom and class are unknown', () => {
    const found = find({ livingSqft: undefined })
    expect(found).toMatchObject({ allowableSqft: 4250, allowableConfidence: 'high', confidence: 'low' })
    expect(found.warnings.join()).toContain('The size of the house is unknown')
    expect([found.class, found.far, found.existingSqft]).toEqual([undefined, undefined, undefined])
  })

  it('serves the size of the pro forma, and says why it is below the zoning limit', () => {
    const redwood = find({ lotSqft: 6000, livingSqft: 1800 }, 'Redwood City', 'R-1')
    const { buildableSqft, buildSqft, allowableSqft, allowableBasis } = redwood
    expect(buildSqft).toBeLessThanOrEqual(buildableSqft!)
    expect(buildableSqft).toBeLessThan(allowableSqft!)
    expect(allowableBasis).toContain('without a decision of the')
    const small = find({ livingSqft: 300 })
    expect(small.buildSqft).toBe(Math.round(assumptionsFor('Los Altos').buildSizeMultiple * 300))
    expect(small.allowableBasis).toMatch(/^6 × the existing 300 sq ft/)
  })

  it('a recent renovation lowers the score, and weak zoning its confidence', () => {
    expect(find({ yearRenovated: 2022 }).redevelopmentScore!).toBeLessThan(find().redevelopmentScore!)
    expect(find().confidence).toBe('high')
    expect(find({ yearBuilt: undefined }).confidence).toBe('medium')
    expect(find({}, 'San Bruno', 'R-1').confidence).toBe('low')
  })

  it('no warning contradicts a blocker or another fact, over all combinations', () => {
    const values = ['yes', 'no', 'unknown'] as const
    for (const historicListed of values)
      for (const historicContributing of values)
        for (const historicDistrict of values)
          for (const tenantLast3y of values)
            for (const rentControlled of values)
              for (const propertyType of ['single_family', 'land'] as const) {
                const overlays = {
                  ...{ historicListed, historicContributing, historicDistrict },
                  ...{ tenantLast3y, rentControlled },
                }
                const land = propertyType === 'land' ? { livingSqft: undefined, yearBuilt: undefined } : {}
                const { blockers, warnings } = find({ propertyType, overlays, ...land })
                const isHistoric = [historicListed, historicContributing].includes('yes')
                expect(blockers.some(({ code }) => code.startsWith('HISTORIC'))).toBe(isHistoric)
                const isKnown = historicListed === 'no' && [historicContributing, historicDistrict].includes('no')
                // A lot without a house has nothing to preserve.
                expect(warnings.includes('Historic status is unknown.')).toBe(
                  propertyType !== 'land' && !isHistoric && !isKnown,
                )
                expect(warnings.some((text) => text.startsWith('Tenant'))).toBe(
                  propertyType !== 'land' && [tenantLast3y, rentControlled].includes('yes'),
                )
              }
  })
})
