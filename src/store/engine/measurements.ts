// What metrics report about the database: queues, sources and size. Each is one short query.
import { type Db, sql } from './database.ts'

interface QueueMeasure {
  queue: string
  /** Jobs that are due and wait for a worker. */
  waiting: number
  /** Jobs that a worker has fetched. */
  active: number
  /** How long the oldest due job has waited. */
  oldestSeconds: number
}

export const measureQueues = async (db: Db): Promise<QueueMeasure[]> => {
  const { rows } = await sql<QueueMeasure>`
    select name as queue,
      count(*) filter (where state in ('created', 'retry') and start_after <= now()) as waiting,
      count(*) filter (where state = 'active') as active,
      coalesce(extract(epoch from now() - min(start_after) filter
        (where state in ('created', 'retry') and start_after <= now())), 0)::float8 as oldest_seconds
    from pgboss.job where state in ('created', 'retry', 'active') and left(name, 2) <> '__' group by name`.execute(db)
  return rows
}

interface SourceMeasure {
  source: string
  schedule: string | null
  /** Null before the first completed run. */
  lastRunAt: Date | null
  /** Whether the newest run failed. */
  failing: boolean
}

export const measureSources = async (db: Db): Promise<SourceMeasure[]> => {
  const { rows } = await sql<SourceMeasure>`
    select s.id as source, s.schedule,
      (select max(r.finished_at) from ingest_run r where r.source_id = s.id and r.state = 'completed') as last_run_at,
      coalesce((select r.state = 'failed' from ingest_run r where r.source_id = s.id order by r.id desc limit 1), false) as failing
    from source s order by s.id`.execute(db)
  return rows
}

/** Source files that cannot be used. */
export const countBrokenFiles = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) from source_file`.execute(db)
  return rows[0]!.count
}

export const databaseBytes = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(db)
  return rows[0]!.bytes
}
