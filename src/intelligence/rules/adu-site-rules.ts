// California's ADU law (Gov. Code 66310-66342): where a unit can be built.

import { sqft } from '../number-format.ts'
import { type AduFacts, aduLimits } from './adu-facts.ts'
import { overlayOf, overlayRule, type Rule, type RuleAnswer } from './rule.ts'

const adu = { appliesTo: 'adu', confidence: 'medium' } as const

const coastal = ({ overlays, city }: AduFacts, because: string): RuleAnswer => {
  const value = overlayOf(overlays, 'coastalZone')
  if (value === 'yes' || (value === 'unknown' && city?.coastal)) return { outcome: 'warn', value, because }
  if (value === 'no') return { outcome: 'pass', value, because: 'Not in the coastal zone.' }
  return city
    ? { outcome: 'pass', value, because: `${city.name} is outside the coastal zone.` }
    : { outcome: 'unknown', value, because: 'It is unknown whether the parcel is in the coastal zone.' }
}

export const aduSiteRules: readonly Rule<AduFacts>[] = [
  {
    ...adu,
    code: 'NOT_CALIFORNIA',
    title: 'The parcel is in California',
    force: 'absolute',
    citation: 'Gov. Code 66310-66342',
    confidence: 'high',
    test: ({ market, city }) =>
      market === 'nantucket' || (city && city.state !== 'CA')
        ? { outcome: 'fail', value: city?.state ?? 'MA', because: 'California law applies only in California.' }
        : { outcome: 'pass', value: 'CA', because: 'In California.' },
  },
  {
    ...adu,
    code: 'NO_OWN_LOT',
    title: 'The home is on its own residential lot',
    force: 'absolute',
    citation: 'Gov. Code 66314(d)',
    test: ({ propertyType }) => {
      if (propertyType === 'condo')
        return { outcome: 'fail', value: propertyType, because: 'A condominium has no private yard to build in.' }
      if (propertyType === undefined || propertyType === 'other' || propertyType === 'townhouse')
        return {
          outcome: 'unknown',
          value: propertyType ?? 'unknown',
          because: 'It is unknown whether the home is on its own lot.',
        }
      return { outcome: 'pass', value: propertyType, because: 'The home is on its own lot.' }
    },
  },
  {
    ...adu,
    code: 'NO_DWELLING',
    title: 'A house exists or is proposed',
    force: 'absolute',
    citation: 'Gov. Code 66314(d)(2)',
    test: ({ propertyType, livingSqft }) =>
      propertyType === 'land'
        ? {
            outcome: 'fail',
            value: 'land',
            because: 'Vacant land: an accessory unit needs a house, built or proposed.',
          }
        : livingSqft === undefined
          ? { outcome: 'unknown', value: 'unknown', because: 'The size of the house is unknown.' }
          : { outcome: 'pass', value: sqft(livingSqft), because: 'There is a house on the lot.' },
  },
  {
    ...adu,
    code: 'NO_ROOM',
    title: 'Room for a detached unit behind the house',
    force: 'conditional',
    citation: 'Gov. Code 66323(a)(2)',
    test: ({ buildableSqft }) => {
      if (buildableSqft === undefined) return { outcome: 'unknown', because: 'The size of the rear yard is unknown.' }
      const value = sqft(buildableSqft)
      if (buildableSqft >= aduLimits.realisticSqft)
        return { outcome: 'pass', value, because: `${value} of the rear yard can be built on.` }
      return {
        outcome: 'warn',
        value,
        because: `Only ${value} of the rear yard can be built on, too little for a detached unit.`,
      }
    },
  },
  {
    ...adu,
    code: 'COASTAL_PERMIT',
    title: 'Coastal development permit',
    force: 'obligation',
    citation: 'Gov. Code 66329',
    effectiveUntil: '2026-01-01',
    test: (facts) =>
      coastal(facts, 'A coastal permit may be required, and its approval can be appealed to the Coastal Commission.'),
  },
  {
    ...adu,
    code: 'COASTAL_PERMIT',
    title: 'Coastal development permit',
    force: 'obligation',
    citation: 'Gov. Code 66329; AB 462 (2025)',
    effectiveFrom: '2026-01-01',
    test: (facts) =>
      coastal(
        facts,
        'A coastal permit may be required. The city must decide within 60 days; no appeal to the Coastal Commission.',
      ),
  },
  {
    ...adu,
    code: 'REAR_ACCESS',
    title: 'Construction access to the rear yard',
    force: 'obligation',
    citation: 'site condition',
    confidence: 'low',
    test: ({ lotWidthFt, cornerLot }) => {
      if (cornerLot)
        return { outcome: 'pass', value: 'corner', because: 'The rear yard can be reached from the side street.' }
      if (lotWidthFt === undefined)
        return {
          outcome: 'unknown',
          value: 'unknown',
          because: 'Lot width is unknown, so access past the house is unknown.',
        }
      return lotWidthFt >= 45
        ? {
            outcome: 'pass',
            value: `${lotWidthFt} ft wide`,
            because: 'The lot is wide enough for access past the house.',
          }
        : {
            outcome: 'warn',
            value: `${lotWidthFt} ft wide`,
            because: 'The lot is narrow: construction access to the rear yard may be difficult.',
          }
    },
  },
  {
    ...adu,
    code: 'STEEP',
    title: 'Slope above 25%',
    force: 'obligation',
    citation: 'site condition',
    confidence: 'low',
    test: ({ slopePct }) => {
      if (slopePct === undefined) return { outcome: 'unknown', value: 'unknown', because: 'Slope is unknown.' }
      const value = `${slopePct}%`
      return slopePct > 25
        ? { outcome: 'warn', value, because: 'A steep lot makes a detached unit expensive to build.' }
        : { outcome: 'pass', value, because: 'The lot is not steep.' }
    },
  },
  overlayRule(
    {
      ...adu,
      code: 'VHFHSZ',
      title: 'Very high fire hazard severity zone',
      force: 'conditional',
      citation: 'Gov. Code 66314(a); local fire code',
    },
    'veryHighFire',
    {
      yes: 'In a very high fire hazard zone: fire access and hardening rules apply, and the city may limit units.',
      no: 'Outside the very high fire hazard zone.',
    },
  ),
  overlayRule(
    {
      ...adu,
      code: 'SEPTIC',
      title: 'Septic system',
      force: 'conditional',
      citation: 'Gov. Code 66317; county health',
    },
    'septic',
    { yes: 'On septic: the county must confirm that the system is large enough.', no: 'Connected to the sewer.' },
  ),
]
