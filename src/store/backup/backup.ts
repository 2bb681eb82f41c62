// A logical backup in one file: every table by COPY, all in one snapshot, with counts and checksums. The embedded engine
// ships no pg_dump, and this works the same against any server.
//
// The queue's own tables are not in it: they belong to pg-boss and change with its version. What waits in them is made
// again from our tables (deliveries by their sweep, scheduled work by its schedule), except mails not yet sent: those are
// taken along as jobs, sealed as they are, and queued anew.
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Sealer } from '../../secrets/seal.ts'
import type { Database } from '../engine/database.ts'
import { type BackupWriter, UnfitBackup, writeBackup } from './backup-file.ts'
import {
  appliedMigrations,
  type BackedTable,
  backedTables,
  quoted,
  quotedTable,
  type SequenceState,
  sequenceStates,
} from './backup-tables.ts'

export const backupFormat = 2

export interface BackupHeader {
  format: number
  createdAt: string
  migrations: string[]
  /** Shows whether secrets in it were sealed with a given SECRET_KEY, without revealing that key. */
  keyMark: string
}

export interface TableManifest {
  rows: number
  sha256: string
}

export interface Manifest extends BackupHeader {
  tables: Record<string, TableManifest>
  sequences: SequenceState[]
  mails: number
}

export const keyMarkOf = (sealer: Sealer): string => sealer.sign('backup', 'secret-key')

export const backUp = async (
  { pool }: Pick<Database, 'pool'>,
  file: string,
  { sealer, now }: { sealer: Sealer; now: Date },
): Promise<Manifest> => {
  const client = await pool.connect()
  const writer = writeBackup(file)
  try {
    await client.query('begin isolation level repeatable read read only')
    for (const setting of snapshotSettings) await client.query(`set local ${setting}`)
    const header: BackupHeader = {
      format: backupFormat,
      createdAt: now.toISOString(),
      migrations: await appliedMigrations(client),
      keyMark: keyMarkOf(sealer),
    }
    await writer.write('H', header)
    const tables: Manifest['tables'] = {}
    for (const table of await backedTables(client)) tables[table.name] = await dumpTable(client, table, writer)
    const mails = await waitingMails(client)
    if (mails.length > 0) await writer.write('T', { mails })
    const manifest = { ...header, tables, sequences: await sequenceStates(client), mails: mails.length }
    await writer.write('M', manifest)
    await client.query('commit')
    await writer.finish()
    client.release()
    return manifest
  } catch (error) {
    await writer.abandon()
    // Whatever state it is in, this connection is not used again.
    client.release(true)
    if (['ENOENT', 'EACCES', 'EISDIR', 'ENOSPC'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw new UnfitBackup(`${file} cannot be written: ${(error as Error).message}`)
    throw error
  }
}

/** The same bytes wherever and however it is taken, and as long as it takes. */
const snapshotSettings = [
  'statement_timeout = 0',
  'idle_in_transaction_session_timeout = 0',
  "timezone = 'UTC'",
  "datestyle = 'ISO, YMD'",
  "intervalstyle = 'iso_8601'",
  'extra_float_digits = 1',
  "bytea_output = 'hex'",
]

const dumpTable = async (
  client: pg.PoolClient,
  { name, columns, orderBy }: BackedTable,
  writer: BackupWriter,
): Promise<TableManifest> => {
  await writer.write('T', { name, columns })
  const order = (orderBy.length > 0 ? orderBy : columns).map(quoted).join(', ')
  const rows = client.query(
    copyTo(`copy (select ${columns.map(quoted).join(', ')} from ${quotedTable(name)} order by ${order}) to stdout`),
  )
  const hash = createHash('sha256')
  for await (const chunk of rows) {
    hash.update(chunk as Buffer)
    await writer.write('D', chunk as Buffer)
  }
  return { rows: rows.rowCount, sha256: hash.digest('hex') }
}

const waitingMails = async (client: pg.ClientBase): Promise<object[]> => {
  const { rows: there } = await client.query(`select to_regclass('pgboss.job') is not null as queue`)
  if (!there[0].queue) return []
  const { rows } = await client.query<{ data: object }>(
    `select data from pgboss.job where name = 'mail' and state in ('created', 'retry', 'active') order by created_on, id`,
  )
  return rows.map(({ data }) => data)
}
