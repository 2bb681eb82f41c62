// The sample markets, played through the same ingestion as any feed: whole on a first start, then day by day.
import { mkdtempSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { announceScores } from '../assess/announce-scores.ts'
import { assessMarket, assessWithView } from '../assess/assess-market.ts'
import { fitAndAssess, fitMarketModels } from '../assess/fit-and-assess.ts'
import type { Fits } from '../assess/fits.ts'
import { type LearnedValues, learnValues } from '../assess/market-view.ts'
import type { Shares } from '../assess/shares.ts'
import { dayOf } from '../contract/day.ts'
import { type MarketId, marketIds } from '../contract/facts.ts'
import { readSource } from '../ingest/config.ts'
import { type RunResult, runIngest } from '../ingest/run.ts'
import { advanceSample, defaultSeed, type SampleFiles } from '../sample/generate.ts'
import type { Database, Db } from '../store/engine/database.ts'
import type { Queue } from '../store/engine/queue.ts'
import { type SourceSummary, sourceSummary } from '../store/ingest/source-summary.ts'
import { type AssessorThread, startAssessor } from './assess-thread.ts'
import { generateBeside } from './generate-thread.ts'
import type { OpenServices } from './open-services.ts'
import { OperatorError } from './operator-error.ts'
import { stepsOf } from './progress.ts'
import { keepSampleState, type SampleState, sampleState } from './sample-state.ts'

/** Parcels first: the others are matched to them. */
const feeds = ['parcels', 'sales', 'listings', 'permits'] as const

const sourcesDir = join(import.meta.dirname, '../../sources/sample')

export interface SampleOptions {
  now: Date
  highValueUsd: number
  onProgress?: (share: number, step: string) => void
}

export interface SamplePlayed {
  from?: string
  today: string
  runs: RunResult[]
}

export interface MadeSample {
  today: string
  dir: string
  files: SampleFiles
  remove(): Promise<void>
}

/** The sample as of today, as feed files in a folder of their own. Needs no store: it can be made while one is opened. */
export const makeSample = async (now: Date): Promise<MadeSample> => {
  const today = dayOf(now)
  const { dir, remove } = ownFolder()
  try {
    return { today, dir, files: await generateBeside({ seed: defaultSeed, today, dir }), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** The thread beside learns values while permits are loaded, and shares the fits and assessments after. */
export const loadSample = async (
  services: OpenServices,
  { today, files, dir }: MadeSample,
  options: SampleOptions,
): Promise<SamplePlayed> => {
  refuseBesideReal(await sourceSummary(services.db))
  const beside = startAssessor({ address: services.store.address })
  let learned: Map<MarketId, Promise<LearnedValues>> | undefined
  try {
    const runs = await ingestFeeds(services, files, dir, {
      ...options,
      onLoaded: (feed) => {
        if (feed === 'listings') learned = learnAll(services.db, today, beside.fits)
      },
    })
    const state: SampleState = { seed: defaultSeed, today, assessed: false, fitted: false }
    await keepSampleState(services, state)
    await fitMarkets(services, beside, learned ?? new Map(), options)
    await keepSampleState(services, { ...state, assessed: true, fitted: true })
    return { today, runs }
  } finally {
    // Where loading failed they may be at it still.
    await Promise.allSettled(learned?.values() ?? [])
    await beside.stop()
  }
}

/** The values of one market after the other, the largest first. */
const learnAll = (db: Db, today: string, fits: Fits): Map<MarketId, Promise<LearnedValues>> => {
  const learned = new Map<MarketId, Promise<LearnedValues>>()
  let before: Promise<unknown> = Promise.resolve()
  for (const market of marketIds) {
    const next = before.then(() => learnValues(db, market, today, { fits }))
    // It may fail while permits are still loaded; it is heard when it is waited for.
    next.catch(() => {})
    learned.set(market, next)
    before = next
  }
  return learned
}

/**
 * The first market, which is the largest, is fitted first: the others may lean on what its demolitions teach. Then it is
 * assessed here while the others are fitted and assessed beside, where a share of the first is taken on after.
 */
const fitMarkets = async (
  services: OpenServices,
  beside: AssessorThread,
  learned: ReadonlyMap<MarketId, Promise<LearnedValues>>,
  options: SampleOptions,
): Promise<void> => {
  const [largest, ...others] = marketIds
  const at = options.now.toISOString()
  const fit = { now: options.now, quick: true, onProgress: stepsOf(largest, options.onProgress) }
  const view = await fitMarketModels(services.db, largest, {
    ...fit,
    fits: beside.fits,
    learned: learned.get(largest),
  })
  const besides = others.map(async (market) => beside.run({ market, firstAt: at, learned: await learned.get(market) }))
  // One may fail before it is waited for; it is heard below.
  for (const one of besides) one.catch(() => {})
  const share = async (shares: Shares) => {
    await Promise.all(besides)
    const { sales, value, meanRoiPct, teardown, biddingWar, conditionValue } = view
    return beside.run({
      market: largest,
      at,
      shares,
      seen: { sales, value, meanRoiPct, teardown, biddingWar, conditionValue },
    })
  }
  try {
    await assessWithView(services.db, view, { ...fit, beside: share })
  } finally {
    await Promise.allSettled(besides)
  }
}

/** Plays the days after the last one, up to `to`, and assesses what they changed. */
export const playSample = async (services: OpenServices, to: string, options: SampleOptions): Promise<SamplePlayed> => {
  refuseBesideReal(await sourceSummary(services.db))
  const state = await sampleState(services)
  if (!state)
    throw new OperatorError('The sample markets are not loaded. Start the service once, or run: lotline sample load')
  if (to <= state.today && state.assessed) return { from: state.today, today: state.today, runs: [] }
  const today = to > state.today ? to : state.today
  // Played ahead of the calendar, the day reached is the day it is for the homes; runs and events are of this moment.
  const played = new Date(Math.max(Date.parse(`${today}T12:00:00Z`), options.now.getTime()))
  const runs = await inFolder(async (dir) =>
    ingestFeeds(services, advanceSample({ seed: state.seed, from: state.today, to: today, dir }), dir, {
      ...options,
      today: played,
    }),
  )
  await keepSampleState(services, { ...state, today, assessed: false })
  for (const market of marketIds) {
    const seen = { now: options.now, today: played, onProgress: stepsOf(market, options.onProgress) }
    // A first load that was cut off is finished as it would have been.
    if (state.fitted === false) await fitAndAssess(services.db, market, { ...seen, quick: true })
    else await assessMarket(services.db, market, { ...seen, announce: announceScores(services.queue, options.now) })
  }
  await keepSampleState(services, { ...state, today, assessed: true, fitted: true })
  return { from: state.today, today, runs }
}

export const ingestFeeds = async (
  services: { store: Pick<Database, 'db' | 'pool'>; queue: Queue },
  files: SampleFiles,
  dir: string,
  options: SampleOptions & { today?: Date; onLoaded?: (feed: (typeof feeds)[number]) => void },
): Promise<RunResult[]> => {
  // A feed is read and checked while the one before it is loaded, and loaded when that is done.
  const runs: Promise<RunResult>[] = []
  for (const [at, name] of feeds.entries()) {
    if (files.rows[name] === 0) continue
    options.onProgress?.((at + 1) / (feeds.length + 1), `loading ${name}`)
    const { config } = await readSource(join(sourcesDir, `${name}.json`))
    const before = runs.at(-1)
    await new Promise<void>((staged) => {
      const run = runIngest({ ...services.store, queue: services.queue }, config, {
        now: options.now,
        today: options.today,
        folder: dir,
        highValueUsd: options.highValueUsd,
        beforeLoad: () => {
          staged()
          return before ?? Promise.resolve()
        },
      })
      // One that ends without loading must not be waited for; whether it failed is heard below.
      run.then(
        () => {
          staged()
          options.onLoaded?.(name)
        },
        () => staged(),
      )
      runs.push(run)
    })
  }
  return Promise.all(runs)
}

export const inFolder = async <T>(work: (dir: string) => Promise<T>): Promise<T> => {
  const { dir, remove } = ownFolder()
  try {
    return await work(dir)
  } finally {
    await remove()
  }
}

/** A temporary folder that goes with the process at the latest. */
const ownFolder = (): { dir: string; remove(): Promise<void> } => {
  // At once: a process that ends between making it and minding it would leave it behind.
  const dir = mkdtempSync(join(tmpdir(), 'lotline-sample-'))
  // The thread that makes the sample may be writing still.
  const atExit = () => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 })
  process.once('exit', atExit)
  return {
    dir,
    remove: async () => {
      await rm(dir, { recursive: true, force: true })
      process.off('exit', atExit)
    },
  }
}

const refuseBesideReal = ({ real }: SourceSummary) => {
  if (real > 0)
    throw new OperatorError(
      'This store holds real sources, and sample and real data never meet. Use another DATA_DIR for the sample.',
    )
}
