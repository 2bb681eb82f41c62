// Which rows of an account, its exports and the sources are read: every row that is not expected fails exactly one condition.
import { beforeEach, expect, test } from 'vitest'
import { sql } from '../../src/store/engine/database.ts'
import {
  exportsOf,
  exportWithIdempotencyKey,
  failExport,
  finishExport,
  insertExport,
  readPiece,
  savePiece,
  startExport,
} from '../../src/store/exports/exports.ts'
import { sourceStates, staleAfterMs } from '../../src/store/ingest/source-states.ts'
import { countLinks, endLinks, insertToken, takeToken, usableToken } from '../../src/store/keys/account-tokens.ts'
import { claimToday, giveBack, usedToday } from '../../src/store/keys/daily-counts.ts'
import {
  hashOf,
  insertKey,
  keyByHash,
  listKeys,
  NotRotatable,
  revokeKey,
  rotateKey,
} from '../../src/store/keys/keys.ts'
import { bigPermits, heatSeries, newSignals } from '../../src/store/keys/newsletter.ts'
import { accountKeys, deleteSession, insertSession, sessionByToken, sessionsOf } from '../../src/store/keys/sessions.ts'
import { listingMoves, recordTodayMail, startTodayMail, todayReaders } from '../../src/store/keys/today.ts'
import { useDatabase } from '../setup/database.ts'
import { assessment, emptyTables, listing, permit, property, source } from '../setup/rows.ts'

const database = useDatabase()
const now = new Date('2026-11-15T12:00:00Z')
const minutes = (count: number) => new Date(now.getTime() + count * 60_000)
const hours = (count: number) => minutes(60 * count)
const market = 'sf-peninsula'
const email = 'a@example.com'

beforeEach(async () => {
  await emptyTables(
    database().db,
    'api_key',
    'account_token',
    'account_session',
    'export',
    'daily_count',
    'source',
    'property',
  )
})

const key = async (given: { email?: string; confirmed?: boolean; made?: Date; set?: ReturnType<typeof sql> } = {}) => {
  const { db } = database()
  const made = await insertKey(db, {
    plan: 'free',
    email: given.email ?? email,
    ...(given.confirmed === false ? {} : { confirmedAt: now }),
  })
  await sql`update api_key set created_at = ${given.made ?? now} where id = ${made.id}`.execute(db)
  if (given.set) await sql`update api_key set ${given.set} where id = ${made.id}`.execute(db)
  return made.id
}

test('a session ends at its time, and when its key is revoked, expires or is replaced', async () => {
  const { db } = database()
  const keys = {
    works: await key(),
    later: await key({ set: sql`expires_at = ${minutes(1)}` }),
    expired: await key({ set: sql`expires_at = ${now}` }),
    revoked: await key({ set: sql`revoked_at = ${now}` }),
    other: await key({ email: 'b@example.com' }),
  }
  const replaced = await key({ set: sql`replaced_by = ${keys.works}` })
  const names = new Map<string, string>()
  const open = async (name: string, owner: { email: string } | { keyId: string }, ends = 10, begun = 0) => {
    const token = await insertSession(db, { owner, browser: name, expiresAt: minutes(ends) }, minutes(begun))
    names.set(token, name)
    return token
  }
  const tokens = [
    await open('mailed', { email }, 10, -3),
    await open('ended', { email }, 0),
    await open('stranger', { email: 'b@example.com' }),
    await open('replaced', { keyId: replaced }),
  ]
  for (const [name, keyId] of Object.entries(keys))
    tokens.push(await open(name, { keyId }, 10, name === 'later' ? -1 : -2))
  const valid: string[] = []
  for (const token of tokens) if (await sessionByToken(db, token, now)) valid.push(names.get(token)!)
  expect(valid).toEqual(['mailed', 'stranger', 'works', 'later', 'other'])
  expect(await sessionByToken(db, 'unknown', now)).toBeUndefined()
  const listed = await sessionsOf(db, { email }, now)
  expect(listed.map(({ browser }) => browser)).toEqual(['later', 'works', 'mailed'])
  expect((await sessionsOf(db, { keyId: keys.works }, now)).map(({ browser }) => browser)).toEqual(['works'])
  const ofOther = (await sessionsOf(db, { keyId: keys.other }, now))[0]!
  expect(await deleteSession(db, { email }, ofOther.id)).toBe(false)
  expect(await deleteSession(db, { keyId: keys.other }, listed[0]!.id)).toBe(false)
  expect(await deleteSession(db, { email }, listed[0]!.id)).toBe(true)
  expect(await deleteSession(db, { email }, listed[0]!.id)).toBe(false)
})

test('the keys of an account are listed with the confirmed ones first, then the newest', async () => {
  const { db } = database()
  const made = {
    old: await key({ made: hours(-3) }),
    new: await key({ made: hours(-1) }),
    strangers: await key({ confirmed: false, made: hours(0) }),
    expired: await key({ made: hours(-2), set: sql`expires_at = ${now}` }),
    revoked: await key({ made: hours(-4), set: sql`revoked_at = ${now}` }),
    other: await key({ email: 'b@example.com' }),
  }
  await key({ set: sql`replaced_by = ${made.new}` })
  const listed = async (options?: { ended?: boolean; confirmed?: boolean }) => {
    const rows = await accountKeys(db, { email }, now, options)
    return rows.map(({ id }) => Object.entries(made).find(([, each]) => each === id)?.[0])
  }
  expect(await listed()).toEqual(['new', 'old', 'strangers'])
  expect(await listed({ confirmed: true })).toEqual(['new', 'old'])
  expect(await listed({ ended: true })).toEqual(['new', 'expired', 'old', 'revoked', 'strangers'])
  expect((await accountKeys(db, { keyId: made.other }, now)).map(({ id }) => id)).toEqual([made.other])
  expect((await listKeys(db, { email: 'B@example.com' })).map(({ id }) => id)).toEqual([made.other])
  expect(await listKeys(db, { email, plan: 'pro' })).toEqual([])
  expect((await listKeys(db, { plan: 'free' }))[0]!.createdAt).toEqual(now)
})

test('a key is replaced once, keeps its date and ends no later than before; a revoked one takes the older keys with it', async () => {
  const { db } = database()
  const first = await key({ made: hours(-30), set: sql`expires_at = ${hours(1)}` })
  const second = await rotateKey(db, first, hours(24))
  const third = await rotateKey(db, second.id, hours(24))
  await expect(rotateKey(db, first, hours(24))).rejects.toThrow(NotRotatable)
  const stored = async () =>
    (
      await sql<{ id: string; createdAt: Date; expiresAt: Date | null; revokedAt: Date | null }>`
        select id, created_at, expires_at, revoked_at from api_key where family = ${first}`.execute(db)
    ).rows
  const byId = async (id: string) => (await stored()).find((row) => row.id === id)!
  expect((await byId(first)).expiresAt).toEqual(hours(1))
  expect((await byId(second.id)).expiresAt).toEqual(hours(24))
  expect(await byId(third.id)).toMatchObject({ createdAt: hours(-30), expiresAt: null })
  expect(await keyByHash(db, hashOf(second.key))).toMatchObject({
    id: second.id,
    family: first,
    currentKeyId: third.id,
  })
  const other = await key()
  expect(await revokeKey(db, first, now)).toBe(true)
  expect(await revokeKey(db, first, now)).toBe(false)
  expect((await stored()).filter(({ revokedAt }) => revokedAt).map(({ id }) => id)).toEqual([first])
  expect(await revokeKey(db, second.id, now, 'family')).toBe(true)
  expect((await stored()).every(({ revokedAt }) => revokedAt)).toBe(true)
  expect((await listKeys(db, {})).find(({ id }) => id === other)!.revokedAt).toBeNull()
  await expect(rotateKey(db, third.id, now)).rejects.toThrow(NotRotatable)
})

test('a link works once, until its time, for its purpose; links of the last hour and day are counted', async () => {
  const { db } = database()
  const link = (given: object = {}, made = now) => {
    const token = { purpose: 'sign-in', email, mailbox: 'm', client: 'c', expiresAt: minutes(10), ...given } as const
    return insertToken(db, token, made)
  }
  const keyId = await key()
  const token = await link()
  expect(await usableToken(db, 'confirm', token, now)).toBeUndefined()
  expect(await usableToken(db, 'sign-in', token, minutes(10))).toBeUndefined()
  expect(await usableToken(db, 'sign-in', token, minutes(9))).toEqual({ email, keyId: null })
  expect(await takeToken(db, 'sign-in', token, now)).toEqual({ email, keyId: null })
  expect(await takeToken(db, 'sign-in', token, now)).toBeUndefined()
  const [own, other, confirm] = [
    await link(),
    await link({ email: 'b@example.com' }),
    await link({ purpose: 'confirm', keyId }),
  ]
  await endLinks(db, email, minutes(1))
  expect(await usableToken(db, 'sign-in', own, now)).toBeUndefined()
  expect(await usableToken(db, 'sign-in', other, now)).toBeDefined()
  expect(await usableToken(db, 'confirm', confirm, now)).toBeDefined()
  const { rows } = await sql<{ usedAt: Date }>`select used_at from account_token where used_at is not null`.execute(db)
  expect(rows.map(({ usedAt }) => usedAt)).toEqual([now, minutes(1)])

  await emptyTables(db, 'account_token')
  for (const ago of [59, 30, 60, 120, 1439, 1440]) await link({ expiresAt: hours(5) }, minutes(-ago))
  await link({ expiresAt: minutes(-20) }, minutes(-20))
  await link({ client: undefined }, minutes(-58))
  await link({ purpose: 'confirm', keyId }, minutes(-57))
  await link({ mailbox: 'n' }, minutes(-56))
  await link({ mailbox: 'n', client: 'd' }, minutes(-55))
  const counted = await db.transaction().execute((tx) => countLinks(tx, { mailbox: 'm', client: 'c' }, now))
  expect(counted).toEqual({ mailboxHour: 2, mailboxFirst: minutes(-59), mailboxDay: 5, clientHour: 4 })
})

test('an allowance of a day is used up to its last, and what is given back never exceeds what was used', async () => {
  const { db } = database()
  const claim = (amount: number, at = now) => claimToday(db, 'exports', 's', 5, at, amount)
  expect([await claim(6), await claim(5), await claim(1)]).toEqual([undefined, 5, undefined])
  await giveBack(db, 'exports', 's', now, 2)
  await giveBack(db, 'exports', 'other', now, 2)
  await giveBack(db, 'keys', 's', now, 2)
  await giveBack(db, 'exports', 's', hours(24), 2)
  expect(await usedToday(db, 'exports', 's', now)).toBe(3)
  expect([await claim(3), await claim(2)]).toEqual([undefined, 5])
  await giveBack(db, 'exports', 's', now, 9)
  expect(await usedToday(db, 'exports', 's', now)).toBe(0)
  await claim(1, hours(24))
  expect([await usedToday(db, 'exports', 's', now), await usedToday(db, 'keys', 's', now)]).toEqual([0, 0])
  expect(await usedToday(db, 'exports', 'other', now)).toBe(0)
})

test('exports are listed newest first, and a repeated request finds the one of its Idempotency-Key', async () => {
  const { db } = database()
  const [keyId, other] = [await key(), await key()]
  const add = (id: string, made: Date, given: object = {}) =>
    insertExport(db, { id, keyId, request: { kind: 'parcels' } as never, claimedRows: 1, createdAt: made, ...given })
  await add('a', hours(-3), { idempotencyKey: 'k' })
  await add('b', hours(-2), { idempotencyKey: 'k', list: 'x' })
  await add('c', hours(-1))
  await add('d', hours(0), { keyId: other, idempotencyKey: 'k' })
  const page = await exportsOf(db, keyId, { limit: 2, offset: 0 })
  expect([page.rows.map(({ id }) => id), page.total]).toEqual([['c', 'b'], 3])
  const again = async (since: Date, given: object = {}) => {
    const asked = { keyId, idempotencyKey: 'k', request: { kind: 'parcels' } as never, list: 'x', ...given }
    const found = await exportWithIdempotencyKey(db, asked, since)
    return found && [found.id, found.same]
  }
  expect(await again(hours(-4))).toEqual(['b', true])
  expect(await again(hours(-4), { list: undefined })).toEqual(['b', false])
  expect(await again(hours(-4), { request: { kind: 'sales' } })).toEqual(['b', false])
  expect(await again(hours(-2))).toBeUndefined()
  expect(await again(hours(-4), { idempotencyKey: 'other' })).toBeUndefined()
  expect(await again(hours(-4), { idempotencyKey: undefined })).toBeUndefined()

  const piece = { piece: 0, content: Buffer.from('x'), rows: 7 }
  expect((await startExport(db, 'a'))?.attempt).toBe(1)
  expect(await savePiece(db, { id: 'a', attempt: 1 }, piece)).toBe(true)
  // The process was thought dead: another one starts again, and the first writes nothing more.
  expect(await startExport(db, 'a')).toMatchObject({ attempt: 2, rows: 0, state: 'running' })
  expect(await readPiece(db, { id: 'a', attempt: 1 }, 0)).toBeUndefined()
  const done = { rows: 7, withheld: 0, bytes: 1, sha256: 's', since: null, snapshotAt: now, expiresAt: hours(1) }
  const stale = { id: 'a', attempt: 1 }
  expect([
    await savePiece(db, stale, piece),
    await finishExport(db, stale, done),
    await failExport(db, stale, 'x'),
  ]).toEqual([false, false, false])
  const current = { id: 'a', attempt: 2 }
  expect(await savePiece(db, current, piece)).toBe(true)
  expect([await readPiece(db, current, 1), (await readPiece(db, current, 0))?.toString()]).toEqual([undefined, 'x'])
  expect([await finishExport(db, current, done), await finishExport(db, current, done)]).toEqual([true, false])
  expect([await failExport(db, current, 'x'), await startExport(db, 'a')]).toEqual([false, undefined])
  await startExport(db, 'b')
  await savePiece(db, { id: 'b', attempt: 1 }, piece)
  expect(await failExport(db, { id: 'b', attempt: 1 }, 'x')).toBe(true)
  expect(await readPiece(db, { id: 'b', attempt: 1 }, 0)).toBeUndefined()
  expect((await readPiece(db, current, 0))?.toString()).toBe('x')
})

test('the mail of the day goes to confirmed keys that work and did not get it', async () => {
  const { db } = database()
  const works = await key()
  const readers = [
    works,
    await key({ set: sql`expires_at = ${minutes(1)}` }),
    await key({ set: sql`expires_at = ${now}` }),
    await key({ set: sql`revoked_at = ${now}` }),
    await key({ confirmed: false }),
    await key(),
  ]
  for (const keyId of readers) await startTodayMail(db, { keyId, mailbox: 'm' } as never, now)
  await key()
  await recordTodayMail(db, readers[5]!, '2026-11-15')
  const mailed = async (day: string) => (await todayReaders(db, day, now)).map(({ id }) => id)
  expect(await mailed('2026-11-15')).toEqual(readers.slice(0, 2).sort())
  expect([await recordTodayMail(db, works, '2026-11-15'), await recordTodayMail(db, works, '2026-11-15')]).toEqual([
    true,
    false,
  ])
  expect(await mailed('2026-11-15')).toEqual([readers[1]])
  expect(await mailed('2026-11-16')).toContain(works)
})

test('new, cheaper, returned and sold listings are moves, the newest first', async () => {
  const { db } = database()
  await source(db)
  const changes: Record<string, object> = {
    new: {},
    first: { at: hours(-48) },
    early: { at: hours(-49) },
    cheaper: { status: 'active', previous_status: 'active', price_usd: 9, previous_price_usd: 10, at: hours(-1) },
    same: { status: 'active', previous_status: 'active', price_usd: 10, previous_price_usd: 10 },
    dearer: { status: 'active', previous_status: 'active', price_usd: 11, previous_price_usd: 10 },
    sold: { status: 'sold', previous_status: 'active', price_usd: 11, previous_price_usd: 10, at: hours(-2) },
    past: { current: false },
    elsewhere: { market: 'nantucket' },
  }
  for (const [label, { at = now, current = true, market: place = market, ...given }] of Object.entries(changes) as [
    string,
    Record<string, unknown>,
  ][]) {
    const home = `${place === market ? 'p_001' : 'p_002'}${label}`
    await property(db, { id: home, market: place, city: place === market ? 'Palo Alto' : 'Nantucket' })
    await listing(db, { property_id: home, listing_id: label, current, market: place })
    const { status = 'active', previous_status = null, price_usd = null, previous_price_usd = null } = given
    await sql`insert into listing_change (market, source_id, listing_id, changed_at, changed_on, property_id, status, previous_status, price_usd, previous_price_usd)
      values (${place}, 'test', ${label}, ${at}, '2026-11-15', ${home}, ${status}, ${previous_status}, ${price_usd}, ${previous_price_usd})`.execute(
      db,
    )
    for (const [model, made_on, value, of] of [
      ['value', '2026-11-02', 2, label],
      ['value', '2026-11-01', 1, label],
      ['value', '2026-10-01', 3, 'another'],
      ['teardown', '2026-10-02', null, label],
    ])
      await sql`insert into forecast (market, property_id, model, made_on, listing_id, value_usd, model_version)
        values (${place}, ${home}, ${model}, ${made_on}, ${of}, ${value}, 'v')`.execute(db)
  }
  const moves = await listingMoves(db, market, { since: hours(-48) }, [], 10)
  expect(moves.map(({ id, saidUsd }) => [id.slice(5), saidUsd])).toEqual([
    ['new', 1],
    ['cheaper', 1],
    ['sold', 1],
    ['first', 1],
  ])
  expect(await listingMoves(db, market, { since: hours(-48) }, [], 1)).toHaveLength(1)
  expect(await listingMoves(db, market, { since: hours(-48) }, ['test'], 10)).toEqual([])
  const earlier = await listingMoves(db, market, { since: hours(-48), until: hours(-1) }, [], 10)
  expect(earlier.map(({ id }) => id)).toEqual(['p_001sold', 'p_001first'])
})

test('the newsletter has the best listings and the largest permits of its week', async () => {
  const { db } = database()
  const week = { name: '2026-W46', from: '2026-11-09', to: '2026-11-15' }
  for (const [label, given] of Object.entries({
    best: { rank_score: 90, listed_on: '2026-11-09' },
    good: { rank_score: 80, listed_on: '2026-11-15' },
    before: { listed_on: '2026-11-08' },
    after: { listed_on: '2026-11-16' },
    pending: { status: 'pending' },
    past: { current: false },
    unranked: { rank_score: null },
  } as Record<string, Record<string, unknown>>)) {
    const { rank_score = 95, ...rest } = given
    await listing(db, { property_id: await property(db, { id: `p_001${label}` }), listed_on: '2026-11-10', ...rest })
    await assessment(db, `p_001${label}`, { rank_score })
  }
  expect((await newSignals(db, market, week, 9)).map(({ id }) => id.slice(5))).toEqual(['best', 'good'])
  expect((await newSignals(db, market, week, 1)).map(({ id }) => id.slice(5))).toEqual(['best'])
  for (const [permit_id, issued_on, valuation_usd] of [
    ['largest', '2026-11-09', 900_000],
    ['large', '2026-11-15', 600_000],
    ['least', '2026-11-10', 500_000],
    ['small', '2026-11-10', 499_999],
    ['before', '2026-11-08', 990_000],
    ['after', '2026-11-16', 990_000],
  ])
    await permit(db, { permit_id, issued_on, valuation_usd })
  const big = async (most: number) =>
    (await bigPermits(db, market, week, { leastUsd: 500_000, most })).map(({ permitId }) => permitId)
  expect(await big(9)).toEqual(['largest', 'large', 'least'])
  expect(await big(1)).toEqual(['largest'])
})

test('the heat of the newsletter is that of the property type that sold most, of the whole market up to its week', async () => {
  const { db } = database()
  const week = { name: '2026-W46', from: '2026-11-09', to: '2026-11-15' }
  const add = (given: object) => {
    const row = { place: market, city: '', type: 'all', on: '2026-11-13', heat: 50, sales: 10, ...given }
    return sql`insert into market_heat (market, city_slug, property_type, as_of, heat_index, sales, parts)
      values (${row.place}, ${row.city}, ${row.type}, ${row.on}, ${row.heat}, ${row.sales}, '{}')`.execute(db)
  }
  await emptyTables(db, 'market_heat')
  await add({ heat: 60 })
  await add({ on: '2026-11-06', heat: 58 })
  await add({ on: '2026-10-30', heat: null })
  await add({ on: '2026-10-23', heat: 54 })
  await add({ type: 'condo', sales: 3 })
  await add({ type: 'condo', on: '2026-11-06', sales: 99 })
  await add({ type: 'condo', on: '2026-11-16', sales: 99 })
  await add({ type: 'land', city: 'palo-alto', sales: 99 })
  await add({ type: 'land', place: 'nantucket', sales: 99 })
  const points = async (most: number) =>
    (await heatSeries(db, market, week, most)).map(({ asOf, heatIndex }) => [asOf, heatIndex])
  expect(await points(9)).toEqual([
    ['2026-10-23', 54],
    ['2026-11-06', 58],
    ['2026-11-13', 60],
  ])
  expect(await points(2)).toEqual([
    ['2026-11-06', 58],
    ['2026-11-13', 60],
  ])
})

test('a source is stale after two of its longest intervals, and after two hours at least', () => {
  const hour = 3_600_000
  for (const [schedule, expected] of [
    ['*/10 * * * *', 2],
    ['* * * * *', 2],
    ['5 * * * *', 2],
    ['5 */6 * * *', 12],
    ['* */6 * * *', 2],
    ['5 3 * * *', 48],
    ['5 3 * * 1', 14 * 24],
    ['5 3 1,15 * *', 62 * 24],
    ['5 3 1 6 *', 732 * 24],
  ] as const)
    expect([schedule, staleAfterMs(schedule)]).toEqual([schedule, expected * hour])
})

test('the state of a source is that of its last completed run, with the failures since then and what was lost', async () => {
  const { db } = database()
  const add = (id: string, holds = 'permits', schedule: string | null = null) =>
    sql`insert into source (id, kind, holds, title, sample, config, schedule)
      values (${id}, 'csv', ${holds}, ${id}, false, ${JSON.stringify({ holds })}::jsonb, ${schedule})`.execute(db)
  const run = (id: string, state: string, at: Date, given: Record<string, unknown> = {}) => {
    const { error = null, removed = 0, rejected = 0, filled = null } = given
    return sql`insert into ingest_run (source_id, state, first_load, started_at, finished_at, error, rows_removed, rows_rejected, filled)
      values (${id}, ${state}, false, ${at}, ${at}, ${error}, ${removed}, ${rejected}, ${filled && JSON.stringify(filled)}::jsonb)`.execute(
      db,
    )
  }
  const profile = (rows: number, units: number, more: object = {}) => ({
    filled: { rows, changesOnly: false, fields: { units, permitId: rows }, ...more },
  })
  const days = (count: number) => hours(24 * count)
  await add('never', 'permits', '5 3 * * *')
  await add('good', 'permits', '5 3 * * *')
  await run('good', 'failed', days(-60), { error: 'old' })
  await run('good', 'completed', days(-30), { removed: 100, rejected: 5, ...profile(100, 90) })
  await run('good', 'completed', days(-29), { removed: 10, rejected: 6 })
  await run('good', 'completed', days(-2), { removed: 1, rejected: 7, ...profile(100, 85) })
  await add('late', 'permits', '5 3 * * *')
  await run('late', 'completed', minutes(-2 * 24 * 60 - 1), profile(20, 20))
  await run('late', 'failed', days(-1), { error: 'down' })
  await run('late', 'failed', hours(-1), { removed: 50 })
  await add('recovered')
  await run('recovered', 'failed', days(-1), { error: 'down' })
  await run('recovered', 'completed', hours(-1), profile(19, 1))
  await add('open')
  await run('open', 'completed', days(-1), { ...profile(100, 96) })
  await run('open', 'completed', hours(-3), { ...profile(30, 0, { changesOnly: true }) })
  await run('open', 'running', hours(-2))
  // New permits of a day lack what those of years have; of the same size, they are compared.
  await add('small')
  await run('small', 'completed', days(-3), profile(8_000, 7_600))
  await run('small', 'completed', days(-1), profile(39, 23))
  await add('smaller')
  await run('smaller', 'completed', days(-3), profile(390, 390))
  await run('smaller', 'completed', days(-1), profile(39, 23))
  await add('layer', 'layer')
  await run('layer', 'completed', days(-366))
  await add('old-layer', 'layer')
  await run('old-layer', 'completed', days(-367))
  const states = await sourceStates(db, now)
  expect(
    states.map(({ id, lastRunAt, rejected, error, failingSince, removed, lostFields, stale }) => [
      ...[id, lastRunAt, rejected, error, failingSince, removed, lostFields, stale],
    ]),
  ).toEqual([
    ['good', days(-2), 7, null, null, 11, ['units 90% → 85%'], false],
    ['late', minutes(-2 * 24 * 60 - 1), 0, 'failed', days(-1), 0, [], true],
    ['layer', days(-366), 0, null, null, 0, [], false],
    ['never', null, null, null, null, 0, [], true],
    ['old-layer', days(-367), 0, null, null, 0, [], true],
    ['open', hours(-3), 0, 'the process ended before the run did', hours(-2), 0, [], false],
    ['recovered', hours(-1), 0, null, null, 0, [], false],
    ['small', days(-1), 0, null, null, 0, [], false],
    ['smaller', days(-1), 0, null, null, 0, ['units 100% → 59%'], false],
  ])
})
