// Job queues of pg-boss in the same database. A job enqueued in a transaction exists only if the transaction commits.
import { fromKysely, type JobInsert, PgBoss, type Queue as QueueSettings, type SendOptions } from 'pg-boss'
import { keysOf } from '../../common/typed.ts'
import { connectionName, type DatabaseOptions, type Db, serverAddress } from './database.ts'
import { untilAvailable } from './unavailable.ts'

/** Every queue with its retry policy. */
const queues = {
  // A mail server may be down over a weekend, so the last retry comes after more than three days.
  mail: {
    retryLimit: 40,
    retryDelay: 15,
    retryBackoff: true,
    retryDelayMax: 2 * 3600,
    expireInSeconds: 120,
    deleteAfterSeconds: 7 * 86_400,
  },
  // One job is one attempt; src/events schedules the retries. pg-boss repeats only attempts whose process died, without a limit.
  // 30 s covers the 15 s timeout of an attempt and the recording of its outcome.
  'webhook-delivery': {
    retryLimit: 100_000,
    retryDelay: 0,
    expireInSeconds: 30,
    deleteAfterSeconds: 3600,
    partition: true,
  },
  // A county takes hours over a slow service. A run whose process died starts again after the heartbeat is missed.
  ingest: { retryLimit: 3, retryDelay: 60, retryBackoff: true, expireInSeconds: 12 * 3600, heartbeatSeconds: 60 },
  assess: { retryLimit: 3, retryDelay: 10, expireInSeconds: 3600 },
  today: { retryLimit: 0, expireInSeconds: 600 },
  'sample-day': { retryLimit: 3, retryDelay: 60, expireInSeconds: 600 },
  // One job of a key at a time. A job whose process died starts again after the heartbeat is missed.
  export: { policy: 'singleton', retryLimit: 3, retryDelay: 5, expireInSeconds: 3600, heartbeatSeconds: 30 },
  // One at a time. A backup that fails is tried again by the next hourly check; one whose process died starts again as an export does.
  backup: { policy: 'singleton', retryLimit: 3, retryDelay: 5, expireInSeconds: 6 * 3600, heartbeatSeconds: 30 },
  prune: { retryLimit: 1, expireInSeconds: 3600 },
} as const

type QueueName = keyof typeof queues

/** A fetched job. Its retry count is needed to end it, so that this process cannot end a job that another one has taken over. */
export interface FetchedJob {
  id: string
  retryCount: number
  data: object
}

interface NewJob {
  data: object
  startAfter?: Date
  /** A fetch can limit how many jobs of a group are in progress, in all processes together, with other limits for some tiers. */
  group?: { id: string; tier?: string }
}

interface GroupLimits {
  perGroup: { default: number; tiers?: Record<string, number> }
  ignoreGroups: string[]
}

export type Queue = Awaited<ReturnType<typeof openQueue>>

interface QueueOptions extends DatabaseOptions {
  /** True for a process that runs jobs. It also looks for expired jobs and starts scheduled ones. */
  working?: boolean
  /** True on a standby, where the tables of the queue cannot be changed. */
  readOnly?: boolean
  onError?: (error: Error) => void
}

/** Schedules are written while the service starts: a database that dies meanwhile is waited for. */
class StartingBoss extends PgBoss {
  override schedule(...args: Parameters<PgBoss['schedule']>): Promise<void> {
    return untilAvailable(() => super.schedule(...args))
  }
}

/** Interval of the search for expired jobs. A job of a killed process is delayed by at most this and its expiry time. */
const superviseSeconds = 5

/** Creates the queues that are missing. One that an earlier version made gets the options of this one. */
const createQueues = async (boss: PgBoss): Promise<void> => {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  for (const [name, options] of Object.entries<Omit<QueueSettings, 'name'>>(queues)) {
    const { policy: _, partition: __, ...changeable } = options
    const queue = known.get(name)
    if (!queue) await boss.createQueue(name, options)
    else if (keysOf(changeable).some((option) => queue[option] !== changeable[option]))
      await boss.updateQueue(name, changeable)
  }
}

export const openQueue = async ({ working = false, readOnly = false, onError, ...address }: QueueOptions) => {
  const boss = new StartingBoss({
    ...serverAddress(address),
    max: working ? 6 : 2,
    application_name: connectionName('lotline-queue'),
    supervise: working,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    schedule: working,
    migrate: !readOnly,
  })
  boss.on('error', (error) => onError?.(error))
  try {
    await boss.start()
    if (!readOnly) await createQueues(boss)
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {})
    throw error
  }
  const within = (db: Db) => fromKysely(db as Parameters<typeof fromKysely>[0])
  return {
    boss,
    /** Enqueues a job, in the transaction of `db` if it is one. */
    send: async (db: Db, name: QueueName, data: object, options?: SendOptions): Promise<void> => {
      await boss.send(name, data, { ...options, db: within(db) })
    },
    /** Enqueues many jobs at once, in the transaction of `db` if it is one. */
    sendMany: async (db: Db, name: QueueName, jobs: readonly NewJob[]): Promise<void> => {
      if (jobs.length > 0) await boss.insert(name, jobs as JobInsert[], { db: within(db) })
    },
    /** Fetches up to `count` due jobs. Each is reserved for this process until it expires. */
    fetch: async (name: QueueName, count: number, limits?: GroupLimits) =>
      (await boss.fetch<object>(name, {
        batchSize: count,
        ...(limits ? { groupConcurrency: limits.perGroup, ignoreGroups: limits.ignoreGroups } : {}),
      })) as FetchedJob[],
    /** Deletes fetched jobs in the transaction of `db`. */
    end: async (db: Db, name: QueueName, jobs: readonly FetchedJob[]): Promise<void> => {
      const ended = jobs.map(({ id, retryCount }) => ({ id, retryCount }))
      if (ended.length > 0) await boss.deleteJob(name, ended, { db: within(db) })
    },
    close: () => boss.stop({ graceful: true, timeout: 10_000 }),
  }
}
