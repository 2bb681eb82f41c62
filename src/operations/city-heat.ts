// The market heat index of a city over time, for the chart on a property page.
import type { MarketId } from '../domain/facts.ts'
import { type HeatPoint, heatSeries } from '../store/assessments/market-heat.ts'
import type { Services } from './context.ts'

export type { HeatPoint }

/** Oldest first, at most 120 months. */
export const cityHeat = ({ db }: Pick<Services, 'db'>, market: MarketId, citySlug: string): Promise<HeatPoint[]> =>
  heatSeries(db, market, citySlug)
