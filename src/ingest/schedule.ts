// Sources run by themselves: a schedule each, kept by pg-boss, so that of several processes one runs it.
import type { PgBoss } from 'pg-boss'
import { readSources } from './config.ts'
import { type RunOptions, type RunResult, runIngest } from './run.ts'

export interface IngestJobs {
  /** Folder of source configurations, read anew at every run: an edited file needs no restart. */
  sourcesDir: string
  store: Parameters<typeof runIngest>[0]
  highValueUsd: number
  /** A token by the name of its environment variable. */
  token: (name: string) => string | undefined
  onDone?: (result: RunResult) => void
  onFailed?: (sourceId: string, error: unknown) => void
}

export interface ScheduledIngest {
  /** Sources that run by themselves. */
  scheduled: string[]
  /** Takes no further run, ends the one under way and waits until it is recorded. The queue tries it again later. */
  stop(): Promise<void>
}

const queueName = 'ingest'

/** Registers a schedule for each configured source, drops those of sources no longer there, and works the queue. */
export const ingestJobs = async (boss: PgBoss, jobs: IngestJobs): Promise<ScheduledIngest> => {
  const sources = await readSources(jobs.sourcesDir)
  const wanted = new Map(
    sources.flatMap(({ config }) => (config.schedule ? [[config.id, config.schedule] as const] : [])),
  )
  for (const { key } of await boss.getSchedules(queueName)) if (!wanted.has(key)) await boss.unschedule(queueName, key)
  // One waiting run of a source is enough: a second would read the same feed.
  for (const [id, cron] of wanted)
    await boss.schedule(queueName, cron, { sourceId: id }, { key: id, tz: 'UTC', singletonKey: id })
  const stopping = new AbortController()
  let underWay: Promise<unknown> = Promise.resolve()
  const id = await boss.work<{ sourceId: string }>(queueName, { batchSize: 1 }, async ([job]) => {
    if (!job) return
    const run = runScheduled(job.data.sourceId, jobs, new Date(), stopping.signal)
    underWay = run.catch(() => {})
    await run
  })
  return {
    scheduled: [...wanted.keys()],
    stop: async () => {
      stopping.abort()
      await boss.offWork(queueName, { id, wait: false })
      await underWay
    },
  }
}

/** A failed run is recorded and tried again by the queue; what was loaded before stays. */
export const runScheduled = async (
  sourceId: string,
  jobs: IngestJobs,
  now = new Date(),
  signal?: AbortSignal,
): Promise<RunResult | undefined> => {
  const source = (await readSources(jobs.sourcesDir)).find(({ config }) => config.id === sourceId)
  // Taken out since it was scheduled: nothing to run.
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
