import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Tristate } from '../../src/contract/facts.ts'
import { cityBySlug } from '../../src/contract/markets.ts'
import { districtOf } from '../../src/contract/zoning-tables.ts'
import { type AduParcel, adu, aduRules } from '../../src/intelligence/adu.ts'

const today = '2026-11-15'

/** A San Mateo house of 1,500 sq ft with a garage on a 50 × 120 lot. */
function parcel(changes: Partial<AduParcel> = {}): AduParcel {
  return {
    market: 'sf-peninsula',
    propertyType: 'single_family',
    lotSqft: 6000,
    lotWidthFt: 50,
    lotDepthFt: 120,
    livingSqft: 1500,
    storeys: 1,
    garageSqft: 400,
    slopePct: 3,
    cornerLot: false,
    city: cityBySlug('san-mateo'),
    district: districtOf('San Mateo', 'R1-B'),
    ...changes,
    overlays: { veryHighFire: 'no', septic: 'no', ...changes.overlays },
  }
}

describe('ADU', () => {
  it('the score is the sum of its parts, within 0 and 100, and more house never makes more room', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1500, max: 60_000 }),
        fc.option(fc.integer({ min: 25, max: 300 }), { nil: undefined }),
        fc.integer({ min: 300, max: 8000 }),
        fc.option(fc.constantFrom(1, 2), { nil: undefined }),
        fc.constantFrom<Tristate>('yes', 'no', 'unknown'),
        (lotSqft, lotWidthFt, livingSqft, storeys, septic) => {
          const lotDepthFt = lotWidthFt && lotSqft / lotWidthFt
          const facts = parcel({ lotSqft, lotWidthFt, lotDepthFt, livingSqft, storeys, overlays: { septic } })
          const found = adu(facts, today)
          if (found.aduScore !== undefined) {
            const sum = found.parts.reduce((total, part) => total + part.points, 0)
            expect(Math.abs(found.aduScore - Math.min(100, Math.max(0, sum)))).toBeLessThanOrEqual(0.51)
          }
          expect(found.maxUnits).toBe(found.units.length)
          expect(found.maxUnits).toBeLessThanOrEqual(3)
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

  it('the yard recipe can be redone by hand', () => {
    const found = adu(parcel(), today)
    // Footprint 1,900 across 40 ft: 47.5 ft deep. Behind it 120 − 20 − 47.5 = 52.5 ft.
    expect(found.lot).toEqual({ sqft: 6000, widthFt: 50, depthFt: 120, rearYardSqft: 2625, coveragePct: 31.7 })
    // (52.5 − 6)·(50 − 8) − 4·50.
    expect(found.buildableSqft).toBe(1753)
    expect(found.units).toEqual([
      { kind: 'detached', sqft: 800 },
      { kind: 'conversion', sqft: 400 },
      { kind: 'junior', sqft: 500 },
    ])
    expect(found).toMatchObject({ maxUnits: 3, confidence: 'medium', blockers: [] })
  })

  it('alone, a detached unit may follow the state floor of 1,000 sq ft or the local cap', () => {
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
    expect(found.missing).toEqual(expect.arrayContaining(['lotWidthFt', 'lotDepthFt']))
  })

  it('without lot or house size there is no score', () => {
    for (const changes of [{ lotSqft: undefined }, { livingSqft: undefined }]) {
      const found = adu(parcel(changes), today)
      expect(found.aduScore).toBeUndefined()
      expect(found.buildableSqft).toBeUndefined()
      expect(found.maxUnits).toBeUndefined()
    }
  })

  it.each([
    ['NOT_CALIFORNIA', { market: 'nantucket', city: cityBySlug('nantucket') }],
    ['NO_OWN_LOT', { propertyType: 'condo' }],
    ['NO_DWELLING', { propertyType: 'land', livingSqft: undefined }],
    ['NO_ROOM', { lotSqft: 1500, lotWidthFt: 25, lotDepthFt: 60, livingSqft: 950, garageSqft: 0 }],
  ] as const)('%s blocks, and a blocked parcel has neither score nor units', (code, changes) => {
    const found = adu(parcel(changes as Partial<AduParcel>), today)
    expect(found.blockers.map((one) => one.code)).toEqual([code])
    expect(found.aduScore).toBeUndefined()
    expect(found).toMatchObject({ maxUnits: 0, units: [] })
  })

  it('fire, septic, slope and coast warn but do not block', () => {
    const found = adu(
      parcel({ slopePct: 30, city: cityBySlug('pacifica'), overlays: { veryHighFire: 'yes', septic: 'yes' } }),
      today,
    )
    for (const code of ['VHFHSZ', 'SEPTIC', 'STEEP', 'COASTAL_PERMIT']) expect(found.warnings.join()).toContain(code)
    expect(found.blockers).toEqual([])
    expect(found.aduScore!).toBeLessThan(adu(parcel(), today).aduScore!)
  })

  it('beside flats up to eight detached units since SB 1211, two before it, never more than stand there', () => {
    const flats = parcel({
      propertyType: 'multi_family',
      lotSqft: 40_000,
      lotWidthFt: 160,
      lotDepthFt: 250,
      livingSqft: 6000,
      garageSqft: 0,
    })
    const count = (units: number, on: string) => adu({ ...flats, units }, on).maxUnits
    expect(count(12, today)).toBe(8)
    expect(count(5, today)).toBe(5)
    expect(count(12, '2024-12-31')).toBe(2)
  })

  it('every rule of the law has a citation', () => {
    for (const rule of aduRules) expect(rule.citation.length, rule.code).toBeGreaterThan(3)
  })
})
