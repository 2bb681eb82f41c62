import { expect, test } from 'vitest'
import { sql } from '../../../src/store/engine/database.ts'
import { prune } from '../../../src/store/engine/prune.ts'
import { insertKey } from '../../../src/store/keys/keys.ts'
import { registerEndpoint } from '../../../src/store/webhooks/webhooks.ts'
import { useDatabaseWithQueue } from '../../setup/database.ts'
import { recordEvent } from '../../setup/record-event.ts'
import { property } from '../../setup/rows.ts'

const store = useDatabaseWithQueue()
const now = new Date('2026-11-15T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)

test('events, deliveries and mails are deleted after 90 days; a waiting delivery is kept', async () => {
  const { db, queue } = store()
  const { id: keyId } = await insertKey(db, { plan: 'pro', email: 'a@example.com' })
  const events = ['permit.created']
  await registerEndpoint(db, { keyId, url: 'https://8.8.8.8/', events, sealedSecret: Buffer.from('x'), most: 10 }, now)
  for (const days of [1, 29, 31, 89, 91, 92])
    await recordEvent(db, queue, { type: 'permit.created', market: 'sf-peninsula', data: { days } }, daysAgo(days))
  await sql`update delivery set state = 'delivered' where created_at <> ${daysAgo(92)}`.execute(db)
  for (const days of [89, 91])
    await sql`insert into mail (id, kind, recipient, queued_at) values (${`m${days}`}, 'key', 'a@b.c', ${daysAgo(days)})`.execute(
      db,
    )
  expect(await prune(db, now)).toMatchObject({ events: 2, deliveries: 1, mails: 1 })
  const kept = await sql<{ createdAt: Date }>`select created_at from delivery order by created_at`.execute(db)
  expect(kept.rows.map(({ createdAt }) => createdAt)).toEqual([92, 89, 31, 29, 1].map(daysAgo))
})

test('of the score changes older than 90 days, the last one of each month is kept', async () => {
  const { db } = store()
  const id = await property(db)
  const days = ['2026-11-01', '2026-11-02', '2026-07-30', '2026-07-04', '2026-07-03', '2026-06-30', '2026-06-01']
  for (const day of days)
    await sql`insert into assessment_history (market, property_id, changed_at, teardown_score, reason, model_version)
      values ('sf-peninsula', ${id}, ${`${day}T12:00:00Z`}, 50, 'a reason', '1')`.execute(db)
  expect(await prune(db, now)).toMatchObject({ scoreChanges: 3 })
  const { rows } = await sql<{ day: string }>`
    select to_char(changed_at at time zone 'UTC', 'YYYY-MM-DD') as day from assessment_history order by 1`.execute(db)
  expect(rows.map(({ day }) => day)).toEqual(['2026-06-30', '2026-07-30', '2026-11-01', '2026-11-02'])
})

test('a previous secret that no longer signs is deleted', async () => {
  const { db } = store()
  const { id: keyId } = await insertKey(db, { plan: 'pro', email: 'a@example.com' })
  const registration = { keyId, url: 'https://8.8.8.8/', events: ['permit.created'], most: 10 }
  const id = await registerEndpoint(db, { ...registration, sealedSecret: Buffer.from('old') }, daysAgo(3))
  await registerEndpoint(db, { ...registration, sealedSecret: Buffer.from('new') }, daysAgo(2))
  await prune(db, now)
  const { rows } = await sql`select previous_secret, previous_until from webhook_endpoint where id = ${id}`.execute(db)
  expect(rows).toEqual([{ previousSecret: null, previousUntil: null }])
})

test('runs are deleted after 400 days, except the last completed one and the last one that loaded rows', async () => {
  const { db } = store()
  const run = await addSource('old')
  await run(900, { loaded: 5 })
  const loaded = await run(800, { loaded: 5 })
  await run(700)
  const last = await run(600)
  await run(500, { state: 'failed' })
  const recent = await run(399, { state: 'failed' })
  const open = await run(450, { state: 'running' })
  expect(await prune(db, now)).toMatchObject({ ingestRuns: 3 })
  const { rows } = await sql<{ id: number }>`select id from ingest_run where source_id = 'old' order by id`.execute(db)
  expect(rows.map(({ id }) => id)).toEqual([loaded, last, recent, open])
})

test('rejected rows are kept for the last two runs of a source that have any', async () => {
  const { db } = store()
  const [one, other] = [await addSource('one'), await addSource('other')]
  await one(5, { refused: 3 })
  const kept = [await one(4, { refused: 2, state: 'failed' }), await one(3, { refused: 1 }), await one(2)]
  const open = await one(1, { refused: 1, state: 'running' })
  const others = await other(300, { refused: 1 })
  expect(await prune(db, now)).toMatchObject({ rejectedRows: 3, ingestRuns: 0 })
  const { rows } = await sql<{ runId: number }>`select distinct run_id from rejected_row order by 1`.execute(db)
  expect(rows.map(({ runId }) => runId)).toEqual([kept[0], kept[1], open, others])
})

test('permits that another source holds stay refused until a run reads all rows', async () => {
  const { db } = store()
  const run = await addSource('held')
  const first = await run(9, { refused: 2 })
  await sql`update rejected_row set code = 'held_by_other'`.execute(db)
  for (const days of [8, 7, 6]) await run(days, { refused: 1 })
  expect(await prune(db, now)).toMatchObject({ rejectedRows: 1 })
  await sql`update ingest_run set filled = '{"changesOnly": false}' where id > ${first}`.execute(db)
  expect(await prune(db, now)).toMatchObject({ rejectedRows: 2 })
})

const addSource = async (id: string) => {
  const { db } = store()
  await sql`insert into source (id, kind, holds, title, config) values (${id}, 'csv', 'permits', ${id}, '{}')`.execute(
    db,
  )
  return async (days: number, { state = 'completed', loaded = 0, refused = 0 } = {}) => {
    // Rejected rows are counted when the run ends.
    const { rows } = await sql<{ id: number }>`
      insert into ingest_run (source_id, state, first_load, started_at, rows_loaded, rows_rejected)
      values (${id}, ${state}, false, ${daysAgo(days)}, ${loaded}, ${state === 'running' ? 0 : refused}) returning id`.execute(
      db,
    )
    await sql`insert into rejected_row (run_id, row_number, code, reason, raw)
      select ${rows[0]!.id}, n, 'x', 'x', '{}' from generate_series(1, ${refused}::int) n`.execute(db)
    return rows[0]!.id
  }
}

test('of the forecasts older than 24 months, one a year is kept, made while the home was listed if there is one', async () => {
  const { db } = store()
  const id = await property(db)
  const made: [string, string | null][] = [
    ['2025-01-01', null],
    ['2025-02-01', null],
    ['2023-12-01', null],
    ['2023-05-01', 'L1'],
    ['2023-04-01', 'L1'],
    ['2022-03-01', null],
    ['2022-02-01', null],
  ]
  for (const [day, listingId] of made)
    await sql`insert into forecast (market, property_id, model, made_on, listing_id, value_usd, model_version)
      values ('sf-peninsula', ${id}, 'value', ${day}, ${listingId}, 1, '1')`.execute(db)
  expect(await prune(db, now)).toMatchObject({ forecasts: 3 })
  const { rows } = await sql<{ madeOn: string }>`select made_on from forecast order by 1`.execute(db)
  expect(rows.map(({ madeOn }) => madeOn)).toEqual(['2022-03-01', '2023-05-01', '2025-01-01', '2025-02-01'])
})

test('each kind is kept for exactly its time: a row at the limit stays, one a day older goes', async () => {
  const { db } = store()
  const day = (at: Date) => at.toISOString().slice(0, 10)
  const rows = {
    events: [
      90,
      (id, at) => sql`insert into event (id, type, market, body, created_at)
      values (${id}, 'permit.created', 'sf-peninsula', '{}', ${at})`,
    ],
    deliveries: [
      90,
      (
        id,
        at,
      ) => sql`insert into delivery (id, event_id, event_type, endpoint_id, state, created_at, next_attempt_at, body)
      values (${id}, 'e', 'permit.created', 'w', 'failed', ${at}, ${at}, '{}')`,
    ],
    mails: [
      90,
      (id, at) => sql`insert into mail (id, kind, recipient, queued_at) values (${id}, 'key', 'a@b.c', ${at})`,
    ],
    unconfirmedSubscribers: [
      30,
      (id, at) => sql`insert into subscriber (id, email, market, created_at)
      values (${id}, ${id}, 'sf-peninsula', ${at})`,
    ],
    newsletterIssues: [400, (id, at) => sql`insert into newsletter_issue values (${`of ${id}`}, '2026-W01', ${at})`],
    accountTokens: [
      1,
      (id, at) => sql`insert into account_token (hash, purpose, email, mailbox, created_at, expires_at)
      values (${Buffer.from(id)}, 'sign-in', 'a@b.c', 'm', ${at}, ${at})`,
    ],
    accountSessions: [
      0,
      (id, at) => sql`insert into account_session (id, hash, email, browser, created_at, used_at, expires_at)
      values (${id}, ${Buffer.from(id)}, 'a@b.c', 'x', ${at}, ${at}, ${at})`,
    ],
    exports: [
      30,
      (id, at) => sql`insert into export (id, key_id, state, request, claimed_rows, created_at)
      values (${id}, 'k', 'ready', '{}', 1, ${at})`,
    ],
    watchMatches: [
      90,
      (id, at) => sql`insert into watch_match (id, watch_id, market, record, triggers, after, changed_at)
      values (${id}, 'w', 'sf-peninsula', ${id}, '{}', '{}', ${at})`,
    ],
    waitingMatches: [
      90,
      (id, at) => sql`insert into waiting_match (market, record, watches, after, changed_at)
      values ('sf-peninsula', ${id}, '{}', '{}', ${at})`,
    ],
    backups: [400, (id, at) => sql`insert into backup_made (made_at, file, bytes, rows) values (${at}, ${id}, 1, 1)`],
    keyUsage: [400, (id, at) => sql`insert into key_usage values (${id}, ${day(at)}, 1, 0)`],
    tableSizes: [90, (id, at) => sql`insert into table_size values (${day(at)}, ${id}, 1)`],
    dailyCounts: [7, (id, at) => sql`insert into daily_count values (${day(at)}, 'keys', ${id}, 1)`],
    ingestRuns: [
      400,
      (_, at) => sql`insert into ingest_run (source_id, state, first_load, started_at)
      values ('s', 'failed', false, ${at})`,
    ],
  } satisfies Record<string, [number, (id: string, at: Date) => ReturnType<typeof sql>]>
  await prune(db, now)
  await db.transaction().execute(async (tx) => {
    // Without foreign keys: the rows that these belong to do not exist.
    await sql`set local session_replication_role = replica`.execute(tx)
    for (const [days, row] of Object.values(rows)) {
      await row('kept', daysAgo(days)).execute(tx)
      await row('older', daysAgo(days + 1)).execute(tx)
    }
    await sql`insert into subscriber (id, email, market, created_at, confirmed_at)
      values ('confirmed', 'c', 'sf-peninsula', ${daysAgo(99)}, ${daysAgo(99)})`.execute(tx)
    for (const [id, at] of [
      ['ends', now],
      ['ended', daysAgo(1)],
    ] as const) {
      await sql`insert into export (id, key_id, state, request, claimed_rows, created_at, expires_at)
        values (${id}, 'k', 'ready', '{}', 1, ${now}, ${at})`.execute(tx)
      await sql`insert into export_piece values (${id}, 1, 1, '')`.execute(tx)
    }
  })
  const pruned = await prune(db, now)
  expect(pruned).toMatchObject({ ...Object.fromEntries(Object.keys(rows).map((name) => [name, 1])), exportPieces: 1 })
})
