import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sealerOf } from '../../../src/secrets/seal.ts'
import { backUp } from '../../../src/store/backup/backup.ts'
import { restore } from '../../../src/store/backup/restore.ts'
import { type Database, openDatabase, sql } from '../../../src/store/engine/database.ts'
import { openQueue, type Queue } from '../../../src/store/engine/queue.ts'
import { hashOf, insertKey, keyByHash } from '../../../src/store/keys/keys.ts'
import { enqueueMail, openMail } from '../../../src/store/keys/mails.ts'
import { permitPage } from '../../../src/store/permits/permits.ts'
import { newDatabase } from '../../setup/database.ts'
import { assessment, completedRun, listing, manyPermits, permit, property, sale } from '../../setup/rows.ts'

const sealer = sealerOf(randomBytes(32))
const now = new Date('2026-11-15T12:00:00Z')
let dir: string
let file: string
const open: (Database & { queue: Queue })[] = []
const instance = async () => {
  const address = await newDatabase()
  const made = { ...openDatabase(address), queue: await openQueue(address) }
  open.push(made)
  return made
}
let source: Database & { queue: Queue }
let key: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lotline-backup-'))
  file = join(dir, 'lotline.backup')
  source = await instance()
  const { db } = source
  await manyPermits(db, 5_000)
  await permit(db, { description: 'tab\there, line\nthere, back\\slash, \\N, ünïcode 🏠', class_words: ['a', 'b,"c'] })
  const id = await listing(db, { price_usd: 0.1 + 0.2 })
  await assessment(db, id, { rank_score: 1 / 3, proforma: { roiPct: 1.5, note: 'null\\u0000' } })
  await property(db)
  await sale(db)
  // Sequences that have passed 1, where a new one begins.
  for (let run = 0; run < 3; run++) await completedRun(db, 'test', now)
  key = (await insertKey(db, { plan: 'pro', email: 'backup@example.com' })).key
  await sql`insert into event (id, type, market, body) values ('evt_1', 'permit.created', 'sf-peninsula', '{}')`.execute(
    db,
  )
  const mail = { kind: 'key', to: 'a@example.com', subject: 's', text: 't', html: 'h' }
  await enqueueMail(db, { queue: source.queue, sealer }, mail)
})
afterAll(async () => {
  for (const each of open) {
    await each.queue.close()
    await each.close()
  }
  await rm(dir, { recursive: true, force: true })
})

test('a backup restored into a new database gives the same counts and checksums', async () => {
  const taken = await backUp(source, file, { sealer, now })
  expect(taken.tables['g00.permit']!.rows).toBe(5_001)
  const other = await instance()
  expect(await restore(other, file, { sealer })).toEqual(taken)
  const again = await backUp(other, join(dir, 'again.backup'), { sealer, now })
  expect(again.tables).toEqual(taken.tables)
  expect(again.sequences).toEqual(taken.sequences)
  expect(taken.sequences.filter(({ lastValue }) => Number(lastValue) > 1)).not.toEqual([])
  expect(again.mails).toBe(1)
  // Keys are accepted, mails can be decrypted, and sequences continue.
  expect((await keyByHash(other.db, hashOf(key)))?.plan).toBe('pro')
  const [job] = await other.queue.fetch('mail', 1)
  expect(openMail(sealer, (job!.data as { sealed: string }).sealed).to).toBe('a@example.com')
  await completedRun(other.db, 'test', now)
  await permit(other.db, { description: 'found by its generated column' })
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from permit_search where search like '%generated column%'`.execute(other.db)
  expect(rows[0]!.n).toBe(1)
})

test('restored permits are found by search', async () => {
  const { db } = source
  await backUp(source, join(dir, 'search.backup'), { sealer, now })
  const other = await instance()
  await restore(other, join(dir, 'search.backup'), { sealer })
  const searches = [
    { words: ['eroof'] },
    { words: ['reroof'], city: 'menlo' },
    { words: ['ünïcode'] },
    { words: ['9'] },
  ]
  const answers = (from: Database['db']) =>
    Promise.all(searches.map((filter) => permitPage(from, filter, { limit: 20, offset: 0 })))
  const told = await answers(db)
  expect(told.map(({ total }) => total > 0)).toEqual([true, true, true, true])
  expect(await answers(other.db)).toEqual(told)
})

test('a backup is one snapshot: each concurrent transaction is contained completely or not at all', async () => {
  let writing = true
  const writer = (async () => {
    while (writing) {
      const id = await property(source.db)
      await listing(source.db, { property_id: id })
    }
  })()
  const { tables } = await backUp(source, join(dir, 'moment.backup'), { sealer, now })
  writing = false
  await writer
  const other = await instance()
  await restore(other, join(dir, 'moment.backup'), { sealer })
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from listing l left join property p on p.id = l.property_id where p.id is null`.execute(
    other.db,
  )
  expect(rows[0]!.n).toBe(0)
  expect(tables['g00.property']!.rows - tables['g00.listing']!.rows).toBeLessThanOrEqual(2)
})

test('a backup contains no API key', async () => {
  const text = gunzipSync(await readFile(file)).toString('latin1')
  expect(text).toContain('backup@example.com')
  expect(text).not.toContain(key)
})

test('a database that is not empty is rejected and not changed', async () => {
  const other = await instance()
  await permit(other.db, { permit_id: 'mine' })
  await expect(restore(other, file, { sealer })).rejects.toThrow(/not empty: table [\w.]+ has rows/)
  const { rows } = await sql<{ permitId: string }>`select permit_id from permit`.execute(other.db)
  expect(rows).toEqual([{ permitId: 'mine' }])
})

test('other migrations, another secret key and damaged or truncated files are rejected, and nothing is loaded', async () => {
  const other = await instance()
  const plain = gunzipSync(await readFile(file))
  const damaged = async (name: string, change: (bytes: Buffer) => Buffer) => {
    const path = join(dir, name)
    await writeFile(path, gzipSync(change(Buffer.from(plain))))
    return path
  }
  const replaced = (from: string, to: string) => (bytes: Buffer) => {
    const at = bytes.indexOf(from)
    expect(at).toBeGreaterThan(0)
    bytes.write(to, at, 'latin1')
    return bytes
  }
  const cases: [string, RegExp][] = [
    [await damaged('migrations', replaced('0004_permits', '9994_permits')), /other migrations.*9994_permits/],
    [await damaged('damage', replaced('Reroof number 77', 'Reroof number 78')), /damaged: table g00.permit/],
    [await damaged('joined', (bytes) => Buffer.concat([bytes, bytes])), /several backups joined in one file/],
    [await damaged('cut', (bytes) => bytes.subarray(0, bytes.length - 10)), /truncated/],
    [await damaged('half', (bytes) => bytes.subarray(0, bytes.length / 2)), /truncated/],
    [await damaged('other', () => Buffer.from('something else entirely')), /not a Lotline backup|truncated/],
    [await damaged('rows', replaced('\tReroof number 77', '\nReroof number 77')), /damaged and was not restored/],
    [await damaged('json', replaced('"columns"', '"columns?')), /damaged and was not restored/],
    [join(dir, 'nowhere'), /There is no file/],
  ]
  await writeFile(join(dir, 'torn'), (await readFile(file)).subarray(0, 5_000))
  cases.push([join(dir, 'torn'), /damaged or truncated|truncated/])
  for (const [path, message] of cases) await expect(restore(other, path, { sealer }), path).rejects.toThrow(message)
  await expect(restore(other, file, { sealer: sealerOf(randomBytes(32)) })).rejects.toThrow(/another SECRET_KEY/)
  const { rows } = await sql<{ n: number }>`select count(*) as n from permit`.execute(other.db)
  expect(rows[0]!.n).toBe(0)
  expect(await other.queue.fetch('mail', 1)).toEqual([])
})

test('a backup that fails leaves no file', async () => {
  await expect(backUp(source, join(dir, 'no/such/folder'), { sealer, now })).rejects.toThrow(/cannot be written/)
  expect((await readdir(dir)).filter((name) => name.endsWith('.partial'))).toEqual([])
})
