// Whether SB 9 allows two units or a lot split on a parcel, with the result of every rule. Not legal advice.

import type { Confidence } from '../../domain/facts.ts'
import type { LawfulUse } from '../../domain/findings/laws.ts'
import type { LotSplitFinding, LotSplitStatus, SplitLot, SplitStatus } from '../../domain/findings/lot-split.ts'
import type { RuleStatus, TraceRow, UntestedRule } from '../../domain/findings/rules.ts'
import { blockersOf, statusOf, traceOf, untestedOf, warningsOf, withinSentence } from '../../intelligence/rules/rule.ts'
import { lowestConfidence } from '../../intelligence/scores/confidence.ts'
import { plural } from '../../intelligence/scores/number-format.ts'
import { isVacantLot } from '../../intelligence/site/vacant-lot.ts'
import type { LawOf, Traced } from '../law.ts'
import { ifDemolished, lawfulUse } from '../lawful-use.ts'
import { type LotSplitPlan, planLotSplit, type Sb9Facts } from './lot-split.ts'
import { sb9ObligationRules } from './obligation-rules.ts'
import { demolitionRules, sb9SiteRules } from './site-rules.ts'
import { sb9SplitRules } from './split-rules.ts'

export const sb9Rules = [...sb9SiteRules, ...sb9SplitRules, ...sb9ObligationRules] as const

export function sb9(parcel: Omit<Sb9Facts, 'plan'>, on: string): Traced<LotSplitFinding> {
  const plan = planLotSplit(parcel)
  // Without a map of buildings nothing can be said about the line, and the rule is left out.
  const rules = parcel.buildings ? sb9Rules : sb9Rules.filter(({ code }) => code !== 'HOUSE_ON_LINE')
  const trace = traceOf(rules, { ...parcel, plan }, on)
  const outsideCalifornia = trace.some((row) => row.code === 'NOT_CALIFORNIA' && row.outcome === 'fail')
  const shown = outsideCalifornia ? trace.filter((row) => row.code === 'NOT_CALIFORNIA') : trace
  const { status, maxUnits, split, lots, untested } = outcomeOf(shown, plan)
  const failed = shown.filter((row) => row.outcome === 'fail')
  return {
    sb9Status: status,
    maxUnits,
    lotSplit: { eligible: lots.length > 0, status: split, lots },
    blockReasons: failed.map((row) => ({ ...blockersOf([row])[0]!, appliesTo: row.appliesTo })),
    untestedRules: untested,
    uses: usesOf(shown, parcel, plan),
    warnings: [...untestedWarning(untested, shown), ...warningsOf(shown)],
    trace: shown,
    used: shown.filter((row) => row.value !== undefined && row.outcome !== 'unknown').map((row) => row.code),
    missing: shown.filter((row) => row.outcome === 'unknown').map((row) => row.code),
    confidence: sb9Confidence(status, failed, untested.length, plan?.estimated ?? true),
  }
}

interface Outcome {
  status: LotSplitStatus
  maxUnits: 0 | 2 | 4
  split: SplitStatus
  lots: readonly SplitLot[]
  untested: readonly UntestedRule[]
}

/** The only place that derives status, units, split and lots, so that they cannot contradict each other. */
function outcomeOf(rows: readonly TraceRow[], plan: LotSplitPlan | undefined): Outcome {
  const deciding = rows.filter((row) => row.force !== 'obligation')
  const forTwoUnits = deciding.filter((row) => row.appliesTo !== 'split')
  const forSplit = deciding.filter((row) => row.appliesTo !== 'two_unit')
  const twoUnits = statusOf(forTwoUnits)
  const split = splitStatus(statusOf(forSplit), plan)
  const splits = plan !== undefined && (split === 'eligible' || split === 'likely')
  if (twoUnits === 'blocked' && !splits)
    return { status: 'blocked', maxUnits: 0, split: 'blocked', lots: [], untested: [] }
  if (deciding.some((row) => row.code === 'NOT_SF_ZONE' && row.outcome === 'unknown'))
    return { status: 'unknown_zone', maxUnits: 0, split: 'unknown', lots: [], untested: untestedOf(deciding) }
  // Where two units on one lot are barred, a split still gives one home on each lot.
  if (splits && twoUnits === 'blocked')
    return { status: split, maxUnits: 2, split, lots: plan.lots, untested: untestedOf(forSplit) }
  if (splits) return { status: statusOf(deciding), maxUnits: 4, split, lots: plan.lots, untested: untestedOf(deciding) }
  const open = split === 'unknown' ? deciding : forTwoUnits
  return { status: twoUnits, maxUnits: 2, split, lots: [], untested: untestedOf(open) }
}

/** Without the lot size no split can be planned, so nothing is claimed about it unless a rule blocks it. */
const splitStatus = (status: RuleStatus, plan: LotSplitPlan | undefined): SplitStatus =>
  plan || status === 'blocked' ? status : 'unknown'

/** Only what is not known: a condition that is known to apply has a warning of its own. */
function untestedWarning(untested: readonly UntestedRule[], rows: readonly TraceRow[]): string[] {
  const unknown = untested.filter(({ code }) => rows.some((row) => row.code === code && row.outcome === 'unknown'))
  if (unknown.length === 0) return []
  const rules = unknown.map(({ rule }) => withinSentence(rule)).join('; ')
  return [`UNTESTED: ${plural(unknown.length, 'rule')} could not be confirmed: ${rules}.`]
}

/** Two units and a split, each where the house stays and where it goes; vacant land has no house to keep. */
function usesOf(
  rows: readonly TraceRow[],
  parcel: Omit<Sb9Facts, 'plan'>,
  plan: LotSplitPlan | undefined,
): LawfulUse[] {
  const twoUnitRows = rows.filter(({ appliesTo }) => appliesTo !== 'split')
  const barsTwo = statusOf(twoUnitRows) === 'blocked'
  const by = {
    approval: 'ministerial',
    decidedBy: 'city staff, within 60 days',
    sizes: { guaranteedUnitSqft: 800 },
  } as const
  const leastLotSqft = plan && Math.min(...plan.lots.map(({ sqft }) => sqft))
  const uses = (house: Pick<LawfulUse, 'variant'>, change: (given: readonly TraceRow[]) => readonly TraceRow[]) => [
    lawfulUse(change(twoUnitRows), { ...house, ...by, scheme: 'two_units', homes: 2, decisive: ['NOT_SF_ZONE'] }),
    lawfulUse(change(rows.filter(({ appliesTo }) => appliesTo !== 'two_unit')), {
      ...{ ...house, ...by, scheme: 'split', lots: 2, homes: barsTwo ? 2 : 4 },
      sizes: { ...by.sizes, leastLotSqft },
      gates: ['OWNER_OCC'],
      decisive: ['NOT_SF_ZONE', 'LOT_TOO_SMALL'],
    }),
  ]
  if (isVacantLot(parcel)) return uses({}, (given) => given)
  return [
    ...uses({ variant: 'house_stays' }, (given) => ifDemolished(given, ['HOUSE_ON_LINE'])),
    ...uses({ variant: 'house_goes' }, (given) => {
      const others = given.filter(({ code }) => code !== 'HOUSE_ON_LINE')
      return ifDemolished(others, demolitionRules)
    }),
  ]
}

/** A blocked parcel has the confidence of the rule that blocks it; any other answer that of what could be tested. */
function sb9Confidence(
  status: LotSplitStatus,
  failed: readonly TraceRow[],
  untested: number,
  estimatedPlan: boolean,
): Confidence {
  if (status === 'unknown_zone') return 'low'
  if (status === 'blocked') return failed.some((row) => row.confidence === 'high') ? 'high' : 'medium'
  return lowestConfidence(untested === 0 ? 'high' : untested <= 3 ? 'medium' : 'low', estimatedPlan ? 'medium' : 'high')
}

export const usCaSb9: LawOf<'lot_split'> = {
  id: 'us-ca-sb9',
  state: 'CA',
  leads: 'lot_split',
  title: 'SB 9 lot splits and duplexes',
  asOf: '2026-11-16',
  url: 'https://leginfo.legislature.ca.gov/faces/codes_displaySection.xhtml?lawCode=GOV&sectionNum=66411.7',
  since: '2022-01-01',
  assess: sb9,
}
