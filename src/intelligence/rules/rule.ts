// A legal rule as data: its test, citation and effective dates. The list of rules with their results is the explanation
// of a finding.

import type { OverlayName, Overlays, Tristate } from '../../domain/facts.ts'
import type { Blocker, RuleStatus, TraceRow, UntestedRule } from '../../domain/findings/rules.ts'

export type RuleAnswer = Pick<TraceRow, 'outcome' | 'value' | 'because'>

export type Rule<Facts> = Omit<TraceRow, keyof RuleAnswer> & { test: (facts: Facts) => RuleAnswer }

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

type RuleRow = Omit<Rule<never>, 'test'>

/** Each rule is tested for every parcel of a market, so its row without the test is built once. */
const ruleRows = new WeakMap<object, RuleRow>()

function ruleRowOf<Facts>(rule: Rule<Facts>): RuleRow {
  let row = ruleRows.get(rule)
  if (!row) {
    const { test: _, ...known } = rule
    row = known
    ruleRows.set(rule, row)
  }
  return row
}

/** Unknown never counts as pass. A condition that is not shown to be met counts as unknown. */
export function statusOf(rows: readonly TraceRow[]): RuleStatus {
  const deciding = rows.filter((row) => row.force !== 'obligation')
  if (deciding.some((row) => row.outcome === 'fail')) return 'blocked'
  return deciding.every((row) => row.outcome === 'pass') ? 'eligible' : 'likely'
}

/** The rules that keep a parcel from being eligible without blocking it. */
export function untestedOf(rows: readonly TraceRow[]): UntestedRule[] {
  return rows
    .filter((row) => row.force !== 'obligation' && (row.outcome === 'unknown' || row.outcome === 'warn'))
    .map(({ code, title, because, citation, appliesTo }) => ({
      code,
      rule: title,
      reason: because,
      citation,
      appliesTo,
    }))
}

export function blockersOf(rows: readonly TraceRow[]): Blocker[] {
  return rows
    .filter((row) => row.outcome === 'fail')
    .map(({ code, because, citation }) => ({ code, reason: because, citation }))
}

export function warningsOf(rows: readonly TraceRow[]): string[] {
  return rows.filter((row) => row.outcome === 'warn').map((row) => `${row.code}: ${row.because}`)
}

export function overlayOf(overlays: Overlays, name: OverlayName): Tristate {
  return overlays[name] ?? 'unknown'
}

/** A rule about an overlay of the parcel: "yes" fails it, or warns if the rule is conditional. */
export function overlayRule<Facts extends { overlays: Overlays }>(
  row: Omit<Rule<Facts>, 'test'>,
  overlay: OverlayName,
  sentences: { yes: string; no: string },
): Rule<Facts> {
  const unknown = `Unknown: ${withinSentence(row.title)}.`
  return {
    ...row,
    test: ({ overlays }) => {
      const value = overlayOf(overlays, overlay)
      if (value === 'no') return { outcome: 'pass', value, because: sentences.no }
      if (value === 'unknown') return { outcome: 'unknown', value, because: unknown }
      return { outcome: row.force === 'absolute' ? 'fail' : 'warn', value, because: sentences.yes }
    },
  }
}

/** Lowercases the first letter, but not of a name such as "SB 9". */
export function withinSentence(title: string): string {
  return title.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())
}
