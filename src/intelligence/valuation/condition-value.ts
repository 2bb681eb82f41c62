// What condition is worth: one curve of log price by condition score, which the value, the flip and the teardown score read. Its shape
// is the table of the market's pack. The market's own sales scale it where they show what condition is worth.
import defaults from '../../../data/condition-prices.json' with { type: 'json' }
import type { MarketPack } from '../../domain/packs/pack.ts'
import { conditionLevels } from '../condition/condition-phrases.ts'
import { solveCholesky } from '../statistics/cholesky.ts'
import { clamp } from '../statistics/clamp.ts'
import { fingerprint } from '../statistics/fingerprint.ts'
import { interpolated } from '../statistics/interpolate.ts'
import { predictBoosted } from './boosted-trees.ts'
import { featureCount, writeFeatures } from './home-features.ts'
import type { MarketModel } from './market-model.ts'
import { makeNearest } from './nearest-sales.ts'
import { medianOf } from './quantiles.ts'
import { treesAbout } from './regression-tree.ts'
import { attributeAt, attributeCount } from './valuation-facts.ts'

export interface ConditionValueModel {
  readonly kind: 'prior' | 'fitted'
  readonly version: string
  /** Condition score and log price against condition C4, in order of the score. */
  readonly curve: readonly (readonly [number, number])[]
  /** What remarks, permits and photos add to a home on average, in log price: sellers describe good homes at length. */
  readonly offset: number
  /** Sales with a rated condition. */
  readonly rows: number
}

const levels = ['C6', 'C5', 'C4', 'C3', 'C2', 'C1'] as const

/** The table of the market's pack, or the default, as a curve. */
export const conditionPrior = (pack?: Pick<MarketPack, 'assumptions'>): ConditionValueModel => {
  const table = { ...(pack?.assumptions.condition ?? defaults), C4: 0 }
  const curve = levels.map((level) => [conditionLevels[level], Math.log1p(table[level] / 100)] as const)
  return { kind: 'prior', version: versionOf(curve), curve, offset: 0, rows: 0 }
}

const versionOf = (curve: ConditionValueModel['curve'], offset = 0): string =>
  `condition-3-${fingerprint([...curve.map(([, log]) => log), offset])}`

/** A past sale: its rated condition, and the log of its price against its value in condition C4. */
export type RatedSale = ReturnType<typeof ratedSales>[number]

/** With fewer rated sales, or a standard error above a third of the slope, the market's sales do not show what condition is worth. */
const fewestRated = 300
const mostErrorShare = 1 / 3
/** The scale never leaves these limits: ratings are noisy, which flattens any slope. */
const scaleLimits = [0.5, 2] as const
/** A price further from its value than this is a special case or an error, and counts as this far. */
const mostUnexplained = 0.5
const fewestDescribed = 100

/**
 * Least squares of the price against C4 on the table, one slope on each side of C4. `described` is what the evidence of past sales
 * would have added to their values; its median is not a difference between homes and is taken off.
 */
export const fitConditionValue = (
  prior: ConditionValueModel,
  rated: readonly RatedSale[],
  described: readonly { readonly condition: number; readonly usual: number }[] = [],
): ConditionValueModel => {
  const scaled = rated.length < fewestRated ? { below: 1, above: 1 } : fitScales(prior, rated)
  const curve = prior.curve.map(([at, log]) => [at, log * (log < 0 ? scaled.below : scaled.above)] as const)
  const fitted = { ...prior, curve, rows: rated.length }
  const offset =
    described.length < fewestDescribed
      ? 0
      : medianOf(described.map(({ condition, usual }) => conditionLog(fitted, condition) - conditionLog(fitted, usual)))
  return {
    ...fitted,
    kind: scaled.below === 1 && scaled.above === 1 ? 'prior' : 'fitted',
    offset,
    version: versionOf(curve, offset),
  }
}

const fitScales = (prior: ConditionValueModel, rated: readonly RatedSale[]) => {
  const rows = rated.map(({ condition, againstC4 }) => {
    const log = conditionLog(prior, condition)
    return { x: [1, Math.min(0, log), Math.max(0, log)], y: clamp(againstC4, -mostUnexplained, mostUnexplained) }
  })
  const gram = () =>
    Float64Array.from([0, 1, 2].flatMap((i) => [0, 1, 2].map((j) => rows.reduce((s, { x }) => s + x[i]! * x[j]!, 0))))
  const moment = [0, 1, 2].map((i) => rows.reduce((sum, { x, y }) => sum + x[i]! * y, 0))
  const slope = solveCholesky(gram(), moment, 3)
  const noise =
    rows.reduce((sum, { x, y }) => sum + (y - x.reduce((s, each, i) => s + each * slope[i]!, 0)) ** 2, 0) / rows.length
  const scaleAt = (i: number) => {
    const unit = [0, 1, 2].map((j) => Number(i === j))
    const error = Math.sqrt(noise * solveCholesky(gram(), unit, 3)[i]!)
    return error <= mostErrorShare * slope[i]! ? clamp(slope[i]!, ...scaleLimits) : 1
  }
  return { below: scaleAt(1), above: scaleAt(2) }
}

const mostSales = 6_000

/** The newest sales with a rated condition, against what the value model says of them in condition C4. */
export const ratedSales = (model: MarketModel) => {
  const { sales, unexplained, ensemble, settings } = model
  const at = attributeAt.condition
  const rated = Array.from({ length: sales.count }, (_, i) => i).filter(
    (i) => !Number.isNaN(sales.attributes[i * attributeCount + at]!),
  )
  const features = new Float32Array(featureCount)
  const near = makeNearest(settings.neighbors)
  // Only the difference that condition makes is needed, and trees that do not ask about it make none.
  const asking = ensemble.map((trees) => ({ ...trees, forest: treesAbout(trees.forest, at) }))
  const predicted = () => asking.reduce((sum, trees) => sum + predictBoosted(trees, features, 0), 0) / asking.length
  return rated.slice(-mostSales).map((i) => {
    writeFeatures(features, 0, model, { sale: i }, near)
    const [condition, asRated] = [features[at]!, predicted()]
    features[at] = conditionLevels.C4
    return { condition, againstC4: unexplained[i]! + asRated - predicted() }
  })
}

/** The log price of a condition against C4. */
export const conditionLog = ({ curve }: ConditionValueModel, condition: number): number =>
  interpolated(curve, condition)

/** The value of a home in a given condition, from the estimate for `usual`, the condition that the value model knows of. */
export const valueInCondition = (
  model: ConditionValueModel,
  home: { readonly valueUsd: number; readonly usual: number },
  condition: number,
): number => home.valueUsd * Math.exp(conditionLog(model, condition) - conditionLog(model, home.usual) - model.offset)

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
