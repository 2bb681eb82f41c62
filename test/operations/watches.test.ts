// Watches: what may be saved, what a run matches, and what is announced.
import { mkdir, mkdtemp, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KyselyPlugin } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { announceTo } from '../../src/assess/announce.ts'
import { assessMarket } from '../../src/assess/assess-market.ts'
import { openMailWorker } from '../../src/events/mail-worker.ts'
import { startEventWorker } from '../../src/events/worker.ts'
import { decisionTexts } from '../../src/operations/deal-homes.ts'
import { sql } from '../../src/store/engine/database.ts'
import { confirmKey, hashOf, insertKey, keyByHash, rotateKey } from '../../src/store/keys/keys.ts'
import type { Mail } from '../../src/store/keys/mails.ts'
import { changedRows } from '../../src/store/search/changed-rows.ts'
import { searchRowsOf } from '../../src/store/search/search-rows.ts'
import { indexMarket, indexPropertiesOf } from '../../src/store/search/upkeep.ts'
import { recordChanges } from '../../src/store/watches/changes.ts'
import { announcedMatches, writeAnnounced } from '../../src/store/watches/matches.ts'
import { queueWatchMails } from '../../src/store/watches/watch-mails.ts'
import { announceMatches, watchSlots } from '../../src/watches/announce.ts'
import { matchChanges } from '../../src/watches/matching.ts'
import { openWatchIndex } from '../../src/watches/watch-index.ts'
import { ask } from '../setup/ask.ts'
import { assessedAsOf, assessment, emptyTables, listing, permit, property } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

const service = useService({ webhookAllowPrivate: true })
const market = 'sf-peninsula'
const now = new Date('2026-11-17T14:00:00Z')
let pro: string
let home: string

beforeEach(async () => {
  const { db } = service()
  service().setNow(now)
  await emptyTables(
    db,
    'watch',
    'watched_change',
    'waiting_match',
    'mail',
    'event',
    'delivery',
    'webhook_endpoint',
    'property',
    'listing',
    'listing_change',
  )
  pro = await newKey('pro')
  home = await property(db, { city: 'Palo Alto', city_slug: 'palo-alto' })
  await listing(db, { property_id: home, price_usd: 1_500_000, listing_id: 'L1', source_id: 'test' })
  await assessment(db, home, { teardown_score: 12 })
  await indexMarket(db, market)
})

let mailboxes = 0
const newKey = async (plan: 'free' | 'pro', email = `a${++mailboxes}x@example.com`, confirmedAt?: Date) =>
  (await insertKey(service().db, { plan, email, confirmedAt })).key

const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object, key = pro) =>
  ask(service(), `/v1/watches${path}`, { key, method, ...(body ? { body } : {}) })

const watch = { name: 'Under $1.4M', kind: 'listings', criteria: { maxPrice: 1_400_000 } }
const made = async (given: object = {}, key = pro): Promise<string> => {
  const { status, body } = await send('POST', '', { ...watch, ...given }, key)
  expect(body.error).toBeUndefined()
  expect(status).toBe(200)
  return body.data.id
}

describe('what may be saved', () => {
  test('a polygon is not compared with itself before its positions are counted', async () => {
    // It crosses itself, which a comparison would find.
    const [a, b, c, d] = [
      [-122.2, 37.4],
      [-122.1, 37.5],
      [-122.1, 37.4],
      [-122.2, 37.5],
    ]
    const within = { type: 'Polygon', coordinates: [[...Array.from({ length: 600 }, () => a), b, c, d, a]] }
    const free = await newKey('free')
    const { status, body } = await send('POST', '', { name: 'Area', kind: 'parcels', criteria: { within } }, free)
    expect([status, body.error]).toEqual([400, expect.stringContaining('at most 500 positions')])
    const crossing = await send('POST', '', { name: 'Area', kind: 'parcels', criteria: { within } })
    expect(crossing.body.error).toContain('must not cross itself')
  })

  test('a watch is stored with its defaults, changed, paused, resumed and deleted by its key only', async () => {
    const id = await made({ name: ' Und\u0001er\n $1.4M ', note: 'First\u0007 l\0ine\nsecond' })
    const stored = (await send('GET', `/${id}`)).body.data
    expect(stored).toMatchObject({
      name: 'Under $1.4M',
      note: 'First line\nsecond',
      on: ['entered'],
      cadence: 'daily',
      channels: { email: false, atom: false, webhooks: [] },
      paused: false,
      savedHome: false,
    })
    const other = await newKey('pro')
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PUT', '', watch],
      ['DELETE', '', undefined],
      ['POST', '/pause', {}],
      ['POST', '/resume', {}],
      ['POST', '/test', {}],
      ['GET', '/matches', undefined],
    ] as const)
      expect((await send(method, `/${id}${path}`, body, other)).status).toBe(404)
    expect((await send('GET', '', undefined, other)).body.data).toEqual([])
    await send('POST', `/${id}/pause`, {})
    expect((await send('GET', `/${id}`)).body.data.paused).toBe(true)
    await send('POST', `/${id}/resume`, {})
    await send('PUT', `/${id}`, { ...watch, name: 'Other', on: ['price'] })
    expect((await send('GET', '')).body.data).toMatchObject([{ id, name: 'Other', on: ['price'], paused: false }])
    expect((await send('DELETE', `/${id}`)).body).toEqual({ success: true })
    expect((await send('GET', `/${id}`)).status).toBe(404)
  })

  test('dryRun stores nothing and says how many records match now', async () => {
    const { body } = await send('POST', '', { ...watch, criteria: { maxPrice: 1_600_000 }, dryRun: true })
    expect(body.data).toEqual({ matchesNow: 1, notes: [] })
    expect((await send('GET', '')).body.data).toEqual([])
  })

  test('a home is watched in its own market; a market without it is named in the notes', async () => {
    const away = await property(service().db, { market: 'nantucket', city: 'Nantucket' })
    await listing(service().db, { property_id: away, market: 'nantucket' })
    await indexMarket(service().db, 'nantucket')
    const preview = async (criteria: object) => (await send('POST', '', { ...watch, criteria, dryRun: true })).body.data
    expect(await preview({ id: [away] })).toEqual({ matchesNow: 1, notes: [] })
    expect((await preview({ id: [home, away] })).matchesNow).toBe(2)
    expect(await preview({ id: [away], market })).toEqual({
      matchesNow: 0,
      notes: [`id: ${away} is in the market nantucket; did you mean market=nantucket?`],
    })
    expect((await preview({ city: 'Nantucket' })).notes).toEqual([expect.stringContaining('market=nantucket')])
    await send('POST', '', { ...watch, criteria: { id: [away] } })
    const { rows } = await sql`select markets from watch`.execute(service().db)
    expect(rows).toEqual([{ markets: ['nantucket'] }])
  })

  test('an earlier watch of ids without a market gets the markets of its homes', async () => {
    const { db } = service()
    const away = await property(db, { market: 'nantucket', city: 'Nantucket' })
    const of = async (criteria: object) => (await send('POST', '', { ...watch, criteria })).body.data.id
    const ids = [await of({ id: [home, away] }), await of({ id: [home], market }), await of({ city: 'Palo Alto' })]
    await sql`update watch set markets = ${[market]}`.execute(db)
    await sql.raw(await readFile('migrations/shared/0046_watch_of_ids.sql', 'utf8')).execute(db)
    const { rows } = await sql<{ id: string; markets: string[] }>`select id, markets from watch`.execute(db)
    const markets = ids.map((id) => rows.find((each) => each.id === id)!.markets.sort())
    expect(markets).toEqual([['nantucket', market], [market], [market]])
  })

  test('perWeek counts the past events that would have matched; moving criteria are named', async () => {
    const data = (previous: object) => JSON.stringify({ data: { propertyId: home, previous } })
    const row = { market, id: home, citySlug: 'palo-alto', numbers: { price: 1_300_000 }, texts: { status: 'active' } }
    await sql`
      insert into event (id, type, market, body, search_row, created_at)
      select id, 'listing.price_changed', ${market}, body, ${JSON.stringify(row)}::jsonb, at::timestamptz
      from unnest(${['e1', 'e2']}::text[], ${[data({ price: 1_500_000, status: 'active' }), data({ price: 1_350_000, status: 'active' })]}::text[],
        ${['2026-11-03T14:00:00Z', '2026-11-10T14:00:00Z']}::text[]) as e (id, body, at)`.execute(service().db)
    const preview = async (given: object) => (await send('POST', '', { ...watch, ...given, dryRun: true })).body.data
    expect((await preview({})).perWeek).toBe(0.5)
    expect((await preview({ on: ['price'] })).perWeek).toBe(1)
    expect((await preview({ on: ['left'] })).perWeek).toBe(0)
    expect((await preview({ criteria: { maxDaysOnMarket: 7 } })).notes[0]).toContain('maxDaysOnMarket')
  })

  test('perWeek of permits counts new ones of any value, and changes of the status', async () => {
    const { db } = service()
    const recent = { city: 'Palo Alto', valuation_usd: 900, issued_on: '2026-11-02' }
    await permit(db, { permit_id: 'P1', ...recent })
    await permit(db, { permit_id: 'P2', ...recent, issued_on: '2026-08-02', applied_on: '2026-08-01' })
    await permit(db, { permit_id: 'P3', ...recent, city: 'Menlo Park' })
    for (const [city, id, on, status, previous] of [
      ['palo-alto', 'P1', '2026-11-03', 'applied', null],
      ['palo-alto', 'P1', '2026-11-10', 'issued', 'applied'],
      ['palo-alto', 'P2', '2026-11-10', 'finaled', 'issued'],
      ['menlo-park', 'P3', '2026-11-10', 'issued', null],
      ['palo-alto', 'P1', '2026-01-10', 'in_review', 'applied'],
    ])
      await sql`insert into permit_change (market, city_slug, permit_id, changed_at, changed_on, status, previous_status)
        values (${market}, ${city}, ${id}, ${`${on}T14:00:00Z`}, ${on}, ${status}, ${previous})`.execute(db)
    const permits = { ...watch, kind: 'permits', criteria: { city: 'Palo Alto' }, dryRun: true }
    const perWeek = async (given: object, key = pro) =>
      (await send('POST', '', { ...permits, ...given }, key)).body.data.perWeek
    expect(await perWeek({ on: ['entered'] })).toBe(0.5)
    expect(await perWeek({ on: ['status'] })).toBe(1)
    // The list has issued permits: P1 entered it when it was issued.
    expect(await perWeek({ on: ['entered', 'status'], criteria: {} })).toBe(1.5)
    expect(await perWeek({ on: ['status'] }, await newKey('free'))).toBe(0.5)
  })

  test('the demo key has none; free keys have 3 per mailbox, daily or weekly, without webhooks', async () => {
    expect((await send('POST', '', watch, 'demo')).status).toBe(403)
    const email = `same${++mailboxes}x@example.com`
    const [first, second] = [await newKey('free', email), await newKey('free', email.replace('@', '+b@'))]
    expect((await send('POST', '', { ...watch, cadence: 'instant' }, first)).status).toBe(403)
    expect((await send('POST', '', { ...watch, channels: { webhooks: ['whk_1'] } }, first)).status).toBe(403)
    const id = await made({}, first)
    await made({ cadence: 'weekly' }, first)
    await made({}, second)
    expect((await send('POST', '', watch, second)).body.error).toContain('3 watches')
    await send('PUT', `/${id}`, { ...watch, name: 'Replaced' }, first)
    // One home without a channel is counted apart.
    await made({ criteria: { id: [home] }, note: 'Nice' }, second)
    // Confirmed keys have a count of their own.
    await confirmKey(service().db, (await keyByHash(service().db, hashOf(second)))!.id, now)
    await made({}, second)
  })

  test('criteria that do not apply, triggers of homes for permits and foreign endpoints are refused', async () => {
    const message = async (given: object) => (await send('POST', '', { ...watch, ...given })).body.error
    expect(await message({ criteria: { minValuation: 1 } })).toContain(
      'criteria.minValuation does not apply to listings',
    )
    expect(await message({ criteria: { maxprice: 3_000_000 } })).toContain('did you mean criteria.maxPrice?')
    expect(await message({ kind: 'permits', criteria: {}, on: ['price'] })).toContain('entered, left, status')
    expect(await message({ channels: { webhooks: ['whk_other'] } })).toContain('no endpoint "whk_other"')
    expect(await message({ name: '\u0001' })).toContain('it has only spaces and control characters')
    expect(await message({ channels: ['atom'] })).toContain('must be an object, for example {"atom":true}')
  })

  test('a watch passes to the key that replaces its key', async () => {
    await made()
    const { id } = (await keyByHash(service().db, hashOf(pro)))!
    const { key } = await rotateKey(service().db, id, new Date(now.getTime() + 3_600_000))
    expect((await send('GET', '', undefined, key)).body.data).toHaveLength(1)
  })
})

/** A run that changes the price and the score of the home, in one transaction. */
const run = async (price: number, { score = 12, silent = false }: { score?: number; silent?: boolean } = {}) => {
  const { db, services } = service()
  const rows = await changedRows(db, market, [home], '2026-11-17', async () => {
    await sql`update listing set price_usd = ${price} where property_id = ${home}`.execute(db)
    await sql`update assessment set teardown_score = ${score} where property_id = ${home}`.execute(db)
    await indexPropertiesOf(db, market, [home])
  })
  const moves = silent ? [{ silent, before: {}, after: { propertyId: home } } as never] : []
  await announceTo({ queue: services.queue }, now)(db, { market, today: '2026-11-17', ids: [home], moves, rows })
  await matchChanges(db, now)
}

const announce = (at = now) => announceMatches(service().db, service().services, at)
const matchesOf = async (id: string, key = pro) => (await send('GET', `/${id}/matches`, undefined, key)).body.data
const pending = async () =>
  (await sql`select jsonb_object_keys(watches) from waiting_match`.execute(service().db)).rows.length

describe('matches', () => {
  test('a home that enters, changes its price and leaves is announced to the watches on these changes', async () => {
    const entered = await made({ cadence: 'instant' })
    const price = await made({ cadence: 'instant', on: ['price', 'left'] })
    const elsewhere = await made({ cadence: 'instant', criteria: { city: 'Menlo Park' }, on: ['price'] })
    await run(1_300_000)
    await announce()
    await run(1_350_000)
    await announce()
    await run(1_500_000)
    await announce()
    const told = async (id: string) =>
      (await matchesOf(id)).map((each: { price: number; triggers: string[]; previous: { price: number } }) => [
        each.previous.price,
        each.price,
        ...each.triggers,
      ])
    expect(await told(entered)).toEqual([[1_500_000, 1_300_000, 'entered']])
    expect(new Set(await told(price))).toEqual(
      new Set([
        [1_500_000, 1_300_000, 'price'],
        [1_300_000, 1_350_000, 'price'],
        [1_350_000, 1_500_000, 'left', 'price'],
      ]),
    )
    expect(await told(elsewhere)).toEqual([])
  })

  test('“tell me when something with $200K of room comes up”: a price cut that makes the room is announced', async () => {
    const best = { kind: 'new_house', allowed: 'yes', approval: 'ministerial', confidence: 'medium' }
    const uses = { offers: [], place: {}, best: { ...best, maximumOffer: 1_700_000, maximumOfferLow: 1_600_000 } }
    await sql`update assessment set uses = ${JSON.stringify(uses)}::jsonb where property_id = ${home}`.execute(
      service().db,
    )
    const criteria = { city: 'Palo Alto', minRoom: 200_000 }
    const here = await made({ cadence: 'instant', criteria })
    const safer = await made({ cadence: 'instant', criteria: { ...criteria, minRoomLow: 200_000 } })
    const elsewhere = await made({ cadence: 'instant', criteria: { ...criteria, city: 'San Carlos' } })
    await run(1_550_000)
    await announce()
    expect(await matchesOf(here)).toEqual([])
    await run(1_450_000)
    await announce()
    expect(await matchesOf(here)).toMatchObject([{ propertyId: home, price: 1_450_000, triggers: ['entered'] }])
    expect([await matchesOf(safer), await matchesOf(elsewhere)]).toEqual([[], []])
  })

  test('several runs before the announcement are one change, and one that was undone is none', async () => {
    const id = await made()
    await run(1_350_000)
    await run(1_300_000)
    expect(await pending()).toBe(1)
    await run(1_500_000)
    expect(await pending()).toBe(0)
    await run(1_300_000)
    expect(await matchesOf(id)).toEqual([])
    expect(await announce()).toBe(0)
    await announce(new Date('2026-11-18T13:00:00Z'))
    expect(await matchesOf(id)).toMatchObject([{ propertyId: home, price: 1_300_000, previous: { price: 1_500_000 } }])
  })

  test('a change waits for each watch until its cadence, and a later change is joined only where it still waits', async () => {
    const [instant, daily] = [await made({ cadence: 'instant', on: ['price'] }), await made({ on: ['price'] })]
    await run(1_300_000)
    expect(await announce()).toBe(1)
    await run(1_250_000)
    expect(await pending()).toBe(2)
    expect(await announce()).toBe(1)
    expect(await announce(new Date('2026-11-18T13:00:00Z'))).toBe(1)
    const prices = async (id: string) =>
      (await matchesOf(id))
        .map((each: { price: number; previous: { price: number } }) => [each.previous.price, each.price])
        .sort()
    expect(await prices(instant)).toEqual([
      [1_300_000, 1_250_000],
      [1_500_000, 1_300_000],
    ])
    expect(await prices(daily)).toEqual([[1_500_000, 1_250_000]])
    expect(await pending()).toBe(0)
  })

  test('a watch with an assumption set follows its returns, and the set cannot be deleted meanwhile', async () => {
    const { db } = service()
    const deal = [1_500, 0, 3_000, 1_400, 1, null, null]
    // Stored by an assessment; this home has none.
    const run = async (price: number) => {
      const rows = await changedRows(db, market, [home], '2026-11-17', async () => {
        await sql`update listing set price_usd = ${price} where property_id = ${home}`.execute(db)
        await indexPropertiesOf(db, market, [home])
        await sql`update property_search set deal = ${deal}, return_pct = 99 where property_id = ${home}`.execute(db)
      })
      const settings = { queue: service().services.queue }
      await announceTo(settings, now)(db, { market, today: '2026-11-17', ids: [home], moves: [], rows })
      await matchChanges(db, now)
    }
    const set = async (costPerSqft: number) =>
      (
        await ask(service(), '/v1/assumption-sets', {
          key: pro,
          body: { name: 'Mine', market, values: { costPerSqft } },
        })
      ).body.data.id
    const [cheap, dear] = [await set(100), await set(2_000)]
    const content = { cadence: 'instant', criteria: { minReturnPct: 10 }, on: ['price'] }
    const follows = await made({ ...content, assumptionSet: cheap })
    const fails = await made({ ...content, assumptionSet: dear })
    const plain = await made(content)
    await run(1_450_000)
    await run(1_400_000)
    await announce()
    const [match] = await matchesOf(follows)
    expect(match.returnPct).toBeGreaterThan(10)
    expect(match.returnPct).not.toBe(99)
    expect(await matchesOf(fails)).toEqual([])
    expect(await matchesOf(plain)).toMatchObject([{ returnPct: 99 }])
    const row = { market, id: home, citySlug: 'palo-alto', numbers: { price: 1_400_000 }, texts: { status: 'active' } }
    const body = { data: { propertyId: home, previous: { price: 1_450_000, status: 'active' } } }
    await sql`
      insert into event (id, type, market, body, search_row, created_at)
      values ('e1', 'listing.price_changed', ${market}, ${JSON.stringify(body)}, ${JSON.stringify(row)}::jsonb, ${now})`.execute(
      db,
    )
    const perWeek = async (assumptionSet: string) =>
      (await send('POST', '', { ...watch, ...content, assumptionSet, dryRun: true })).body.data.perWeek
    expect([await perWeek(cheap), await perWeek(dear)]).toEqual([1, 0])
    expect((await send('GET', `/${follows}`)).body.data.assumptionSet).toBe(cheap)
    const remove = await ask(service(), `/v1/assumption-sets/${cheap}`, { key: pro, method: 'DELETE' })
    expect(remove.body.error).toContain('uses this set')
    const change = (body: object) =>
      ask(service(), `/v1/assumption-sets/${cheap}`, { key: pro, method: 'PUT', body: { name: 'Mine', ...body } })
    expect((await change({ market: 'nantucket', values: {} })).body.error).toContain('its market cannot change')
    expect((await change({ market, values: { costPerSqft: 110 } })).status).toBe(200)
    expect((await change({ values: { costPerSqft: 120 } })).status).toBe(200)
    expect((await change({ market, values: {} })).body.error).toContain('its market cannot change')
    expect((await send('POST', '', { ...watch, assumptionSet: 'as_other' })).body.error).toContain('as_other')
  })

  test('what waits is kept when a watch gets another name, note or channel, and deleted when it gets other criteria', async () => {
    const id = await made()
    await run(1_300_000)
    await send('PUT', `/${id}`, { ...watch, name: 'Other', note: 'Mine', cadence: 'weekly', channels: { atom: true } })
    expect(await pending()).toBe(1)
    await send('PUT', `/${id}`, { ...watch, criteria: { maxPrice: 1_350_000 } })
    expect(await pending()).toBe(0)
  })

  test('a match that a change is being joined to is not announced meanwhile', async () => {
    const { db } = service()
    const id = await made({ cadence: 'instant' })
    await run(1_300_000)
    const after = (await searchRowsOf(db, market, [home], '2026-11-17')).get(home)!
    // When the matching has read the match that waits, the worker announces what it may.
    const announcing: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (result.rows.some((row) => 'before' in row)) await announce()
        return result
      },
    }
    const cheaper = { ...after, numbers: { ...after.numbers, price: 1_200_000 } }
    await recordChanges(db, market, [{ propertyId: home, before: after, after: cheaper }], now)
    await matchChanges(db.withPlugin(announcing), now)
    await announce()
    expect(await matchesOf(id)).toMatchObject([{ triggers: ['entered'], previous: { price: 1_500_000 } }])
  })

  test('a change is matched after its transaction; what a crash interrupts is matched again, once', async () => {
    const { db, services } = service()
    const id = await made({ cadence: 'instant' })
    const rows = await changedRows(db, market, [home], '2026-11-17', async () => {
      await sql`update listing set price_usd = 1300000 where property_id = ${home}`.execute(db)
      await indexPropertiesOf(db, market, [home])
    })
    await announceTo({ queue: services.queue }, now)(db, { market, today: '2026-11-17', ids: [home], moves: [], rows })
    expect(await pending()).toBe(0)
    const crashing: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (result.rows.some((row) => 'watches' in row || 'criteria' in row)) throw new Error('crash')
        return result
      },
    }
    await expect(matchChanges(db.withPlugin(crashing), now)).rejects.toThrow('crash')
    expect(await pending()).toBe(0)
    // Two workers at once.
    await Promise.all([matchChanges(db, now), matchChanges(db, now)])
    await matchChanges(db, now)
    expect(await pending()).toBe(1)
    await announce()
    expect(await matchesOf(id)).toMatchObject([{ triggers: ['entered'], previous: { price: 1_500_000 } }])
  })

  test('the event worker matches and announces what runs have recorded, and prunes each day', async () => {
    const { db, services } = service()
    const id = await made({ cadence: 'instant' })
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'lotline-outbox-'))
    const outbox = join(DATA_DIR, 'outbox')
    await mkdir(outbox)
    for (const days of [29, 31]) {
      await writeFile(join(outbox, `mail_${days}.eml`), '')
      const written = new Date(Date.now() - days * 86_400_000)
      await utimes(join(outbox, `mail_${days}.eml`), written, written)
    }
    await services.queue.boss.send('prune')
    const logged: unknown[] = []
    const row = (await searchRowsOf(db, market, [home], '2026-11-17')).get(home)!
    const after = { ...row, numbers: { ...row.numbers, price: 1_300_000 } }
    await recordChanges(db, market, [{ propertyId: home, before: row, after }], new Date())
    const worker = await startEventWorker({
      services: { ...services, decisionsOf: decisionTexts, todayMail: async () => undefined },
      config: { MAIL_FROM: 'a@lotline.test', DATA_DIR },
      logger: { info: (...line) => logged.push(line), warn: () => {}, error: () => {} },
      version: 'test',
    })
    await expect.poll(() => matchesOf(id)).toMatchObject([{ propertyId: home, triggers: ['entered'] }])
    await expect.poll(() => logged).toEqual([[expect.objectContaining({ outbox: 1 }), 'pruned']])
    expect(await readdir(outbox)).toEqual(['mail_29.eml'])
    await worker.stop()
  })

  test('the matches of a watch are those that were announced last', async () => {
    const { db } = service()
    const id = await made()
    const match = { watchId: id, market, propertyId: home, permitId: null, address: 'x', triggers: ['entered'] }
    for (const at of [1, 3, 2]) {
      const row = { ...match, id: `wm_${at}`, before: null, after: { market, numbers: {}, texts: {} }, changedAt: now }
      await writeAnnounced(db, [{ ...row, mailed: false } as never], new Date(now.getTime() + at))
    }
    expect((await announcedMatches(db, id, 2)).map((each) => each.id)).toEqual(['wm_3', 'wm_2'])
  })

  test('several changes of a record that are matched together are matched in their order', async () => {
    const { db } = service()
    const id = await made({ on: ['entered', 'price'] })
    const row = (await searchRowsOf(db, market, [home], '2026-11-17')).get(home)!
    const at = (price: number) => ({ ...row, numbers: { ...row.numbers, price } })
    const change = (from: number, to: number) =>
      recordChanges(db, market, [{ propertyId: home, before: at(from), after: at(to) }], now)
    await change(1_500_000, 1_300_000)
    await change(1_300_000, 1_500_000)
    await change(1_500_000, 1_250_000)
    await change(1_250_000, 1_200_000)
    await matchChanges(db, now)
    expect(await pending()).toBe(1)
    await announce(new Date('2026-11-18T13:00:00Z'))
    expect(await matchesOf(id)).toMatchObject([{ price: 1_200_000, previous: { price: 1_500_000 } }])
  })

  test('a worker that keeps its index sees watches that begin, change, pause, end, and sets and keys that change', async () => {
    const { db } = service()
    const index = openWatchIndex()
    const row = (await searchRowsOf(db, market, [home], '2026-11-17', { deals: true })).get(home)!
    const deal = [1_500, 0, 3_000, 1_400, 1, null, null, null] as const
    const at = (price: number) => ({ ...row, deal, numbers: { ...row.numbers, price } })
    /** The watches that a price cut of the home matches. */
    const matched = async () => {
      await emptyTables(db, 'waiting_match')
      await recordChanges(db, market, [{ propertyId: home, before: at(1_500_000), after: at(1_300_000) }], now)
      await matchChanges(db, now, index)
      const { rows } = await sql<{ id: string }>`select jsonb_object_keys(watches) as id from waiting_match`.execute(db)
      return rows.map(({ id }) => id).sort()
    }
    expect(await matched()).toEqual([])
    const first = await made()
    expect(await matched()).toEqual([first])
    const set = (costPerSqft: number, id = '') =>
      ask(service(), `/v1/assumption-sets${id}`, {
        key: pro,
        method: id ? 'PUT' : 'POST',
        body: { name: 'Mine', values: { costPerSqft } },
      })
    const setId = (await set(2_000)).body.data.id
    const second = await made({ criteria: { minReturnPct: 10 }, on: ['price'], assumptionSet: setId })
    expect(await matched()).toEqual([first])
    await set(100, `/${setId}`)
    expect(await matched()).toEqual([first, second].sort())
    await send('PUT', `/${first}`, { ...watch, criteria: { maxPrice: 1_200_000 } })
    expect(await matched()).toEqual([second])
    await send('PUT', `/${first}`, watch)
    await send('POST', `/${second}/pause`, {})
    expect(await matched()).toEqual([first])
    await send('POST', `/${second}/resume`, {})
    await send('DELETE', `/${first}`)
    expect(await matched()).toEqual([second])
    await sql`update api_key set revoked_at = ${now} where hash = ${hashOf(pro)}`.execute(db)
    expect(await matched()).toEqual([])
  })

  test('a watch of a key that is no longer Pro is announced daily', async () => {
    const { db } = service()
    await made({ cadence: 'instant' })
    await sql`update api_key set plan = 'free' where hash = ${hashOf(pro)}`.execute(db)
    await run(1_300_000)
    expect(await announce()).toBe(0)
    expect(await announce(new Date('2026-11-18T13:00:00Z'))).toBe(1)
    const early = await insertKey(db, {
      plan: 'free',
      email: 'early@example.com',
      promotionUntil: new Date('2027-01-01'),
    })
    expect((await send('POST', '', { ...watch, cadence: 'instant' }, early.key)).status).toBe(403)
  })

  test('a paused watch and a silent change match nothing', async () => {
    const id = await made()
    await send('POST', `/${id}/pause`, {})
    await run(1_300_000)
    await send('POST', `/${id}/resume`, {})
    await run(1_500_000)
    await run(1_300_000, { silent: true })
    expect(await pending()).toBe(0)
  })

  test('the first run of a market matches nothing; a later assessment does', async () => {
    const { db, services } = service()
    const assess = async () => {
      await sql`delete from assessment`.execute(db)
      await indexMarket(db, market)
      await assessMarket(db, market, { now, announce: announceTo({ queue: services.queue }, now) })
      await matchChanges(db, now)
    }
    await sql`delete from assess_run`.execute(db)
    const id = await made({ cadence: 'instant', criteria: { minTeardownScore: 0 } })
    await assess()
    expect(await pending()).toBe(0)
    await assess()
    await announce()
    expect(await matchesOf(id)).toMatchObject([{ propertyId: home, triggers: ['entered'] }])
  })

  test('a window hides the price and status of a parcel whose sale it hides, and no other change of the parcel', async () => {
    const { db } = service()
    const free = await newKey('free')
    const parcels = { kind: 'parcels', criteria: { id: [home] } }
    const told = await made({ ...parcels, on: ['price', 'status'], channels: { atom: true } }, free)
    const entered = await made({ ...parcels, criteria: { minTeardownScore: 20 } }, free)
    await run(1_300_000, { score: 25 })
    await announce(new Date('2026-11-18T13:00:00Z'))
    const shown = async () => [(await matchesOf(told, free)).length, (await matchesOf(entered, free)).length]
    expect(await shown()).toEqual([1, 1])
    await sql`update listing set status = 'sold', sold_on = '2026-01-05' where property_id = ${home}`.execute(db)
    await indexPropertiesOf(db, market, [home])
    expect(await shown()).toEqual([0, 1])
    const [match] = await matchesOf(entered, free)
    for (const row of [match, match.previous]) {
      expect(row.teardownScore).toBeGreaterThan(0)
      for (const hidden of ['price', 'status', 'returnPct']) expect(row).not.toHaveProperty(hidden)
    }
  })

  test('the endpoints of a watch receive watch.matched without subscribing; others and the event feed do not', async () => {
    const register = (url: string, events: string[]) =>
      ask(service(), '/v1/webhooks/register', { key: pro, body: { url, events } })
    const { id: endpoint } = (await register('https://8.8.8.8/one', ['permit.created'])).body
    await register('https://8.8.8.8/two', ['watch.matched'])
    const id = await made({ cadence: 'instant', channels: { webhooks: [endpoint] } })
    await run(1_300_000)
    await assessedAsOf(service().db, market, '2026-08-31')
    await announce()
    await announce()
    await assessedAsOf(service().db, market)
    const { rows } = await sql<{ endpointId: string; body: string }>`select endpoint_id, body from delivery`.execute(
      service().db,
    )
    expect(rows.map(({ endpointId }) => endpointId)).toEqual([endpoint])
    const { event, data, asOf } = JSON.parse(rows[0]!.body)
    expect([event, asOf]).toEqual(['watch.matched', '2026-08-31'])
    expect(data).toMatchObject({ watchId: id, name: watch.name, more: 0, matches: [{ triggers: ['entered'] }] })
    expect((await sql`select id from event where type = 'watch.matched'`.execute(service().db)).rows).toEqual([])
    expect((await send('POST', `/${id}/test`, {})).body.deliveryIds).toHaveLength(1)
    // A deleted endpoint is no channel of a watch any more, which can then be saved again as it is read.
    const ofHome = await made({ criteria: { id: [home] }, channels: { webhooks: [endpoint] } })
    await ask(service(), `/v1/webhooks/${endpoint}`, { key: pro, method: 'DELETE' })
    const { name, kind, criteria, on, cadence, channels, savedHome } = (await send('GET', `/${id}`)).body.data
    expect([channels.webhooks, savedHome]).toEqual([[], false])
    expect((await send('PUT', `/${id}`, { name, kind, criteria, on, cadence, channels })).status).toBe(200)
    expect((await send('GET', `/${ofHome}`)).body.data).toMatchObject({ channels: { webhooks: [] }, savedHome: true })
  })
})

describe('mails', () => {
  let owner: string
  beforeEach(async () => {
    await sql`delete from pgboss.job where name = 'mail'`.execute(service().db)
    owner = await newKey('pro', `b${++mailboxes}x@example.com`, now)
  })
  const mailed = { cadence: 'instant', channels: { email: true }, on: ['entered', 'left', 'price'] }
  const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000)

  /** Announces, queues and sends what is due. Returns what was accepted. */
  const mail = async (at = now, accept: (mail: Mail, id: string) => void = () => {}) => {
    const { db, services } = service()
    await announce(at)
    await queueWatchMails(db, services.queue, at)
    const sent: (Mail & { id: string })[] = []
    const worker = openMailWorker({
      ...services,
      ...{ decisionsOf: decisionTexts, todayMail: async () => undefined },
      mailer: {
        send: async (id, given) => {
          accept(given, id)
          sent.push({ id, ...given })
        },
        close: () => {},
      },
      log: { info: () => {}, warn: () => {}, error: () => {} },
      now: () => at,
    })
    await worker.poll()
    await worker.stop()
    return sent
  }

  test('all watches of a mailbox share one mail with what changed, why, and how to end it', async () => {
    await made(mailed, owner)
    await made({ ...mailed, name: 'Any price cut', criteria: {}, on: ['price'] }, owner)
    const returns = { returnPct: 12, returnAtExpectedPct: -7.5 }
    await sql`update assessment set proforma = ${JSON.stringify(returns)} where property_id = ${home}`.execute(
      service().db,
    )
    await assessedAsOf(service().db, market, '2026-08-31')
    await run(1_300_000)
    const [first, ...others] = await mail()
    expect(others).toEqual([])
    expect(first!.subject).toBe('2 changes in your watches')
    // The return that pages show, at the price that it is at.
    expect(first!.text).toContain('Loses 7.5% as a new house at the expected price')
    const { decision } = (await ask(service(), `/v1/properties/${home}`, { key: owner })).body.data
    expect(first!.text).toContain(`Palo Alto · ${decision.text} · Now matches`)
    for (const part of [first!.text, first!.html]) {
      expect(part).toContain('Now matches: max price $1,400,000')
      expect(part).toContain('Values, scores and decisions for San Francisco Peninsula are those of Aug 31, 2026.')
      expect(part).toContain('Price cut from $1,500,000 to $1,300,000 (−13.3%)')
      expect(part).toContain(`http://lotline.test/properties/${home}`)
    }
    expect(first!.headers!['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
    expect(await mail(later(60))).toEqual([])
    await assessedAsOf(service().db, market)
  })

  test('a mailbox gets one mail in 15 minutes and 20 a day; the rest is in the next', async () => {
    const email = (await keyByHash(service().db, hashOf(owner)))!.email
    const second = await newKey('pro', email.replace('@', '+b@'), now)
    await made(mailed, owner)
    await run(1_300_000)
    expect(await mail()).toHaveLength(1)
    await made({ ...mailed, criteria: {}, on: ['price'] }, second)
    await run(1_350_000)
    await run(1_360_000)
    expect(await mail(later(14))).toEqual([])
    // Each address gets its own mail, and both count.
    const next = await mail(later(15))
    expect(next).toHaveLength(1)
    expect(next[0]!.text).toContain('$1,360,000')
    const mailbox = (await sql<{ mailbox: string }>`select mailbox from mail limit 1`.execute(service().db)).rows[0]!
    await sql`insert into mail (id, kind, recipient, mailbox, queued_at, sent_at)
      select 'm' || i, 'watch', 'x', ${mailbox.mailbox}, ${later(16)}, ${later(16)} from generate_series(1, 18) i`.execute(
      service().db,
    )
    expect(await mail(later(120))).toEqual([])
    expect(await mail(later(1441))).toHaveLength(1)
  })

  test('an unconfirmed key gets no mail, nor a watch that was paused after its mail was queued', async () => {
    const unconfirmed = await newKey('pro')
    const { body } = await send('POST', '', { ...watch, ...mailed }, unconfirmed)
    expect(body.data.notes[0]).toContain('confirms the key')
    const id = await made(mailed, owner)
    await run(1_300_000)
    const { db, services } = service()
    await announce()
    await queueWatchMails(db, services.queue, now)
    await send('POST', `/${id}/pause`, {}, owner)
    expect(await mail(later(20))).toEqual([])
    expect((await sql`select id from mail`.execute(db)).rows).toEqual([])
    expect((await send('POST', `/${body.data.id}/test`, {}, unconfirmed)).status).toBe(403)
  })

  test('a mail that was not accepted is sent again with the same id, and with nothing that a window hides meanwhile', async () => {
    const free = await newKey('free', `c${++mailboxes}x@example.com`, now)
    await made(mailed, owner)
    await made({ ...mailed, cadence: 'daily' }, free)
    await run(1_300_000)
    const tried: string[] = []
    const fail = (_: Mail, mailId: string) => {
      tried.push(mailId)
      throw new Error('421 try later')
    }
    const at = later(24 * 60)
    expect(await mail(at, fail)).toEqual([])
    expect(tried).toHaveLength(2)
    // The home was sold before the window of the free key began.
    const { db } = service()
    await sql`update listing set status = 'sold', sold_on = '2026-01-05' where property_id = ${home}`.execute(db)
    await indexPropertiesOf(db, market, [home])
    await sql`update pgboss.job set start_after = now(), state = 'retry' where name = 'mail'`.execute(db)
    const sent = await mail(at)
    expect(sent.map(({ to }) => to)).toEqual([(await keyByHash(db, hashOf(owner)))!.email])
    expect(tried).toContain(sent[0]!.id)
  })

  test('a watch is tested by mail once a day', async () => {
    const id = await made(mailed, owner)
    expect((await send('POST', `/${id}/test`, {}, owner)).body).toEqual({
      success: true,
      deliveryIds: [],
      mailed: true,
    })
    expect((await mail())[0]!.subject).toBe('Test: Under $1.4M')
    service().setNow(later(5))
    expect((await send('POST', `/${id}/test`, {}, owner)).body.error).toContain(
      'The limit for this mailbox is one watch email per 15 minutes and 20 per day. Try again in',
    )
    service().setNow(later(20))
    expect((await send('POST', `/${id}/test`, {}, owner)).body.error).toContain('once a day')
  })
})

test('daily watches are due at 13:00 UTC, weekly ones on Monday', () => {
  expect(watchSlots(new Date('2026-11-17T12:59:00Z'))).toEqual({
    daily: new Date('2026-11-16T13:00:00Z'),
    weekly: new Date('2026-11-16T13:00:00Z'),
  })
  expect(watchSlots(new Date('2026-11-22T14:00:00Z'))).toEqual({
    daily: new Date('2026-11-22T13:00:00Z'),
    weekly: new Date('2026-11-16T13:00:00Z'),
  })
})
