// The views of shard groups: views/<name>.sql, edited in place. A database records in the comment of a view which definition made it.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Db, rowsOf } from './database.ts'
import { hashOf } from './migration-files.ts'

export const viewsDir = join(import.meta.dirname, '../../../views')

export interface View {
  name: string
  text: string
  /** Rises with every change: `npm run schema` writes it to views/versions.json. */
  version: number
}

export const viewFiles = async (): Promise<View[]> => {
  const versions: Record<string, { version: number }> = JSON.parse(
    await readFile(join(viewsDir, 'versions.json'), 'utf8'),
  )
  return Promise.all(
    Object.entries(versions).map(async ([name, { version }]) => ({
      name,
      version,
      text: await readFile(join(viewsDir, `${name}.sql`), 'utf8'),
    })),
  )
}

export const viewMark = ({ name, version, text }: View): string =>
  `Made from views/${name}.sql, version ${version}, sha256 ${hashOf(text)}`

/** The views whose definition differs. That of a newer version stays: it has at least the same columns, for processes not upgraded yet. */
export const staleViews = async (db: Db, group: string, views: readonly View[]): Promise<View[]> => {
  const rows = await rowsOf<{ name: string; mark: string | null }>(db)`
    select c.relname as name, obj_description(c.oid, 'pg_class') as mark from pg_class c
    where c.relnamespace = to_regnamespace(${group}) and c.relkind = 'v'`
  const marks = new Map(rows.map(({ name, mark }) => [name, mark ?? '']))
  return views.filter((view) => {
    const mark = marks.get(view.name) ?? ''
    return mark !== viewMark(view) && !(Number(/, version (\d+), /.exec(mark)?.[1] ?? 0) > view.version)
  })
}
