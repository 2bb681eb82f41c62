// SB 9: what the law grants or requires once a parcel qualifies, and related laws. None of these decides eligibility.

import { overlayOf, type Rule } from '../../intelligence/rules/rule.ts'
import type { Sb9Facts } from './facts.ts'

const duty = { appliesTo: 'both', force: 'obligation', confidence: 'medium' } as const
const grants = (because: string) => () => ({ outcome: 'pass' as const, because })
const warns = (because: string) => () => ({ outcome: 'warn' as const, because })

export const sb9ObligationRules: readonly Rule<Sb9Facts>[] = [
  {
    ...duty,
    code: 'UNITS',
    title: 'Two primary units per lot, four with a split',
    citation: 'Gov. Code 65852.21, 66411.7(j)',
    test: grants(
      'Two units on the lot, or two on each new lot after a split. With four units the city need not allow ADUs.',
    ),
  },
  {
    ...duty,
    code: 'UNIT_SIZE',
    title: 'Standards may not prevent two units of 800 sq ft',
    citation: 'Gov. Code 65852.21(b)(2)(A)',
    test: grants('Floor-area, coverage and similar limits may not prevent two units of at least 800 sq ft each.'),
  },
  {
    ...duty,
    code: 'SETBACKS',
    title: 'Side and rear setbacks of at most four feet',
    citation: 'Gov. Code 65852.21(b)(2)(B), 66411.7(c)(3)',
    test: grants('At most 4 ft; no setback for an existing structure or one rebuilt on the same footprint.'),
  },
  {
    ...duty,
    code: 'PARKING',
    title: 'At most one parking space per unit',
    citation: 'Gov. Code 65852.21(c)(1), 66411.7(e)(3)',
    confidence: 'low',
    test: ({ overlays }) => {
      const value = overlayOf(overlays, 'transitHalfMile')
      const because =
        value === 'yes'
          ? 'Within half a mile of transit: no parking may be required.'
          : 'At most one space per unit; none near transit or car share.'
      return { outcome: 'pass', value, because }
    },
  },
  {
    ...duty,
    code: 'STR_PLAN',
    title: 'Rentals must be longer than 30 days',
    citation: 'Gov. Code 65852.21(e), 66411.7(h)',
    test: warns('Units may not be rented for 30 days or less.'),
  },
  {
    ...duty,
    appliesTo: 'two_unit',
    code: 'EXTERIOR_WALLS',
    title: 'At most a quarter of the exterior walls demolished',
    citation: 'Gov. Code 65852.21(a)(5), before SB 450',
    confidence: 'high',
    effectiveUntil: '2025-01-01',
    test: warns(
      'Until SB 450, at most 25% of the exterior walls could be demolished if a tenant had lived there in the last three years.',
    ),
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
    test: grants('A city may apply only standards for the design and improvement of a parcel to a split.'),
  },
  {
    ...duty,
    code: 'DENIAL_TEST',
    title: 'Denial only for harm to health, safety or the physical environment',
    citation: 'Gov. Code 65852.21(d), before SB 450',
    effectiveUntil: '2025-01-01',
    test: grants('A denial requires a written finding of a specific adverse impact.'),
  },
  {
    ...duty,
    code: 'DENIAL_TEST',
    title: 'Denial only for harm to public health and safety',
    citation: 'Gov. Code 65852.21(d), SB 450 (2024)',
    confidence: 'high',
    effectiveFrom: '2025-01-01',
    test: grants('A denial requires a written finding of a specific adverse impact on public health and safety.'),
  },
  {
    ...duty,
    code: 'CLOCK',
    title: 'Decided in 60 days or deemed approved',
    citation: 'Gov. Code 65852.21, 66411.7 as amended by SB 450 (2024)',
    effectiveFrom: '2025-01-01',
    test: grants('A denial must list every defect and how to fix it.'),
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
          because: 'In the coastal zone: a coastal permit is still required, without a hearing.',
        }
      if (value === 'unknown' && city?.coastal)
        return {
          outcome: 'warn',
          value,
          because: `${city.name} is partly in the coastal zone, where a coastal permit is still required.`,
        }
      if (value === 'unknown' && !city)
        return { outcome: 'unknown', value, because: 'It is unknown whether the parcel is in the coastal zone.' }
      return {
        outcome: 'pass',
        value,
        because: value === 'no' ? 'Not in the coastal zone.' : `${city?.name} is outside the coastal zone.`,
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
      if (!city) return { outcome: 'unknown', value: 'unknown', because: 'The city is unknown.' }
      return city.charter
        ? {
            outcome: 'warn',
            value: city.name,
            because: `${city.name} is a charter city: a 2024 court ruling held that SB 9 does not bind the charter cities that sued.`,
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
        ? { outcome: 'warn', because: 'SB 9 does not override homeowner-association covenants.' }
        : {
            outcome: 'unknown',
            because: 'SB 9 does not override private covenants; it is unknown whether there are any.',
          },
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
            because: 'Vacant land may qualify for up to ten lots of 1,200 sq ft under SB 1123.',
          }
        : propertyType === undefined
          ? { outcome: 'unknown', value: 'unknown', because: 'It is unknown whether this is vacant land.' }
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
        ? { outcome: 'pass', value, because: 'Not within half a mile of a transit stop.' }
        : {
            outcome: 'unknown',
            value,
            because: 'It is unknown whether a qualifying transit stop is within half a mile.',
          }
    },
  },
]
