// Refits a market's models on the store's own closings and permits, measures them, then assesses the whole market with
// them: what `lotline assess --fit` and the first start of the sample do.
import { dayOf, yearsBefore } from '../domain/day.ts'
import type { MarketId } from '../domain/facts.ts'
import { conditionScore, usualCondition } from '../intelligence/condition/condition.ts'
import {
  type ConditionValueModel,
  conditionPrior,
  fitConditionValue,
  ratedSales,
} from '../intelligence/valuation/condition-value.ts'
import { minSalesToFit } from '../intelligence/valuation/fit-market.ts'
import { recordAccuracy, removeAccuracyExcept } from '../store/assessments/accuracy.ts'
import { type SaleCounts, saleCounts } from '../store/assessments/market-facts.ts'
import { saveModel } from '../store/assessments/models.ts'
import type { PastSale } from '../store/assessments/past-sales.ts'
import type { Db } from '../store/engine/database.ts'
import { groupOf } from '../store/engine/shard-groups.ts'
import { type AssessOptions, type AssessResult, assessInRun, valueMarket } from './assess-market.ts'
import { biddingWarRows } from './bidding-war-of.ts'
import { fitTeardownOn, readTeardownTrainingData } from './fit-teardown.ts'
import { type MarketView, salesPeriod, type ValueFit, withModels } from './market-view.ts'
import { measureModels } from './measure-models.ts'
import { fitsInThisThread, type ModelFits } from './model-fits.ts'
import { storeValuation } from './valuation.ts'

interface FitOptions extends AssessOptions {
  /** Skips the forward backtest of values, which fits the market a second time. For the first start. */
  quick?: boolean
  /** Where the long fits run; defaults to this thread. */
  fits?: ModelFits
  /** A value model that was already fitted. */
  valueFit?: ValueFit | Promise<ValueFit>
}

export interface FitResult extends AssessResult {
  teardown: string
  biddingWar: string
  /** What each model was learned from, in words; a model without enough rows keeps its default parameters. */
  fitted: readonly string[]
}

export const fitAndAssess = async (db: Db, market: MarketId, options: FitOptions): Promise<FitResult> => {
  let fitted: MarketView | undefined
  const result = await assessInRun(db, market, options, async () => {
    fitted = await fitMarketModels(db, market, options)
    return fitted
  })
  const view = fitted!
  const { value, on, teardown, biddingWar } = view
  const why = value
    ? ''
    : noValuesBecause(await saleCounts(groupOf(db, market), market, salesPeriod(on)), salesPeriod(on))
  return { ...result, teardown: teardown.version, biddingWar: biddingWar.version, fitted: fittedLines(view, why) }
}

const counted = (count: number, noun: string) => `${count.toLocaleString('en-US')} ${noun}`

const fittedLines = ({ value, teardown, biddingWar, conditionValue }: MarketView, why: string): string[] => [
  `values: ${value ? `fitted on ${counted(value.sales.count, 'sales')}` : `none, ${why}`}`,
  `teardown: ${stateOf(teardown)} (${counted(teardown.rows, 'sales')}, ${counted(teardown.positives, 'demolitions')})`,
  `bidding war: ${stateOf(biddingWar)} (${counted(biddingWar.rows, 'closings with a list price')})`,
  `price of condition: ${stateOf(conditionValue)} (${counted(conditionValue.rows, 'sales with a rated condition')})`,
]

/** Without its counts, "no values" reads as if the sales had not been loaded. */
const noValuesBecause = (sales: SaleCounts, { from, until }: { from: string; until: string }): string => {
  if (sales.all === 0) return 'no sales'
  const lacking = [
    [sales.before, `sold before ${from}`],
    [sales.after, `sold after ${until}`],
    [sales.tokenPrice, 'for a token price'],
    [sales.noArea, 'without a living area'],
    [sales.noLocation, 'without coordinates'],
  ] as const
  const reasons = lacking.flatMap(([count, what]) => (count > 0 ? [counted(count, what)] : [])).join(', ')
  return `${counted(sales.usable, 'of')} ${counted(sales.all, 'sales')} can be used and ${minSalesToFit} are needed${reasons && `: ${reasons}`}`
}

const stateOf = ({ kind }: { kind: 'prior' | 'fitted' }): string =>
  kind === 'fitted' ? 'fitted' : 'default parameters'

/** Values the market: fits, measures and saves its models and what they were fitted on. Returns the view with the new models. */
export const fitMarketModels = async (from: Db, market: MarketId, options: FitOptions): Promise<MarketView> => {
  const { now, today = options.asOf ?? now, quick = false, fits = fitsInThisThread, onProgress = () => {} } = options
  const db = groupOf(from, market)
  // One after the other: the view may fit values in this thread, and a result that is not read meanwhile runs into the statement
  // timeout.
  const past = await readTeardownTrainingData(db, market, dayOf(today))
  const before = await valueMarket(db, market, today, {
    now,
    valueFit: options.valueFit,
    onProgress: (share, step) => onProgress(share, 1, step),
  })
  onProgress(0, 0, 'teardown and bidding-war models')
  const closings = biddingWarRows(past.sales, before)
  // At the same time where bidding wars are fitted in another thread.
  const [biddingWar, teardown] = await Promise.all([
    fits.biddingWar(closings),
    (async () => fitTeardownOn(past, before))(),
  ])
  const conditionValue = fitCondition(past.sales, before)
  const view: MarketView = { ...before, ...withModels(before, { teardown, biddingWar, conditionValue }) }
  await saveModel(db, 'teardown', market, teardown.version, teardown, now)
  await saveModel(db, 'bidding-war', market, biddingWar.version, biddingWar, now)
  await saveModel(db, 'condition-value', market, conditionValue.version, conditionValue, now)
  const facts = await storeValuation(db, market, view.facts, now)
  onProgress(0, 0, 'accuracy')
  const measured = measureModels(view, { quick })
  for (const row of measured) await recordAccuracy(db, { ...row, market, measuredAt: now })
  const notMeasured = quick && view.value ? ['value-forward'] : []
  await removeAccuracyExcept(db, market, [...measured.map(({ name }) => name), ...notMeasured])
  return { ...view, facts }
}

/** Enough for a stable median; reading the remarks of more would delay the first start. */
const mostSales = 6_000
const years = 5

/** Only sales with listing remarks are described: without remarks, the condition follows from the age or the rating. */
const fitCondition = (sales: readonly PastSale[], { value, pack, on }: MarketView): ConditionValueModel => {
  const since = yearsBefore(on, years)
  const described = sales
    .filter(({ soldOn, remarks, propertyType }) => soldOn >= since && remarks && propertyType !== 'land')
    .slice(-mostSales)
    .flatMap((sale) => {
      const condition = conditionScore(sale, sale.soldOn).score
      return condition === undefined ? [] : [{ condition, usual: usualCondition(sale, sale.soldOn) }]
    })
  return fitConditionValue(conditionPrior(pack), value ? ratedSales(value) : [], described)
}
