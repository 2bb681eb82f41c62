// California's ADU law (Gov. Code 66310-66342): where a unit can be built.

import { overlayRule, type Rule } from '../../intelligence/rules/rule.ts'
import { sqft } from '../../intelligence/scores/number-format.ts'
import { isVacantLot } from '../../intelligence/site/vacant-lot.ts'
import { isInState, isOnOwnLot, isOutsideCoastalZone } from '../site-tests.ts'
import { type AduFacts, aduLimits, existingUnits } from './facts.ts'

const adu = { appliesTo: 'adu', confidence: 'medium' } as const

export const aduSiteRules: readonly Rule<AduFacts>[] = [
  {
    ...adu,
    code: 'NOT_CALIFORNIA',
    title: 'The parcel is in California',
    force: 'absolute',
    citation: 'Gov. Code 66310-66342',
    confidence: 'high',
    test: isInState('CA'),
  },
  {
    ...adu,
    code: 'NO_OWN_LOT',
    title: 'The home is on its own residential lot',
    force: 'absolute',
    citation: 'Gov. Code 66314(d)',
    test: isOnOwnLot,
  },
  {
    ...adu,
    code: 'NO_DWELLING',
    title: 'A house exists or is proposed',
    force: 'conditional',
    citation: 'Gov. Code 66314(d)(2), 66323(a)',
    test: (facts) =>
      isVacantLot(facts)
        ? { outcome: 'warn', value: 'land', because: 'Vacant land: together with a new house, which may be proposed.' }
        : facts.livingSqft === undefined
          ? { outcome: 'unknown', value: 'unknown', because: 'The size of the house is unknown.' }
          : { outcome: 'pass', value: sqft(facts.livingSqft), because: 'There is a house on the lot.' },
  },
  {
    ...adu,
    code: 'MAXIMUM_REACHED',
    title: 'Fewer accessory units exist than the law allows',
    force: 'absolute',
    citation: 'Gov. Code 66323(a)',
    test: (facts) => {
      const { units, propertyType } = facts
      if (propertyType === undefined || units === undefined)
        return { outcome: 'unknown', value: 'unknown', because: 'The number of dwellings on the lot is unknown.' }
      if (propertyType !== 'single_family')
        return { outcome: 'pass', value: propertyType, because: 'The limit applies to lots with one house.' }
      const existing = existingUnits(facts)
      const value = `${units} on record`
      if (existing >= aduLimits.singleFamilyUnits)
        return { outcome: 'fail', value, because: `The lot already has ${units} dwellings, the most the law allows.` }
      return existing > 0
        ? { outcome: 'warn', value, because: `The lot already has ${units} dwellings; fewer can be added.` }
        : { outcome: 'pass', value, because: 'One dwelling is on record.' }
    },
  },
  overlayRule(
    { ...adu, code: 'WETLAND', title: 'Wetland', force: 'absolute', citation: 'Clean Water Act s. 404' },
    'wetland',
    { yes: 'On a wetland.', no: 'Not on a wetland.' },
  ),
  overlayRule(
    {
      ...adu,
      code: 'CONSERVATION_EASEMENT',
      title: 'Conservation easement',
      force: 'absolute',
      citation: 'Civil Code 815',
    },
    'conservationEasement',
    { yes: 'Under a conservation easement.', no: 'Not under a conservation easement.' },
  ),
  overlayRule(
    {
      ...adu,
      code: 'AFFORDABLE',
      title: 'Deed-restricted affordable housing',
      force: 'conditional',
      citation: 'recorded deed',
    },
    'affordableDeed',
    { yes: 'Deed-restricted: no statute bars a unit, but the deed may. Read it.', no: 'No affordability deed.' },
  ),
  overlayRule(
    {
      ...adu,
      code: 'HISTORIC_LISTED',
      title: 'Listed historic property',
      force: 'conditional',
      citation: 'Gov. Code 66314(b)(1); local landmark ordinance',
    },
    'historicListed',
    {
      yes: 'Listed as historic: design review applies. Units under Gov. Code 66323 escape local standards.',
      no: 'Not listed as historic.',
    },
  ),
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
    effectiveUntil: '2025-10-10',
    test: isOutsideCoastalZone(
      'A coastal permit may be required, and its approval can be appealed to the Coastal Commission.',
    ),
  },
  {
    ...adu,
    code: 'COASTAL_PERMIT',
    title: 'Coastal development permit',
    force: 'obligation',
    citation: 'Gov. Code 66329; AB 462 (2025)',
    effectiveFrom: '2025-10-10',
    test: isOutsideCoastalZone(
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
    force: 'conditional',
    citation: 'site condition',
    confidence: 'low',
    test: ({ slopePct }) => {
      if (slopePct === undefined) return { outcome: 'unknown', value: 'unknown', because: 'Slope is unknown.' }
      const value = `${slopePct}%`
      if (slopePct > aduLimits.steepestPct)
        return {
          outcome: 'warn',
          value,
          because: `The lot has a slope of ${value}: a detached unit is rarely built there.`,
        }
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
      citation: 'Gov. Code 66314(b)(1), 66314(d)(9), 66323',
    },
    'septic',
    {
      yes: 'On septic: the county must approve the system and may ask for a recent percolation test. No lot size bars a unit.',
      no: 'Connected to the sewer.',
    },
  ),
]
