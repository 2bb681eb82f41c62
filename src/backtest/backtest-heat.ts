// Compares the ranking of metros by the heat index with that of a published index, using published metro series. The other
// statistics show what they would rank alone.

import { heatLevel } from '../intelligence/market/heat.ts'
import { spearman } from '../intelligence/statistics/rank-correlation.ts'

/** Monthly values by metro, then by month (YYYY-MM). */
export type MetroSeries = ReadonlyMap<string, ReadonlyMap<string, number>>

export type HeatSeries = Readonly<
  Record<'published' | 'saleToList' | 'shareAboveList' | 'daysToPending' | 'inventory' | 'sales', MetroSeries>
>

export type HeatBacktest = ReturnType<typeof backtestHeat>

export const backtestHeat = (series: HeatSeries) => {
  const month = latestMonth(series)
  const twelve = monthsBack(month, 12)
  const now = frame(series, [month], [month])
  const year = frame(series, twelve, twelve)
  if (now.length < 20) throw new Error(`only ${now.length} metros have every series in ${month}; 20 are needed`)
  /** Spearman correlation with the published index. */
  const agreement = (score: (row: Row) => number) => ({
    month: rankAgreement(now, score),
    twelveMonths: rankAgreement(year, score),
  })
  const monthly = monthsBack(month, 24)
    .map((each) => rankAgreement(frame(series, [each], monthsBack(each, 3)), heat))
    .filter(Number.isFinite)
  return {
    month,
    metros: now.length,
    heat: agreement(heat),
    /** One by one, with inputs over three months, the window the product uses. */
    last24Months: {
      mean: monthly.reduce((sum, value) => sum + value, 0) / monthly.length,
      worst: Math.min(...monthly),
    },
    others: {
      shareAboveList: agreement((row) => row.shareAboveList),
      daysToPending: agreement((row) => -row.daysToPending),
      monthsOfSupply: agreement((row) => -row.monthsOfSupply),
    },
  }
}

const heat = (row: Row): number => heatLevel(row.saleToList)

type Row = Record<'published' | 'saleToList' | 'shareAboveList' | 'daysToPending' | 'monthsOfSupply', number>

/** Metros with the published index over `target` months and every input over `window`. */
const frame = (series: HeatSeries, target: readonly string[], window: readonly string[]): Row[] => {
  const rows: Row[] = []
  for (const [metro, index] of series.published) {
    const published = meanOver(index, target)
    const inputs = ['saleToList', 'shareAboveList', 'daysToPending', 'inventory', 'sales'] as const
    const values = inputs.map((name) => meanOver(series[name].get(metro), window))
    const [saleToList, shareAboveList, daysToPending, inventory, sales] = values as number[]
    if (published === undefined || values.includes(undefined) || !sales) continue
    rows.push({ published, saleToList, shareAboveList, daysToPending, monthsOfSupply: inventory! / sales } as Row)
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

const rankAgreement = (rows: readonly Row[], score: (row: Row) => number): number =>
  spearman(
    rows.map(score),
    rows.map((row) => row.published),
  )

/** The last month in which all six series have values. */
const latestMonth = (series: HeatSeries): string => {
  const last = Object.values<MetroSeries>({ ...series }).map((one) =>
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
