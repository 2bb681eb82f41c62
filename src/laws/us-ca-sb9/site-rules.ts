// SB 9: which parcels it applies to. Gov. Code 65852.21 (two units) and 66411.7 (lot split), as amended.

import { overlayOf, overlayRule, type Rule, type RuleAnswer } from '../../intelligence/rules/rule.ts'
import { namedOtherThanSingleFamily } from '../../intelligence/rules/zone-names.ts'
import { isInState } from '../site-tests.ts'
import type { Sb9Facts } from './facts.ts'

const both = 'Gov. Code 65852.21, 66411.7'
const site = { appliesTo: 'both', force: 'absolute', confidence: 'medium' } as const
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
  (yes: Pick<RuleAnswer, 'outcome' | 'because'>) =>
  ({ overlays }: Sb9Facts): RuleAnswer => {
    const value = overlayOf(overlays, 'historicContributing')
    if (value === 'yes') return { ...yes, value }
    return value === 'no' || overlayOf(overlays, 'historicDistrict') === 'no'
      ? { outcome: 'pass', value: 'no', because: 'No contributing structure.' }
      : { outcome: 'unknown', value, because: 'It is unknown whether the house contributes to a historic district.' }
  }

export const sb9SiteRules: readonly Rule<Sb9Facts>[] = [
  {
    ...site,
    code: 'NOT_CALIFORNIA',
    title: 'The parcel is in California',
    citation: both,
    confidence: 'high',
    test: isInState('CA', 'SB 9'),
  },
  {
    ...site,
    code: 'NOT_IN_FORCE',
    title: 'SB 9 is in force',
    citation: 'SB 9 (2021), ch. 162',
    confidence: 'high',
    effectiveUntil: '2022-01-01',
    test: () => ({ outcome: 'fail', because: 'SB 9 took effect on January 1, 2022.' }),
  },
  {
    ...site,
    code: 'NOT_SF_ZONE',
    title: 'Single-family residential zone',
    citation: 'Gov. Code 65852.21(a), 66411.7(a)(3)(A)',
    confidence: 'high',
    test: ({ zoning, district }) => {
      if (!district) {
        if (!zoning) return { outcome: 'unknown', value: 'unknown', because: 'The zoning is unknown.' }
        return namedOtherThanSingleFamily(zoning)
          ? { outcome: 'fail', value: zoning, because: `By its name, ${zoning} is not a single-family district.` }
          : { outcome: 'unknown', value: zoning, because: `The rules of zoning district ${zoning} are unknown.` }
      }
      return district.singleFamily === false
        ? {
            outcome: 'fail',
            value: district.codes[0],
            because: `${district.codes[0]} is not a single-family district.`,
          }
        : { outcome: 'pass', value: district.codes[0], because: `${district.codes[0]} is a single-family district.` }
    },
  },
  {
    ...site,
    code: 'NO_OWN_LOT',
    title: 'The home is on its own lot',
    citation: both,
    test: ({ propertyType }) => {
      if (propertyType === 'condo')
        return {
          outcome: 'fail',
          value: propertyType,
          because: 'A condominium has no lot of its own to split or build on.',
        }
      if (propertyType === undefined || propertyType === 'townhouse' || propertyType === 'other')
        return {
          outcome: 'unknown',
          value: propertyType ?? 'unknown',
          because: 'It is unknown whether the home is on its own lot.',
        }
      return { outcome: 'pass', value: propertyType, because: 'The home is on its own lot.' }
    },
  },
  {
    ...site,
    code: 'NOT_URBANIZED',
    title: 'In an urbanized area or urban cluster',
    citation: 'Gov. Code 66411.7(a)(3)(B)',
    confidence: 'high',
    test: ({ city, overlays }) => {
      if (city?.incorporated && city.urbanized)
        return { outcome: 'pass', value: city.name, because: `${city.name} includes part of a Census urban area.` }
      const value = overlayOf(overlays, 'urbanized')
      if (value === 'yes') return { outcome: 'pass', value, because: 'Entirely inside a Census urban area.' }
      if (value === 'no')
        return { outcome: 'fail', value, because: 'Unincorporated and outside every Census urban area.' }
      return {
        outcome: 'unknown',
        value,
        because: 'It is unknown whether this unincorporated parcel is entirely inside a Census urban area.',
      }
    },
  },
  overlayRule(
    {
      ...site,
      code: 'FARMLAND',
      title: 'Prime farmland or farmland of statewide importance',
      citation: 'Gov. Code 65913.4(a)(6)(B)',
    },
    'farmland',
    { yes: 'On protected farmland.', no: 'Not on protected farmland.' },
  ),
  overlayRule({ ...site, code: 'WETLAND', title: 'Wetland', citation: 'Gov. Code 65913.4(a)(6)(C)' }, 'wetland', {
    yes: 'On a wetland.',
    no: 'Not on a wetland.',
  }),
  overlayRule(
    {
      ...site,
      force: 'conditional',
      code: 'VHFHSZ',
      title: 'Very high fire hazard severity zone',
      citation: 'Gov. Code 65913.4(a)(6)(D)',
    },
    'veryHighFire',
    {
      yes: 'In a very high fire hazard zone: allowed only with the adopted fire-hardening measures, unless the local map excludes the site.',
      no: 'Outside the very high fire hazard zone.',
    },
  ),
  overlayRule(
    { ...site, code: 'HAZWASTE', title: 'Hazardous-waste site', citation: 'Gov. Code 65913.4(a)(6)(E), 65962.5' },
    'hazardousWaste',
    {
      yes: 'A listed hazardous-waste site, not shown as cleared for housing.',
      no: 'Not a listed hazardous-waste site.',
    },
  ),
  overlayRule(
    {
      ...site,
      force: 'conditional',
      code: 'FAULT_ZONE',
      title: 'Earthquake fault zone',
      citation: 'Gov. Code 65913.4(a)(6)(F)',
    },
    'faultZone',
    {
      yes: 'In a delineated fault zone: allowed if built to the seismic code.',
      no: 'Outside the delineated fault zones.',
    },
  ),
  overlayRule(
    {
      ...site,
      force: 'conditional',
      code: 'FLOOD',
      title: 'Special flood hazard area or floodway',
      citation: 'Gov. Code 65913.4(a)(6)(G)-(H)',
    },
    'floodZone',
    {
      yes: 'In a flood hazard area: allowed with a letter of map revision, FEMA minimum standards or a no-rise certificate.',
      no: 'Outside the special flood hazard areas.',
    },
  ),
  overlayRule(
    {
      ...site,
      code: 'HABITAT',
      title: 'Habitat of protected species or land of a conservation plan',
      citation: 'Gov. Code 65913.4(a)(6)(I)-(J)',
    },
    'habitat',
    { yes: 'Protected habitat.', no: 'No protected habitat.' },
  ),
  overlayRule(
    { ...site, code: 'CONSERVATION_EASEMENT', title: 'Conservation easement', citation: 'Gov. Code 65913.4(a)(6)(K)' },
    'conservationEasement',
    { yes: 'Under a conservation easement.', no: 'Not under a conservation easement.' },
  ),
  overlayRule(
    {
      ...site,
      code: 'HISTORIC_LISTED',
      title: 'Listed historic property or landmark',
      citation: 'Gov. Code 65852.21(a)(6), 66411.7(a)(3)(E)',
    },
    'historicListed',
    { yes: 'Individually listed as historic.', no: 'Not individually listed.' },
  ),
  overlayRule(
    {
      ...site,
      code: 'HISTORIC_DISTRICT',
      title: 'Inside a historic district',
      citation: 'Gov. Code 65852.21(a)(6), 66411.7(a)(3)(E), before AB 1061',
      effectiveUntil: '2026-01-01',
    },
    'historicDistrict',
    {
      yes: 'Inside a historic district, which blocked SB 9 until AB 1061 took effect.',
      no: 'Outside the historic districts.',
    },
  ),
  {
    ...site,
    appliesTo: 'two_unit',
    code: 'HISTORIC_CONTRIBUTING',
    title: 'Contributing structure in a historic district',
    citation: 'Gov. Code 65852.21(a)(6); AB 1061 (2025)',
    effectiveFrom: '2026-01-01',
    test: contributing({
      outcome: 'fail',
      because: 'The house contributes to a historic district: two units are blocked.',
    }),
  },
  {
    ...site,
    ...{ appliesTo: 'split', force: 'conditional' },
    code: 'HISTORIC_CONTRIBUTING_SPLIT',
    title: 'A split leaves a contributing structure as it is',
    citation: 'Gov. Code 66411.7(a)(3)(E); AB 1061 (2025)',
    effectiveFrom: '2026-01-01',
    test: contributing({
      outcome: 'warn',
      because: `The house contributes to a historic district: a split ${staysAsItIs}.`,
    }),
  },
  overlayRule(
    {
      ...site,
      force: 'conditional',
      code: 'AFFORDABLE',
      title: 'Deed-restricted affordable housing',
      citation: 'Gov. Code 65852.21(a)(3)(A), 66411.7(a)(3)(D)(i)',
    },
    'affordableDeed',
    { yes: `Deed-restricted affordable housing: ${staysAsItIs}.`, no: 'No affordability deed.' },
  ),
  overlayRule(
    {
      ...site,
      force: 'conditional',
      code: 'RENT_CONTROL',
      title: 'Rent-controlled housing',
      citation: 'Gov. Code 65852.21(a)(3)(B), 66411.7(a)(3)(D)(ii)',
    },
    'rentControlled',
    { yes: `Rent-controlled housing: ${staysAsItIs}.`, no: 'Not rent-controlled.' },
  ),
  overlayRule(
    {
      ...site,
      force: 'conditional',
      code: 'TENANT_3Y',
      title: 'Tenant-occupied in the last three years',
      citation: 'Gov. Code 65852.21(a)(3)(C), 66411.7(a)(3)(D)(iv)',
    },
    'tenantLast3y',
    {
      yes: `A tenant has lived there in the last three years: ${staysAsItIs}.`,
      no: 'No tenant in the last three years.',
    },
  ),
  overlayRule(
    {
      ...site,
      appliesTo: 'two_unit',
      code: 'ELLIS_15Y',
      title: 'Withdrawn from rent under the Ellis Act in the last 15 years',
      citation: 'Gov. Code 65852.21(a)(4)',
    },
    'ellisLast15y',
    {
      yes: 'Withdrawn from the rental market in the last 15 years: two units are blocked.',
      no: 'No Ellis Act withdrawal in the last 15 years.',
    },
  ),
  overlayRule(
    {
      ...site,
      ...{ appliesTo: 'split', force: 'conditional' },
      code: 'ELLIS_SPLIT',
      title: 'A split leaves a house withdrawn under the Ellis Act as it is',
      citation: 'Gov. Code 66411.7(a)(3)(D)(iii)',
    },
    'ellisLast15y',
    {
      yes: `Withdrawn from the rental market in the last 15 years: a split ${staysAsItIs}.`,
      no: 'No Ellis Act withdrawal in the last 15 years.',
    },
  ),
]
