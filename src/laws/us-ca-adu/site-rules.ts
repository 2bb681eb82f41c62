// California's ADU law (Gov. Code 66310-66342): where a unit can be built.

import { fail, overlay, pass, rulesOf, unknownFact, untested, warn } from '../../intelligence/rules/rule.ts'
import { sqft } from '../../intelligence/scores/number-format.ts'
import { isVacantLot } from '../../intelligence/site/vacant-lot.ts'
import { isInState, isOnOwnLot, isOutsideCoastalZone } from '../site-tests.ts'
import { type AduFacts, aduLimits, existingUnits } from './facts.ts'

const { absolute, conditional, obligation } = rulesOf<AduFacts>('adu')

export const aduSiteRules = [
  absolute(
    'NOT_CALIFORNIA: The parcel is in California',
    'Gov. Code 66310-66342',
    { confidence: 'high' },
    isInState('CA'),
  ),
  absolute('NO_OWN_LOT: The home is on its own residential lot', 'Gov. Code 66314(d)', isOnOwnLot),
  conditional('NO_DWELLING: A house exists or is proposed', 'Gov. Code 66314(d)(2), 66323(a)', (facts) =>
    isVacantLot(facts)
      ? warn('Vacant land: together with a new house, which may be proposed.', 'land')
      : facts.livingSqft === undefined
        ? unknownFact('The size of the house is unknown.')
        : pass('There is a house on the lot.', sqft(facts.livingSqft)),
  ),
  absolute('MAXIMUM_REACHED: Fewer accessory units exist than the law allows', 'Gov. Code 66323(a)', (facts) => {
    const { units, propertyType } = facts
    if (propertyType === undefined || units === undefined)
      return unknownFact('The number of dwellings on the lot is unknown.')
    if (propertyType !== 'single_family') return pass('The limit applies to lots with one house.', propertyType)
    const existing = existingUnits(facts)
    const value = `${units} on record`
    if (existing >= aduLimits.singleFamilyUnits)
      return fail(`The lot already has ${units} dwellings, the most the law allows.`, value)
    return existing > 0
      ? warn(`The lot already has ${units} dwellings; fewer can be added.`, value)
      : pass('One dwelling is on record.', value)
  }),
  absolute('WETLAND: Wetland', 'Clean Water Act s. 404', overlay('wetland', 'On a wetland.', 'Not on a wetland.')),
  absolute(
    'CONSERVATION_EASEMENT: Conservation easement',
    'Civil Code 815',
    overlay('conservationEasement', 'Under a conservation easement.', 'Not under a conservation easement.'),
  ),
  conditional(
    'AFFORDABLE: Deed-restricted affordable housing',
    'recorded deed',
    overlay(
      'affordableDeed',
      'Deed-restricted: no statute bars a unit, but the deed may. Read it.',
      'No affordability deed.',
    ),
  ),
  conditional(
    'HISTORIC_LISTED: Listed historic property',
    'Gov. Code 66314(b)(1); local landmark ordinance',
    overlay(
      'historicListed',
      'Listed as historic: design review applies. Units under Gov. Code 66323 escape local standards.',
      'Not listed as historic.',
    ),
  ),
  conditional('NO_ROOM: Room for a detached unit behind the house', 'Gov. Code 66323(a)(2)', ({ buildableSqft }) => {
    if (buildableSqft === undefined) return untested('The size of the rear yard is unknown.')
    const value = sqft(buildableSqft)
    if (buildableSqft >= aduLimits.realisticSqft) return pass(`${value} of the rear yard can be built on.`, value)
    return warn(`Only ${value} of the rear yard can be built on, too little for a detached unit.`, value)
  }),
  obligation(
    'COASTAL_PERMIT: Coastal development permit',
    'Gov. Code 66329',
    { effectiveUntil: '2025-10-10' },
    isOutsideCoastalZone(
      'A coastal permit may be required, and its approval can be appealed to the Coastal Commission.',
    ),
  ),
  obligation(
    'COASTAL_PERMIT: Coastal development permit',
    'Gov. Code 66329; AB 462 (2025)',
    { effectiveFrom: '2025-10-10' },
    isOutsideCoastalZone(
      'A coastal permit may be required. The city must decide within 60 days; no appeal to the Coastal Commission.',
    ),
  ),
  obligation(
    'REAR_ACCESS: Construction access to the rear yard',
    'site condition',
    { confidence: 'low' },
    ({ lotWidthFt, cornerLot }) => {
      if (cornerLot) return pass('The rear yard can be reached from the side street.', 'corner')
      if (lotWidthFt === undefined) return unknownFact('Lot width is unknown, so access past the house is unknown.')
      return lotWidthFt >= 45
        ? pass('The lot is wide enough for access past the house.', `${lotWidthFt} ft wide`)
        : warn('The lot is narrow: construction access to the rear yard may be difficult.', `${lotWidthFt} ft wide`)
    },
  ),
  conditional('STEEP: Slope above 25%', 'site condition', { confidence: 'low' }, ({ slopePct }) => {
    if (slopePct === undefined) return unknownFact('Slope is unknown.')
    const value = `${slopePct}%`
    if (slopePct > aduLimits.steepestPct)
      return warn(`The lot has a slope of ${value}: a detached unit is rarely built there.`, value)
    return slopePct > 25
      ? warn('A steep lot makes a detached unit expensive to build.', value)
      : pass('The lot is not steep.', value)
  }),
  conditional(
    'VHFHSZ: Very high fire hazard severity zone',
    'Gov. Code 66314(a); local fire code',
    overlay(
      'veryHighFire',
      'In a very high fire hazard zone: fire access and hardening rules apply, and the city may limit units.',
      'Outside the very high fire hazard zone.',
    ),
  ),
  conditional(
    'SEPTIC: Septic system',
    'Gov. Code 66314(b)(1), 66314(d)(9), 66323',
    overlay(
      'septic',
      'On septic: the county must approve the system and may ask for a recent percolation test. No lot size bars a unit.',
      'Connected to the sewer.',
    ),
  ),
]
