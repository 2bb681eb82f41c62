// Backtests the bidding-war model on closed listings: several random splits, each with a quarter held out of training.

import { type BiddingFitOptions, biddingWarScore, fitBiddingWar } from '../intelligence/bidding-war.ts'
import type { BiddingRow } from '../intelligence/bidding-war-design.ts'
import { areaUnderCurve, brierScore, type CalibrationBin, probabilityReport } from '../intelligence/calibration.ts'
import { shuffled } from '../intelligence/design.ts'
import { seededRandom } from '../intelligence/valuation/seeded-random.ts'

export interface BiddingBacktest {
  readonly rows: number
  readonly heldOut: number
  readonly shareOver: number
  readonly auc: number
  readonly brier: number
  readonly ece: number
  /** Baseline: the area's rate in the training rows. */
  readonly areaRate: { readonly auc: number; readonly brier: number }
  readonly splits: readonly {
    readonly seed: number
    readonly auc: number
    readonly brier: number
    readonly ece: number
    readonly wordPenalty?: number
  }[]
  readonly deciles: readonly CalibrationBin[]
}

export const backtestBiddingWar = (
  rows: readonly BiddingRow[],
  seeds: readonly number[],
  options: Omit<BiddingFitOptions, 'random'> = {},
  onSplit: (done: number, of: number) => void = () => {},
): BiddingBacktest => {
  if (rows.length < 400) throw new Error(`only ${rows.length} usable listings; 400 are needed`)
  const heldOut = Math.round(rows.length / 4)
  const everyProbability: number[] = []
  const everyLabel: number[] = []
  const splits = seeds.map((seed, done) => {
    const order = shuffled(rows.length, seededRandom(seed))
    const test = Array.from(order.subarray(0, heldOut), (r) => rows[r]!)
    const train = Array.from(order.subarray(heldOut), (r) => rows[r]!)
    const model = fitBiddingWar(train, { ...options, random: seededRandom(seed + 1000) })
    const probabilities = test.map((row) => biddingWarScore(model, row.facts).probability ?? 0.5)
    const labels = test.map((row) => Number(row.over))
    everyProbability.push(...probabilities)
    everyLabel.push(...labels)
    const report = probabilityReport(probabilities, labels)
    const plain = areaRates(train, test)
    onSplit(done + 1, seeds.length)
    return {
      seed,
      auc: report.auc ?? 0.5,
      brier: report.brier,
      ece: report.ece,
      wordPenalty: model.wordPenalty,
      plain: { auc: areaUnderCurve(plain, labels) ?? 0.5, brier: brierScore(plain, labels) },
    }
  })
  const mean = (of: (split: (typeof splits)[number]) => number) =>
    splits.reduce((sum, split) => sum + of(split), 0) / splits.length
  return {
    rows: rows.length,
    heldOut,
    shareOver: rows.filter((row) => row.over).length / rows.length,
    auc: mean((split) => split.auc),
    brier: mean((split) => split.brier),
    ece: mean((split) => split.ece),
    areaRate: { auc: mean((split) => split.plain.auc), brier: mean((split) => split.plain.brier) },
    splits: splits.map(({ seed, auc, brier, ece, wordPenalty }) => ({ seed, auc, brier, ece, wordPenalty })),
    deciles: probabilityReport(everyProbability, everyLabel).deciles,
  }
}

const areaRates = (train: readonly BiddingRow[], test: readonly BiddingRow[]): number[] => {
  const overall = train.filter((row) => row.over).length / train.length
  const counts = new Map<string, { n: number; over: number }>()
  for (const row of train) {
    const count = counts.get(row.facts.area) ?? { n: 0, over: 0 }
    counts.set(row.facts.area, { n: count.n + 1, over: count.over + Number(row.over) })
  }
  return test.map((row) => {
    const count = counts.get(row.facts.area) ?? { n: 0, over: 0 }
    return (count.over + 20 * overall) / (count.n + 20)
  })
}
