// Scheduled ingest runs. pg-boss keeps the schedules, so that only one of several processes runs each job. The folder of sources
// is read again every half minute: a new or changed file needs no restart, and a broken one is reported and left out.
import type { PgBoss } from 'pg-boss'
import { traceJob } from '../store/engine/trace-channels.ts'
import { pausedSources, recordBrokenFiles } from '../store/ingest/source-state.ts'
import { readSourceFolder } from './config.ts'
import { type RunOptions, type RunResult, runIngest } from './run.ts'

export interface IngestJobs {
  /** Folder of source configurations. */
  sourcesDir: string
  store: Parameters<typeof runIngest>[0]
  highValueUsd: number
  publicUrl?: string
  /** Returns the token for the name of its environment variable. */
  token: (name: string) => string | undefined
  onDone?: (result: RunResult) => void
  onFailed?: (sourceId: string, error: unknown) => void
  /** Called once for each problem of a source file. */
  onBroken?: (file: string, reason: string) => void
  /** The folder or the database could not be read; tried again at the next interval. */
  onReadFailed?: (error: unknown) => void
}

const queueName = 'ingest'
const readEveryMs = 30_000

export const ingestJobs = async (boss: PgBoss, jobs: IngestJobs) => {
  let scheduled: readonly string[] = []
  let reported = new Set<string>()
  const refresh = async () => {
    try {
      const { wanted, broken } = await wantedSchedules(jobs)
      await applySchedules(boss, wanted)
      scheduled = [...wanted.keys()]
      const problems = new Map(broken.map(({ file, reason }) => [`${file}\n${reason}`, { file, reason }]))
      for (const [key, { file, reason }] of problems) if (!reported.has(key)) jobs.onBroken?.(file, reason)
      reported = new Set(problems.keys())
    } catch (error) {
      jobs.onReadFailed?.(error)
    }
  }
  await refresh()
  let refreshing: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    refreshing = refreshing.then(refresh)
  }, readEveryMs).unref()
  const stopping = new AbortController()
  let currentRun: Promise<unknown> = Promise.resolve()
  const id = await boss.work<{ sourceId: string }>(queueName, { batchSize: 1 }, async ([job]) => {
    if (!job) return
    const run = traceJob('ingest', () => runScheduled(job.data.sourceId, jobs, new Date(), stopping.signal))
    currentRun = run.catch(() => {})
    await run
  })
  return {
    /** Ids of the sources with a schedule, as last read. */
    get scheduled() {
      return scheduled
    },
    /** Reads the folder now. */
    refresh,
    /** Accepts no further runs, aborts the current one and waits until that is recorded. The queue retries it later. */
    stop: async () => {
      clearInterval(timer)
      stopping.abort()
      await boss.offWork(queueName, { id, wait: false })
      await Promise.all([currentRun, refreshing])
    },
  }
}

const wantedSchedules = async ({ sourcesDir, store }: IngestJobs) => {
  const { sources, broken } = await readSourceFolder(sourcesDir)
  const paused = await pausedSources(store.db)
  await recordBrokenFiles(store.db, broken, new Date())
  const wanted = new Map(
    sources.flatMap(({ config: { id, schedule } }) => (schedule && !paused.has(id) ? [[id, schedule] as const] : [])),
  )
  return { wanted, broken }
}

/** Registers new and changed schedules, and removes those of deleted, paused and broken sources. */
const applySchedules = async (boss: PgBoss, wanted: ReadonlyMap<string, string>): Promise<void> => {
  const cronByKey = new Map((await boss.getSchedules(queueName)).map(({ key, cron }) => [key, cron]))
  for (const key of cronByKey.keys()) if (!wanted.has(key)) await boss.unschedule(queueName, key)
  // `singletonKey` allows one queued run per source; a second would read the same feed.
  for (const [id, cron] of wanted)
    if (cronByKey.get(id) !== cron)
      await boss.schedule(queueName, cron, { sourceId: id }, { key: id, tz: 'UTC', singletonKey: id })
}

/** A failed run is recorded and retried by the queue; data loaded before stays. */
export const runScheduled = async (
  sourceId: string,
  jobs: IngestJobs,
  now = new Date(),
  signal?: AbortSignal,
): Promise<RunResult | undefined> => {
  const { sources } = await readSourceFolder(jobs.sourcesDir)
  const source = sources.find(({ config }) => config.id === sourceId)
  // The source was deleted, broken or paused after the job was queued.
  if (!source || (await pausedSources(jobs.store.db)).has(sourceId)) return undefined
  const { tokenEnv } = source.config.where
  const options: RunOptions = {
    now,
    loadedAt: () => new Date(),
    folder: source.folder,
    highValueUsd: jobs.highValueUsd,
    publicUrl: jobs.publicUrl,
    token: tokenEnv && jobs.token(tokenEnv),
    signal,
  }
  try {
    const result = await runIngest(jobs.store, source.config, options)
    jobs.onDone?.(result)
    return result
  } catch (error) {
    jobs.onFailed?.(sourceId, error)
    throw error
  }
}
