// Decides which requests run, so that no caller can use up the capacity of others. A request holds a slot from when its body has
// arrived until its response is ready: neither slow senders nor slow readers hold one. The slots are the budget of database and
// processor time: pages, tiles, searches, downloads and the calls of agent tools all take them, under the caller's key or address,
// and a free slot goes to the waiting caller that has used the least time. While another key is active, the one that has used more gets
// only a share of slots and connections. A request that waits too long gets 503. Cached answers need
// no slot: a 503 would cost as much.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { unavailable } from '../common/errors.ts'
import { limiter } from '../common/limiter.ts'
import type { Database, Db } from '../store/engine/database.ts'
import type { Replicas } from '../store/engine/replicas.ts'
import type { PlanName } from '../wire/plans.ts'
import {
  type Budget,
  defaultKeyedActiveMs,
  defaultKeyShare,
  defaultSlots,
  defaultWaitingCallers,
  maxWaitingPerCaller,
  type PoolName,
  planBudgets,
} from './budgets.ts'
import { clientOf } from './client-address.ts'
import { deadline } from './deadline.ts'

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

export interface ConcurrencyOptions {
  /** Requests of each pool that run at once. */
  slots?: Readonly<Record<PoolName, number>>
  /** Callers with a key count as active until this long after a request. */
  keyedActiveMs?: number
  /** What a key may use while one that has used less is active. */
  keyShare?: Readonly<Record<'slots' | 'connections', number>>
  /** Callers of each pool whose requests wait; more get 503 at once, first those that have used the most time. */
  waitingCallers?: number
  budgets?: Readonly<Record<PlanName, Budget>>
  databases: Readonly<Record<PoolName, Pick<Database, 'within'>>>
  /** They answer reads while they are up to date. */
  replicas?: Pick<Replicas<PoolName>, 'within'> | undefined
  databaseAnswers: () => boolean
}

export const limitConcurrency = (app: FastifyInstance, options: ConcurrencyOptions): void => {
  const { slots = defaultSlots, keyedActiveMs = defaultKeyedActiveMs, keyShare = defaultKeyShare } = options
  const { waitingCallers = defaultWaitingCallers, budgets = planBudgets, databases, replicas } = options
  const queue = { waitingPerKey: maxWaitingPerCaller, waitingKeys: waitingCallers }
  const shareOf = (most: number) => ({ most, activeMs: keyedActiveMs })
  const keyed = limiter({ total: slots.keyed, ...queue, share: shareOf(keyShare.slots) })
  // The processors are shared: while callers with a key are active, few requests without one run. Those that run when a request with
  // a key arrives slow it down, so the time between two such requests counts too.
  const besideKeyed = Math.ceil(slots.public / 6)
  let lastKeyed = Number.NEGATIVE_INFINITY
  const keyedIsActive = () => keyed.running() > 0 || performance.now() - lastKeyed < keyedActiveMs
  const running = { keyed, public: limiter({ total: () => (keyedIsActive() ? besideKeyed : slots.public), ...queue }) }
  const connectionsOf = { keyed: limiter({ share: shareOf(keyShare.connections) }), public: limiter() }
  // Made once: a stack trace for each rejected request would cost more than the rest of its response.
  const overloaded = unavailable()

  app.decorateRequest('releaseSlot', null)
  app.decorateRequest('db', null)
  app.addHook('preHandler', (request, reply, done) => {
    if (request.routeOptions.config.needsNoSlot) return done()
    const { name, plan, pool } = callerOf(request)
    const { atOnce, connections, answerMs } = budgets[plan]
    if (pool === 'keyed') lastKeyed = performance.now()
    const ending = deadline(answerMs, options.databaseAnswers)
    const share = (signal?: AbortSignal) => connectionsOf[pool].take(name, connections, signal)
    request.db =
      (request.routeOptions.config.readsOnly ? replicas?.within(pool, ending.signal, share) : undefined) ??
      databases[pool].within(ending.signal, share)
    let ended = false
    const end = () => {
      ended = true
      ending.clear()
    }
    // Also when no response is ever sent.
    reply.raw.once('close', () => {
      if (!ended) ending.abort()
      request.releaseSlot?.()
    })
    running[pool].take(name, atOnce, ending.signal).then(
      (release) => {
        request.releaseSlot = () => {
          request.releaseSlot = null
          end()
          release()
        }
        // Not before the response whose slot this was is sent.
        if (!ending.signal.aborted) return void setImmediate(done)
        request.releaseSlot()
        done(overloaded)
      },
      () => {
        end()
        done(overloaded)
      },
    )
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
