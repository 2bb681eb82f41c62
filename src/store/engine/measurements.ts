// What metrics report about the database: queues, source files and size. Each is one short query.
import { type Db, onlyValue, rowsOf } from './database.ts'

export const measureQueues = (db: Db) =>
  rowsOf<{
    queue: string
    /** Jobs that are due and wait for a worker. */
    waiting: number
    /** Jobs that a worker has fetched. */
    active: number
    /** How long the oldest due job has waited. */
    oldestSeconds: number
  }>(db)`
    select name as queue,
      count(*) filter (where state in ('created', 'retry') and start_after <= now()) as waiting,
      count(*) filter (where state = 'active') as active,
      coalesce(extract(epoch from now() - min(start_after) filter
        (where state in ('created', 'retry') and start_after <= now())), 0)::float8 as oldest_seconds
    from pgboss.job where state in ('created', 'retry', 'active') and left(name, 2) <> '__' group by name`

/** Source files that cannot be used. */
export const countBrokenFiles = (db: Db) => onlyValue<number>(db)`select count(*) from source_file`

export const databaseBytes = (db: Db) => onlyValue<number>(db)`select pg_database_size(current_database()) as bytes`
