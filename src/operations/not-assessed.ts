// What lists and pages say about a market whose data is loaded and not assessed yet.
import { isOnMarket, type MarketId } from '../domain/facts.ts'
import { lastAssessed, runInProgress, touchedAmong } from '../store/assessments/assess-runs.ts'
import type { Db } from '../store/engine/database.ts'
import { hasUnassessedData } from '../store/ingest/freshness.ts'
import type { SignalRow } from '../store/properties/signals.ts'
import type { PropertySignal } from '../wire/property.ts'

/** Undefined once the market is assessed, or while it has no data. */
export const notAssessed = async (db: Db, market: MarketId | undefined): Promise<string | undefined> => {
  if (market === undefined || (await lastAssessed(db, market)) !== undefined) return undefined
  const run = await runInProgress(db, market)
  const loaded = 'Loaded, not yet assessed: values, scores and leads are not computed yet.'
  if (!run)
    return (await hasUnassessedData(db, market))
      ? `${loaded} The service starts it within two minutes of the last load.`
      : undefined
  return run.progressPct === undefined
    ? `${loaded} The models are being fitted.`
    : `${loaded} ${run.progressPct}% of the properties are done.`
}

const waitingText = 'Loaded, not yet assessed: the scores and returns of this listing are not computed yet.'

/** Marks the listings that were loaded after the last assessment and have no pro forma yet. */
export const markNotAssessed = async <Item extends PropertySignal>(
  db: Db,
  rows: readonly SignalRow[],
  items: Item[],
): Promise<Item[]> => {
  const bare = rows.filter(({ proforma, status }) => proforma === undefined && isOnMarket(status))
  if (bare.length === 0) return items
  const markets = [...new Set(bare.map(({ market }) => market))]
  const ids = bare.map(({ id }) => id)
  const waiting = await Promise.all(markets.map((market) => touchedAmong(db, market, ids)))
  return items.map((item) => (waiting.some((set) => set.has(item.id)) ? { ...item, notAssessed: waitingText } : item))
}
