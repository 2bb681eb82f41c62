// Everything an events test stands on: a database of its own, the queue, a sealer, a Pro key, and a delivery worker
// whose clock and dice are in the test's hands.
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { limitsOf } from '../../src/contract/plans.ts'
import { type Deliveries, type DeliveryOptions, openDeliveries } from '../../src/events/deliver.ts'
import type { Context } from '../../src/operations/context.ts'
import { implementations } from '../../src/operations/list.ts'
import { type Sealer, sealerOf } from '../../src/secrets/seal.ts'
import { type Database, openDatabase, sql } from '../../src/store/engine/database.ts'
import { openQueue, type Queue } from '../../src/store/engine/queue.ts'
import { insertKey } from '../../src/store/keys/keys.ts'
import { type NewEvent, recordEvent } from '../../src/store/webhooks/events.ts'
import { newDatabase } from '../setup/database.ts'

export const silent = { info: () => {}, warn: () => {}, error: () => {} }

export interface Events extends Database {
  queue: Queue
  sealer: Sealer
  address: { socketDir: string; database: string }
  clock: { now: Date }
  /** A context of a new Pro key. */
  asPro(change?: Partial<Context>): Promise<Context>
  call<T = Record<string, unknown>>(context: Context, name: string, input?: object): Promise<T>
  emit(event?: Partial<NewEvent>): Promise<string>
  worker(options?: Partial<DeliveryOptions>): Deliveries
  /** Takes and sends what is due now, until it is recorded. */
  run(worker: Deliveries): Promise<number>
  /** Makes all that waits due now, on the queue's own clock. */
  makeDue(): Promise<void>
  /** Done after each test as well; a test file that clears tables does it first. */
  stopWorkers(): Promise<void>
}

export const useEvents = (): (() => Events) => {
  let events: Events
  const workers: Deliveries[] = []
  beforeAll(async () => {
    const address = await newDatabase()
    const database = openDatabase(address)
    const queue = await openQueue(address)
    const sealer = sealerOf(randomBytes(32))
    const clock = { now: new Date() }
    const services = { db: database.db, queue, sealer, publicUrl: 'http://lotline.test' }
    events = {
      ...database,
      queue,
      sealer,
      address,
      clock,
      asPro: async (change) => {
        const { id } = await insertKey(database.db, { plan: 'pro', email: 'owner@example.com' })
        const createdAt = clock.now
        return {
          ...services,
          earlyAccess: false,
          webhookAllowPrivate: true,
          now: clock.now,
          caller: {
            plan: 'pro',
            limits: limitsOf({ plan: 'pro' }, clock.now),
            key: { id, heir: id, email: 'owner@example.com', createdAt, promotionUntil: null },
            client: '192.0.2.1',
            remaining: 100,
            windowResetsInSeconds: 60,
          },
          ...change,
        }
      },
      call: async <T>(context: Context, name: string, input: object = {}) => {
        const found = implementations.find(({ operation }) => operation.name === name)
        if (!found) throw new Error(`no operation ${name}`)
        return (await found.run({ ...context, now: clock.now }, input)) as T
      },
      emit: (event = {}) =>
        recordEvent(
          database.db,
          queue,
          { type: 'permit.created', market: 'sf-peninsula', data: { permitId: 'B1' }, ...event },
          clock.now,
        ),
      worker: (options) => {
        const worker = openDeliveries({
          ...services,
          allowPrivate: true,
          version: 'test',
          log: silent,
          now: () => clock.now,
          ...options,
        })
        workers.push(worker)
        return worker
      },
      run: async (worker) => {
        const taken = await worker.take()
        await worker.idle()
        return taken
      },
      stopWorkers: async () => {
        await Promise.all(workers.splice(0).map((worker) => worker.stop()))
      },
      makeDue: async () => {
        await sql`update pgboss.job set start_after = now() where name = 'webhook-delivery'`.execute(database.db)
      },
    }
  })
  afterEach(() => events.stopWorkers())
  afterAll(async () => {
    await events?.queue.close()
    await events?.close()
  })
  return () => events
}
