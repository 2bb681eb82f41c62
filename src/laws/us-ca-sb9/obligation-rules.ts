// SB 9: what the law grants or requires once a parcel qualifies, and related laws. None of these decides eligibility.

import { overlayOf, type Rule } from '../../intelligence/rules/rule.ts'
import { isOutsideCoastalZone } from '../site-tests.ts'
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
      'Two units on the lot, with accessory units up to four homes, or two on each new lot after a split. With four units the city need not allow ADUs.',
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
    test: isOutsideCoastalZone(
      'In the coastal zone: a coastal permit is still required, without a hearing.',
      (city) => `${city} is partly in the coastal zone, where a coastal permit is still required.`,
    ),
  },
  {
    ...duty,
    code: 'CHARTER_CITY',
    title: 'Charter-city litigation',
    citation: 'Rancho Palos Verdes v. State (2025); Redondo Beach v. Bonta (2024, sent back)',
    confidence: 'low',
    test: ({ city }) => {
      if (!city) return { outcome: 'unknown', value: 'unknown', because: 'The city is unknown.' }
      return city.charter
        ? {
            outcome: 'pass',
            value: city.name,
            because: `${city.name} is a charter city: the 2024 judgment for charter cities was sent back, and SB 9 is reported to apply again since May 2026.`,
          }
        : { outcome: 'pass', value: city.name, because: 'Not a charter city: SB 9 was upheld in 2025.' }
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
        ? { outcome: 'warn', because: 'The homeowners’ association may have some.' }
        : {
            outcome: 'unknown',
            because: 'It is unknown whether there are any.',
          },
  },
  {
    ...duty,
    code: 'BUILDERS_REMEDY',
    title: "Builder's remedy",
    citation: 'Gov. Code 65589.5(d)(5); state list of Aug 31, 2026',
    effectiveFrom: '2026-08-31',
    test: ({ city }) => {
      if (!city || unreadHousingElements.includes(city.name))
        return {
          outcome: 'unknown',
          value: city?.name ?? 'unknown',
          because: 'It is unknown whether the housing element complies.',
        }
      return outOfCompliance.includes(city.name)
        ? {
            outcome: 'warn',
            value: city.name,
            because: `The housing element of ${city.name} was out of compliance: larger projects may be approved.`,
          }
        : { outcome: 'pass', value: city.name, because: `The housing element of ${city.name} complied.` }
    },
  },
]

/** On the state's list of Aug 31, 2026. */
const outOfCompliance: readonly string[] = ['Half Moon Bay', 'Brisbane']
const unreadHousingElements: readonly string[] = ['Mountain View', 'Los Altos', 'Los Altos Hills']
