// Sixty constructed parcels that a land-use attorney went through: what the statute gives each of them.
import { expect, test } from 'vitest'
import type { Overlays } from '../../src/domain/facts.ts'
import type { LawFacts } from '../../src/laws/law.ts'
import { lawById } from '../../src/laws/list.ts'
import { northOf, parcelIn, vacant } from './parcels.ts'

type Changes = NonNullable<Parameters<typeof parcelIn>[2]>
const today = '2026-11-17'
const house = (changes: Changes = {}) => parcelIn('Palo Alto', 'R-1', changes)
const over = (overlays: Overlays) => house({ overlays })
const island = (changes: Changes = {}, zoning = 'R-20') =>
  parcelIn('Nantucket', zoning, {
    lotSqft: 20_000,
    lotWidthFt: 100,
    lotDepthFt: 200,
    livingSqft: 2400,
    stories: 2,
    garageSqft: 0,
    ...changes,
  })
const found = (law: string, facts: LawFacts, on: string) =>
  lawById(law)!.assess(facts, on) as unknown as Record<string, never>
interface Split {
  sb9Status: string
  maxUnits: number
  lotSplit: { status: string }
}
interface Row {
  code: string
  outcome: string
  citation: string
  because: string
}

/** Status, units and split under SB 9. */
const sb9 = (facts: LawFacts, on = today) => {
  const { sb9Status, maxUnits, lotSplit } = found('us-ca-sb9', facts, on) as unknown as Split
  return `${sb9Status} ${maxUnits} ${lotSplit.status}`
}
const rowOf = (law: string, code: string, facts: LawFacts, on = today) =>
  (found(law, facts, on).trace as unknown as Row[]).find((each) => each.code === code)
const ruled = (law: string, code: string, facts: LawFacts, on = today) =>
  rowOf(law, code, facts, on)?.outcome ?? 'no rule'
/** The units that fit, then what blocks. */
const units = (law: string, facts: LawFacts, on = today) => {
  const { units: fit, blockers } = found(law, facts, on) as unknown as {
    units: { kind: string; sqft: number }[]
    blockers: Row[]
  }
  return [...fit.map(({ kind, sqft }) => `${kind} ${sqft}`), ...blockers.map(({ code }) => code)].join(', ')
}
/** The best use under a law. */
const use = (law: string, facts: LawFacts, on = today) => {
  if (!lawById(law)) return 'no such law'
  const { allowed, homes } = (found(law, facts, on).uses as unknown as { allowed: string; homes?: number }[])[0]!
  return `${allowed}${homes === undefined ? '' : ` ${homes}`}`
}
const ca = 'us-ca-adu'
const ma = 'us-ma-adu'
const flats = {
  propertyType: 'multi_family',
  units: 4,
  lotSqft: 20_000,
  lotWidthFt: 100,
  lotDepthFt: 200,
  livingSqft: 4000,
  stories: 2,
  garageSqft: 800,
} as const

export const parcels: readonly (readonly [name: string, result: () => string, expected: string])[] = [
  ['1 plain lot', () => sb9(house()), 'eligible 4 eligible'],
  ['2 before 2022', () => sb9(house(), '2021-12-31'), 'blocked 0 blocked'],
  ['3 lot of 2,399', () => sb9(house({ lotSqft: 2399 })), 'eligible 2 blocked'],
  ['4 lot of 2,400', () => sb9(house({ lotSqft: 2400, lotWidthFt: 40, lotDepthFt: 60 })), 'eligible 4 eligible'],
  ['5 prior split', () => sb9(over({ priorSb9Split: 'yes' })), 'eligible 2 blocked'],
  ['6 adjacent split', () => sb9(over({ adjacentSb9Split: 'yes' })), 'likely 4 likely'],
  ['7 very high fire', () => sb9(over({ veryHighFire: 'yes' })), 'likely 4 likely'],
  ['8 flood', () => sb9(over({ floodZone: 'yes' })), 'likely 4 likely'],
  ['9 fault', () => sb9(over({ faultZone: 'yes' })), 'likely 4 likely'],
  ['10 farmland unknown', () => sb9(over({ farmland: 'unknown' })), 'likely 4 likely'],
  ['11 farmland', () => sb9(over({ farmland: 'yes' })), 'blocked 0 blocked'],
  ['12 wetland', () => sb9(over({ wetland: 'yes' })), 'blocked 0 blocked'],
  ['13 easement', () => sb9(over({ conservationEasement: 'yes' })), 'blocked 0 blocked'],
  ['14 condominium', () => sb9(house({ propertyType: 'condo' })), 'blocked 0 blocked'],
  [
    '15 historic district before AB 1061',
    () => sb9(over({ historicDistrict: 'yes' }), '2025-12-31'),
    'blocked 0 blocked',
  ],
  ['16 historic district after it', () => sb9(over({ historicDistrict: 'yes' })), 'eligible 4 eligible'],
  ['17 listed', () => sb9(over({ historicListed: 'yes' })), 'blocked 0 blocked'],
  [
    '18 contributing (L2)',
    () => sb9(over({ historicContributing: 'yes', historicDistrict: 'yes' })),
    'likely 2 likely',
  ],
  ['19 tenant in three years (L1)', () => sb9(over({ tenantLast3y: 'yes' })), 'likely 4 likely'],
  ['20 rent control (L1)', () => sb9(over({ rentControlled: 'yes' })), 'likely 4 likely'],
  ['21 affordability deed (L1)', () => sb9(over({ affordableDeed: 'yes' })), 'likely 4 likely'],
  ['22 Ellis Act', () => sb9(over({ ellisLast15y: 'yes' })), 'likely 2 likely'],
  ['23 tenancy unknown', () => sb9(over({ tenantLast3y: 'unknown' })), 'likely 4 likely'],
  ['24 duplex district', () => sb9(house({ zoning: 'R-2', district: undefined } as Changes)), 'blocked 0 blocked'],
  ['25 unknown district', () => sb9(parcelIn('Palo Alto', 'HR')), 'unknown_zone 0 unknown'],
  [
    '26 rural county',
    () => sb9(parcelIn('San Mateo County', 'R-1/S-74', { overlays: { urbanized: 'no' } })),
    'blocked 0 blocked',
  ],
  ['27 wall rule in 2024', () => ruled('us-ca-sb9', 'EXTERIOR_WALLS', house(), '2024-12-31'), 'warn'],
  ['28 wall rule in 2025', () => ruled('us-ca-sb9', 'EXTERIOR_WALLS', house(), '2025-01-01'), 'no rule'],
  ['29 clock of SB 450', () => ruled('us-ca-sb9', 'CLOCK', house(), '2025-01-01'), 'pass'],
  [
    '30 SB 79: 700 ft, San Carlos (L10)',
    () => use('us-ca-transit', parcelIn('San Carlos', 'RS-6', northOf('San Carlos', 'San Carlos Caltrain', 700, 5000))),
    'likely 13',
  ],
  [
    '31 SB 79: 1,400 ft, city under 35,000 (L10)',
    () =>
      use('us-ca-transit', parcelIn('San Carlos', 'RS-6', northOf('San Carlos', 'San Carlos Caltrain', 1400, 5000))),
    'unknown',
  ],
  [
    '32 SB 79: 1,400 ft, larger city (L10)',
    () => use('us-ca-transit', parcelIn('Redwood City', 'R-1', northOf('Redwood City', 'Redwood City Caltrain', 1400))),
    'likely 13',
  ],
  [
    '33 SB 79: unincorporated',
    () =>
      use(
        'us-ca-transit',
        parcelIn('San Mateo County', 'R-1/S-74', northOf('Redwood City', 'Redwood City Caltrain', 700)),
      ),
    'no',
  ],
  [
    '34 SB 79: Broadway',
    () => use('us-ca-transit', parcelIn('Burlingame', 'R-1', northOf('Burlingame', 'Broadway Caltrain', 300))),
    'no',
  ],
  [
    '35 SB 79: tiny lot',
    () => use('us-ca-transit', parcelIn('San Carlos', 'RS-6', northOf('San Carlos', 'San Carlos Caltrain', 700, 1500))),
    'no',
  ],
  [
    '36 SB 79 on June 30, 2026',
    () =>
      use(
        'us-ca-transit',
        parcelIn('Redwood City', 'R-1', northOf('Redwood City', 'Redwood City Caltrain', 700)),
        '2026-06-30',
      ),
    'no',
  ],
  [
    '37 SB 1123: house on R-2, 9,000 sq ft (L3)',
    () => use('us-ca-small-lots', parcelIn('San Mateo', 'R-2', { lotSqft: 9000 })),
    'likely 10',
  ],
  [
    '38 SB 1123: vacant 3,000 sq ft (L3)',
    () => use('us-ca-small-lots', parcelIn('San Mateo', 'R1-C', { ...vacant, lotSqft: 3000 })),
    'likely 2',
  ],
  [
    '39 SB 1123: very high fire (L3)',
    () => use('us-ca-small-lots', parcelIn('San Mateo', 'R1-C', { ...vacant, overlays: { veryHighFire: 'yes' } })),
    'no',
  ],
  [
    '40 SB 1123 on June 30, 2025',
    () => use('us-ca-small-lots', parcelIn('San Mateo', 'R1-C', vacant), '2025-06-30'),
    'no',
  ],
  ['41 accessory units of a plain lot', () => units(ca, house()), 'detached 800, conversion 400, junior 300'],
  [
    '42 no yard, garage of 400 (L4)',
    () => units(ca, parcelIn('Daly City', 'R-1', { lotSqft: 2900, lotWidthFt: 29, lotDepthFt: 100, livingSqft: 1700 })),
    'conversion 400, junior 500',
  ],
  ['43 septic, 6,000 sq ft (L5)', () => units(ca, over({ septic: 'yes' })), 'detached 800, conversion 400, junior 300'],
  [
    '44 deed-restricted (L5)',
    () => units(ca, over({ affordableDeed: 'yes' })),
    'detached 800, conversion 400, junior 300',
  ],
  ['45 vacant land (L5)', () => units(ca, house(vacant)), 'detached 1000'],
  ['46 listed house', () => units(ca, over({ historicListed: 'yes' })), 'detached 800, conversion 400, junior 300'],
  ['47 condominium', () => units(ca, house({ propertyType: 'condo' })), 'NO_OWN_LOT'],
  [
    '48 four apartments (SB 1211)',
    () => units(ca, house(flats)),
    'detached 800, detached 800, detached 800, detached 800, conversion 800',
  ],
  [
    '49 coastal appeal before AB 462',
    () => `${/AB 462/.test(rowOf(ca, 'COASTAL_PERMIT', house(), '2025-10-09')!.citation)}`,
    'false',
  ],
  [
    '50 coastal permit since AB 462',
    () => `${/AB 462/.test(rowOf(ca, 'COASTAL_PERMIT', house(), '2025-10-10')!.citation)}`,
    'true',
  ],
  ['51 junior unit since AB 1154', () => ruled(ca, 'JUNIOR', house()), 'pass'],
  ['52 fees since SB 543', () => `${/66311\.5/.test(rowOf(ca, 'FEES', house())!.citation)}`, 'true'],
  [
    '53 18 ft only beside apartments (L9)',
    () => `${/multistory/.test(rowOf(ca, 'HEIGHT', house())!.because)}`,
    'false',
  ],
  ['54 rental term in 2021 (L9)', () => ruled(ca, 'RENTAL_TERM', house(), '2021-06-01'), 'warn'],
  ['55 Massachusetts: 900 sq ft', () => units(ma, island()), 'detached 900'],
  ['56 half of the house', () => units(ma, island({ livingSqft: 1500 })), 'detached 750'],
  ['57 440 sq ft of ground cover, two floors (L6)', () => units(ma, island({ livingSqft: 4120 })), 'detached 880'],
  ['58 vacant lot', () => units(ma, island({ ...vacant })), 'MA_DWELLING'],
  [
    '59 conservation restriction',
    () => ruled(ma, 'CONSERVATION_EASEMENT', island({ overlays: { conservationEasement: 'yes' } })),
    'fail',
  ],
  [
    '60 second dwelling by the by-law (L7)',
    () => use('us-ma-nantucket-dwellings', island({ lotSqft: 10_400, livingSqft: 2600 }, 'R-10')),
    'yes 2',
  ],
]

test.each(parcels)('%s', (_name, result, expected) => {
  expect(result()).toBe(expected)
})
