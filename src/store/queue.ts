// Background work on pg-boss, in the same database: a job enqueued in a transaction exists only if it commits.
import { fromKysely, PgBoss, type SendOptions } from 'pg-boss'
import { type DatabaseOptions, type Db, poolAddress } from './database.ts'

/** Every queue, with how often its jobs are tried. */
export const queues = {
  // A mail server may be down over a weekend: the last try comes after more than three days.
  mail: { retryLimit: 40, retryDelay: 15, retryBackoff: true, retryDelayMax: 2 * 3600, deleteAfterSeconds: 7 * 86_400 },
  'webhook-delivery': { retryLimit: 3, retryDelay: 5, expireInSeconds: 120, deleteAfterSeconds: 3600 },
  ingest: { retryLimit: 3, retryDelay: 60, retryBackoff: true, expireInSeconds: 3600 },
  assess: { retryLimit: 3, retryDelay: 10, expireInSeconds: 3600 },
  'sample-day': { retryLimit: 3, retryDelay: 60, expireInSeconds: 600 },
  prune: { retryLimit: 1, expireInSeconds: 3600 },
} as const

export type QueueName = keyof typeof queues

export interface Queue {
  boss: PgBoss
  /** Enqueues in the transaction of `db`, if it is one. */
  send(db: Db, name: QueueName, data: object, options?: SendOptions): Promise<void>
  close(): Promise<void>
}

export interface QueueOptions extends DatabaseOptions {
  /** A process that only enqueues needs no supervision of others' jobs. */
  working?: boolean
  onError?: (error: Error) => void
}

export const openQueue = async ({ working = false, onError, ...address }: QueueOptions): Promise<Queue> => {
  const boss = new PgBoss({
    ...poolAddress(address),
    max: working ? 6 : 2,
    application_name: 'lotline-queue',
    supervise: working,
    schedule: working,
  })
  boss.on('error', (error) => onError?.(error))
  await boss.start()
  for (const [name, options] of Object.entries(queues)) await boss.createQueue(name, options)
  return {
    boss,
    send: async (db, name, data, options) => {
      await boss.send(name, data, { ...options, db: fromKysely(db as Parameters<typeof fromKysely>[0]) })
    },
    close: () => boss.stop({ graceful: true, timeout: 10_000 }),
  }
}
