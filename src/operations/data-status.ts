// Data for the pages about all data: coverage, accuracy, sample data and the sitemap.
// The operations get_coverage and get_accuracy return one page of rows; the pages show all of them.
import type { Coverage } from '../domain/findings/coverage-and-accuracy.ts'
import { marketIds } from '../domain/packs/markets.ts'
import { pastDays } from '../store/assessments/score-distributions.ts'
import { brokenFiles } from '../store/ingest/source-state.ts'
import { listedPropertyIds, newestPermits } from '../store/properties/site-index.ts'
import type { Services } from './context.ts'
import { notAssessed } from './not-assessed.ts'

export type { Coverage } from '../domain/findings/coverage-and-accuracy.ts'
export {
  forecastLedger as liveLedger,
  type Ledger,
  latestAccuracy as modelAccuracy,
} from '../store/assessments/accuracy.ts'
export { type HeatPoint, heatSeries as cityHeat } from '../store/assessments/models.ts'
export type { AccuracyTable as Accuracy } from '../store/engine/schema.ts'
export { isDatabaseUnavailable, isDiskFull, isStatementTimeout } from '../store/engine/unavailable.ts'
export { coverage as dataCoverage, overlayCoverage as overlayCounts } from '../store/ingest/coverage.ts'
export { type SourceState, sourceStates as sourceHealth } from '../store/ingest/source-states.ts'
export { sampleLoaded as hasSampleData } from '../store/properties/site-index.ts'

type WithDatabase = Pick<Services, 'db'>

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
export const marketDays = ({ db }: WithDatabase) => pastDays(db, marketIds())

/** The properties and permits that a sitemap lists: best-ranked listings and newest permits. */
export const sitemapRecords = async ({ db }: WithDatabase, limits: { properties: number; permits: number }) => {
  const [propertyIds, permits] = await Promise.all([
    listedPropertyIds(db, limits.properties),
    newestPermits(db, limits.permits),
  ])
  return { propertyIds, permits }
}
