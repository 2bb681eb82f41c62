// One run of one source: fetch → check → match → load.

import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Holding } from '../domain/facts.ts'
import { jurisdictions, markets } from '../domain/packs/markets.ts'
import { type FeedProfile, isLayer, type SourceConfig } from '../domain/packs/source-config.ts'
import { defaultPublicUrl } from '../domain/page-urls.ts'
import { createHttp, shown } from '../sources/http.ts'
import type { Http } from '../sources/http-response.ts'
import { sourceOf } from '../sources/kinds.ts'
import { downloadInterrupted } from '../sources/resume.ts'
import {
  isAddress,
  laterTimestamp,
  type RawRow,
  type ReadContext,
  type Reading,
  type ReadState,
  SourceError,
} from '../sources/source.ts'
import type { Database } from '../store/engine/database.ts'
import { inTransaction } from '../store/engine/database.ts'
import type { Queue } from '../store/engine/queue.ts'
import { type Loaded, loadStage } from '../store/ingest/load.ts'
import { beginRun, completeRun, failRun, keepRejected, type RejectedRow } from '../store/ingest/run.ts'
import { type IngestSession, openStage, type Stage, withIngestSession } from '../store/ingest/stage.ts'
import { type Checker, checker } from './check.ts'
import { dateOrders } from './date-order.ts'
import { driftProblems, feedProfile, rejectDrift } from './drift.ts'
import { layerReading } from './layer-rows.ts'
import { referencedColumns } from './map.ts'

export interface RunOptions {
  now: Date
  /** When the rows are loaded, which is the time of changes and events: reading a feed can take an hour. Defaults to `now`. */
  loadedAt?: () => Date
  /** The date rows are validated against; defaults to `now`. The sample can be advanced past the current date. */
  today?: Date
  /** Relative file names in the configuration are resolved against this folder. */
  folder: string
  /** A permit valued at this amount or more creates an event. */
  highValueUsd: number
  /** Where links in events lead. */
  publicUrl?: string
  token?: string
  http?: Http
  onProgress?: (progress: Progress) => void
  /** Delay before an interrupted download restarts from the beginning. */
  restartMs?: number
  /** Why the feed is loaded once although it differs from the last run (drift.ts) or lacks many rows. Recorded with the run. */
  accept?: string
  /** Called when all rows are read and checked. They are matched and loaded after it. */
  beforeLoad?: () => Promise<void>
  /** Aborts the run at any stage. It is recorded as failed ("stopped"), and the data of the last completed run stays. */
  signal?: AbortSignal
}

export class RunStopped extends Error {}

/** What only a whole read shows: the dates were read in the wrong order, or the service lost rows meanwhile. */
class ReadAgain extends SourceError {
  constructor(message: string) {
    super('read_again', message)
  }
}

export interface Progress {
  rows: number
  rejected: number
  /** 0 to 1; undefined if the feed does not state its length. */
  share?: number
}

export interface RunResult extends Loaded {
  runId: number
  sourceId: string
  firstLoad: boolean
  notModified: boolean
  /** Number of values left out of accepted rows, by reason. */
  leftOut: Record<string, number>
  /** Accepted permits without an issue date. */
  notIssued?: number
  /** Differences from the last run that were accepted. */
  accepted?: readonly string[]
}

export const runIngest = async (
  store: Pick<Database, 'db' | 'pool'> & { queue: Queue },
  config: SourceConfig,
  options: RunOptions,
): Promise<RunResult> => {
  let dayFirst: readonly string[] | undefined
  const work = async (session: IngestSession): Promise<RunResult> => {
    const { runId, firstLoad, previous: last, earlier } = await beginRun(session.db, config, options.now)
    const placesHash = hashOfPlaces(config)
    const hasNewPlaces = ![undefined, placesHash].includes(earlier[0]?.placesHash)
    // A time in the future, kept by an earlier version, would hide every row. A new city needs rows that have not changed.
    const previous =
      last && !hasNewPlaces ? { ...last, highWater: laterTimestamp(undefined, last.highWater, options.now) } : undefined
    const tally = { read: 0, rejected: 0, excluded: 0 }
    const ownHttp = options.http ? undefined : createHttp()
    let stage: Stage | undefined
    try {
      // fetch
      const reading = openReading(config, { ...options, http: options.http ?? ownHttp!, previous })
      // check
      const dates = dateOrders(dayFirst ?? earlier[0]?.dayFirst)
      const { check, leftOut, problems: ofRows } = checker(config, options.today ?? options.now, dates)
      stage = await openStage(session, runId, config.holds)
      const keep = (rows: RejectedRow[]) => keepRejected(store.db, runId, rows)
      const profile = feedProfile()
      await checkInto(stage, reading, config, { check, profile }, tally, keep, options)
      await rejectOnAbort(stage.end(), options.signal)
      stage = undefined
      dayFirst = dates.dayFirst()
      if (dates.misread()) throw new ReadAgain(`read again: the day comes before the month in ${dayFirst.join(', ')}`)
      const filled: FeedProfile = {
        rows: tally.read - tally.rejected,
        rejected: tally.rejected - tally.excluded,
        changesOnly: previous?.highWater !== undefined,
        ...profile.result(),
        dayFirst: [...dayFirst],
        placesHash,
      }
      const problems = [
        ...dates.problems(),
        ...(ofRows?.() ?? []),
        ...driftProblems(config, earlier, filled, reading.state.columns !== undefined),
      ]
      const accepted = options.accept === undefined ? undefined : { reason: options.accept, problems }
      const end = { ...reading.state, leftOut: Object.fromEntries(leftOut), filled, accepted }
      const about = {
        runId,
        sourceId: config.id,
        firstLoad,
        notModified: reading.state.notModified ?? false,
        leftOut: end.leftOut,
        ...(config.holds === 'permits' ? { notIssued: filled.rows - (filled.fields.issuedOn ?? 0) } : {}),
        ...(accepted && problems.length > 0 ? { accepted: problems } : {}),
      }
      if (reading.state.notModified) {
        const counts = { read: 0, loaded: 0, inserted: 0, changed: 0, rejected: 0 }
        await inTransaction(session.db, (tx) =>
          completeRun(tx, runId, { ...end, filled: undefined, counts }, options.now),
        )
        return { ...about, counts, removed: 0, returned: 0, events: 0, markets: [], touched: 0 }
      }
      rejectPartialRead(config, reading.state, tally)
      if (!accepted) rejectDrift(problems)
      if (options.beforeLoad) await rejectOnAbort(options.beforeLoad(), options.signal)
      // match, load
      const loaded = await loadStage(session.db, {
        queue: store.queue,
        holds: config.holds,
        sourceId: config.id,
        sample: config.sample ?? false,
        runId,
        firstLoad,
        now: options.loadedAt?.() ?? options.now,
        today: options.today ?? options.now,
        highValueUsd: options.highValueUsd,
        publicUrl: options.publicUrl ?? defaultPublicUrl,
        layer: isLayer(config)
          ? { sets: config.sets, isChanged: previous === undefined, isAccepted: accepted !== undefined }
          : undefined,
        complete: isComplete(config)
          ? { maxGonePct: accepted ? 100 : (config.maxGonePct ?? defaultMaxGonePct[config.holds]) }
          : undefined,
        read: tally.read,
        rejected: tally.rejected,
        // Rows that a page left out would never be asked for again.
        end: { ...end, highWater: (end.shrank ? undefined : end.highWater) ?? previous?.highWater },
      })
      return { ...about, ...loaded }
    } catch (error) {
      await stage?.abandon()
      // Uses another connection because the session's may be broken or in the middle of a COPY.
      const stopped = options.signal?.aborted
      const reason = stopped ? 'stopped' : error instanceof Error ? error.message : String(error)
      await failRun(store.db, runId, withoutSecrets(reason, config), tally, options.now).catch(() => {})
      throw stopped ? new RunStopped(`The run of ${config.id} was stopped.`, { cause: error }) : error
    } finally {
      await ownHttp?.close()
    }
  }
  // A file that changed during an interrupted download cannot be resumed; a new run reads it from the beginning. So does one
  // that has to read dates in another order.
  for (let runs = 1; ; runs += 1) {
    try {
      return await withIngestSession(store, config, work, options.signal)
    } catch (error) {
      if (error instanceof ReadAgain && runs < maxRuns) continue
      if (!(error instanceof SourceError && error.code === downloadInterrupted) || runs === maxRuns) throw error
      await pause(options.restartMs ?? defaultRestartMs, undefined, { signal: options.signal }).catch(
        (cause: unknown) => {
          throw new RunStopped(`The run of ${config.id} was stopped.`, { cause })
        },
      )
    }
  }
}

/** Changes with what decides where a row belongs, so that a city added to a pack gets its rows although the feed is unchanged. */
const hashOfPlaces = ({ market }: SourceConfig): string => {
  const boxes = markets().flatMap(({ id, box, timeZone }) => (id === (market ?? id) ? [{ id, box, timeZone }] : []))
  const places = jurisdictions().filter((city) => city.market === (market ?? city.market))
  return hash('sha256', JSON.stringify([boxes, places]), 'base64url')
}

/** The operator's page shows it without a login. The query of a URL may contain a token, its user a password. */
const withoutSecrets = (reason: string, { where: { url } }: SourceConfig): string =>
  (isAddress(url) ? reason.replaceAll(url, shown(url)) : reason).replace(/(https?:\/\/)[^\s/@]+@/gi, '$1')

const isComplete = (config: SourceConfig): boolean => config.complete || isLayer(config)

/** A load removes what a complete feed no longer has, so a feed that may be cut off must not be loaded. */
const rejectPartialRead = (config: SourceConfig, state: ReadState, tally: { read: number; rejected: number }): void => {
  if (tally.read > 0 && tally.rejected === tally.read)
    throw new SourceError(
      'all_rejected',
      `All ${tally.read} rows were rejected; see "lotline ingest report ${config.id}".`,
    )
  if (isComplete(config) && state.counted === false)
    throw new SourceError(
      'no_count',
      `The service does not say how many rows it has, so rows that it left out cannot be told from rows that it no longer has. Nothing was changed. ${isLayer(config) ? 'Load the layer from a file instead.' : 'Remove "complete" from the source.'}`,
    )
  if (isComplete(config) && state.shrank)
    throw new ReadAgain(
      'The service lost rows while it was read, so rows that a page left out cannot be told from rows that it no longer has. Nothing was changed.',
    )
}

const maxRuns = 3
const defaultRestartMs = 2000

/**
 * City and county feeds change by a few percent between runs, so 20% missing rows mean a truncated file. Open listings sell
 * within weeks: a feed read once a month can correctly lack half of them.
 */
const defaultMaxGonePct: Readonly<Record<Holding, number>> = {
  parcels: 20,
  listings: 60,
  sales: 20,
  permits: 20,
  rents: 20,
  // A layer is compared by its rows (drift.ts) and by the parcels it covers.
  layer: 100,
}

/** Rejects as soon as the signal aborts, so that a hanging feed or a lost connection cannot delay a stop. */
const rejectOnAbort = <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (!signal) return work
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

export const openReading = (config: SourceConfig, context: ReadContext): Reading => {
  const reading = isLayer(config) ? layerReading(config, context) : sourceOf(config.kind)(config.where, context)
  return { state: reading.state, pages: namingToken(reading.pages, config) }
}

/** A server that refuses a request does not know which setting holds the token. */
async function* namingToken(
  pages: Reading['pages'],
  { where: { tokenEnv } }: SourceConfig,
): AsyncGenerator<readonly RawRow[]> {
  try {
    yield* pages
  } catch (error) {
    if (!(error instanceof SourceError) || !['http_401', 'http_403'].includes(error.code)) throw error
    const hint = tokenEnv
      ? `Check the token in ${tokenEnv}.`
      : 'If the feed needs a token, name its environment variable in where.tokenEnv.'
    throw new SourceError(error.code, `${error.message} ${hint}`, { cause: error })
  }
}

const checkInto = async (
  stage: Stage,
  reading: Reading,
  config: SourceConfig,
  { check, profile }: { check: Checker['check']; profile: ReturnType<typeof feedProfile> },
  tally: { read: number; rejected: number; excluded: number },
  keep: (rows: RejectedRow[]) => Promise<void>,
  { onProgress, signal }: RunOptions,
): Promise<void> => {
  for await (const page of stoppable(reading.pages, signal)) {
    if (tally.read === 0) expectColumns(config, reading.state.columns)
    const staged: Record<string, unknown>[] = []
    const rejected: RejectedRow[] = []
    for (const row of page) {
      const checked = check(row)
      if (checked.staged) {
        staged.push(checked.staged)
        profile.count(checked.staged)
      } else {
        if (checked.rejected.code === 'requirement') tally.excluded += 1
        rejected.push({ rowNumber: row.number, ...checked.rejected, raw: row.fields })
      }
    }
    tally.read += page.length
    tally.rejected += rejected.length
    await rejectOnAbort(stage.write(staged), signal)
    await keep(rejected)
    onProgress?.({ rows: tally.read, rejected: tally.rejected, share: shareOf(reading, tally.read) })
  }
}

async function* stoppable<T>(pages: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  const reading = pages[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await rejectOnAbort(reading.next(), signal)
      if (next.done) return
      yield next.value
    }
  } finally {
    // After an abort the reader ends when its connection closes; awaiting it here could hang.
    const ended = reading.return?.()
    if (signal?.aborted) ended?.catch(() => {})
    else await ended
  }
}

/** Without this check a renamed column would silently make its field unknown in every row. */
export const expectColumns = (config: SourceConfig, columns: readonly string[] | undefined): void => {
  if (!columns) return
  const present = new Set(columns)
  const missing = referencedColumns(config).filter((name) => !present.has(name) && !present.has(name.split('.')[0]!))
  if (missing.length > 0)
    throw new SourceError(
      'missing_columns',
      `The feed has no column ${missing.map((name) => `"${name}"`).join(', ')}. It has: ${columns.slice(0, 80).join(', ')}.`,
    )
}

const shareOf = ({ state }: Reading, rows: number): number | undefined => {
  if (state.rowsExpected) return Math.min(1, rows / state.rowsExpected)
  return state.bytesExpected ? Math.min(1, state.bytesRead / state.bytesExpected) : undefined
}
