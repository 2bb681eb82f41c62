// A market is valued once a month: its models are fitted, and what they were fitted on is stored. Until the next valuation every
// property is assessed with that, so an assessment changes when something happens to the property, not because a day has passed.
import { datasets, type MarketId } from '../domain/facts.ts'
import { saveModel } from '../store/assessments/models.ts'
import {
  type RecordCounts,
  recordCounts,
  saveValuation,
  type ValuationHeader,
  valuationFacts,
  valuationHeader,
} from '../store/assessments/valuations.ts'
import type { Db } from '../store/engine/database.ts'
import { assessmentVersion, type MarketFacts } from './market-view.ts'

/** A market with this share more or fewer records of a kind is valued again before the month ends. */
const muchShare = 0.1

export const isValuationDue = async (db: Db, market: MarketId, today: string): Promise<boolean> => {
  const valued = await valuationHeader(db, market)
  return !valued || isOutdated(valued, today) || countsMoved(valued.counts, await recordCounts(db, market))
}

const isOutdated = ({ valuedOn, version }: ValuationHeader, today: string): boolean =>
  version !== assessmentVersion || valuedOn.slice(0, 7) !== today.slice(0, 7) || today < valuedOn

export const countsMoved = (before: RecordCounts, now: RecordCounts): boolean =>
  datasets.some((kind) => {
    const [then, present] = [before[kind] ?? 0, now[kind] ?? 0]
    return Math.abs(present - then) > muchShare * Math.max(then, present)
  })

/** Returns the facts with the stamp of what was stored. */
export const storeValuation = async (db: Db, market: MarketId, facts: MarketFacts, now: Date): Promise<MarketFacts> => {
  const counts = await recordCounts(db, market)
  const stamp = await saveValuation(db, market, { valuedOn: facts.on, version: assessmentVersion, counts }, facts)
  // Pro formas of requests use them too.
  await saveModel(db, 'permit-times', market, 'permit-times', facts.permitTimes, now)
  return { ...facts, stamp }
}

/** Undefined if the market was never valued by this version. */
export const storedValuation = (db: Db, market: MarketId): Promise<MarketFacts | undefined> =>
  valuationFacts<MarketFacts>(db, market, assessmentVersion)
