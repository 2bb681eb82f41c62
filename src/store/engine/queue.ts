// Background work on pg-boss, in the same database: a job enqueued in a transaction exists only if it commits.
import { fromKysely, type JobInsert, PgBoss, type SendOptions } from 'pg-boss'
import { type DatabaseOptions, type Db, poolAddress } from './database.ts'

/** Every queue, with how often its jobs are tried. */
export const queues = {
  // A mail server may be down over a weekend: the last try comes after more than three days.
  mail: {
    retryLimit: 40,
    retryDelay: 15,
    retryBackoff: true,
    retryDelayMax: 2 * 3600,
    expireInSeconds: 120,
    deleteAfterSeconds: 7 * 86_400,
  },
  // One job is one attempt; the retry schedule is our own. What pg-boss repeats is an attempt whose process died, as
  // often as processes die. 30 s is the 15 s an attempt may take, its wait for a slot and its recording.
  'webhook-delivery': {
    retryLimit: 100_000,
    retryDelay: 0,
    expireInSeconds: 30,
    deleteAfterSeconds: 3600,
    partition: true,
  },
  ingest: { retryLimit: 3, retryDelay: 60, retryBackoff: true, expireInSeconds: 3600 },
  assess: { retryLimit: 3, retryDelay: 10, expireInSeconds: 3600 },
  'sample-day': { retryLimit: 3, retryDelay: 60, expireInSeconds: 600 },
  prune: { retryLimit: 1, expireInSeconds: 3600 },
} as const

export type QueueName = keyof typeof queues

/** A job as fetched; with its try, so that a job taken over by another process is not ended by this one. */
export interface FetchedJob {
  id: string
  retryCount: number
  data: object
}

export interface NewJob {
  data: object
  startAfter?: Date
}

export interface Queue {
  boss: PgBoss
  /** Enqueues in the transaction of `db`, if it is one. */
  send(db: Db, name: QueueName, data: object, options?: SendOptions): Promise<void>
  /** Many at once, in the transaction of `db`. */
  sendMany(db: Db, name: QueueName, jobs: readonly NewJob[]): Promise<void>
  /** Takes up to `count` jobs that are due; each is ours until it expires. */
  fetch(name: QueueName, count: number): Promise<FetchedJob[]>
  /** Ends fetched jobs in the transaction of `db`, leaving no row behind. */
  end(db: Db, name: QueueName, jobs: readonly FetchedJob[]): Promise<void>
  close(): Promise<void>
}

export interface QueueOptions extends DatabaseOptions {
  /** A process that only enqueues needs no supervision of others' jobs. */
  working?: boolean
  onError?: (error: Error) => void
}

/** How often jobs of dead processes are looked for: with a job's expiry, the longest a kill can delay one. */
const superviseSeconds = 5

export const openQueue = async ({ working = false, onError, ...address }: QueueOptions): Promise<Queue> => {
  const boss = new PgBoss({
    ...poolAddress(address),
    max: working ? 6 : 2,
    application_name: 'lotline-queue',
    supervise: working,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    schedule: working,
  })
  boss.on('error', (error) => onError?.(error))
  await boss.start()
  for (const [name, options] of Object.entries(queues)) await boss.createQueue(name, options)
  const within = (db: Db) => fromKysely(db as Parameters<typeof fromKysely>[0])
  return {
    boss,
    send: async (db, name, data, options) => {
      await boss.send(name, data, { ...options, db: within(db) })
    },
    sendMany: async (db, name, jobs) => {
      if (jobs.length > 0) await boss.insert(name, jobs as JobInsert[], { db: within(db) })
    },
    fetch: async (name, count) => (await boss.fetch<object>(name, { batchSize: count })) as FetchedJob[],
    end: async (db, name, jobs) => {
      if (jobs.length > 0)
        await boss.deleteJob(
          name,
          jobs.map(({ id, retryCount }) => ({ id, retryCount })),
          { db: within(db) },
        )
    },
    close: () => boss.stop({ graceful: true, timeout: 10_000 }),
  }
}
