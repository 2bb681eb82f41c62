// What the service knows about the sources apart from their data: files that cannot be used, and pauses.
import { tableOfRows } from '../engine/columns.ts'
import { anyRow, type Db, execute, inTransaction, rowsOf, valuesOf } from '../engine/database.ts'
import type { SourceFileTable } from '../engine/schema.ts'

type SourceFile = Pick<SourceFileTable, 'file' | 'problem' | 'foundAt'>

/** Replaces the list of unusable files. A known problem keeps the time it was found. */
export const recordBrokenFiles = async (db: Db, broken: readonly { file: string; reason: string }[], now: Date) =>
  inTransaction(db, async (tx) => {
    const files = broken.map(({ file }) => file)
    await execute(tx)`delete from source_file where file <> all(${files}::text[])`
    await execute(tx)`
      insert into source_file (file, problem, found_at)
      select file, reason, ${now} from ${tableOfRows(broken, { file: 'text', reason: 'text' })}
      on conflict (file) do update set problem = excluded.problem, found_at = excluded.found_at
        where source_file.problem <> excluded.problem`
  })

export const brokenFiles = (db: Db) =>
  rowsOf<SourceFile>(db)`select file, problem, found_at from source_file order by file`

export const pausedSources = async (db: Db): Promise<Set<string>> =>
  new Set(await valuesOf<string>(db)`select source_id from source_pause`)

export const pauseSource = async (db: Db, id: string, now: Date): Promise<void> => {
  await execute(db)`insert into source_pause (source_id, paused_at) values (${id}, ${now}) on conflict do nothing`
}

/** False if the source was not paused. */
export const resumeSource = (db: Db, id: string) =>
  anyRow(db)`delete from source_pause where source_id = ${id} returning 1`
