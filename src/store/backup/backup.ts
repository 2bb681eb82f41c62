// A logical backup in one file: every table by COPY, all in one snapshot, with counts and checksums. The embedded PostgreSQL has
// no pg_dump, and this works the same with any server.
//
// The tables of the queue are left out: they belong to pg-boss and change with its version. Their jobs are created again from the
// backed up tables (deliveries by the search for overdue ones, scheduled work by its schedule). Only mails that were not sent exist
// nowhere else, so they are stored as encrypted jobs and enqueued again.
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { codeOf, messageOf } from '../../common/typed.ts'
import type { Sealer } from '../../secrets/seal.ts'
import type { Database } from '../engine/database.ts'
import { type BackupWriter, UnusableBackup, writeBackup } from './backup-file.ts'
import {
  appliedMigrations,
  type BackupTable,
  quoted,
  quotedTable,
  type SequenceState,
  sequenceStates,
  tablesToBackUp,
} from './backup-tables.ts'

export const backupFormat = 2

export interface BackupHeader {
  format: number
  createdAt: string
  migrations: string[]
  /** Set if the backup contains one shard group: its name, its markets, and the sources its rows refer to. */
  group?: { name: string; markets: string[]; sources: object[] }
  /** Shows whether the secrets in the backup were encrypted with a given SECRET_KEY, without revealing it. */
  keyMark: string
}

export interface Manifest extends BackupHeader {
  tables: Record<string, { rows: number; sha256: string }>
  sequences: SequenceState[]
  mails: number
}

export const secretKeyFingerprint = (sealer: Sealer): string => sealer.sign('backup', 'secret-key')

export const backUp = async (
  { pool }: Pick<Database, 'pool'>,
  file: string,
  {
    sealer,
    now,
    group,
    onProgress,
  }: { sealer: Sealer; now: Date; group?: string; onProgress?: (share: number, table: string) => void },
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
      ...(group === undefined ? {} : { group: await groupHeader(client, group) }),
      keyMark: secretKeyFingerprint(sealer),
    }
    await writer.write('H', header)
    const tables: Manifest['tables'] = {}
    const wanted = await tablesToBackUp(client, group)
    for (const [at, table] of wanted.entries()) {
      onProgress?.(at / wanted.length, table.name)
      tables[table.name] = await dumpTable(client, table, writer)
    }
    const mails = group === undefined ? await waitingMails(client) : []
    if (mails.length > 0) await writer.write('T', { mails })
    const manifest = { ...header, tables, sequences: await sequenceStates(client, group), mails: mails.length }
    await writer.write('M', manifest)
    await client.query('commit')
    await writer.finish()
    client.release()
    return manifest
  } catch (error) {
    await writer.abandon()
    // The state of the connection is unknown, so it is closed.
    client.release(true)
    if (['ENOENT', 'EACCES', 'EISDIR', 'ENOSPC'].includes(codeOf(error)))
      throw new UnusableBackup(`${file} cannot be written: ${messageOf(error)}`)
    throw error
  }
}

const groupHeader = async (client: pg.ClientBase, name: string): Promise<BackupHeader['group']> => {
  const { rows: markets } = await client.query<{ id: string }>(
    'select id from public.market where shard_group = $1 order by id',
    [name],
  )
  const { rows: exists } = await client.query(`select 1 from public.migration where scope = $1 limit 1`, [name])
  if (exists.length === 0) throw new UnusableBackup(`There is no shard group ${name}. See lotline shards list.`)
  const { rows: sources } = await client.query<{ source: object }>(
    `select to_jsonb(s) as source from public.source s order by s.id`,
  )
  return { name, markets: markets.map(({ id }) => id), sources: sources.map(({ source }) => source) }
}

/** No time limits, and fixed output formats, so that the same data gives the same bytes on every server. */
const snapshotSettings = [
  'statement_timeout = 0',
  'idle_in_transaction_session_timeout = 0',
  "timezone = 'UTC'",
  "datestyle = 'ISO, YMD'",
  "intervalstyle = 'iso_8601'",
  'extra_float_digits = 1',
  "bytea_output = 'hex'",
]

const dumpTable = async (client: pg.PoolClient, { name, columns, orderBy }: BackupTable, writer: BackupWriter) => {
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
  const { rows: jobs } = await client.query(`select to_regclass('pgboss.job') is not null as exists`)
  if (!jobs[0].exists) return []
  const { rows } = await client.query<{ data: object }>(
    `select data from pgboss.job where name = 'mail' and state in ('created', 'retry', 'active') order by created_on, id`,
  )
  return rows.map(({ data }) => data)
}
