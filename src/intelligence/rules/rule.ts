// A legal rule as data: its test, citation and effective dates. The list of rules with their results is the explanation
// of a finding.

import { valueAt } from '../../common/typed.ts'
import type { OverlayName, Overlays, Tristate } from '../../domain/facts.ts'
import type { Blocker, RuleStatus, TraceRow, UntestedRule } from '../../domain/findings/rules.ts'

export type RuleAnswer = Pick<TraceRow, 'outcome' | 'value' | 'because'>

type RuleRow = Omit<TraceRow, keyof RuleAnswer>

export type Rule<Facts> = RuleRow & { test: (facts: Facts) => RuleAnswer }

const answer =
  (outcome: RuleAnswer['outcome']) =>
  (because: string, value?: string): RuleAnswer => ({ outcome, value, because })

export const pass = answer('pass')
export const warn = answer('warn')
export const fail = answer('fail')
/** Nothing on record could answer it. */
export const untested = answer('unknown')
/** A fact that could answer it is missing. */
export const unknownFact = (because: string, value = 'unknown'): RuleAnswer => untested(because, value)

/** A rule that is the same for every parcel has its answer in place of a test. */
type Test<Facts> = RuleAnswer | ((facts: Facts, row: RuleRow) => RuleAnswer)

/** One row per rule of a law, by force: "CODE: title", citation, what differs, test. Confidence defaults to medium. */
export const rulesOf = <Facts>(appliesTo: RuleRow['appliesTo']) => {
  const rule =
    (force: RuleRow['force']) =>
    (
      named: `${string}: ${string}`,
      citation: string,
      ...rest: [Test<Facts>] | [Partial<RuleRow>, Test<Facts>]
    ): Rule<Facts> => {
      const [more, test] = rest.length === 2 ? rest : [{}, rest[0]]
      const [, code = '', title = ''] = /^(\w+): (.+)$/.exec(named) ?? []
      const row: RuleRow = { appliesTo, force, confidence: 'medium', code, title, citation, ...more }
      return { ...row, test: typeof test === 'function' ? (facts) => test(facts, row) : () => test }
    }
  return { absolute: rule('absolute'), conditional: rule('conditional'), obligation: rule('obligation') }
}

/** The rules in force on that day with their results. */
export function traceOf<Facts>(rules: readonly Rule<Facts>[], facts: Facts, on: string): TraceRow[] {
  const rows: TraceRow[] = []
  for (const rule of rules) {
    if ((rule.effectiveFrom ?? '') > on || (rule.effectiveUntil !== undefined && on >= rule.effectiveUntil)) continue
    const { outcome, value, because } = rule.test(facts)
    const row = ruleRowOf(rule)
    rows.push(value === undefined ? { ...row, outcome, because } : { ...row, outcome, value, because })
  }
  return rows
}

/** Each rule is tested for every parcel of a market, so its row without the test is built once. */
const ruleRows = new WeakMap<object, RuleRow>()

const ruleRowOf = <Facts>(rule: Rule<Facts>): RuleRow =>
  valueAt(ruleRows, rule, () => {
    const { test: _, ...row } = rule
    return row
  })

/** Unknown never counts as pass. A condition that is not shown to be met counts as unknown. */
export function statusOf(rows: readonly TraceRow[]): RuleStatus {
  const deciding = rows.filter((row) => row.force !== 'obligation')
  if (deciding.some((row) => row.outcome === 'fail')) return 'blocked'
  return deciding.every((row) => row.outcome === 'pass') ? 'eligible' : 'likely'
}

/** The rules that keep a parcel from being eligible without blocking it. */
export const untestedOf = (rows: readonly TraceRow[]): UntestedRule[] =>
  rows
    .filter((row) => row.force !== 'obligation' && (row.outcome === 'unknown' || row.outcome === 'warn'))
    .map(({ code, title, because, citation, appliesTo }) => ({
      code,
      rule: title,
      reason: because,
      citation,
      appliesTo,
    }))

export const blockersOf = (rows: readonly TraceRow[]): Blocker[] =>
  rows
    .filter((row) => row.outcome === 'fail')
    .map(({ code, because, citation }) => ({ code, reason: because, citation }))

export const warningsOf = (rows: readonly TraceRow[]): string[] =>
  rows.filter((row) => row.outcome === 'warn').map((row) => `${row.code}: ${row.because}`)

export const overlayOf = (overlays: Overlays, name: OverlayName): Tristate => overlays[name] ?? 'unknown'

/** A test of an overlay of the parcel: "yes" fails the rule, or warns if it is conditional. */
export const overlay =
  (name: OverlayName, yes: string, no: string) =>
  ({ overlays }: { overlays: Overlays }, { force, title }: RuleRow): RuleAnswer => {
    const value = overlayOf(overlays, name)
    if (value === 'no') return pass(no, value)
    if (value === 'unknown') return untested(`Unknown: ${withinSentence(title)}.`, value)
    return force === 'absolute' ? fail(yes, value) : warn(yes, value)
  }

/** Lowercases the first letter, but not of a name such as "SB 9". */
export const withinSentence = (title: string): string =>
  title.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())
