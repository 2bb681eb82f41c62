// How the teardown score does on an invented market it has never seen: generates one from a seed, loads and fits it as a
// first start would, and holds the scores of its offered homes against the chances the generator kept to itself.

import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { assessProperty } from '../assess/assess-property.ts'
import { fitMarketModels } from '../assess/fit-and-assess.ts'
import type { MarketView } from '../assess/market-view.ts'
import { dayOf } from '../contract/day.ts'
import { type MarketId, marketIds } from '../contract/facts.ts'
import {
  type CalibrationBin,
  calibrationError,
  calibrationTable,
  expectedAreaUnderCurve,
} from '../intelligence/calibration.ts'
import { generateSample } from '../sample/generate.ts'
import { permitsByProperty } from '../store/assessments/market-facts.ts'
import { listedSubjects } from '../store/assessments/subjects.ts'
import type { Database, Db } from '../store/engine/database.ts'
import type { Queue } from '../store/engine/queue.ts'
import { inFolder, ingestFeeds } from './sample-markets.ts'

export interface TeardownTrial {
  seed: number
  today: string
  markets: readonly MarketTrial[]
  /** The homes of all markets in one list, each with its own market's score. */
  together: Judgement
}

export interface MarketTrial extends Judgement {
  market: MarketId
  /** Demolitions the model was fitted on, of so many sales. */
  demolitions: number
  sales: number
  modelVersion: string
}

export interface Judgement {
  /** Detached homes on offer, or sold too lately for anything to have followed. */
  homes: number
  /** Expected over what the hidden chances may bring, so that no luck of a single draw is in it. */
  auc: number
  /** Of the hidden chances themselves: no score can rank better. */
  processAuc: number
  gap: number
  ece: number
  meanPredicted: number
  meanChance: number
  deciles: readonly CalibrationBin[]
}

export interface TrialOptions {
  seed: number
  /** YYYY-MM-DD. */
  today: string
}

/** Wants a store that holds nothing. */
export const teardownTrial = async (
  services: { store: Pick<Database, 'db' | 'pool'>; queue: Queue },
  { seed, today }: TrialOptions,
): Promise<TeardownTrial> => {
  const now = new Date(`${today}T12:00:00Z`)
  const { db } = services.store
  const chances = await inFolder(async (dir) => {
    const files = generateSample({ seed, today, dir, truth: true })
    await ingestFeeds(services, files, dir, { now, highValueUsd: Number.POSITIVE_INFINITY })
    return readChances(files.truthFile as string)
  })
  const markets: MarketTrial[] = []
  const all: ScoredHome[] = []
  for (const market of marketIds) {
    const view = await fitMarketModels(db, market, { now, quick: true })
    const homes = await scoredHomes(db, view, chances)
    all.push(...homes)
    const { version, positives, rows } = view.teardown
    markets.push({ market, demolitions: positives, sales: rows, modelVersion: version, ...judge(homes) })
  }
  return { seed, today, markets, together: judge(all) }
}

interface ScoredHome {
  predicted: number
  /** What the generator knows. */
  chance: number
}

/** The generator waits at least so long before it files for a demolition: of these no outcome can be known. */
const nothingFollowedDays = 79
const mostListings = 100_000

const scoredHomes = async (db: Db, view: MarketView, chances: ReadonlyMap<string, number>): Promise<ScoredHome[]> => {
  const since = dayOf(new Date(Date.parse(view.on) - nothingFollowedDays * 86_400_000))
  const subjects = (await listedSubjects(db, view.market, mostListings)).filter(
    ({ listing }) => listing?.status !== 'sold' || (listing.soldOn ?? '') >= since,
  )
  const permits = await permitsByProperty(
    db,
    subjects.map(({ id }) => id),
  )
  return subjects.flatMap((subject) => {
    const { teardownScore } = assessProperty(subject, permits.get(subject.id) ?? [], view)
    const chance = chances.get(`${subject.county} ${subject.apn}`)
    return teardownScore === undefined || chance === undefined ? [] : [{ predicted: teardownScore / 100, chance }]
  })
}

const judge = (homes: readonly ScoredHome[]): Judgement => {
  const predicted = homes.map((home) => home.predicted)
  const chances = homes.map((home) => home.chance)
  const deciles = calibrationTable(predicted, chances, 10)
  const auc = expectedAreaUnderCurve(predicted, chances) ?? Number.NaN
  const processAuc = expectedAreaUnderCurve(chances, chances) ?? Number.NaN
  return {
    homes: homes.length,
    auc,
    processAuc,
    gap: processAuc - auc,
    ece: calibrationError(deciles),
    meanPredicted: mean(predicted),
    meanChance: mean(chances),
    deciles,
  }
}

const readChances = (file: string): Map<string, number> =>
  new Map(
    (parse(readFileSync(file, 'utf8'), { columns: true }) as Record<string, string>[]).map((row) => [
      `${row.county} ${row.apn}`,
      Number(row.teardownProbability),
    ]),
  )

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
