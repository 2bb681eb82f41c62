// Deliveries survive an outage of the database, the receiver or the worker.
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { openDatabase, sql } from '../../src/store/engine/database.ts'
import { requeueOverdue } from '../../src/store/webhooks/deliveries.ts'
import { replayRange } from '../../src/store/webhooks/delivery-log.ts'
import { emptyTables } from '../setup/rows.ts'
import { useEvents } from './open-events.ts'
import { openReceiver, type Receiver } from './receiver.ts'

const events = useEvents()
const receivers: Receiver[] = []
afterEach(async () => {
  await events().stopWorkers()
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
  await emptyTables(events().db, 'webhook_endpoint', 'event')
  await sql`delete from pgboss.job where name = 'webhook-delivery'`.execute(events().db)
  events().clock.now = new Date()
})
const receiver = async (...how: Parameters<typeof openReceiver>) => {
  const opened = await openReceiver(...how)
  receivers.push(opened)
  return opened
}
const register = async (url: string) => {
  const owner = await events().asPro()
  return { owner, ...(await events().call<{ id: string }>(owner, 'register_webhook', { url })) }
}

test('endpoints that never respond do not delay a healthy one', async () => {
  const hanging = await receiver(() => {})
  const healthy = await receiver()
  for (let i = 0; i < 60; i++) await register(`${hanging.url}/${i}`)
  await register(healthy.url)
  const worker = events().worker({ now: () => new Date(), graceMs: 50 })
  for (let i = 0; i < 3; i++) await events().emit()
  worker.start()
  await healthy.until(3)
})

test('no delivery is lost when all database connections are terminated repeatedly', async () => {
  const there = await receiver()
  await register(there.url)
  await events().queue.boss.updateQueue('webhook-delivery', { expireInSeconds: 2 })
  const worker = events().worker({ now: () => new Date() })
  worker.start()
  const ids = new Set<string>()
  for (let round = 0; round < 5; round++) {
    for (let i = 0; i < 10; i++) ids.add(await events().emit())
    await there.until(ids.size / 2)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
      .execute(events().db)
      .catch(() => {})
  }
  const arrived = () => new Set(there.received.map(({ headers }) => headers['webhook-id'] as string))
  // A job that was fetched just before its connection was terminated runs again when it expires.
  while (arrived().size < ids.size) {
    await events()
      .queue.boss.supervise('webhook-delivery')
      .catch(() => {})
    await Promise.race([there.until(there.received.length + 1), delay(500)])
  }
  expect(arrived()).toEqual(ids)
})

test('a receiver that was down gets the missed event on a retry', async () => {
  const there = await receiver(503)
  const { owner, id } = await register(there.url)
  const eventId = await events().emit()
  const worker = events().worker()
  await events().run(worker)
  there.answer(200)
  events().clock.now = new Date(Date.now() + 60_000)
  await events().makeDue()
  await events().run(worker)
  const { data } = await events().call<{ data: { eventId: string; status: string; attempts: object[] }[] }>(
    owner,
    'list_deliveries',
    { id },
  )
  expect(data).toMatchObject([{ eventId, status: 'delivered', attempts: [{ status: 503 }, { status: 200 }] }])
})

test('an overdue delivery whose job is lost is queued again and sent', async () => {
  const there = await receiver()
  await register(there.url)
  await events().emit()
  await sql`delete from pgboss.job where name = 'webhook-delivery'`.execute(events().db)
  expect(await requeueOverdue(events().db, events().queue, events().clock.now)).toBe(0)
  events().clock.now = new Date(Date.now() + 3600_000)
  expect(await requeueOverdue(events().db, events().queue, events().clock.now)).toBe(1)
  await events().run(events().worker())
  expect(there.received).toHaveLength(1)
})

test('an overdue delivery that still has its job gets no second one', async () => {
  const there = await receiver()
  await register(there.url)
  await events().emit()
  events().clock.now = new Date(Date.now() + 3600_000)
  expect(await requeueOverdue(events().db, events().queue, events().clock.now)).toBe(0)
  await events().run(events().worker())
  expect(there.received).toHaveLength(1)
})

test('a delivery that is queued again counts as one of a failing endpoint only while the endpoint fails', async () => {
  const there = await receiver(500)
  const { id } = await register(there.url)
  await events().emit()
  await events().run(events().worker())
  const tier = async () => {
    await sql`delete from pgboss.job where name = 'webhook-delivery'`.execute(events().db)
    events().clock.now = new Date(events().clock.now.getTime() + 3600_000)
    await requeueOverdue(events().db, events().queue, events().clock.now)
    const { rows } = await sql<{ tier: string | null }>`
      select group_tier as tier from pgboss.job where name = 'webhook-delivery'`.execute(events().db)
    return rows
  }
  expect(await tier()).toEqual([{ tier: 'failing' }])
  await sql`update webhook_endpoint set failing_since = null where id = ${id}`.execute(events().db)
  expect(await tier()).toEqual([{ tier: null }])
})

test('replaying a time range sends missed events, also from while the endpoint was disabled, but no delivered ones', async () => {
  const there = await receiver()
  const { id } = await register(there.url)
  const worker = events().worker()
  const start = events().clock.now.getTime()
  const at = (minutes: number) => new Date(start + minutes * 60_000)
  const emitAt = (minutes: number) => {
    events().clock.now = at(minutes)
    return events().emit()
  }
  const delivered = await emitAt(0)
  await events().run(worker)
  await sql`update webhook_endpoint set disabled_at = now(), disabled_reason = 'x' where id = ${id}`.execute(
    events().db,
  )
  const missed = [await emitAt(1), await emitAt(2)]
  const outside = await emitAt(60)
  const range = { since: at(0), until: at(30) }
  expect(await replayRange(events().db, events().queue, range, at(61))).toBe(0)
  await sql`update webhook_endpoint set disabled_at = null where id = ${id}`.execute(events().db)
  expect(await replayRange(events().db, events().queue, range, at(61))).toBe(2)
  expect(await replayRange(events().db, events().queue, range, at(61))).toBe(0)
  events().clock.now = at(62)
  await events().run(worker)
  const ids = there.received.map(({ headers }) => headers['webhook-id'])
  expect(ids.sort()).toEqual([delivered, ...missed].sort())
  expect(ids).not.toContain(outside)
  expect(await replayRange(events().db, events().queue, { ...range, all: true }, at(63))).toBe(3)
})

test('a stopping worker returns deliveries in progress to the queue immediately', async () => {
  const there = await receiver(() => {})
  const { owner, id } = await register(there.url)
  await events().emit()
  const worker = events().worker({ now: () => new Date(), graceMs: 50 })
  worker.start()
  await there.until(1)
  await worker.stop()
  const log = await events().call<{ data: { status: string; attempts: object[] }[] }>(owner, 'list_deliveries', { id })
  expect(log.data).toMatchObject([{ status: 'waiting', attempts: [] }])
  there.answer(200)
  events().clock.now = new Date()
  await events().run(events().worker())
  expect(there.received).toHaveLength(2)
})

test('a worker stops while the database is unavailable, and the delivery is sent again', async () => {
  const own = openDatabase(events().address)
  const there = await receiver((_request, response) => {
    void own.close().then(() => response.end())
  })
  await register(there.url)
  const eventId = await events().emit()
  const worker = events().worker({ db: own.db, graceMs: 50 })
  await worker.poll()
  await there.until(1)
  await worker.stop()
  there.answer(200)
  // The same state as after the job expires.
  await sql`update pgboss.job set state = 'retry', start_after = now() where name = 'webhook-delivery'`.execute(
    events().db,
  )
  await events().run(events().worker())
  expect(there.received.map(({ headers }) => headers['webhook-id'])).toEqual([eventId, eventId])
})
