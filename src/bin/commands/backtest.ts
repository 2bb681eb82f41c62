import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Command } from 'commander'
import { parse } from 'csv-parse'
import { expectedSaleColumns, requiredSaleColumns, type SaleRow } from '../../assess/sale-row.ts'
import { BacktestError, backtestValue, type ValueBacktest } from '../../backtest/backtest-value.ts'
import { OperatorError } from '../../common/operator-error.ts'
import { messageOf } from '../../common/typed.ts'
import { stepLine } from '../progress.ts'
import { textTable } from '../text-table.ts'
import { backtestMethods } from './backtest-methods.ts'

/** `lotline backtest`: home values by default; the other models are subcommands. */
export const backtestCommand = (): Command => {
  const command = new Command('backtest')
    .description('Fit the value model on sales before a date, value the later sales and report the errors.')
    .enablePositionalOptions()
    .option('--sales <file>', `CSV with ${[...requiredSaleColumns, ...expectedSaleColumns].join(', ')}`)
    .option('--from <date>', 'first day (YYYY-MM-DD) of the sales to value; the model is fitted on earlier sales')
    .option('--json', 'print JSON')
    // Not required options of the parser, which would require them for the subcommands too.
    .action(async ({ sales, from, json }: { sales?: string; from?: string; json?: boolean }, command: Command) => {
      if (sales === undefined || from === undefined)
        return command.error(`error: ${sales === undefined ? '--sales <file>' : '--from <date>'} is required`)
      await backtestSales({ json, sales, from })
    })
  for (const method of backtestMethods()) command.addCommand(method)
  return command
}

const backtestSales = async ({ sales, from, json }: { sales: string; from: string; json: boolean | undefined }) => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(from) || Number.isNaN(Date.parse(from)))
    throw new OperatorError(`--from must be a date like 2015-03-27, not "${from}".`)
  const file = await stat(sales).catch(() => undefined)
  if (!file?.isFile()) throw new OperatorError(`--sales: no such file: ${sales}`)
  const started = performance.now()
  const progress = stepLine(process.stderr)
  const result = await backtestValue(salesRows(sales), from, { onProgress: progress.show })
    .catch((error: unknown) => {
      throw error instanceof BacktestError
        ? new OperatorError(`${error.message}\n${rejections(error.rejected)}`.trimEnd())
        : error
    })
    .finally(progress.clear)
  const seconds = (performance.now() - started) / 1000
  process.stdout.write(json ? `${JSON.stringify(rounded({ ...result, seconds }))}\n` : table(result, seconds))
  if (!json) process.stderr.write(rejections(result.rejected))
}

async function* salesRows(path: string): AsyncGenerator<SaleRow> {
  const parser = createReadStream(path).pipe(
    parse({ bom: true, columns: checkedHeader, skip_empty_lines: true, relax_column_count: true, trim: true }),
  )
  try {
    for await (const row of parser) yield row as SaleRow
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`${path} is not a CSV file: ${messageOf(error)}`)
  }
}

const checkedHeader = (header: string[]): string[] => {
  const missing = requiredSaleColumns.filter((column) => !header.includes(column))
  if (missing.length > 0) {
    throw new OperatorError(
      `The sales file must have the column${missing.length > 1 ? 's' : ''} ${missing.join(', ')}; it has ${header.join(', ')}.`,
    )
  }
  const absent = expectedSaleColumns.filter((column) => !header.includes(column))
  if (absent.length > 0)
    process.stderr.write(`The file has no column ${absent.join(', ')}; these values count as unknown.\n`)
  return header
}

const table = (result: ValueBacktest, seconds: number): string => {
  const lines: [string, string, string][] = [
    ['sales valued', String(result.n), `fitted on ${result.trainedOn} before ${result.from}`],
    ['median error', `${result.mdape.toFixed(2)}%`, 'MdAPE'],
    ['within 10%', `${result.within10.toFixed(1)}%`, ''],
    ['within 20%', `${result.within20.toFixed(1)}%`, ''],
    ['median ratio', result.medianRatio.toFixed(3), 'IAAO 0.90-1.10'],
    ['COD', result.cod.toFixed(2), 'IAAO 5-15'],
    ['PRD', result.prd.toFixed(3), 'IAAO 0.98-1.03'],
    ['PRB', result.prb.toFixed(3), 'IAAO -0.05 to 0.05'],
    ['within range', `${result.withinRange.toFixed(1)}%`, 'target 80%'],
    ...Object.entries(result.byConfidence).map(([confidence, study]) => studyLine(`${confidence} confidence`, study)),
    ...Object.entries(result.byType).map(([type, study]) => studyLine(type, study)),
    ['not valued', String(result.notValued), ''],
    ['seconds', seconds.toFixed(1), ''],
  ]
  return `${textTable(lines, [
    { title: 'Measure', value: ([name]) => name },
    { title: 'Value', value: ([, value]) => value, number: true },
    { title: 'Note', value: ([, , note]) => note },
  ])}\n`
}

const studyLine = (name: string, { mdape, n, within10 }: ValueBacktest['byType'][string]): [string, string, string] => [
  name,
  `${mdape.toFixed(2)}%`,
  `${n} sales, ${within10.toFixed(1)}% within 10%`,
]

const rejections = (rejected: Readonly<Record<string, number>>): string => {
  const reasons = Object.entries(rejected)
  if (reasons.length === 0) return ''
  const total = reasons.reduce((sum, [, count]) => sum + count, 0)
  return `${total} rows rejected: ${reasons.map(([reason, count]) => `${count} ${reason}`).join('; ')}.\n`
}

const rounded = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value, (_, v) => (typeof v === 'number' ? Math.round(v * 1e4) / 1e4 : v))) as T
