// Scores the kept forecasts of a market and stores the figures that are served.
import { yearsBefore } from '../domain/day.ts'
import { soldOverList } from '../intelligence/bidding-war/bidding-war.ts'
import { liveAccuracy, type Outcome } from '../intelligence/market/live-accuracy.ts'
import { teardownHorizonMonths } from '../intelligence/teardown/teardown.ts'
import { saveLiveAccuracy } from '../store/assessments/accuracy.ts'
import {
  endedTeardowns,
  firstForecast,
  type SoldForecast,
  soldForecasts,
  withdrawnForecasts,
} from '../store/assessments/forecasts.ts'
import type { Db } from '../store/engine/database.ts'
import type { MarketView } from './market-view.ts'

export const scoreForecasts = async (
  db: Db,
  { market, today }: Pick<MarketView, 'market' | 'today'>,
  now: Date,
): Promise<void> => {
  const since = await firstForecast(db, market)
  if (since === undefined) return
  // The query of demolitions is slow and can find nothing before.
  const old = since <= yearsBefore(today, teardownHorizonMonths / 12)
  const [sold, withdrawn, ended] = await Promise.all([
    soldForecasts(db, market),
    withdrawnForecasts(db, market),
    old ? endedTeardowns(db, market, today, teardownHorizonMonths) : [],
  ])
  const outcomes: Outcome[] = [
    ...sold.flatMap(outcomeOf),
    ...withdrawn.map(({ city, month }): Outcome => ({ model: 'bidding-war', city, month, withdrawn: true })),
    ...ended.map(({ demolished, ...forecast }): Outcome => ({ ...forecast, model: 'teardown', happened: demolished })),
  ]
  await saveLiveAccuracy(db, market, { since, rows: liveAccuracy(outcomes) }, now)
}

const outcomeOf = ({ model, city, month, priceUsd, listPriceUsd, probability, ...value }: SoldForecast): Outcome[] => {
  if (value.valueUsd !== undefined)
    return [{ model: 'value', city, month, ...value, valueUsd: value.valueUsd, priceUsd }]
  // Without a list price it is unknown whether there was a bidding war.
  if (model !== 'bidding-war' || probability === undefined || listPriceUsd === undefined) return []
  return [{ model, city, month, probability, happened: soldOverList(priceUsd, listPriceUsd) }]
}
