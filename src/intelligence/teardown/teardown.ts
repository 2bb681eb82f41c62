// The teardown score: the probability, times 100, that the house is demolished within two years of this listing or sale. A
// logistic model on the inputs of teardown-features.ts: the documented prior while few demolitions are stored, after that
// the fit of teardown-fit.ts. Not an appraisal.

import { type Confidence, inputName, type PropertyType } from '../../domain/facts.ts'
import type { ScorePart, TeardownFinding } from '../../domain/findings/findings.ts'
import { plural, wholeNumber } from '../scores/number-format.ts'
import type { ProbabilityReport } from '../statistics/calibration.ts'
import { type LogOddsTerm, logOddsParts } from '../statistics/log-odds-parts.ts'
import { logit } from '../statistics/logistic.ts'
import { demolitionCeiling } from './demolition-ceiling.ts'
import type { TeardownFacts } from './teardown-facts.ts'
import { teardownFeatures } from './teardown-features.ts'

export interface TeardownModel {
  readonly kind: 'prior' | 'fitted'
  readonly version: string
  /** Log-odds of a property whose every known input is at its mean. */
  readonly intercept: number
  /** No probability is above this: what the highest scores showed at most. */
  readonly limit: number
  readonly features: readonly {
    readonly name: string
    /** Log-odds per unit of the feature. */
    readonly coefficient: number
    readonly mean: number
  }[]
  readonly rows: number
  readonly positives: number
  readonly lambda?: number
  /** Measured on predictions for rows held out of the fit; for the prior, on all rows. */
  readonly report?: ProbabilityReport
  /** Inputs whose fitted sign contradicted the literature; their weight is zero. */
  readonly violations: readonly string[]
}

const realRebuilds =
  '3,147 King County sales of 2014-15, of which 39 (1.2%) were rebuilt; about 1% a year in teardown suburbs'

/**
 * For a house whose every input is typical, 0.003 to 0.03: rebuilt within about two years of sale. Most houses are less exposed than
 * their market's mean, so this is below it; with it the mean over the real sales agrees with what happened.
 */
const teardownBaseRate = 0.004

/** 0.1 to 0.4: of the 3% of the real sales with the highest scores 20% were rebuilt, with a 90% interval of 14-28%. */
const teardownLimit = 0.2

export const teardownPrior: TeardownModel = {
  kind: 'prior',
  version: 'teardown-prior-4',
  intercept: logit(teardownBaseRate / teardownLimit),
  limit: teardownLimit,
  features: teardownFeatures.map(({ name, prior, typical }) => ({ name, coefficient: prior, mean: typical })),
  rows: 0,
  positives: 0,
  violations: [],
}

/** Whether a stored model was fitted with these inputs; one of an earlier version has others and is not used. */
export const isCurrent = ({ features, limit }: TeardownModel): boolean =>
  limit !== undefined &&
  features.length === teardownFeatures.length &&
  features.every(({ name }, j) => name === teardownFeatures[j]!.name)

/** The score is about this many months after a sale: demolitions that follow later have other reasons. */
export const teardownHorizonMonths = 24

/** What the model was learned from, for a reader. */
export const learnedFrom = ({ kind, rows, positives }: TeardownModel): string => {
  if (kind === 'prior')
    return `Published research and real rebuilds elsewhere (${realRebuilds}); this market has too few recorded demolitions to learn from`
  return `${plural(rows, 'past sale')} in this market, ${positives} of them followed by a demolition within two years`
}

/** The parts sum to the score: base, one part per input, and last the reduction for historic preservation. */
export const teardownScore = (model: TeardownModel, facts: TeardownFacts, on: string): TeardownFinding => {
  const excluded = exclusionReason(facts)
  const year = Number(on.slice(0, 4))
  const used = new Set<string>()
  const missing = new Set<string>()
  if (facts.propertyType === undefined) missing.add('propertyType')
  else used.add('propertyType')
  if (excluded) return { parts: [], used: [...used], missing: [...missing], confidence: 'high', excluded }

  const values = valuesOf(facts, on)
  const terms: LogOddsTerm[] = []
  teardownFeatures.forEach((item, j) => {
    for (const input of item.inputs)
      (facts[input] !== undefined && facts[input] !== 'unknown' ? used : missing).add(inputName(input))
    const { coefficient, mean } = model.features[j]!
    const value = values[j]
    if (value !== undefined && coefficient !== 0)
      terms.push({ name: item.name, logOdds: coefficient * (value - mean), because: item.describe(facts, year) })
  })
  const because =
    model.kind === 'prior'
      ? 'The average listing'
      : `A home that is average in everything. Demolitions followed ${model.positives} of ${wholeNumber(model.rows)} past sales, mostly of homes unlike it`
  const parts: ScorePart[] = logOddsParts({ logOdds: model.intercept, because }, terms).map((part) => ({
    ...part,
    points: model.limit * part.points,
  }))
  const ceiling = demolitionCeiling(facts)
  const wanted = parts.reduce((sum, part) => sum + part.points, 0)
  if (ceiling) parts.push({ name: 'preservation', points: wanted * (ceiling.share - 1), because: ceiling.because })
  const score = wanted * (ceiling?.share ?? 1)
  return {
    score,
    probability: score / 100,
    horizonMonths: teardownHorizonMonths,
    learnedFrom: learnedFrom(model),
    parts,
    used: [...used],
    missing: [...missing],
    confidence: confidenceOf(model, values),
  }
}

export const valuesOf = (facts: TeardownFacts, on: string): (number | undefined)[] => {
  const year = Number(on.slice(0, 4))
  return teardownFeatures.map((item) => item.valueFrom(facts, year))
}

/** The score is for detached houses that stand: one apartment is not torn down alone, and vacant land has no house. */
export const exclusionReason = ({ propertyType, replaced }: TeardownFacts): string | undefined => {
  if (propertyType === undefined || propertyType === 'single_family') return replaced
  if (propertyType === 'land') return 'Vacant land: there is no house to tear down'
  return `The teardown score is for detached houses; this is a ${typeLabels[propertyType]}`
}

const typeLabels: Readonly<Record<Exclude<PropertyType, 'single_family' | 'land'>, string>> = {
  condo: 'condominium',
  townhouse: 'townhouse',
  multi_family: 'multifamily building',
  other: 'property of another type',
}

const confidenceOf = (model: TeardownModel, values: readonly (number | undefined)[]): Confidence => {
  const known = values.filter((value) => value !== undefined).length / values.length
  if (model.kind === 'prior') return known >= 0.6 ? 'medium' : 'low'
  if (model.positives >= 100 && known >= 0.7) return 'high'
  return known >= 0.4 ? 'medium' : 'low'
}
