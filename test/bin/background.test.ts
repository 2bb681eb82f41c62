// The work behind the service, as a worker process starts and stops it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, inTransaction, openDatabase, sql } from '../../src/store/engine/database.ts'
import { newDatabase, urlOf } from '../setup/database.ts'
import { manyPermits } from '../setup/rows.ts'
import { clearAway, dataFolder, run } from './program.ts'

let dir: string
let database: Database
let url: string
beforeAll(async () => {
  dir = await dataFolder()
  const address = await newDatabase()
  database = openDatabase(address)
  url = urlOf(address)
  // As an upgrade or a restore leaves them: no load has counted their words.
  await manyPermits(database.db, 6000)
})
afterAll(async () => {
  await clearAway(dir)
  await database.close()
})

const worker = () =>
  run(['serve', '--role', 'worker'], { DATABASE_URL: url, DATA_DIR: dir, SECRET_KEY: '0'.repeat(64) })
const rowsOf = async (query: ReturnType<typeof sql>) => (await query.execute(database.db)).rows.length

test('a worker told to stop stops, though counting words waits for a load', { timeout: 60_000 }, async () => {
  await inTransaction(database.db, async (tx) => {
    await sql`lock table permit in row exclusive mode`.execute(tx)
    const { child, ended } = worker()
    await expect
      .poll(() => rowsOf(sql`select from pg_locks where not granted and relation = 'permit'::regclass`), {
        timeout: 30_000,
      })
      .toBe(1)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })
  expect(await rowsOf(sql`select from permit_bits`)).toBe(0)
})

test('a worker that starts counts the words that an upgrade or a restore left', { timeout: 60_000 }, async () => {
  const { child, ended } = worker()
  await expect
    .poll(() => rowsOf(sql`select from permit_bits where term = 'reroof'`), { timeout: 30_000 })
    .toBeGreaterThan(0)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})
