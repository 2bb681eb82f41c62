import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sealerOf } from '../../../src/secrets/seal.ts'
import { backUp } from '../../../src/store/backup/backup.ts'
import { restore } from '../../../src/store/backup/restore.ts'
import { type Database, openDatabase, sql } from '../../../src/store/engine/database.ts'
import { openQueue, type Queue } from '../../../src/store/engine/queue.ts'
import { addShard, listShards, moveMarket } from '../../../src/store/engine/shards.ts'
import { propertyById } from '../../../src/store/properties/properties.ts'
import { newDatabase } from '../../setup/database.ts'
import { listing, permit, property } from '../../setup/rows.ts'

const sealer = sealerOf(randomBytes(32))
const now = new Date('2026-11-15T12:00:00Z')
let dir: string
const open: (Database & { queue: Queue })[] = []
const instance = async () => {
  const address = await newDatabase()
  const made = { ...openDatabase(address), queue: await openQueue(address) }
  open.push(made)
  return made
}
let store: Database & { queue: Queue }
let peninsula: string
let island: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lotline-group-backup-'))
  store = await instance()
  peninsula = await listing(store.db)
  await permit(store.db, { property_id: peninsula })
  island = await property(store.db, { market: 'nantucket', city: 'Nantucket' })
  await addShard(store, 'g05')
  await moveMarket(store, 'nantucket', 'g05', { graceMs: 0 })
})
afterAll(async () => {
  for (const each of open) {
    await each.queue.close()
    await each.close()
  }
  await rm(dir, { recursive: true, force: true })
})

test('a backup of all groups restored into a database with one group creates the others', async () => {
  const file = join(dir, 'all.backup')
  const taken = await backUp(store, file, { sealer, now })
  expect(Object.keys(taken.tables)).toEqual(expect.arrayContaining(['g00.property', 'g05.property', 'public.api_key']))
  const other = await instance()
  await restore(other, file, { sealer })
  expect((await listShards(other.db)).map(({ name, markets }) => [name, markets])).toEqual(
    (await listShards(store.db)).map(({ name, markets }) => [name, markets]),
  )
  const { rows } = await sql<{ id: string }>`select id from all_groups.property order by market`.execute(other.db)
  expect(rows).toEqual([{ id: island }, { id: peninsula }])
})

test('a backup of one group has only its rows and is restored beside other groups', async () => {
  const file = join(dir, 'g05.backup')
  const taken = await backUp(store, file, { sealer, now, group: 'g05' })
  expect(Object.keys(taken.tables).every((name) => name.startsWith('g05.'))).toBe(true)
  expect(taken.tables['g05.property']!.rows).toBe(1)
  const other = await instance()
  const kept = await listing(other.db, { address: '9 Kept St' })
  await restore(other, file, { sealer })
  const reopened = await openAgain(other)
  expect(await propertyById(reopened.db, island)).toMatchObject({ market: 'nantucket' })
  expect(await propertyById(reopened.db, kept)).toMatchObject({ address: '9 Kept St' })
  await expect(restore(other, file, { sealer })).rejects.toThrow(/not empty: table g05/)
  await expect(backUp(store, join(dir, 'no.backup'), { sealer, now, group: 'g77' })).rejects.toThrow(
    /no shard group g77/,
  )
})

/** A new process, which reads anew where each market is. */
const openAgain = async ({ pool }: Database) => {
  const { rows } = await pool.query(
    `select current_database() as database, current_setting('unix_socket_directories') as "socketDir"`,
  )
  const made = { ...openDatabase(rows[0]), queue: await openQueue(rows[0]) }
  open.push(made)
  return made
}
