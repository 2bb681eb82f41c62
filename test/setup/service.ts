// The whole API on a new database, for tests that call it as an outside client would. The test sets the clock.
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll } from 'vitest'
import { answerCache } from '../../src/api/answer-cache.ts'
import { buildApp } from '../../src/api/app.ts'
import { planBudgets, type poolOptions } from '../../src/api/budgets.ts'
import type { ConcurrencyOptions } from '../../src/api/concurrency-limit.ts'
import { keyCache } from '../../src/api/key-cache.ts'
import { openLogger } from '../../src/api/logging.ts'
import { memoryLimits, type RateLimits } from '../../src/api/rate-limits.ts'
import { type UsageCounts, usageCounts } from '../../src/api/usage-counts.ts'
import type { Services } from '../../src/operations/context.ts'
import { sealerOf } from '../../src/secrets/seal.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../../src/store/engine/database.ts'
import { databaseProblem } from '../../src/store/engine/health.ts'
import { listen } from '../../src/store/engine/listen.ts'
import { openQueue } from '../../src/store/engine/queue.ts'
import { dataChannel } from '../../src/store/ingest/freshness.ts'
import { insertKey, keyChannel } from '../../src/store/keys/keys.ts'
import { newDatabase } from './database.ts'

export interface Service extends Database {
  app: FastifyInstance
  services: Services
  address: DatabaseOptions
  /** The log lines. */
  logs: string[]
  usage: UsageCounts
  /** Simulates the loss (false) or recovery (true) of the connection that listens for changes. */
  setListening(listening: boolean): void
  /** Sets the service's clock; undefined is the real time. */
  setNow(now: Date | undefined): void
  proKey(): Promise<string>
  freeKey(): Promise<string>
}

export interface ServiceOptions {
  earlyAccess?: boolean
  trustedProxies?: string[]
  logLevel?: string
  webhookAllowPrivate?: boolean
  slots?: number
  waitingCallers?: number
  budgets?: ConcurrencyOptions['budgets']
  keyShare?: ConcurrencyOptions['keyShare']
  traceRequests?: (app: FastifyInstance) => void
  /** Defaults to counters in memory. */
  limits?: RateLimits
  /** Uses these pool sizes and timeouts, for example those of production. */
  pools?: typeof poolOptions
  /** An existing database, to simulate a second process. */
  database?: DatabaseOptions
  /** Called for every route that is added. */
  onRoute?: (route: { method: string | string[]; url: string }) => void
  /** Adds routes to the app before it is ready. */
  beforeReady?: (app: FastifyInstance, services: Services) => void
}

export const startService = async (options: ServiceOptions = {}): Promise<Service> => {
  const address = options.database ?? (await newDatabase())
  const database = openDatabase({ ...address, ...options.pools?.keyed })
  const publicDatabase = openDatabase({ ...address, poolSize: 3, ...options.pools?.public })
  const queue = await openQueue(address)
  const logs: string[] = []
  let fixed: Date | undefined
  const clock = () => fixed ?? new Date()
  const keys = keyCache(database)
  const answers = answerCache()
  const usage = usageCounts(database.db)
  const services: Services = {
    db: database.db,
    queue,
    sealer: sealerOf(randomBytes(32)),
    publicUrl: 'http://lotline.test',
    earlyAccess: options.earlyAccess ?? false,
    webhookAllowPrivate: options.webhookAllowPrivate ?? false,
  }
  const setListening = (listening: boolean) => {
    keys.setListening(listening)
    answers.setListening(listening)
  }
  const listener = await listen(address, {
    channels: { [keyChannel]: keys.evict, [dataChannel]: answers.clear },
    onListening: setListening,
  })
  const app = buildApp({
    services,
    keys,
    answers,
    usage,
    limits: options.limits ?? memoryLimits(() => clock().getTime()),
    logger: openLogger(options.logLevel ?? 'debug', { write: (line) => void logs.push(line) }),
    trustedProxies: options.trustedProxies ?? [],
    metricsToken: 'scraper',
    traceRequests: options.traceRequests,
    notReady: () => databaseProblem(database),
    databases: { keyed: database, public: publicDatabase },
    clock,
    // Rate limit tests send large bursts, which must not return 503. Overload has its own tests.
    slots: { keyed: options.slots ?? 1_000, public: options.slots ?? 1_000 },
    // The outcome of a test must not depend on how long ago another one sent a request.
    keyedActiveMs: 0,
    ...(options.keyShare === undefined ? {} : { keyShare: options.keyShare }),
    ...(options.waitingCallers === undefined ? {} : { waitingCallers: options.waitingCallers }),
    databaseAnswers: listener.answers,
    budgets: options.budgets ?? patientBudgets,
  })
  if (options.onRoute) app.addHook('onRoute', options.onRoute)
  options.beforeReady?.(app, services)
  await app.ready()
  return {
    ...database,
    app,
    services,
    address,
    logs,
    usage,
    setListening,
    setNow: (now) => {
      fixed = now
    },
    proKey: async () => (await insertKey(database.db, { plan: 'pro', email: 'pro@example.com' })).key,
    freeKey: async () => (await insertKey(database.db, { plan: 'free', email: 'free@example.com' })).key,
    close: async () => {
      await app.close()
      await usage.close()
      await listener.close()
      await queue.close()
      await database.close()
      await publicDatabase.close()
    },
  }
}

/** The production budgets with longer timeouts for busy machines. Timeouts have their own tests. */
const patientBudgets: ConcurrencyOptions['budgets'] = {
  demo: { ...planBudgets.demo, answerMs: 30_000 },
  free: { ...planBudgets.free, answerMs: 30_000 },
  pro: { ...planBudgets.pro, answerMs: 30_000 },
}

/** Starts a service before the tests of a file and closes it after them. */
export const useService = (options?: ServiceOptions): (() => Service) => {
  let service: Service
  beforeAll(async () => {
    service = await startService(options)
  })
  afterAll(() => service?.close())
  return () => service
}
