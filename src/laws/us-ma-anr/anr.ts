// Massachusetts: division into lots that need no approval under the subdivision law. G.L. c.41 ss.81L and 81P: every new lot has the
// area and the frontage of its district on a public or approved way. Not legal advice.

import type { UseFinding } from '../../domain/findings/laws.ts'
import { overlayRule, type Rule, traceOf } from '../../intelligence/rules/rule.ts'
import { decimal, sqft } from '../../intelligence/scores/number-format.ts'
import { sideYardFt } from '../../intelligence/site/setback-box.ts'
import { isVacantLot } from '../../intelligence/site/vacant-lot.ts'
import type { LawFacts, LawOf, Traced } from '../law.ts'
import { lawfulUse, useFinding } from '../lawful-use.ts'
import { isInState, isOnOwnLot, unknownFact } from '../site-tests.ts'
import { lineMissesHouse } from '../split-line.ts'

const site = { appliesTo: 'use', force: 'absolute', confidence: 'medium' } as const
const statute = 'G.L. c.41 ss.81L, 81P'

/** As many as both area and frontage allow; undefined where one of the four numbers is unknown. */
const lotsOf = ({ lotSqft, lotWidthFt, district }: LawFacts): number | undefined => {
  const { minLotSqft, frontageFt } = district ?? {}
  return lotSqft && lotWidthFt && minLotSqft && frontageFt
    ? Math.floor(Math.min(lotSqft / minLotSqft, lotWidthFt / frontageFt))
    : undefined
}

const enough = (
  code: string,
  title: string,
  have: (facts: LawFacts) => number | undefined,
  each: (facts: LawFacts) => number | undefined,
  text: (value: number) => string,
): Rule<LawFacts> => ({
  ...{ ...site, code, title, citation: statute },
  test: (facts) => {
    const [own, least] = [have(facts), each(facts)]
    if (own === undefined || least === undefined)
      return unknownFact(
        least === undefined
          ? 'The rule of the district is unknown.'
          : `The ${title.toLowerCase()} of the lot is unknown.`,
      )
    const value = text(own)
    return own >= 2 * least
      ? { outcome: 'pass', value, because: `${value}; the district asks for ${text(least)} for each lot.` }
      : { outcome: 'fail', value, because: `${value}; two lots need ${text(2 * least)}.` }
  },
})

const rules: readonly Rule<LawFacts>[] = [
  {
    ...site,
    code: 'NOT_IN_STATE',
    title: 'The parcel is in Massachusetts',
    citation: 'G.L. c.41',
    confidence: 'high',
    test: isInState('MA'),
  },
  { ...site, code: 'NO_OWN_LOT', title: 'The land is a lot of its own', citation: statute, test: isOnOwnLot },
  enough(
    'AREA',
    'Area',
    ({ lotSqft }) => lotSqft,
    ({ district }) => district?.minLotSqft,
    sqft,
  ),
  enough(
    'FRONTAGE',
    'Frontage',
    ({ lotWidthFt }) => lotWidthFt,
    ({ district }) => district?.frontageFt,
    (ft) => `${decimal(ft)} ft`,
  ),
  {
    ...site,
    code: 'WAY',
    title: 'The frontage is on a public or approved way',
    citation: 'G.L. c.41 s.81L',
    test: () => unknownFact('Whether the street is a public or approved way is not on record.'),
  },
  overlayRule(
    { ...site, code: 'CONSERVATION_EASEMENT', title: 'Conservation restriction', citation: 'G.L. c.184 s.31' },
    'conservationEasement',
    {
      yes: 'Under a conservation restriction.',
      no: 'Not under a conservation restriction.',
    },
  ),
  {
    ...site,
    force: 'conditional',
    code: 'HOUSE',
    title: 'The house keeps the yards of its new lot',
    citation: 'local zoning by-law',
    test: (facts) => {
      if (isVacantLot(facts)) return { outcome: 'pass', value: 'land', because: 'Vacant land.' }
      const { district, lotWidthFt, lotSqft } = facts
      const yardFt = lotWidthFt && district?.setbacksFt && sideYardFt(district.setbacksFt.side, lotWidthFt)
      const sharePct = lotSqft && district?.minLotSqft && (100 * district.minLotSqft) / lotSqft
      const misses = yardFt && sharePct ? lineMissesHouse(facts, sharePct, yardFt) : undefined
      if (misses === undefined)
        return unknownFact('Where the house stands on the lot is not on record: the new line must leave its yards.')
      return misses
        ? {
            outcome: 'pass',
            value: 'yes',
            because: 'A line that leaves each lot its least area can keep the yards of the house.',
          }
        : {
            outcome: 'warn',
            value: 'no',
            because: 'No straight line keeps the yards of the house: it is moved or demolished.',
          }
    },
  },
  overlayRule(
    { ...site, force: 'conditional', code: 'WETLAND', title: 'Wetland', citation: 'G.L. c.131 s.40' },
    'wetland',
    {
      yes: 'On or near a wetland: the conservation commission must approve the work, and the lot may be hard to build on.',
      no: 'Not on a wetland.',
    },
  ),
]

export const anr = (facts: LawFacts, on: string): Traced<UseFinding> => {
  const trace = traceOf(rules, facts, on)
  const lots = lotsOf(facts)
  const use = lawfulUse(trace, {
    ...{ scheme: 'divide', approval: 'ministerial', decidedBy: 'Planning Board, within 21 days and without a hearing' },
    ...{ lots, homes: lots, sizes: { leastLotSqft: facts.district?.minLotSqft } },
    decisive: ['AREA', 'FRONTAGE'],
  })
  return useFinding(trace, [use], 'medium')
}

export const usMaAnr: LawOf<'divide'> = {
  id: 'us-ma-anr',
  state: 'MA',
  leads: 'divide',
  title: 'Lots that need no subdivision approval (Massachusetts)',
  asOf: '2026-11-17',
  url: 'https://malegislature.gov/Laws/GeneralLaws/PartI/TitleVII/Chapter41/Section81P',
  since: '1954-01-01',
  assess: anr,
}
