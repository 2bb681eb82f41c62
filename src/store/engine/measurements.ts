// What metrics report about the database: queues, source files and size. Each is one short query.
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

/** Source files that cannot be used. */
export const countBrokenFiles = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) from source_file`.execute(db)
  return rows[0]!.count
}

export const databaseBytes = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(db)
  return rows[0]!.bytes
}
