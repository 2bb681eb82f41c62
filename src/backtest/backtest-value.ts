// Measures how well values predict prices: trains on the sales before a date, then values every later sale on its own day
// without any sale after that date. Harder than daily use, where the newest sales are known.

import { readSaleRow, type SaleRow } from '../assess/sale-row.ts'
import { fitMarket } from '../intelligence/valuation/fit-market.ts'
import { studyRatios, type ValuedSale } from '../intelligence/valuation/ratio-study.ts'
import type { ValuationSale } from '../intelligence/valuation/valuation-facts.ts'
import { valueHome } from '../intelligence/valuation/value-home.ts'

export type ValueBacktest = Awaited<ReturnType<typeof backtestValue>>

type SaleRows = Iterable<SaleRow> | AsyncIterable<SaleRow>
interface Options {
  onProgress?: (share: number, step: string) => void
}
type LaterSale = ValuedSale & { confidence: string; inside: boolean; sale: ValuationSale }

/** Throws BacktestError if the rows are not enough for a backtest. */
export const valueLaterSales = async (rows: SaleRows, from: string, options: Options = {}) => {
  const { known, later, rejected, first, last } = await splitRows(rows, from)
  const span = first ? `the sales run from ${first} to ${last}` : 'no row could be read'
  if (later.length === 0) throw new BacktestError(`No sale on or after ${from} to value: ${span}.`, rejected)
  const report = options.onProgress ?? (() => {})
  const valued: LaterSale[] = []
  /** No living area or location. */
  let notValued = 0
  const model = fitMarket(known, from, { onProgress: (share, step) => report(0.8 * share, step) })
  if (!model) throw new BacktestError(`Only ${known.length} sales before ${from} to learn from: ${span}.`, rejected)
  later.forEach((sale, i) => {
    const { priceUsd, soldOn, saleId: _, ...home } = sale
    const value = valueHome(model, home, soldOn)
    if (value) {
      const inside = priceUsd >= value.lowUsd && priceUsd <= value.highUsd
      valued.push({ valueUsd: value.valueUsd, priceUsd, confidence: value.confidence, inside, sale })
    } else notValued++
    if (i % 200 === 0) report(0.8 + (0.2 * i) / later.length, 'values')
  })
  report(1, 'done')
  return { valued, notValued, trainedOn: model.sales.count + (model.condos?.sales.count ?? 0), rejected }
}

export const backtestValue = async (rows: SaleRows, from: string, options?: Options) => {
  const { valued, ...counts } = await valueLaterSales(rows, from, options)
  const study = studyRatios(valued)
  if (!study) throw new BacktestError('None of the later sales could be valued.', counts.rejected)
  const studiesBy = (keyOf: (sale: LaterSale) => string) =>
    Object.fromEntries(
      [...Map.groupBy(valued, keyOf)].flatMap(([key, part]) => {
        const ofPart = studyRatios(part)
        return ofPart ? [[key, ofPart]] : []
      }),
    )
  const byConfidence = studiesBy(({ confidence }) => confidence)
  return {
    ...study,
    from,
    ...counts,
    /** Percent of prices inside the stated range; the target is 80. */
    withinRange: (100 * valued.filter((sale) => sale.inside).length) / valued.length,
    byConfidence: Object.fromEntries(
      ['high', 'medium', 'low'].flatMap((level) => (byConfidence[level] ? [[level, byConfidence[level]]] : [])),
    ),
    byType: studiesBy(({ sale }) => sale.propertyType ?? 'unknown'),
  }
}

export class BacktestError extends Error {
  readonly rejected: Readonly<Record<string, number>>
  constructor(message: string, rejected: Readonly<Record<string, number>>) {
    super(message)
    this.name = 'BacktestError'
    this.rejected = rejected
  }
}

async function splitRows(rows: SaleRows, from: string) {
  const known: ValuationSale[] = []
  const later: ValuationSale[] = []
  const rejected: Record<string, number> = {}
  const seen = new Set<string>()
  let first: string | undefined
  let last: string | undefined
  for await (const row of rows) {
    const read = readSaleRow(row)
    const reason = 'rejected' in read ? read.rejected : seen.has(read.sale.saleId) ? 'duplicate saleId' : undefined
    if (reason || 'rejected' in read) {
      rejected[reason!] = (rejected[reason!] ?? 0) + 1
      continue
    }
    const { sale } = read
    seen.add(sale.saleId)
    if (first === undefined || sale.soldOn < first) first = sale.soldOn
    if (last === undefined || sale.soldOn > last) last = sale.soldOn
    if (sale.soldOn < from) known.push(sale)
    else later.push(sale)
  }
  return { known, later, rejected, first, last }
}
