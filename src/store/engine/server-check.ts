// Settings that a PostgreSQL server must have so that acknowledged writes are durable.
import pg from 'pg'
import { OperatorError } from '../../common/operator-error.ts'
import { type DatabaseOptions, type Db, rowsOf, serverAddress } from './database.ts'

export class UnusableServer extends OperatorError {}

export const checkServer = async (db: Db): Promise<void> => {
  const rows = await rowsOf<{ name: string; setting: string }>(db)`
    select name, setting from pg_settings
    where name in ('server_version_num', 'fsync', 'full_page_writes', 'synchronous_commit', 'server_encoding')`.catch(
    (error: unknown) => {
      throw unreachable(error) ?? error
    },
  )
  checkSettings(new Map(rows.map((row) => [row.name, row.setting])))
}

/**
 * A transaction pooler gives each transaction any server connection, so search path, prepared statements, locks and `NOTIFY` of
 * one session meet those of another. It shows when a setting of one client appears in the session of the next one.
 */
export const rejectTransactionPooler = async (address: DatabaseOptions): Promise<void> => {
  const clients = [new pg.Client(serverAddress(address)), new pg.Client(serverAddress(address))] as const
  for (const client of clients) client.on('error', () => {})
  try {
    for (const client of clients) await client.connect()
    const mark = `${process.pid}.${performance.now()}`
    // Other clients of a busy pooler may take the marked connection in between.
    for (let attempt = 0; attempt < 5; attempt++) {
      await clients[0].query("select set_config('lotline.session', $1, false)", [mark])
      const { rows } = await clients[1].query("select current_setting('lotline.session', true) as mark")
      if (rows[0].mark === mark)
        throw new UnusableServer(
          'DATABASE_URL points at a pooler in transaction mode, through which prepared statements, locks and notifications ' +
            'do not work. Connect directly, or set pool_mode=session for this database.',
        )
    }
  } catch (error) {
    throw unreachable(error) ?? error
  } finally {
    for (const client of clients) await client.end().catch(() => {})
  }
}

/** Errors that the operator has to correct: no server, unknown host, rejected login (28xxx) or missing database (3D000). */
const unreachable = (error: unknown): UnusableServer | undefined => {
  const { code = '', message } = error as { code?: string; message: string }
  return /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|28...|3D000)$/.test(code)
    ? new UnusableServer(
        `The PostgreSQL server cannot be used (${message || code}). Start it, or correct DATABASE_URL.`,
        { cause: error },
      )
    : undefined
}

export const checkSettings = (setting: ReadonlyMap<string, string>): void => {
  const version = Math.floor(Number(setting.get('server_version_num')) / 10_000)
  if (version < 15)
    throw new UnusableServer(`PostgreSQL ${version} is too old: Lotline needs 15 or newer. Point DATABASE_URL at one.`)
  for (const name of ['fsync', 'full_page_writes'])
    if (setting.get(name) !== 'on')
      throw new UnusableServer(
        `The PostgreSQL server runs with ${name}=${setting.get(name)}: a crash could lose acknowledged writes. Set ${name}=on and restart it.`,
      )
  if (setting.get('synchronous_commit') === 'off')
    throw new UnusableServer(
      'The PostgreSQL server runs with synchronous_commit=off: a crash could lose acknowledged writes. Set it to on.',
    )
  if (setting.get('server_encoding') !== 'UTF8')
    throw new UnusableServer(
      `The database is encoded in ${setting.get('server_encoding')}: create it with encoding UTF8.`,
    )
}
