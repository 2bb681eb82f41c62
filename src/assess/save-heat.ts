// The market heat index is stored once per city and served from there, so that no assessment has to be written when it moves.
import { marketSales } from '../store/assessments/market-facts.ts'
import { saveHeat, thinHeat } from '../store/assessments/models.ts'
import type { Db } from '../store/engine/database.ts'
import { cityHeat } from './city-heat.ts'
import { type MarketView, yearsBefore } from './market-view.ts'

/** With a new valuation also the month ends before it. */
export const saveMarketHeat = async (db: Db, { market, on, today, heat }: MarketView): Promise<void> => {
  await saveHeat(db, market, on === today ? heat.rows() : await heatToday(db, market, today))
  await thinHeat(db, market, today)
}

const heatToday = async (db: Db, market: MarketView['market'], today: string) =>
  cityHeat(await marketSales(db, market, { from: yearsBefore(today, 1), until: today }), today).rows(today)
