// Scored forecasts of each market, as the last assessment run computed them from the ledger.

import type { MarketId } from '../../domain/facts.ts'
import type { LiveAccuracy } from '../../domain/findings/coverage-and-accuracy.ts'
import { marketIds } from '../../domain/packs/markets.ts'
import type { Db } from '../engine/database.ts'
import { generatedData } from '../ingest/generated.ts'
import { latestModel, saveModel } from './models.ts'

const name = 'live-accuracy'

interface StoredLive {
  /** Day of the first forecast. */
  since: string
  rows: readonly Omit<LiveAccuracy, 'market' | 'sample'>[]
}

export const saveLiveAccuracy = (db: Db, market: MarketId, live: StoredLive, now: Date) =>
  saveModel(db, name, market, name, live, now)

export interface Ledger {
  /** Day of the first forecast by market. Empty before the first run. */
  since: ReadonlyMap<MarketId, string>
  live: readonly LiveAccuracy[]
}

export const forecastLedger = async (db: Db): Promise<Ledger> => {
  const generated = await generatedData(db)
  const since = new Map<MarketId, string>()
  const live: LiveAccuracy[] = []
  for (const market of marketIds()) {
    const stored = (await latestModel<StoredLive>(db, name, market))?.body
    if (!stored) continue
    since.set(market, stored.since)
    for (const row of stored.rows)
      live.push({ market, ...row, ...(generated(market, ['listings', 'sales']) ? { sample: true } : {}) })
  }
  return { since, live }
}
