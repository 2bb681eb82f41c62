// Fits the bidding-war model to closed listings.
//
// The fit has two steps, because how far a sale closed from its list price says more than which side of 1% it fell on. The
// first step learns from that distance (soft labels). The second learns the threshold itself and is shrunk toward the first.

import { type BiddingWarModel, biddingWarPrior } from './bidding-war.ts'
import {
  areaLevels,
  type BiddingRow,
  biddingPenalties,
  commonWords,
  newColumns,
  sparseRow,
  thresholdPenalties,
  wordContrasts,
} from './bidding-war-design.ts'
import { biddingBaseLogOdds, biddingFeatures } from './bidding-war-features.ts'
import { probabilityReport } from './calibration.ts'
import { chooseLambda } from './cross-validation.ts'
import { denseDesign, foldsOf, type RandomSource, sparseDesign, splitFolds, standardOf, takeRows } from './design.ts'
import { fingerprint } from './fingerprint.ts'
import { fitLogistic, fitSigned, logit, predictLogistic, type SignedFit, sigmoid } from './logistic.ts'

export interface BiddingFitOptions {
  readonly random: RandomSource
  readonly folds?: number
  readonly wordPenalties?: readonly number[]
  /** The prior is used when there are fewer closings than this above or below the 1% line. */
  readonly minEach?: number
  /** Words in fewer rows than this are ignored. */
  readonly minWordRows?: number
}

/** Fits without a fold only choose a penalty and measure; a looser tolerance gives the same figures in less time. */
const foldTolerance = 1e-4
const finalTolerance = 1e-6

/** Log distance from the threshold at which a soft label reaches 0.73. From 0.06 to 0.15 the results do not differ. */
const softness = 0.08

/** 0.5 for a sale at 1% over list, closer to 1 the further above it and closer to 0 the further below. */
const softLabel = (saleToList: number): number => sigmoid(Math.log(saleToList / 1.01) / softness)

/** The line that turns the log-odds of a fit to soft labels into log-odds of closing over the threshold. */
const logOddsLine = (values: Float64Array, labels: Float64Array): { intercept: number; slope: number } => {
  const { intercept, coefficients } = fitLogistic(
    denseDesign(
      Array.from(values, (value) => [value]),
      1,
    ),
    labels,
    { penalties: 1 },
  )
  return { intercept, slope: Math.max(0, coefficients[0]!) }
}

export const fitBiddingWar = (rows: readonly BiddingRow[], options: BiddingFitOptions): BiddingWarModel => {
  const labels = Float64Array.from(rows, (row) => Number(row.over))
  const positives = labels.reduce((sum, y) => sum + y, 0)
  if (Math.min(positives, rows.length - positives) < (options.minEach ?? 30)) {
    return { ...biddingWarPrior, rows: rows.length, positives }
  }
  const { levels, everywhere } = areaLevels(rows)
  const values = rows.map((row) =>
    biddingFeatures.map((item) => item.valueFrom(row.facts, levels.get(row.facts.area) ?? everywhere)),
  )
  const standards = biddingFeatures.map((item, j) => {
    const column = values.map((row) => row[j])
    return column.every((value) => value === undefined) ? { mean: item.typical, deviation: 1 } : standardOf(column)
  })
  const columns = newColumns()
  biddingFeatures.forEach((item, j) => {
    columns.add(`n:${item.name}`, 'numbers', item.prior * standards[j]!.deviation)
  })
  for (const item of biddingFeatures) if (item.squared) columns.add(`s:${item.name}`, 'numbers')
  const common = commonWords(rows, options.minWordRows ?? 5)
  const design = sparseDesign(
    rows.map((row, r) => sparseRow(row.facts, values[r]!, standards, common, columns)),
    columns.names.length,
  )
  const contrast = wordContrasts(design, labels)
  const penalties = (wordPenalty: number, others: typeof biddingPenalties | typeof thresholdPenalties) =>
    Float64Array.from(columns.groups, (group, j) =>
      group === 'words' ? wordPenalty / contrast[j]! : others[group].value,
    )
  let interceptCenter = biddingBaseLogOdds
  biddingFeatures.forEach((item, j) => {
    interceptCenter += item.prior * (standards[j]!.mean - item.typical)
  })
  const centers = Float64Array.from(columns.centers)
  const signs = new Float64Array(columns.names.length)
  biddingFeatures.forEach((item, j) => {
    signs[j] = item.sign
  })
  const soft = Float64Array.from(rows, (row) => softLabel(row.saleToList))
  const part = (some: Int32Array | undefined) => (some ? takeRows(design, some) : design)
  const labelsOf = (all: Float64Array, some: Int32Array | undefined) =>
    some ? Float64Array.from(some, (r) => all[r]!) : all
  let last: SignedFit | undefined
  const fitRatio = (wordPenalty: number, train: Int32Array | undefined, tolerance: number) => {
    last = fitSigned(part(train), labelsOf(soft, train), signs, {
      penalties: penalties(wordPenalty, biddingPenalties),
      centers,
      interceptCenter,
      interceptPenalty: 0.1,
      start: last,
      tolerance,
    })
    return last
  }
  const folds = splitFolds(foldsOf(rows.length, options.folds ?? 3, options.random, labels), options.folds ?? 3)
  const ratioFits = new Map<string, SignedFit>()
  const chosen = chooseLambda(options.wordPenalties ?? [120, 60], folds, soft, (wordPenalty, train, test) => {
    const fit = fitRatio(wordPenalty, train, foldTolerance)
    ratioFits.set(`${wordPenalty} ${test[0]}`, fit)
    return predictLogistic(fit, part(test))
  })
  // Scaled by held-out log-odds, because those of the training rows are too far from zero.
  const line = logOddsLine(chosen.heldOut.map(logit), labels)
  const fitThreshold = (ratioFit: SignedFit, train: Int32Array | undefined, tolerance: number) => {
    const start = {
      intercept: line.intercept + line.slope * ratioFit.intercept,
      coefficients: ratioFit.coefficients.map((value) => line.slope * value),
    }
    return fitSigned(part(train), labelsOf(labels, train), signs, {
      penalties: penalties(thresholdPenalties.words.value, thresholdPenalties),
      centers: start.coefficients,
      start,
      tolerance,
    })
  }
  const heldOut = new Float64Array(rows.length)
  for (const { train, test } of folds) {
    const fit = fitThreshold(ratioFits.get(`${chosen.lambda} ${test[0]}`)!, train, foldTolerance)
    const predicted = predictLogistic(fit, part(test))
    test.forEach((row, k) => {
      heldOut[row] = predicted[k]!
    })
  }
  const final = fitThreshold(fitRatio(chosen.lambda, undefined, finalTolerance), undefined, finalTolerance)
  const weight = (name: string): number => final.coefficients[columns.at.get(name) ?? -1] ?? 0
  const named = (prefix: string): Record<string, number> =>
    Object.fromEntries(
      columns.names.flatMap((name) => (name.startsWith(prefix) ? [[name.slice(2), weight(name)]] : [])),
    )
  const areaWeights = named('a:')
  return {
    kind: 'fitted',
    version: `bidding-war-fit-2-${rows.length}-${positives}-${fingerprint([final.intercept, ...final.coefficients])}`,
    intercept: final.intercept,
    numbers: biddingFeatures.map((item, j) => ({
      name: item.name,
      ...standards[j]!,
      weight: weight(`n:${item.name}`),
      square: weight(`s:${item.name}`),
    })),
    areas: Object.fromEntries([...levels].map(([area, level]) => [area, { ...level, weight: areaWeights[area] ?? 0 }])),
    everywhere,
    endings: named('e:'),
    words: named('w:'),
    rows: rows.length,
    positives,
    wordPenalty: chosen.lambda,
    violations: final.violations.map((j) => biddingFeatures[j]!.name),
    report: probabilityReport(heldOut, labels),
  }
}
