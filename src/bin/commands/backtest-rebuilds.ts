// `lotline backtest rebuilds`: the teardown score on real sales, labeled with whether the house was rebuilt.

import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { parse } from 'csv-parse/sync'
import { readSaleRow, type SaleRow } from '../../assess/sale-row.ts'
import {
  backtestLabels,
  type LabeledBacktest,
  type RebuiltLabels,
  type RepeatedFolds,
  rebuiltKey,
} from '../../backtest/backtest-rebuilds.ts'
import { messageOf } from '../../common/typed.ts'
import type { ValuationSale } from '../../intelligence/valuation/valuation-facts.ts'

export const backtestRebuildsCommand = (): Command =>
  new Command('rebuilds')
    .description('Measure the teardown score on past sales that are labeled with whether the house was rebuilt.')
    .requiredOption(
      '--sales <file>',
      'CSV as for lotline backtest, with propertyId; optional: yearRenovated, stories, condition',
    )
    .requiredOption('--labels <file>', 'CSV: id (the propertyId), soldOn, tornDown (0 or 1)')
    .option('--repeats <n>', 'number of times the rows are split into five folds', '20')
    .option('--json', 'print JSON')
    .action((options: { sales: string; labels: string; repeats: string; json?: true }, command: Command) => {
      const repeats = Number(options.repeats)
      if (!Number.isInteger(repeats) || repeats < 1 || repeats > 1000)
        command.error(`--repeats must be a whole number from 1 to 1000, not "${options.repeats}"`)
      try {
        const report = backtestLabels(salesOf(options.sales), labelsOf(options.labels), repeats, (done, of) => {
          if (process.stderr.isTTY) process.stderr.write(`\rrepeat ${done} of ${of}${done === of ? '\n' : ''}`)
        })
        console.log(options.json ? JSON.stringify(report, null, 2) : rebuildsTable(report))
      } catch (error) {
        command.error(`backtest rebuilds: ${messageOf(error)}`)
      }
    })

const recordsOf = (file: string): Record<string, string>[] =>
  parse(readFileSync(file, 'utf8'), { columns: true, bom: true, skip_empty_lines: true })

const salesOf = (file: string): ValuationSale[] =>
  recordsOf(file).flatMap((row) => {
    const read = readSaleRow(row as SaleRow)
    return 'sale' in read ? [read.sale] : []
  })

const labelsOf = (file: string): RebuiltLabels =>
  new Map(recordsOf(file).map(({ id, soldOn, tornDown }) => [rebuiltKey(id ?? '', soldOn ?? ''), tornDown === '1']))

const rebuildsTable = ({ rows, rebuilt, repeats, shipped, fitted, plain, difference }: LabeledBacktest): string => {
  const percent = (share: number) => `${(100 * share).toFixed(2)}%`
  const line = (label: string, auc: string, top: number, mean: number, more = '') =>
    `${label.padEnd(28)}${auc.padEnd(26)}${`${top.toFixed(1)} of ${rebuilt}`.padEnd(14)}${percent(mean).padEnd(9)}${more}`
  const folded = (label: string, { auc, top5Pct, mean, brier, slope }: RepeatedFolds) =>
    line(
      label,
      `${auc.mean.toFixed(3)} (${auc.low.toFixed(3)} to ${auc.high.toFixed(3)})`,
      top5Pct,
      mean,
      `${brier.toFixed(5).padEnd(9)}${slope.toFixed(2)}`,
    )
  return [
    `${rows} labeled sales, ${rebuilt} rebuilt (${percent(rebuilt / rows)}); five folds, ${repeats} times`,
    '',
    `${''.padEnd(28)}${'AUC (5th to 95th)'.padEnd(26)}${'top 5%'.padEnd(14)}${'mean'.padEnd(9)}${'Brier'.padEnd(9)}slope`,
    line('Default curves', shipped.auc.toFixed(3), shipped.top5Pct, shipped.mean),
    folded('Fitted on other folds', fitted),
    folded('Plain logistic, same folds', plain),
    '',
    `Fitted minus plain: ${difference.mean.toFixed(3)} (${difference.low.toFixed(3)} to ${difference.high.toFixed(3)})`,
  ].join('\n')
}
