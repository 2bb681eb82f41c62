// Backtests the bidding-war model on closed listings: several random splits, each with a quarter held out of training.

import type { ExpectedPrice } from '../domain/findings/proforma.ts'
import { biddingWarScore } from '../intelligence/bidding-war/bidding-war.ts'
import type { BiddingRow } from '../intelligence/bidding-war/bidding-war-design.ts'
import { fitBiddingWar } from '../intelligence/bidding-war/bidding-war-fit.ts'
import { expectedPrice } from '../intelligence/bidding-war/expected-price.ts'
import { areaUnderCurve, brierScore, probabilityReport } from '../intelligence/statistics/calibration.ts'
import { shuffled } from '../intelligence/statistics/design.ts'
import { seededRandom } from '../intelligence/valuation/seeded-random.ts'

export type BiddingBacktest = ReturnType<typeof backtestBiddingWar>

export const backtestBiddingWar = (
  rows: readonly BiddingRow[],
  seeds: readonly number[],
  onSplit: (done: number, of: number) => void = () => {},
) => {
  if (rows.length < 400) throw new Error(`only ${rows.length} usable listings; 400 are needed`)
  const heldOut = Math.round(rows.length / 4)
  const everyProbability: number[] = []
  const everyLabel: number[] = []
  const closings: Closing[] = []
  const splits = seeds.map((seed, done) => {
    const order = shuffled(rows.length, seededRandom(seed))
    const test = Array.from(order.subarray(0, heldOut), (r) => rows[r]!)
    const train = Array.from(order.subarray(heldOut), (r) => rows[r]!)
    const model = fitBiddingWar(train, seededRandom(seed + 1000))
    const probabilities = test.map((row) => biddingWarScore(model, row.facts).probability ?? 0.5)
    const labels = test.map((row) => Number(row.over))
    everyProbability.push(...probabilities)
    test.forEach(({ facts: { listPriceUsd }, saleToList }, at) => {
      if (!model.saleToList || !listPriceUsd) return
      const expected = expectedPrice(model.saleToList, listPriceUsd, probabilities[at]!)
      closings.push({
        probability: probabilities[at]!,
        expected,
        listUsd: listPriceUsd,
        saleUsd: listPriceUsd * saleToList,
      })
    })
    everyLabel.push(...labels)
    const report = probabilityReport(probabilities, labels)
    const byArea = areaRates(train, test)
    onSplit(done + 1, seeds.length)
    return {
      seed,
      auc: report.auc ?? 0.5,
      brier: report.brier,
      ece: report.ece,
      byArea: { auc: areaUnderCurve(byArea, labels) ?? 0.5, brier: brierScore(byArea, labels) },
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
    /** The area's rate in the training rows. */
    areaRate: { auc: mean((split) => split.byArea.auc), brier: mean((split) => split.byArea.brier) },
    expectedPrice: closings.length > 0 ? expectedPriceReport(closings) : undefined,
    splits: splits.map(({ seed, auc, brier, ece }) => ({ seed, auc, brier, ece })),
    deciles: probabilityReport(everyProbability, everyLabel).deciles,
  }
}

interface Closing {
  probability: number
  expected: ExpectedPrice
  listUsd: number
  saleUsd: number
}

const expectedPriceReport = (closings: readonly Closing[]) => {
  const medianPct = (some: readonly Closing[], priceOf: (closing: Closing) => number) =>
    some.map((each) => 100 * Math.abs(priceOf(each) / each.saleUsd - 1)).sort((a, b) => a - b)[some.length >> 1] ?? 0
  /** Median distance from the sale price in percent of it. */
  const distances = (some: readonly Closing[]) => ({
    expectedPct: medianPct(some, ({ expected }) => expected.p50),
    askingPct: medianPct(some, ({ listUsd }) => listUsd),
  })
  const within = closings.filter(({ saleUsd, expected }) => saleUsd >= expected.p10 && saleUsd <= expected.p90)
  return {
    all: distances(closings),
    likely: distances(closings.filter(({ probability }) => probability > 0.5)),
    withinRangePct: (100 * within.length) / closings.length,
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
