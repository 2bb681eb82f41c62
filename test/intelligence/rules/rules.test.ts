import { describe, expect, it } from 'vitest'
import { type Rule, traceOf } from '../../../src/intelligence/rules/rule.ts'
import { aduRules } from '../../../src/laws/us-ca-adu/adu.ts'
import { sb9Rules } from '../../../src/laws/us-ca-sb9/sb9.ts'

const lists = { sb9: sb9Rules, adu: aduRules } as unknown as Record<'sb9' | 'adu', readonly Rule<object>[]>
const nothingKnown = { market: 'sf-peninsula', overlays: {} }
const days = ['2022-06-01', '2024-06-01', '2025-03-01', '2025-12-31', '2026-01-01', '2026-07-01', '2026-11-15']

/** Each test of the two laws' tables, and the codes that answer it. */
const sb9Table: Readonly<Record<string, readonly string[]>> = {
  'single-family zone': ['NOT_SF_ZONE'],
  urbanised: ['NOT_URBANIZED'],
  'farmland, wetland, easement, habitat': ['FARMLAND', 'WETLAND', 'CONSERVATION_EASEMENT', 'HABITAT'],
  'very high fire hazard': ['VHFHSZ'],
  'hazardous waste': ['HAZWASTE'],
  'earthquake fault': ['FAULT_ZONE'],
  flood: ['FLOOD'],
  historic: ['HISTORIC_LISTED', 'HISTORIC_CONTRIBUTING'],
  'protected housing': ['TENANT_3Y', 'RENT_CONTROL', 'AFFORDABLE'],
  'Ellis Act': ['ELLIS_15Y', 'ELLIS_SPLIT'],
  'resulting lots': ['LOT_TOO_SMALL', 'SPLIT_RATIO'],
  'one split only': ['PRIOR_SB9_SPLIT'],
  'adjacent split': ['ADJACENT_SPLIT'],
  'owner occupancy': ['OWNER_OCC'],
  units: ['UNITS'],
  'unit size': ['UNIT_SIZE'],
  setbacks: ['SETBACKS'],
  parking: ['PARKING'],
  'rental term': ['STR_PLAN'],
  access: ['NO_ACCESS'],
  'denial test': ['DENIAL_TEST'],
  clock: ['CLOCK'],
  'local standards': ['LOCAL_STANDARDS', 'LOCAL_SPLIT_STANDARDS'],
  'related laws and risks': ['COASTAL_PERMIT', 'HOA_COVENANTS', 'CHARTER_CITY', 'BUILDERS_REMEDY'],
}
const aduTable = [
  'BY_RIGHT_SET',
  'JUNIOR',
  'MULTIFAMILY',
  'SIZE_FLOORS',
  'GUARANTEE_800',
  'SETBACKS',
  'HEIGHT',
  'MIN_LOT',
  'PARKING',
  'OWNER_OCCUPANCY',
  'FEES',
  'CLOCK',
  'LEGALISATION',
  'SALE',
  'CLEAN_UP',
  'RENTAL_TERM',
  'LOCAL_ORDINANCE',
  'PLAN_CHECK',
  'COASTAL_PERMIT',
  'REAR_ACCESS',
  'STEEP',
  'VHFHSZ',
  'SEPTIC',
]

/** What the law grants or asks of every parcel alike: true without knowing anything of this one. */
const holdsAnyway = new Set([
  'NOT_CALIFORNIA',
  'UNITS',
  'UNIT_SIZE',
  'SETBACKS',
  'PARKING',
  'LOCAL_STANDARDS',
  'LOCAL_SPLIT_STANDARDS',
  'DENIAL_TEST',
  'CLOCK',
  'BY_RIGHT_SET',
  'JUNIOR',
  'SIZE_FLOORS',
  'GUARANTEE_800',
  'HEIGHT',
  'MIN_LOT',
  'OWNER_OCCUPANCY',
  'FEES',
  'LEGALISATION',
  'SALE',
  'CLEAN_UP',
  'PLAN_CHECK',
  'AB_130',
])

describe.each(['sb9', 'adu'] as const)('%s rules', (law) => {
  const rules = lists[law]

  it('each rule states its question, citation, confidence and force', () => {
    for (const rule of rules) {
      expect(rule.title.length, rule.code).toBeGreaterThan(3)
      expect(rule.citation.length, rule.code).toBeGreaterThan(5)
      expect(['high', 'medium', 'low']).toContain(rule.confidence)
      expect(['absolute', 'conditional', 'obligation']).toContain(rule.force)
      for (const day of [rule.effectiveFrom, rule.effectiveUntil])
        if (day !== undefined) expect(day).toMatch(/^20\d\d-\d\d-\d\d$/)
    }
  })

  it('on no day do two versions of one rule apply', () => {
    for (const day of days) {
      const codes = traceOf(rules, nothingKnown, day).map((row) => row.code)
      expect(new Set(codes).size, day).toBe(codes.length)
    }
  })

  it('for a parcel without facts, no rule that needs a fact passes', () => {
    for (const day of days)
      for (const row of traceOf(rules, nothingKnown, day))
        if (row.outcome === 'pass') expect([...holdsAnyway], `${row.code} on ${day}`).toContain(row.code)
  })

  it('a rule in force answers with a reason', () => {
    for (const row of traceOf(rules, nothingKnown, '2026-11-15')) expect(row.because.length).toBeGreaterThan(5)
  })
})

describe('the tables of the two laws', () => {
  const inForce = (law: 'sb9' | 'adu', day: string) => traceOf(lists[law], nothingKnown, day).map((row) => row.code)

  it.each(Object.entries(sb9Table))('SB 9: %s is asked', (_, codes) => {
    for (const code of codes) expect(inForce('sb9', '2026-11-15')).toContain(code)
  })

  it.each(aduTable)('accessory units: %s is asked', (code) => {
    expect(inForce('adu', '2026-11-15')).toContain(code)
  })

  it('SB 450 ends the wall limit and starts the 60-day limit on January 1, 2025', () => {
    expect(inForce('sb9', '2024-12-31')).toContain('EXTERIOR_WALLS')
    expect(inForce('sb9', '2024-12-31')).not.toContain('CLOCK')
    expect(inForce('sb9', '2025-01-01')).not.toContain('EXTERIOR_WALLS')
    expect(inForce('sb9', '2025-01-01')).toContain('CLOCK')
  })

  it('from January 1, 2026, AB 1061 no longer blocks a parcel only because it is in a historic district', () => {
    expect(inForce('sb9', '2025-12-31')).toContain('HISTORIC_DISTRICT')
    expect(inForce('sb9', '2025-12-31')).not.toContain('HISTORIC_CONTRIBUTING')
    expect(inForce('sb9', '2026-01-01')).not.toContain('HISTORIC_DISTRICT')
    expect(inForce('sb9', '2026-01-01')).toContain('HISTORIC_CONTRIBUTING')
  })

  it('fire, fault and flood zones are conditions, not blocks', () => {
    const forces = new Map(sb9Rules.map((rule) => [rule.code, rule.force]))
    for (const code of ['VHFHSZ', 'FAULT_ZONE', 'FLOOD', 'TENANT_3Y', 'ELLIS_SPLIT'])
      expect(forces.get(code)).toBe('conditional')
    for (const code of ['FARMLAND', 'WETLAND', 'ELLIS_15Y']) expect(forces.get(code)).toBe('absolute')
  })
})
