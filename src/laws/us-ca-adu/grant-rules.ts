// California's ADU law: what it grants and requires. None of these rules decides whether a unit can be built.

import { overlayOf, type Rule, type RuleAnswer } from '../../intelligence/rules/rule.ts'
import { sqft } from '../../intelligence/scores/number-format.ts'
import { type AduFacts, aduLimits } from './facts.ts'

const adu = { appliesTo: 'adu', confidence: 'medium' } as const
const grants = (because: string, value?: string) => () => ({ outcome: 'pass' as const, value, because })

const multifamily =
  (because: string) =>
  ({ propertyType, units }: AduFacts): RuleAnswer => {
    if (propertyType === undefined)
      return { outcome: 'unknown', value: 'unknown', because: 'It is unknown whether this is a multifamily property.' }
    if (propertyType !== 'multi_family') return { outcome: 'pass', value: propertyType, because: 'Not multifamily.' }
    return units === undefined
      ? { outcome: 'unknown', value: 'unknown', because: `The number of apartments is unknown. ${because}` }
      : { outcome: 'pass', value: `${units} units`, because }
  }

const byRightSet =
  (because: string) =>
  ({ propertyType }: AduFacts): RuleAnswer =>
    propertyType === 'multi_family'
      ? { outcome: 'pass', because: 'The multifamily rule applies instead.' }
      : { outcome: 'pass', value: '3 units', because }

export const aduGrantRules: readonly Rule<AduFacts>[] = [
  {
    ...adu,
    code: 'BY_RIGHT_SET',
    title: 'One conversion, one detached unit and one junior unit by right',
    force: 'obligation',
    citation: 'Gov. Code 66323(a); SB 543 (2025)',
    effectiveFrom: '2026-01-01',
    test: byRightSet('A conversion, a detached unit of 800 sq ft and a junior unit may be combined on one lot.'),
  },
  {
    ...adu,
    code: 'BY_RIGHT_SET',
    title: 'One conversion, one detached unit and one junior unit by right',
    force: 'obligation',
    citation: 'Gov. Code 66323(a), before SB 543',
    confidence: 'low',
    effectiveUntil: '2026-01-01',
    test: byRightSet('State law allows three extra units on a single-family lot; some cities list two.'),
  },
  {
    ...adu,
    code: 'RENTAL_TERM',
    title: 'Rentals must be longer than 30 days',
    force: 'obligation',
    // The state units of 66323 since 2020; junior units follow with AB 1154.
    citation: 'Gov. Code 66323(e); from 2026 also 66333 (AB 1154)',
    effectiveFrom: '2020-01-01',
    test: () => ({ outcome: 'warn', value: 'over 30 days', because: 'Units may not be rented for 30 days or less.' }),
  },
  {
    ...adu,
    code: 'JUNIOR',
    title: 'Junior unit of at most 500 sq ft inside the house',
    force: 'obligation',
    citation: 'Gov. Code 66333; AB 1154 (2025)',
    effectiveFrom: '2026-01-01',
    test: grants(
      'The owner must live on the property only if the unit shares a bathroom with the house. It cannot be sold separately.',
      sqft(aduLimits.juniorSqft),
    ),
  },
  {
    ...adu,
    code: 'JUNIOR',
    title: 'Junior unit of at most 500 sq ft inside the house',
    force: 'obligation',
    citation: 'Gov. Code 66333',
    effectiveUntil: '2026-01-01',
    test: () => ({
      outcome: 'warn',
      value: sqft(aduLimits.juniorSqft),
      because: 'The owner must live in the house or the junior unit.',
    }),
  },
  {
    ...adu,
    code: 'MULTIFAMILY',
    title: 'Up to eight detached units on a lot with existing apartments',
    force: 'obligation',
    citation: 'Gov. Code 66323(a)(3)-(4); SB 1211 (2024)',
    effectiveFrom: '2025-01-01',
    test: multifamily(
      'Up to eight detached units, but no more than the existing apartments (two if the building is only proposed). Conversions: up to a quarter of the existing apartments, at least one.',
    ),
  },
  {
    ...adu,
    code: 'MULTIFAMILY',
    title: 'Two detached units on a lot with existing apartments',
    force: 'obligation',
    citation: 'Gov. Code 66323(a)(3)-(4), before SB 1211',
    effectiveUntil: '2025-01-01',
    test: multifamily('Two detached units. Conversions: up to a quarter of the existing apartments, at least one.'),
  },
  {
    ...adu,
    code: 'SIZE_FLOORS',
    title: 'Local size caps may not be below 850 or 1,000 sq ft',
    force: 'obligation',
    citation: 'Gov. Code 66321(b)(2)',
    test: grants(
      'At least 850 sq ft for one bedroom and 1,000 sq ft for two or more; a city may allow up to 1,200 sq ft.',
      sqft(aduLimits.twoBedroomFloorSqft),
    ),
  },
  {
    ...adu,
    code: 'GUARANTEE_800',
    title: 'No local standard may prevent a unit of 800 sq ft',
    force: 'obligation',
    citation: 'Gov. Code 66321(b)(3)',
    test: grants(
      'Limits on floor area, coverage, open space, front setback and lot size do not apply to an 800 sq ft unit.',
      sqft(800),
    ),
  },
  {
    ...adu,
    code: 'SETBACKS',
    title: 'Side and rear setbacks of at most four feet',
    force: 'obligation',
    citation: 'Gov. Code 66314(d)(7)',
    test: grants('At most 4 ft; no setback for a conversion or a rebuild on the same footprint.', '4 ft'),
  },
  {
    ...adu,
    code: 'HEIGHT',
    title: 'Height of at least 16 ft, 18 ft near transit',
    force: 'obligation',
    citation: 'Gov. Code 66321(b)(4)',
    test: ({ overlays, propertyType }) => {
      const near = overlayOf(overlays, 'transitHalfMile') === 'yes'
      return {
        outcome: 'pass',
        value: near ? '18 ft' : '16 ft',
        because: near
          ? 'Within half a mile of transit; 2 ft more to match the roof pitch. Attached units: 25 ft or the zoning limit.'
          : propertyType === 'multi_family'
            ? 'On a lot with a multistory apartment building 18 ft. Attached units: 25 ft or the zoning limit.'
            : 'Attached units: 25 ft or the zoning limit.',
      }
    },
  },
  {
    ...adu,
    code: 'MIN_LOT',
    title: 'No minimum lot size',
    force: 'obligation',
    citation: 'Gov. Code 66314(b)(1)',
    test: grants('A city may not require a minimum lot size.'),
  },
  {
    ...adu,
    code: 'PARKING',
    title: 'At most one parking space; none near transit or for conversions',
    force: 'obligation',
    citation: 'Gov. Code 66314(d)(10), 66322',
    test: ({ overlays }) => {
      const value = overlayOf(overlays, 'transitHalfMile')
      return {
        outcome: 'pass',
        value,
        because:
          value === 'yes'
            ? 'Near transit: no parking may be required.'
            : 'At most one space; a converted garage need not be replaced.',
      }
    },
  },
  {
    ...adu,
    code: 'OWNER_OCCUPANCY',
    title: 'Owner-occupancy may not be required',
    force: 'obligation',
    citation: 'Gov. Code 65852.2(a)(6), AB 881 (2019): permits of 2020 to 2024',
    effectiveFrom: '2020-01-01',
    effectiveUntil: '2024-01-01',
    test: grants('A city may not require it of a unit that it permits before 2025.'),
  },
  {
    ...adu,
    code: 'OWNER_OCCUPANCY',
    title: 'Owner-occupancy may not be required',
    force: 'obligation',
    citation: 'Gov. Code 66315; AB 976 (2023)',
    effectiveFrom: '2024-01-01',
    test: grants('A city may not require the owner to live on the property.'),
  },
  {
    ...adu,
    code: 'FEES',
    title: 'No impact fee up to 750 sq ft',
    force: 'obligation',
    citation: 'Gov. Code 66311.5; SB 543 (2025)',
    effectiveFrom: '2026-01-01',
    test: grants(
      'No impact fee up to 750 sq ft of interior livable space (junior unit 500); larger units pay in proportion. No school fee under 500 sq ft.',
      sqft(750),
    ),
  },
  {
    ...adu,
    code: 'FEES',
    title: 'No impact fee under 750 sq ft',
    force: 'obligation',
    citation: 'Gov. Code 66324, before SB 543',
    effectiveUntil: '2026-01-01',
    test: grants('Larger units pay in proportion to their size; no school fee up to 500 sq ft.'),
  },
  {
    ...adu,
    code: 'CLOCK',
    title: 'Decided in 60 days without a hearing',
    force: 'obligation',
    citation: 'Gov. Code 66317; AB 1332 (2023)',
    effectiveFrom: '2025-01-01',
    test: grants('The city must decide within 60 days, or 30 days for pre-approved plans.'),
  },
  {
    ...adu,
    code: 'CLOCK',
    title: 'Decided in 60 days without a hearing',
    force: 'obligation',
    citation: 'Gov. Code 66317',
    effectiveUntil: '2025-01-01',
    test: grants('The city must decide within 60 days. Cities need not offer pre-approved plans yet.'),
  },
  {
    ...adu,
    code: 'CLEAN_UP',
    title: 'Sizes are interior livable space',
    force: 'obligation',
    citation: 'Gov. Code 66313, 66317, 66321; SB 543 (2025)',
    effectiveFrom: '2026-01-01',
    test: grants(
      'Sizes are measured as interior livable space. The city must say within 15 business days whether an application is complete.',
    ),
  },
  {
    ...adu,
    code: 'LOCAL_ORDINANCE',
    title: 'State standards where the local ordinance is not valid',
    force: 'obligation',
    citation: 'Gov. Code 66326(d); SB 9 (2025)',
    effectiveFrom: '2026-01-01',
    test: () => ({
      outcome: 'unknown',
      because:
        'It is unknown whether the state has found the city ordinance valid. If not, state standards apply: detached units of up to 1,200 sq ft.',
    }),
  },
  {
    ...adu,
    code: 'PLAN_CHECK',
    title: 'Private plan check after 30 business days',
    force: 'obligation',
    citation: 'AB 253 (2025)',
    effectiveFrom: '2025-10-10',
    effectiveUntil: '2036-01-01',
    test: grants(
      'For up to ten units of at most 40 ft: a private checker if the city needs over 30 business days, then approved after 10 more.',
    ),
  },
  {
    ...adu,
    code: 'LEGALISATION',
    title: 'Units built without a permit before 2020 can be legalized',
    force: 'obligation',
    citation: 'AB 2533 (2024)',
    effectiveFrom: '2025-01-01',
    test: grants('Allowed once any health and safety defects are fixed.'),
  },
  {
    ...adu,
    code: 'SALE',
    title: 'Separate sale where the city has opted in',
    force: 'obligation',
    citation: 'AB 1033 (2023)',
    effectiveFrom: '2024-01-01',
    confidence: 'low',
    test: grants('A unit can be sold as a condominium only where a local ordinance allows it.'),
  },
]
