// The teardown score: the probability, times 100, that the house is demolished after this listing or sale. A logistic on
// the covariates of teardown-features.ts: a documented prior while labels are few, and once there are some the fit of
// teardown-fit.ts. Not an appraisal.

import type { Confidence, Finding, ScorePart } from '../contract/facts.ts'
import type { ProbabilityReport } from './calibration.ts'
import { demolitionCeiling } from './demolition-ceiling.ts'
import { type LogOddsTerm, logOddsParts } from './log-odds-parts.ts'
import { logit } from './logistic.ts'
import { grouped } from './plain-numbers.ts'
import type { TeardownFacts } from './teardown-facts.ts'
import { type TeardownFeature, teardownFeatures } from './teardown-features.ts'
import { unknownInputWords } from './teardown-input-words.ts'

export interface TeardownModel {
  readonly kind: 'prior' | 'fitted'
  readonly version: string
  /** Log-odds of a property whose every known input is at its mean. */
  readonly intercept: number
  readonly features: readonly TeardownWeight[]
  readonly rows: number
  readonly positives: number
  readonly lambda?: number
  /** Whether the labels sufficed to learn each input's curve, or only how much it counts. */
  readonly learned?: 'weights' | 'shapes'
  /** Measured on predictions for rows held out of the fit; for the prior, on all rows. */
  readonly report?: ProbabilityReport
  /** The model of another market it was fitted around. */
  readonly around?: string
  /** Covariates the labels pulled against theory all along; held at zero. A flat stretch of a curve is none. */
  readonly violations: readonly string[]
}

export interface TeardownWeight {
  readonly name: string
  /** Log-odds per unit of the feature. */
  readonly coefficient: number
  readonly mean: number
  /** Log-odds added when the feature is not known. */
  readonly unknown: number
}

export interface TeardownFinding extends Finding {
  readonly probability?: number
  /** Why there is no score. */
  readonly excluded?: string
}

/** 2 %: of ordinary Peninsula listings; demolitions run at 0.3-1 % of the stock a year in teardown suburbs. */
export const teardownBaseRate = {
  value: 0.02,
  unit: 'probability',
  range: [0.01, 0.05],
  reason: 'demolition within about two years of an ordinary listing',
  source: 'demolition counts of the Peninsula cities against sales',
} as const

export const teardownPrior: TeardownModel = {
  kind: 'prior',
  version: 'teardown-prior-1',
  intercept: logit(teardownBaseRate.value),
  features: teardownFeatures.map(({ name, prior, ordinary }) => ({
    name,
    coefficient: prior,
    mean: ordinary,
    unknown: 0,
  })),
  rows: 0,
  positives: 0,
  violations: [],
}

/** The parts sum to the score: base, one part per input, and last what preservation takes away. */
export const teardownScore = (model: TeardownModel, facts: TeardownFacts, on: string): TeardownFinding => {
  const excluded = excludedBecause(facts)
  const year = Number(on.slice(0, 4))
  const used = new Set<string>()
  const missing = new Set<string>()
  if (facts.propertyType === undefined) missing.add('propertyType')
  else used.add('propertyType')
  if (excluded) return { parts: [], used: [...used], missing: [...missing], confidence: 'high', excluded }

  const values = valuesOf(facts, on)
  const terms = new Map<string, LogOddsTerm>()
  teardownFeatures.forEach((item, j) => {
    const weight = model.features[j]!
    const value = values[j]
    let unknown = 0
    item.inputs.forEach((input, k) => {
      const known = facts[input] !== undefined && facts[input] !== 'unknown'
      if (!known) unknown |= 1 << k
      ;(known ? used : missing).add(input)
    })
    const logOddsOf = value === undefined ? weight.unknown : weight.coefficient * (value - weight.mean)
    if (logOddsOf === 0) return
    const { key, name, unknownWords } = partOf[j]!
    const before = terms.get(key)
    terms.set(key, {
      name: before?.name ?? name,
      logOdds: (before?.logOdds ?? 0) + logOddsOf,
      because: value === undefined ? unknownWords[unknown]! : item.say(facts, year),
    })
  })
  const base: LogOddsTerm = {
    name: 'base',
    logOdds: model.intercept,
    because:
      model.kind === 'prior'
        ? 'An ordinary listing'
        : `An ordinary listing among ${grouped(model.rows)} with ${grouped(model.positives)} demolitions`,
  }
  const parts: ScorePart[] = logOddsParts(base, [...terms.values()])
  const ceiling = demolitionCeiling(facts)
  const wanted = parts.reduce((sum, part) => sum + part.points, 0)
  if (ceiling) parts.push({ name: 'preservation', points: wanted * (ceiling.share - 1), because: ceiling.because })
  const score = wanted * (ceiling?.share ?? 1)
  return {
    score,
    probability: score / 100,
    parts,
    used: [...used],
    missing: [...missing],
    confidence: confidenceOf(model, values),
  }
}

export const nameOf = (item: TeardownFeature): string => item.name.replace(/From.*$/, '')

/** Features of one input make one part. */
export const partOf = teardownFeatures.map((item) => ({
  key: item.inputs.join('+'),
  name: nameOf(item),
  unknownWords: unknownInputWords(item.inputs),
}))

export const valuesOf = (facts: TeardownFacts, on: string): (number | undefined)[] => {
  const year = Number(on.slice(0, 4))
  return teardownFeatures.map((item) => item.of(facts, year))
}

/** The score speaks about detached houses: nobody tears down one flat, and a bare lot has nothing to tear down. */
export const excludedBecause = ({ propertyType }: TeardownFacts): string | undefined => {
  if (propertyType === undefined || propertyType === 'single_family') return undefined
  if (propertyType === 'land') return 'A lot without a house has nothing to tear down'
  return `A ${propertyType.replace('_', '-')} home is attached or shared: the teardown score is for detached houses`
}

const confidenceOf = (model: TeardownModel, values: readonly (number | undefined)[]): Confidence => {
  const known = values.filter((value) => value !== undefined).length / values.length
  if (model.kind === 'prior') return known >= 0.6 ? 'medium' : 'low'
  if (model.positives >= 100 && known >= 0.7) return 'high'
  return known >= 0.4 ? 'medium' : 'low'
}
