// The value of a home in its present condition: what the value model says, moved along the curve of what condition is worth.
import type { ConditionFinding, ValueFinding } from '../../domain/findings/findings.ts'
import type { ValueUnavailable } from '../../domain/findings/value.ts'
import { hasEvidence, usualCondition } from '../condition/condition.ts'
import { renovatedCondition, unknownCondition } from '../scores/flippability.ts'
import { scorePart } from '../scores/score-part.ts'
import { afterRepairPerSqft } from './after-repair.ts'
import { type ConditionValueModel, valueInCondition, valuesAroundRenovation } from './condition-value.ts'
import type { MarketModel } from './market-model.ts'
import type { ValuationHome } from './valuation-facts.ts'
import type { Valuation } from './value-home.ts'

/** The models of a market on the day of its valuation. */
interface ValueModels {
  readonly value: MarketModel | undefined
  readonly conditionValue: ConditionValueModel
  readonly on: string
}

/** A value of a house that may be gone has low confidence and says why. */
export const withNote = (value: Valuation, replaced: string | undefined): NotedValue =>
  replaced ? { ...value, confidence: 'low', note: replaced } : value

type NotedValue = Valuation & { note?: string }

export type PresentValue = NotedValue & {
  /** The condition that the value model knows of, and the value at it. */
  usual: number
  usualUsd: number
  /** The condition that the evidence shows; undefined without evidence. */
  condition?: number
}

/** The value and its range at the condition that remarks, permits and photos show. Without such evidence they stay. */
export const inPresentCondition = (
  facts: ValuationHome,
  view: Pick<ValueModels, 'conditionValue' | 'on'>,
  value: NotedValue,
  condition: ConditionFinding,
): PresentValue => {
  const { score } = condition
  const usual = usualCondition(facts, view.on)
  const usualUsd = value.valueUsd
  if (score === undefined || !hasEvidence(condition)) return { ...value, usual, usualUsd }
  const factor = valueInCondition(view.conditionValue, { valueUsd: 1, usual }, score)
  return {
    ...value,
    valueUsd: usualUsd * factor,
    lowUsd: value.lowUsd * factor,
    highUsd: value.highUsd * factor,
    usual,
    usualUsd,
    condition: score,
  }
}

/** The renovation starts from the present value, and never ends below it. */
export const renovationValues = (
  facts: ValuationHome,
  view: ValueModels,
  value: PresentValue,
  score: number | undefined,
) => {
  const condition = score ?? unknownCondition
  const renewed =
    view.value && facts.livingSqft && afterRepairPerSqft(view.value, facts, facts.livingSqft, view.on, 'renovate')
  return valuesAroundRenovation(view.conditionValue, value, {
    condition: value.condition ?? condition,
    target: renovatedCondition(condition),
    mostUsd: renewed ? renewed.arvPerSqft * facts.livingSqft! : undefined,
  })
}

const usualWords = ({ condition }: ValuationHome): string =>
  condition === undefined ? 'usual for such homes' : 'what its source says'

const valueInputs = [
  ...(['livingSqft', 'lat', 'lng', 'lotSqft', 'beds', 'baths', 'yearBuilt', 'yearRenovated', 'propertyType'] as const),
  ...(['quality', 'condition', 'view', 'waterfront', 'garageSqft', 'basementSqft'] as const),
] as const

/** Of the parts of the value only that of its present condition is stored: the others are computed when read. */
export const valueFinding = (facts: ValuationHome, value: PresentValue): ValueFinding => {
  const conditionUsd = Math.round(value.valueUsd) - Math.round(value.usualUsd)
  const { condition } = value
  const because = `Condition ${Math.round(condition ?? 0)}, where ${Math.round(value.usual)} is ${usualWords(facts)}`
  return {
    parts: condition === undefined ? [] : [scorePart('condition', conditionUsd, because)],
    used: valueInputs.filter((name) => facts[name] !== undefined),
    missing: value.missing,
    confidence: value.confidence,
    support: {
      nearestSaleMi: value.nearestSaleMi,
      salesWithinMile12m: value.salesWithinMile12m,
      missing: [...value.missing],
      ...(value.doubtful.length > 0 ? { doubtful: [...value.doubtful] } : {}),
    },
    basis: {
      model: Math.round(value.basis.model),
      ...(value.basis.comps === undefined ? {} : { comps: Math.round(value.basis.comps) }),
      weightOfComps: Math.round(100 * value.basis.weightOfComps) / 100,
      ...(condition === undefined || conditionUsd === 0 ? {} : { conditionUsd }),
    },
    ...(value.note ? { note: value.note } : {}),
  }
}

/** Of a lot: it is valued from sales of land, whatever the value model of homes lacks. */
export const noLandValue = ({ lotSqft, lat }: ValuationHome): ValueUnavailable =>
  lotSqft === undefined || lat === undefined
    ? {
        reason: 'TOO_FEW_FACTS',
        text: `No value without ${lotSqft === undefined ? 'a recorded lot size' : 'a location'}.`,
      }
    : { reason: 'TOO_FEW_SALES', text: 'Too few sales of land are known here to value a lot.' }

export const noValueFinding = (unavailable: ValueUnavailable): ValueFinding => ({
  parts: [],
  used: [],
  missing: [],
  confidence: 'low',
  unavailable,
})

export const valueFields = (value: Valuation | undefined) =>
  value && {
    valueUsd: Math.round(value.valueUsd),
    valueLowUsd: Math.round(value.lowUsd),
    valueHighUsd: Math.round(value.highUsd),
  }
