// A use of a lot under a law, from the rules that were tested for it.
import { byAllowance, type LawfulUse, type UseFinding } from '../domain/findings/laws.ts'
import type { Blocker, TraceRow } from '../domain/findings/rules.ts'
import { blockersOf, warningsOf } from '../intelligence/rules/rule.ts'
import type { Traced } from './law.ts'

interface UseTerms
  extends Pick<LawfulUse, 'scheme' | 'variant' | 'approval' | 'decidedBy' | 'homes' | 'leastHomes' | 'lots' | 'sizes'> {
  /** Rules that a buyer cannot meet by choice: with a warning of one of them the use is conditional. */
  gates?: readonly string[]
  /** Rules without which nothing can be said: an unknown outcome of one of them leaves the use unknown. */
  decisive?: readonly string[]
  /** What bars the use beside the rules. */
  blockers?: readonly Blocker[]
}

export const lawfulUse = (
  rows: readonly TraceRow[],
  { gates = [], decisive = [], blockers = [], homes, leastHomes, lots, sizes, ...terms }: UseTerms,
): LawfulUse => {
  const barred = [...blockersOf(rows), ...blockers]
  const open = rows.filter(({ force, outcome }) => force !== 'obligation' && outcome === 'unknown')
  const undecided = open.filter(({ code }) => decisive.includes(code))
  const isGate = ({ code }: TraceRow): boolean => gates.includes(code)
  const met = rows.filter(({ outcome }) => outcome === 'warn').toSorted((a, b) => Number(isGate(b)) - Number(isGate(a)))
  const allowed = allowanceOf({
    no: barred.length > 0,
    unknown: undecided.length > 0,
    conditional: met.some(isGate),
    likely: open.length > 0,
  })
  const reasons = allowed === 'no' ? barred.map(({ reason }) => reason) : undecided.map(({ because }) => because)
  return {
    ...terms,
    allowed,
    ...(allowed === 'no' ? {} : { homes, leastHomes, lots, sizes }),
    conditions: met.map(({ code, because, citation }) => ({ code, text: because, citation })),
    untestedRules: open.map(({ code, title, because, citation }) => ({ code, rule: title, text: because, citation })),
    because: [...new Set(reasons)],
  }
}

const allowanceOf = (found: Record<Exclude<LawfulUse['allowed'], 'yes'>, boolean>): LawfulUse['allowed'] =>
  (['no', 'unknown', 'conditional', 'likely'] as const).find((each) => found[each]) ?? 'yes'

/** The same rules where the house is demolished: what only protects the house then bars the use. */
export const ifDemolished = (rows: readonly TraceRow[], protecting: readonly string[]): TraceRow[] =>
  rows.map((row) => (protecting.includes(row.code) && row.outcome === 'warn' ? { ...row, outcome: 'fail' } : row))

/** The finding of a law that only says which uses it allows. Its rules are known at second hand, so confidence is never high. */
export const useFinding = (trace: readonly TraceRow[], uses: readonly LawfulUse[]): Traced<UseFinding> => {
  const outside = trace.filter(({ code, outcome }) => code.startsWith('NOT_IN_STATE') && outcome === 'fail')
  const shown = outside.length > 0 ? outside : trace
  const sorted = uses.toSorted(byAllowance)
  const untested = sorted[0]?.untestedRules.length ?? 0
  return {
    uses: sorted,
    blockReasons: shown
      .filter(({ outcome }) => outcome === 'fail')
      .map((row) => ({ ...blockersOf([row])[0]!, appliesTo: row.appliesTo })),
    warnings: warningsOf(shown),
    trace: shown,
    used: shown.filter((row) => row.value !== undefined && row.outcome !== 'unknown').map(({ code }) => code),
    missing: shown.filter(({ outcome }) => outcome === 'unknown').map(({ code }) => code),
    confidence: sorted[0]?.allowed !== 'no' && untested > 3 ? 'low' : 'medium',
  }
}
