// Massachusetts: division into lots that need no approval under the subdivision law. G.L. c.41 ss.81L and 81P: every new lot has the
// area and the frontage of its district on a public or approved way. Not legal advice.

import type { UseFinding } from '../../domain/findings/laws.ts'
import {
  fail,
  overlay,
  pass,
  type Rule,
  type RuleAnswer,
  rulesOf,
  traceOf,
  unknownFact,
  warn,
} from '../../intelligence/rules/rule.ts'
import { decimal, sqft } from '../../intelligence/scores/number-format.ts'
import { sideYardFt } from '../../intelligence/site/setback-box.ts'
import { isVacantLot } from '../../intelligence/site/vacant-lot.ts'
import type { LawFacts, LawOf, Traced } from '../law.ts'
import { lawfulUse, useFinding } from '../lawful-use.ts'
import { conservationRestriction, isInState, isOnOwnLot } from '../site-tests.ts'
import { lineMissesHouse } from '../split-line.ts'

const statute = 'G.L. c.41 ss.81L, 81P'

/** As many as both area and frontage allow; undefined where one of the four numbers is unknown. */
const lotsOf = ({ lotSqft, lotWidthFt, district }: LawFacts): number | undefined => {
  const { minLotSqft, frontageFt } = district ?? {}
  return lotSqft && lotWidthFt && minLotSqft && frontageFt
    ? Math.floor(Math.min(lotSqft / minLotSqft, lotWidthFt / frontageFt))
    : undefined
}

/** Whether two lots of the least size in the district fit. */
const enough =
  (fact: 'lotSqft' | 'lotWidthFt', rule: 'minLotSqft' | 'frontageFt', text: (value: number) => string) =>
  ({ [fact]: size, district }: LawFacts, { title }: Pick<Rule<LawFacts>, 'title'>): RuleAnswer => {
    const least = district?.[rule]
    if (least === undefined) return unknownFact('The rule of the district is unknown.')
    if (size === undefined) return unknownFact(`The ${title.toLowerCase()} of the lot is unknown.`)
    const value = text(size)
    return size >= 2 * least
      ? pass(`${value}; the district asks for ${text(least)} for each lot.`, value)
      : fail(`${value}; two lots need ${text(2 * least)}.`, value)
  }

const { absolute, conditional } = rulesOf<LawFacts>('use')

const rules = [
  absolute('NOT_IN_STATE: The parcel is in Massachusetts', 'G.L. c.41', { confidence: 'high' }, isInState('MA')),
  absolute('NO_OWN_LOT: The land is a lot of its own', statute, isOnOwnLot),
  absolute('AREA: Area', statute, enough('lotSqft', 'minLotSqft', sqft)),
  absolute(
    'FRONTAGE: Frontage',
    statute,
    enough('lotWidthFt', 'frontageFt', (ft) => `${decimal(ft)} ft`),
  ),
  absolute(
    'WAY: The frontage is on a public or approved way',
    'G.L. c.41 s.81L',
    unknownFact('Whether the street is a public or approved way is not on record.'),
  ),
  absolute(...conservationRestriction),
  conditional('HOUSE: The house keeps the yards of its new lot', 'local zoning by-law', (facts) => {
    if (isVacantLot(facts)) return pass('Vacant land.', 'land')
    const { district, lotWidthFt, lotSqft } = facts
    const yardFt = lotWidthFt && district?.setbacksFt && sideYardFt(district.setbacksFt.side, lotWidthFt)
    const sharePct = lotSqft && district?.minLotSqft && (100 * district.minLotSqft) / lotSqft
    const misses = yardFt && sharePct ? lineMissesHouse(facts, sharePct, yardFt) : undefined
    if (misses === undefined)
      return unknownFact('Where the house stands on the lot is not on record: the new line must leave its yards.')
    return misses
      ? pass('A line that leaves each lot its least area can keep the yards of the house.', 'yes')
      : warn('No straight line keeps the yards of the house: it is moved or demolished.', 'no')
  }),
  conditional(
    'WETLAND: Wetland',
    'G.L. c.131 s.40',
    overlay(
      'wetland',
      'On or near a wetland: the conservation commission must approve the work, and the lot may be hard to build on.',
      'Not on a wetland.',
    ),
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
  return useFinding(trace, [use])
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
