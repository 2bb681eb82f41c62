// What lists and pages say about a market whose data is loaded and not assessed yet.
import type { MarketId } from '../domain/facts.ts'
import { lastAssessed, runInProgress } from '../store/assessments/assess-runs.ts'
import type { Db } from '../store/engine/database.ts'
import { hasUnassessedData } from '../store/ingest/freshness.ts'

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
