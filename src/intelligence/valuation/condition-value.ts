// The effect of condition on price: how much prices change with a home's condition score, learned from sales. The value model uses
// the age and the last renovation of a home but not its condition, so its estimate is that of a home in the usual condition
// for its age. Here that estimate is moved to the condition the evidence shows, and to the condition a renovation buys.
import { clamp } from '../clamp.ts'
import { fingerprint } from '../fingerprint.ts'

export interface ConditionValueModel {
  readonly kind: 'prior' | 'fitted'
  readonly version: string
  /** Log price per condition point. */
  readonly slope: number
  /** How far sold homes are, on average, from the condition usual for their age, in points. */
  readonly center: number
  /** Sales it was learned from. */
  readonly rows: number
}

export const conditionValueAssumptions = {
  slope: {
    value: 0.005,
    unit: 'log price per condition point',
    range: [0.001, 0.012],
    reason: 'ten points of condition change the price by about 5%, a step between two UAD grades by 5-10%',
    source: 'assumption; not taken from a study',
  },
  slopeDeviation: {
    value: 0.002,
    unit: 'log price per condition point',
    range: [0.001, 0.004],
    reason: 'how far markets are expected to differ from the slope above; a market’s own sales outweigh it soon',
    source: 'assumption',
  },
  minRows: {
    value: 100,
    unit: 'sales',
    range: [50, 500],
    reason: 'below this the scatter of single sales (15-20%) hides any slope',
    source: 'assumption',
  },
  mostUnexplained: {
    value: 0.5,
    unit: 'log price',
    range: [0.3, 1],
    reason: 'a sale further from its value than this is a special case or an error, and counts as this far',
    source: 'assumption',
  },
} as const

export const conditionValuePrior: ConditionValueModel = {
  kind: 'prior',
  version: 'condition-prior-1',
  slope: conditionValueAssumptions.slope.value,
  center: 0,
  rows: 0,
}

/** A past sale: its condition on that day, the condition usual for its age, and what the value model left unexplained. */
export interface ConditionSale {
  readonly condition: number
  readonly usual: number
  /** Log of the price divided by the value from a model fitted without the sale. */
  readonly unexplained: number
}

/**
 * A least-squares line through the sales, weighed against the prior slope. The slope never leaves its range, so a better
 * condition never lowers a value.
 */
export const fitConditionValue = (sales: readonly ConditionSale[]): ConditionValueModel => {
  const { slope: prior, slopeDeviation, minRows, mostUnexplained } = conditionValueAssumptions
  const count = sales.length
  if (count < minRows.value) return { ...conditionValuePrior, rows: count }
  const x = sales.map(({ condition, usual }) => condition - usual)
  const y = sales.map(({ unexplained }) => clamp(unexplained, -mostUnexplained.value, mostUnexplained.value))
  const center = mean(x)
  const level = mean(y)
  let across = 0
  let along = 0
  let scatter = 0
  for (let i = 0; i < count; i++) {
    across += (x[i]! - center) ** 2
    along += (x[i]! - center) * (y[i]! - level)
    scatter += (y[i]! - level) ** 2
  }
  const noise = Math.max(scatter / count, 1e-6)
  const weight = 1 / slopeDeviation.value ** 2
  const slope = clamp((along / noise + prior.value * weight) / (across / noise + weight), ...prior.range)
  return {
    kind: 'fitted',
    version: `condition-fit-1-${count}-${fingerprint([slope, center])}`,
    slope,
    center,
    rows: count,
  }
}

/** Condition moves a value by at most a factor of 1.6: beyond that, land and size decide the price. */
const mostMoved = Math.log(1.6)

/** The value of a home in a given condition, from the estimate that does not use its condition. */
export const valueInCondition = (
  model: ConditionValueModel,
  home: { readonly valueUsd: number; readonly usual: number },
  condition: number,
): number =>
  home.valueUsd * Math.exp(clamp(model.slope * (condition - home.usual - model.center), -mostMoved, mostMoved))

interface RenovationValues {
  readonly valueNowUsd: number
  readonly afterRepairValueUsd: number
}

/**
 * The value of a home in its present condition and after a renovation to `target`. The latter is at most `mostUsd`, what new and
 * renovated homes nearby sell for, and never below the present value: without a renovation the two are the same.
 */
export const valuesAroundRenovation = (
  model: ConditionValueModel,
  home: { readonly valueUsd: number; readonly usual: number },
  { condition, target, mostUsd }: { condition: number; target: number; mostUsd?: number },
): RenovationValues => {
  const now = valueInCondition(model, home, condition)
  const renovated = valueInCondition(model, home, Math.max(condition, target))
  return {
    valueNowUsd: Math.round(now),
    afterRepairValueUsd: Math.round(Math.max(now, Math.min(renovated, mostUsd ?? renovated))),
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
