// Measures how well values predict prices: trains on the sales before a date, then values every later sale on its own day
// without any sale after that date. Harder than daily use, where the newest sales are known; `refitDays` comes closer to it.

import { type RangeGroup, rangeGroups } from '../assess/range-groups.ts'
import { readSaleRow, type SaleRow } from '../assess/sale-row.ts'
import { fitMarket } from '../intelligence/valuation/fit-market.ts'
import { type RatioStudy, studyRatios, type ValuedSale } from '../intelligence/valuation/ratio-study.ts'
import { dateOf, dayOf, type ValuationSale } from '../intelligence/valuation/valuation-facts.ts'
import { valueHome } from '../intelligence/valuation/value-home.ts'

export interface ValueBacktest extends RatioStudy {
  from: string
  trainedOn: number
  /** Later sales that could not be valued (no living area or location). */
  notValued: number
  /** Percent of prices inside the stated range; the target is 80. */
  withinRange: number
  rejected: Readonly<Record<string, number>>
  byConfidence: Readonly<Record<string, RatioStudy>>
  byType: Readonly<Record<string, RatioStudy>>
  /** Groups of at least 100 sales. */
  groups: readonly RangeGroup[]
  /** How many times the model was fitted. */
  fits: number
}

/** Throws BacktestError if the rows are not enough for a backtest. */
export async function backtestValue(
  rows: Iterable<SaleRow> | AsyncIterable<SaleRow>,
  from: string,
  options: {
    onProgress?: (share: number, step: string) => void
    seed?: number
    /** Fit again after this many days on the sales known by then; by default the model is fitted once. */
    refitDays?: number
  } = {},
): Promise<ValueBacktest> {
  const { known, later, rejected, first, last } = await splitRows(rows, from)
  const span = first ? `the sales run from ${first} to ${last}` : 'no row could be read'
  if (later.length === 0) throw new BacktestError(`No sale on or after ${from} to value: ${span}.`, rejected)
  const report = options.onProgress ?? (() => {})
  const periods = periodsOf(from, last!, options.refitDays)
  const valued: (ValuedSale & { confidence: string; inside: boolean; sale: ValuationSale })[] = []
  let notValued = 0
  let trainedOn = 0
  periods.forEach(({ start, end }, at) => {
    const progress = (share: number, step: string) => report((at + share) / periods.length, step)
    const earlier = at === 0 ? known : [...known, ...later.filter(({ soldOn }) => soldOn < start)]
    const model = fitMarket(earlier, start, {
      seed: options.seed,
      onProgress: (share, step) => progress(0.8 * share, step),
    })
    if (!model)
      throw new BacktestError(`Only ${earlier.length} sales before ${start} to learn from: ${span}.`, rejected)
    if (at === 0) trainedOn = model.sales.count + (model.condos?.sales.count ?? 0)
    const during = later.filter(({ soldOn }) => soldOn >= start && soldOn < end)
    during.forEach((sale, i) => {
      const { priceUsd, soldOn, saleId: _, ...home } = sale
      const value = valueHome(model, home, soldOn)
      if (value) {
        const inside = priceUsd >= value.lowUsd && priceUsd <= value.highUsd
        valued.push({ valueUsd: value.valueUsd, priceUsd, confidence: value.confidence, inside, sale })
      } else notValued++
      if (i % 200 === 0) progress(0.8 + (0.2 * i) / during.length, 'values')
    })
  })
  const study = studyRatios(valued)
  if (!study) throw new BacktestError('None of the later sales could be valued.', rejected)
  report(1, 'done')
  const studiesBy = (keyOf: (sale: (typeof valued)[number]) => string) =>
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
    trainedOn,
    notValued,
    withinRange: (100 * valued.filter((sale) => sale.inside).length) / valued.length,
    rejected,
    byConfidence: Object.fromEntries(
      ['high', 'medium', 'low'].flatMap((level) => (byConfidence[level] ? [[level, byConfidence[level]]] : [])),
    ),
    byType: studiesBy(({ sale }) => sale.propertyType ?? 'unknown'),
    groups: rangeGroups(valued),
    fits: periods.length,
  }
}

/** From `from` to after `last`, in steps of `days`; one period without it. */
const periodsOf = (from: string, last: string, days: number | undefined): { start: string; end: string }[] => {
  const after = dayOf(last) + 1
  const step = days ?? after - dayOf(from)
  const count = Math.ceil((after - dayOf(from)) / step)
  return Array.from({ length: count }, (_, k) => ({
    start: dateOf(dayOf(from) + k * step),
    end: dateOf(Math.min(after, dayOf(from) + (k + 1) * step)),
  }))
}

export class BacktestError extends Error {
  readonly rejected: Readonly<Record<string, number>>
  constructor(message: string, rejected: Readonly<Record<string, number>>) {
    super(message)
    this.name = 'BacktestError'
    this.rejected = rejected
  }
}

async function splitRows(rows: Iterable<SaleRow> | AsyncIterable<SaleRow>, from: string) {
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
