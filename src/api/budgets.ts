// What a request may use, by its caller's plan: how many requests of one caller run at once, with how many database
// connections, and for how long. Callers with their own key share one connection pool. Everyone else shares a smaller one, so
// anonymous traffic cannot use up the connections of callers with a key.

import { availableParallelism } from 'node:os'
import type { DatabaseOptions } from '../store/engine/database.ts'
import type { PlanName } from '../wire/plans.ts'

export interface Budget {
  /** Requests of one caller that run at the same time; further ones wait in the caller's queue. */
  atOnce: number
  /** Connections those requests use at the same time, together; further queries wait. */
  connections: number
  /** From the end of the body until the answer, waiting included; then 503. */
  answerMs: number
}

/**
 * `demo` also applies to pages and to operations without a key, where a caller is a client address. Pro callers are answered slowly
 * rather than not at all when the machine is overloaded. Their limit is below the client's default timeout.
 */
export const planBudgets: Readonly<Record<PlanName, Budget>> = {
  demo: { atOnce: 2, connections: 2, answerMs: 1_800 },
  free: { atOnce: 4, connections: 3, answerMs: 1_800 },
  pro: { atOnce: 8, connections: 5, answerMs: 25_000 },
}

/** Queries that leave half of the processors to others. */
const halfOfProcessors = Math.max(1, Math.floor(availableParallelism() / 2))

/**
 * What a key may use while another one, of the same or a higher plan, is active and has used less time in this minute. Slots alone would
 * not be enough: a request that has one does not wait, but its queries share the processors with those of the others.
 */
export const defaultKeyShare = { slots: 2 * halfOfProcessors, connections: halfOfProcessors }

/** More than any plan has requests a minute, so that a burst within the limits is answered. */
export const maxWaitingPerCaller = 150

export type PoolName = 'keyed' | 'public'

/** Requests of a pool that run at once: twice its connections, so that one request computes while another one queries. */
export const defaultSlots: Readonly<Record<PoolName, number>> = { keyed: 20, public: 6 }

/** Callers with a key count as active until this long after a request. */
export const defaultKeyedActiveMs = 1_000

/** At 100 requests/s the last of 50 waits half a second. */
export const defaultWaitingCallers = 50

/**
 * One query uses at most a part of the longest budget of the pool, so that it does not keep its connection from others for all of it;
 * a shorter budget cancels its query. The client's own timeout is for a server that no longer enforces the statement's.
 */
export const poolOptions: Readonly<Record<PoolName, DatabaseOptions>> = {
  keyed: {
    applicationName: 'lotline-api',
    poolSize: 10,
    connectionTimeoutMs: 11_000,
    statementTimeoutMs: 10_000,
    queryTimeoutMs: 11_000,
  },
  public: {
    applicationName: 'lotline-public',
    poolSize: 3,
    connectionTimeoutMs: 1_650,
    statementTimeoutMs: 1_500,
    queryTimeoutMs: 1_650,
    // Three queries at once use three processes, not nine.
    parallelWorkers: 0,
  },
}

/** Time limit of a key lookup, which comes before the budget of the request is known. */
export const keyLookupMs = 5_000
