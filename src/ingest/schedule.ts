// Scheduled ingest runs. pg-boss keeps the schedules, so that only one of several processes runs each job.
import type { PgBoss } from 'pg-boss'
import { readSources } from './config.ts'
import { type RunOptions, type RunResult, runIngest } from './run.ts'

export interface IngestJobs {
  /** Folder of source configurations. Read again for each run, so that an edited file needs no restart. */
  sourcesDir: string
  store: Parameters<typeof runIngest>[0]
  highValueUsd: number
  /** Returns the token for the name of its environment variable. */
  token: (name: string) => string | undefined
  onDone?: (result: RunResult) => void
  onFailed?: (sourceId: string, error: unknown) => void
}

export interface ScheduledIngest {
  /** Ids of the sources with a schedule. */
  scheduled: string[]
  /** Accepts no further runs, aborts the current one and waits until that is recorded. The queue retries it later. */
  stop(): Promise<void>
}

const queueName = 'ingest'

/** Registers a schedule for each configured source, removes schedules of deleted sources, and processes the queue. */
export const ingestJobs = async (boss: PgBoss, jobs: IngestJobs): Promise<ScheduledIngest> => {
  const sources = await readSources(jobs.sourcesDir)
  const wanted = new Map(
    sources.flatMap(({ config }) => (config.schedule ? [[config.id, config.schedule] as const] : [])),
  )
  for (const { key } of await boss.getSchedules(queueName)) if (!wanted.has(key)) await boss.unschedule(queueName, key)
  // `singletonKey` allows one queued run per source; a second would read the same feed.
  for (const [id, cron] of wanted)
    await boss.schedule(queueName, cron, { sourceId: id }, { key: id, tz: 'UTC', singletonKey: id })
  const stopping = new AbortController()
  let currentRun: Promise<unknown> = Promise.resolve()
  const id = await boss.work<{ sourceId: string }>(queueName, { batchSize: 1 }, async ([job]) => {
    if (!job) return
    const run = runScheduled(job.data.sourceId, jobs, new Date(), stopping.signal)
    currentRun = run.catch(() => {})
    await run
  })
  return {
    scheduled: [...wanted.keys()],
    stop: async () => {
      stopping.abort()
      await boss.offWork(queueName, { id, wait: false })
      await currentRun
    },
  }
}

/** A failed run is recorded and retried by the queue; data loaded before stays. */
export const runScheduled = async (
  sourceId: string,
  jobs: IngestJobs,
  now = new Date(),
  signal?: AbortSignal,
): Promise<RunResult | undefined> => {
  const source = (await readSources(jobs.sourcesDir)).find(({ config }) => config.id === sourceId)
  // The source was deleted after the job was queued.
  if (!source) return undefined
  const { tokenEnv } = source.config.where
  const options: RunOptions = {
    now,
    folder: source.folder,
    highValueUsd: jobs.highValueUsd,
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
