// Nantucket: a second and a third dwelling on a residential lot. Zoning by-law ch. 139 ss.2 and 7B(1). The by-law was read in part, and
// what became of the 2025 moratorium on third dwellings was not found. Not legal advice.

import type { UseFinding } from '../../domain/findings/laws.ts'
import { fail, overlay, pass, rulesOf, traceOf, unknownFact, warn } from '../../intelligence/rules/rule.ts'
import { plural, sqft } from '../../intelligence/scores/number-format.ts'
import { isVacantLot } from '../../intelligence/site/vacant-lot.ts'
import type { LawFacts, LawOf, Traced } from '../law.ts'
import { lawfulUse, useFinding } from '../lawful-use.ts'
import { conservationRestriction, isInState, isOnOwnLot, wetlandApproval, zoneUse } from '../site-tests.ts'

const limits = {
  thirdLotSqft: 5000,
  thirdSqft: 900,
  /** Floor area over ground cover of the houses built there: one and a half to two floors under the roof. */
  floorsPerCover: 1.8,
  /** The smallest dwelling that is built in practice. */
  leastSqft: 350,
} as const

const bylaw = 'Nantucket code 139-7B(1)'
/** Rules of the third dwelling only. */
const thirdRules = ['THIRD_LOT', 'THIRD_RESTRICTION', 'THIRD_MORATORIUM']

/** Ground cover that the buildings on record leave; undefined where one of the numbers is unknown. */
const coverLeft = (facts: LawFacts): number | undefined => {
  const { lotSqft, district, livingSqft, stories, garageSqft = 0 } = facts
  if (!lotSqft || district?.groundCoverPct === undefined) return undefined
  const allowed = (district.groundCoverPct / 100) * lotSqft
  if (isVacantLot(facts)) return Math.floor(allowed)
  return livingSqft ? Math.floor(allowed - livingSqft / Math.max(1, stories ?? 1) - garageSqft) : undefined
}

/** Dwellings on record; vacant land gets its first one too. */
const dwellings = (facts: LawFacts): number => (isVacantLot(facts) ? 1 : Math.max(1, facts.units ?? 1))

const { absolute, conditional, obligation } = rulesOf<LawFacts>('use')

const rules = [
  absolute('NOT_IN_STATE: The parcel is in Massachusetts', 'G.L. c.40A', { confidence: 'high' }, isInState('MA')),
  absolute('NO_OWN_LOT: The home is on its own lot', bylaw, isOnOwnLot),
  absolute('ZONE: Residential district', 'Nantucket code 139-7A', (facts) => {
    const value = facts.district?.codes[0] ?? facts.zoning ?? 'unknown'
    return zoneUse(facts) === 'single'
      ? pass(`${value} is a residential district.`, value)
      : unknownFact(`It is unknown what ${facts.zoning ?? 'the zoning'} allows.`, value)
  }),
  absolute('COUNT: Fewer dwellings than the by-law allows', bylaw, (facts) => {
    if (facts.units === undefined && !isVacantLot(facts))
      return unknownFact('The number of dwellings on the lot is unknown.')
    const count = dwellings(facts)
    const value = `${plural(count, 'dwelling')} on record`
    return count >= 3 ? fail(`${value}: the by-law allows no more.`, value) : pass(`${value}.`, value)
  }),
  absolute(
    'GROUND_COVER: Ground cover is left for a dwelling',
    'Nantucket code 139-16',
    { confidence: 'low' },
    (facts) => {
      const left = coverLeft(facts)
      if (left === undefined) return unknownFact('What the buildings leave of the ground cover is unknown.')
      const value = sqft(Math.max(0, left))
      return left * limits.floorsPerCover >= limits.leastSqft
        ? pass(`${value} of ground cover is left.`, value)
        : fail(`${value} of ground cover is left, too little for a dwelling.`, value)
    },
  ),
  absolute(...conservationRestriction),
  conditional(
    'SEPTIC: Septic system',
    '310 CMR 15 (Title 5)',
    overlay(
      'septic',
      'On septic: Title 5 limits the bedrooms, and the system may have to be enlarged.',
      'Connected to the sewer.',
    ),
  ),
  conditional(...wetlandApproval),
  obligation('REVIEW: Approval of the look', 'Nantucket code ch. 124; Acts 1970 c.395', ({ review }) =>
    warn(
      `${review?.body ?? 'The historic commission'}: a certificate is required for a new building. It decides on the look, not on the use.`,
      review?.body,
    ),
  ),
  absolute(
    'THIRD_LOT: A third dwelling needs 5,000 sq ft',
    'Nantucket code 139-2, tertiary dwelling',
    ({ lotSqft }) => {
      if (lotSqft === undefined) return unknownFact('The lot size is unknown.')
      return lotSqft >= limits.thirdLotSqft
        ? pass('At least 5,000 sq ft.', sqft(lotSqft))
        : fail('A third dwelling needs a lot of 5,000 sq ft.', sqft(lotSqft))
    },
  ),
  conditional(
    'THIRD_RESTRICTION: A third dwelling has an owner on the lot, a nonprofit or a year-round restriction',
    'Nantucket code 139-2; 2022 annual town meeting, Art. 50',
    warn(
      'Only if the owner lives on the lot, a nonprofit owns it, or it is restricted to year-round use. A third dwelling has at most 900 sq ft, and the planning board reviews it.',
    ),
  ),
  absolute(
    'THIRD_MORATORIUM: No moratorium on third dwellings',
    '2025 annual town meeting, Art. 42',
    { confidence: 'low' },
    unknownFact('A moratorium until the end of 2025 was proposed; the vote and any extension were not found.'),
  ),
]

export const nantucketDwellings = (facts: LawFacts, on: string): Traced<UseFinding> => {
  const trace = traceOf(rules, facts, on)
  const count = dwellings(facts)
  const by = { scheme: 'local_dwellings', approval: 'design_review', decidedBy: facts.review?.body } as const
  const left = coverLeft(facts)
  const floorSqft = left === undefined ? undefined : Math.floor(left * limits.floorsPerCover)
  const second = lawfulUse(
    trace.filter(({ code }) => !thirdRules.includes(code)),
    {
      ...{ ...by, homes: 2, sizes: { largestUnitSqft: floorSqft }, decisive: ['ZONE', 'COUNT', 'GROUND_COVER'] },
      blockers: count > 1 ? [{ code: 'COUNT', reason: 'A second dwelling is on record.', citation: bylaw }] : [],
    },
  )
  const third = lawfulUse(trace, {
    ...{ ...by, variant: 'third_dwelling', homes: 3, gates: ['THIRD_RESTRICTION'] },
    sizes: { largestUnitSqft: floorSqft === undefined ? limits.thirdSqft : Math.min(limits.thirdSqft, floorSqft) },
    decisive: ['ZONE', 'COUNT', 'GROUND_COVER'],
  })
  return useFinding(trace, [second, third])
}

export const usMaNantucketDwellings: LawOf<'local_dwellings'> = {
  id: 'us-ma-nantucket-dwellings',
  state: 'MA',
  place: 'Nantucket',
  leads: 'local_dwellings',
  title: 'Second and third dwellings (Nantucket)',
  asOf: '2026-11-17',
  url: 'https://ecode360.com/11471931',
  since: '2022-10-31',
  assess: nantucketDwellings,
}
