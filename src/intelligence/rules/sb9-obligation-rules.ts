// SB 9: what the law grants or asks once a parcel qualifies, and neighbouring law. None of these decides eligibility.

import { overlayOf, type Rule } from './rule.ts'
import type { Sb9Facts } from './sb9-facts.ts'

const duty = { appliesTo: 'both', force: 'obligation', confidence: 'medium' } as const
const grants = (because: string) => () => ({ outcome: 'pass' as const, because })
const warns = (because: string) => () => ({ outcome: 'warn' as const, because })

export const sb9ObligationRules: readonly Rule<Sb9Facts>[] = [
  {
    ...duty,
    code: 'UNITS',
    title: 'Two primary units a lot, four with a split',
    citation: 'Gov. Code 65852.21, 66411.7(j)',
    test: grants(
      'Two units on the lot; with a split two on each new lot. The city need not add accessory units to four.',
    ),
  },
  {
    ...duty,
    code: 'UNIT_SIZE',
    title: 'Standards may not prevent two units of 800 sqft',
    citation: 'Gov. Code 65852.21(b)(2)(A)',
    test: grants('Floor-area, coverage and similar limits give way to two units of at least 800 sqft each.'),
  },
  {
    ...duty,
    code: 'SETBACKS',
    title: 'Side and rear setbacks of at most four feet',
    citation: 'Gov. Code 65852.21(b)(2)(B), 66411.7(c)(3)',
    test: grants('At most 4 ft; none for an existing structure or one rebuilt on the same footprint.'),
  },
  {
    ...duty,
    code: 'PARKING',
    title: 'At most one parking space a unit',
    citation: 'Gov. Code 65852.21(c)(1), 66411.7(e)(3)',
    confidence: 'low',
    test: ({ overlays }) => {
      const value = overlayOf(overlays, 'transitHalfMile')
      const because =
        value === 'yes'
          ? 'Within half a mile of transit: no parking may be asked.'
          : 'One space a unit at most; none near transit or car share.'
      return { outcome: 'pass', value, because }
    },
  },
  {
    ...duty,
    code: 'STR_PLAN',
    title: 'Rented for more than 30 days only',
    citation: 'Gov. Code 65852.21(e), 66411.7(h)',
    test: warns('Units may not be let for 30 days or less.'),
  },
  {
    ...duty,
    appliesTo: 'two_unit',
    code: 'EXTERIOR_WALLS',
    title: 'At most a quarter of the exterior walls demolished',
    citation: 'Gov. Code 65852.21(a)(5), before SB 450',
    confidence: 'high',
    effectiveUntil: '2025-01-01',
    test: warns('Until SB 450, at most 25 % of exterior walls could go if a tenant had lived there in three years.'),
  },
  {
    ...duty,
    appliesTo: 'two_unit',
    code: 'LOCAL_STANDARDS',
    title: 'Local standards apply uniformly within the zone',
    citation: 'Gov. Code 65852.21(b), SB 450 (2024)',
    effectiveFrom: '2025-01-01',
    test: grants('Standards must be those of the underlying zone unless more permissive.'),
  },
  {
    ...duty,
    appliesTo: 'split',
    code: 'LOCAL_SPLIT_STANDARDS',
    title: 'Local standards for a split concern the parcel only',
    citation: 'Gov. Code 66411.7(c), SB 450 (2024)',
    effectiveFrom: '2025-01-01',
    test: grants('Only standards for the design and improvement of a parcel may be asked of a split.'),
  },
  {
    ...duty,
    code: 'DENIAL_TEST',
    title: 'Denial only for harm to health, safety or the physical environment',
    citation: 'Gov. Code 65852.21(d), before SB 450',
    effectiveUntil: '2025-01-01',
    test: grants('Only a written finding of a specific adverse impact allows a denial.'),
  },
  {
    ...duty,
    code: 'DENIAL_TEST',
    title: 'Denial only for harm to public health and safety',
    citation: 'Gov. Code 65852.21(d), SB 450 (2024)',
    confidence: 'high',
    effectiveFrom: '2025-01-01',
    test: grants('Only a written finding of a specific adverse impact on public health and safety allows a denial.'),
  },
  {
    ...duty,
    code: 'CLOCK',
    title: 'Decided in 60 days or deemed approved',
    citation: 'Gov. Code 65852.21, 66411.7 as amended by SB 450 (2024)',
    effectiveFrom: '2025-01-01',
    test: grants('A denial must list every defect and how to cure it.'),
  },
  {
    ...duty,
    code: 'COASTAL_PERMIT',
    title: 'Coastal development permit',
    citation: 'Coastal Act, which SB 9 leaves in place',
    confidence: 'low',
    test: ({ overlays, city }) => {
      const value = overlayOf(overlays, 'coastalZone')
      if (value === 'yes')
        return {
          outcome: 'warn',
          value,
          because: 'In the coastal zone: a coastal permit is still needed, without a hearing.',
        }
      if (value === 'unknown' && city?.coastal)
        return {
          outcome: 'warn',
          value,
          because: `${city.name} lies partly in the coastal zone, where a coastal permit is still needed.`,
        }
      if (value === 'unknown' && !city)
        return { outcome: 'unknown', value, because: 'Whether it lies in the coastal zone is not known.' }
      return {
        outcome: 'pass',
        value,
        because: value === 'no' ? 'Not in the coastal zone.' : `${city?.name} does not touch the coastal zone.`,
      }
    },
  },
  {
    ...duty,
    code: 'CHARTER_CITY',
    title: 'Charter-city litigation',
    citation: 'Redondo Beach v. Bonta (LA Superior Court, April 2024); SB 450 findings',
    confidence: 'low',
    test: ({ city }) => {
      if (!city) return { outcome: 'unknown', value: 'unknown', because: 'The city is not known.' }
      return city.charter
        ? {
            outcome: 'warn',
            value: city.name,
            because: `${city.name} is a charter city: a court held in 2024 that SB 9 does not bind the charter cities that sued.`,
          }
        : { outcome: 'pass', value: city.name, because: 'Not a charter city.' }
    },
  },
  {
    ...duty,
    code: 'HOA_COVENANTS',
    title: 'Private covenants',
    citation: 'SB 9 does not override covenants',
    confidence: 'low',
    test: ({ propertyType }) =>
      propertyType === 'townhouse'
        ? { outcome: 'warn', because: 'Homeowner-association covenants are not overridden.' }
        : { outcome: 'unknown', because: 'Covenants are not overridden, and whether there are any is not known.' },
  },
  {
    ...duty,
    code: 'SB_1123',
    title: 'Up to ten lots on vacant single-family land',
    citation: 'SB 684, SB 1123 (2024)',
    confidence: 'low',
    effectiveFrom: '2025-07-01',
    test: ({ propertyType }) =>
      propertyType === 'land'
        ? {
            outcome: 'warn',
            value: 'land',
            because: 'Vacant land may qualify for up to ten lots of 1,200 sqft under SB 1123.',
          }
        : propertyType === undefined
          ? { outcome: 'unknown', value: 'unknown', because: 'Whether it is vacant land is not known.' }
          : { outcome: 'pass', value: propertyType, because: 'Not vacant land.' },
  },
  {
    ...duty,
    code: 'SB_79',
    title: 'Transit upzoning within half a mile',
    citation: 'SB 79 (2025)',
    effectiveFrom: '2026-07-01',
    test: ({ overlays }) => {
      const value = overlayOf(overlays, 'transitHalfMile')
      if (value === 'yes') return { outcome: 'warn', value, because: 'Near transit: SB 79 may allow more than SB 9.' }
      return value === 'no'
        ? { outcome: 'pass', value, because: 'Not within half a mile of a stop.' }
        : { outcome: 'unknown', value, because: 'Whether a qualifying stop is within half a mile is not known.' }
    },
  },
]
