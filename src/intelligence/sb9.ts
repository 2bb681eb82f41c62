// Whether a parcel qualifies for two units or a lot split under SB 9, with the result of every rule. Not legal advice.

import type { Confidence } from '../contract/facts.ts'
import type { RuleStatus, TraceRow } from '../contract/rules.ts'
import type { Sb9Finding } from '../contract/sb9.ts'
import { lowestConfidence } from './confidence.ts'
import { planLotSplit } from './lot-split.ts'
import { blockersOf, statusOf, traceOf, warningsOf } from './rules/rule.ts'
import type { Sb9Facts } from './rules/sb9-facts.ts'
import { sb9ObligationRules } from './rules/sb9-obligation-rules.ts'
import { sb9SiteRules } from './rules/sb9-site-rules.ts'
import { sb9SplitRules } from './rules/sb9-split-rules.ts'

/** With the rules tested, which are not stored: they follow from the parcel alone. */
export type TracedSb9 = Sb9Finding & { trace: readonly TraceRow[] }

export const sb9Rules = [...sb9SiteRules, ...sb9SplitRules, ...sb9ObligationRules] as const

export function sb9(parcel: Omit<Sb9Facts, 'plan'>, on: string): TracedSb9 {
  const plan = planLotSplit(parcel)
  const trace = traceOf(sb9Rules, { ...parcel, plan }, on)
  const twoUnits = statusOf(trace.filter((row) => row.appliesTo !== 'split'))
  const split = statusOf(trace.filter((row) => row.appliesTo !== 'two_unit'))
  const outsideCalifornia = trace.some((row) => row.code === 'NOT_CALIFORNIA' && row.outcome === 'fail')
  const shown = outsideCalifornia ? trace.filter((row) => row.code === 'NOT_CALIFORNIA') : trace
  const failed = shown.filter((row) => row.outcome === 'fail')
  const unknown = shown.filter((row) => row.outcome === 'unknown')
  const undecided = unknown.filter((row) => row.force !== 'obligation')
  const missing = unknown.map((row) => row.code)
  return {
    sb9Status: twoUnits,
    maxUnits: twoUnits === 'blocked' ? 0 : split === 'blocked' ? 2 : 4,
    lotSplit: { eligible: split === 'eligible', status: split, lots: split === 'blocked' ? [] : (plan?.lots ?? []) },
    blockReasons: failed.map((row) => ({ ...blockersOf([row])[0]!, appliesTo: row.appliesTo })),
    warnings: warningsOf(shown),
    trace: shown,
    used: shown.filter((row) => row.value !== undefined && row.outcome !== 'unknown').map((row) => row.code),
    missing,
    confidence: sb9Confidence(twoUnits, failed, undecided.length, plan?.estimated ?? true),
  }
}

/** A block is as certain as the rule behind it; otherwise the confidence falls with the number of untested rules. */
function sb9Confidence(
  status: RuleStatus,
  failed: readonly TraceRow[],
  unknowns: number,
  estimatedPlan: boolean,
): Confidence {
  if (status === 'blocked') return failed.some((row) => row.confidence === 'high') ? 'high' : 'medium'
  return lowestConfidence(unknowns === 0 ? 'high' : unknowns <= 3 ? 'medium' : 'low', estimatedPlan ? 'medium' : 'high')
}
