// A legal rule as one row: what it asks, of what, on whose authority and since when. The rows asked, with their
// answers, are the explanation.

import type { OverlayName, Overlays, Tristate } from '../../contract/facts.ts'
import type { Blocker, RuleStatus, TraceRow } from '../../contract/rules.ts'

export type RuleAnswer = Pick<TraceRow, 'outcome' | 'value' | 'because'>

export type Rule<Facts> = Omit<TraceRow, keyof RuleAnswer> & { test: (facts: Facts) => RuleAnswer }

/** The rules in force that day, each answered. */
export function traceOf<Facts>(rules: readonly Rule<Facts>[], facts: Facts, on: string): TraceRow[] {
  const rows: TraceRow[] = []
  for (const rule of rules) {
    if ((rule.effectiveFrom ?? '') > on || (rule.effectiveUntil !== undefined && on >= rule.effectiveUntil)) continue
    const { outcome, value, because } = rule.test(facts)
    const row = writtenRow(rule)
    rows.push(value === undefined ? { ...row, outcome, because } : { ...row, outcome, value, because })
  }
  return rows
}

type WrittenRow = Omit<Rule<never>, 'test'>

/** A market asks the same rules of every parcel: each is written out once. */
const written = new WeakMap<object, WrittenRow>()

function writtenRow<Facts>(rule: Rule<Facts>): WrittenRow {
  let row = written.get(rule)
  if (!row) {
    const { test: _, ...known } = rule
    row = known
    written.set(rule, row)
  }
  return row
}

/** Unknown never counts as pass, and a condition not yet shown to be met is as good as unknown. */
export function statusOf(rows: readonly TraceRow[]): RuleStatus {
  const deciding = rows.filter((row) => row.force !== 'obligation')
  if (deciding.some((row) => row.outcome === 'fail')) return 'blocked'
  return deciding.every((row) => row.outcome === 'pass') ? 'eligible' : 'likely'
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

/** A rule that asks whether something lies over the parcel: yes fails it (or warns, where conditional). */
export function overlayRule<Facts extends { overlays: Overlays }>(
  row: Omit<Rule<Facts>, 'test'>,
  overlay: OverlayName,
  says: { yes: string; no: string },
): Rule<Facts> {
  const notKnown = `Not known: ${withinSentence(row.title)}.`
  return {
    ...row,
    test: ({ overlays }) => {
      const value = overlayOf(overlays, overlay)
      if (value === 'no') return { outcome: 'pass', value, because: says.no }
      if (value === 'unknown') return { outcome: 'unknown', value, because: notKnown }
      return { outcome: row.force === 'absolute' ? 'fail' : 'warn', value, because: says.yes }
    },
  }
}

/** Names keep their capitals: the Ellis Act, SB 9. */
function withinSentence(title: string): string {
  return title.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())
}
