// Refits a market's models on the store's own closings and permits, measures them, then assesses the whole market with
// them: what `lotline assess --fit` and the first start of the sample do.
import type { MarketId } from '../contract/facts.ts'
import { recordAccuracy } from '../store/accuracy.ts'
import type { Db } from '../store/database.ts'
import { saveModel } from '../store/models.ts'
import { type AssessOptions, type AssessResult, assessWithView, readyView } from './assess-market.ts'
import { fitBiddingWarOn } from './bidding-war-of.ts'
import { fitTeardownOn } from './fit-teardown.ts'
import { type MarketView, withModels } from './market-view.ts'
import { measureModels } from './measure-models.ts'

export interface FitOptions extends AssessOptions {
  /** Leaves out the forward back-test of values, which fits the market a second time: for the first start. */
  quick?: boolean
}

export interface FitResult extends AssessResult {
  teardown: string
  biddingWar: string
}

export const fitAndAssess = async (db: Db, market: MarketId, options: FitOptions): Promise<FitResult> => {
  const view = await fitMarketModels(db, market, options)
  const result = await assessWithView(db, view, options)
  return { ...result, teardown: view.teardown.version, biddingWar: view.biddingWar.version }
}

/** Fits, measures and saves; answers the view with the new models in it. */
export const fitMarketModels = async (
  db: Db,
  market: MarketId,
  { now, quick = false, onProgress = () => {} }: FitOptions,
): Promise<MarketView> => {
  const before = await readyView(db, market, now, (share, step) => onProgress(share, 1, step))
  onProgress(0, 0, 'teardown model')
  const teardown = await fitTeardownOn(db, before)
  onProgress(0, 0, 'bidding-war model')
  const biddingWar = await fitBiddingWarOn(db, before)
  const view: MarketView = { ...before, ...withModels(teardown, biddingWar) }
  await saveModel(db, 'teardown', market, teardown.version, teardown, now)
  await saveModel(db, 'bidding-war', market, biddingWar.version, biddingWar, now)
  onProgress(0, 0, 'accuracy')
  for (const row of measureModels(view, { quick })) await recordAccuracy(db, { ...row, market, measuredAt: now })
  return view
}
