// What an events test needs: its own database, the queue, a sealer, a Pro key, and a delivery worker whose clock and
// random numbers the test controls.
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type DeliveryOptions, type DeliveryWorker, openDeliveryWorker } from '../../src/events/delivery-worker.ts'
import type { Context } from '../../src/operations/context.ts'
import { implementations } from '../../src/operations/list.ts'
import { type Sealer, sealerOf } from '../../src/secrets/seal.ts'
import { type Database, openDatabase, sql } from '../../src/store/engine/database.ts'
import { openQueue, type Queue } from '../../src/store/engine/queue.ts'
import { insertKey } from '../../src/store/keys/keys.ts'
import type { NewEvent } from '../../src/store/webhooks/events.ts'
import { limitsOf } from '../../src/wire/plans.ts'
import { newDatabase } from '../setup/database.ts'
import { recordEvent } from '../setup/record-event.ts'

export const silent = { info: () => {}, warn: () => {}, error: () => {} }

export interface Events extends Database {
  queue: Queue
  sealer: Sealer
  address: { socketDir: string; database: string }
  clock: { now: Date }
  /** The context of a caller with a new Pro key. */
  asPro(change?: Partial<Context>): Promise<Context>
  call<T = Record<string, unknown>>(context: Context, name: string, input?: object): Promise<T>
  emit(event?: Partial<NewEvent>): Promise<string>
  worker(options?: Partial<DeliveryOptions>): DeliveryWorker
  /** Sends what is due now and waits until the outcomes are recorded. Returns the number of jobs. */
  run(worker: DeliveryWorker): Promise<number>
  /** Makes every queued delivery due now; the queue uses the database's clock. */
  makeDue(): Promise<void>
  /** Runs after each test too; a test file that clears tables calls it first. */
  stopWorkers(): Promise<void>
}

export const useEvents = (): (() => Events) => {
  let events: Events
  const workers: DeliveryWorker[] = []
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
        const { id } = await insertKey(database.db, {
          plan: 'pro',
          email: 'owner@example.com',
          confirmedAt: clock.now,
        })
        const createdAt = clock.now
        return {
          ...services,
          earlyAccess: false,
          webhookAllowPrivate: true,
          now: clock.now,
          surface: 'api',
          caller: {
            plan: 'pro',
            limits: limitsOf({ plan: 'pro' }, clock.now),
            key: {
              id,
              family: id,
              currentKeyId: id,
              email: 'owner@example.com',
              createdAt,
              promotionUntil: null,
              confirmedAt: clock.now,
            },
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
        const worker = openDeliveryWorker({
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
        const jobs = await worker.poll()
        await worker.idle()
        return jobs
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
