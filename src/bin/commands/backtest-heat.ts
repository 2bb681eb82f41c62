// `lotline backtest heat`: the heat index against a published metro index, from the publisher's CSV files.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { parse } from 'csv-parse/sync'
import { backtestHeat, type HeatBacktest, type HeatSeries, type MetroSeries } from '../../backtest/backtest-heat.ts'
import { messageOf } from '../../common/typed.ts'

/** Which file holds which series, by a part of its name. */
const seriesFiles: Readonly<Record<keyof HeatSeries, string>> = {
  published: 'market_temp_index',
  saleToList: 'mean_sale_to_list',
  shareAboveList: 'pct_sold_above_list',
  daysToPending: 'mean_doz_pending',
  inventory: 'invt_fs',
  sales: 'sales_count_now',
}

export const backtestHeatCommand = (): Command =>
  new Command('heat')
    .description('Compare how the heat index and a published index rank metros (Spearman).')
    .requiredOption('--folder <path>', 'folder with the six Metro_*.csv files of the published series')
    .option('--json', 'print JSON')
    .action((options: { folder: string; json?: true }, command: Command) => {
      let report: HeatBacktest
      try {
        report = backtestHeat(readHeatSeries(options.folder))
      } catch (error) {
        command.error(`backtest heat: ${messageOf(error)}`)
        return
      }
      console.log(options.json ? JSON.stringify(report, null, 2) : heatTable(report))
    })

export const readHeatSeries = (folder: string): HeatSeries => {
  const names = readdirSync(folder)
  const read = (key: keyof HeatSeries): MetroSeries => {
    const found = names.filter((name) => name.includes(seriesFiles[key]) && name.endsWith('.csv'))
    if (found.length !== 1) {
      throw new Error(`${folder} holds ${found.length} CSV files named *${seriesFiles[key]}*; exactly one is needed`)
    }
    return parseMetroSeries(readFileSync(join(folder, found[0]!), 'utf8'), found[0]!)
  }
  return {
    published: read('published'),
    saleToList: read('saleToList'),
    shareAboveList: read('shareAboveList'),
    daysToPending: read('daysToPending'),
    inventory: read('inventory'),
    sales: read('sales'),
  }
}

/** Metros only: the row for the whole country is not a market. */
export const parseMetroSeries = (text: string, file: string): MetroSeries => {
  const rows = parse(text, { columns: true, bom: true, skip_empty_lines: true }) as Record<string, string>[]
  const first = rows[0]
  if (!first || !('RegionID' in first)) throw new Error(`${file}: no RegionID column`)
  const months = Object.keys(first).filter((column) => /^\d{4}-\d{2}-\d{2}$/.test(column))
  if (months.length === 0) throw new Error(`${file}: no month columns`)
  const series = new Map<string, Map<string, number>>()
  for (const row of rows) {
    if (row.RegionType === 'country') continue
    const values = new Map<string, number>()
    for (const month of months) {
      const value = row[month] === '' || row[month] === undefined ? Number.NaN : Number(row[month])
      if (Number.isFinite(value)) values.set(month.slice(0, 7), value)
    }
    series.set(row.RegionID!, values)
  }
  return series
}

const heatTable = (report: HeatBacktest): string => {
  const line = (label: string, first: number, second: number) =>
    `${label.padEnd(36)}${first.toFixed(3).padStart(8)}${second.toFixed(3).padStart(12)}`
  return [
    `Heat index against the published one, ${report.metros} metros, ${report.month} (Spearman)`,
    `${''.padEnd(36)}${'month'.padStart(8)}${'12 months'.padStart(12)}`,
    line('Heat index (sale-to-list)', report.heat.month, report.heat.twelveMonths),
    ...Object.entries(report.others).map(([name, { month, twelveMonths }]) =>
      line(`${name} alone`, month, twelveMonths),
    ),
    '',
    `${'Last 24 months, one by one'.padEnd(36)}${'mean'.padStart(8)}${'worst'.padStart(12)}`,
    line('Heat index, inputs over three months', report.last24Months.mean, report.last24Months.worst),
  ].join('\n')
}
