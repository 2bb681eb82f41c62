// Loads the sample markets like any feed: completely on a first start, then day by day.
import { announceTo, type EventSettings } from '../assess/announce.ts'
import { assessMarket } from '../assess/assess-market.ts'
import { fitAndAssess } from '../assess/fit-and-assess.ts'
import { chosenDay } from '../assess/jobs.ts'
import { fitValues, type ValueFit } from '../assess/market-view.ts'
import { OperatorError } from '../common/operator-error.ts'
import { dayOf } from '../domain/day.ts'
import type { RunResult } from '../ingest/run.ts'
import {
  sampleEnd,
  sampleHistory,
  sampleMarkets,
  sampleSeed,
  sampleShift,
  sampleStreets,
  writeSampleFeeds,
} from '../ingest/sample-data.ts'
import { ingestFeeds, inTemporaryFolder } from '../ingest/sample-feeds.ts'
import { sourceSummary } from '../store/ingest/source-states.ts'
import { replaceStreets } from '../store/map/streets.ts'
import { startAssessor } from './assess-thread.ts'
import type { OpenServices } from './open-services.ts'
import { stepsOf } from './progress.ts'
import { writeSampleHistory } from './sample-history.ts'
import { type SampleState, sampleState, saveSampleState } from './sample-state.ts'
import { withOpened } from './with-opened.ts'

interface SampleOptions extends Omit<EventSettings, 'queue'> {
  now: Date
  highValueUsd: number
  onProgress?: (share: number, step: string) => void
}

export interface SampleResult {
  /** The day before the first new one; undefined for a first load. */
  from?: string
  today: string
  /** There are no days after `today`. */
  ended?: boolean
  runs: RunResult[]
}

type Services = Pick<OpenServices, 'db' | 'queue' | 'store'>

/** Loads and assesses the sample markets as of today. */
export const loadSample = (open: () => Promise<OpenServices>, options: SampleOptions): Promise<SampleResult> =>
  inTemporaryFolder(async (dir) => {
    options.onProgress?.(0, 'reading the sample markets')
    const today = dayOf(options.now)
    const firstShift = sampleShift(today)
    // Before the database is opened: on a first start the service is still creating it.
    let files = writeSampleFeeds(dir, { to: today, shiftDays: firstShift })
    return withOpened(open, async (services) => {
      // A sample that is loaded again keeps its dates.
      const state = await sampleState(services)
      const shiftDays = state ? (state.shiftDays ?? 0) : firstShift
      if (shiftDays !== firstShift) files = writeSampleFeeds(dir, { to: today, shiftDays })
      return loadFiles(services, files, dir, { ...options, today, shiftDays })
    })
  })

const loadFiles = async (
  services: Services,
  files: ReturnType<typeof writeSampleFeeds>,
  dir: string,
  { today, shiftDays, ...options }: SampleOptions & { today: string; shiftDays: number },
): Promise<SampleResult> => {
  rejectRealSources(await sourceSummary(services.db))
  const thread = startAssessor({ address: services.store.address })
  // The first market is the largest. The others are fitted and assessed in the thread at the same time.
  const [first, ...others] = sampleMarkets()
  let valueFit: Promise<ValueFit> | undefined
  let inThread: Promise<unknown> | undefined
  try {
    await replaceStreets(services.db, sampleStreets())
    const runs = await ingestFeeds(services, files, dir, {
      ...options,
      onLoaded: (feed) => {
        if (feed !== 'listings' || !first) return
        // Fitted while permits, which it does not need, are loaded.
        valueFit = fitValues(services.db, first, today, { fits: thread.fits })
        // Awaited later; a failure before that must not end the process.
        valueFit.catch(() => {})
      },
    })
    const state: SampleState = { seed: sampleSeed() ?? 0, today, shiftDays, assessed: false, fitted: false }
    await saveSampleState(services, state)
    inThread = Promise.all(others.map((market) => thread.fitAndAssess(market, options.now)))
    inThread.catch(() => {})
    if (first)
      await fitAndAssess(services.db, first, {
        now: options.now,
        quick: true,
        fits: thread.fits,
        valueFit,
        assist: (range) => thread.assessRange(first, range, options.now),
        onProgress: stepsOf(first, options.onProgress),
      })
    await inThread
    await writeSampleHistory(services, sampleHistory(today, shiftDays), options)
    await saveSampleState(services, { ...state, assessed: true, fitted: true })
    return { today, runs }
  } finally {
    // After a failed load they may still be running.
    await Promise.allSettled([valueFit, inThread])
    await thread.stop()
  }
}

/** Loads the days after the last one, up to `to` or the end of the data, and assesses what they changed. */
export const advanceSample = async (services: Services, to: string, options: SampleOptions): Promise<SampleResult> => {
  rejectRealSources(await sourceSummary(services.db))
  const state = await sampleState(services)
  if (!state)
    throw new OperatorError('The sample markets are not loaded. Start the service, or run: lotline sample load')
  // Its towns are not those of this version, so the next days would be about other homes.
  if (state.seed !== sampleSeed())
    throw new OperatorError(
      'An earlier version generated this sample data. It stays as it is. To get the new sample, start with an empty DATA_DIR or database.',
    )
  const { shiftDays = 0 } = state
  const end = sampleEnd(shiftDays) ?? state.today
  const last = to < end ? to : end
  const today = last > state.today ? last : state.today
  const ended = to > today
  if (today === state.today && state.assessed) return { from: today, today, ended, runs: [] }
  // The sample may be ahead of the calendar: properties are assessed as of its day, while runs and events have the current time.
  const sampleTime = new Date(Math.max(Date.parse(`${today}T12:00:00Z`), options.now.getTime()))
  const runs = await inTemporaryFolder((dir) =>
    ingestFeeds(services, writeSampleFeeds(dir, { from: state.today, to: today, shiftDays }), dir, {
      ...options,
      today: sampleTime,
    }),
  )
  await saveSampleState(services, { ...state, today, assessed: false })
  for (const market of sampleMarkets()) {
    // An operator may have chosen another day with `assess --as-of`.
    const asOf = await chosenDay(services.db, market)
    const day = asOf ? { asOf } : { today: sampleTime }
    const run = { now: options.now, ...day, onProgress: stepsOf(market, options.onProgress) }
    // Completes a first load that was interrupted before its models were fitted.
    if (state.fitted === false) await fitAndAssess(services.db, market, { ...run, quick: true })
    else
      await assessMarket(services.db, market, {
        ...run,
        onlyChanged: true,
        announce: announceTo({ ...options, queue: services.queue }, options.now),
      })
  }
  await saveSampleState(services, { ...state, today, assessed: true, fitted: true })
  return { from: state.today, today, ended, runs }
}

const rejectRealSources = ({ real }: { real: number }) => {
  if (real > 0)
    throw new OperatorError(
      'This database has real sources, and sample data must not mix with real data. Use another DATA_DIR for the sample.',
    )
}
