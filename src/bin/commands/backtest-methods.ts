// `lotline backtest bidding-war` and `rebuilds`: a model on CSV files of what happened. Each reads, computes and prints.
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { parse } from 'csv-parse/sync'
import { readSaleRow, type SaleRow } from '../../assess/sale-row.ts'
import { type BiddingBacktest, backtestBiddingWar } from '../../backtest/backtest-bidding-war.ts'
import {
  backtestLabels,
  type LabeledBacktest,
  type RepeatedFolds,
  rebuiltKey,
} from '../../backtest/backtest-rebuilds.ts'
import { messageOf } from '../../common/typed.ts'
import type { BiddingRow } from '../../intelligence/bidding-war/bidding-war-design.ts'

interface Method<Report> {
  name: string
  description: string
  /** Required, by flag: what each is. */
  inputs: Readonly<Record<string, string>>
  /** How often the model is fitted. */
  times: { flag: string; step: string; help: string; usual: number; most: number }
  run(input: Readonly<Record<string, string>>, times: number, onStep: (done: number, of: number) => void): Report
  table(report: Report): string[]
}

const command = <Report>({ name, description, inputs, times, run, table }: Method<Report>): Command => {
  const sub = new Command(name).description(description)
  for (const [flag, help] of Object.entries(inputs)) sub.requiredOption(flag, help)
  sub.option(`--${times.flag} <n>`, times.help, String(times.usual))
  return sub.option('--json', 'print JSON').action((options: Record<string, string>, self: Command) => {
    const count = Number(options[times.flag])
    if (!Number.isInteger(count) || count < 1 || count > times.most)
      self.error(`--${times.flag} must be a whole number from 1 to ${times.most}, not "${options[times.flag]}"`)
    const onStep = (done: number, of: number) => {
      if (process.stderr.isTTY) process.stderr.write(`\r${times.step} ${done} of ${of}${done === of ? '\n' : ''}`)
    }
    try {
      const report = run(options, count, onStep)
      console.log(options.json ? JSON.stringify(report, null, 2) : table(report).join('\n'))
    } catch (error) {
      self.error(`backtest ${name}: ${messageOf(error)}`)
    }
  })
}

const recordsOf = (text: string): Record<string, string>[] =>
  parse(text, { columns: true, bom: true, skip_empty_lines: true })

const read = (file: string): string => readFileSync(file, 'utf8')

const closedListingColumns = [
  'zip',
  'beds',
  'baths',
  'home_size_sqft',
  'list_price',
  'sale_to_list_ratio',
  'remark_tokens',
]

/** Rows without a price, a ratio or a ZIP code are rejected and counted. */
export const parseClosedListings = (text: string, file: string): { rows: BiddingRow[]; rejected: number } => {
  const records = recordsOf(text)
  const first = records[0]
  if (!first) throw new Error(`${file}: no rows`)
  const absent = closedListingColumns.filter((column) => !(column in first))
  if (absent.length > 0) throw new Error(`${file}: no column ${absent.join(', ')}`)
  const number = (value: string | undefined) => (value && Number(value) > 0 ? Number(value) : undefined)
  const rows = records.flatMap((record): BiddingRow[] => {
    const listPriceUsd = number(record.list_price)
    const saleToList = number(record.sale_to_list_ratio)
    if (!listPriceUsd || !saleToList || !record.zip) return []
    const facts = {
      area: record.zip,
      listPriceUsd,
      livingSqft: number(record.home_size_sqft),
      beds: number(record.beds),
      baths: number(record.baths),
      words: [...new Set(record.remark_tokens?.split(' ').filter((word) => word !== ''))],
    }
    return [{ over: saleToList >= 1.01, saleToList, facts }]
  })
  return { rows, rejected: records.length - rows.length }
}

const biddingWar: Method<BiddingBacktest & { rejected: number }> = {
  name: 'bidding-war',
  description: 'Measure how well the model predicts which listings close at least 1% over list (AUC, Brier).',
  inputs: { '--listings <file>': `CSV: ${closedListingColumns.join(', ')}` },
  times: {
    flag: 'splits',
    step: 'split',
    help: 'number of runs, each holding out a random quarter',
    usual: 5,
    most: 100,
  },
  run: ({ listings }, splits, onStep) => {
    const { rows, rejected } = parseClosedListings(read(listings!), listings!)
    const seeds = Array.from({ length: splits }, (_, k) => k + 1)
    return { ...backtestBiddingWar(rows, seeds, onStep), rejected }
  },
  table: (report) => {
    const scores = (each: { auc: number; brier: number; ece?: number }) =>
      [each.auc, each.brier, each.ece].flatMap((figure) => figure?.toFixed(4) ?? []).join('  ')
    const { all, likely, withinRangePct } = report.expectedPrice ?? {}
    const errors = (name: string, { expectedPct, askingPct }: NonNullable<typeof all>) =>
      `${name.padEnd(16)}${expectedPct.toFixed(2).padStart(8)}%${askingPct.toFixed(2).padStart(8)}%`
    return [
      `Bidding war (closed ≥ 1% over list): ${report.rows} listings, ${report.rejected} rejected, ${(100 * report.shareOver).toFixed(1)}% over`,
      `A random quarter (${report.heldOut}) held out, ${report.splits.length} times`,
      '',
      '            AUC   Brier     ECE',
      `model     ${scores(report)}`,
      `area rate ${scores(report.areaRate)}`,
      ...report.splits.map((split) => `seed ${String(split.seed).padEnd(4)} ${scores(split)}`),
      ...(all
        ? [
            '',
            'Median error    expected   asking',
            errors('all', all),
            errors('odds above 50%', likely!),
            `The range from p10 to p90 holds ${withinRangePct!.toFixed(1)}% of the sale prices`,
          ]
        : []),
      '',
      'decile  predicted  observed',
      ...report.deciles.map(
        (bin, k) =>
          `${String(k + 1).padStart(6)}  ${bin.predicted.toFixed(3).padStart(9)}  ${bin.observed.toFixed(3).padStart(8)}`,
      ),
    ]
  },
}

const rebuilds: Method<LabeledBacktest> = {
  name: 'rebuilds',
  description: 'Measure the teardown score on past sales that are labeled with whether the house was rebuilt.',
  inputs: {
    '--sales <file>': 'CSV as for lotline backtest, with propertyId; optional: yearRenovated, stories, condition',
    '--labels <file>': 'CSV: id (the propertyId), soldOn, tornDown (0 or 1)',
  },
  times: {
    flag: 'repeats',
    step: 'repeat',
    help: 'number of times the rows are split into five folds',
    usual: 20,
    most: 1000,
  },
  run: ({ sales, labels }, repeats, onStep) => {
    const sold = recordsOf(read(sales!)).flatMap((row) => {
      const sale = readSaleRow(row as SaleRow)
      return 'sale' in sale ? [sale.sale] : []
    })
    const labeled = recordsOf(read(labels!)).map(
      ({ id, soldOn, tornDown }) => [rebuiltKey(id ?? '', soldOn ?? ''), tornDown === '1'] as const,
    )
    return backtestLabels(sold, new Map(labeled), repeats, onStep)
  },
  table: ({ rows, rebuilt, repeats, shipped, fitted }) => {
    const percent = (share: number) => `${(100 * share).toFixed(2)}%`
    const line = (label: string, auc: string, top: number, mean: number, more = '') =>
      `${label.padEnd(28)}${auc.padEnd(26)}${`${top.toFixed(1)} of ${rebuilt}`.padEnd(14)}${percent(mean).padEnd(9)}${more}`
    const range = ({ mean, low, high }: RepeatedFolds['auc']) =>
      `${mean.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`
    const folded = (label: string, { auc, top5Pct, mean, brier, slope, slope90 }: RepeatedFolds) => {
      const [low, high] = slope90.map((each) => each.toFixed(2))
      return line(
        label,
        range(auc),
        top5Pct,
        mean,
        `${brier.toFixed(5).padEnd(9)}${slope.toFixed(2)} (${low} to ${high})`,
      )
    }
    return [
      `${rows} labeled sales, ${rebuilt} rebuilt (${percent(rebuilt / rows)}); five folds, ${repeats} times`,
      '',
      `${''.padEnd(28)}${'AUC (5th to 95th)'.padEnd(26)}${'top 5%'.padEnd(14)}${'mean'.padEnd(9)}${'Brier'.padEnd(9)}slope (90%)`,
      line('Default curves', shipped.auc.toFixed(3), shipped.top5Pct, shipped.mean),
      folded('Fitted on other folds', fitted),
    ]
  },
}

export const backtestMethods = (): Command[] => [command(biddingWar), command(rebuilds)]
