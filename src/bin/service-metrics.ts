// What a process reports besides its requests: background work, queues, sources, connections, cache, database and disk.
import { Counter, Gauge, type Registry } from 'prom-client'
import { packProblems } from '../domain/packs/use-packs.ts'
import { forecastLedger } from '../store/assessments/accuracy.ts'
import type { Database } from '../store/engine/database.ts'
import { countBrokenFiles, databaseBytes, measureQueues } from '../store/engine/database-status.ts'
import { type SourceState, sourceStates } from '../store/ingest/source-states.ts'

export type WorkCounters = ReturnType<typeof workCounters>

/** Counted since the process started. */
export const workCounters = (registry: Registry) => {
  const counter = <Label extends string>(name: string, help: string, label: Label, values: readonly string[]) => {
    const metric = new Counter({ name, help, labelNames: [label], registers: [registry] })
    // A series that exists from the start lets a rule see its first increase.
    for (const value of values) metric.inc({ [label]: value } as Record<Label, string>, 0)
    return (value: string, by = 1) => metric.inc({ [label]: value } as Record<Label, string>, by)
  }
  const outcomes = ['completed', 'failed'] as const
  const runs = counter('lotline_ingest_runs_total', 'Ingest runs by outcome', 'outcome', outcomes)
  const rows = counter('lotline_ingest_rows_total', 'Feed rows by outcome', 'outcome', ['loaded', 'rejected'])
  const assessments = counter('lotline_assess_runs_total', 'Assessment jobs by outcome', 'outcome', outcomes)
  const properties = counter('lotline_assessed_properties_total', 'Properties assessed', 'kind', ['all'])
  const deliveries = counter('lotline_deliveries_total', 'Webhook attempts by outcome', 'outcome', [
    'delivered',
    'retried',
    'failed',
  ])
  const mails = counter('lotline_mails_total', 'Mails by outcome of the attempt', 'outcome', ['sent', 'failed'])
  return {
    ingested: ({ loaded, rejected }: { loaded: number; rejected: number }) => {
      runs('completed')
      rows('loaded', loaded)
      rows('rejected', rejected)
    },
    ingestFailed: () => runs('failed'),
    assessed: (count: number) => {
      assessments('completed')
      properties('all', count)
    },
    assessmentFailed: () => assessments('failed'),
    delivered: (outcome: 'delivered' | 'retried' | 'failed') => deliveries(outcome),
    mailed: (outcome: 'sent' | 'failed') => mails(outcome),
  }
}

interface MeasuredParts {
  database: Pick<Database, 'within'>
  pools: Readonly<Record<string, Pick<Database, 'pool'>['pool']>>
  /** Free bytes on the disk of the data folder. */
  freeBytes: () => Promise<number>
  now?: () => Date
}

/** A database that does not answer must not hold up the other metrics. */
const measureMs = 2_000

/** Several scrapers, and the gauges of one scrape, share one measurement. */
const cacheMs = 5_000

export const measureService = (
  registry: Registry,
  { database, pools, freeBytes, now = () => new Date() }: MeasuredParts,
): void => {
  const gauge = (
    name: string,
    help: string,
    labelNames: readonly string[],
    collect: (set: (value: number, labels?: Record<string, string>) => void) => unknown,
  ) => {
    const metric: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect: async () => {
        metric.reset()
        // An unknown value is absent or NaN, never 0; `lotline_database_up` says why.
        await Promise.resolve(collect((value, labels = {}) => metric.set(labels, value))).catch(() => {
          if (labelNames.length === 0) metric.set(Number.NaN)
        })
      },
    })
  }

  const measure = async () => {
    const db = database.within(AbortSignal.timeout(measureMs))
    const bytes = await databaseBytes(db)
    return {
      bytes,
      queues: await measureQueues(db),
      sources: await sourceStates(db, now()),
      brokenFiles: await countBrokenFiles(db),
      forecasts: await forecastLedger(db),
    }
  }
  let last: { at: number; result: ReturnType<typeof measure> } | undefined
  const measured = () => {
    if (!last || performance.now() - last.at > cacheMs) last = { at: performance.now(), result: measure() }
    return last.result
  }

  gauge('lotline_database_up', '1 if the database answers within 2 seconds', [], async (set) =>
    measured().then(
      () => set(1),
      () => set(0),
    ),
  )
  gauge('lotline_database_bytes', 'Size of the database', [], async (set) => set((await measured()).bytes))
  gauge('lotline_disk_free_bytes', 'Free space on the disk of DATA_DIR', [], async (set) => set(await freeBytes()))
  gauge('lotline_queue_jobs', 'Jobs by queue: due and waiting, or being worked on', ['queue', 'state'], async (set) => {
    for (const { queue, waiting, active } of (await measured()).queues) {
      set(waiting, { queue, state: 'waiting' })
      set(active, { queue, state: 'active' })
    }
  })
  gauge('lotline_queue_oldest_seconds', 'How long the oldest due job has waited', ['queue'], async (set) => {
    for (const { queue, oldestSeconds } of (await measured()).queues) set(oldestSeconds, { queue })
  })
  gauge('lotline_source_age_seconds', 'Time since the last completed run of a source', ['source'], async (set) => {
    for (const { id: source, lastRunAt } of (await measured()).sources)
      if (lastRunAt) set((now().getTime() - lastRunAt.getTime()) / 1000, { source })
  })
  const ofSources = (name: string, help: string, value: (source: SourceState) => number) =>
    gauge(name, help, ['source'], async (set) => {
      for (const source of (await measured()).sources) set(value(source), { source: source.id })
    })
  ofSources('lotline_source_stale', '1 if a scheduled source has missed its runs', ({ stale }) => (stale ? 1 : 0))
  ofSources('lotline_source_failing', '1 if the last run of a source failed', ({ error }) => (error === null ? 0 : 1))
  ofSources('lotline_source_removed_rows', 'Rows that left a complete feed within 30 days', ({ removed }) => removed)
  ofSources('lotline_source_lost_fields', 'Fields with fewer values than before', ({ lostFields }) => lostFields.length)
  gauge('lotline_source_files_broken', 'Source files that cannot be used', [], async (set) =>
    set((await measured()).brokenFiles),
  )
  gauge(
    'lotline_forecast_alarms',
    'Figures of forecasts outside their band two months in a row',
    ['market'],
    async (set) => {
      const { since, live } = (await measured()).forecasts
      for (const market of since.keys())
        set(live.filter((row) => row.alarm && row.market === market).length, { market })
    },
  )
  gauge('lotline_market_packs_broken', 'Market packs that cannot be used', [], (set) => set(packProblems().length))
  gauge('lotline_pool_connections', 'Database connections by pool and state', ['pool', 'state'], (set) => {
    for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
      set(totalCount - idleCount, { pool, state: 'busy' })
      set(idleCount, { pool, state: 'idle' })
      set(waitingCount, { pool, state: 'waiting' })
    }
  })
}
