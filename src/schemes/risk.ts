// How doubtful the resale and the cost of a scheme are, for its risk.

import type { SchemeKind } from '../domain/findings/scheme-kinds.ts'
import type { Risk, SchemeUnit } from '../domain/findings/schemes.ts'
import { riskOf } from '../intelligence/cash-flow/risk.ts'
import type { Build, Variant } from './scheme.ts'
import type { SchemeSite } from './site.ts'

/** Lots, houses on parts of a lot and units sold apart: few such sales exist. */
const rarelySold: readonly SchemeKind[] = ['split', 'small_lots', 'divide']

/** Half of the distance from the 10th to the 90th percentile of a normal distribution, in standard deviations. */
const halfRange = 1.2816

/** Undefined where nothing is built. Step by step: see `riskOf`. */
export const schemeRisk = (
  { assumptions: a }: SchemeSite,
  kind: SchemeKind,
  { variant, build }: Variant,
  { price, seed }: { price: number; seed: number },
): Generator<void, Risk> | undefined => {
  if (!build) return undefined
  const usual =
    rarelySold.includes(kind) || variant === 'sell_unit'
      ? a.valuationRiskOtherPct
      : build.confidence === 'high'
        ? a.valuationRiskGoodPct
        : a.valuationRiskFewPct
  return riskOf(price, build.project, a, {
    resalePct: Math.max(usual, rangePct(build)),
    costPct: kind === 'renovate' ? a.renovationCostRiskPct : a.costRiskPct,
    targetPct: a[build.target],
    seed,
  })
}

/** What the ranges of the prices say about the resale as a whole. */
const rangePct = ({ units }: Build): number => {
  const sold = units.filter(({ use, low, high }) => use === 'sell' && low !== undefined && high !== undefined)
  const sum = (name: keyof Pick<SchemeUnit, 'low' | 'high' | 'priceUsd'>) =>
    sold.reduce((all, unit) => all + unit.count * (unit[name] ?? 0), 0)
  return sum('priceUsd') > 0 ? (100 * (sum('high') - sum('low'))) / (2 * halfRange * sum('priceUsd')) : 0
}
