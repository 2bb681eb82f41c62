// What an endpoint receives, and what the feed answers: by type, criteria, threshold and history window.
import { beforeEach, expect, test, vi } from 'vitest'
import type { SearchRow } from '../../src/criteria/conditions.ts'
import { sql } from '../../src/store/engine/database.ts'
import { recountMarket } from '../../src/store/ingest/dataset-counts.ts'
import { insertKey } from '../../src/store/keys/keys.ts'
import { searchRowsOf } from '../../src/store/search/search-rows.ts'
import { type NewEvent, recordEvents } from '../../src/store/webhooks/events.ts'
import { ask } from '../setup/ask.ts'
import { assessedAsOf, emptyTables, listing, permit, permitCreated } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

const service = useService({ webhookAllowPrivate: true })
const market = 'sf-peninsula'

beforeEach(async () => {
  await emptyTables(service().db, 'event', 'delivery', 'webhook_endpoint', 'property', 'listing', 'permit')
})

const record = (...events: NewEvent[]) => recordEvents(service().db, service().services.queue, events, new Date())

const home = async (given: Record<string, unknown> = {}): Promise<SearchRow> => {
  const id = await listing(service().db, given)
  return (await searchRowsOf(service().db, market, [id], '2026-11-14')).get(id)!
}

const created = (searchRow: SearchRow): NewEvent => ({
  type: 'listing.created',
  market,
  searchRow,
  data: {
    propertyId: searchRow.id,
    address: '1 Oak St',
    city: 'Palo Alto',
    citySlug: 'palo-alto',
    url: 'https://x.test/',
    status: 'active',
  },
})

const scored = (searchRow: SearchRow, minor = false): NewEvent => ({
  type: 'property.score_updated',
  market,
  searchRow,
  minor,
  data: { propertyId: searchRow.id, address: '1 Oak St', city: 'Palo Alto', previous: {}, reason: 'A test' },
})

const register = async (key: string, body: object = {}) =>
  ask(service(), '/v1/webhooks/register', { key, method: 'POST', body: { url: 'https://8.8.8.8/hook', ...body } })

const delivered = async (): Promise<string[]> =>
  (
    await sql<{ eventType: string }>`select event_type from delivery order by created_at, id`.execute(service().db)
  ).rows.map(({ eventType }) => eventType)

test('a filter keeps events whose row meets the criteria, of every type it applies to', async () => {
  const key = await service().proKey()
  const events = ['listing.created', 'permit.created']
  const { body } = await register(key, { events, filter: { maxPrice: 1_500_000 } })
  expect(body).toMatchObject({ events, filter: { maxPrice: 1_500_000 }, everyChange: false, onMarketOnly: false })
  await record(created(await home({ price_usd: 1_400_000 })), created(await home({ price_usd: 1_600_000 })), {
    type: 'permit.created',
    market,
    data: permitCreated('B1'),
  })
  expect(await delivered()).toEqual(['listing.created'])
})

test('a filter that none of the events can meet is 400, on registering and on changing', async () => {
  const key = await service().proKey()
  const wrong = { events: ['permit.created'], filter: { maxPrice: 1 } }
  expect((await register(key, wrong)).body).toMatchObject({
    code: 'bad_request',
    error: expect.stringMatching(/maxPrice/),
  })
  const { id } = (await register(key)).body
  const put = (body: object) => ask(service(), `/v1/webhooks/${id}`, { key, method: 'PUT', body })
  expect((await put(wrong)).status).toBe(400)
  expect(
    (await put({ events: ['lead.created'], filter: { city: 'Palo Alto' }, everyChange: true })).body.data,
  ).toMatchObject({
    id,
    events: ['lead.created'],
    filter: { city: 'Palo Alto' },
    everyChange: true,
    onMarketOnly: false,
  })
  expect(
    (await ask(service(), `/v1/webhooks/${id}`, { key: await service().proKey(), method: 'PUT', body: {} })).status,
  ).toBe(404)
})

test('a misspelled name is a 400 with the right one, on registering and on changing, and the endpoint stays as it is', async () => {
  const key = await service().proKey()
  const { body } = await register(key, { filter: { city: 'San Mateo', maxPrice: 4_000_000 } })
  const put = (sent: object) => ask(service(), `/v1/webhooks/${body.id}`, { key, method: 'PUT', body: sent })
  for (const [sent, said] of [
    [{ events: ['listing.created'], filter: { citty: 'x' } }, /filter\.citty: did you mean filter\.city\?/],
    [{ filter: { city: 'San Mateo', maxprice: 5 } }, /filter\.maxprice: did you mean filter\.maxPrice\?/],
    [{ evnts: [] }, /evnts: did you mean events\?/],
  ] as const)
    for (const answer of [await put(sent), await register(key, sent)])
      expect(answer).toMatchObject({ status: 400, body: { error: expect.stringMatching(said) } })
  const { data } = (await ask(service(), '/v1/webhooks', { key })).body
  expect(data).toMatchObject([{ id: body.id, filter: { city: 'San Mateo', maxPrice: 4_000_000 }, onMarketOnly: false }])
})

test('a misspelled city is reported with the right one, on registering and on changing', async () => {
  const key = await service().proKey()
  const { body } = await register(key, { filter: { city: 'Menlo Prak' } })
  expect(body.suggestions.join(' ')).toMatch(/Menlo Park/)
  const put = { key, method: 'PUT', body: { filter: { city: 'Menlo Prak' } } } as const
  expect((await ask(service(), `/v1/webhooks/${body.id}`, put)).body.suggestions.join(' ')).toMatch(/Menlo Park/)
})

test('an endpoint whose stored filter is no longer valid receives nothing, and the others receive theirs', async () => {
  const key = await service().proKey()
  const { id } = (await register(key, { events: ['listing.created'] })).body
  await register(key, { url: 'https://8.8.8.8/other', events: ['listing.created'] })
  await sql`update webhook_endpoint set filter = '{"abolished":1}' where id = ${id}`.execute(service().db)
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  await record(created(await home()))
  expect(await delivered()).toEqual(['listing.created'])
  expect(warn).toHaveBeenCalledWith(expect.stringContaining(id))
  warn.mockRestore()
})

test('by default, score changes above the threshold of homes on the market are sent; everyChange and a filter lift each', async () => {
  const key = await service().proKey()
  const forSale = await home()
  const sold = await home({ status: 'sold', sold_on: '2026-11-01' })
  const send = async () => {
    await emptyTables(service().db, 'delivery')
    await record(scored(forSale), scored(forSale, true), scored(sold))
    return (await delivered()).length
  }
  const { id, everyChange, onMarketOnly } = (await register(key)).body
  expect([everyChange, onMarketOnly]).toEqual([false, true])
  expect(await send()).toBe(1)
  await ask(service(), `/v1/webhooks/${id}`, { key, method: 'PUT', body: { everyChange: true } })
  expect(await send()).toBe(2)
  await ask(service(), `/v1/webhooks/${id}`, {
    key,
    method: 'PUT',
    body: { everyChange: true, filter: { city: 'palo-alto' } },
  })
  expect(await send()).toBe(3)
  // As an earlier version has registered it.
  await sql`update webhook_endpoint set filter = null, every_change = default, on_market_only = default`.execute(
    service().db,
  )
  expect(await send()).toBe(3)
})

test('the feed answers by type and criteria; the default types are the two of the first version', async () => {
  const cheap = await home({ price_usd: 1_400_000 })
  await record(created(cheap), created(await home({ price_usd: 1_600_000 })), scored(cheap))
  const feed = async (query: string) => (await ask(service(), `/v1/events${query}`, { key: 'demo' })).body
  const names = ({ data }: { data: { event: string }[] }) => data.map(({ event }) => event)
  expect(names(await feed(''))).toEqual(['property.score_updated'])
  expect(names(await feed('?types=listing.created'))).toEqual(['listing.created', 'listing.created'])
  const found = await feed(
    '?types=listing.created,property.score_updated&maxPrice=1500000&city=palo-alto&status=active',
  )
  expect(names(found)).toEqual(['listing.created', 'property.score_updated'])
  expect(found.data[0]).not.toHaveProperty('searchRow')
  const first = await feed('?types=listing.created&limit=1&maxPrice=2000000')
  expect([first.hasMore, names(await feed(`?types=listing.created&after=${first.nextCursor}`))]).toEqual([
    true,
    ['listing.created'],
  ])
  for (const wrong of [
    '?types=permit.created&maxPrice=1',
    '?since=yesterday',
    '?since=2126-01-01',
    `?since=2026-11-14&after=${first.nextCursor}`,
  ])
    expect([wrong, (await feed(wrong)).code]).toEqual([wrong, 'bad_request'])
  const old = new Date(Date.now() - 91 * 86_400_000).toISOString().slice(0, 10)
  const oldest = new Date(Date.now() - 90 * 86_400_000).toISOString().slice(0, 10)
  expect((await feed(`?since=${old}`)).error).toContain(oldest)
})

test('a windowed key gets the events of records that its window shows now, as if the others did not exist', async () => {
  const { db } = service()
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const soldLong = await home({ status: 'sold', sold_on: day(60) })
  const soldNow = await home({ status: 'sold', sold_on: day(3) })
  const forSale = await home()
  const permitEvent = async (permitId: string, row: object): Promise<NewEvent> => {
    await permit(db, { permit_id: permitId, ...row })
    return {
      type: 'permit.created',
      market,
      data: { ...permitCreated(permitId), city: 'Palo Alto', citySlug: 'palo-alto' },
    }
  }
  const hidden = [
    scored(soldLong),
    await permitEvent('OLD', { issued_on: day(60) }),
    await permitEvent('UNDATED', { issued_on: null, applied_on: null }),
  ]
  const shown = [
    scored(soldNow),
    scored(forSale),
    await permitEvent('NEW', { issued_on: day(2) }),
    await permitEvent('APPLIED', { issued_on: null, applied_on: day(2) }),
  ]
  await record(...hidden, ...shown)
  const key = await service().freeKey()
  const feed = async () => {
    const { body } = await ask(service(), '/v1/events', { key })
    return body.data.map(({ id }: { id: string }) => id)
  }
  const withOld = await feed()
  expect(withOld).toHaveLength(shown.length)
  // The same answer as from a database without the older records.
  await sql`delete from listing where sold_on = ${day(60)}`.execute(db)
  await sql`delete from permit where permit_id in ('OLD', 'UNDATED')`.execute(db)
  await sql`delete from event where id in (select id from event order by seq limit ${hidden.length})`.execute(db)
  expect(await feed()).toEqual(withOld)
})

test('an endpoint of a key with a history window receives no event about a record before it', async () => {
  const promotionUntil = new Date(Date.now() + 60_000)
  const { key } = await insertKey(service().db, { plan: 'free', email: 'early@example.com', promotionUntil })
  await register(key, { events: ['permit.status_changed'], filter: { market } })
  const row = (issuedOn?: string): SearchRow => ({
    market,
    citySlug: 'palo-alto',
    numbers: {},
    texts: issuedOn === undefined ? {} : { issuedOn },
  })
  const changed = (searchRow: SearchRow): NewEvent => ({ type: 'permit.status_changed', market, searchRow, data: {} })
  await record(changed(row('2020-01-01')), changed(row()), changed(row(new Date().toISOString().slice(0, 10))))
  expect(await delivered()).toHaveLength(1)
})

test('events of generated data say so, in the body of a webhook and in the feed; links follow the public URL', async () => {
  const key = await service().proKey()
  await register(key, { events: ['listing.created'], filter: {} })
  const feed = async () => (await ask(service(), '/v1/events?types=listing.created', { key })).body
  const bodies = async () => {
    const { rows } = await sql<{ body: string }>`select body from delivery order by created_at, id`.execute(
      service().db,
    )
    return rows.map(({ body }) => JSON.parse(body))
  }
  const row = await home()
  const marked = async (sample: boolean) => {
    await sql`update source set sample = ${sample}`.execute(service().db)
    await recountMarket(service().db, market)
  }
  await marked(false)
  await record(created(row))
  expect((await feed()).data[0]).not.toHaveProperty('sample')
  expect((await bodies())[0]).not.toHaveProperty('sample')
  await marked(true)
  await record(created(row))
  const { data, asOf } = await feed()
  expect(data).toMatchObject([{ sample: true }, { sample: true, market }])
  expect((await bodies()).map(({ sample }) => sample)).toContain(true)
  expect(data[1].data.url).toBe(`http://lotline.test/properties/${row.id}`)
  expect(new Date(asOf).getTime()).toBeLessThan(Date.now())
  await marked(false)
  // The day of the scores in it, where the operator chose one.
  expect(data[0]).not.toHaveProperty('asOf')
  await assessedAsOf(service().db, market, '2026-08-31')
  await record(created(row))
  await assessedAsOf(service().db, market)
  expect((await feed()).data.at(-1)).toMatchObject({ asOf: '2026-08-31' })
  expect((await bodies()).filter((body) => body.asOf === '2026-08-31')).not.toEqual([])
})
