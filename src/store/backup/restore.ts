// Restores a backup into an empty, migrated database, in one transaction and checked against the manifest.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { messageOf } from '../../common/typed.ts'
import type { Sealer } from '../../secrets/seal.ts'
import type { Database } from '../engine/database.ts'
import { writeGroupViews } from '../engine/group-views.ts'
import { shardGroups } from '../engine/migrate.ts'
import type { Queue } from '../engine/queue.ts'
import { addShard } from '../engine/shards.ts'
import { isDatabaseUnavailable } from '../engine/unavailable.ts'
import { dataChannel } from '../ingest/freshness.ts'
import { type BackupHeader, backupFormat, type Manifest, secretKeyFingerprint } from './backup.ts'
import { readBackup, UnusableBackup } from './backup-file.ts'
import { appliedMigrations, marketTable, quoted, quotedTable, tablesToBackUp } from './backup-tables.ts'

export const restore = async (
  database: Pick<Database, 'pool' | 'db'> & { queue: Queue },
  file: string,
  { sealer, onTable }: { sealer: Sealer; onTable?: (name: string) => void },
): Promise<Manifest> => {
  await createGroups(database, file).catch((error: unknown) => {
    throw damage(error, file)
  })
  const client = await database.pool.connect()
  let broken = false
  try {
    await client.query('begin')
    for (const setting of ['statement_timeout = 0', 'lock_timeout = 0', 'idle_in_transaction_session_timeout = 0'])
      await client.query(`set local ${setting}`)
    const manifest = await load(client, database.queue, file, { sealer, onTable }).catch((error: unknown) => {
      throw damage(error, file)
    })
    await client.query(`select pg_notify($1, '')`, [dataChannel])
    await client.query('commit')
    // The backup says which market is in which group.
    await database.db.transaction().execute(writeGroupViews)
    return manifest
  } catch (error) {
    broken = true
    throw error
  } finally {
    client.release(broken)
  }
}

/** An empty database has one group. Those of the backup are created before the transaction that fills them. */
const createGroups = async (database: Pick<Database, 'db'>, file: string): Promise<void> => {
  const header = await readHeader(file)
  const wanted = header.group ? [header.group.name] : (header.migrations ?? []).map((name) => name.split('/')[0]!)
  const here = await shardGroups(database.db)
  for (const group of new Set(wanted))
    if (/^g\d\d$/.test(group) && !here.includes(group)) await addShard(database, group)
}

const readHeader = async (file: string): Promise<BackupHeader> => {
  for await (const { kind, payload } of readBackup(file)) {
    if (kind === 'H') return JSON.parse(payload.toString()) as BackupHeader
    break
  }
  throw new UnusableBackup(`${file} is not a Lotline backup.`)
}

/** Sources that exist already keep their present configuration, and markets move to the group of the backup. */
const restoreGroupHeader = async (client: pg.PoolClient, group: NonNullable<BackupHeader['group']>): Promise<void> => {
  await client.query(
    `insert into public.source select * from jsonb_populate_recordset(null::public.source, $1) on conflict (id) do nothing`,
    [JSON.stringify(group.sources)],
  )
  await client.query('update public.market set shard_group = $1 where id = any($2)', [group.name, group.markets])
}

/** A changed byte may show as JSON or rows that cannot be read, long before the checksum at the end of the file is reached. */
const damage = (error: unknown, file: string): unknown =>
  error instanceof UnusableBackup || isDatabaseUnavailable(error)
    ? error
    : new UnusableBackup(`${file} is damaged and was not restored (${messageOf(error)}).`, { cause: error })

const load = async (
  client: pg.PoolClient,
  queue: Queue,
  file: string,
  { sealer, onTable }: { sealer: Sealer; onTable?: (name: string) => void },
): Promise<Manifest> => {
  const loaded: Manifest['tables'] = {}
  let mails = 0
  let filling: Filling | undefined
  let manifest: Manifest | undefined
  let headerRead = false
  const close = async () => {
    if (filling) loaded[filling.name] = await filled(filling)
    filling = undefined
  }
  for await (const { kind, payload } of readBackup(file)) {
    if (!headerRead && kind !== 'H') throw new UnusableBackup(`${file} is not a Lotline backup.`)
    if (manifest)
      throw new UnusableBackup(`${file} has several backups joined in one file. Restore a file with one backup.`)
    if (kind === 'D') {
      await feed(filling!, payload)
      continue
    }
    await close()
    const record = JSON.parse(payload.toString())
    if (kind === 'H') {
      headerRead = true
      const header = record as BackupHeader
      await checkHeader(client, header, sealer)
      if (header.group) await restoreGroupHeader(client, header.group)
    } else if (kind === 'T' && record.mails) {
      mails = await queueMails(client, queue, record.mails)
    } else if (kind === 'T') {
      // The backup contains the group of each market.
      if (record.name === marketTable) await client.query(`delete from ${quotedTable(marketTable)}`)
      onTable?.(record.name)
      filling = fill(client, record.name, record.columns)
    } else if (kind === 'M') manifest = record
  }
  if (!manifest) throw new UnusableBackup(`${file} is truncated: it has no manifest.`)
  for (const [name, { rows, sha256 }] of Object.entries(manifest.tables))
    if (loaded[name]?.rows !== rows || loaded[name].sha256 !== sha256)
      throw new UnusableBackup(`${file} is damaged: table ${name} does not match its manifest.`)
  if (mails !== manifest.mails) throw new UnusableBackup(`${file} is damaged: waiting mails are missing.`)
  for (const { name, lastValue, isCalled } of manifest.sequences)
    await client.query('select setval($1::regclass, $2::bigint, $3)', [quotedTable(name), lastValue, isCalled])
  // Without statistics the first searches would read whole tables, until autovacuum collects them.
  await client.query('analyze')
  return manifest
}

const checkHeader = async (client: pg.PoolClient, header: BackupHeader, sealer: Sealer) => {
  if (header.format !== backupFormat)
    throw new UnusableBackup(`The backup has format ${header.format}; this program reads format ${backupFormat}.`)
  const { group } = header
  // A group is restored into a database with other groups.
  const compared = (names: string[]) =>
    group ? names.filter((name) => name.startsWith('shared/') || name.startsWith(`${group.name}/`)) : names
  const [there, here] = [compared(header.migrations), compared(await appliedMigrations(client))]
  const [missing, extra] = [minus(there, here), minus(here, there)]
  if (missing.length > 0 || extra.length > 0)
    throw new UnusableBackup(
      `The backup was made with other migrations${missing.length > 0 ? `; this program lacks ${missing.join(', ')}` : ''}${
        extra.length > 0 ? `; this program adds ${extra.join(', ')}` : ''
      }. Restore it with the version of Lotline that made it, then upgrade.`,
    )
  if (header.keyMark !== secretKeyFingerprint(sealer))
    throw new UnusableBackup(
      'The backup was made with another SECRET_KEY, so its webhook secrets and waiting mails cannot be decrypted. Set SECRET_KEY to that one, or copy its file secret-key to DATA_DIR.',
    )
  if (group) {
    const { rows } = await client.query<{ id: string }>(
      `select id from public.market where id = any($1) and shard_group <> $2`,
      [group.markets, group.name],
    )
    for (const { id } of rows) await rejectFilledMarket(client, id)
  }
  for (const { name } of await tablesToBackUp(client, group?.name)) {
    if (name === marketTable) continue
    const { rowCount } = await client.query(`select 1 from ${quotedTable(name)} limit 1`)
    if (rowCount)
      throw new UnusableBackup(`The database is not empty: table ${name} has rows. Restore into a new, empty database.`)
  }
}

/** Restoring would hide the rows that the market has in its present group. */
const rejectFilledMarket = async (client: pg.PoolClient, market: string): Promise<void> => {
  const { rows } = await client.query<{ group: string }>(
    'select shard_group as group from public.market where id = $1',
    [market],
  )
  const { group } = rows[0]!
  const { rowCount } = await client.query(
    `select 1 from ${quotedTable(`${group}.property`)} where market = $1 limit 1`,
    [market],
  )
  if (rowCount)
    throw new UnusableBackup(`Market ${market} has rows in shard group ${group}. Delete them, or restore elsewhere.`)
}

const minus = (all: string[], others: string[]) => all.filter((each) => !others.includes(each))

type Filling = ReturnType<typeof fill>

const fill = (client: pg.PoolClient, name: string, columns: string[]) => {
  const stream = client.query(copyFrom(`copy ${quotedTable(name)} (${columns.map(quoted).join(', ')}) from stdin`))
  const failed = new Promise<never>((_, reject) => stream.on('error', reject))
  failed.catch(() => {})
  return { name, stream, hash: createHash('sha256'), failed }
}

const feed = async ({ stream, hash, failed }: Filling, chunk: Buffer) => {
  hash.update(chunk)
  // One chunk at a time: the library throws outside of any call when the server rejects a row while others are buffered.
  await Promise.race([new Promise<void>((done) => stream.write(chunk, () => done())), failed])
}

const filled = async ({ stream, hash, failed }: Filling) => {
  const finished = once(stream, 'finish')
  stream.end()
  await Promise.race([finished, failed])
  return { rows: stream.rowCount, sha256: hash.digest('hex') }
}

/** Enqueues the mails in the same transaction, so that a failed restore enqueues nothing. */
const queueMails = async (client: pg.PoolClient, queue: Queue, mails: object[]): Promise<number> => {
  await queue.boss.insert(
    'mail',
    mails.map((data) => ({ data })),
    { db: { executeSql: (text: string, values?: unknown[]) => client.query(text, values) } },
  )
  return mails.length
}
