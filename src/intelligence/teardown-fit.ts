// Fits the teardown score on the demolitions that followed past sales: a ridge logistic regression shrunk toward the
// documented prior, or toward the model of a market with more demolitions, that keeps the signs the literature gives.
import { type ProbabilityReport, probabilityReport } from './calibration.ts'
import { chooseLambda } from './cross-validation.ts'
import { demolitionCeiling } from './demolition-ceiling.ts'
import { denseDesign, foldsOf, type RandomSource, splitFolds, standardOf, takeRows } from './design.ts'
import { fingerprint } from './fingerprint.ts'
import { fitSigned, type LogisticOptions, logOdds, type SignedFit, sigmoid } from './logistic.ts'
import {
  exclusionReason,
  inputNameOf,
  partOfFeature,
  type TeardownModel,
  type TeardownWeight,
  teardownPrior,
  teardownScore,
  valuesOf,
} from './teardown.ts'
import type { TeardownFacts } from './teardown-facts.ts'
import { teardownFeatures } from './teardown-features.ts'

/** A past sale with the facts known on that day, and whether the house was demolished after it. */
export interface TeardownRow {
  readonly facts: TeardownFacts
  readonly on: string
  readonly demolished: boolean
  /** The share of eventual demolitions that would have been permitted by now: below 1 for a recent sale. */
  readonly observedShare?: number
}

interface TeardownFitOptions {
  readonly random: RandomSource
  readonly folds?: number
  readonly lambdas?: readonly number[]
  /** With fewer demolitions than this the prior is used. */
  readonly minPositives?: number
  /** The model of a market with more demolitions; the fit starts from its slopes instead of the documented prior. */
  readonly borrowFrom?: TeardownModel
}

/** Penalty on each input's weight: low for the prior's judgment, higher for weights another market's demolitions support. */
const curvePenalty = 0.5
const borrowedCurvePenalty = 4
/** With fewer demolitions than this the shapes of sixteen curves cannot be learned. */
const enoughForShapes = 150
const shapeLambdas = [64, 16, 4] as const
const curveLambdas = [1024, 256] as const

/** Rows that get no score, such as condominiums, are left out of the fit too. */
export const fitTeardown = (all: readonly TeardownRow[], options: TeardownFitOptions): TeardownModel => {
  const rows = all.filter((row) => exclusionReason(row.facts) === undefined)
  const labels = Float64Array.from(rows, (row) => Number(row.demolished))
  const positives = labels.reduce((sum, y) => sum + y, 0)
  const foldCount = options.folds ?? 5
  const borrowed = options.borrowFrom !== undefined
  const startModel = options.borrowFrom ?? teardownPrior
  if ((!borrowed && positives < (options.minPositives ?? 10)) || rows.length - positives < 10) {
    const predicted = rows.map((row) => teardownScore(teardownPrior, row.facts, row.on).probability ?? 0)
    const report = rows.length > 0 ? probabilityReport(predicted, labels) : undefined
    return { ...teardownPrior, rows: rows.length, positives, report }
  }
  const count = teardownFeatures.length
  const slopes = startModel.features.map(({ coefficient }) => coefficient)
  const { design, width, standards, unknownShare, curveOf } = designOf(rows, slopes)
  let interceptCenter = startModel.intercept
  startModel.features.forEach(({ coefficient, mean }, j) => {
    if (unknownShare[j]! < 0.99) interceptCenter += coefficient * (standards[j]!.mean - mean)
  })
  // A recent sale without a demolition is weak evidence: its probability is capped at the share observable by now.
  const ceilings = Float64Array.from(
    rows,
    (row) => (demolitionCeiling(row.facts)?.share ?? 1) * (row.observedShare ?? 1),
  )
  // An input unknown in nearly every row cannot be learned; its weight is zero instead of the prior's.
  const learnable = unknownShare.map((share) => share < 0.99)
  const fits = (options.lambdas ?? (borrowed || positives < enoughForShapes ? [] : shapeLambdas))
    .map((lambda) => ({ lambda, curves: false }))
    .concat((options.lambdas ? [] : curveLambdas).map((lambda) => ({ lambda, curves: true })))
  const fitOptions = ({ lambda, curves }: (typeof fits)[number]): LogisticOptions => ({
    penalties: Float64Array.from({ length: width }, (_, c) =>
      c < count ? lambda : c < 2 * count ? 4 * lambda : borrowed ? borrowedCurvePenalty : curvePenalty,
    ),
    centers: Float64Array.from({ length: width }, (_, c) => {
      if (curves) return c < 2 * count ? 0 : 1
      return c < count ? slopes[c]! * standards[c]!.deviation : 0
    }),
    held: Uint8Array.from({ length: width }, (_, c) => Number(!curves && c >= 2 * count)),
    interceptCenter,
    interceptPenalty: 0.5,
  })
  const signsOf = ({ curves }: (typeof fits)[number]) =>
    Float64Array.from({ length: width }, (_, c) => {
      if (c >= 2 * count) return 1
      return curves || c >= count ? 0 : teardownFeatures[c]!.sign
    })
  // Adjacent penalties and folds have nearly the same solution, so each fit starts from the previous one.
  let last: { curves: boolean; fit: SignedFit } | undefined
  const fitOn = (way: (typeof fits)[number], train: Int32Array) => {
    const fit = fitSigned(
      takeRows(design, train),
      Float64Array.from(train, (r) => labels[r]!),
      signsOf(way),
      {
        ...fitOptions(way),
        start: last?.curves === way.curves ? last.fit : undefined,
        tolerance: 1e-5,
        ceilings: Float64Array.from(train, (r) => ceilings[r]!),
      },
    )
    last = { curves: way.curves, fit }
    return fit
  }
  const folds = splitFolds(foldsOf(rows.length, foldCount, options.random, labels), foldCount)
  const chosen = chooseLambda([...fits.keys()], folds, labels, (way, train, test) =>
    logOdds(fitOn(fits[way]!, train), takeRows(design, test)).map((eta, k) => ceilings[test[k]!]! * sigmoid(eta)),
  )
  const way = fits[chosen.lambda]!
  const fit = fitSigned(design, labels, signsOf(way), { ...fitOptions(way), ceilings, tolerance: 1e-6 })
  const features = teardownFeatures.map(({ name, sign }, j) => ({
    name,
    coefficient: learnable[j]
      ? held(sign, fit.coefficients[curveOf[j]!]! * slopes[j]! + fit.coefficients[j]! / standards[j]!.deviation)
      : 0,
    mean: standards[j]!.mean,
    unknown: learnable[j] ? fit.coefficients[count + j]! : 0,
  }))
  const numbers = features.flatMap(({ coefficient, mean, unknown }) => [coefficient, mean, unknown])
  return {
    kind: 'fitted',
    version: `teardown-fit-2-${rows.length}-${positives}-${fingerprint([fit.intercept, ...numbers])}`,
    intercept: fit.intercept,
    features,
    rows: rows.length,
    positives,
    lambda: way.lambda,
    learned: way.curves ? 'weights' : 'shapes',
    ...(borrowed ? { borrowedFrom: startModel.version } : {}),
    report: reportOn(rows, chosen.heldOut, labels),
    violations: heldWhole(features, learnable),
  }
}

/**
 * The rows as columns of the regression: each feature, whether it is unknown, and each input's whole prior curve. With few
 * demolitions only the weight of each curve is learned; with many, also its shape.
 */
const designOf = (rows: readonly TeardownRow[], slopes: readonly number[]) => {
  const count = teardownFeatures.length
  const values = rows.map((row) => valuesOf(row.facts, row.on))
  const standards = teardownFeatures.map((_, j) => standardOf(values.map((row) => row[j])))
  const unknownShare = teardownFeatures.map((_, j) => values.filter((row) => row[j] === undefined).length / rows.length)
  // An "unknown" indicator only where some rows know the input and some do not; features of one input share it.
  const groups = partOfFeature.map(({ key }) => key)
  const flagged = teardownFeatures.map(
    (_, j) => unknownShare[j]! > 0.01 && unknownShare[j]! < 0.99 && groups.indexOf(groups[j]!) === j,
  )
  const names = [...new Set(teardownFeatures.map(inputNameOf))]
  const curveOf = teardownFeatures.map((item) => 2 * count + names.indexOf(inputNameOf(item)))
  const width = 2 * count + names.length
  const design = denseDesign(
    values.map((row) => {
      const cells = new Float64Array(width)
      for (let j = 0; j < count; j++) {
        const value = row[j]
        if (value === undefined) {
          if (flagged[j]) cells[count + j] = 1
          continue
        }
        const away = value - standards[j]!.mean
        cells[j] = away / standards[j]!.deviation
        cells[curveOf[j]!]! += slopes[j]! * away
      }
      return cells
    }),
    width,
  )
  return { design, width, standards, unknownShare, curveOf }
}

/** Measured on sales old enough that their demolitions are complete, where there are enough of them. */
const reportOn = (rows: readonly TeardownRow[], heldOut: Float64Array, labels: Float64Array): ProbabilityReport => {
  const old = rows.flatMap((row, r) => ((row.observedShare ?? 1) >= 0.999 ? [r] : []))
  const chosen = old.some((r) => labels[r] === 1) && old.length >= 200 ? old : rows.map((_, r) => r)
  return probabilityReport(
    chosen.map((r) => heldOut[r]!),
    chosen.map((r) => labels[r]!),
  )
}

/** A coefficient with the wrong sign becomes zero. */
const held = (sign: 1 | -1, coefficient: number): number => (sign * coefficient > 0 ? coefficient : 0)

const heldWhole = (features: readonly TeardownWeight[], learnable: readonly boolean[]): string[] => {
  const names = [...new Set(teardownFeatures.filter((_, j) => learnable[j]).map(inputNameOf))]
  return names.filter((name) =>
    teardownFeatures.every((item, j) => inputNameOf(item) !== name || features[j]!.coefficient === 0),
  )
}
