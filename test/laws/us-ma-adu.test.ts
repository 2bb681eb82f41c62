// Massachusetts accessory units: one example per rule of G.L. c.40A s.1A and s.3 and 760 CMR 71.
import { describe, expect, it } from 'vitest'
import { cityBySlug } from '../../src/domain/packs/markets.ts'
import type { RuleFacts } from '../../src/laws/law.ts'
import { lawsOf } from '../../src/laws/list.ts'
import { maAdu } from '../../src/laws/us-ma-adu/adu.ts'
import { maAduRules } from '../../src/laws/us-ma-adu/rules.ts'
import { districtOf } from '../setup/city-rules.ts'

const today = '2026-11-15'

/** A house of 2,400 sq ft on two floors without a garage, on a 100 × 200 ft lot in R-20, where 12.5% may be covered. */
const parcel = (changes: Partial<RuleFacts> = {}): RuleFacts => ({
  state: 'MA',
  propertyType: 'single_family',
  lotSqft: 20_000,
  lotWidthFt: 100,
  lotDepthFt: 200,
  livingSqft: 2400,
  stories: 2,
  garageSqft: 0,
  slopePct: 2,
  units: 1,
  zoning: 'R-20',
  city: cityBySlug('nantucket'),
  district: districtOf('Nantucket', 'R-20'),
  overlays: { conservationEasement: 'no', wetland: 'no', septic: 'no', transitHalfMile: 'no' },
  ...changes,
})
const found = (changes: Partial<RuleFacts> = {}) => maAdu(parcel(changes), today)
const rule = (code: string, changes: Partial<RuleFacts> = {}) => {
  const row = found(changes).trace.find((each) => each.code === code)!
  return [row.outcome, row.value]
}

describe('the unit', () => {
  it('is one of at most 900 sq ft', () => {
    expect(found()).toMatchObject({ maxUnits: 1, units: [{ kind: 'detached', sqft: 900 }], confidence: 'medium' })
    expect(found().aduScore).toBeGreaterThan(40)
  })

  it('is at most half of the house', () => {
    expect(found({ livingSqft: 1500 }).units).toEqual([{ kind: 'detached', sqft: 750 }])
    expect(rule('MA_SIZE', { livingSqft: 1500 })).toEqual(['pass', '750 sq ft'])
    expect(rule('MA_SIZE', { livingSqft: undefined })).toEqual(['unknown', '900 sq ft'])
  })

  it('fits what the house leaves of the ground cover', () => {
    // 12.5% of 20,000 is 2,500; the house covers 2,200, and a height of 30 ft allows two floors on the 300 left.
    expect(found({ livingSqft: 4400 }).units).toEqual([{ kind: 'detached', sqft: 600 }])
    // 440 sq ft of ground cover are a cottage of 880, within 900.
    expect(found({ livingSqft: 4120 }).units).toEqual([{ kind: 'detached', sqft: 880 }])
    const low = { ...districtOf('Nantucket', 'R-20')!, heightFt: 20 }
    expect(found({ livingSqft: 4120, district: low }).units).toEqual([{ kind: 'detached', sqft: 440 }])
    // The house covers all of it.
    expect(found({ livingSqft: 5000 })).toMatchObject({
      maxUnits: 0,
      units: [],
      aduScore: undefined,
      blockers: [{ code: 'NO_ROOM' }],
    })
    expect(rule('MA_DIMENSION', { livingSqft: 5000 })).toEqual(['warn', '0 sq ft'])
  })

  it('is limited by yard and size alone where the ground cover or the house is unknown', () => {
    const { groundCoverPct: _, ...district } = districtOf('Nantucket', 'R-20')!
    expect(found({ livingSqft: 3600, district }).units).toEqual([{ kind: 'detached', sqft: 900 }])
    expect(found({ livingSqft: undefined }).units).toEqual([{ kind: 'detached', sqft: 900 }])
  })

  it('is the larger of a detached unit and the garage', () => {
    // Of 2,500 sq ft of ground cover, house and garage leave 260 and 240, on two floors 520 and 480.
    const unit = (changes: Partial<RuleFacts>) => found(changes).units[0]
    expect(unit({ livingSqft: 3480, garageSqft: 500 })).toEqual({ kind: 'detached', sqft: 520 })
    expect(unit({ livingSqft: 3520, garageSqft: 500 })).toEqual({ kind: 'conversion', sqft: 500 })
  })

  it('is the converted garage where the yard has no room', () => {
    expect(found({ livingSqft: 4000, garageSqft: 480 }).units).toEqual([{ kind: 'conversion', sqft: 480 }])
  })

  it('stays unknown without a lot size', () => {
    const unknown = found({ lotSqft: undefined })
    expect(unknown).toMatchObject({ units: [], confidence: 'low' })
    expect([unknown.aduScore, unknown.maxUnits]).toEqual([undefined, undefined])
  })
})

describe('the rules', () => {
  it('apply only in Massachusetts', () => {
    const elsewhere = found({ state: 'CA', city: cityBySlug('palo-alto') })
    expect(elsewhere).toMatchObject({ maxUnits: 0, warnings: [], blockers: [{ code: 'NOT_MASSACHUSETTS' }] })
  })

  it('need a district with single-family homes, a dwelling and a lot', () => {
    expect(rule('MA_ZONE', { district: undefined })).toEqual(['unknown', 'R-20'])
    expect(
      found({ district: { ...districtOf('Nantucket', 'R-20')!, codes: ['CDT'], singleFamily: false } }),
    ).toMatchObject({
      maxUnits: 0,
      blockers: [{ code: 'MA_ZONE' }],
    })
    expect(found({ propertyType: 'land', livingSqft: undefined }).blockers).toMatchObject([{ code: 'MA_DWELLING' }])
    expect(found({ propertyType: 'condo' }).blockers).toMatchObject([{ code: 'NO_OWN_LOT' }])
    expect(rule('NO_OWN_LOT', { propertyType: 'townhouse' })).toEqual(['unknown', 'townhouse'])
  })

  it('allow one protected unit, and warn where another dwelling is on record', () => {
    expect(rule('MA_COUNT')).toEqual(['pass', '1 on record'])
    expect(rule('MA_COUNT', { units: 2 })).toEqual(['warn', '2 on record'])
    expect(rule('MA_COUNT', { units: undefined })).toEqual(['warn', 'unknown'])
    expect(rule('MA_OLD_ADU', { units: 2 })[0]).toBe('warn')
  })

  it('do not depend on lot minimum, owner or bedrooms', () => {
    const small = { lotSqft: 9000, lotWidthFt: 75, lotDepthFt: 120, livingSqft: 900 }
    for (const code of ['MA_MIN_LOT', 'MA_OWNER', 'MA_BEDROOMS']) expect(rule(code, small)[0]).toBe('pass')
  })

  it('require no parking near transit', () => {
    expect(rule('MA_PARKING')).toEqual(['pass', 'at most 1'])
    expect(rule('MA_PARKING', { overlays: { transitHalfMile: 'yes' } })).toEqual(['pass', '0 spaces'])
  })

  it('make septic a condition, unknown where it is unknown', () => {
    const septic = (value: 'yes' | 'no' | 'unknown') => rule('MA_SEPTIC', { overlays: { septic: value } })[0]
    expect([septic('yes'), septic('no'), septic('unknown')]).toEqual(['warn', 'pass', 'unknown'])
  })

  it('name site plan review, short-term rental, covenants and the commission as conditions', () => {
    const review = { name: 'Old Harbor', body: 'Harbor Commission', source: 'a law' }
    expect(found({ review }).warnings.join()).toMatch(/MA_SITE_PLAN.*MA_REVIEW: Harbor Commission.*MA_STR/s)
    expect(rule('MA_COVENANT')[0]).toBe('unknown')
    expect(rule('MA_COVENANT', { propertyType: 'townhouse' })[0]).toBe('warn')
    expect(rule('MA_REVIEW')[0]).toBe('unknown')
  })

  it('that are only generally known have low confidence', () => {
    expect(maAduRules.find(({ code }) => code === 'MA_GFA')?.confidence).toBe('low')
  })
})

it('the law is in force from February 2, 2025', () => {
  const market = { laws: [{ id: 'us-ma-adu', since: '2025-02-02' }] }
  expect(lawsOf(market, '2025-02-01')).toEqual([])
  expect(lawsOf(market, '2025-02-02').map(({ id }) => id)).toEqual(['us-ma-adu'])
})

it('the limits themselves are allowed', () => {
  const test = (code: string, facts: object) => {
    const { outcome, value } = maAduRules.find((each) => each.code === code)!.test({ ...parcel(), ...facts })
    return [outcome, value]
  }
  expect([350, 349].map((roomSqft) => test('MA_DIMENSION', { roomSqft })[0])).toEqual(['pass', 'warn'])
  expect(test('MA_DWELLING', { livingSqft: undefined })).toEqual(['unknown', 'unknown'])
  expect(test('MA_DWELLING', { livingSqft: 900 })).toEqual(['pass', '900 sq ft'])
  expect([1, 2, undefined].map((units) => test('MA_OLD_ADU', { units }))).toEqual([
    ['pass', '1 on record'],
    ['warn', '2 on record'],
    ['warn', 'unknown'],
  ])
  // 12.5% may be covered, the house covers 11.5%, and 1% of the lot is 350 sq ft, on two floors 700.
  expect(found({ lotSqft: 35_000, lotWidthFt: 175, livingSqft: 8050 }).units).toEqual([{ kind: 'detached', sqft: 700 }])
  const garage = (garageSqft: number) => found({ livingSqft: 4800, garageSqft }).units
  expect([garage(220), garage(219)]).toEqual([[{ kind: 'conversion', sqft: 220 }], []])
})
