// SB 9: which parcels it applies to. Gov. Code 65852.21 (two units) and 66411.7 (lot split), as amended.

import {
  fail,
  overlay,
  overlayOf,
  pass,
  type RuleAnswer,
  rulesOf,
  unknownFact,
  warn,
} from '../../intelligence/rules/rule.ts'
import { namedOtherThanSingleFamily } from '../../intelligence/rules/zone-names.ts'
import { isInState, ownLotTest } from '../site-tests.ts'
import type { Sb9Facts } from './lot-split.ts'

const both = 'Gov. Code 65852.21, 66411.7'
const staysAsItIs = 'only if the existing house is neither demolished nor altered'

/** Rules that bar demolition or alteration of the house, and nothing that leaves it as it is. */
export const demolitionRules: readonly string[] = [
  'AFFORDABLE',
  'RENT_CONTROL',
  'TENANT_3Y',
  'ELLIS_SPLIT',
  'HISTORIC_CONTRIBUTING_SPLIT',
]

const contributing =
  (yes: RuleAnswer) =>
  ({ overlays }: Sb9Facts): RuleAnswer => {
    const value = overlayOf(overlays, 'historicContributing')
    if (value === 'yes') return yes
    return value === 'no' || overlayOf(overlays, 'historicDistrict') === 'no'
      ? pass('No contributing structure.', 'no')
      : unknownFact('It is unknown whether the house contributes to a historic district.', value)
  }

const { absolute, conditional } = rulesOf<Sb9Facts>('both')

export const sb9SiteRules = [
  absolute('NOT_CALIFORNIA: The parcel is in California', both, { confidence: 'high' }, isInState('CA', 'SB 9')),
  absolute(
    'NOT_IN_FORCE: SB 9 is in force',
    'SB 9 (2021), ch. 162',
    { confidence: 'high', effectiveUntil: '2022-01-01' },
    fail('SB 9 took effect on January 1, 2022.'),
  ),
  absolute(
    'NOT_SF_ZONE: Single-family residential zone',
    'Gov. Code 65852.21(a), 66411.7(a)(3)(A)',
    { confidence: 'high' },
    ({ zoning, district }) => {
      if (!district) {
        if (!zoning) return unknownFact('The zoning is unknown.')
        return namedOtherThanSingleFamily(zoning)
          ? fail(`By its name, ${zoning} is not a single-family district.`, zoning)
          : unknownFact(`The rules of zoning district ${zoning} are unknown.`, zoning)
      }
      return district.singleFamily === false
        ? fail(`${district.codes[0]} is not a single-family district.`, district.codes[0])
        : pass(`${district.codes[0]} is a single-family district.`, district.codes[0])
    },
  ),
  absolute(
    'NO_OWN_LOT: The home is on its own lot',
    both,
    ownLotTest('A condominium has no lot of its own to split or build on.'),
  ),
  absolute(
    'NOT_URBANIZED: In an urbanized area or urban cluster',
    'Gov. Code 66411.7(a)(3)(B)',
    { confidence: 'high' },
    ({ city, overlays }) => {
      if (city?.incorporated && city.urbanized)
        return pass(`${city.name} includes part of a Census urban area.`, city.name)
      const value = overlayOf(overlays, 'urbanized')
      if (value === 'yes') return pass('Entirely inside a Census urban area.', value)
      if (value === 'no') return fail('Unincorporated and outside every Census urban area.', value)
      return unknownFact(
        'It is unknown whether this unincorporated parcel is entirely inside a Census urban area.',
        value,
      )
    },
  ),
  absolute(
    'FARMLAND: Prime farmland or farmland of statewide importance',
    'Gov. Code 65913.4(a)(6)(B)',
    overlay('farmland', 'On protected farmland.', 'Not on protected farmland.'),
  ),
  absolute('WETLAND: Wetland', 'Gov. Code 65913.4(a)(6)(C)', overlay('wetland', 'On a wetland.', 'Not on a wetland.')),
  conditional(
    'VHFHSZ: Very high fire hazard severity zone',
    'Gov. Code 65913.4(a)(6)(D)',
    overlay(
      'veryHighFire',
      'In a very high fire hazard zone: allowed only with the adopted fire-hardening measures, unless the local map excludes the site.',
      'Outside the very high fire hazard zone.',
    ),
  ),
  absolute(
    'HAZWASTE: Hazardous-waste site',
    'Gov. Code 65913.4(a)(6)(E), 65962.5',
    overlay(
      'hazardousWaste',
      'A listed hazardous-waste site, not shown as cleared for housing.',
      'Not a listed hazardous-waste site.',
    ),
  ),
  conditional(
    'FAULT_ZONE: Earthquake fault zone',
    'Gov. Code 65913.4(a)(6)(F)',
    overlay(
      'faultZone',
      'In a delineated fault zone: allowed if built to the seismic code.',
      'Outside the delineated fault zones.',
    ),
  ),
  conditional(
    'FLOOD: Special flood hazard area or floodway',
    'Gov. Code 65913.4(a)(6)(G)-(H)',
    overlay(
      'floodZone',
      'In a flood hazard area: allowed with a letter of map revision, FEMA minimum standards or a no-rise certificate.',
      'Outside the special flood hazard areas.',
    ),
  ),
  absolute(
    'HABITAT: Habitat of protected species or land of a conservation plan',
    'Gov. Code 65913.4(a)(6)(I)-(J)',
    overlay('habitat', 'Protected habitat.', 'No protected habitat.'),
  ),
  absolute(
    'CONSERVATION_EASEMENT: Conservation easement',
    'Gov. Code 65913.4(a)(6)(K)',
    overlay('conservationEasement', 'Under a conservation easement.', 'Not under a conservation easement.'),
  ),
  absolute(
    'HISTORIC_LISTED: Listed historic property or landmark',
    'Gov. Code 65852.21(a)(6), 66411.7(a)(3)(E)',
    overlay('historicListed', 'Individually listed as historic.', 'Not individually listed.'),
  ),
  absolute(
    'HISTORIC_DISTRICT: Inside a historic district',
    'Gov. Code 65852.21(a)(6), 66411.7(a)(3)(E), before AB 1061',
    { effectiveUntil: '2026-01-01' },
    overlay(
      'historicDistrict',
      'Inside a historic district, which blocked SB 9 until AB 1061 took effect.',
      'Outside the historic districts.',
    ),
  ),
  absolute(
    'HISTORIC_CONTRIBUTING: Contributing structure in a historic district',
    'Gov. Code 65852.21(a)(6); AB 1061 (2025)',
    { appliesTo: 'two_unit', effectiveFrom: '2026-01-01' },
    contributing(fail('The house contributes to a historic district: two units are blocked.', 'yes')),
  ),
  conditional(
    'HISTORIC_CONTRIBUTING_SPLIT: A split leaves a contributing structure as it is',
    'Gov. Code 66411.7(a)(3)(E); AB 1061 (2025)',
    { appliesTo: 'split', effectiveFrom: '2026-01-01' },
    contributing(warn(`The house contributes to a historic district: a split ${staysAsItIs}.`, 'yes')),
  ),
  conditional(
    'AFFORDABLE: Deed-restricted affordable housing',
    'Gov. Code 65852.21(a)(3)(A), 66411.7(a)(3)(D)(i)',
    overlay('affordableDeed', `Deed-restricted affordable housing: ${staysAsItIs}.`, 'No affordability deed.'),
  ),
  conditional(
    'RENT_CONTROL: Rent-controlled housing',
    'Gov. Code 65852.21(a)(3)(B), 66411.7(a)(3)(D)(ii)',
    overlay('rentControlled', `Rent-controlled housing: ${staysAsItIs}.`, 'Not rent-controlled.'),
  ),
  conditional(
    'TENANT_3Y: Tenant-occupied in the last three years',
    'Gov. Code 65852.21(a)(3)(C), 66411.7(a)(3)(D)(iv)',
    overlay(
      'tenantLast3y',
      `A tenant has lived there in the last three years: ${staysAsItIs}.`,
      'No tenant in the last three years.',
    ),
  ),
  absolute(
    'ELLIS_15Y: Withdrawn from rent under the Ellis Act in the last 15 years',
    'Gov. Code 65852.21(a)(4)',
    { appliesTo: 'two_unit' },
    overlay(
      'ellisLast15y',
      'Withdrawn from the rental market in the last 15 years: two units are blocked.',
      'No Ellis Act withdrawal in the last 15 years.',
    ),
  ),
  conditional(
    'ELLIS_SPLIT: A split leaves a house withdrawn under the Ellis Act as it is',
    'Gov. Code 66411.7(a)(3)(D)(iii)',
    { appliesTo: 'split' },
    overlay(
      'ellisLast15y',
      `Withdrawn from the rental market in the last 15 years: a split ${staysAsItIs}.`,
      'No Ellis Act withdrawal in the last 15 years.',
    ),
  ),
]
