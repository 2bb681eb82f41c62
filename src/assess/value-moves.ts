// Which values and returns changed noticeably, and what moved them.
import { keysOf } from '../common/typed.ts'
import type { ValueFinding } from '../domain/findings/findings.ts'
import type { Proforma } from '../domain/findings/proforma.ts'
import type { Assessment, StoredScores } from '../store/assessments/assessments.ts'
import type { LastValue, ValueChange } from '../store/assessments/value-changes.ts'
import type { StoredExplanation } from '../wire/explanation.ts'
import { leastValuePct, type MovedInput } from '../wire/timeline.ts'

/** A smaller change of the return, in points, is not kept. */
const leastReturnPoints = 1

/**
 * `last` is the value kept before; without one, the stored assessment counts. `parts` are those of the stored value. Undefined if the
 * change is too small to keep.
 */
export const valueMove = (
  before: Pick<StoredScores, 'valueUsd' | 'proforma'>,
  after: Pick<Assessment, 'propertyId' | 'valueUsd' | 'valueLowUsd' | 'valueHighUsd' | 'proforma' | 'explanation'>,
  last: LastValue | undefined,
  refitted: boolean,
  parts?: StoredExplanation['value'],
): ValueChange | undefined => {
  const previousValueUsd = last ? last.valueUsd : before.valueUsd
  const previousReturnPct = last ? last.returnPct : (before.proforma?.returnPct ?? null)
  const valueUsd = after.valueUsd ?? null
  const returnPct = after.proforma?.returnPct ?? null
  if (!valueMoved(previousValueUsd, valueUsd) && !returnMoved(previousReturnPct, returnPct)) return undefined
  return {
    propertyId: after.propertyId,
    valueUsd,
    valueLowUsd: after.valueLowUsd ?? null,
    valueHighUsd: after.valueHighUsd ?? null,
    returnPct,
    previousValueUsd,
    previousReturnPct,
    moved: [
      ...(refitted ? [{ input: 'model' }] : []),
      ...moved('valueEstimate', before.valueUsd ?? undefined, after.valueUsd),
      ...(parts ? movedParts(parts, after.explanation?.value, before.valueUsd ?? 0) : []),
      ...proformaInputs.flatMap((name) => moved(name, before.proforma?.[name], after.proforma?.[name])),
    ],
  }
}

/** The parts of the value that moved by a visible share of it. */
const movedParts = (before: ValueFinding, after: ValueFinding | undefined, valueUsd: number): MovedInput[] => {
  const inputs = (finding: ValueFinding | undefined) => ({
    comparablesValue: finding?.basis?.comps,
    similarHomesValue: finding?.basis?.model,
    conditionValue: finding?.parts.find(({ name }) => name === 'condition')?.points ?? 0,
  })
  const [from, to] = [inputs(before), inputs(after)]
  return keysOf(from).flatMap((name) =>
    Math.abs((to[name] ?? 0) - (from[name] ?? 0)) < (leastPartPct / 100) * valueUsd
      ? []
      : moved(name, from[name], to[name]),
  )
}
const leastPartPct = 0.5

const proformaInputs = ['buildSqft', 'arvPerSqft', 'capital', 'resaleNet'] as const satisfies (keyof Proforma)[]

const moved = (input: string, from: number | undefined, to: number | undefined): MovedInput[] =>
  from === to ? [] : [{ input, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }]

export const valueMoved = (from: number | null, to: number | null): boolean =>
  from === null || to === null ? from !== to : 100 * Math.abs(to - from) >= leastValuePct * from

/** A change of sign is always kept: a gain became a loss, or the other way round. */
const returnMoved = (from: number | null, to: number | null): boolean =>
  from === null || to === null
    ? from !== to
    : Math.abs(to - from) >= leastReturnPoints || Math.sign(from) * Math.sign(to) < 0
