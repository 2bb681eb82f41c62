// How good the teardown score is on a new generated market: generates one from a seed, loads and fits it like a first
// start, and compares the scores of its listed homes with the probabilities the generator used.
import { assessProperty } from '../../../src/assess/assess-property.ts'
import { fitMarketModels } from '../../../src/assess/fit-and-assess.ts'
import type { MarketView } from '../../../src/assess/market-view.ts'
import { fitsInThisThread, type ModelFits } from '../../../src/assess/model-fits.ts'
import { dayOf } from '../../../src/domain/day.ts'
import type { MarketId } from '../../../src/domain/facts.ts'
import { sampleMarkets } from '../../../src/ingest/sample-data.ts'
import { ingestFeeds, inTemporaryFolder } from '../../../src/ingest/sample-feeds.ts'
import { biddingWarPrior } from '../../../src/intelligence/bidding-war/bidding-war.ts'
import { calibrationError, calibrationTable } from '../../../src/intelligence/statistics/calibration.ts'
import { permitsByProperty } from '../../../src/store/assessments/market-facts.ts'
import { listedSubjects } from '../../../src/store/assessments/subjects.ts'
import type { Database, Db } from '../../../src/store/engine/database.ts'
import type { Queue } from '../../../src/store/engine/queue.ts'
import { expectedAreaUnderCurve } from '../../setup/expected-auc.ts'
import { generateSample, trueTeardownProbability } from '../sample/generate-sample.ts'

interface ScoreQuality {
  market: MarketId
  /** Demolitions that the model was fitted on. */
  demolitions: number
  /** Detached homes for sale, or sold too recently for a demolition permit. */
  homes: number
  /** Expected over all outcomes of the true probabilities, so that no single random draw affects it. */
  auc: number
  /** AUC of the true probabilities: no score can rank better. */
  processAuc: number
  gap: number
  ece: number
}

interface TeardownBacktestOptions {
  seed: number
  /** YYYY-MM-DD. */
  today: string
}

/** Needs an empty store. */
export const backtestTeardown = async (
  services: { store: Pick<Database, 'db' | 'pool'>; queue: Queue },
  { seed, today }: TeardownBacktestOptions,
): Promise<ScoreQuality[]> => {
  const now = new Date(`${today}T12:00:00Z`)
  const { db } = services.store
  const chances = await inTemporaryFolder(async (dir) => {
    const { data, rows } = generateSample({ seed, today, dir })
    await ingestFeeds(services, { rows }, dir, { now, highValueUsd: Number.POSITIVE_INFINITY })
    return new Map(
      data.parcels.map((parcel) => [`${parcel.zone.county} ${parcel.apn}`, trueTeardownProbability(data, parcel)]),
    )
  })
  const markets: ScoreQuality[] = []
  for (const market of sampleMarkets()) {
    const view = await fitMarketModels(db, market, { now, quick: true, fits })
    const homes = await scoredHomes(db, view, chances)
    const predicted = homes.map((home) => home.predicted)
    const truth = homes.map((home) => home.chance)
    const auc = expectedAreaUnderCurve(predicted, truth) ?? Number.NaN
    const processAuc = expectedAreaUnderCurve(truth, truth) ?? Number.NaN
    const ece = calibrationError(calibrationTable(predicted, truth, 10))
    const { positives: demolitions } = view.teardown
    markets.push({ market, demolitions, homes: homes.length, auc, processAuc, gap: processAuc - auc, ece })
  }
  return markets
}

/** The teardown score does not use the bidding-war model, one of the two slow fits. */
const fits: ModelFits = { ...fitsInThisThread, biddingWar: async () => biddingWarPrior }

interface ScoredHome {
  predicted: number
  /** The probability the generator used. */
  chance: number
}

/** The generator files a demolition permit no sooner than this after a sale, so these homes have no outcome yet. */
const noOutcomeDays = 79
const maxListings = 100_000

const scoredHomes = async (db: Db, view: MarketView, chances: ReadonlyMap<string, number>): Promise<ScoredHome[]> => {
  const since = dayOf(new Date(Date.parse(view.on) - noOutcomeDays * 86_400_000))
  const subjects = (await listedSubjects(db, view.market, maxListings)).filter(
    ({ listing }) => listing?.status !== 'sold' || (listing.soldOn ?? '') >= since,
  )
  const permits = await permitsByProperty(
    db,
    view.market,
    subjects.map(({ id }) => id),
    view.today,
  )
  return subjects.flatMap((subject) => {
    const { teardownScore } = assessProperty(subject, permits.get(subject.id) ?? [], view)
    const chance = chances.get(`${subject.county} ${subject.apn}`)
    return teardownScore === undefined || chance === undefined ? [] : [{ predicted: teardownScore / 100, chance }]
  })
}
