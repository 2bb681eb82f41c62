// Data for the pages about all data: coverage, accuracy, sample data and the sitemap.
// The operations get_coverage and get_accuracy return one page of rows; the pages show all of them.

import type { MarketId } from '../domain/facts.ts'
import type { Coverage } from '../domain/findings/coverage-and-accuracy.ts'
import { marketIds } from '../domain/packs/markets.ts'
import { latestAccuracy } from '../store/assessments/accuracy.ts'
import { forecastLedger, type Ledger } from '../store/assessments/live-accuracy.ts'
import { marketRanks } from '../store/assessments/score-distributions.ts'
import type { AccuracyTable } from '../store/engine/schema.ts'
import { coverage, overlayCoverage } from '../store/ingest/coverage.ts'
import { brokenFiles } from '../store/ingest/source-state.ts'
import { type SourceState, sourceStates } from '../store/ingest/source-states.ts'
import { listedPropertyIds, newestPermits, sampleLoaded } from '../store/properties/site-index.ts'
import type { Services } from './context.ts'
import { notAssessed } from './not-assessed.ts'

export { isDatabaseUnavailable, isDiskFull, isStatementTimeout } from '../store/engine/unavailable.ts'
export type { Coverage, Ledger, SourceState }
export type OverlayCounts = Awaited<ReturnType<typeof overlayCoverage>>
export type Accuracy = AccuracyTable

type WithDatabase = Pick<Services, 'db'>

/** One row per city and dataset. `now` decides whether a scheduled source is stale. */
export const dataCoverage = ({ db }: WithDatabase, now: Date): Promise<Coverage[]> => coverage(db, now)

/** Parcels with yes, no and unknown, by market and overlay. */
export const overlayCounts = ({ db }: WithDatabase): Promise<OverlayCounts> => overlayCoverage(db)

/** Every source with its last good run, failure, removed rows and lost values. */
export const sourceHealth = ({ db }: WithDatabase, now: Date): Promise<SourceState[]> => sourceStates(db, now)

/** Markets with data whose values, scores and leads have not been computed for the first time, with a sentence that says so. */
export const unassessedMarkets = async ({ db }: WithDatabase, rows: readonly Coverage[]) => {
  const markets = [...new Set(rows.map(({ market }) => market))]
  const entries = await Promise.all(markets.map(async (market) => [market, await notAssessed(db, market)] as const))
  return new Map(entries.flatMap(([market, text]) => (text === undefined ? [] : [[market, text]])))
}

/** Names of the source files that cannot be used. */
export const unusableSourceFiles = async ({ db }: WithDatabase): Promise<string[]> =>
  (await brokenFiles(db)).map(({ file }) => file)

/** The days that operators chose for markets whose data ends in the past. */
export const marketDays = async ({ db }: WithDatabase): Promise<Map<MarketId, string>> => {
  const entries = await Promise.all(
    marketIds().map(async (market) => [market, (await marketRanks(db, market))?.asOf] as const),
  )
  return new Map(entries.flatMap(([market, day]) => (day === undefined ? [] : [[market, day]])))
}

/** The latest measurement per model and market. */
export const modelAccuracy = ({ db }: WithDatabase): Promise<Accuracy[]> => latestAccuracy(db)

/** Forecasts scored against later sales. */
export const liveLedger = ({ db }: WithDatabase): Promise<Ledger> => forecastLedger(db)

export const hasSampleData = ({ db }: WithDatabase): Promise<boolean> => sampleLoaded(db)

/** The properties and permits that a sitemap lists: best-ranked listings and newest permits. */
export const sitemapRecords = async ({ db }: WithDatabase, limits: { properties: number; permits: number }) => {
  const [propertyIds, permits] = await Promise.all([
    listedPropertyIds(db, limits.properties),
    newestPermits(db, limits.permits),
  ])
  return { propertyIds, permits }
}
