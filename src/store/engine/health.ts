// State of the database for `lotline doctor`.
import { type Database, type Db, defaultGroup, firstValue, onlyRow, onlyValue, valuesOf } from './database.ts'
import { expectedMigrations, rejectOldLayout, shardGroups } from './migrate.ts'
import { staleViews, viewFiles } from './view-files.ts'

export const serverVersion = (db: Db) => onlyValue<string>(db)`show server_version`

/** Migrations of this program that were not applied, and views that were not made. */
export const pendingMigrations = async (db: Db): Promise<string[]> => {
  const isMigrated = await onlyValue<boolean>(db)`select to_regclass('public.migration') is not null`
  if (!isMigrated) return expectedMigrations([defaultGroup])
  await rejectOldLayout(db)
  const groups = await shardGroups(db)
  const names = await expectedMigrations(groups)
  const applied = new Set(await valuesOf<string>(db)`select scope || '/' || name as name from public.migration`)
  const views = await viewFiles()
  const stale = await Promise.all(groups.map((group) => staleViews(db, group, views)))
  return [...names.filter((name) => !applied.has(name)), ...stale.flat().map(({ name }) => `views/${name}.sql`)]
}

/** True for a server that replays the changes of another and accepts no writes. */
export const isStandby = (db: Db) => onlyValue<boolean>(db)`select pg_is_in_recovery() as standby`

export const dataSummary = (db: Db) =>
  onlyRow<{ sources: number; sampleSources: number; properties: number; assessed: number }>(db)`
    select (select count(*) from source) as sources, (select count(*) from source where sample) as sample_sources,
      (select count(*) from property) as properties, (select count(*) from assessment) as assessed`

export const marketsWithData = (db: Db) =>
  valuesOf<string>(db)`
    select distinct market from dataset_count where rows > 0 order by market`

/** An encrypted value, if there is one, to check that SECRET_KEY decrypts it. */
export const anySealedValue = (db: Db) => firstValue<Buffer>(db)`select secret from webhook_endpoint limit 1`

/** Health checks give up after a few seconds. */
const checkMs = 1_500

/** Why the database cannot serve requests, known within two seconds; `further` checks run within the same time. */
export const databaseProblem = async (
  { within }: Pick<Database, 'within'>,
  further: (db: Db) => Promise<string | undefined> = async () => undefined,
): Promise<string | undefined> => {
  const db = within(AbortSignal.timeout(checkMs))
  try {
    const isReadOnly = await onlyValue<boolean>(db)`select current_setting('transaction_read_only')::boolean`
    return isReadOnly ? 'the database is read-only' : await further(db)
  } catch {
    return 'the database does not answer'
  }
}
