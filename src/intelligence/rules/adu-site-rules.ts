// California's accessory-dwelling law (Gov. Code 66310-66342): where a unit can stand.

import { sqft } from '../plain-numbers.ts'
import { type AduFacts, aduLimits } from './adu-facts.ts'
import { overlayOf, overlayRule, type Rule, type RuleAnswer } from './rule.ts'

const adu = { appliesTo: 'adu', confidence: 'medium' } as const

const coastal = ({ overlays, city }: AduFacts, because: string): RuleAnswer => {
  const value = overlayOf(overlays, 'coastalZone')
  if (value === 'yes' || (value === 'unknown' && city?.coastal)) return { outcome: 'warn', value, because }
  if (value === 'no') return { outcome: 'pass', value, because: 'Not in the coastal zone.' }
  return city
    ? { outcome: 'pass', value, because: `${city.name} does not touch the coastal zone.` }
    : { outcome: 'unknown', value, because: 'Whether it lies in the coastal zone is not known.' }
}

export const aduSiteRules: readonly Rule<AduFacts>[] = [
  {
    ...adu,
    code: 'NOT_CALIFORNIA',
    title: 'The parcel lies in California',
    force: 'absolute',
    citation: 'Gov. Code 66310-66342',
    confidence: 'high',
    test: ({ market, city }) =>
      market === 'nantucket' || (city && city.state !== 'CA')
        ? { outcome: 'fail', value: city?.state ?? 'MA', because: 'These are rules of California.' }
        : { outcome: 'pass', value: 'CA', because: 'In California.' },
  },
  {
    ...adu,
    code: 'NO_OWN_LOT',
    title: 'A residential lot of its own',
    force: 'absolute',
    citation: 'Gov. Code 66314(d)',
    test: ({ propertyType }) => {
      if (propertyType === 'condo')
        return { outcome: 'fail', value: propertyType, because: 'A condominium has no yard of its own to build in.' }
      if (propertyType === undefined || propertyType === 'other' || propertyType === 'townhouse')
        return {
          outcome: 'unknown',
          value: propertyType ?? 'unknown',
          because: 'Whether it has a lot of its own is not known.',
        }
      return { outcome: 'pass', value: propertyType, because: 'A lot of its own.' }
    },
  },
  {
    ...adu,
    code: 'NO_DWELLING',
    title: 'A house stands or is proposed',
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
          ? { outcome: 'unknown', value: 'unknown', because: 'The size of the house is not known.' }
          : { outcome: 'pass', value: sqft(livingSqft), because: 'A house stands there.' },
  },
  {
    ...adu,
    code: 'NO_ROOM',
    title: 'Room for a detached unit behind the house',
    force: 'conditional',
    citation: 'Gov. Code 66323(a)(2)',
    test: ({ buildableSqft }) => {
      if (buildableSqft === undefined) return { outcome: 'unknown', because: 'The rear yard cannot be worked out.' }
      const value = sqft(buildableSqft)
      if (buildableSqft >= aduLimits.realisticSqft)
        return { outcome: 'pass', value, because: `${value} of rear yard can be built on.` }
      return { outcome: 'warn', value, because: `${value} of rear yard is too little for a realistic detached unit.` }
    },
  },
  {
    ...adu,
    code: 'COASTAL_PERMIT',
    title: 'Coastal development permit',
    force: 'obligation',
    citation: 'Gov. Code 66329',
    effectiveUntil: '2026-01-01',
    test: (facts) => coastal(facts, 'A coastal permit may be needed, which the Commission may hear on appeal.'),
  },
  {
    ...adu,
    code: 'COASTAL_PERMIT',
    title: 'Coastal development permit',
    force: 'obligation',
    citation: 'Gov. Code 66329; AB 462 (2025)',
    effectiveFrom: '2026-01-01',
    test: (facts) =>
      coastal(facts, 'A coastal permit may be needed, within 60 days and without appeal to the Commission.'),
  },
  {
    ...adu,
    code: 'REAR_ACCESS',
    title: 'Way to the rear yard for building',
    force: 'obligation',
    citation: 'site condition',
    confidence: 'low',
    test: ({ lotWidthFt, cornerLot }) => {
      if (cornerLot) return { outcome: 'pass', value: 'corner', because: 'The side street reaches the rear yard.' }
      if (lotWidthFt === undefined)
        return {
          outcome: 'unknown',
          value: 'unknown',
          because: 'The width of the lot, and so the way past the house, is not known.',
        }
      return lotWidthFt >= 45
        ? { outcome: 'pass', value: `${lotWidthFt} ft wide`, because: 'Wide enough to pass beside the house.' }
        : {
            outcome: 'warn',
            value: `${lotWidthFt} ft wide`,
            because: 'A narrow lot: building behind the house may be hard to reach.',
          }
    },
  },
  {
    ...adu,
    code: 'STEEP',
    title: 'Slope above 25 %',
    force: 'obligation',
    citation: 'site condition',
    confidence: 'low',
    test: ({ slopePct }) => {
      if (slopePct === undefined) return { outcome: 'unknown', value: 'unknown', because: 'The slope is not known.' }
      const value = `${slopePct} %`
      return slopePct > 25
        ? { outcome: 'warn', value, because: 'Steep ground makes a detached unit costly.' }
        : { outcome: 'pass', value, because: 'Not steep.' }
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
      yes: 'Fire access and hardening rules apply, and the city may limit units there.',
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
    { yes: 'On septic: the county must find the system large enough.', no: 'On sewer.' },
  ),
]
