// What the service knows about the sources apart from their data: files that cannot be used, and pauses.
import { type Db, inTransaction, sql } from '../engine/database.ts'
import type { SourceFileTable, SourcePauseTable } from '../engine/schema.ts'

type SourceFile = Pick<SourceFileTable, 'file' | 'problem' | 'foundAt'>

/** Replaces the list of unusable files. A known problem keeps the time it was found. Returns the new ones. */
export const recordBrokenFiles = async (
  db: Db,
  broken: readonly { file: string; reason: string }[],
  now: Date,
): Promise<Pick<SourceFile, 'file' | 'problem'>[]> =>
  inTransaction(db, async (tx) => {
    const files = broken.map(({ file }) => file)
    await sql`delete from source_file where file <> all(${files}::text[])`.execute(tx)
    if (broken.length === 0) return []
    const { rows } = await sql<Pick<SourceFile, 'file' | 'problem'>>`
      insert into source_file (file, problem, found_at)
      select f.file, f.problem, ${now} from unnest(${files}::text[], ${broken.map(({ reason }) => reason)}::text[]) as f (file, problem)
      on conflict (file) do update set problem = excluded.problem, found_at = excluded.found_at
        where source_file.problem <> excluded.problem
      returning file, problem`.execute(tx)
    return rows
  })

export const brokenFiles = async (db: Db): Promise<SourceFile[]> => {
  const { rows } = await sql<SourceFile>`select file, problem, found_at from source_file order by file`.execute(db)
  return rows
}

export const pausedSources = async (db: Db): Promise<Set<string>> => {
  const { rows } = await sql<Pick<SourcePauseTable, 'sourceId'>>`select source_id from source_pause`.execute(db)
  return new Set(rows.map(({ sourceId }) => sourceId))
}

export const pauseSource = async (db: Db, id: string, now: Date): Promise<void> => {
  await sql`insert into source_pause (source_id, paused_at) values (${id}, ${now}) on conflict do nothing`.execute(db)
}

/** False if the source was not paused. */
export const resumeSource = async (db: Db, id: string): Promise<boolean> => {
  const { rows } = await sql`delete from source_pause where source_id = ${id} returning 1`.execute(db)
  return rows.length > 0
}
