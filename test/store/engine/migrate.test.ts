import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openDatabase, sql } from '../../../src/store/engine/database.ts'
import { expectedMigrations, migrate } from '../../../src/store/engine/migrate.ts'
import { migrationNames } from '../../../src/store/engine/migration-files.ts'
import { fillHashes } from '../../../src/store/engine/migration-problem.ts'
import { checkServer } from '../../../src/store/engine/server-check.ts'
import { bareDatabase, useDatabase } from '../../setup/database.ts'

const database = useDatabase()

test('six processes that migrate at the same time apply each migration once', async () => {
  const address = await bareDatabase()
  const opened = Array.from({ length: 6 }, () => openDatabase(address))
  const applied = await Promise.all(opened.map((each) => migrate(each)))
  expect(applied.flat().sort()).toEqual((await expectedMigrations(['g00'])).sort())
  await Promise.all(opened.map((each) => each.close()))
})

test('a database with the old layout is rejected with instructions and not changed', async () => {
  const old = openDatabase(await bareDatabase())
  await old.pool.query('create table public.migration (name text primary key, applied_at timestamptz)')
  await expect(migrate(old)).rejects.toThrow(
    /made by an earlier, unreleased version.*Nothing was changed.*new, empty database/,
  )
  const { rows } = await old.pool.query(
    `select schemaname, tablename from pg_tables where schemaname in ('public', 'g00')`,
  )
  expect(rows).toEqual([{ schemaname: 'public', tablename: 'migration' }])
  await old.close()
})

test('market data is in the schema of its group, everything else in public', async () => {
  const { rows } = await sql<{ name: string }>`
    select schemaname || '.' || tablename as name from pg_tables where schemaname in ('public', 'g00') order by 1`.execute(
    database().db,
  )
  const names = rows.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['g00.property', 'g00.permit', 'public.api_key', 'public.market']))
  expect(names.filter((name) => name.startsWith('public.'))).not.toContain('public.property')
})

test('a second migration finds nothing to do', async () => {
  expect(await migrate(database())).toEqual([])
})

test('a recorded migration without a hash gets that of its file', async () => {
  const recorded = async () =>
    (await sql`select scope, name, hash from public.migration order by 1, 2`.execute(database().db)).rows
  const before = await recorded()
  await sql`update public.migration set hash = null where name < '0003'`.execute(database().db)
  await fillHashes(database().db)
  expect(await recorded()).toEqual(before)
})

test('the embedded server is durable: fsync on, checksums on', async () => {
  await checkServer(database().db)
  const { rows } = await sql<{ dataChecksums: string }>`show data_checksums`.execute(database().db)
  expect(rows[0]?.dataChecksums).toBe('on')
})

test('no migration needs a server newer than PostgreSQL 15: column storage is set after the column is created', async () => {
  const folder = new URL('../../../migrations/', import.meta.url)
  const names = [
    ...(await migrationNames('shared')).map((name) => `shared/${name}`),
    ...(await migrationNames('group')).map((name) => `group/${name}`),
  ]
  for (const name of names) {
    const text = await readFile(new URL(name, folder), 'utf8')
    for (const [statement] of text.matchAll(/^create table .*?;$/gims))
      expect(statement, name).not.toMatch(/\bstorage (main|external|extended|plain)\b/i)
  }
})
