// Reads from replicas. A replica is used only while it has everything the primary had when data last changed, and at most about two
// seconds ago otherwise. Without such a replica, the primary answers.
import { setTimeout as wait } from 'node:timers/promises'
import { keysOf, tableOf } from '../../common/typed.ts'
import type { ConnectionShare } from './cancelable-pool.ts'
import { type Database, type DatabaseOptions, type Db, onlyValue, openDatabase } from './database.ts'

export type Replicas<Pool extends string> = ReturnType<typeof openReplicas<Pool>>

interface ReplicaOptions<Pool extends string> {
  urls: readonly string[]
  /** The primary: it answers when a replica cannot be connected to, and its log position is what replicas must reach. */
  primary: Pick<Database, 'db' | 'pool'>
  pools: Readonly<Record<Pool, DatabaseOptions>>
}

/** How often each replica is compared with the primary, and how long it has to catch up with it then. Together, how old it may be. */
const compareMs = 1_000
/** Interval between checks of a replica that has not caught up yet. */
const lookMs = 20
/** A replica whose server does not answer within this time is not used. */
const answerMs = 1_000

interface Replica<Pool extends string> {
  databases: Readonly<Record<Pool, Database>>
  monitor: Database
  ready: boolean
}

export const openReplicas = <Pool extends string>({ urls, primary, pools }: ReplicaOptions<Pool>) => {
  const closing = new AbortController()
  /** Aborted and replaced when data changes. */
  let unchanged = new AbortController()
  const replicas = urls.map((url): Replica<Pool> => {
    const open = (options: DatabaseOptions) => openDatabase({ ...options, connectionString: url })
    const replica: Replica<Pool> = {
      monitor: open({
        poolSize: 1,
        applicationName: 'lotline-replica',
        queryTimeoutMs: answerMs,
        connectionTimeoutMs: answerMs,
      }),
      databases: {} as Record<Pool, Database>,
      ready: false,
    }
    const onUnreachable = () => {
      replica.ready = false
      return primary.pool.connect()
    }
    const databases = tableOf(keysOf(pools), (name) =>
      openDatabase({ ...pools[name], connectionString: url, onUnreachable }),
    )
    return Object.assign(replica, { databases })
  })

  const watch = async (replica: Replica<Pool>): Promise<void> => {
    while (!closing.signal.aborted) {
      const { signal } = unchanged
      replica.ready = await hasCaughtUp(replica.monitor.db, primary.db, signal, replica.ready)
      // A change since then starts the next comparison at once.
      if (signal.aborted) replica.ready = false
      else await wait(compareMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }
  const watching = replicas.map(watch)
  let next = 0
  return {
    /** A handle to a replica, or undefined if the primary has to answer. */
    within: (pool: Pool, signal: AbortSignal, share?: ConnectionShare): Db | undefined => {
      const usable = replicas.filter(({ ready }) => ready)
      return usable[next++ % Math.max(1, usable.length)]?.databases[pool].within(signal, share)
    },
    /** Data changed: no replica is used until it has the change. */
    changed: () => {
      for (const replica of replicas) replica.ready = false
      unchanged.abort()
      unchanged = new AbortController()
    },
    /** How many replicas are in use. */
    ready: () => replicas.filter(({ ready }) => ready).length,
    close: async () => {
      closing.abort()
      unchanged.abort()
      await Promise.all(watching)
      for (const { databases, monitor } of replicas)
        await Promise.all([monitor, ...Object.values<Database>(databases)].map(({ close }) => close()))
    },
  }
}

/** Waits until the replica has replayed what the primary has written so far. While the primary is away nothing changes. */
const hasCaughtUp = async (replica: Db, primary: Db, unchanged: AbortSignal, before: boolean): Promise<boolean> => {
  const position = await onlyValue<string>(primary)`select pg_current_wal_lsn()::text`.catch(() => undefined)
  if (position === undefined) return before
  const until = performance.now() + compareMs
  while (!unchanged.aborted && performance.now() < until) {
    const reached = await onlyValue<boolean | null>(replica)`
      select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ${position}::pg_lsn`.catch(() => undefined)
    if (reached === undefined) return false
    if (reached) return true
    await wait(lookMs, undefined, { signal: unchanged, ref: false }).catch(() => {})
  }
  return false
}
