// California's accessory-dwelling law: what it grants and asks. None of these decides whether a unit can stand.

import { sqft } from '../plain-numbers.ts'
import { type AduFacts, aduLimits } from './adu-facts.ts'
import { overlayOf, type Rule, type RuleAnswer } from './rule.ts'

const adu = { appliesTo: 'adu', confidence: 'medium' } as const
const grants = (because: string, value?: string) => () => ({ outcome: 'pass' as const, value, because })

const flats =
  (because: string) =>
  ({ propertyType, units }: AduFacts): RuleAnswer => {
    if (propertyType === undefined)
      return { outcome: 'unknown', value: 'unknown', because: 'Whether it is a multifamily property is not known.' }
    if (propertyType !== 'multi_family') return { outcome: 'pass', value: propertyType, because: 'Not multifamily.' }
    return units === undefined
      ? { outcome: 'unknown', value: 'unknown', because: `The number of flats is not known. ${because}` }
      : { outcome: 'pass', value: `${units} units`, because }
  }

export const aduGrantRules: readonly Rule<AduFacts>[] = [
  {
    ...adu,
    code: 'BY_RIGHT_SET',
    title: 'One conversion, one detached unit and one junior unit by right',
    force: 'obligation',
    citation: 'Gov. Code 66323(a)',
    confidence: 'low',
    test: ({ propertyType }) =>
      propertyType === 'multi_family'
        ? { outcome: 'pass', because: 'The multifamily rule applies instead.' }
        : {
            outcome: 'pass',
            value: '3 units',
            because: 'The state counts three extra units on a single-family lot; some cities list two.',
          },
  },
  {
    ...adu,
    code: 'JUNIOR',
    title: 'Junior unit of at most 500 sqft inside the house',
    force: 'obligation',
    citation: 'Gov. Code 66333; AB 1154 (2025)',
    effectiveFrom: '2026-01-01',
    test: grants(
      'Owner-occupancy only if it shares a bathroom with the house; no separate sale.',
      sqft(aduLimits.juniorSqft),
    ),
  },
  {
    ...adu,
    code: 'JUNIOR',
    title: 'Junior unit of at most 500 sqft inside the house',
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
    title: 'Up to eight detached units beside existing flats',
    force: 'obligation',
    citation: 'Gov. Code 66323(a)(3)-(4); SB 1211 (2024)',
    effectiveFrom: '2025-01-01',
    test: flats(
      'Detached units up to eight, not more than the existing ones (two beside proposed flats); conversions up to a quarter of them, at least one.',
    ),
  },
  {
    ...adu,
    code: 'MULTIFAMILY',
    title: 'Two detached units beside existing flats',
    force: 'obligation',
    citation: 'Gov. Code 66323(a)(3)-(4), before SB 1211',
    effectiveUntil: '2025-01-01',
    test: flats('Two detached units; conversions up to a quarter of the existing ones, at least one.'),
  },
  {
    ...adu,
    code: 'SIZE_FLOORS',
    title: 'Local size caps may not go under 850 or 1,000 sqft',
    force: 'obligation',
    citation: 'Gov. Code 66321(b)(2)',
    test: grants(
      '850 sqft for one bedroom, 1,000 for two or more; a city may allow up to 1,200.',
      sqft(aduLimits.twoBedroomFloorSqft),
    ),
  },
  {
    ...adu,
    code: 'GUARANTEE_800',
    title: 'No local standard may prevent 800 sqft',
    force: 'obligation',
    citation: 'Gov. Code 66321(b)(3)',
    test: grants(
      'Floor area, coverage, open space, front setback and lot size give way to an 800-sqft unit.',
      sqft(800),
    ),
  },
  {
    ...adu,
    code: 'SETBACKS',
    title: 'Side and rear setbacks of at most four feet',
    force: 'obligation',
    citation: 'Gov. Code 66314(d)(7)',
    test: grants('At most 4 ft; none for a conversion or a rebuild on the same footprint.', '4 ft'),
  },
  {
    ...adu,
    code: 'HEIGHT',
    title: 'Height of at least 16 ft, 18 ft near transit',
    force: 'obligation',
    citation: 'Gov. Code 66321(b)(4)',
    test: ({ overlays }) => {
      const near = overlayOf(overlays, 'transitHalfMile') === 'yes'
      return {
        outcome: 'pass',
        value: near ? '18 ft' : '16 ft',
        because: near
          ? 'Within half a mile of transit; 2 ft more to match the roof. Attached units: 25 ft or the zone height.'
          : 'Beside flats of several storeys 18 ft. Attached units: 25 ft or the zone height.',
      }
    },
  },
  {
    ...adu,
    code: 'MIN_LOT',
    title: 'No minimum lot size',
    force: 'obligation',
    citation: 'Gov. Code 66314(b)(1)',
    test: grants('None may be imposed.'),
  },
  {
    ...adu,
    code: 'PARKING',
    title: 'At most one space, none near transit or for conversions',
    force: 'obligation',
    citation: 'Gov. Code 66314(d)(10), 66322',
    test: ({ overlays }) => {
      const value = overlayOf(overlays, 'transitHalfMile')
      return {
        outcome: 'pass',
        value,
        because:
          value === 'yes' ? 'Near transit: none may be asked.' : 'One at most; a lost garage need not be replaced.',
      }
    },
  },
  {
    ...adu,
    code: 'OWNER_OCCUPANCY',
    title: 'Owner-occupancy may not be required',
    force: 'obligation',
    citation: 'Gov. Code 66315; AB 976 (2023)',
    effectiveFrom: '2024-01-01',
    test: grants('Permanently so for accessory units.'),
  },
  {
    ...adu,
    code: 'FEES',
    title: 'No impact fee under 750 sqft',
    force: 'obligation',
    citation: 'Gov. Code 66324',
    test: grants('In proportion above; no school fee up to 500 sqft.'),
  },
  {
    ...adu,
    code: 'CLOCK',
    title: 'Decided in 60 days without a hearing',
    force: 'obligation',
    citation: 'Gov. Code 66317; AB 1332 (2023)',
    effectiveFrom: '2025-01-01',
    test: grants('30 days for pre-approved plans.'),
  },
  {
    ...adu,
    code: 'CLOCK',
    title: 'Decided in 60 days without a hearing',
    force: 'obligation',
    citation: 'Gov. Code 66317',
    effectiveUntil: '2025-01-01',
    test: grants('Cities need not keep pre-approved plans yet.'),
  },
  {
    ...adu,
    code: 'CLEAN_UP',
    title: 'The accessory-dwelling chapter as restated',
    force: 'obligation',
    citation: 'SB 543 (2025), Gov. Code 66311-66335',
    effectiveFrom: '2026-01-01',
    confidence: 'low',
    test: grants('A clean-up of the chapter; no limit tested here is changed by it.'),
  },
  {
    ...adu,
    code: 'LEGALISATION',
    title: 'Units built before 2020 without a permit can be legalised',
    force: 'obligation',
    citation: 'AB 2533 (2024)',
    effectiveFrom: '2025-01-01',
    test: grants('Unless a health and safety defect must be cured first.'),
  },
  {
    ...adu,
    code: 'SALE',
    title: 'Separate sale where the city has opted in',
    force: 'obligation',
    citation: 'AB 1033 (2023)',
    effectiveFrom: '2024-01-01',
    confidence: 'low',
    test: grants('As a condominium, by local ordinance only.'),
  },
]
