// Massachusetts: protected-use accessory dwelling units. G.L. c.40A s.1A and s.3, as amended by St. 2024 c.150 s.8, and 760 CMR 71.00.

import { overlayOf, overlayRule, type Rule, type RuleAnswer } from '../../intelligence/rules/rule.ts'
import { sqft } from '../../intelligence/scores/number-format.ts'
import { isVacantLot } from '../../intelligence/site/vacant-lot.ts'
import type { LawFacts } from '../law.ts'
import { isInState, isOnOwnLot } from '../site-tests.ts'

export const maLimits = {
  largestSqft: 900,
  shareOfHouse: 0.5,
  /** The smallest unit that is built in practice, and the smallest garage that is converted. */
  realisticSqft: 350,
  conversionSqft: 220,
} as const

/** The facts that the rules test. */
export type MaAduFacts = Pick<
  LawFacts,
  | 'propertyType'
  | 'livingSqft'
  | 'yearBuilt'
  | 'units'
  | 'assessedImprovementUsd'
  | 'lotSqft'
  | 'overlays'
  | 'zoning'
  | 'state'
> & {
  city?: { state: string }
  district?: Pick<NonNullable<LawFacts['district']>, 'codes' | 'singleFamily' | 'minLotSqft'>
  /** Who approves exterior changes, where all of the market is a historic district. */
  review?: LawFacts['review']
  /** Floor area that yard, setbacks, ground cover and height leave for a detached unit; absent when unknown. */
  roomSqft?: number
}

/** The largest unit that the law protects. Living area stands for gross floor area, which no feed has. */
export const protectedSqft = ({ livingSqft }: Pick<LawFacts, 'livingSqft'>): number =>
  livingSqft ? Math.min(maLimits.largestSqft, Math.floor(livingSqft * maLimits.shareOfHouse)) : maLimits.largestSqft

const adu = { appliesTo: 'adu', confidence: 'medium' } as const
const absolute = { ...adu, force: 'absolute' } as const
const conditional = { ...adu, force: 'conditional' } as const
const obligation = { ...adu, force: 'obligation' } as const
const always = (outcome: 'pass' | 'warn', because: string) => (): RuleAnswer => ({ outcome, because })

export const maAduRules: readonly Rule<MaAduFacts>[] = [
  {
    ...absolute,
    code: 'NOT_MASSACHUSETTS',
    title: 'The parcel is in Massachusetts',
    citation: 'G.L. c.40A',
    confidence: 'high',
    test: isInState('MA'),
  },
  {
    ...absolute,
    code: 'MA_ZONE',
    title: 'The district allows single-family homes',
    citation: '760 CMR 71.02',
    test: ({ zoning, district }) => {
      if (!district)
        return {
          outcome: 'unknown',
          value: zoning ?? 'unknown',
          because: zoning ? `The rules of zoning district ${zoning} are unknown.` : 'The zoning is unknown.',
        }
      return district.singleFamily === false
        ? {
            outcome: 'fail',
            value: district.codes[0],
            because: `${district.codes[0]} does not allow single-family homes, so only local rules apply.`,
          }
        : { outcome: 'pass', value: district.codes[0], because: `${district.codes[0]} allows single-family homes.` }
    },
  },
  {
    ...absolute,
    code: 'NO_OWN_LOT',
    title: 'The home is on its own lot',
    citation: '760 CMR 71.02',
    test: isOnOwnLot,
  },
  {
    ...absolute,
    code: 'MA_DWELLING',
    title: 'The lot has at least one dwelling',
    citation: '760 CMR 71.02',
    test: (facts) => {
      if (isVacantLot(facts))
        return { outcome: 'fail', value: 'land', because: 'Vacant land: the law protects a unit beside a dwelling.' }
      return facts.livingSqft === undefined
        ? { outcome: 'unknown', value: 'unknown', because: 'The size of the house is unknown.' }
        : { outcome: 'pass', value: sqft(facts.livingSqft), because: 'There is a dwelling on the lot.' }
    },
  },
  overlayRule(
    {
      ...absolute,
      code: 'CONSERVATION_EASEMENT',
      title: 'Conservation restriction',
      citation: 'G.L. c.184 s.31',
    },
    'conservationEasement',
    { yes: 'Under a conservation restriction.', no: 'Not under a conservation restriction.' },
  ),
  overlayRule({ ...conditional, code: 'WETLAND', title: 'Wetland', citation: 'G.L. c.131 s.40' }, 'wetland', {
    yes: 'On or near a wetland: the conservation commission must approve the work.',
    no: 'Not on a wetland.',
  }),
  {
    ...conditional,
    code: 'MA_DIMENSION',
    title: 'A unit fits the setbacks and the ground cover',
    citation: '760 CMR 71.03(3)(b)2',
    test: ({ roomSqft }) => {
      if (roomSqft === undefined)
        return { outcome: 'unknown', because: 'The room that setbacks and ground cover leave is unknown.' }
      const value = sqft(roomSqft)
      return roomSqft >= maLimits.realisticSqft
        ? { outcome: 'pass', value, because: `${value} can be built behind the house.` }
        : {
            outcome: 'warn',
            value,
            because: `Only ${value} can be built behind the house: convert part of a building or design a smaller unit.`,
          }
    },
  },
  overlayRule(
    { ...conditional, code: 'MA_SEPTIC', title: 'Septic system', citation: '310 CMR 15 (Title 5)' },
    'septic',
    { yes: 'On septic: the system must have the capacity that Title 5 requires.', no: 'Connected to the sewer.' },
  ),
  {
    ...obligation,
    code: 'MA_SIZE',
    title: 'At most 900 sq ft and half of the house',
    citation: 'G.L. c.40A s.1A',
    test: (facts) => {
      const value = sqft(protectedSqft(facts))
      return facts.livingSqft
        ? { outcome: 'pass', value, because: `Up to ${value} is protected; a larger unit needs a local permit.` }
        : { outcome: 'unknown', value, because: `At most ${value}; the size of the house may reduce it.` }
    },
  },
  {
    ...obligation,
    code: 'MA_GFA',
    title: 'Gross floor area of the house',
    citation: '760 CMR 71.02',
    confidence: 'low',
    test: ({ livingSqft }) =>
      livingSqft
        ? {
            outcome: 'warn',
            value: sqft(livingSqft),
            because:
              'Living area is used, because gross floor area is not on record. A basement of legal height counts; garage, attic and enclosed porch do not.',
          }
        : { outcome: 'unknown', value: 'unknown', because: 'The floor area of the house is unknown.' },
  },
  {
    ...obligation,
    code: 'MA_COUNT',
    title: 'One protected unit on a lot',
    citation: 'G.L. c.40A s.3',
    test: ({ units }) => {
      const rule = 'A second one needs a special permit, where the town offers it.'
      if (units === undefined)
        return {
          outcome: 'warn',
          value: 'unknown',
          because: `It is unknown whether the lot already has a protected unit. ${rule}`,
        }
      const value = `${units} on record`
      return units > 1
        ? { outcome: 'warn', value, because: `${units} dwellings are on record; one may be a protected unit. ${rule}` }
        : { outcome: 'pass', value, because: 'One unit by right: one dwelling is on record.' }
    },
  },
  {
    ...obligation,
    code: 'MA_OLD_ADU',
    title: 'Conditions of an earlier accessory unit',
    citation: 'G.L. c.40A s.3',
    test: ({ units }) =>
      units === 1
        ? { outcome: 'pass', value: '1 on record', because: 'No earlier unit is on record.' }
        : {
            outcome: 'warn',
            value: units === undefined ? 'unknown' : `${units} on record`,
            because:
              'If an earlier permitted unit fits the size limit, its owner or family conditions lapse. Ask the building commissioner whether one more is allowed.',
          },
  },
  {
    ...obligation,
    code: 'MA_OWNER',
    title: 'Owner occupancy may not be required',
    citation: 'G.L. c.40A s.3',
    test: always('pass', 'It does not matter whether the owner lives there.'),
  },
  {
    ...obligation,
    code: 'MA_PARKING',
    title: 'At most one parking space; none near transit',
    citation: 'G.L. c.40A s.3',
    test: ({ overlays }) => {
      const near = overlayOf(overlays, 'transitHalfMile')
      return near === 'yes'
        ? {
            outcome: 'pass',
            value: '0 spaces',
            because: 'Within half a mile of a ferry terminal, bus, subway or commuter station.',
          }
        : { outcome: 'pass', value: 'at most 1', because: 'At most one space may be required.' }
    },
  },
  {
    ...obligation,
    code: 'MA_MIN_LOT',
    title: 'No minimum lot size',
    citation: 'Attorney General decisions: Sudbury, Brookline (2025)',
    test: always('pass', 'A lot below the district minimum, or nonconforming, still qualifies.'),
  },
  {
    ...obligation,
    code: 'MA_BEDROOMS',
    title: 'No limit on bedrooms',
    citation: 'Attorney General decision: Leicester (2025)',
    test: always('pass', 'A town may not limit the bedrooms of the unit.'),
  },
  {
    ...obligation,
    code: 'MA_SITE_PLAN',
    title: 'Site plan review',
    citation: 'G.L. c.40A s.3',
    confidence: 'high',
    test: always('warn', 'The town may require site plan review, which cannot deny the use.'),
  },
  {
    ...obligation,
    code: 'MA_REVIEW',
    title: 'Approval of exterior changes',
    citation: 'local historic district law',
    confidence: 'low',
    test: ({ review }) =>
      review
        ? {
            outcome: 'warn',
            value: review.body,
            because: `${review.body}: a certificate is required for exterior changes. Design standards apply; the use cannot be denied.`,
          }
        : { outcome: 'unknown', because: 'It is unknown whether a commission approves exterior changes.' },
  },
  {
    ...obligation,
    code: 'MA_STR',
    title: 'Short-term rental',
    citation: 'G.L. c.40A s.3; c.64G s.1',
    confidence: 'high',
    test: always('warn', 'The town may ban short-term rental of the unit: plan for leases of 32 days or more.'),
  },
  {
    ...obligation,
    code: 'MA_COVENANT',
    title: 'Private covenants',
    citation: 'not overridden by the act',
    test: ({ propertyType }) =>
      propertyType === 'townhouse'
        ? { outcome: 'warn', because: 'The law does not override the covenants of an association.' }
        : {
            outcome: 'unknown',
            because: 'The law does not override private covenants; it is unknown whether there are any.',
          },
  },
]
