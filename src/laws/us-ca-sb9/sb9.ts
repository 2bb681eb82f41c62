// Whether SB 9 allows two units or a lot split on a parcel, with the result of every rule. Not legal advice.

import type { Confidence } from '../../domain/facts.ts'
import type { RuleStatus, TraceRow, UntestedRule } from '../../domain/findings/rules.ts'
import type { LotSplitFinding, Sb9Status, SplitLot, SplitStatus } from '../../domain/findings/sb9.ts'
import { blockersOf, statusOf, traceOf, untestedOf, warningsOf, withinSentence } from '../../intelligence/rules/rule.ts'
import { lowestConfidence } from '../../intelligence/scores/confidence.ts'
import { plural } from '../../intelligence/scores/number-format.ts'
import type { LawOf, Traced } from '../law.ts'
import type { Sb9Facts } from './facts.ts'
import { type LotSplitPlan, planLotSplit } from './lot-split.ts'
import { sb9ObligationRules } from './obligation-rules.ts'
import { sb9SiteRules } from './site-rules.ts'
import { sb9SplitRules } from './split-rules.ts'

export const sb9Rules = [...sb9SiteRules, ...sb9SplitRules, ...sb9ObligationRules] as const

export function sb9(parcel: Omit<Sb9Facts, 'plan'>, on: string): Traced<LotSplitFinding> {
  const plan = planLotSplit(parcel)
  const trace = traceOf(sb9Rules, { ...parcel, plan }, on)
  const outsideCalifornia = trace.some((row) => row.code === 'NOT_CALIFORNIA' && row.outcome === 'fail')
  const shown = outsideCalifornia ? trace.filter((row) => row.code === 'NOT_CALIFORNIA') : trace
  const { status, maxUnits, split, lots, untested } = outcomeOf(shown, plan)
  const failed = shown.filter((row) => row.outcome === 'fail')
  return {
    sb9Status: status,
    maxUnits,
    lotSplit: { eligible: maxUnits === 4, status: split, lots },
    blockReasons: failed.map((row) => ({ ...blockersOf([row])[0]!, appliesTo: row.appliesTo })),
    untestedRules: untested,
    warnings: [...untestedWarning(untested), ...warningsOf(shown)],
    trace: shown,
    used: shown.filter((row) => row.value !== undefined && row.outcome !== 'unknown').map((row) => row.code),
    missing: shown.filter((row) => row.outcome === 'unknown').map((row) => row.code),
    confidence: sb9Confidence(status, failed, untested.length, plan?.estimated ?? true),
  }
}

interface Outcome {
  status: Sb9Status
  maxUnits: 0 | 2 | 4
  split: SplitStatus
  lots: readonly SplitLot[]
  untested: readonly UntestedRule[]
}

/** The only place that derives status, units, split and lots, so that they cannot contradict each other. */
function outcomeOf(rows: readonly TraceRow[], plan: LotSplitPlan | undefined): Outcome {
  const deciding = rows.filter((row) => row.force !== 'obligation')
  const forTwoUnits = deciding.filter((row) => row.appliesTo !== 'split')
  const twoUnits = statusOf(forTwoUnits)
  if (twoUnits === 'blocked') return { status: 'blocked', maxUnits: 0, split: 'blocked', lots: [], untested: [] }
  if (forTwoUnits.some((row) => row.code === 'NOT_SF_ZONE' && row.outcome === 'unknown'))
    return { status: 'unknown_zone', maxUnits: 0, split: 'unknown', lots: [], untested: untestedOf(deciding) }
  const split = splitStatus(statusOf(deciding), plan)
  if (plan && (split === 'eligible' || split === 'likely'))
    return { status: split, maxUnits: 4, split, lots: plan.lots, untested: untestedOf(deciding) }
  const open = split === 'unknown' ? deciding : forTwoUnits
  return { status: twoUnits, maxUnits: 2, split, lots: [], untested: untestedOf(open) }
}

/** Without the lot size no split can be planned, so nothing is claimed about it unless a rule blocks it. */
function splitStatus(status: RuleStatus, plan: LotSplitPlan | undefined): SplitStatus {
  return plan || status === 'blocked' ? status : 'unknown'
}

function untestedWarning(untested: readonly UntestedRule[]): string[] {
  if (untested.length === 0) return []
  const rules = untested.map(({ rule }) => withinSentence(rule)).join('; ')
  return [`UNTESTED: ${plural(untested.length, 'rule')} could not be confirmed: ${rules}.`]
}

/** A blocked parcel has the confidence of the rule that blocks it; any other answer that of what could be tested. */
function sb9Confidence(
  status: Sb9Status,
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
