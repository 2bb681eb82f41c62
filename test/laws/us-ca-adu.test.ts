import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Tristate } from '../../src/domain/facts.ts'
import { cityBySlug } from '../../src/domain/packs/markets.ts'
import { type AduParcel, adu, aduRules } from '../../src/laws/us-ca-adu/adu.ts'
import { districtOf } from '../setup/city-rules.ts'

const today = '2026-11-15'

/** A San Mateo house of 1,500 sq ft with a garage on a 50 × 120 lot. */
function parcel(changes: Partial<AduParcel> = {}): AduParcel {
  return {
    state: 'CA',
    propertyType: 'single_family',
    lotSqft: 6000,
    lotWidthFt: 50,
    lotDepthFt: 120,
    livingSqft: 1500,
    stories: 1,
    garageSqft: 400,
    slopePct: 3,
    cornerLot: false,
    city: cityBySlug('san-mateo'),
    district: districtOf('San Mateo', 'R1-B'),
    ...changes,
    overlays: {
      veryHighFire: 'no',
      septic: 'no',
      wetland: 'no',
      conservationEasement: 'no',
      affordableDeed: 'no',
      historicListed: 'no',
      ...changes.overlays,
    },
  }
}

describe('ADU', () => {
  it('the score is the sum of its parts, between 0 and 100, and a larger house never adds room', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1500, max: 60_000 }),
        fc.option(fc.integer({ min: 25, max: 300 }), { nil: undefined }),
        fc.integer({ min: 300, max: 8000 }),
        fc.option(fc.constantFrom(1, 2), { nil: undefined }),
        fc.constantFrom<Tristate>('yes', 'no', 'unknown'),
        (lotSqft, lotWidthFt, livingSqft, stories, septic) => {
          const lotDepthFt = lotWidthFt && lotSqft / lotWidthFt
          const facts = parcel({ lotSqft, lotWidthFt, lotDepthFt, livingSqft, stories, overlays: { septic } })
          const found = adu(facts, today)
          if (found.aduScore !== undefined) {
            const sum = found.parts.reduce((total, part) => total + part.points, 0)
            expect(Math.abs(found.aduScore - Math.min(100, Math.max(0, sum)))).toBeLessThanOrEqual(0.51)
          }
          expect(found.maxUnits ?? 0).toBe(found.units.length)
          expect(found.units.length).toBeLessThanOrEqual(3)
          for (const unit of found.units) {
            expect(unit.sqft).toBeGreaterThanOrEqual(150)
            expect(unit.sqft).toBeLessThanOrEqual(unit.kind === 'junior' ? 500 : 1200)
          }
          const larger = adu({ ...facts, livingSqft: livingSqft + 500 }, today)
          expect(larger.buildableSqft ?? 0).toBeLessThanOrEqual(found.buildableSqft ?? 0)
        },
      ),
    )
  })

  it('the rear yard can be computed by hand', () => {
    const found = adu(parcel(), today)
    // Footprint 1,900 across 40 ft: 47.5 ft deep. Behind it 120 − 20 − 47.5 = 52.5 ft.
    expect(found.lot).toEqual({ sqft: 6000, widthFt: 50, depthFt: 120, rearYardSqft: 2625, coveragePct: 31.7 })
    // (52.5 − 6)·(50 − 8) − 4·50.
    expect(found.buildableSqft).toBe(1753)
    expect(found.units).toEqual([
      { kind: 'detached', sqft: 800 },
      { kind: 'conversion', sqft: 400 },
      { kind: 'junior', sqft: 300 },
    ])
    expect(found).toMatchObject({ maxUnits: 3, confidence: 'medium', blockers: [] })
    // (1,753 / 2 − 200) / 800 of 30 points; 1,825 sq ft stay open: 20 · 1,825 / 6,825.
    expect(Object.fromEntries(found.parts.map((one) => [one.name, one.points]))).toEqual({
      unitSize: 25.4,
      openYard: 5.3,
      access: 1.5,
      lotCoverage: 3.8,
      slope: 8.5,
      secondUnit: 5.8,
      transit: 0,
    })
  })

  it('each unit needs its own space: a garage of known size, a house with room to spare, let or not', () => {
    const kinds = (changes: Partial<AduParcel>) => adu(parcel(changes), today).units.map((unit) => unit.kind)
    expect(kinds({ garageSqft: undefined })).toEqual(['detached', 'junior'])
    // From 220 sq ft on, and beside 1,200 that the house keeps.
    expect(kinds({ garageSqft: 219 })).toEqual(['detached', 'junior'])
    expect(kinds({ livingSqft: 1419 })).toEqual(['detached', 'conversion'])
    expect(kinds({ garageSqft: 220, livingSqft: 1420 })).toEqual(['detached', 'conversion', 'junior'])
    expect(kinds({ overlays: { tenantLast3y: 'yes' } })).toEqual(['detached', 'conversion', 'junior'])
    expect(kinds({ lotDepthFt: 90, lotSqft: 4500 })).toEqual(['detached', 'conversion', 'junior'])
    expect(kinds({ lotDepthFt: 78, lotSqft: 3900 })).toEqual(['conversion', 'junior'])
  })

  it('dwellings that already exist count against what can be added', () => {
    expect(adu(parcel({ units: 1 }), today).maxUnits).toBe(3)
    expect(adu(parcel({ units: 2 }), today)).toMatchObject({ maxUnits: 2, blockers: [] })
    const full = adu(parcel({ units: 4 }), today)
    expect(full).toMatchObject({ maxUnits: 0, units: [], aduScore: undefined })
    expect(full.blockers.map((one) => one.code)).toEqual(['MAXIMUM_REACHED'])
  })

  it('a lot with an issued permit for an accessory unit says so and has no score', () => {
    const permit = { permitClass: 'adu', status: 'finaled', issuedOn: '2024-08-01' } as const
    const found = adu(parcel({ permits: [permit] }), today)
    expect(found).toMatchObject({ aduScore: undefined, maxUnits: undefined, units: [], parts: [] })
    expect(found.blockers).toEqual([
      {
        code: 'UNIT_PERMITTED',
        reason:
          'A permit for an accessory unit was issued and finaled, so a unit is probably built or under construction.',
        citation: 'building permits',
      },
    ])
    const lapsed = adu(parcel({ permits: [{ ...permit, status: 'expired' }] }), today)
    expect(lapsed).toEqual(adu(parcel(), today))
  })

  it('a single detached unit may use the state minimum of 1,000 sq ft or the local maximum', () => {
    const detached = (changes: Partial<AduParcel>) => adu(parcel({ garageSqft: 0, ...changes }), today).units[0]!.sqft
    expect(detached({})).toBe(1000)
    expect(detached({ localCapSqft: 1200 })).toBe(1200)
    expect(detached({ localCapSqft: 1500 })).toBe(1200)
  })

  it('a lot of unknown shape gets low confidence, a warning, and no served width or rear yard', () => {
    const found = adu(parcel({ lotWidthFt: undefined, lotDepthFt: undefined }), today)
    expect(found.confidence).toBe('low')
    expect(found.lot).toMatchObject({ widthFt: undefined, depthFt: undefined, rearYardSqft: undefined })
    expect(found.warnings.join()).toContain('Lot dimensions are unknown')
    // Assumed to be twice as deep as wide.
    const assumed = adu(parcel({ lotWidthFt: Math.sqrt(3000), lotDepthFt: 2 * Math.sqrt(3000) }), today)
    expect(found.buildableSqft).toBe(assumed.buildableSqft)
    expect(found.missing).toEqual(expect.arrayContaining(['lotWidthFt', 'lotDepthFt']))
  })

  it('without the lot size, or with nothing that shows a home, there is no score', () => {
    const nothing = { propertyType: undefined, livingSqft: undefined, district: undefined }
    // With neither a garage nor room in the house, nothing fits that needs no yard.
    for (const changes of [{ lotSqft: undefined, garageSqft: 0, livingSqft: 900 }, nothing]) {
      const found = adu(parcel(changes), today)
      expect(found.aduScore).toBeUndefined()
      expect(found.buildableSqft).toBeUndefined()
      expect(found.maxUnits).toBeUndefined()
    }
  })

  it('a house of unknown size is estimated, which is stated, and scores lower than a known one', () => {
    const found = adu(parcel({ livingSqft: undefined, yearBuilt: undefined, stories: undefined }), today)
    expect(found).toMatchObject({ confidence: 'low', blockers: [] })
    expect(found.lot).toMatchObject({ coveragePct: undefined, rearYardSqft: undefined })
    expect(found.warnings.join()).toContain('The size of the house is unknown; a footprint of 1,800 sq ft is assumed')
    expect(found.missing).toContain('livingSqft')
    expect(found.units.map((unit) => unit.kind)).toEqual(['detached', 'conversion'])
    expect(found.aduScore!).toBeGreaterThan(30)
    expect(found.aduScore!).toBeLessThan(adu(parcel(), today).aduScore!)
  })

  it('an unknown garage or house never rules a unit out: units and score stay unknown', () => {
    const small = { lotSqft: 1500, lotWidthFt: 25, lotDepthFt: 60, livingSqft: 880, garageSqft: undefined }
    const found = adu(parcel(small), today)
    expect(found.blockers).toEqual([])
    expect(found.maxUnits).toBeUndefined()
    expect(found.aduScore).toBeUndefined()
    expect(found.confidence).toBe('low')
  })

  it('sizes on record that cannot be right make coverage and yard unknown: only what needs no yard is scored', () => {
    const found = adu(parcel({ lotSqft: 3080, livingSqft: 3425, stories: 1, garageSqft: 300 }), today)
    expect(found.lot.coveragePct).toBeUndefined()
    expect(found.units.map(({ kind }) => kind)).toEqual(['conversion', 'junior'])
    expect(found.parts.find(({ name }) => name === 'unitSize')).toMatchObject({ points: 0 })
    expect(found.warnings.join()).toContain('would cover 121% of the lot')
  })

  it.each([
    ['NOT_CALIFORNIA', { market: 'nantucket', city: cityBySlug('nantucket') }],
    ['NO_OWN_LOT', { propertyType: 'condo' }],
    ['NO_ROOM', { lotSqft: 1500, lotWidthFt: 25, lotDepthFt: 60, livingSqft: 880, garageSqft: 0 }],
  ] as const)('%s blocks, and a blocked parcel has neither score nor units', (code, changes) => {
    const found = adu(parcel(changes as Partial<AduParcel>), today)
    expect(found.blockers.map((one) => one.code)).toEqual([code])
    expect(found.aduScore).toBeUndefined()
    expect(found).toMatchObject({ maxUnits: 0, units: [] })
  })

  it.each([
    ['WETLAND', { overlays: { wetland: 'yes' } }],
    ['CONSERVATION_EASEMENT', { overlays: { conservationEasement: 'yes' } }],
  ] as const)(
    '%s blocks a lot that keeps its units and a lower score, so that excludeBlockers has rows to drop',
    (code, changes) => {
      const found = adu(parcel(changes as Partial<AduParcel>), today)
      expect(found.blockers.map((one) => one.code)).toEqual([code])
      expect(found.units.length).toBe(3)
      expect(found.aduScore!).toBeLessThanOrEqual(adu(parcel(), today).aduScore! - 10)
    },
  )

  it.each([
    ['AFFORDABLE', { overlays: { affordableDeed: 'yes' } }],
    ['SEPTIC', { overlays: { septic: 'yes' } }],
    ['STEEP', { slopePct: 45 }],
  ] as const)('%s is a condition: no statute bars a unit', (code, changes) => {
    const found = adu(parcel(changes as Partial<AduParcel>), today)
    expect(found).toMatchObject({ blockers: [], maxUnits: 3 })
    expect(found.uses![0]!.conditions.map((one) => one.code)).toContain(code)
  })

  it('a conversion and a junior unit need no yard', () => {
    // Sizes on record that cannot all be right leave the yard unknown, as in Daly City.
    const found = adu(
      parcel({ lotSqft: 2900, livingSqft: 1700, lotWidthFt: 29, lotDepthFt: 100, garageSqft: 400 }),
      today,
    )
    expect(found.buildableSqft).toBeUndefined()
    expect(found.units).toEqual([
      { kind: 'conversion', sqft: 400 },
      { kind: 'junior', sqft: 500 },
    ])
    expect(found).toMatchObject({ maxUnits: 2, confidence: 'low', blockers: [] })
    expect(found.aduScore!).toBeGreaterThan(0)
    expect(found.uses).toMatchObject([{ scheme: 'add_unit', homes: 3, approval: 'ministerial' }])
  })

  it('on vacant land a unit is built with a proposed house, where the zoning is residential', () => {
    const vacant = { propertyType: 'land', livingSqft: undefined, garageSqft: undefined } as const
    const found = adu(parcel(vacant), today)
    expect(found.units).toEqual([{ kind: 'detached', sqft: 1000 }])
    expect(found.uses![0]).toMatchObject({
      homes: 2,
      conditions: expect.arrayContaining([expect.objectContaining({ code: 'NO_DWELLING' })]),
    })
    expect(adu(parcel({ ...vacant, district: undefined }), today).units).toEqual([])
  })

  it('says the height of single-family lots, rental terms since 2020 and owner occupancy since 2020', () => {
    const row = (code: string, on = today, changes: Partial<AduParcel> = {}) =>
      adu(parcel(changes), on).trace.find((each) => each.code === code)
    expect(row('HEIGHT')!.because).not.toMatch(/multistory/)
    expect(row('HEIGHT', today, { propertyType: 'multi_family' })!.because).toMatch(/apartment building 18 ft/)
    expect(row('RENTAL_TERM', '2020-01-01')).toMatchObject({ outcome: 'warn' })
    expect(row('OWNER_OCCUPANCY', '2023-12-31')!.citation).toContain('AB 881')
    expect(row('OWNER_OCCUPANCY', '2024-01-01')!.citation).toContain('AB 976')
  })

  it('follows the texts of 2026: SB 543, AB 462, SB 9 (2025), AB 253', () => {
    const row = (code: string, on = today) => adu(parcel(), on).trace.find((each) => each.code === code)
    expect(row('FEES')).toMatchObject({ citation: expect.stringContaining('66311.5'), value: '750 sq ft' })
    expect(row('FEES')!.because).toContain('up to 750 sq ft of interior livable space')
    expect(row('FEES', '2025-12-31')!.citation).toContain('66324')
    // AB 1154: the owner lives there only where the junior unit shares a bathroom.
    expect(row('JUNIOR')).toMatchObject({
      outcome: 'pass',
      because: expect.stringContaining('only if the unit shares'),
    })
    expect(row('JUNIOR', '2025-12-31')!.outcome).toBe('warn')
    expect(row('BY_RIGHT_SET')!.confidence).toBe('medium')
    expect(row('BY_RIGHT_SET', '2025-12-31')!.confidence).toBe('low')
    expect(row('RENTAL_TERM')).toMatchObject({ outcome: 'warn', value: 'over 30 days' })
    expect(row('CLEAN_UP')!.because).toMatch(/interior livable space.*15 business days/)
    expect(row('COASTAL_PERMIT', '2025-10-10')!.citation).toContain('AB 462')
    expect(row('COASTAL_PERMIT', '2025-10-09')!.citation).not.toContain('AB 462')
    expect(row('LOCAL_ORDINANCE')).toMatchObject({ outcome: 'unknown', citation: expect.stringContaining('66326(d)') })
    expect([row('PLAN_CHECK')?.outcome, row('PLAN_CHECK', '2025-10-09')]).toEqual(['pass', undefined])
  })

  it('a historic listing is a condition, not a blocker, and conversions have no size cap', () => {
    const listed = adu(parcel({ overlays: { historicListed: 'yes' } }), today)
    expect(listed.blockers).toEqual([])
    expect(listed.warnings.join()).toContain('HISTORIC_LISTED')
    const barn = adu(parcel({ garageSqft: 1400, livingSqft: 900, lotSqft: 12_000, lotDepthFt: 240 }), today)
    expect(barn.units).toContainEqual({ kind: 'conversion', sqft: 1400 })
  })

  it('fire, septic on a large lot, slope and coast warn but do not block', () => {
    const found = adu(
      parcel({
        lotSqft: 24_000,
        lotWidthFt: 120,
        lotDepthFt: 200,
        slopePct: 30,
        city: cityBySlug('pacifica'),
        overlays: { veryHighFire: 'yes', septic: 'yes' },
      }),
      today,
    )
    for (const code of ['VHFHSZ', 'SEPTIC', 'STEEP', 'COASTAL_PERMIT']) expect(found.warnings.join()).toContain(code)
    const parking = (transitHalfMile: Tristate) =>
      adu(parcel({ overlays: { transitHalfMile } }), today).trace.find(({ code }) => code === 'PARKING')!.because
    expect([parking('yes'), parking('no')].map((text) => text.startsWith('Near transit'))).toEqual([true, false])
    expect(found.blockers).toEqual([])
    const flat = parcel({ lotSqft: 24_000, lotWidthFt: 120, lotDepthFt: 200 })
    expect(found.aduScore!).toBeLessThan(adu(flat, today).aduScore!)
  })

  it.each([
    ['STEEP', 'slopePct', [25, 26, 40, 41], ['pass', 'warn', 'warn', 'warn']],
    ['REAR_ACCESS', 'lotWidthFt', [45, 44], ['pass', 'warn']],
  ] as const)('%s depends on %s, limits included', (code, fact, values, outcomes) => {
    const outcome = (value?: number) =>
      adu(parcel({ [fact]: value }), today).trace.find((row) => row.code === code)!.outcome
    expect(values.map(outcome)).toEqual(outcomes)
    expect(outcome(undefined)).toBe('unknown')
  })

  it('next to apartments, SB 1211 allows up to eight detached units, before it two, and never more than existing units', () => {
    const flats = parcel({
      propertyType: 'multi_family',
      lotSqft: 40_000,
      lotWidthFt: 160,
      lotDepthFt: 250,
      livingSqft: 6000,
      garageSqft: 0,
    })
    const count = (units: number, on: string) => adu({ ...flats, units }, on).maxUnits
    // Without the number of apartments the rules of multifamily lots are unknown; a house has none.
    const unknown = (facts: AduParcel) =>
      adu(facts, today).trace.filter(({ because }) => /apartments is unknown/.test(because)).length
    expect([unknown({ ...flats, units: undefined }) > 0, unknown(parcel({ units: undefined }))]).toEqual([true, 0])
    expect(count(12, today)).toBe(8)
    expect(count(5, today)).toBe(5)
    expect([count(12, '2024-12-31'), count(12, '2025-01-01')]).toEqual([2, 8])
    const byRight = (facts: AduParcel) => adu(facts, today).trace.find(({ code }) => code === 'BY_RIGHT_SET')!.value
    expect([byRight(parcel()), byRight(flats)]).toEqual(['3 units', undefined])
  })

  it.each([
    ['NO_ROOM', 'buildableSqft', [350, 349, undefined], ['pass', 'warn', 'unknown']],
    ['MAXIMUM_REACHED', 'units', [1, 2, 4, undefined], ['pass', 'warn', 'fail', 'unknown']],
    ['NO_DWELLING', 'livingSqft', [900, undefined], ['pass', 'unknown']],
    ['SEPTIC', 'lotSqft', [20_000, 19_999, undefined], ['warn', 'warn', 'warn']],
  ] as const)('%s tests %s, limits included', (code, fact, values, outcomes) => {
    const rule = aduRules.find((each) => each.code === code)!
    const facts = { ...parcel({ overlays: { septic: 'yes' } }), buildableSqft: 800, city: undefined }
    expect(values.map((value) => rule.test({ ...facts, [fact]: value }).outcome)).toEqual(outcomes)
  })

  it('names the facts and rules that were used and those that are missing', () => {
    const found = adu(parcel(), today)
    const facts = ['lotSqft', 'livingSqft', 'lotWidthFt', 'lotDepthFt', 'storeys', 'garageSqft', 'slopePct']
    expect(found.used).toEqual(facts)
    expect(found.missing).toEqual(expect.arrayContaining(['MAXIMUM_REACHED', 'LOCAL_ORDINANCE']))
    expect(found.missing).not.toContain('WETLAND')
    const unknown = adu(parcel({ slopePct: undefined, overlays: { wetland: 'unknown' } }), today)
    expect(unknown.used).toEqual(facts.slice(0, -1))
    expect(unknown.missing).toEqual(expect.arrayContaining(['slopePct', 'WETLAND']))
    // Two rules that would block may be untested: here the number of dwellings and one more.
    const confidence = (overlays: AduParcel['overlays']) => adu(parcel({ overlays }), today).confidence
    expect(confidence({ wetland: 'unknown' })).toBe('medium')
    expect(confidence({ wetland: 'unknown', conservationEasement: 'unknown' })).toBe('low')
  })

  it('a home is shown by its size, its type or a district of houses', () => {
    const nothing = { propertyType: 'other', livingSqft: undefined, district: undefined } as const
    const isHome = (changes: Partial<AduParcel>) =>
      adu(parcel({ ...nothing, ...changes }), today).buildableSqft !== undefined
    expect(isHome({})).toBe(false)
    expect(isHome({ propertyType: undefined })).toBe(false)
    expect(isHome({ propertyType: 'single_family' })).toBe(true)
    expect(isHome({ livingSqft: 1500 })).toBe(true)
    expect(isHome({ district: {} as AduParcel['district'] })).toBe(true)
    expect(isHome({ district: { singleFamily: false } as AduParcel['district'] })).toBe(false)
  })

  it('a corner lot has at least 10 of the 15 points for access', () => {
    const access = (changes: Partial<AduParcel>) =>
      adu(parcel(changes), today).parts.find(({ name }) => name === 'access')!.points
    expect(access({ cornerLot: true })).toBe(10)
    expect(access({ cornerLot: true, lotWidthFt: 95, lotSqft: 11_400 })).toBe(15)
    expect(access({ cornerLot: true, lotWidthFt: undefined })).toBe(10)
  })

  it('garages of apartments become one unit for each four apartments and 350 sq ft, at least one', () => {
    const conversions = (units: number | undefined, garageSqft: number) =>
      adu(
        parcel({ propertyType: 'multi_family', units, garageSqft, lotSqft: 40_000, lotWidthFt: 160, lotDepthFt: 250 }),
        today,
      )
        .units.filter(({ kind }) => kind === 'conversion')
        .map(({ sqft }) => sqft)
    expect(conversions(12, 1400)).toEqual([466, 466, 466])
    expect(conversions(20, 1000)).toEqual([500, 500])
    expect(conversions(4, 300)).toEqual([300])
    expect(conversions(undefined, 1400)).toEqual([1400])
  })

  it('every rule of the law has a citation', () => {
    for (const rule of aduRules) expect(rule.citation.length, rule.code).toBeGreaterThan(3)
  })
})
