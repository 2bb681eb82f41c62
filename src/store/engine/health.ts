// State of the database for `lotline doctor`.
import { type Database, type Db, defaultGroup, sql } from './database.ts'
import { expectedMigrations, rejectOldLayout, shardGroups } from './migrate.ts'
import type { WebhookEndpointTable } from './schema.ts'
import { staleViews, viewFiles } from './view-files.ts'

export const serverVersion = async (db: Db): Promise<string> => {
  const { rows } = await sql<{ serverVersion: string }>`show server_version`.execute(db)
  return rows[0]!.serverVersion
}

/** Migrations of this program that were not applied, and views that were not made. */
export const pendingMigrations = async (db: Db): Promise<string[]> => {
  const { rows: migrated } = await sql<{ exists: boolean }>`
    select to_regclass('public.migration') is not null as exists`.execute(db)
  if (!migrated[0]!.exists) return expectedMigrations([defaultGroup])
  await rejectOldLayout(db)
  const groups = await shardGroups(db)
  const names = await expectedMigrations(groups)
  const { rows } = await sql<{ name: string }>`select scope || '/' || name as name from public.migration`.execute(db)
  const applied = new Set(rows.map(({ name }) => name))
  const views = await viewFiles()
  const stale = await Promise.all(groups.map((group) => staleViews(db, group, views)))
  return [...names.filter((name) => !applied.has(name)), ...stale.flat().map(({ name }) => `views/${name}.sql`)]
}

/** True for a server that replays the changes of another and accepts no writes. */
export const isStandby = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(db)
  return rows[0]!.standby
}

interface DataSummary {
  sources: number
  sampleSources: number
  properties: number
  assessed: number
}

export const dataSummary = async (db: Db): Promise<DataSummary> => {
  const { rows } = await sql<DataSummary>`
    select (select count(*) from source) as sources, (select count(*) from source where sample) as sample_sources,
      (select count(*) from property) as properties, (select count(*) from assessment) as assessed`.execute(db)
  return rows[0]!
}

/** The markets that have records. */
export const marketsWithData = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ market: string }>`
    select distinct market from dataset_count where rows > 0 order by market`.execute(db)
  return rows.map(({ market }) => market)
}

/** An encrypted value, if there is one, to check that SECRET_KEY decrypts it. */
export const anySealedValue = async (db: Db): Promise<Buffer | undefined> => {
  const { rows } = await sql<Pick<WebhookEndpointTable, 'secret'>>`select secret from webhook_endpoint limit 1`.execute(
    db,
  )
  return rows[0]?.secret
}

/** Health checks give up after a few seconds. */
const checkMs = 1_500

/** Why the database cannot serve requests, known within two seconds; `further` checks run within the same time. */
export const databaseProblem = async (
  { within }: Pick<Database, 'within'>,
  further: (db: Db) => Promise<string | undefined> = async () => undefined,
): Promise<string | undefined> => {
  const db = within(AbortSignal.timeout(checkMs))
  try {
    const { rows } = await sql<{ readOnly: boolean }>`
      select current_setting('transaction_read_only')::boolean as read_only`.execute(db)
    return rows[0]!.readOnly ? 'the database is read-only' : await further(db)
  } catch {
    return 'the database does not answer'
  }
}
