// One run of one source, read top to bottom: fetch → check → match → load.
import { setTimeout as pause } from 'node:timers/promises'
import type { DataSet, SourceConfig } from '../contract/source-config.ts'
import type { Http } from '../sources/answer.ts'
import { createHttp } from '../sources/http.ts'
import { sourceOf } from '../sources/kinds.ts'
import { brokenOff } from '../sources/resume.ts'
import { type ReadContext, type Reading, SourceError } from '../sources/source.ts'
import type { Database } from '../store/engine/database.ts'
import { inTransaction } from '../store/engine/database.ts'
import type { Queue } from '../store/engine/queue.ts'
import { type Loaded, loadStage } from '../store/ingest/load.ts'
import { beginRun, completeRun, failRun, keepRejected, type RejectedRow } from '../store/ingest/run.ts'
import { type IngestSession, openStage, type Stage, withIngestSession } from '../store/ingest/stage.ts'
import { type Checker, checker } from './check.ts'
import { fieldsNamed } from './map.ts'

export interface RunOptions {
  now: Date
  /** The day its rows are judged by, that of `now` unless told: the sample may be played ahead of the calendar. */
  today?: Date
  /** Where files named in the configuration are looked for. */
  folder: string
  /** A permit valued at this or more is an event. */
  highValueUsd: number
  token?: string
  http?: Http
  onProgress?: (progress: Progress) => void
  /** Waited for once every row is checked and staged, before any is matched: for feeds that build on one another. */
  beforeLoad?: () => Promise<unknown>
  /** How long to wait before a feed that broke off is read from its beginning. */
  restartMs?: number
  /** Ends the run at once, wherever it is: it is recorded as failed ("stopped") and the last good state stays. */
  signal?: AbortSignal
}

export class RunStopped extends Error {}

export interface Progress {
  rows: number
  refused: number
  /** 0 to 1, where the feed says how long it is. */
  share?: number
}

export interface RunResult extends Loaded {
  runId: number
  sourceId: string
  firstLoad: boolean
  notModified: boolean
  /** Single values left out of rows that were otherwise taken, by reason. */
  leftOut: Record<string, number>
}

export const runIngest = async (
  store: Pick<Database, 'db' | 'pool'> & { queue: Queue },
  config: SourceConfig,
  options: RunOptions,
): Promise<RunResult> => {
  const work = async (session: IngestSession): Promise<RunResult> => {
    const { runId, firstLoad, previous } = await beginRun(session.db, config, options.now)
    const tally = { read: 0, rejected: 0 }
    const ownHttp = options.http ? undefined : createHttp()
    let stage: Stage | undefined
    try {
      // fetch
      const reading = openReading(config, { ...options, http: options.http ?? ownHttp!, previous })
      // check
      const { check, leftOut } = checker(config, options.today ?? options.now)
      stage = await openStage(session, runId, config.holds)
      const keep = (rows: RejectedRow[]) => keepRejected(store.db, runId, rows)
      await checkInto(stage, reading, config, check, tally, keep, options)
      await unlessStopped(stage.end(), options.signal)
      stage = undefined
      const end = { ...reading.state, leftOut: Object.fromEntries(leftOut) }
      const about = {
        runId,
        sourceId: config.id,
        firstLoad,
        notModified: reading.state.notModified ?? false,
        leftOut: end.leftOut,
      }
      if (reading.state.notModified) {
        const counts = { read: 0, loaded: 0, inserted: 0, changed: 0, rejected: 0 }
        await inTransaction(session.db, (tx) => completeRun(tx, runId, { ...end, counts }, options.now))
        return { ...about, counts, removed: 0, returned: 0, events: 0, markets: [], touched: 0 }
      }
      if (tally.read > 0 && tally.rejected === tally.read)
        throw new SourceError(
          'all_refused',
          `All ${tally.read} rows were refused; see "lotline ingest report ${config.id}".`,
        )
      // match, load
      await options.beforeLoad?.()
      const loaded = await loadStage(session.db, {
        queue: store.queue,
        holds: config.holds,
        sourceId: config.id,
        sample: config.sample ?? false,
        runId,
        firstLoad,
        now: options.now,
        today: options.today ?? options.now,
        highValueUsd: options.highValueUsd,
        complete: config.complete ? { maxGonePct: config.maxGonePct ?? usualMaxGonePct[config.holds] } : undefined,
        ...tally,
        end: { ...end, highWater: end.highWater ?? previous?.highWater },
      })
      return { ...about, ...loaded }
    } catch (error) {
      await stage?.abandon()
      // On another connection: this one may be broken, or in the middle of a copy.
      const stopped = options.signal?.aborted
      const reason = stopped ? 'stopped' : error instanceof Error ? error.message : String(error)
      await failRun(store.db, runId, reason, tally, options.now).catch(() => {})
      throw stopped ? new RunStopped(`The run of ${config.id} was stopped.`, { cause: error }) : error
    } finally {
      await ownHttp?.close()
    }
  }
  // A file that changed while it broke off is read from its beginning, in a run of its own.
  for (let runs = 1; ; runs += 1) {
    try {
      return await withIngestSession(store, config.id, work, options.signal)
    } catch (error) {
      if (!(error instanceof SourceError && error.code === brokenOff) || runs === runsAtMost) throw error
      await pause(options.restartMs ?? usualRestartMs, undefined, { signal: options.signal }).catch(
        (cause: unknown) => {
          throw new RunStopped(`The run of ${config.id} was stopped.`, { cause })
        },
      )
    }
  }
}

const runsAtMost = 3
const usualRestartMs = 2000

/**
 * Feeds of a city or county change by a few per cent between runs; a fifth missing is a file that was cut. Open listings are
 * sold within weeks: a feed read once a month rightly lacks half of them.
 */
const usualMaxGonePct: Readonly<Record<DataSet, number>> = { parcels: 20, listings: 60, sales: 20, permits: 20 }

/** A feed that hangs, or a connection that was cut, is not waited for. */
const unlessStopped = <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (!signal) return work
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

export const openReading = (config: SourceConfig, context: ReadContext): Reading =>
  sourceOf(config.kind)(config.where, context)

const checkInto = async (
  stage: Stage,
  reading: Reading,
  config: SourceConfig,
  check: Checker['check'],
  tally: { read: number; rejected: number },
  keep: (rows: RejectedRow[]) => Promise<void>,
  { onProgress, signal }: RunOptions,
): Promise<void> => {
  for await (const page of stoppable(reading.pages, signal)) {
    if (tally.read === 0) expectColumns(config, reading.state.columns)
    const staged: Record<string, unknown>[] = []
    const refused: RejectedRow[] = []
    for (const row of page) {
      const checked = check(row)
      if (checked.staged) staged.push(checked.staged)
      else refused.push({ rowNumber: row.number, ...checked.refused, raw: row.fields })
    }
    tally.read += page.length
    tally.rejected += refused.length
    await unlessStopped(stage.write(staged), signal)
    await keep(refused)
    onProgress?.({ rows: tally.read, refused: tally.rejected, share: shareOf(reading, tally.read) })
  }
}

async function* stoppable<T>(pages: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  const reading = pages[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await unlessStopped(reading.next(), signal)
      if (next.done) return
      yield next.value
    }
  } finally {
    // A reader told to stop while it waits ends when its connection is closed.
    const ended = reading.return?.()
    if (signal?.aborted) ended?.catch(() => {})
    else await ended
  }
}

/** A column that was renamed would otherwise turn into a fact that is silently unknown in every row. */
export const expectColumns = (config: SourceConfig, columns: readonly string[] | undefined): void => {
  if (!columns) return
  const held = new Set(columns)
  const missing = fieldsNamed(config).filter((name) => !held.has(name) && !held.has(name.split('.')[0]!))
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
