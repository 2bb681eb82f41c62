// Measures the teardown score on real sales that are labeled with what happened: the default curves as shipped, and a fit on
// the other folds.

import { pick } from '../common/typed.ts'
import { conditionScore } from '../intelligence/condition/condition.ts'
import { fitNewHouseSizes } from '../intelligence/proforma/new-house-size.ts'
import { fitLandValue, landValueUsd } from '../intelligence/site/land-value.ts'
import {
  areaUnderCurve,
  calibrationTable,
  probabilityReport,
  shareInterval,
} from '../intelligence/statistics/calibration.ts'
import { denseDesign, foldsOf, splitFolds } from '../intelligence/statistics/design.ts'
import { fitLogistic, predictLogistic } from '../intelligence/statistics/logistic.ts'
import { teardownPrior, teardownScore } from '../intelligence/teardown/teardown.ts'
import { fitTeardown, type TeardownRow } from '../intelligence/teardown/teardown-fit.ts'
import { fitMarket } from '../intelligence/valuation/fit-market.ts'
import { medianOf } from '../intelligence/valuation/quantiles.ts'
import { seededRandom } from '../intelligence/valuation/seeded-random.ts'
import { dateOf, dayOf, type ValuationSale } from '../intelligence/valuation/valuation-facts.ts'

/** `true` if the house was rebuilt after the sale, by property and day of sale (`rebuiltKey`). */
export type RebuiltLabels = ReadonlyMap<string, boolean>

/** Spreadsheets drop the leading zeros of parcel numbers. */
export const rebuiltKey = (propertyId: string, soldOn: string): string => `${propertyId.replace(/^0+/, '')} ${soldOn}`

export type LabeledBacktest = ReturnType<typeof backtestLabels>

export type RepeatedFolds = ReturnType<typeof repeated>

const folds = 5

export const backtestLabels = (
  sales: readonly ValuationSale[],
  labels: RebuiltLabels,
  repeats: number,
  onProgress: (done: number, of: number) => void = () => {},
) => {
  const rows = labeledRows(sales, labels)
  const truth = Float64Array.from(rows, (row) => Number(row.demolished))
  const rebuilt = truth.reduce((sum, y) => sum + y, 0)
  if (rebuilt < 2 * folds) throw new Error(`only ${rebuilt} labeled sales were rebuilt; ${2 * folds} are needed`)
  const shipped = rows.map((row) => teardownScore(teardownPrior, row.facts, row.on).probability ?? 0)
  const fitted: Float64Array[] = []
  for (let repeat = 0; repeat < repeats; repeat++) {
    const ours = new Float64Array(rows.length)
    for (const { train, test } of splitFolds(foldsOf(rows.length, folds, seededRandom(repeat + 1), truth), folds)) {
      const known = Array.from(train, (r) => rows[r]!)
      const model = fitTeardown(known, seededRandom(17))
      for (const r of test) ours[r] = teardownScore(model, rows[r]!.facts, rows[r]!.on).probability ?? 0
    }
    fitted.push(ours)
    onProgress(repeat + 1, repeats)
  }
  return {
    rows: rows.length,
    rebuilt,
    shipped: { auc: aucOf(shipped, truth), mean: meanOf(shipped), top5Pct: inTopShare(shipped, truth) },
    repeats,
    fitted: repeated(fitted, truth),
  }
}

/** What is known of each labeled sale on its day, from the sales alone. */
const labeledRows = (sales: readonly ValuationSale[], labels: RebuiltLabels): TeardownRow[] => {
  const last = sales.reduce((latest, { soldOn }) => (soldOn > latest ? soldOn : latest), '')
  const model = fitMarket(sales, dateOf(dayOf(last) + 1))
  if (!model) throw new Error(`only ${sales.length} sales; they are too few to estimate values from`)
  const at = new Map(model.sales.saleId.map((id, i) => [id, i]))
  const marketMedianUsd = medianOf(sales.map(({ priceUsd }) => priceUsd))
  const land = fitLandValue([], marketMedianUsd)
  const around = neighborsOf(sales)
  const newest = sales.filter((sale) => (ageAt(sale) ?? 99) <= newYears && sale.livingSqft && sale.lotSqft)
  const sizes = fitNewHouseSizes(
    newest.map((sale) => ({
      citySlug: '',
      livingSqft: sale.livingSqft!,
      lotSqft: sale.lotSqft!,
      around: around(sale),
    })),
  )
  return sales.flatMap((sale): TeardownRow[] => {
    const demolished = labels.get(rebuiltKey(sale.propertyId ?? '', sale.soldOn))
    if (demolished === undefined) return []
    const place = around(sale)
    const i = at.get(sale.saleId)
    return [
      {
        on: sale.soldOn,
        demolished,
        facts: {
          propertyType: 'single_family',
          ...pick(sale, 'yearBuilt', 'yearRenovated', 'livingSqft', 'lotSqft', 'stories', 'priceUsd'),
          ...(i === undefined ? {} : { valueUsd: sale.priceUsd * Math.exp(-model.unexplained[i]!) }),
          landValueUsd: landValueUsd(land, { lotSqft: sale.lotSqft, around: place }),
          neighborhoodMedianUsd: place.medianPriceUsd,
          newBuildSqft: sizes.of({ citySlug: '', lotSqft: sale.lotSqft, around: place }),
          rebuildsNearby: place.newHouses,
          conditionScore: assessorLevels[sale.condition ?? 0] ?? conditionScore(sale, sale.soldOn).score,
        },
      },
    ]
  })
}

/** Assessor's condition from 1 to 5, on the scale of the condition score. */
const assessorLevels: Readonly<Record<number, number>> = { 1: 15, 2: 35, 3: 55, 4: 70, 5: 85 }
const newYears = 5
const nearest = 25
const nearbyKm = 0.5

const ageAt = ({ yearBuilt, soldOn }: ValuationSale): number | undefined =>
  yearBuilt === undefined ? undefined : Number(soldOn.slice(0, 4)) - yearBuilt

/** The 25 nearest other sales. Compares all pairs: a backtest has some thousand labels. */
const neighborsOf = (sales: readonly ValuationSale[]) => {
  const kmPerLng = 111.3 * Math.cos(((sales[0]?.lat ?? 0) * Math.PI) / 180)
  return (sale: ValuationSale) => {
    const near: { km: number; other: ValuationSale }[] = []
    /** Houses sold within 500 m that were at most five years old. */
    let newHouses = 0
    for (const other of sales) {
      if (other.propertyId === sale.propertyId || other.lat === undefined || other.lng === undefined) continue
      const km = Math.hypot((other.lat - sale.lat!) * 111.3, (other.lng - sale.lng!) * kmPerLng)
      if (km <= nearbyKm && (ageAt(other) ?? 99) <= newYears) newHouses++
      if (near.length === nearest && km >= near[nearest - 1]!.km) continue
      const position = near.findIndex((each) => each.km > km)
      near.splice(position === -1 ? near.length : position, 0, { km, other })
      if (near.length > nearest) near.pop()
    }
    const middle = (of: (other: ValuationSale) => number | undefined) => {
      const known = near.flatMap(({ other }) => of(other) ?? [])
      return known.length === 0 ? undefined : medianOf(known)
    }
    return {
      medianPriceUsd: middle(({ priceUsd }) => priceUsd),
      medianLotSqft: middle(({ lotSqft }) => lotSqft),
      livingSqft: middle(({ livingSqft }) => livingSqft),
      newHouses,
    }
  }
}

const repeated = (predictions: readonly Float64Array[], truth: Float64Array) => {
  const reports = predictions.map((predicted) => probabilityReport(predicted, truth))
  const slopes = predictions.map((predicted) => slopeOf(predicted, truth))
  const slope = meanOf(slopes.map((each) => each.slope))
  const error = meanOf(slopes.map((each) => each.error))
  return {
    /** Mean over the repeats, and their 5th and 95th percentile. */
    auc: spread(reports.map(({ auc }) => auc ?? 0.5)),
    /** Mean probability. */
    mean: meanOf(predictions.map(meanOf)),
    brier: meanOf(reports.map(({ brier }) => brier)),
    /** Of the labels on the log-odds, out of fold: below 1 the probabilities differ too much, above 1 too little. */
    slope,
    /** Its 90% interval. */
    slope90: [slope - 1.645 * error, slope + 1.645 * error] as const,
    /** Mean number of tenths with a probability above the upper 90% limit of what the tenth showed. */
    overstated: meanOf(predictions.map((predicted) => overstatedTenths(predicted, truth))),
    /** Rebuilt houses among the 5% with the highest scores, mean over the repeats. */
    top5Pct: meanOf(predictions.map((predicted) => inTopShare(predicted, truth))),
  }
}

/** With its standard error, from the information matrix. */
const slopeOf = (predicted: Float64Array, truth: Float64Array): { slope: number; error: number } => {
  const logOdds = Array.from(predicted, (p) => Math.log(Math.max(p, 1e-4) / (1 - Math.min(p, 1 - 1e-4))))
  const design = denseDesign(logOdds.map((each) => [each]))
  const fit = fitLogistic(design, truth, { penalties: 1e-6 })
  const weight = predictLogistic(fit, design).map((p) => p * (1 - p))
  const sum = (power: number) => weight.reduce((total, w, k) => total + w * logOdds[k]! ** power, 0)
  return { slope: fit.coefficients[0]!, error: Math.sqrt(sum(0) / (sum(0) * sum(2) - sum(1) ** 2)) }
}

const overstatedTenths = (predicted: Float64Array, truth: Float64Array): number => {
  const sorted = [...predicted].sort((a, b) => a - b)
  const tenths = calibrationTable(predicted, truth, 10)
  let end = 0
  return tenths.filter(({ n, observed }) => {
    end += n
    return sorted[end - 1]! > shareInterval(observed, n, 1.645).high
  }).length
}

const aucOf = (scores: ArrayLike<number>, truth: Float64Array): number => areaUnderCurve(scores, truth) ?? 0.5

const spread = (values: readonly number[]) => {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))]!
  return { mean: meanOf(values), low: at(0.05), high: at(0.95) }
}

const inTopShare = (scores: ArrayLike<number>, truth: Float64Array): number => {
  const order = Array.from(scores, (score, r) => ({ score, r })).sort((a, b) => b.score - a.score)
  return order.slice(0, Math.round(0.05 * order.length)).reduce((sum, { r }) => sum + truth[r]!, 0)
}

const meanOf = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((sum, value) => sum + value, 0) / values.length
