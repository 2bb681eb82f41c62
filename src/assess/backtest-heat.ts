// Compares the ranking of metros by our heat formula with the published index, using published metro series. Reported for
// the shipped weights and for weights fitted on other metros, in the same months and in earlier years.

import { type HeatInput, heatComponents, heatIndex, heatLevel } from '../intelligence/heat.ts'
import { fitHeat, fittedHeat, type HeatFitRow } from '../intelligence/heat-fit.ts'
import { pearson, ranks, spearman } from '../intelligence/rank-correlation.ts'

/** Monthly values by metro, then by month (YYYY-MM). */
export type MetroSeries = ReadonlyMap<string, ReadonlyMap<string, number>>

export interface HeatSeries {
  readonly published: MetroSeries
  readonly saleToList: MetroSeries
  readonly shareAboveList: MetroSeries
  readonly daysToPending: MetroSeries
  readonly inventory: MetroSeries
  readonly sales: MetroSeries
}

export interface HeatBacktest {
  readonly month: string
  readonly metros: number
  /** Spearman correlation with the published index, using the shipped weights. */
  readonly spearmanMonth: number
  readonly spearmanTwelveMonths: number
  /** The month's index compared with inputs averaged over three months, the window the product uses. */
  readonly spearmanQuarterInputs: number
  /** Weights fitted on the other metros in the same window. */
  readonly crossValidated: { readonly month: number; readonly twelveMonths: number; readonly folds: number }
  /** Weights fitted on the other metros in years that ended before the one tested. */
  readonly outOfTime: { readonly month: number; readonly twelveMonths: number }
  readonly fittedWeights: Readonly<Record<TestedInput, number>>
  readonly single: Readonly<Record<TestedInput, { readonly month: number; readonly twelveMonths: number }>>
  readonly plainMean: { readonly month: number; readonly twelveMonths: number }
  /** The last 24 months one by one: the formula on three months of inputs, and a ridge refitted before each quarter. */
  readonly last24Months: { readonly formula: MonthlyAgreement; readonly refitted: MonthlyAgreement }
}

interface MonthlyAgreement {
  readonly mean: number
  readonly worst: number
}

const testedInputs = ['saleToList', 'shareAboveList', 'daysToPending', 'monthsOfSupply'] as const
type TestedInput = (typeof testedInputs)[number]

export const backtestHeat = (series: HeatSeries, folds = 5): HeatBacktest => {
  const month = latestMonth(series)
  const twelve = monthsBack(month, 12)
  const now = frame(series, [month], [month])
  const year = frame(series, twelve, twelve)
  const quarter = frame(series, [month], monthsBack(month, 3))
  if (now.length < 20) throw new Error(`only ${now.length} metros have every series in ${month}; 20 are needed`)
  const shipped = testedInputs.map((input) => heatComponents[input].weight)
  // Twelve-month means have the least noise; the last one ends before the tested year begins.
  const earlier = [13, 19, 25, 31].flatMap((back) => {
    const window = monthsBack(monthsBack(month, back)[0]!, 12)
    const rows = frame(series, window, window)
    return rows.length >= 20 ? [rows] : []
  })
  const foldOf = new Map([...series.published.keys()].sort().map((metro, k) => [metro, k % folds]))
  const heldOut = (rows: readonly Row[], training: readonly (readonly Row[])[]) => {
    const fitted = Array.from({ length: folds }, (_, fold) =>
      bestWeights(training.map((frame) => frame.filter((row) => foldOf.get(row.metro) !== fold))),
    )
    return rankAgreement(rows, (row) => weighted(row, fitted[foldOf.get(row.metro)!]!))
  }
  const overall = bestWeights(earlier)
  return {
    month,
    metros: now.length,
    spearmanMonth: rankAgreement(now, (row) => heatIndex(row.inputs)!),
    spearmanTwelveMonths: rankAgreement(year, (row) => heatIndex(row.inputs)!),
    spearmanQuarterInputs: rankAgreement(quarter, (row) => weighted(row, shipped)),
    crossValidated: { month: heldOut(now, [now]), twelveMonths: heldOut(year, [year]), folds },
    outOfTime: { month: heldOut(now, earlier), twelveMonths: heldOut(year, earlier) },
    fittedWeights: Object.fromEntries(testedInputs.map((input, k) => [input, overall[k]!])) as Record<
      TestedInput,
      number
    >,
    single: Object.fromEntries(
      testedInputs.map((input, k) => [
        input,
        {
          month: rankAgreement(now, (row) => row.levels[k]!),
          twelveMonths: rankAgreement(year, (row) => row.levels[k]!),
        },
      ]),
    ) as HeatBacktest['single'],
    plainMean: {
      month: rankAgreement(now, (row) => weighted(row, [1, 1, 1, 1])),
      twelveMonths: rankAgreement(year, (row) => weighted(row, [1, 1, 1, 1])),
    },
    last24Months: {
      formula: overMonths(monthsBack(month, 24), (each) =>
        rankAgreement(frame(series, [each], monthsBack(each, 3)), (row) => heatIndex(row.inputs)!),
      ),
      refitted: overMonths(monthsBack(month, 24), refittedAgreement(series)),
    },
  }
}

const overMonths = (months: readonly string[], agreement: (month: string) => number): MonthlyAgreement => {
  const found = months.map(agreement).filter(Number.isFinite)
  return { mean: found.reduce((sum, value) => sum + value, 0) / found.length, worst: Math.min(...found) }
}

const refitWindows = [1, 3, 12] as const
const refitTrainingMonths = 12

/** Each quarter is ranked by a fit on the twelve months before it, as an operator would refit. */
const refittedAgreement = (series: HeatSeries): ((month: string) => number) => {
  const rowsCache = new Map<string, HeatFitRow[]>()
  const rowsOf = (month: string): HeatFitRow[] => {
    if (!rowsCache.has(month)) rowsCache.set(month, fitRows(series, month))
    return rowsCache.get(month)!
  }
  return (month) => {
    const [lastBefore] = monthsBack(quarterOf(month), 2)
    const rows = rowsOf(month)
    const fit = fitHeat(monthsBack(lastBefore!, refitTrainingMonths).map(rowsOf))
    return spearman(
      fittedHeat(fit, rows),
      rows.map(({ published }) => published),
    )
  }
}

/** Metros with every statistic over each window. Days and supply are compared by ratio, so their logarithm is used. */
const fitRows = (series: HeatSeries, month: string): HeatFitRow[] => {
  const frames = refitWindows.map(
    (length) => new Map(frame(series, [month], monthsBack(month, length)).map((row) => [row.metro, row])),
  )
  return [...frames[0]!.values()].flatMap(({ metro, published }) => {
    const rows = frames.flatMap((byMetro) => byMetro.get(metro) ?? [])
    if (rows.length < refitWindows.length) return []
    const values = rows.flatMap(({ inputs }) => [
      inputs.saleToList!,
      inputs.shareAboveList!,
      Math.log(Math.max(1, inputs.daysToPending!)),
      Math.log(Math.max(1e-3, inputs.monthsOfSupply!)),
    ])
    return [{ values, published }]
  })
}

/** The first month of the quarter. */
const quarterOf = (month: string): string => {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return `${year}-${String(3 * Math.floor((number - 1) / 3) + 1).padStart(2, '0')}`
}

interface Row {
  readonly metro: string
  readonly published: number
  readonly inputs: Partial<Record<HeatInput, number>>
  readonly levels: readonly number[]
}

/** Metros with the published index over `target` months and every input over `window`. */
const frame = (series: HeatSeries, target: readonly string[], window: readonly string[]): Row[] => {
  const rows: Row[] = []
  for (const [metro, index] of series.published) {
    const published = meanOver(index, target)
    const saleToList = meanOver(series.saleToList.get(metro), window)
    const shareAboveList = meanOver(series.shareAboveList.get(metro), window)
    const daysToPending = meanOver(series.daysToPending.get(metro), window)
    const inventory = meanOver(series.inventory.get(metro), window)
    const sales = meanOver(series.sales.get(metro), window)
    if (
      published === undefined ||
      saleToList === undefined ||
      shareAboveList === undefined ||
      daysToPending === undefined ||
      inventory === undefined ||
      !sales
    )
      continue
    const inputs = { saleToList, shareAboveList, daysToPending, monthsOfSupply: inventory / sales }
    rows.push({ metro, published, inputs, levels: testedInputs.map((input) => heatLevel(input, inputs[input])) })
  }
  return rows
}

/** Undefined if fewer than three quarters of the months have a value. */
const meanOver = (values: ReadonlyMap<string, number> | undefined, months: readonly string[]): number | undefined => {
  const known = months.flatMap((month) => values?.get(month) ?? [])
  return known.length >= Math.ceil(0.75 * months.length)
    ? known.reduce((sum, v) => sum + v, 0) / known.length
    : undefined
}

const weighted = (row: Row, weights: readonly number[]): number =>
  row.levels.reduce((sum, level, k) => sum + level * weights[k]!, 0)

const rankAgreement = (rows: readonly Row[], score: (row: Row) => number): number =>
  spearman(
    rows.map(score),
    rows.map((row) => row.published),
  )

/** Tries all weights in steps of 1/12 and returns those with the highest mean rank correlation over the windows. */
const bestWeights = (windows: readonly (readonly Row[])[]): number[] => {
  const steps = 12
  const published = windows.map((rows) => ranks(rows.map((row) => row.published)))
  let best = [1, 0, 0, 0]
  let most = Number.NEGATIVE_INFINITY
  for (let a = 0; a <= steps; a++) {
    for (let b = 0; b <= steps - a; b++) {
      for (let c = 0; c <= steps - a - b; c++) {
        const weights = [a / steps, b / steps, c / steps, (steps - a - b - c) / steps]
        const agreement = windows.reduce(
          (sum, rows, k) => sum + pearson(ranks(rows.map((row) => weighted(row, weights))), published[k]!),
          0,
        )
        if (agreement > most) {
          most = agreement
          best = weights
        }
      }
    }
  }
  return best
}

/** The last month in which all six series have values. */
const latestMonth = (series: HeatSeries): string => {
  const last = [
    series.published,
    series.saleToList,
    series.shareAboveList,
    series.daysToPending,
    series.inventory,
    series.sales,
  ].map((one) =>
    [...one.values()].reduce((latest, values) => [...values.keys()].reduce((a, b) => (a > b ? a : b), latest), ''),
  )
  const month = last.reduce((a, b) => (a < b ? a : b))
  if (!month) throw new Error('a series has no months')
  return month
}

const monthsBack = (month: string, count: number): string[] => {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return Array.from({ length: count }, (_, k) => {
    const at = year * 12 + number - 1 - (count - 1 - k)
    return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`
  })
}
