// Opens the API, the pages and the agent tools on one port, with the caches and rate limits they share.
import { answerCache } from '../api/answer-cache.ts'
import { type ApiOptions, buildApp } from '../api/app.ts'
import { poolOptions } from '../api/budgets.ts'
import { clientOf } from '../api/client-address.ts'
import { keyCache } from '../api/key-cache.ts'
import { memoryLimits, redisLimits } from '../api/rate-limits.ts'
import { usageCounts } from '../api/usage-counts.ts'
import type { Config } from '../config.ts'
import { diskProblem, freeBytes } from '../embedded/disk-space.ts'
import { openDatabase } from '../store/engine/database.ts'
import { databaseProblem } from '../store/engine/health.ts'
import { listen } from '../store/engine/listen.ts'
import { migrationProblem } from '../store/engine/migration-problem.ts'
import { openReplicas } from '../store/engine/replicas.ts'
import { untilAvailable } from '../store/engine/unavailable.ts'
import { dataChannel } from '../store/ingest/freshness.ts'
import { keyChannel } from '../store/keys/keys.ts'
import { buildBrowser } from '../web/build-browser.ts'
import { mountPages } from '../web/mount-pages.ts'
import { checkPmtiles } from '../web/tiles/pmtiles-file.ts'
import { mountMcp } from './mount-mcp.ts'
import type { OpenServices } from './open-services.ts'
import type { Store } from './open-store.ts'
import { runOnce } from './run-once.ts'
import { sampleReady } from './sample-state.ts'
import type { Role } from './serve.ts'

/** Adds a close function to `closing` for everything it opens, in the order of opening. */
export const startApi = async (
  config: Config,
  background: OpenServices,
  { role, ...observing }: Pick<ApiOptions, 'logger' | 'metrics' | 'traceRequests'> & { role: Role },
  closing: (() => Promise<unknown> | unknown)[],
) => {
  const { address } = background.store
  // Background work keeps its own pool: its statements may take long, and must not use up the connections of requests.
  const databases = {
    keyed: openDatabase({ ...address, ...poolOptions.keyed, shards: background.store.shards }),
    public: openDatabase({ ...address, ...poolOptions.public, shards: background.store.shards }),
  }
  for (const { close } of Object.values(databases)) closing.push(close)
  const services = { ...background, db: databases.keyed.db }
  const pageServices = { ...background, db: databases.public.db }
  const limits = config.REDIS_URL ? await redisLimits(config.REDIS_URL) : memoryLimits()
  closing.push(() => limits.close())
  const keys = keyCache(databases.keyed)
  const usage = usageCounts(databases.keyed.db)
  closing.push(usage.close)
  const answers = answerCache()
  const replicas =
    config.DATABASE_REPLICA_URL &&
    openReplicas({ urls: config.DATABASE_REPLICA_URL, primary: background.store, pools: poolOptions })
  if (replicas) closing.push(replicas.close)
  const onData = (market: string) => {
    replicas?.changed()
    answers.clear(market)
  }
  const onListening = (listening: boolean) => {
    keys.setListening(listening)
    answers.setListening(listening)
  }
  const channels = { [keyChannel]: keys.evict, [dataChannel]: onData }
  const listener = await untilAvailable(() => listen(address, { channels, onListening }))
  closing.push(() => listener.close())
  const app = buildApp({
    services,
    databases,
    replicas,
    databaseAnswers: listener.answers,
    keys,
    limits,
    usage,
    answers,
    ...observing,
    metricsToken: config.METRICS_TOKEN,
    trustedProxies: config.TRUSTED_PROXIES,
    notReady: () => notReady(config, background.store, freeBytes, role),
  })
  mountMcp(app, services, limits)
  if (config.MAP_PMTILES) await checkPmtiles(config.MAP_PMTILES)
  await buildBrowser()
  mountPages(app, {
    services: pageServices,
    limits,
    clientOf,
    mapStyleUrl: config.MAP_STYLE_URL,
    mapPmtiles: config.MAP_PMTILES,
    ...(config.MAP_AERIAL_URL && {
      mapAerial: { url: config.MAP_AERIAL_URL, attribution: config.MAP_AERIAL_ATTRIBUTION },
    }),
    photoHosts: config.PHOTO_HOSTS,
    proOffer: config.PRO_OFFER,
    sendsMail: config.SMTP_URL !== undefined,
    loading: async () => !(await sampleReady(pageServices, config.SAMPLE_DATA)),
  })
  const close = runOnce(() => app.close())
  closing.push(close)
  // Room for a burst of new connections: a client whose connection does not fit retries only after a second.
  const url = await app.listen({ port: config.PORT, host: config.HOST, backlog: 4096 })
  // With PORT=0 the URL used in responses, pages and mails is known only now.
  if (services.publicUrl === 'http://localhost:0')
    for (const each of [background, services, pageServices]) each.publicUrl = `http://localhost:${new URL(url).port}`
  return { url, pools: { keyed: databases.keyed.pool, public: databases.public.pool }, close }
}

/** Queries the database each time, so that every process gives the same answer and a lost database is noticed. */
export const notReady = async (
  config: Pick<Config, 'SAMPLE_DATA'>,
  { files, within }: Pick<Store, 'within'> & Partial<Pick<Store, 'files'>>,
  free = freeBytes,
  role: Role = 'all',
): Promise<string | undefined> =>
  (files === undefined ? undefined : await diskProblem(files, free)) ??
  databaseProblem(
    { within },
    async (db) =>
      (await migrationProblem(db, startedAt)) ??
      ((await sampleReady({ db }, config.SAMPLE_DATA))
        ? undefined
        : role === 'api'
          ? 'waiting for a worker to load the sample markets: start one with lotline serve --role worker, or set SAMPLE_DATA=false'
          : 'the sample markets are being loaded'),
  )

const startedAt = new Date()
