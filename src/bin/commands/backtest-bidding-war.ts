// `lotline backtest bidding-war`: the bidding-war model on a CSV of closed listings.

import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { parse } from 'csv-parse/sync'
import { type BiddingBacktest, backtestBiddingWar } from '../../backtest/backtest-bidding-war.ts'
import { messageOf } from '../../common/typed.ts'
import type { BiddingRow } from '../../intelligence/bidding-war/bidding-war-design.ts'

export const backtestBiddingWarCommand = (): Command =>
  new Command('bidding-war')
    .description('Measure how well the model predicts which listings close at least 1% over list (AUC, Brier).')
    .requiredOption(
      '--listings <file>',
      'CSV: zip, beds, baths, home_size_sqft, list_price, sale_to_list_ratio, remark_tokens',
    )
    .option('--splits <n>', 'number of runs, each holding out a random quarter', '5')
    .option('--json', 'print JSON')
    .action((options: { listings: string; splits: string; json?: true }, command: Command) => {
      const splits = Number(options.splits)
      if (!Number.isInteger(splits) || splits < 1 || splits > 100)
        command.error(`--splits must be a whole number from 1 to 100, not "${options.splits}"`)
      let report: BiddingBacktest & { rejected: number }
      try {
        const { rows, rejected } = parseClosedListings(readFileSync(options.listings, 'utf8'), options.listings)
        const seeds = Array.from({ length: splits }, (_, k) => k + 1)
        const progress = (done: number, of: number) => {
          if (process.stderr.isTTY) process.stderr.write(`\rsplit ${done} of ${of}${done === of ? '\n' : ''}`)
        }
        report = { ...backtestBiddingWar(rows, seeds, {}, progress), rejected }
      } catch (error) {
        command.error(`backtest bidding-war: ${messageOf(error)}`)
        return
      }
      console.log(options.json ? JSON.stringify(report, null, 2) : biddingTable(report))
    })

const needed = ['zip', 'beds', 'baths', 'home_size_sqft', 'list_price', 'sale_to_list_ratio', 'remark_tokens'] as const

/** Rows without a price, a ratio or a ZIP code are rejected and counted. */
export const parseClosedListings = (text: string, file: string): { rows: BiddingRow[]; rejected: number } => {
  const records = parse(text, { columns: true, bom: true, skip_empty_lines: true }) as Record<string, string>[]
  const first = records[0]
  if (!first) throw new Error(`${file}: no rows`)
  const absent = needed.filter((column) => !(column in first))
  if (absent.length > 0) throw new Error(`${file}: no column ${absent.join(', ')}`)
  const number = (value: string | undefined) => (value && Number(value) > 0 ? Number(value) : undefined)
  const rows: BiddingRow[] = []
  for (const record of records) {
    const listPriceUsd = number(record.list_price)
    const ratio = number(record.sale_to_list_ratio)
    if (!listPriceUsd || !ratio || !record.zip) continue
    rows.push({
      over: ratio >= 1.01,
      saleToList: ratio,
      facts: {
        area: record.zip,
        listPriceUsd,
        livingSqft: number(record.home_size_sqft),
        beds: number(record.beds),
        baths: number(record.baths),
        words: [...new Set(record.remark_tokens?.split(' ').filter((word) => word !== ''))],
      },
    })
  }
  return { rows, rejected: records.length - rows.length }
}

const biddingTable = (report: BiddingBacktest & { rejected: number }): string =>
  [
    `Bidding war (closed ≥ 1% over list): ${report.rows} listings, ${report.rejected} rejected, ${(100 * report.shareOver).toFixed(1)}% over`,
    `A random quarter (${report.heldOut}) held out, ${report.splits.length} times`,
    '',
    '            AUC   Brier     ECE',
    `model     ${report.auc.toFixed(4)}  ${report.brier.toFixed(4)}  ${report.ece.toFixed(4)}`,
    `area rate ${report.areaRate.auc.toFixed(4)}  ${report.areaRate.brier.toFixed(4)}`,
    `plain     ${report.plainLogistic.auc.toFixed(4)}  ${report.plainLogistic.brier.toFixed(4)}  (ridge logistic: numbers, squares, area, words)`,
    ...report.splits.map(
      (split) =>
        `seed ${String(split.seed).padEnd(4)} ${split.auc.toFixed(4)}  ${split.brier.toFixed(4)}  ${split.ece.toFixed(4)}`,
    ),
    ...(report.expectedPrice ? ['', ...expectedPriceTable(report.expectedPrice)] : []),
    '',
    'decile  predicted  observed',
    ...report.deciles.map(
      (bin, k) =>
        `${String(k + 1).padStart(6)}  ${bin.predicted.toFixed(3).padStart(9)}  ${bin.observed.toFixed(3).padStart(8)}`,
    ),
  ].join('\n')

const expectedPriceTable = ({
  all,
  likely,
  withinRangePct,
}: NonNullable<BiddingBacktest['expectedPrice']>): string[] => {
  const row = (name: string, { expectedPct, askingPct }: typeof all) =>
    `${name.padEnd(16)}${expectedPct.toFixed(2).padStart(8)}%${askingPct.toFixed(2).padStart(8)}%`
  return [
    'Median error    expected   asking',
    row('all', all),
    row('odds above 50%', likely),
    `The range from p10 to p90 holds ${withinRangePct.toFixed(1)}% of the sale prices`,
  ]
}
