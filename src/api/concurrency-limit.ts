// Decides which requests run, so that no caller can use up the capacity of others. A request holds a slot from when its body has
// arrived until its response is ready: neither slow senders nor slow readers hold one. Each caller has a few slots and a few database
// connections; its other requests wait in the caller's queue. Each pool has a fixed number of slots; when none is free, a request
// gets 503 at once. A request with a longer budget ends early when the database does not answer at all. Cached answers need no
// slot: sending a 503 would cost as much.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { unavailable } from '../contract/errors.ts'
import type { PlanName } from '../contract/plans.ts'
import { type ConnectionShare, connectionShare } from '../store/engine/connection-share.ts'
import type { Database, Db } from '../store/engine/database.ts'
import type { Replicas } from '../store/engine/replicas.ts'
import { type Budget, maxWaitingPerCaller, type PoolName } from './budgets.ts'
import { clientOf } from './client-address.ts'

declare module 'fastify' {
  interface FastifyRequest {
    releaseSlot: (() => void) | null
    /** The caller's pool. Queries end when the request's time is over or its client has gone. Null without a slot. */
    db: Db | null
  }
  interface FastifyContextConfig {
    /** For health checks, which must be answered under load, and for routes that do no work themselves. */
    needsNoSlot?: boolean
    /** For requests that only read market data, which a replica may answer. */
    readsOnly?: boolean
  }
}

/** When a request with a longer budget checks whether the database answers at all, and how long the check may take. */
const probeAfterMs = 600
const stalledAfterMs = 1_800

/** At 100 requests/s the last of 50 waits half a second, and a burst of 50 is no overload. */
export const defaultSlots = 50

export interface ConcurrencyOptions {
  /** Of each pool. */
  slots: number
  budgets: Readonly<Record<PlanName, Budget>>
  databases: Readonly<Record<PoolName, Pick<Database, 'within' | 'probe'>>>
  replicas?: Pick<Replicas<PoolName>, 'within'> | undefined
}

interface CallerSlots {
  running: number
  connections: ConnectionShare
  /** In the order of arrival. Each begins its request in a slot that was handed over. */
  waiting: Set<() => void>
}

export const limitConcurrency = (app: FastifyInstance, options: ConcurrencyOptions): void => {
  const { slots, budgets, databases, replicas } = options
  const used: Record<PoolName, number> = { keyed: 0, public: 0 }
  const callers = new Map<string, CallerSlots>()
  /** Requests share the probe that is running. */
  const probes = new Map<PoolName, Promise<boolean>>()
  const probe = (pool: PoolName): Promise<boolean> => {
    const running = probes.get(pool)
    if (running) return running
    const answered = databases[pool].probe().then(
      () => true,
      () => false,
    )
    probes.set(pool, answered)
    void answered.then(() => probes.delete(pool))
    return answered
  }
  /** Calls `end` if the database does not answer. Returns a function that gives up watching. */
  const watchDatabase = (pool: PoolName, end: () => void): (() => void) => {
    let answered = false
    const probing = setTimeout(() => {
      void probe(pool).then((yes) => {
        answered = yes
      })
    }, probeAfterMs)
    const ending = setTimeout(() => {
      if (!answered) end()
    }, stalledAfterMs)
    return () => {
      clearTimeout(probing)
      clearTimeout(ending)
    }
  }
  // Made once: a stack trace for each rejected request would cost more than the rest of its response.
  const overloaded = unavailable(2)

  app.decorateRequest('releaseSlot', null)
  app.decorateRequest('db', null)
  app.addHook('preHandler', (request, reply, done) => {
    if (request.routeOptions.config.needsNoSlot) return done()
    const { name, plan, pool } = callerOf(request)
    const { atOnce, connections, answerMs } = budgets[plan]
    const caller = callers.get(name) ?? { running: 0, waiting: new Set(), connections: connectionShare(connections) }
    const mayStart = caller.running < atOnce
    if (mayStart ? used[pool] >= slots : caller.waiting.size >= maxWaitingPerCaller) return done(overloaded)
    callers.set(name, caller)

    const ending = new AbortController()
    request.db =
      (request.routeOptions.config.readsOnly ? replicas?.within(pool, ending.signal, caller.connections) : undefined) ??
      databases[pool].within(ending.signal, caller.connections)
    const release = () => {
      request.releaseSlot = null
      clearTimeout(timer)
      unwatch?.()
      const [next] = caller.waiting
      if (next) return next()
      used[pool]--
      caller.running--
      if (caller.running === 0) callers.delete(name)
    }
    const beginLater = () => {
      caller.waiting.delete(beginLater)
      request.releaseSlot = release
      // Not before the response whose slot this was is sent.
      setImmediate(done)
    }
    const end = () => {
      clearTimeout(timer)
      unwatch?.()
      if (caller.waiting.delete(beginLater)) done(overloaded)
      else if (request.releaseSlot) ending.abort()
    }
    const timer = setTimeout(end, answerMs)
    const unwatch = answerMs > stalledAfterMs ? watchDatabase(pool, end) : undefined
    // Also when no response is ever sent.
    reply.raw.once('close', () => {
      end()
      request.releaseSlot?.()
    })
    if (!mayStart) return void caller.waiting.add(beginLater)
    used[pool]++
    caller.running++
    request.releaseSlot = release
    done()
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    request.releaseSlot?.()
    done(null, payload)
  })
}

const callerOf = ({ caller, ip }: FastifyRequest): { name: string; plan: PlanName; pool: PoolName } =>
  caller?.key
    ? // A key and those it was rotated from are one caller, as in the rate limits.
      { name: `key:${caller.key.family}`, plan: caller.plan, pool: 'keyed' }
    : { name: `client:${clientOf(ip)}`, plan: 'demo', pool: 'public' }
