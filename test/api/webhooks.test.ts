import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDeliveryWorker } from '../../src/events/delivery-worker.ts'
import { sql } from '../../src/store/engine/database.ts'
import { insertKey } from '../../src/store/keys/keys.ts'
import { silent } from '../events/open-events.ts'
import { openReceiver, type Receiver } from '../events/receiver.ts'
import { type Asking, ask } from '../setup/ask.ts'
import { recordEvent } from '../setup/record-event.ts'
import { permitCreated } from '../setup/rows.ts'
import { type Service, startService, useService } from '../setup/service.ts'

const strict = useService()
let open: Service
let receiver: Receiver
beforeAll(async () => {
  open = await startService({ webhookAllowPrivate: true })
  receiver = await openReceiver()
})
afterAll(async () => {
  await receiver.close()
  await open.close()
})

const secretForm = /^whsec_[A-Za-z0-9+/]{43}=$/
const register = (service: Service, key: string, url: string, body: object = {}) =>
  ask(service, '/v1/webhooks/register', { key, body: { url, ...body } })
const post = (key: string): Asking => ({ key, method: 'POST' })
const emit = (service: Service, permitId: string) =>
  recordEvent(
    service.db,
    service.services.queue,
    { type: 'permit.created', market: 'sf-peninsula', data: permitCreated(permitId) },
    new Date(),
  )
const deliver = async (service: Service) => {
  const worker = openDeliveryWorker({ ...service.services, allowPrivate: true, version: 'test', log: silent })
  while ((await worker.poll()) > 0) await worker.idle()
  await worker.stop()
}

test('registering returns the documented fields, the id, and a secret that is shown once', async () => {
  const key = await open.proKey()
  const { status, body } = await register(open, key, 'https://8.8.8.8/hook')
  expect(status).toBe(200)
  expect(body).toEqual({
    success: true,
    id: expect.stringMatching(/^whk_\w{22}$/),
    registeredUrl: 'https://8.8.8.8/hook',
    events: ['permit.created', 'property.score_updated'],
    everyChange: false,
    onMarketOnly: true,
    signingSecret: expect.stringMatching(secretForm),
  })
  const list = await ask(open, '/v1/webhooks', { key })
  expect(list.body.data).toEqual([
    {
      id: body.id,
      url: body.registeredUrl,
      events: body.events,
      everyChange: false,
      onMarketOnly: true,
      status: 'enabled',
      createdAt: expect.any(String),
    },
  ])
  expect(list.text).not.toContain('whsec_')
})

test('no secret is stored in the database in plain text', async () => {
  const key = await open.proKey()
  const { body } = await register(open, key, 'https://8.8.8.8/secret')
  const { rows } = await sql<{ dump: string }>`
    select string_agg(encode(secret, 'escape') || encode(secret, 'hex') || encode(secret, 'base64'), '') as dump
    from webhook_endpoint`.execute(open.db)
  const bytes = Buffer.from(body.signingSecret.slice(6), 'base64')
  for (const form of [body.signingSecret, bytes.toString('hex'), bytes.toString('base64').slice(0, 40)])
    expect(rows[0]!.dump.replaceAll('\n', '')).not.toContain(form)
  const logged = open.logs.join('')
  expect(logged).not.toContain(body.signingSecret)
})

test('registering accepts a list of event types; an empty list, an unknown type or another value is 400', async () => {
  const key = await open.proKey()
  const chosen = await register(open, key, 'https://8.8.8.8/a', { events: ['permit.created'] })
  expect(chosen.body.events).toEqual(['permit.created'])
  for (const events of [[], ['permit.deleted'], 'permit.created', [1], ['permit.created', 'permit.created']])
    expect((await register(open, key, 'https://8.8.8.8/b', { events })).status, JSON.stringify(events)).toBe(400)
})

test.each([
  'https://127.0.0.1/',
  'https://0x7f.1/',
  'https://2130706433/',
  'https://localhost./',
  'https://[::ffff:10.0.0.1]/',
  'https://169.254.169.254/latest/',
  'http://example.com/',
  'https://user:pass@example.com/',
  'https://example.com:25/',
  'not a url',
  '',
])('%j is rejected with the reason', async (url) => {
  const { status, body } = await register(strict(), await strict().proKey(), url)
  expect([status, body]).toEqual([400, { success: false, code: 'bad_request', error: expect.stringMatching(/url/i) }])
})

test('a host name that does not resolve is accepted with a warning', async () => {
  const { status, body } = await register(strict(), await strict().proKey(), 'https://no-such-host.invalid/hook')
  expect(status).toBe(200)
  expect(body.warnings).toEqual([expect.stringContaining('no-such-host.invalid does not resolve')])
})

test('a key can have at most ten endpoints, also when registered concurrently', async () => {
  const key = await open.proKey()
  const answers = await Promise.all(Array.from({ length: 14 }, (_, i) => register(open, key, `https://8.8.8.8/${i}`)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
  for (const { body } of answers.filter(({ status }) => status !== 200))
    expect(body).toMatchObject({ code: 'bad_request', error: expect.stringContaining('10 webhook endpoints') })
  const { body } = await ask(open, '/v1/webhooks?limit=3', { key })
  expect(body.pagination).toMatchObject({ total: 10, returned: 3, nextOffset: 3 })
  // Registering an existing URL again does not add an endpoint.
  expect((await register(open, key, body.data[0].url)).status).toBe(200)
})

test('registering a URL again replaces its events and rotates its secret', async () => {
  const key = await open.proKey()
  const first = (await register(open, key, 'https://8.8.8.8/hook')).body
  const second = (await register(open, key, 'https://8.8.8.8:443/hook#part', { events: ['property.score_updated'] }))
    .body
  expect(second.id).toBe(first.id)
  expect(second.signingSecret).not.toBe(first.signingSecret)
  const { body } = await ask(open, '/v1/webhooks', { key })
  expect(body.data).toMatchObject([{ id: first.id, events: ['property.score_updated'] }])
})

test('free and demo keys are rejected, and a key with the promotion is accepted', async () => {
  for (const key of ['demo', await open.freeKey()])
    expect((await register(open, key, 'https://8.8.8.8/')).body).toMatchObject({ code: 'forbidden' })
})

test('a key sees and deletes its endpoints after its promotion has ended', async () => {
  const promotionUntil = new Date(Date.now() + 60_000)
  const { key } = await insertKey(open.db, { plan: 'free', email: 'was@example.com', promotionUntil })
  const { id } = (await register(open, key, 'https://8.8.8.8/hook')).body
  open.setNow(new Date(Date.now() + 120_000))
  try {
    expect((await register(open, key, 'https://8.8.8.8/other')).status).toBe(403)
    expect((await ask(open, '/v1/webhooks', { key })).body.data).toMatchObject([{ id }])
    expect((await ask(open, `/v1/webhooks/${id}`, { key, method: 'DELETE' })).status).toBe(200)
    expect((await ask(open, '/v1/webhooks', { key })).status).toBe(403)
    expect((await ask(open, `/v1/webhooks/${id}`, { key, method: 'DELETE' })).status).toBe(403)
    expect((await ask(open, '/v1/webhooks', { key: 'demo' })).status).toBe(403)
  } finally {
    open.setNow(undefined)
  }
})

test('another key’s endpoint and deliveries are 404, for every operation', async () => {
  const [mine, theirs] = [await open.proKey(), await open.proKey()]
  const { id } = (await register(open, theirs, receiver.url)).body
  const { deliveryId } = (await ask(open, `/v1/webhooks/${id}/test`, post(theirs))).body
  const attempts: [string, Asking][] = [
    [`/v1/webhooks/${id}`, { key: mine, method: 'DELETE' }],
    [`/v1/webhooks/${id}/test`, post(mine)],
    [`/v1/webhooks/${id}/rotate`, post(mine)],
    [`/v1/webhooks/${id}/enable`, post(mine)],
    [`/v1/webhooks/${id}/deliveries`, { key: mine }],
    [`/v1/webhooks/${id}/deliveries/${deliveryId}/replay`, post(mine)],
  ]
  for (const [path, asking] of attempts) {
    const { status, body } = await ask(open, path, asking)
    expect([status, body.code], path).toEqual([404, 'not_found'])
  }
  // The caller's own endpoint id with another key's delivery id is 404 too.
  const own = (await register(open, mine, receiver.url)).body
  expect((await ask(open, `/v1/webhooks/${own.id}/deliveries/${deliveryId}/replay`, post(mine))).status).toBe(404)
  expect((await ask(open, '/v1/webhooks', { key: mine })).body.count).toBe(1)
  expect((await ask(open, `/v1/webhooks/${own.id}/enable`, post(mine))).body).toEqual({ success: true })
})

test('a test event is delivered with a signature and appears in the delivery log', async () => {
  const key = await open.proKey()
  const { id } = (await register(open, key, `${receiver.url}/test`)).body
  const queued = await ask(open, `/v1/webhooks/${id}/test`, post(key))
  expect(queued.body).toEqual({ success: true, deliveryId: expect.stringMatching(/^dlv_/) })
  await deliver(open)
  const sent = receiver.received.find(({ url }) => url === '/hook/test')!
  expect(JSON.parse(sent.body)).toEqual({
    event: 'webhook.test',
    market: 'sf-peninsula',
    data: { message: expect.any(String) },
    timestamp: expect.any(String),
  })
  const { body } = await ask(open, `/v1/webhooks/${id}/deliveries?status=delivered`, { key })
  expect(body.data).toEqual([
    {
      id: queued.body.deliveryId,
      eventId: sent.headers['webhook-id'],
      event: 'webhook.test',
      status: 'delivered',
      createdAt: expect.any(String),
      deliveredAt: expect.any(String),
      attempts: [{ attempt: 1, at: expect.any(String), durationMs: expect.any(Number), status: 200, response: '' }],
    },
  ])
  expect((await ask(open, `/v1/webhooks/${id}/deliveries?status=failed`, { key })).body.data).toEqual([])
})

test('a deleted endpoint gets no more deliveries, not even queued ones', async () => {
  const key = await open.proKey()
  const { id } = (await register(open, key, `${receiver.url}/deleted`)).body
  await emit(open, 'D1')
  expect((await ask(open, `/v1/webhooks/${id}`, { key, method: 'DELETE' })).body).toEqual({ success: true })
  await deliver(open)
  expect(receiver.received.filter(({ url }) => url === '/hook/deleted')).toHaveLength(0)
  expect((await ask(open, `/v1/webhooks/${id}`, { key, method: 'DELETE' })).status).toBe(404)
})

test('endpoints move to the new key when a key is rotated', async () => {
  const key = await open.proKey()
  const { id } = (await register(open, key, `${receiver.url}/rotated`)).body
  const rotated = (await ask(open, '/v1/keys/rotate', post(key))).body
  expect((await ask(open, '/v1/webhooks', { key: rotated.key })).body.data).toMatchObject([{ id }])
  await emit(open, 'R1')
  await deliver(open)
  expect(receiver.received.filter(({ url }) => url === '/hook/rotated')).toHaveLength(1)
})

test('the event feed is read page by page to its end and continues from there', async () => {
  const service = await startService()
  try {
    const key = await service.proKey()
    const ids: string[] = []
    for (let i = 0; i < 7; i++) ids.push(await emit(service, `F${i}`))
    const first = (await ask(service, '/v1/events?limit=3', { key })).body
    expect(first).toMatchObject({ success: true, count: 3, hasMore: true, historyWindow: null })
    expect(first.pagination).toEqual({ limit: 3, offset: 0, total: 7, returned: 3, nextOffset: null })
    expect(first.data[0]).toEqual({
      id: ids[0],
      event: 'permit.created',
      market: 'sf-peninsula',
      data: permitCreated('F0'),
      timestamp: expect.any(String),
    })
    const read = [...first.data]
    let cursor = first.nextCursor
    for (let page = first; page.hasMore; ) {
      page = (await ask(service, `/v1/events?limit=3&after=${cursor}`, { key })).body
      read.push(...page.data)
      cursor = page.nextCursor
    }
    expect(read.map(({ id }) => id)).toEqual(ids)
    const end = (await ask(service, `/v1/events?after=${cursor}`, { key })).body
    expect(end).toMatchObject({ count: 0, data: [], nextCursor: cursor, hasMore: false, pagination: { total: 0 } })
    const later = await emit(service, 'F8')
    expect((await ask(service, `/v1/events?after=${cursor}`, { key })).body.data).toMatchObject([{ id: later }])
    for (const after of ['nonsense', 'MTIz', '%00', '../../'])
      expect((await ask(service, `/v1/events?after=${after}`, { key })).status, after).toBe(400)
    expect((await ask(service, '/v1/events', { key: 'demo' })).status).toBe(200)
    service.setNow(new Date(Date.now() + 91 * 86_400_000))
    expect((await ask(service, '/v1/events', { key })).body.data).toEqual([])
  } finally {
    await service.close()
  }
})
