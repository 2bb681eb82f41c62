// SB 9: what the law grants or requires once a parcel qualifies, and related laws. None of these decides eligibility.

import { overlayOf, pass, rulesOf, unknownFact, untested, warn } from '../../intelligence/rules/rule.ts'
import { isOutsideCoastalZone } from '../site-tests.ts'
import type { Sb9Facts } from './lot-split.ts'

const { obligation } = rulesOf<Sb9Facts>('both')

export const sb9ObligationRules = [
  obligation(
    'UNITS: Two primary units per lot, four with a split',
    'Gov. Code 65852.21, 66411.7(j)',
    pass(
      'Two units on the lot, with accessory units up to four homes, or two on each new lot after a split. With four units the city need not allow ADUs.',
    ),
  ),
  obligation(
    'UNIT_SIZE: Standards may not prevent two units of 800 sq ft',
    'Gov. Code 65852.21(b)(2)(A)',
    pass('Floor-area, coverage and similar limits may not prevent two units of at least 800 sq ft each.'),
  ),
  obligation(
    'SETBACKS: Side and rear setbacks of at most four feet',
    'Gov. Code 65852.21(b)(2)(B), 66411.7(c)(3)',
    pass('At most 4 ft; no setback for an existing structure or one rebuilt on the same footprint.'),
  ),
  obligation(
    'PARKING: At most one parking space per unit',
    'Gov. Code 65852.21(c)(1), 66411.7(e)(3)',
    { confidence: 'low' },
    ({ overlays }) => {
      const value = overlayOf(overlays, 'transitHalfMile')
      const because =
        value === 'yes'
          ? 'Within half a mile of transit: no parking may be required.'
          : 'At most one space per unit; none near transit or car share.'
      return pass(because, value)
    },
  ),
  obligation(
    'STR_PLAN: Rentals must be longer than 30 days',
    'Gov. Code 65852.21(e), 66411.7(h)',
    warn('Units may not be rented for 30 days or less.'),
  ),
  obligation(
    'EXTERIOR_WALLS: At most a quarter of the exterior walls demolished',
    'Gov. Code 65852.21(a)(5), before SB 450',
    { appliesTo: 'two_unit', confidence: 'high', effectiveUntil: '2025-01-01' },
    warn(
      'Until SB 450, at most 25% of the exterior walls could be demolished if a tenant had lived there in the last three years.',
    ),
  ),
  obligation(
    'LOCAL_STANDARDS: Local standards apply uniformly within the zone',
    'Gov. Code 65852.21(b), SB 450 (2024)',
    { appliesTo: 'two_unit', effectiveFrom: '2025-01-01' },
    pass('Standards must be those of the underlying zone unless more permissive.'),
  ),
  obligation(
    'LOCAL_SPLIT_STANDARDS: Local standards for a split concern the parcel only',
    'Gov. Code 66411.7(c), SB 450 (2024)',
    { appliesTo: 'split', effectiveFrom: '2025-01-01' },
    pass('A city may apply only standards for the design and improvement of a parcel to a split.'),
  ),
  obligation(
    'DENIAL_TEST: Denial only for harm to health, safety or the physical environment',
    'Gov. Code 65852.21(d), before SB 450',
    { effectiveUntil: '2025-01-01' },
    pass('A denial requires a written finding of a specific adverse impact.'),
  ),
  obligation(
    'DENIAL_TEST: Denial only for harm to public health and safety',
    'Gov. Code 65852.21(d), SB 450 (2024)',
    { confidence: 'high', effectiveFrom: '2025-01-01' },
    pass('A denial requires a written finding of a specific adverse impact on public health and safety.'),
  ),
  obligation(
    'CLOCK: Decided in 60 days or deemed approved',
    'Gov. Code 65852.21, 66411.7 as amended by SB 450 (2024)',
    { effectiveFrom: '2025-01-01' },
    pass('A denial must list every defect and how to fix it.'),
  ),
  obligation(
    'COASTAL_PERMIT: Coastal development permit',
    'Coastal Act, which SB 9 leaves in place',
    { confidence: 'low' },
    isOutsideCoastalZone(
      'In the coastal zone: a coastal permit is still required, without a hearing.',
      (city) => `${city} is partly in the coastal zone, where a coastal permit is still required.`,
    ),
  ),
  obligation(
    'CHARTER_CITY: Charter-city litigation',
    'Rancho Palos Verdes v. State (2025); Redondo Beach v. Bonta (2024, sent back)',
    { confidence: 'low' },
    ({ city }) => {
      if (!city) return unknownFact('The city is unknown.')
      return city.charter
        ? pass(
            `${city.name} is a charter city: the 2024 judgment for charter cities was sent back, and SB 9 is reported to apply again since May 2026.`,
            city.name,
          )
        : pass('Not a charter city: SB 9 was upheld in 2025.', city.name)
    },
  ),
  obligation(
    'HOA_COVENANTS: Private covenants',
    'SB 9 does not override covenants',
    { confidence: 'low' },
    ({ propertyType }) =>
      propertyType === 'townhouse'
        ? warn('The homeowners’ association may have some.')
        : untested('It is unknown whether there are any.'),
  ),
  obligation(
    "BUILDERS_REMEDY: Builder's remedy",
    'Gov. Code 65589.5(d)(5); state list of Aug 31, 2026',
    { effectiveFrom: '2026-08-31' },
    ({ city }) => {
      if (!city || unreadHousingElements.includes(city.name))
        return unknownFact('It is unknown whether the housing element complies.', city?.name)
      return outOfCompliance.includes(city.name)
        ? warn(`The housing element of ${city.name} was out of compliance: larger projects may be approved.`, city.name)
        : pass(`The housing element of ${city.name} complied.`, city.name)
    },
  ),
]

/** On the state's list of Aug 31, 2026. */
const outOfCompliance: readonly string[] = ['Half Moon Bay', 'Brisbane']
const unreadHousingElements: readonly string[] = ['Mountain View', 'Los Altos', 'Los Altos Hills']
