// The effect of condition on price: how much prices change with a home's condition score, learned from sales. The value model uses
// the age and the last renovation of a home but not its condition, so its estimate is that of a home in the usual condition
// for its age. Here that estimate is moved to the condition the evidence shows, and to the condition a renovation buys.
import { mean } from '../statistics/average.ts'
import { solveCholesky } from '../statistics/cholesky.ts'
import { clamp } from '../statistics/clamp.ts'
import { fingerprint } from '../statistics/fingerprint.ts'
import { medianOf } from './quantiles.ts'

export interface ConditionValueModel {
  readonly kind: 'prior' | 'fitted'
  readonly version: string
  /** Log price per condition point below the condition of the usual sold home, and above it. */
  readonly below: number
  readonly above: number
  /** How far sold homes are, on average, from the condition usual for their age, in points. */
  readonly center: number
  /** Sales it was learned from. */
  readonly rows: number
}

export const conditionValueAssumptions = {
  below: {
    value: 0.0075,
    unit: 'log price per condition point',
    range: [0.001, 0.015],
    reason: 'poor homes sold 17% and very poor homes 29% below homes in average condition (25 and 45 points lower)',
    source: 'assessor’s conditions of 21,613 King County sales, 2014 to 2015',
  },
  above: {
    value: 0.0025,
    unit: 'log price per condition point',
    range: [0.0003, 0.006],
    reason:
      'homes in good condition sold 2% and in very good condition 7% above average (20 and 35 points higher), homes resold within a year 9% above their value (25 points)',
    source: 'the same, and its 176 homes that sold twice',
  },
  slopeDeviation: {
    value: 0.002,
    unit: 'log price per condition point',
    range: [0.001, 0.004],
    reason: 'how far markets are expected to differ from the slopes above; a market’s own sales outweigh it soon',
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
  version: 'condition-prior-2',
  below: conditionValueAssumptions.below.value,
  above: conditionValueAssumptions.above.value,
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
 * A least-squares line of two pieces through the sales, joined at the median condition and weighed against the default slopes: poor
 * homes lose far more than good ones gain. No slope leaves its range, so a better condition never lowers a value.
 */
export const fitConditionValue = (sales: readonly ConditionSale[]): ConditionValueModel => {
  const { below, above, slopeDeviation, minRows, mostUnexplained } = conditionValueAssumptions
  const count = sales.length
  if (count < minRows.value) return { ...conditionValuePrior, rows: count }
  const x = sales.map(({ condition, usual }) => condition - usual)
  const y = sales.map(({ unexplained }) => clamp(unexplained, -mostUnexplained.value, mostUnexplained.value))
  const center = medianOf(x)
  const columns = [
    x.map(() => 1),
    x.map((each) => Math.min(0, each - center)),
    x.map((each) => Math.max(0, each - center)),
  ]
  const level = mean(y)
  const noise = Math.max(mean(y.map((each) => (each - level) ** 2)), 1e-6)
  const prior = noise / slopeDeviation.value ** 2
  const sums = (a: readonly number[], b: readonly number[]) => a.reduce((sum, each, i) => sum + each * b[i]!, 0)
  const gram = Float64Array.from(
    columns.flatMap((a, i) => columns.map((b, j) => sums(a, b) + (i === j && i > 0 ? prior : 0))),
  )
  const moment = Float64Array.from(columns.map((a, i) => sums(a, y) + [0, below.value, above.value][i]! * prior))
  const fitted = solveCholesky(gram, moment, columns.length)
  const slopes = { below: clamp(fitted[1]!, ...below.range), above: clamp(fitted[2]!, ...above.range) }
  return {
    kind: 'fitted',
    version: `condition-fit-2-${count}-${fingerprint([slopes.below, slopes.above, center])}`,
    ...slopes,
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
): number => {
  const off = condition - home.usual - model.center
  return home.valueUsd * Math.exp(clamp((off < 0 ? model.below : model.above) * off, -mostMoved, mostMoved))
}

/**
 * The value of a home in its present condition and after a renovation to `target`. The latter is at most `mostUsd`, what new and
 * renovated homes nearby sell for, and never below the present value: without a renovation the two are the same.
 */
export const valuesAroundRenovation = (
  model: ConditionValueModel,
  home: { readonly valueUsd: number; readonly usual: number; readonly usualUsd: number },
  { condition, target, mostUsd }: { condition: number; target: number; mostUsd?: number },
) => {
  const renovated = valueInCondition(model, { valueUsd: home.usualUsd, usual: home.usual }, Math.max(condition, target))
  return {
    valueNowUsd: Math.round(home.valueUsd),
    afterRepairValueUsd: Math.round(Math.max(home.valueUsd, Math.min(renovated, mostUsd ?? renovated))),
  }
}
