import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { openDatabase, sql } from '../../../src/store/engine/database.ts'
import { migrate, migrationNames } from '../../../src/store/engine/migrate.ts'
import { checkServer } from '../../../src/store/engine/server-check.ts'
import { useDatabase } from '../../setup/database.ts'

const database = useDatabase()

test('migrations run from six processes at once are applied once each', async () => {
  const name = 'test_migrate_race'
  const admin = new pg.Client({ host: inject('socketDir'), user: 'lotline', database: 'postgres' })
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  const opened = Array.from({ length: 6 }, () => openDatabase({ socketDir: inject('socketDir'), database: name }))
  const applied = await Promise.all(opened.map((each) => migrate(each)))
  expect(applied.flat().sort()).toEqual(await migrationNames())
  await Promise.all(opened.map((each) => each.close()))
})

test('a second migration finds nothing to do', async () => {
  expect(await migrate(database())).toEqual([])
})

test('the embedded server is durable: fsync on, checksums on', async () => {
  await checkServer(database().db)
  const { rows } = await sql<{ dataChecksums: string }>`show data_checksums`.execute(database().db)
  expect(rows[0]?.dataChecksums).toBe('on')
})

test('no migration needs a server newer than PostgreSQL 15: a column takes its storage after it is made', async () => {
  const folder = new URL('../../../migrations/', import.meta.url)
  for (const name of await migrationNames()) {
    const text = await readFile(new URL(name, folder), 'utf8')
    for (const [statement] of text.matchAll(/^create table .*?;$/gims))
      expect(statement, name).not.toMatch(/\bstorage (main|external|extended|plain)\b/i)
  }
})
