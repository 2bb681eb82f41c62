// Opens the database: the embedded server or the one at DATABASE_URL, checked and migrated.
import { type Config, makeDataDir } from '../config.ts'
import { databaseExists, startEmbedded } from '../embedded/server.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../store/engine/database.ts'
import { countStatements } from '../store/engine/database-status.ts'
import { isStandby, pendingMigrations } from '../store/engine/health.ts'
import { migrate } from '../store/engine/migrate.ts'
import { migrationProblem } from '../store/engine/migration-problem.ts'
import { openQueue } from '../store/engine/queue.ts'
import { checkServer, rejectTransactionPooler, UnusableServer } from '../store/engine/server-check.ts'

export type Store = Awaited<ReturnType<typeof openStore>>

/** A standby receives its migrations from the primary. */
const rejectPending = async ({ db }: Database): Promise<void> => {
  const problem = await migrationProblem(db)
  if (problem) throw new UnusableServer(problem)
  const pending = await pendingMigrations(db)
  if (pending.length > 0)
    throw new UnusableServer(
      `The database is a standby and lacks ${pending.length} migrations. Start Lotline on the primary first, which applies them.`,
    )
}

/** True until `openStore` has created the embedded database. */
export const hasNoDatabase = async (config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>): Promise<boolean> => {
  if (config.DATABASE_URL) return false
  makeDataDir(config.DATA_DIR)
  return !(await databaseExists(config.DATA_DIR))
}

export const openStore = async (
  config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'> & Partial<Pick<Config, 'LOG_LEVEL'>>,
  options: Pick<DatabaseOptions, 'poolSize' | 'statementTimeoutMs' | 'applicationName'> = {},
) => {
  if (!config.DATABASE_URL) makeDataDir(config.DATA_DIR)
  const embedded = config.DATABASE_URL
    ? undefined
    : await startEmbedded(config.DATA_DIR, { logLevel: config.LOG_LEVEL })
  const address: DatabaseOptions = embedded
    ? { socketDir: embedded.socketDir }
    : { connectionString: config.DATABASE_URL }
  const database = openDatabase({ ...address, ...options })
  const close = async () => {
    await database.close()
    await embedded?.stop()
  }
  try {
    await checkServer(database.db)
    if (!embedded) await rejectTransactionPooler(address)
    if (await isStandby(database.db)) await rejectPending(database)
    else await migrate(database)
    if (embedded) await countStatements(database)
  } catch (error) {
    await close()
    throw error
  }
  return {
    ...database,
    address,
    /** The data folder of the embedded server. */
    files: embedded?.files,
    close,
  }
}

/** With the queue, which closes before it. */
export const openWithQueue = async (...given: Parameters<typeof openStore>) => {
  const store = await openStore(...given)
  const queue = await openQueue(store.address)
  const close = async () => {
    await queue.close()
    await store.close()
  }
  return { ...store, queue, close }
}
