// California's ADU law: what it grants and requires. None of these rules decides whether a unit can be built.

import {
  overlayOf,
  pass,
  type RuleAnswer,
  rulesOf,
  unknownFact,
  untested,
  warn,
} from '../../intelligence/rules/rule.ts'
import { sqft } from '../../intelligence/scores/number-format.ts'
import { type AduFacts, aduLimits } from './facts.ts'

const multifamily =
  (because: string) =>
  ({ propertyType, units }: AduFacts): RuleAnswer => {
    if (propertyType === undefined) return unknownFact('It is unknown whether this is a multifamily property.')
    if (propertyType !== 'multi_family') return pass('Not multifamily.', propertyType)
    return units === undefined
      ? unknownFact(`The number of apartments is unknown. ${because}`)
      : pass(because, `${units} units`)
  }

const byRightSet =
  (because: string) =>
  ({ propertyType }: AduFacts): RuleAnswer =>
    propertyType === 'multi_family' ? pass('The multifamily rule applies instead.') : pass(because, '3 units')

const { obligation } = rulesOf<AduFacts>('adu')

export const aduGrantRules = [
  obligation(
    'BY_RIGHT_SET: One conversion, one detached unit and one junior unit by right',
    'Gov. Code 66323(a); SB 543 (2025)',
    { effectiveFrom: '2026-01-01' },
    byRightSet('A conversion, a detached unit of 800 sq ft and a junior unit may be combined on one lot.'),
  ),
  obligation(
    'BY_RIGHT_SET: One conversion, one detached unit and one junior unit by right',
    'Gov. Code 66323(a), before SB 543',
    { confidence: 'low', effectiveUntil: '2026-01-01' },
    byRightSet('State law allows three extra units on a single-family lot; some cities list two.'),
  ),
  // The state units of 66323 since 2020; junior units follow with AB 1154.
  obligation(
    'RENTAL_TERM: Rentals must be longer than 30 days',
    'Gov. Code 66323(e); from 2026 also 66333 (AB 1154)',
    { effectiveFrom: '2020-01-01' },
    warn('Units may not be rented for 30 days or less.', 'over 30 days'),
  ),
  obligation(
    'JUNIOR: Junior unit of at most 500 sq ft inside the house',
    'Gov. Code 66333; AB 1154 (2025)',
    { effectiveFrom: '2026-01-01' },
    pass(
      'The owner must live on the property only if the unit shares a bathroom with the house. It cannot be sold separately.',
      sqft(aduLimits.juniorSqft),
    ),
  ),
  obligation(
    'JUNIOR: Junior unit of at most 500 sq ft inside the house',
    'Gov. Code 66333',
    { effectiveUntil: '2026-01-01' },
    warn('The owner must live in the house or the junior unit.', sqft(aduLimits.juniorSqft)),
  ),
  obligation(
    'MULTIFAMILY: Up to eight detached units on a lot with existing apartments',
    'Gov. Code 66323(a)(3)-(4); SB 1211 (2024)',
    { effectiveFrom: '2025-01-01' },
    multifamily(
      'Up to eight detached units, but no more than the existing apartments (two if the building is only proposed). Conversions: up to a quarter of the existing apartments, at least one.',
    ),
  ),
  obligation(
    'MULTIFAMILY: Two detached units on a lot with existing apartments',
    'Gov. Code 66323(a)(3)-(4), before SB 1211',
    { effectiveUntil: '2025-01-01' },
    multifamily('Two detached units. Conversions: up to a quarter of the existing apartments, at least one.'),
  ),
  obligation(
    'SIZE_FLOORS: Local size caps may not be below 850 or 1,000 sq ft',
    'Gov. Code 66321(b)(2)',
    pass(
      'At least 850 sq ft for one bedroom and 1,000 sq ft for two or more; a city may allow up to 1,200 sq ft.',
      sqft(aduLimits.twoBedroomFloorSqft),
    ),
  ),
  obligation(
    'GUARANTEE_800: No local standard may prevent a unit of 800 sq ft',
    'Gov. Code 66321(b)(3)',
    pass(
      'Limits on floor area, coverage, open space, front setback and lot size do not apply to an 800 sq ft unit.',
      sqft(800),
    ),
  ),
  obligation(
    'SETBACKS: Side and rear setbacks of at most four feet',
    'Gov. Code 66314(d)(7)',
    pass('At most 4 ft; no setback for a conversion or a rebuild on the same footprint.', '4 ft'),
  ),
  obligation(
    'HEIGHT: Height of at least 16 ft, 18 ft near transit',
    'Gov. Code 66321(b)(4)',
    ({ overlays, propertyType }) => {
      const near = overlayOf(overlays, 'transitHalfMile') === 'yes'
      return pass(
        near
          ? 'Within half a mile of transit; 2 ft more to match the roof pitch. Attached units: 25 ft or the zoning limit.'
          : propertyType === 'multi_family'
            ? 'On a lot with a multistory apartment building 18 ft. Attached units: 25 ft or the zoning limit.'
            : 'Attached units: 25 ft or the zoning limit.',
        near ? '18 ft' : '16 ft',
      )
    },
  ),
  obligation(
    'MIN_LOT: No minimum lot size',
    'Gov. Code 66314(b)(1)',
    pass('A city may not require a minimum lot size.'),
  ),
  obligation(
    'PARKING: At most one parking space; none near transit or for conversions',
    'Gov. Code 66314(d)(10), 66322',
    ({ overlays }) => {
      const value = overlayOf(overlays, 'transitHalfMile')
      return pass(
        value === 'yes'
          ? 'Near transit: no parking may be required.'
          : 'At most one space; a converted garage need not be replaced.',
        value,
      )
    },
  ),
  obligation(
    'OWNER_OCCUPANCY: Owner-occupancy may not be required',
    'Gov. Code 65852.2(a)(6), AB 881 (2019): permits of 2020 to 2024',
    { effectiveFrom: '2020-01-01', effectiveUntil: '2024-01-01' },
    pass('A city may not require it of a unit that it permits before 2025.'),
  ),
  obligation(
    'OWNER_OCCUPANCY: Owner-occupancy may not be required',
    'Gov. Code 66315; AB 976 (2023)',
    { effectiveFrom: '2024-01-01' },
    pass('A city may not require the owner to live on the property.'),
  ),
  obligation(
    'FEES: No impact fee up to 750 sq ft',
    'Gov. Code 66311.5; SB 543 (2025)',
    { effectiveFrom: '2026-01-01' },
    pass(
      'No impact fee up to 750 sq ft of interior livable space (junior unit 500); larger units pay in proportion. No school fee under 500 sq ft.',
      sqft(750),
    ),
  ),
  obligation(
    'FEES: No impact fee under 750 sq ft',
    'Gov. Code 66324, before SB 543',
    { effectiveUntil: '2026-01-01' },
    pass('Larger units pay in proportion to their size; no school fee up to 500 sq ft.'),
  ),
  obligation(
    'CLOCK: Decided in 60 days without a hearing',
    'Gov. Code 66317; AB 1332 (2023)',
    { effectiveFrom: '2025-01-01' },
    pass('The city must decide within 60 days, or 30 days for pre-approved plans.'),
  ),
  obligation(
    'CLOCK: Decided in 60 days without a hearing',
    'Gov. Code 66317',
    { effectiveUntil: '2025-01-01' },
    pass('The city must decide within 60 days. Cities need not offer pre-approved plans yet.'),
  ),
  obligation(
    'CLEAN_UP: Sizes are interior livable space',
    'Gov. Code 66313, 66317, 66321; SB 543 (2025)',
    { effectiveFrom: '2026-01-01' },
    pass(
      'Sizes are measured as interior livable space. The city must say within 15 business days whether an application is complete.',
    ),
  ),
  obligation(
    'LOCAL_ORDINANCE: State standards where the local ordinance is not valid',
    'Gov. Code 66326(d); SB 9 (2025)',
    { effectiveFrom: '2026-01-01' },
    untested(
      'It is unknown whether the state has found the city ordinance valid. If not, state standards apply: detached units of up to 1,200 sq ft.',
    ),
  ),
  obligation(
    'PLAN_CHECK: Private plan check after 30 business days',
    'AB 253 (2025)',
    { effectiveFrom: '2025-10-10', effectiveUntil: '2036-01-01' },
    pass(
      'For up to ten units of at most 40 ft: a private checker if the city needs over 30 business days, then approved after 10 more.',
    ),
  ),
  obligation(
    'LEGALISATION: Units built without a permit before 2020 can be legalized',
    'AB 2533 (2024)',
    { effectiveFrom: '2025-01-01' },
    pass('Allowed once any health and safety defects are fixed.'),
  ),
  obligation(
    'SALE: Separate sale where the city has opted in',
    'AB 1033 (2023)',
    { effectiveFrom: '2024-01-01', confidence: 'low' },
    pass('A unit can be sold as a condominium only where a local ordinance allows it.'),
  ),
]
