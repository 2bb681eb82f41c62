import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type OverlayName, type Overlays, overlayNames, type Tristate } from '../../src/domain/facts.ts'
import { cityBySlug } from '../../src/domain/packs/markets.ts'
import { planLotSplit, splitLimits } from '../../src/laws/us-ca-sb9/lot-split.ts'
import { sb9, sb9Rules } from '../../src/laws/us-ca-sb9/sb9.ts'
import { districtOf } from '../setup/city-rules.ts'

const today = '2026-11-15'
const all = (value: Tristate): Overlays => Object.fromEntries(overlayNames.map((name) => [name, value]))
type Parcel = Parameters<typeof sb9>[0]

/** A Palo Alto house on a plain 6,000-sqft lot with every overlay known to be absent. */
function parcel(changes: Partial<Parcel> = {}, overlays: Overlays = {}): Parcel {
  return {
    state: 'CA',
    propertyType: 'single_family',
    lotSqft: 6000,
    lotWidthFt: 50,
    lotDepthFt: 120,
    cornerLot: false,
    zoning: 'R-1',
    district: districtOf('Palo Alto', 'R-1'),
    city: cityBySlug('palo-alto'),
    ...changes,
    overlays: { ...all('no'), ...overlays },
  }
}
const codes = (finding: ReturnType<typeof sb9>) => finding.blockReasons.map((one) => one.code)

describe('SB 9', () => {
  it('a parcel that passes every rule is eligible for four units on two lots', () => {
    const found = sb9(parcel(), today)
    expect(found).toMatchObject({
      sb9Status: 'eligible',
      maxUnits: 4,
      blockReasons: [],
      missing: ['HOA_COVENANTS'],
    })
    expect(found.lotSplit.eligible).toBe(true)
    expect(found.lotSplit.lots.map((lot) => lot.sqft)).toEqual([3000, 3000])
  })

  it('with footprints, a split keeps the house only if a line that leaves each lot 40% misses it', () => {
    const house = (from: number, to: number) => [
      { sqft: 1500, toLinesFt: 5, alongFt: [from, to], acrossFt: [5, 45] } as const,
    ]
    const splitOf = (buildings: Parcel['buildings'], variant: string) =>
      sb9(parcel({ buildings }), today).uses!.find((use) => use.scheme === 'split' && use.variant === variant)?.allowed
    const before = sb9(parcel(), today).uses!.find((use) => use.scheme === 'split')?.allowed
    // The lot is 120 ft deep: the line lies between 48 and 72 ft.
    expect(splitOf(house(20, 60), 'house_stays')).toBe(before)
    expect(splitOf(house(20, 80), 'house_stays')).toBe('no')
    expect(splitOf(house(20, 80), 'house_goes')).toBe(before)
    expect(splitOf([], 'house_stays')).toBe(before)
  })

  it('names keep their capitals in the sentence about an untested rule', () => {
    const { trace } = sb9(parcel({}, { ellisLast15y: 'unknown' }), today)
    const said = trace.filter(({ outcome }) => outcome === 'unknown').map(({ because }) => because)
    expect(said).toContain('Unknown: withdrawn from rent under the Ellis Act in the last 15 years.')
  })

  it('status, units, split and lots agree on every parcel', () => {
    const tri = fc.constantFrom<Tristate>('yes', 'no', 'no', 'no', 'no', 'no', 'no', 'unknown')
    const random = fc.record(Object.fromEntries(overlayNames.map((name) => [name, tri]))) as fc.Arbitrary<Overlays>
    const none = Object.fromEntries(overlayNames.map((name) => [name, 'no'])) as Overlays
    const overlays = fc.oneof(random, fc.constant(none))
    const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
    const parcels = fc.record({
      zoning: maybe(fc.constantFrom('R-1', 'R-1(10000)', 'R-2', 'P(38)', 'RT-35')),
      propertyType: maybe(fc.constantFrom('single_family', 'condo', 'townhouse', 'land', 'multi_family')),
      lotSqft: maybe(fc.integer({ min: 1000, max: 20_000 })),
      lotWidthFt: maybe(fc.integer({ min: 20, max: 150 })),
      lotDepthFt: maybe(fc.integer({ min: 40, max: 300 })),
      cornerLot: maybe(fc.boolean()),
    })
    const seen = new Set<string>()
    fc.assert(
      fc.property(overlays, parcels, (over, changes) => {
        const district = districtOf('Palo Alto', changes.zoning)
        const found = sb9({ ...parcel({ ...changes, district } as Partial<Parcel>), overlays: over }, today)
        const { sb9Status, maxUnits, lotSplit, untestedRules, trace } = found
        seen.add(`${sb9Status} ${maxUnits}`)
        const open = ['eligible', 'likely'].includes(lotSplit.status)
        expect([0, 2, 4]).toContain(maxUnits)
        const barsTwo = trace.some(({ appliesTo, outcome }) => appliesTo === 'two_unit' && outcome === 'fail')
        expect(lotSplit.eligible).toBe(open && lotSplit.lots.length === 2)
        expect(maxUnits === 4).toBe(lotSplit.eligible && !barsTwo)
        expect(lotSplit.lots.length).toBe(lotSplit.eligible ? 2 : 0)
        expect(maxUnits === 0).toBe(sb9Status === 'blocked' || sb9Status === 'unknown_zone')
        const deciding = trace.filter((row) => row.force !== 'obligation')
        const behind = deciding.filter((row) =>
          maxUnits === 4 ? true : row.appliesTo !== (lotSplit.eligible ? 'two_unit' : 'split'),
        )
        if (sb9Status === 'eligible') expect(behind.every((row) => row.outcome === 'pass')).toBe(true)
        if (sb9Status === 'likely') {
          const codesOfOpen = behind.filter((row) => row.outcome !== 'pass').map((row) => row.code)
          expect(codesOfOpen.length).toBeGreaterThan(0)
          expect(untestedRules.map((rule) => rule.code)).toEqual(expect.arrayContaining(codesOfOpen))
          for (const { rule, reason, citation } of untestedRules)
            for (const text of [rule, reason, citation]) expect(text.length).toBeGreaterThan(3)
          const unknown = untestedRules.some(({ code }) =>
            trace.some((row) => row.code === code && row.outcome === 'unknown'),
          )
          expect(/^UNTESTED: /.test(found.warnings[0] ?? '')).toBe(unknown)
        }
        expect(codes(found)).toEqual(trace.filter((row) => row.outcome === 'fail').map((row) => row.code))
      }),
      { numRuns: 2000 },
    )
    expect([...seen].sort()).toEqual([
      'blocked 0',
      'eligible 2',
      'eligible 4',
      'likely 2',
      'likely 4',
      'unknown_zone 0',
    ])
  })

  it('a split that could not be tested keeps its four units at likely, and names the rule in words', () => {
    const found = sb9(parcel({}, { adjacentSb9Split: 'unknown' }), today)
    expect(found).toMatchObject({ sb9Status: 'likely', maxUnits: 4, lotSplit: { eligible: true, status: 'likely' } })
    expect(found.untestedRules).toEqual([
      expect.objectContaining({ code: 'ADJACENT_SPLIT', appliesTo: 'split', citation: 'Gov. Code 66411.7(a)(3)(G)' }),
    ])
    expect(found.warnings[0]).toMatch(/^UNTESTED: 1 rule could not be confirmed: .*adjacent parcel/)
  })

  it('without the lot size at most two units are stated', () => {
    const found = sb9(parcel({ lotSqft: undefined }), today)
    expect(found).toMatchObject({ sb9Status: 'eligible', maxUnits: 2 })
    expect(found.lotSplit).toEqual({ eligible: false, status: 'unknown', lots: [] })
  })

  const overlayOnly: [OverlayName, string][] = [
    ['farmland', 'FARMLAND'],
    ['wetland', 'WETLAND'],
    ['conservationEasement', 'CONSERVATION_EASEMENT'],
    ['habitat', 'HABITAT'],
    ['hazardousWaste', 'HAZWASTE'],
    ['historicListed', 'HISTORIC_LISTED'],
  ]
  it.each(overlayOnly)('%s blocks with %s and its citation', (overlay, code) => {
    const found = sb9(parcel({}, { [overlay]: 'yes' }), today)
    expect(found.sb9Status).toBe('blocked')
    expect(codes(found)).toEqual([code])
    expect(found.blockReasons[0]!.citation).toMatch(/Code|AB/)
    const unknown = sb9(parcel({}, { [overlay]: 'unknown', historicDistrict: 'unknown' }), today)
    expect(unknown.sb9Status).toBe('likely')
    expect(unknown.missing).toContain(code)
  })

  it.each([
    ['tenantLast3y', 'TENANT_3Y'],
    ['rentControlled', 'RENT_CONTROL'],
    ['affordableDeed', 'AFFORDABLE'],
  ] as const)('%s bars demolition or alteration only: what leaves the house alone stays likely', (overlay, code) => {
    const found = sb9(parcel({}, { [overlay]: 'yes' }), today)
    expect(found).toMatchObject({ sb9Status: 'likely', maxUnits: 4, blockReasons: [], lotSplit: { status: 'likely' } })
    expect(found.warnings.join()).toContain(`${code}: `)
    const allowed = (scheme: string, variant: string) =>
      found.uses!.find((use) => use.scheme === scheme && use.variant === variant)!
    expect(allowed('two_units', 'house_stays')).toMatchObject({ allowed: 'yes', homes: 2, approval: 'ministerial' })
    expect(allowed('two_units', 'house_stays').conditions.map((one) => one.code)).toContain(code)
    expect(allowed('split', 'house_stays')).toMatchObject({ allowed: 'conditional', homes: 4, lots: 2 })
    for (const scheme of ['two_units', 'split']) {
      expect(allowed(scheme, 'house_goes').allowed).toBe('no')
      expect(allowed(scheme, 'house_goes').homes).toBeUndefined()
    }
    const unknown = sb9(parcel({}, { [overlay]: 'unknown' }), today)
    expect(unknown.sb9Status).toBe('likely')
    expect(unknown.missing).toContain(code)
  })

  it.each([
    ['ellisLast15y', 'ELLIS_15Y'],
    ['historicContributing', 'HISTORIC_CONTRIBUTING'],
  ] as const)('%s bars two units; a split that leaves the house alone gives one home on each lot', (overlay, code) => {
    const found = sb9(parcel({}, { [overlay]: 'yes' }), today)
    expect(found).toMatchObject({ sb9Status: 'likely', maxUnits: 2, lotSplit: { eligible: true, status: 'likely' } })
    expect(found.blockReasons).toMatchObject([{ code, appliesTo: 'two_unit' }])
    const uses = found.uses!.map(({ scheme, variant, allowed, homes }) => [scheme, variant, allowed, homes])
    expect(uses).toEqual([
      ['two_units', 'house_stays', 'no', undefined],
      ['split', 'house_stays', 'conditional', 2],
      ['two_units', 'house_goes', 'no', undefined],
      ['split', 'house_goes', 'no', undefined],
    ])
  })

  it('vacant land has no house to keep, and an owner must intend to live on one of the lots', () => {
    const found = sb9(parcel({ propertyType: 'land' }), today)
    expect(found.uses!.map(({ scheme, variant, allowed }) => [scheme, variant, allowed])).toEqual([
      ['two_units', undefined, 'yes'],
      ['split', undefined, 'conditional'],
    ])
    expect(found.uses![1]!.conditions.map(({ code }) => code)).toContain('OWNER_OCC')
  })

  it('a known fire zone is a condition, not a rule that could not be tested', () => {
    const [untested] = sb9(parcel({}, { veryHighFire: 'yes', farmland: 'unknown' }), today).warnings
    expect(untested).toMatch(/^UNTESTED: 1 rule could not be confirmed: prime farmland/)
  })

  it.each([
    ['veryHighFire', 'VHFHSZ'],
    ['faultZone', 'FAULT_ZONE'],
    ['floodZone', 'FLOOD'],
  ] as const)('%s is conditional: it warns and keeps the parcel at likely', (overlay, code) => {
    const found = sb9(parcel({}, { [overlay]: 'yes' }), today)
    expect(found.sb9Status).toBe('likely')
    expect(found.blockReasons).toEqual([])
    expect(found.warnings.join()).toContain(code)
  })

  it('a historic district blocked until AB 1061 took effect on 1 January 2026, and no longer', () => {
    const inDistrict = parcel({}, { historicDistrict: 'yes' })
    expect(codes(sb9(inDistrict, '2025-12-31'))).toEqual(['HISTORIC_DISTRICT'])
    expect(sb9(inDistrict, '2026-01-01').sb9Status).toBe('eligible')
    expect(sb9(parcel({}, { historicContributing: 'yes' }), '2025-12-31').sb9Status).toBe('eligible')
  })

  it('SB 450 appears on its day', () => {
    const near = parcel({}, { transitHalfMile: 'yes' })
    const has = (on: string, code: string) => sb9(near, on).trace.some((row) => row.code === code)
    expect(has('2024-12-31', 'EXTERIOR_WALLS')).toBe(true)
    expect(has('2025-01-01', 'EXTERIOR_WALLS')).toBe(false)
    expect(has('2024-12-31', 'CLOCK')).toBe(false)
    expect(has('2025-01-01', 'CLOCK')).toBe(true)
    expect(codes(sb9(near, '2021-12-31'))).toContain('NOT_IN_FORCE')
  })

  it('a lot too small to split still takes two units', () => {
    const found = sb9(parcel({ lotSqft: 2399 }), today)
    expect(found).toMatchObject({ sb9Status: 'eligible', maxUnits: 2 })
    expect(found.lotSplit).toMatchObject({ eligible: false, status: 'blocked', lots: [] })
    expect(found.blockReasons.map((one) => [one.code, one.appliesTo])).toEqual([
      ['LOT_TOO_SMALL', 'split'],
      ['SPLIT_RATIO', 'split'],
    ])
  })

  it('an earlier split of the parcel blocks another split only', () => {
    const found = sb9(parcel({}, { priorSb9Split: 'yes' }), today)
    expect(found).toMatchObject({ sb9Status: 'eligible', maxUnits: 2 })
    expect(codes(found)).toEqual(['PRIOR_SB9_SPLIT'])
  })

  it('the split of a neighbor by an unknown owner does not block: the parcel stays likely', () => {
    const found = sb9(parcel({}, { adjacentSb9Split: 'yes' }), today)
    expect(found).toMatchObject({ sb9Status: 'likely', maxUnits: 4, blockReasons: [] })
    expect(found.untestedRules.map(({ code }) => code)).toEqual(['ADJACENT_SPLIT'])
  })

  it('a townhouse may not have its own lot: unknown, never eligible', () => {
    const found = sb9(parcel({ propertyType: 'townhouse' }), today)
    expect(found.sb9Status).toBe('likely')
    expect(found.untestedRules.map(({ code }) => code)).toContain('NO_OWN_LOT')
  })

  it('the builder’s remedy is flagged where the housing element is out of compliance, unknown where it was not read', () => {
    const outcome = (slug: string) =>
      sb9(parcel({ city: cityBySlug(slug) }), today).trace.find(({ code }) => code === 'BUILDERS_REMEDY')!.outcome
    expect([outcome('half-moon-bay'), outcome('palo-alto'), outcome('los-altos')]).toEqual(['warn', 'pass', 'unknown'])
  })

  it('a contributing structure blocks two units without a test of exterior walls, a district alone does not', () => {
    const found = sb9(parcel({}, { historicContributing: 'yes' }), today)
    expect(found.blockReasons[0]!.reason).not.toMatch(/wall/)
    expect(sb9(parcel({}, { historicDistrict: 'yes' }), today).sb9Status).toBe('eligible')
  })

  it('says that an unsplit lot can reach four homes with accessory units', () => {
    expect(sb9(parcel(), today).trace.find(({ code }) => code === 'UNITS')!.because).toContain('up to four homes')
  })

  it('a district without known rules is unknown_zone, a duplex district and a condominium are blocked', () => {
    for (const zoning of ['HR', undefined])
      expect(sb9(parcel({ district: undefined, zoning }), today)).toMatchObject({
        sb9Status: 'unknown_zone',
        maxUnits: 0,
        lotSplit: { eligible: false, lots: [] },
        confidence: 'low',
      })
    const duplex = parcel({ district: districtOf('Daly City', 'R-1/A'), city: cityBySlug('daly-city') })
    expect(codes(sb9(duplex, today))).toEqual(['NOT_SF_ZONE'])
    expect(codes(sb9(parcel({ propertyType: 'condo' }), today))).toEqual(['NO_OWN_LOT'])
  })

  it('a district that is not in the table is blocked when its name says several homes or business, else unknown', () => {
    const status = (zoning: string) => sb9(parcel({ district: undefined, zoning }), today).sb9Status
    for (const zoning of [
      'R-2',
      'R3',
      'R4D',
      'RM-30',
      'R-MU',
      'RHD',
      'C-1',
      'C1-2/R4',
      'MU-N-120',
      'CMU',
      'CD-C(P)',
      'R-3/S-1',
    ])
      expect(status(zoning), zoning).toBe('blocked')
    for (const zoning of ['R-20', 'R-1/S-8', 'RS-4', 'R1-9', 'R-E/S-10', 'RD-4', 'HR', 'P(38)', 'RMA'])
      expect(status(zoning), zoning).toBe('unknown_zone')
  })

  it('outside the cities it must be shown to be urbanized', () => {
    const rural = (urbanized: Tristate) => sb9(parcel({ city: cityBySlug('san-mateo-county') }, { urbanized }), today)
    expect(rural('unknown').sb9Status).toBe('likely')
    expect(codes(rural('no'))).toEqual(['NOT_URBANIZED'])
    expect(rural('yes').sb9Status).toBe('eligible')
  })

  it('on Nantucket the only answer is that the law applies in California', () => {
    const found = sb9(
      parcel({ state: 'MA', city: cityBySlug('nantucket'), district: districtOf('Nantucket', 'R-10') }),
      today,
    )
    expect(found).toMatchObject({ sb9Status: 'blocked', maxUnits: 0, warnings: [] })
    expect(codes(found)).toEqual(['NOT_CALIFORNIA'])
  })

  it('warns of owner-occupancy and coastal permit; charter-city litigation is a note with low confidence', () => {
    expect(sb9(parcel(), today).warnings.join()).toContain('OWNER_OCC')
    expect(sb9(parcel(), today).trace.find(({ code }) => code === 'CHARTER_CITY')).toMatchObject({
      outcome: 'pass',
      confidence: 'low',
      because: expect.stringContaining('sent back'),
    })
    const onCoast = (city: string | undefined, coastalZone: Tristate) => {
      const facts = parcel({ city: city === undefined ? undefined : cityBySlug(city) }, { coastalZone })
      return sb9(facts, today).trace.find(({ code }) => code === 'COASTAL_PERMIT')?.outcome
    }
    expect((['yes', 'no', 'unknown'] as const).map((value) => onCoast('pacifica', value))).toEqual([
      'warn',
      'pass',
      'warn',
    ])
    expect([onCoast('palo-alto', 'yes'), onCoast('palo-alto', 'unknown')]).toEqual(['warn', 'pass'])
    expect([onCoast(undefined, 'no'), onCoast(undefined, 'unknown')]).toEqual(['pass', 'unknown'])
    const coast = sb9(parcel({ city: cityBySlug('pacifica') }, { coastalZone: 'unknown' }), today)
    expect(coast.warnings.join()).toContain('COASTAL_PERMIT')
    expect(coast.warnings.join()).not.toContain('CHARTER_CITY')
  })

  it('names the rules that were tested, and is less confident with each that was not', () => {
    const found = sb9(parcel({}, { farmland: 'unknown' }), today)
    expect(found.used).toEqual(expect.arrayContaining(['NOT_SF_ZONE', 'WETLAND']))
    expect(found.used).not.toContain('FARMLAND')
    // A grant of the law tests nothing.
    expect(found.used).not.toContain('SETBACKS')
    const confidence = (changes: Partial<Parcel>, overlays: Overlays = {}) =>
      sb9(parcel(changes, overlays), today).confidence
    expect(confidence({})).toBe('high')
    expect(confidence({ lotDepthFt: undefined })).toBe('medium')
    expect(confidence({ lotWidthFt: undefined })).toBe('medium')
    expect(confidence({ lotSqft: undefined })).toBe('medium')
    const three = { farmland: 'unknown', wetland: 'unknown', habitat: 'unknown' } as const
    expect(confidence({}, { farmland: 'unknown' })).toBe('medium')
    expect(confidence({}, three)).toBe('medium')
    expect(confidence({}, { ...three, hazardousWaste: 'unknown' })).toBe('low')
    expect(confidence({}, { wetland: 'yes' })).toBe('medium')
  })

  it('where a split is unknown its untested rules are named too, where it is blocked they do not matter', () => {
    const untested = (changes: Partial<Parcel>, overlays: Overlays) =>
      sb9(parcel(changes, overlays), today).untestedRules.map(({ code }) => code)
    expect(untested({ lotSqft: undefined }, { adjacentSb9Split: 'unknown' })).toContain('ADJACENT_SPLIT')
    expect(untested({}, { adjacentSb9Split: 'unknown', priorSb9Split: 'yes' })).toEqual([])
  })

  it('says how a lot can be split, and who split the neighbor', () => {
    const because = (code: string, changes: Partial<Parcel>, overlays: Overlays = {}) =>
      sb9(parcel(changes, overlays), today).trace.find((row) => row.code === code)!.because
    expect(because('SPLIT_RATIO', { lotSqft: 3000 })).toContain('A 60/40 split is also possible')
    expect(because('SPLIT_RATIO', { lotSqft: 2999 })).toContain('Only a nearly even split')
    expect(because('ADJACENT_SPLIT', {}, { adjacentSb9Split: 'yes' })).toContain('was split under SB 9')
    expect(because('ADJACENT_SPLIT', {}, { adjacentSb9Split: 'unknown' })).toMatch(/^Unknown: same owner/)
    expect(because('PARKING', {}, { transitHalfMile: 'yes' })).toContain('no parking may be required')
    expect(because('PARKING', {})).toContain('At most one space')
    expect(because('NO_ACCESS', { lotSqft: undefined })).toBe('The lot size is unknown.')
    expect(because('NO_ACCESS', { lotSqft: 2399 })).toContain('cannot be split')
  })

  it('every rule has a citation, and its dates are real days', () => {
    for (const rule of sb9Rules) {
      expect(rule.citation.length, rule.code).toBeGreaterThan(3)
      for (const day of [rule.effectiveFrom, rule.effectiveUntil])
        if (day) expect(new Date(day).toISOString().slice(0, 10)).toBe(day)
    }
  })
})

describe('lot split', () => {
  it('parts sum to the lot and neither is under 40% or 1,200 sq ft', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 500, max: 100_000 }),
        fc.option(fc.integer({ min: 20, max: 400 }), { nil: undefined }),
        fc.option(fc.integer({ min: 40, max: 900 }), { nil: undefined }),
        fc.option(fc.boolean(), { nil: undefined }),
        (lotSqft, lotWidthFt, lotDepthFt, cornerLot) => {
          const plan = planLotSplit({ lotSqft, lotWidthFt, lotDepthFt, cornerLot })
          expect(plan === undefined).toBe(lotSqft < 2400)
          if (!plan) return
          expect(plan.lots.reduce((sum, lot) => sum + lot.sqft, 0)).toBe(lotSqft)
          for (const lot of plan.lots) {
            expect(lot.sqft).toBeGreaterThanOrEqual(splitLimits.minLotSqft)
            expect(lot.sharePct).toBeGreaterThanOrEqual(splitLimits.minSharePct)
          }
          if (lotWidthFt === undefined) expect(plan.estimated).toBe(true)
        },
      ),
    )
  })

  it('a wide lot is split side by side, a corner lot across, a usual lot as a flag lot, a narrow one with an easement', () => {
    const how = (lotWidthFt: number, cornerLot = false) =>
      planLotSplit({ lotSqft: 6000, lotWidthFt, lotDepthFt: 6000 / lotWidthFt, cornerLot })!.how
    expect([how(100), how(50, true), how(50), how(30)]).toEqual(['side_by_side', 'across_corner', 'flag', 'easement'])
    const estimated = (lotWidthFt: number, lotDepthFt?: number) =>
      planLotSplit({ lotSqft: 2400, lotWidthFt, lotDepthFt })!.estimated
    expect([estimated(50), estimated(50, 48), estimated(30), estimated(30, 80)]).toEqual([true, false, true, false])
    // The strip to the rear lot and a usable front just fit.
    expect([how(37), how(36.9)]).toEqual(['flag', 'easement'])
    expect(
      planLotSplit({ lotSqft: 6000, lotWidthFt: 50, lotDepthFt: 120 })!.lots.map(({ frontageFt }) => frontageFt),
    ).toEqual([38, 12])
  })
})
