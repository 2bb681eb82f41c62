// Nantucket: a second and a third dwelling on a residential lot. Zoning by-law ch. 139 ss.2 and 7B(1). The by-law was read in part, and
// what became of the 2025 moratorium on third dwellings was not found. Not legal advice.

import type { UseFinding } from '../../domain/findings/laws.ts'
import { overlayRule, type Rule, traceOf } from '../../intelligence/rules/rule.ts'
import { plural, sqft } from '../../intelligence/scores/number-format.ts'
import { isVacantLot } from '../../intelligence/site/vacant-lot.ts'
import type { LawFacts, LawOf, Traced } from '../law.ts'
import { lawfulUse, useFinding } from '../lawful-use.ts'
import { isInState, isOnOwnLot, unknownFact, zoneUse } from '../site-tests.ts'

const limits = {
  thirdLotSqft: 5000,
  thirdSqft: 900,
  /** Floor area over ground cover of the houses built there: one and a half to two floors under the roof. */
  floorsPerCover: 1.8,
  /** The smallest dwelling that is built in practice. */
  leastSqft: 350,
} as const

const site = { appliesTo: 'use', force: 'absolute', confidence: 'medium' } as const
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

const rules: readonly Rule<LawFacts>[] = [
  {
    ...site,
    code: 'NOT_IN_STATE',
    title: 'The parcel is in Massachusetts',
    citation: 'G.L. c.40A',
    confidence: 'high',
    test: isInState('MA'),
  },
  { ...site, code: 'NO_OWN_LOT', title: 'The home is on its own lot', citation: bylaw, test: isOnOwnLot },
  {
    ...site,
    code: 'ZONE',
    title: 'Residential district',
    citation: 'Nantucket code 139-7A',
    test: (facts) => {
      const value = facts.district?.codes[0] ?? facts.zoning ?? 'unknown'
      return zoneUse(facts) === 'single'
        ? { outcome: 'pass', value, because: `${value} is a residential district.` }
        : unknownFact(`It is unknown what ${facts.zoning ?? 'the zoning'} allows.`, value)
    },
  },
  {
    ...site,
    code: 'COUNT',
    title: 'Fewer dwellings than the by-law allows',
    citation: bylaw,
    test: (facts) => {
      if (facts.units === undefined && !isVacantLot(facts))
        return unknownFact('The number of dwellings on the lot is unknown.')
      const count = dwellings(facts)
      const value = `${plural(count, 'dwelling')} on record`
      return count >= 3
        ? { outcome: 'fail', value, because: `${value}: the by-law allows no more.` }
        : { outcome: 'pass', value, because: `${value}.` }
    },
  },
  {
    ...site,
    code: 'GROUND_COVER',
    title: 'Ground cover is left for a dwelling',
    citation: 'Nantucket code 139-16',
    confidence: 'low',
    test: (facts) => {
      const left = coverLeft(facts)
      if (left === undefined) return unknownFact('What the buildings leave of the ground cover is unknown.')
      const value = sqft(Math.max(0, left))
      return left * limits.floorsPerCover >= limits.leastSqft
        ? { outcome: 'pass', value, because: `${value} of ground cover is left.` }
        : { outcome: 'fail', value, because: `${value} of ground cover is left, too little for a dwelling.` }
    },
  },
  overlayRule(
    { ...site, code: 'CONSERVATION_EASEMENT', title: 'Conservation restriction', citation: 'G.L. c.184 s.31' },
    'conservationEasement',
    {
      yes: 'Under a conservation restriction.',
      no: 'Not under a conservation restriction.',
    },
  ),
  overlayRule(
    { ...site, force: 'conditional', code: 'SEPTIC', title: 'Septic system', citation: '310 CMR 15 (Title 5)' },
    'septic',
    {
      yes: 'On septic: Title 5 limits the bedrooms, and the system may have to be enlarged.',
      no: 'Connected to the sewer.',
    },
  ),
  overlayRule(
    { ...site, force: 'conditional', code: 'WETLAND', title: 'Wetland', citation: 'G.L. c.131 s.40' },
    'wetland',
    {
      yes: 'On or near a wetland: the conservation commission must approve the work.',
      no: 'Not on a wetland.',
    },
  ),
  {
    ...site,
    force: 'obligation',
    code: 'REVIEW',
    title: 'Approval of the look',
    citation: 'Nantucket code ch. 124; Acts 1970 c.395',
    test: ({ review }) => ({
      outcome: 'warn',
      value: review?.body,
      because: `${review?.body ?? 'The historic commission'}: a certificate is required for a new building. It decides on the look, not on the use.`,
    }),
  },
  {
    ...site,
    code: 'THIRD_LOT',
    title: 'A third dwelling needs 5,000 sq ft',
    citation: 'Nantucket code 139-2, tertiary dwelling',
    test: ({ lotSqft }) => {
      if (lotSqft === undefined) return unknownFact('The lot size is unknown.')
      return lotSqft >= limits.thirdLotSqft
        ? { outcome: 'pass', value: sqft(lotSqft), because: 'At least 5,000 sq ft.' }
        : { outcome: 'fail', value: sqft(lotSqft), because: 'A third dwelling needs a lot of 5,000 sq ft.' }
    },
  },
  {
    ...site,
    force: 'conditional',
    code: 'THIRD_RESTRICTION',
    title: 'A third dwelling has an owner on the lot, a nonprofit or a year-round restriction',
    citation: 'Nantucket code 139-2; 2022 annual town meeting, Art. 50',
    test: () => ({
      outcome: 'warn',
      because:
        'Only if the owner lives on the lot, a nonprofit owns it, or it is restricted to year-round use. A third dwelling has at most 900 sq ft, and the planning board reviews it.',
    }),
  },
  {
    ...site,
    code: 'THIRD_MORATORIUM',
    title: 'No moratorium on third dwellings',
    citation: '2025 annual town meeting, Art. 42',
    confidence: 'low',
    test: () =>
      unknownFact('A moratorium until the end of 2025 was proposed; the vote and any extension were not found.'),
  },
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
  return useFinding(trace, [second, third], 'medium')
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
