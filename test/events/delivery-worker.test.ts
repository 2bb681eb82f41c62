import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterEach, expect, test, vi } from 'vitest'
import { retrySeconds } from '../../src/events/delivery-attempt.ts'
import { perEndpoint } from '../../src/events/delivery-worker.ts'
import type { Context } from '../../src/operations/context.ts'
import { sealerOf } from '../../src/secrets/seal.ts'
import { sql } from '../../src/store/engine/database.ts'
import { indexPropertiesOf } from '../../src/store/search/upkeep.ts'
import { deliverWatch } from '../../src/store/watches/matches.ts'
import { recordOutcomes } from '../../src/store/webhooks/deliveries.ts'
import { deliveryJob, recordEvents } from '../../src/store/webhooks/events.ts'
import { recordEvent } from '../setup/record-event.ts'
import { listing, permit, property, source } from '../setup/rows.ts'
import { silent, useEvents } from './open-events.ts'
import { openReceiver, type Receiver } from './receiver.ts'

const events = useEvents()
const receivers: Receiver[] = []
afterEach(async () => {
  await events().stopWorkers()
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
  await sql`delete from webhook_endpoint`.execute(events().db)
  events().clock.now = new Date()
})

const receiver = async (...how: Parameters<typeof openReceiver>) => {
  const opened = await openReceiver(...how)
  receivers.push(opened)
  return opened
}

interface Registered {
  id: string
  signingSecret: string
}
const register = async (url: string, input: object = {}, context?: Context) => {
  const owner = context ?? (await events().asPro())
  const registered = await events().call<Registered>(owner, 'register_webhook', { url, ...input })
  return { ...registered, owner }
}

interface Logged {
  status: string
  attempts: { status?: number; error?: string; response?: string; durationMs: number }[]
  nextAttemptAt?: string
}
const logOf = async (owner: Context, id: string) =>
  (await events().call<{ data: Logged[] }>(owner, 'list_deliveries', { id })).data

test('a delivery has both signatures, and both verify', async () => {
  const there = await receiver()
  const { signingSecret } = await register(there.url)
  const eventId = await events().emit()
  await events().run(events().worker())
  const { headers, body } = there.received[0]!
  expect(headers['x-service-signature']).toBe(
    `sha256=${createHmac('sha256', signingSecret).update(body).digest('hex')}`,
  )
  expect(new Webhook(signingSecret).verify(body, headers as Record<string, string>)).toMatchObject({
    event: 'permit.created',
    market: 'sf-peninsula',
    data: { permitId: 'B1' },
  })
  expect(headers['webhook-id']).toBe(eventId)
  expect(headers['user-agent']).toBe('Lotline/test')
  expect(headers['content-type']).toBe('application/json')
})

test('the signature covers the exact bytes sent, with JSON keys in their original order', async () => {
  const there = await receiver()
  const { signingSecret } = await register(there.url)
  await events().emit({ data: { zebra: 1, permitId: 'Ünïcode – “permit” \u2028 1', apple: { z: 1, a: 2 } } })
  await events().run(events().worker())
  const { headers, body } = there.received[0]!
  expect(body).toContain('"data":{"zebra":1,"permitId":"Ünïcode – “permit” \u2028 1","apple":{"z":1,"a":2}}')
  expect(new Webhook(signingSecret).verify(body, headers as Record<string, string>)).toBeTruthy()
  expect(() => new Webhook(signingSecret).verify(`${body} `, headers as Record<string, string>)).toThrow()
})

test('an endpoint gets only the events it subscribes to', async () => {
  const there = await receiver()
  await register(there.url, { events: ['permit.status_changed'] })
  await events().emit({ type: 'permit.created' })
  await events().emit({ type: 'permit.status_changed', data: { permitId: 'B1' } })
  await events().run(events().worker())
  expect(there.received.map(({ body }) => JSON.parse(body).event)).toEqual(['permit.status_changed'])
})

test('after a rotation both secrets sign for 24 hours, then only the new one', async () => {
  const there = await receiver()
  const first = await register(there.url)
  const second = await events().call<Registered>(first.owner, 'rotate_webhook', { id: first.id })
  const worker = events().worker()
  const rotatedAt = events().clock.now.getTime()
  const verify = (secret: string, at: number) => {
    const { headers, body } = there.received[at]!
    const sent = Number(headers['webhook-timestamp'])
    const wanted = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(`${headers['webhook-id']}.${sent}.${body}`)
      .digest('base64')
    return (headers['webhook-signature'] as string).split(' ').includes(`v1,${wanted}`)
  }
  events().clock.now = new Date(rotatedAt + 24 * 3600_000 - 1000)
  await events().emit()
  await events().run(worker)
  expect([verify(first.signingSecret, 0), verify(second.signingSecret, 0)]).toEqual([true, true])
  const { headers, body } = there.received[0]!
  expect(headers['x-service-signature-previous']).toBe(
    `sha256=${createHmac('sha256', first.signingSecret).update(body).digest('hex')}`,
  )
  events().clock.now = new Date(rotatedAt + 24 * 3600_000 + 1000)
  await events().emit()
  await events().run(worker)
  expect([verify(first.signingSecret, 1), verify(second.signingSecret, 1)]).toEqual([false, true])
  expect(there.received[1]!.headers['x-service-signature-previous']).toBeUndefined()
})

test('each retry is within 20% of its scheduled wait, and the delivery fails after ten attempts', async () => {
  const there = await receiver(500)
  const { id, owner } = await register(there.url)
  await events().emit()
  const dice = [0, 1, 0.5, 0.1, 0.9, 0.3, 0.7, 0, 1, 0.5]
  const worker = events().worker({ random: () => dice[there.received.length - 1] ?? 0.5 })
  const waits: number[] = []
  for (let attempt = 0; attempt < 10; attempt++) {
    const before = events().clock.now.getTime()
    await events().makeDue()
    await events().run(worker)
    const [delivery] = await logOf(owner, id)
    if (delivery?.nextAttemptAt) {
      const due = Date.parse(delivery.nextAttemptAt)
      waits.push((due - before) / 1000)
      // Two seconds early: the job goes back to the queue without an attempt.
      events().clock.now = new Date(due - 2000)
      await events().makeDue()
      await events().run(worker)
      expect(there.received).toHaveLength(attempt + 1)
      events().clock.now = new Date(due)
    }
  }
  const [delivery] = await logOf(owner, id)
  expect(delivery).toMatchObject({ status: 'failed' })
  expect(delivery!.attempts).toHaveLength(10)
  expect(new Set(there.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(waits).toHaveLength(retrySeconds.length)
  for (const [i, wait] of waits.entries()) {
    expect(wait).toBeGreaterThanOrEqual(retrySeconds[i]! * 0.8)
    // The wait starts at the end of the attempt, which itself takes up to a second.
    expect(wait).toBeLessThanOrEqual(retrySeconds[i]! * 1.2 + 1)
  }
})

test('Retry-After with 429 or 503 delays the next attempt', async () => {
  const there = await receiver((_request, response) => {
    response.writeHead(503, { 'retry-after': '900' }).end()
  })
  const { id, owner } = await register(there.url)
  await events().emit()
  await events().run(events().worker())
  const [delivery] = await logOf(owner, id)
  expect(Date.parse(delivery!.nextAttemptAt!) - events().clock.now.getTime()).toBeGreaterThanOrEqual(900_000)
})

test('a redirect is a failure and is not followed', async () => {
  const elsewhere = await receiver()
  const there = await receiver((_request, response) => {
    response.writeHead(308, { location: elsewhere.url }).end()
  })
  const { id, owner } = await register(there.url)
  await events().emit()
  await events().run(events().worker())
  expect(elsewhere.received).toHaveLength(0)
  expect((await logOf(owner, id))[0]).toMatchObject({
    status: 'waiting',
    attempts: [{ status: 308, error: 'redirects are not followed (308)' }],
  })
})

test('410 disables the endpoint immediately and emails its owner', async () => {
  const there = await receiver(410)
  const { id, owner } = await register(there.url)
  await events().emit()
  await events().run(events().worker())
  const { data } = await events().call<{ data: { status: string; disabledReason: string }[] }>(owner, 'list_webhooks')
  expect(data[0]).toMatchObject({ id, status: 'disabled', disabledReason: 'the receiver answered 410 Gone' })
  const mails = await sql<{
    kind: string
    recipient: string
  }>`select kind, recipient from mail where kind = 'endpoint-disabled'`.execute(events().db)
  expect(mails.rows).toContainEqual({ kind: 'endpoint-disabled', recipient: 'owner@example.com' })
})

test('an endpoint of an unconfirmed key is disabled without a mail', async () => {
  const there = await receiver(410)
  const { id } = await register(there.url)
  await sql`update api_key set confirmed_at = null, email = 'stranger@example.com'
    where id = (select key_id from webhook_endpoint where id = ${id})`.execute(events().db)
  await events().emit()
  await events().run(events().worker())
  const disabled = await sql`select 1 from webhook_endpoint where id = ${id} and disabled_at is not null`.execute(
    events().db,
  )
  expect(disabled.rows).toHaveLength(1)
  expect((await sql`select 1 from mail where recipient = 'stranger@example.com'`.execute(events().db)).rows).toEqual([])
})

test('an endpoint that fails for five days is disabled, and one success resets the five days', async () => {
  const there = await receiver(500)
  const { id, owner } = await register(there.url)
  const worker = events().worker()
  const start = events().clock.now.getTime()
  const day = 86_400_000
  const tryOn = async (days: number, status: number) => {
    events().clock.now = new Date(start + days * day)
    there.answer(status)
    await sql`update delivery set state = 'failed' where state = 'waiting'`.execute(events().db)
    await events().emit()
    await events().run(worker)
    const { data } = await events().call<{ data: { status: string; failingSince?: string }[] }>(owner, 'list_webhooks')
    return data[0]!.status
  }
  expect(await tryOn(0, 500)).toBe('enabled')
  expect(await tryOn(4.9, 500)).toBe('enabled')
  expect(await tryOn(4.95, 200)).toBe('enabled')
  expect(await tryOn(6, 500)).toBe('enabled')
  expect(await tryOn(10.9, 500)).toBe('enabled')
  expect(await tryOn(11.1, 500)).toBe('disabled')
  // A disabled endpoint gets no new events, and a test event returns an error.
  const before = there.received.length
  expect(await tryOn(11.2, 200)).toBe('disabled')
  expect(there.received).toHaveLength(before)
  await expect(events().call(owner, 'test_webhook', { id })).rejects.toMatchObject({ status: 400 })
  await events().call(owner, 'enable_webhook', { id })
  expect(await tryOn(11.3, 200)).toBe('enabled')
  expect(there.received).toHaveLength(before + 1)
})

test('a queued delivery is discarded with a reason when its endpoint is disabled', async () => {
  const there = await receiver(500)
  const { id, owner } = await register(there.url)
  await events().emit()
  await sql`update webhook_endpoint set disabled_at = now(), disabled_reason = 'x' where id = ${id}`.execute(
    events().db,
  )
  await events().run(events().worker())
  expect(there.received).toHaveLength(0)
  expect((await logOf(owner, id))[0]).toMatchObject({ status: 'discarded', note: 'the endpoint is disabled' })
})

test('a receiver that never responds is cut off at the timeout', async () => {
  const there = await receiver(() => {})
  const { id, owner } = await register(there.url)
  await events().emit()
  await events().run(events().worker({ timeoutMs: 300 }))
  const [attempt] = (await logOf(owner, id))[0]!.attempts
  expect(attempt).toMatchObject({ error: 'no response within 0.3 s' })
  expect(attempt!.durationMs).toBeGreaterThanOrEqual(290)
  expect(attempt!.durationMs).toBeLessThan(1_500)
})

test('an endless response is cut off at the timeout, and its status counts', async () => {
  const there = await receiver((_request, response) => {
    response.writeHead(500)
    const drip = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(drip))
  })
  const { id, owner } = await register(there.url)
  await events().emit()
  await events().run(events().worker({ timeoutMs: 300 }))
  const [attempt] = (await logOf(owner, id))[0]!.attempts
  expect(attempt).toMatchObject({ status: 500 })
  expect(attempt!.durationMs).toBeLessThan(1_500)
})

test('at most 20,000 bytes of a response are stored', async () => {
  const there = await receiver((_request, response) => {
    response.writeHead(200)
    const more = () => {
      while (!response.destroyed && response.write('x\0'.repeat(32_768)));
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  })
  const { id, owner } = await register(there.url)
  await events().emit()
  await events().run(events().worker())
  const [delivery] = await logOf(owner, id)
  expect(delivery!.status).toBe('delivered')
  expect(delivery!.attempts[0]!.response).toHaveLength(20_000)
})

test('the log of a transport failure contains no signature and no secret', async () => {
  const there = await receiver((request) => request.socket.destroy())
  const { id, owner, signingSecret } = await register(there.url)
  await events().emit()
  const worker = events().worker()
  await events().run(worker)
  const { headers } = there.received[0]!
  await there.close()
  await events().call(owner, 'test_webhook', { id })
  await events().run(worker)
  const dump = JSON.stringify(await logOf(owner, id))
  expect(dump).toContain('connection')
  for (const secret of [
    signingSecret,
    headers['x-service-signature'] as string,
    headers['webhook-signature'] as string,
  ])
    expect(dump).not.toContain(secret.slice(-20))
})

test('each replay is a new delivery with the same event id', async () => {
  const there = await receiver()
  const { id, owner } = await register(there.url)
  const eventId = await events().emit()
  const worker = events().worker()
  await events().run(worker)
  const { data } = await events().call<{ data: { id: string }[] }>(owner, 'list_deliveries', { id })
  for (let i = 0; i < 2; i++) await events().call(owner, 'replay_delivery', { id, deliveryId: data[0]!.id })
  await events().run(worker)
  expect(there.received.map(({ headers }) => headers['webhook-id'])).toEqual([eventId, eventId, eventId])
  expect(await logOf(owner, id)).toHaveLength(3)
})

test('what a window or a source hides when it is sent is discarded, also in a replay; a watch keeps its other matches', async () => {
  const { db, clock, emit, run, call } = events()
  const there = await receiver()
  const { id, owner } = await register(there.url)
  const day = (back: number) => new Date(clock.now.getTime() - back * 86_400_000).toISOString().slice(0, 10)
  await sql`update api_key set plan = 'free', promotion_until = now() + interval '50 days' where id = ${owner.caller.key!.id}`.execute(
    db,
  )
  const row = (issuedOn: string) => ({
    market: 'sf-peninsula' as const,
    citySlug: 'palo-alto',
    numbers: {},
    texts: { issuedOn },
  })
  for (const permitId of ['W-new', 'W-old']) {
    await permit(db, { permit_id: permitId, issued_on: day(5) })
    await emit({ data: { permitId, citySlug: 'palo-alto' }, searchRow: row(day(5)) })
  }
  // Corrected after the event was queued.
  await sql`update permit set issued_on = ${day(60)} where permit_id = 'W-old'`.execute(db)
  const matches = ['W-new', 'W-old'].map((permitId) => ({
    permitId,
    citySlug: 'palo-alto',
    changedAt: clock.now.toISOString(),
  }))
  const data = { watchId: 'wat_1', name: 'x', kind: 'permits' as const, matches: matches as never, more: 0 }
  await deliverWatch(db, events().queue, 'sf-peninsula', [id], data, clock.now)
  const worker = events().worker()
  await run(worker)
  const sent = () => there.received.map(({ body }) => JSON.parse(body).data)
  const named = () =>
    sent().flatMap((each) => (each.matches ?? [each]).map((one: { permitId: string }) => one.permitId))
  expect(named()).toEqual(['W-new', 'W-new'])
  const log = (await call<{ data: { id: string; status: string; note?: string }[] }>(owner, 'list_deliveries', { id }))
    .data
  const discarded = log.filter(({ status }) => status === 'discarded')

  // Of a parcel, the window hides its old sale and nothing else.
  const [unlisted, sold] = [await property(db), await property(db)]
  await listing(db, { property_id: sold, status: 'sold', sold_on: day(60) })
  await indexPropertiesOf(db, 'sf-peninsula', [unlisted, sold])
  const values = { price: 5, status: 'sold', returnPct: 5, teardownScore: 5 }
  const parcels = [unlisted, sold].map((propertyId) => ({
    ...{ propertyId, triggers: ['permit'], ...values, previous: values, changedAt: clock.now.toISOString() },
  }))
  const ofParcels = { ...data, kind: 'parcels' as const, matches: parcels as never }
  await deliverWatch(db, events().queue, 'sf-peninsula', [id], ofParcels, clock.now)
  await run(worker)
  expect(JSON.parse(there.received.pop()!.body).data.matches).toEqual([
    parcels[0],
    { ...parcels[1], price: undefined, status: undefined, returnPct: undefined, previous: { teardownScore: 5 } },
  ])

  expect(discarded.map(({ note }) => note)).toEqual([expect.stringContaining('history window')])
  await call(owner, 'replay_delivery', { id, deliveryId: discarded[0]!.id })
  await run(worker)
  expect(sent()).toHaveLength(2)
  await source(db)
  await sql`update source set config = '{"uses":["page","api"]}' where id = 'test'`.execute(db)
  await emit({ data: { permitId: 'W-new', citySlug: 'palo-alto' }, searchRow: row(day(5)) })
  await run(worker)
  expect(sent()).toHaveLength(2)
  // A key without a window gets nothing of that source either.
  await sql`update api_key set plan = 'pro', promotion_until = null where id = ${owner.caller.key!.id}`.execute(db)
  await emit({ data: { permitId: 'W-new', citySlug: 'palo-alto' }, searchRow: row(day(5)) })
  await run(worker)
  expect(sent()).toHaveLength(2)
  await sql`update source set config = '{}' where id = 'test'`.execute(db)
})

test('an endpoint of a revoked key gets no more deliveries', async () => {
  const there = await receiver()
  const { owner } = await register(there.url)
  await events().emit()
  await sql`update api_key set revoked_at = now() where id = ${owner.caller.key!.id}`.execute(events().db)
  await events().emit()
  await events().run(events().worker())
  expect(there.received).toHaveLength(0)
})

test('an event whose transaction rolls back is neither sent nor stored', async () => {
  const there = await receiver()
  await register(there.url)
  const stored = async () =>
    (await sql<{ n: number }>`select count(*)::int as n from event`.execute(events().db)).rows[0]!.n
  const before = await stored()
  await expect(
    events()
      .db.transaction()
      .execute(async (tx) => {
        await recordEvent(tx, events().queue, { type: 'permit.created', market: 'sf-peninsula', data: {} }, new Date())
        throw new Error('the permit could not be written')
      }),
  ).rejects.toThrow('the permit could not be written')
  await events().run(events().worker())
  expect(there.received).toEqual([])
  expect(await stored()).toBe(before)
})

test('with a different SECRET_KEY attempts fail with the reason and release their slots', async () => {
  const there = await receiver()
  const { id, owner } = await register(there.url)
  const stranger = events().worker({
    sealer: sealerOf(randomBytes(32)),
    maxInFlight: 2,
  })
  for (let i = 0; i < 3; i++) {
    await events().emit()
    await events().run(stranger)
  }
  const failed = await logOf(owner, id)
  expect(failed.flatMap(({ attempts }) => attempts.map(({ error }) => error))).toEqual(
    Array(3).fill('the signing secret cannot be decrypted: SECRET_KEY has changed since it was stored'),
  )
  expect(there.received).toHaveLength(0)
  events().clock.now = new Date(Date.now() + 60_000)
  await events().makeDue()
  // Two at a time, because the endpoint has failed.
  const healed = events().worker()
  for (let i = 0; i < 2; i++) await events().run(healed)
  expect(there.received).toHaveLength(3)
})

test('a flood for one endpoint leaves its share in progress, and others get theirs in the same poll', async () => {
  const flooded = await receiver(() => {})
  const healthy = await receiver()
  const { owner } = await register(flooded.url, { events: ['permit.created'] })
  await register(healthy.url, { events: ['permit.status_changed'] }, owner)
  for (let i = 0; i < 2 * perEndpoint.default; i++) await events().emit({ type: 'permit.created' })
  await events().emit({ type: 'permit.status_changed', data: { permitId: 'B1' } })
  const worker = events().worker({ graceMs: 50 })
  await worker.poll()
  await healthy.until(1)
  await flooded.until(perEndpoint.default)
  await worker.poll()
  expect(flooded.received).toHaveLength(perEndpoint.default)
})

test('a batch that holds only jobs of a failing endpoint does not end the poll: others get theirs', async () => {
  const failing = await receiver(500)
  const healthy = await receiver()
  const { owner } = await register(failing.url, { events: ['permit.created'] })
  await register(healthy.url, { events: ['permit.status_changed'] }, owner)
  await events().emit()
  const worker = events().worker()
  await events().run(worker)
  const created = { type: 'permit.created' as const, market: 'sf-peninsula', data: { permitId: 'B1' } }
  await recordEvents(events().db, events().queue, Array(300).fill(created), events().clock.now)
  await events().emit({ type: 'permit.status_changed', data: { permitId: 'B1' } })
  await events().run(worker)
  expect(healthy.received).toHaveLength(1)
  await sql`delete from pgboss.job where name = 'webhook-delivery'`.execute(events().db)
})

test('an endpoint whose attempts fail has few deliveries in progress, and its full share again after a success', async () => {
  const there = await receiver(500)
  await register(there.url)
  await events().emit()
  await events().run(events().worker())
  for (let i = 0; i < 5; i++) await events().emit()
  const sent = async () => {
    const before = there.received.length
    await events().run(events().worker())
    return there.received.length - before
  }
  expect(await sent()).toBe(perEndpoint.tiers.failing)
  there.answer(200)
  expect(await sent()).toBe(perEndpoint.tiers.failing)
  for (let i = 0; i < 5; i++) await events().emit()
  expect(await sent()).toBeGreaterThan(perEndpoint.tiers.failing)
})

test('an endpoint with a success in the batch is not marked as failing by a failure in it', async () => {
  const there = await receiver()
  const { id } = await register(there.url)
  const outcomes: Parameters<typeof recordOutcomes>[2][number][] = []
  for (const state of ['waiting', 'delivered', 'waiting'] as const) {
    const eventId = await events().emit()
    const { rows } = await sql<{ id: string }>`select id from delivery where event_id = ${eventId}`.execute(events().db)
    outcomes.push({
      ...{ job: { id: randomUUID(), retryCount: 0, data: {} }, deliveryId: rows[0]!.id, endpointId: id, attempt: 1 },
      ...{ startedAt: new Date(), durationMs: 5, status: state === 'delivered' ? 200 : 500, state },
      ...(state === 'waiting' ? { nextAttemptAt: new Date(Date.now() + 5_000) } : {}),
    })
  }
  const failingSince = async (batch: typeof outcomes) => {
    await events()
      .db.transaction()
      .execute((tx) => recordOutcomes(tx, events().queue, batch, new Date()))
    const { rows } = await sql<{ since: Date | null }>`
      select failing_since as since from webhook_endpoint where id = ${id}`.execute(events().db)
    return rows[0]!.since
  }
  expect(await failingSince(outcomes.slice(0, 2))).toBeNull()
  expect(await failingSince(outcomes.slice(2))).toEqual(outcomes[2]!.startedAt)
})

test('an attempt that two workers made counts once, and a success counts in any case', async () => {
  const there = await receiver()
  const { id, owner } = await register(there.url)
  const eventId = await events().emit()
  const { rows } = await sql<{ id: string }>`select id from delivery where event_id = ${eventId}`.execute(events().db)
  const outcome = {
    job: { id: randomUUID(), retryCount: 0, data: {} },
    deliveryId: rows[0]!.id,
    endpointId: id,
    attempt: 1,
    startedAt: new Date(),
    durationMs: 5,
    status: 500,
    state: 'waiting' as const,
    nextAttemptAt: new Date(Date.now() + 5_000),
  }
  const record = (change: object = {}) =>
    events()
      .db.transaction()
      .execute((tx) => recordOutcomes(tx, events().queue, [{ ...outcome, ...change }], new Date()))
  const delivery = async () =>
    (
      await sql<{ attempts: number; state: string; nextAttemptAt: Date | null; jobs: number }>`
        select attempts, state, next_attempt_at, (select count(*)::int from pgboss.job
          where name = 'webhook-delivery' and data->>'deliveryId' = delivery.id) as jobs
        from delivery where id = ${outcome.deliveryId}`.execute(events().db)
    ).rows[0]!
  await record()
  const first = await delivery()
  expect(first).toMatchObject({ attempts: 1, state: 'waiting', jobs: 2 })
  await record({ nextAttemptAt: new Date(Date.now() + 90_000) })
  expect(await delivery()).toEqual(first)
  expect((await logOf(owner, id))[0]!.attempts).toHaveLength(1)
  await record({ state: 'delivered', status: 200, nextAttemptAt: undefined })
  expect(await delivery()).toMatchObject({ attempts: 1, state: 'delivered' })
})

test('a second job of a delivery in progress is tried again 30 s later, and a full worker fetches none', async () => {
  const { db, queue, clock, emit } = events()
  const there = await receiver(() => {})
  const { id: endpointId } = await register(there.url)
  await emit()
  const worker = events().worker({ graceMs: 50 })
  await worker.poll()
  await there.until(1)
  const { rows } = await sql<{ id: string }>`select id from delivery where state = 'waiting'`.execute(db)
  await queue.sendMany(db, 'webhook-delivery', [deliveryJob({ id: rows[0]!.id, endpointId, failing: false })])
  expect(await worker.poll()).toBe(1)
  const later = new Date(clock.now.getTime() + 30_000)
  const again = await sql<{ due: Date; start: Date }>`
    select d.next_attempt_at as due, j.start_after as start from delivery d
    join pgboss.job j on j.data->>'deliveryId' = d.id and j.state = 'created'`.execute(db)
  expect(again.rows).toEqual([{ due: later, start: later }])
  const full = events().worker({ graceMs: 50, maxInFlight: 1 })
  await emit()
  await emit()
  expect([await full.poll(), await full.poll()]).toEqual([1, 0])
  await there.until(2)
  expect(there.received).toHaveLength(2)
})

test('each attempt is counted by its outcome, and one without a defect writes and reports nothing else', async () => {
  const { queue, db, emit, run, clock } = events()
  const there = await receiver(500)
  const { id } = await register(there.url)
  const counted: string[] = []
  const ended: number[] = []
  const warned: unknown[] = []
  const end: typeof queue.end = async (tx, name, jobs) => {
    ended.push(jobs.length)
    await queue.end(tx, name, jobs)
  }
  const worker = events().worker({
    queue: { ...queue, end },
    log: { ...silent, warn: (...line) => warned.push(line) },
    onOutcome: (outcome) => counted.push(outcome),
  })
  for (const status of [500, 200, 410]) {
    there.answer(status)
    await emit()
    await run(worker)
  }
  expect(counted).toEqual(['retried', 'delivered', 'failed'])
  expect(warned).toEqual([[{ endpoint: id, reason: 'the receiver answered 410 Gone' }, 'webhook endpoint disabled']])
  // Once a minute it looks for deliveries that have lost their job.
  vi.useFakeTimers({ toFake: ['Date'] })
  worker.start()
  vi.setSystemTime(Date.now() + 61_000)
  await run(worker)
  await sql`update webhook_endpoint set disabled_at = null`.execute(db)
  there.answer(200)
  await emit()
  await sql`delete from pgboss.job where name = 'webhook-delivery'`.execute(db)
  clock.now = new Date(clock.now.getTime() + 3_600_000)
  await expect
    .poll(() => {
      vi.setSystemTime(Date.now() + 61_000)
      return warned.slice(1)
    })
    .toEqual([[{ rescued: 2 }, 'queued deliveries again that had lost their job']])
  vi.useRealTimers()
  await worker.stop()
  expect(warned).toHaveLength(2)
  expect(ended.every((jobs) => jobs > 0)).toBe(true)
})
