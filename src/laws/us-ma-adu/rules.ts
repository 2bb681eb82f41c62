// Massachusetts: protected-use accessory dwelling units. G.L. c.40A s.1A and s.3, as amended by St. 2024 c.150 s.8, and 760 CMR 71.00.

import { fail, overlay, overlayOf, pass, rulesOf, unknownFact, untested, warn } from '../../intelligence/rules/rule.ts'
import { sqft } from '../../intelligence/scores/number-format.ts'
import { isVacantLot } from '../../intelligence/site/vacant-lot.ts'
import type { LawFacts, RuleFacts } from '../law.ts'
import { conservationRestriction, isInState, isOnOwnLot, wetlandApproval } from '../site-tests.ts'

export const maLimits = {
  largestSqft: 900,
  shareOfHouse: 0.5,
  /** The smallest unit that is built in practice, and the smallest garage that is converted. */
  realisticSqft: 350,
  conversionSqft: 220,
} as const

/** With the floor area that yard, setbacks, ground cover and height leave for a detached unit; absent when unknown. */
type MaAduFacts = RuleFacts & { roomSqft?: number }

/** The largest unit that the law protects. Living area stands for gross floor area, which no feed has. */
export const protectedSqft = ({ livingSqft }: Pick<LawFacts, 'livingSqft'>): number =>
  livingSqft ? Math.min(maLimits.largestSqft, Math.floor(livingSqft * maLimits.shareOfHouse)) : maLimits.largestSqft

const { absolute, conditional, obligation } = rulesOf<MaAduFacts>('adu')

export const maAduRules = [
  absolute('NOT_MASSACHUSETTS: The parcel is in Massachusetts', 'G.L. c.40A', { confidence: 'high' }, isInState('MA')),
  absolute('MA_ZONE: The district allows single-family homes', '760 CMR 71.02', ({ zoning, district }) => {
    if (!district)
      return unknownFact(
        zoning ? `The rules of zoning district ${zoning} are unknown.` : 'The zoning is unknown.',
        zoning,
      )
    return district.singleFamily === false
      ? fail(`${district.codes[0]} does not allow single-family homes, so only local rules apply.`, district.codes[0])
      : pass(`${district.codes[0]} allows single-family homes.`, district.codes[0])
  }),
  absolute('NO_OWN_LOT: The home is on its own lot', '760 CMR 71.02', isOnOwnLot),
  absolute('MA_DWELLING: The lot has at least one dwelling', '760 CMR 71.02', (facts) => {
    if (isVacantLot(facts)) return fail('Vacant land: the law protects a unit beside a dwelling.', 'land')
    return facts.livingSqft === undefined
      ? unknownFact('The size of the house is unknown.')
      : pass('There is a dwelling on the lot.', sqft(facts.livingSqft))
  }),
  absolute(...conservationRestriction),
  conditional(...wetlandApproval),
  conditional('MA_DIMENSION: A unit fits the setbacks and the ground cover', '760 CMR 71.03(3)(b)2', ({ roomSqft }) => {
    if (roomSqft === undefined) return untested('The room that setbacks and ground cover leave is unknown.')
    const value = sqft(roomSqft)
    return roomSqft >= maLimits.realisticSqft
      ? pass(`${value} can be built behind the house.`, value)
      : warn(`Only ${value} can be built behind the house: convert part of a building or design a smaller unit.`, value)
  }),
  conditional(
    'MA_SEPTIC: Septic system',
    '310 CMR 15 (Title 5)',
    overlay('septic', 'On septic: the system must have the capacity that Title 5 requires.', 'Connected to the sewer.'),
  ),
  obligation('MA_SIZE: At most 900 sq ft and half of the house', 'G.L. c.40A s.1A', (facts) => {
    const value = sqft(protectedSqft(facts))
    return facts.livingSqft
      ? pass(`Up to ${value} is protected; a larger unit needs a local permit.`, value)
      : unknownFact(`At most ${value}; the size of the house may reduce it.`, value)
  }),
  obligation('MA_GFA: Gross floor area of the house', '760 CMR 71.02', { confidence: 'low' }, ({ livingSqft }) =>
    livingSqft
      ? warn(
          'Living area is used, because gross floor area is not on record. A basement of legal height counts; garage, attic and enclosed porch do not.',
          sqft(livingSqft),
        )
      : unknownFact('The floor area of the house is unknown.'),
  ),
  obligation('MA_COUNT: One protected unit on a lot', 'G.L. c.40A s.3', ({ units }) => {
    const rule = 'A second one needs a special permit, where the town offers it.'
    if (units === undefined)
      return warn(`It is unknown whether the lot already has a protected unit. ${rule}`, 'unknown')
    const value = `${units} on record`
    return units > 1
      ? warn(`${units} dwellings are on record; one may be a protected unit. ${rule}`, value)
      : pass('One unit by right: one dwelling is on record.', value)
  }),
  obligation('MA_OLD_ADU: Conditions of an earlier accessory unit', 'G.L. c.40A s.3', ({ units }) =>
    units === 1
      ? pass('No earlier unit is on record.', '1 on record')
      : warn(
          'If an earlier permitted unit fits the size limit, its owner or family conditions lapse. Ask the building commissioner whether one more is allowed.',
          units === undefined ? 'unknown' : `${units} on record`,
        ),
  ),
  obligation(
    'MA_OWNER: Owner occupancy may not be required',
    'G.L. c.40A s.3',
    pass('It does not matter whether the owner lives there.'),
  ),
  obligation('MA_PARKING: At most one parking space; none near transit', 'G.L. c.40A s.3', ({ overlays }) => {
    const near = overlayOf(overlays, 'transitHalfMile')
    return near === 'yes'
      ? pass('Within half a mile of a ferry terminal, bus, subway or commuter station.', '0 spaces')
      : pass('At most one space may be required.', 'at most 1')
  }),
  obligation(
    'MA_MIN_LOT: No minimum lot size',
    'Attorney General decisions: Sudbury, Brookline (2025)',
    pass('A lot below the district minimum, or nonconforming, still qualifies.'),
  ),
  obligation(
    'MA_BEDROOMS: No limit on bedrooms',
    'Attorney General decision: Leicester (2025)',
    pass('A town may not limit the bedrooms of the unit.'),
  ),
  obligation(
    'MA_SITE_PLAN: Site plan review',
    'G.L. c.40A s.3',
    { confidence: 'high' },
    warn('The town may require site plan review, which cannot deny the use.'),
  ),
  obligation(
    'MA_REVIEW: Approval of exterior changes',
    'local historic district law',
    { confidence: 'low' },
    ({ review }) =>
      review
        ? warn(
            `${review.body}: a certificate is required for exterior changes. Design standards apply; the use cannot be denied.`,
            review.body,
          )
        : untested('It is unknown whether a commission approves exterior changes.'),
  ),
  obligation(
    'MA_STR: Short-term rental',
    'G.L. c.40A s.3; c.64G s.1',
    { confidence: 'high' },
    warn('The town may ban short-term rental of the unit: plan for leases of 32 days or more.'),
  ),
  obligation('MA_COVENANT: Private covenants', 'not overridden by the act', ({ propertyType }) =>
    propertyType === 'townhouse'
      ? warn('The law does not override the covenants of an association.')
      : untested('The law does not override private covenants; it is unknown whether there are any.'),
  ),
]
