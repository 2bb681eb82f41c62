// Whether this program can use a database, by the migrations recorded in it. A changed or unknown migration means other tables:
// the service would start and then fail at some requests.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { anyRow, type Db, execute, rowsOf, sql } from './database.ts'
import { fileHashes, folderOf, type MigrationFolder, migrationsDir, shared } from './migration-files.ts'

interface Recorded {
  scope: string
  name: string
  /** Null in a database of version 2. */
  hash: string | null
  /** Of the program that applied it. Null before version 4. */
  version: string | null
  appliedAt: Date
}

/** The last release that recorded no hashes: its migrations, and the tables they made. */
interface Release {
  migrations: Record<MigrationFolder, string[]>
  catalog: Record<MigrationFolder, string[]>
}
const unhashedRelease = '2.0.0'

/** Once edited by mistake and restored. What the edited files made differently is no longer read, so a database with them is accepted. */
const sameResult: Readonly<Record<string, string>> = {
  'group/0024_permits_not_issued.sql': '591c5d172bc424fbfa248693ce987ae6ded88850a0c58f3ea364752c19f4f88b',
  'group/0048_deal_terms.sql': 'b8aa23357b4b9e8e4044aba4477f69a6f1253e64ed3057d730e9c454dc751568',
  'group/0052_lawful_uses.sql': 'cb7d15eecd28e24ca25fdd7f33f0fbd2418ec218753e5811a46fc0c81d9ad4ba',
  'group/0053_search_by_law.sql': '2c6f2ab76c050ae808516f071164ff996bc4f8a46e64da14e93ff12d527f688e',
  'group/0054_offers.sql': 'c2b57ec64334bf019f6f5961104faab44dea4f55e2fd501dd7cf583078560fde',
}

let known: Promise<Map<string, string>> | undefined

/** Why this program cannot use the database, and what to do. `runningSince`: migrations added since then do not stop this process. */
export const migrationProblem = async (db: Db, runningSince?: Date): Promise<string | undefined> => {
  known ??= fileHashes()
  const hashes = await known
  const recorded = await recordedMigrations(db)
  const unknown = recorded.filter(
    (each) => !hashes.has(fileOf(each)) && !(runningSince && each.appliedAt > runningSince),
  )
  if (unknown.length > 0)
    return `The database has migrations that this version of Lotline does not have: ${list(unknown.map(label))}. A newer or an unreleased version wrote it. ${whatToDo(newestOf(unknown))}`
  const changed = recorded.filter(
    (each) =>
      each.hash !== null &&
      hashes.has(fileOf(each)) &&
      each.hash !== hashes.get(fileOf(each)) &&
      each.hash !== sameResult[fileOf(each)],
  )
  if (changed.length > 0)
    return `The database was written with other content of these migrations: ${list(changed.map(label))}. ${whatToDo(newestOf(changed))}`
  for (const scope of new Set(recorded.filter(({ hash }) => hash === null).map((each) => each.scope))) {
    const names = recorded.filter((each) => each.scope === scope && each.hash === null).map(({ name }) => name)
    const differences = await differencesFromRelease(db, scope, names)
    if (differences.length > 0)
      return `The database has no hashes of its migrations and differs from one of version ${unhashedRelease}: ${list(differences)}. ${whatToDo()}`
  }
  return undefined
}

const whatToDo = (version?: string) =>
  `Nothing was changed. Start ${version ? `Lotline ${version} or newer, which` : 'the version of Lotline that'} wrote this database. To go back to this version, restore a backup that it made into an empty database (deploy/README.md, Rollback).`

const newestOf = (recorded: readonly Recorded[]): string | undefined =>
  recorded
    .flatMap(({ version }) => version ?? [])
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .at(-1)

/** Adds what version 2 and 3 did not record, and the hashes in a database of version 2. Its tables were compared before. */
export const fillHashes = async (db: Db): Promise<void> => {
  for (const column of ['hash', 'version'])
    if (
      !(await anyRow(db)`
        select 1 from pg_attribute where attrelid = 'public.migration'::regclass and attname = ${column}`)
    )
      await execute(db)`alter table public.migration add column ${sql.id(column)} text`
  const hashes = await fileHashes()
  for (const each of await recordedMigrations(db))
    if (each.hash === null)
      await execute(db)`
        update public.migration set hash = ${hashes.get(fileOf(each))} where scope = ${each.scope} and name = ${each.name}`
}

const recordedMigrations = async (db: Db): Promise<Recorded[]> => {
  if (!(await anyRow(db)`select 1 where to_regclass('public.migration') is not null`)) return []
  return rowsOf<Recorded>(db)`
    select scope, name, to_jsonb(m) ->> 'hash' as hash, to_jsonb(m) ->> 'version' as version, applied_at from public.migration m order by scope, name`
}

const differencesFromRelease = async (db: Db, scope: string, names: readonly string[]): Promise<string[]> => {
  const folder = folderOf(scope)
  const release = JSON.parse(
    await readFile(join(migrationsDir, 'releases', `${unhashedRelease}.json`), 'utf8'),
  ) as Release
  return [
    ...differences(release.migrations[folder], names),
    ...differences(release.catalog[folder], await catalogOf(db, scope === shared ? 'public' : scope)),
  ]
}

const differences = (expected: readonly string[], actual: readonly string[]): string[] => {
  const [before, now] = [new Set(expected), new Set(actual)]
  return [
    ...expected.filter((line) => !now.has(line)).map((line) => `missing "${line}"`),
    ...actual.filter((line) => !before.has(line)).map((line) => `additional "${line}"`),
  ]
}

/** One line for each column, constraint and index of a schema, without its name. Staging tables are unlogged and come and go. */
const catalogOf = async (db: Db, schema: string): Promise<string[]> => {
  const rows = await rowsOf<{ line: string }>(db)`
    with kept as (
      select oid, relname from pg_class where relnamespace = ${schema}::text::regnamespace and relkind in ('r', 'p')
        and relpersistence = 'p' and relname <> 'migration')
    select line from (
      select k.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
        || case when a.attnotnull then ' not null' else '' end
        || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as line
      from kept k join pg_attribute a on a.attrelid = k.oid and a.attnum > 0 and not a.attisdropped
        left join pg_attrdef d on d.adrelid = k.oid and d.adnum = a.attnum
      union all
      select k.relname || ': ' || pg_get_constraintdef(c.oid) from kept k join pg_constraint c on c.conrelid = k.oid
      where c.contype in ('c', 'f', 'p', 'u')
      union all
      select pg_get_indexdef(i.indexrelid) from kept k join pg_index i on i.indrelid = k.oid) l
    order by line collate "C"`
  return rows.map(({ line }) => line.replaceAll(`${schema}.`, ''))
}

const fileOf = ({ scope, name }: Recorded): string => `${folderOf(scope)}/${name}`
const label = ({ scope, name }: Recorded): string => `${scope}/${name}`

const most = 5
const list = (items: readonly string[]): string =>
  items.length > most ? `${items.slice(0, most).join(', ')} and ${items.length - most} more` : items.join(', ')
