// Opens the database: the embedded server or the one at DATABASE_URL, checked and migrated.
import { type Config, makeDataDir } from '../config.ts'
import { startEmbedded } from '../embedded/server.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../store/engine/database.ts'
import { migrate } from '../store/engine/migrate.ts'
import { checkServer } from '../store/engine/server-check.ts'

export interface Store extends Database {
  address: DatabaseOptions
  /** The data folder of the embedded server. */
  files?: string
}

export const openStore = async (
  config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>,
  options: Pick<DatabaseOptions, 'poolSize' | 'statementTimeoutMs' | 'applicationName'> = {},
): Promise<Store> => {
  if (!config.DATABASE_URL) makeDataDir(config.DATA_DIR)
  const embedded = config.DATABASE_URL ? undefined : await startEmbedded(config.DATA_DIR)
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
    await migrate(database)
  } catch (error) {
    await close()
    throw error
  }
  return { ...database, address, files: embedded?.files, close }
}
