import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openDatabase, sql } from '../../../src/store/engine/database.ts'
import { isOnline, migrate } from '../../../src/store/engine/migrate.ts'
import { migrationNames } from '../../../src/store/engine/migration-files.ts'
import { insertKey } from '../../../src/store/keys/keys.ts'
import { newDatabase } from '../../setup/database.ts'

/** The files that create the first schema. A rule for tables with rows does not apply to them. */
const first = 8

/** Files that correct rows in one statement: no other statement of theirs locks the table meanwhile. */
const corrections = ['0027_correct_scores.sql']

/** Landed before this rule: its index locks permits while it is built. */
const blocking = ['0024_permits_not_issued.sql']

test('no migration after the first schema rewrites a table or locks it while it is read', async () => {
  for (const folder of ['shared', 'group'] as const)
    for (const name of (await migrationNames(folder)).filter((each) => Number(each.slice(0, 4)) > first)) {
      const text = await readFile(new URL(`../../../migrations/${folder}/${name}`, import.meta.url), 'utf8')
      const statements = text.replace(/--.*$/gm, '').toLowerCase()
      const created = [...statements.matchAll(/create table (\w+)/g)].map(([, table]) => table)
      for (const [index, concurrently, table] of statements.matchAll(
        /create (?:unique )?index (concurrently )?[^;]*? on (\w+)/g,
      ))
        if (!created.includes(table!) && !blocking.includes(name))
          expect(concurrently, `${name}: ${index} needs concurrently`).toBeDefined()
      expect(isOnline(text), `${name}: concurrently needs "-- online" on the first line`).toBe(
        statements.includes(' concurrently '),
      )
      expect(statements, `${name}: changes the type of a column`).not.toMatch(/alter column \w+ (set data )?type/)
      // Shared tables are small.
      if (folder === 'group' && !corrections.includes(name))
        expect(statements, `${name}: rewrites rows in one statement`).not.toMatch(/^update /m)
      expect(statements, `${name}: adds a constraint without "not valid"`).not.toMatch(
        /add (constraint|foreign key|check)(?![^;]*not valid)/,
      )
    }
})

test('an index left invalid by an interrupted migration is built again', async () => {
  const open = openDatabase(await newDatabase())
  await sql`delete from public.migration where name = '0009_match_indexes.sql'`.execute(open.db)
  await sql`update pg_index set indisvalid = false where indexrelid = 'g00.permit_by_apn'::regclass`.execute(open.db)
  expect(await migrate(open)).toEqual(['g00/0009_match_indexes.sql'])
  const { rows } = await sql<{ indisvalid: boolean }>`
    select indisvalid from pg_index where indexrelid = 'g00.permit_by_apn'::regclass`.execute(open.db)
  expect(rows).toEqual([{ indisvalid: true }])
  await open.close()
})

test('matches that wait are carried over to the table of waiting matches', async () => {
  const open = openDatabase(await newDatabase())
  const { id: keyId } = await insertKey(open.db, { plan: 'pro', email: 'owner@example.com' })
  await sql`delete from public.migration where name = '0020_waiting_matches.sql'`.execute(open.db)
  await sql`drop table waiting_match`.execute(open.db)
  await sql`create index watch_match_pending on watch_match (record)`.execute(open.db)
  await sql`create index watch_match_waiting on watch_match (record)`.execute(open.db)
  await sql`
    insert into watch (id, key_id, mailbox, name, kind, criteria, triggers, cadence, endpoints, saved_home, created_at, updated_at)
    values ('wat_1', ${keyId}, 'm', 'Mine', 'listings', '{}', '{entered}', 'daily', '{}', false, now(), now())`.execute(
    open.db,
  )
  await sql`
    insert into watch_match (id, watch_id, market, record, property_id, triggers, after, changed_at, announced_at) values
      ('wm_1', 'wat_1', 'sf-peninsula', 'p_1', 'p_1', '{entered,price}', '{"citySlug": "palo-alto"}', '2026-11-16', null),
      ('wm_2', 'wat_1', 'sf-peninsula', 'p_2', 'p_2', '{entered}', '{}', '2026-11-15', '2026-11-16')`.execute(open.db)
  // Another session reads the table longer than a migration waits for its lock: it is tried again.
  const reader = await open.pool.connect()
  await reader.query('begin; lock table watch_match in access share mode')
  const migrating = migrate(open)
  const waiting = async () =>
    (
      await sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and wait_event = 'relation'
        and datname = current_database()`.execute(open.db)
    ).rows.length
  await expect.poll(waiting).toBe(1)
  await expect.poll(waiting).toBe(0)
  await reader.query('rollback')
  reader.release()
  expect(await migrating).toEqual(['shared/0020_waiting_matches.sql'])
  const { rows } = await sql`select record, property_id, watches, before, after, changed_at from waiting_match`.execute(
    open.db,
  )
  expect(rows).toEqual([
    {
      record: 'p_1',
      propertyId: 'p_1',
      watches: { wat_1: ['entered', 'price'] },
      before: null,
      after: { citySlug: 'palo-alto' },
      changedAt: new Date('2026-11-16T00:00:00Z'),
    },
  ])
  const kept = await sql`select id from watch_match`.execute(open.db)
  expect(kept.rows).toEqual([{ id: 'wm_2' }])
  await open.close()
})
