// The service. Read it top to bottom: the sample, database and queue, the database's supervisor, the lock that prevents a second API
// process, API with pages and agent tools, background work, and stopping in reverse order.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'
import { openLogger } from '../api/logging.ts'
import { openMetrics } from '../api/metrics.ts'
import { doubling, retry } from '../common/retry.ts'
import { messageOf } from '../common/typed.ts'
import { type Config, keepServedUrl, secretKeyWarning } from '../config.ts'
import { packProblems } from '../domain/packs/use-packs.ts'
import { freeBytes } from '../embedded/disk-space.ts'
import { startEmbedded } from '../embedded/server.ts'
import { supervise } from '../embedded/supervise.ts'
import { claimApi } from '../store/engine/api-lock.ts'
import type { Db } from '../store/engine/database.ts'
import { databaseStatus } from '../store/engine/database-status.ts'
import { untilAvailable } from '../store/engine/unavailable.ts'
import { sourceStates } from '../store/ingest/source-states.ts'
import { type ChildCommand, runChildCommand } from './child-command.ts'
import { type OpenServices, openServices } from './open-services.ts'
import { hasNoDatabase } from './open-store.ts'
import { type BackupSettings, type Check, databaseChecks, fail, feedsFinding, operatorPage } from './operator-report.ts'
import { runOnce } from './run-once.ts'
import { sampleTask } from './sample-state.ts'
import { measureService, workCounters } from './service-metrics.ts'
import type { Tracing } from './tracing.ts'
import { watchRejections } from './unhandled-rejections.ts'

export type Role = 'all' | 'api' | 'worker'

/** A worker has no `url`. `ready` resolves when the sample is loaded and assessed, or at once when it is not wanted. */
export type Running = Awaited<ReturnType<typeof serve>>

/** A page of the operator waits this long for the database. */
const operatorMs = 10_000

export const serve = async (config: Config, role: Role) => {
  const logger = openLogger(config.LOG_LEVEL)
  const metrics = openMetrics()
  const closing: (() => Promise<unknown> | unknown)[] = [watchRejections({ log: logger, registry: metrics.registry })]
  const stop = runOnce(async () => {
    for (const close of closing.reverse()) await close()
  })
  let opened: OpenServices | undefined
  const sample = sampleLoader({
    onFailed: (error, retryInMs) => logger.error({ err: error, retryInMs }, 'the sample could not be loaded'),
  })
  const loadSample = () =>
    sample.run(async () => (opened ? sampleTask(opened, config.SAMPLE_DATA, new Date()) : 'load'))
  try {
    // On a first start the sample is generated while the database is created, which saves about 3 s.
    const firstStart = role !== 'api' && config.SAMPLE_DATA && (await hasNoDatabase(config))
    let ready = firstStart ? loadSample() : Promise.resolve()
    const services = await untilAvailable(
      () =>
        openServices(config, {
          working: role !== 'api',
          onQueueError: (error) => logger.warn({ err: error }, 'queue'),
        }),
      { onWait: (error) => logger.warn({ err: error }, 'the database went away during the start; waiting for it') },
    )
    opened = services
    closing.push(() => services.close(), sample.stop)
    const warning = secretKeyWarning(config)
    if (warning) logger.warn(warning)
    for (const { file, line, reason } of packProblems())
      logger.error({ file, line, reason }, 'market pack cannot be used; the other markets are served')

    const { socketDir } = services.store.address
    if (socketDir !== undefined) {
      const supervisor = supervise({
        socketDir,
        ensureRunning: () => startEmbedded(config.DATA_DIR, { create: false, logLevel: config.LOG_LEVEL }),
        onDown: () => logger.error('the embedded database is down; restarting it'),
        onRestarted: (downMs) => logger.warn({ downMs: Math.round(downMs) }, 'the embedded database is running again'),
        onRestartFailed: (error) => logger.error({ err: error }, 'the embedded database did not restart; trying again'),
      })
      closing.push(supervisor.stop)
    }

    if (role !== 'worker') {
      const onTaken = (error: Error) => {
        logger.fatal({ err: error }, 'another API process took over this database; stopping')
        void stop().finally(() => process.exit(1))
      }
      const shared = config.REDIS_URL !== undefined
      const claim = await untilAvailable(() => claimApi(services.store.address, shared, onTaken))
      closing.push(() => claim.release())
    }

    if (role !== 'api' && !firstStart) ready = loadSample()

    // Imported only now, so that on a first start the sample is loaded meanwhile.
    let tracing: Tracing | undefined
    if (config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) {
      const { openTracing } = await import('./tracing.ts')
      const onError = (error: unknown) => logger.warn({ err: error }, 'traces could not be sent')
      tracing = await openTracing(config.OTEL_EXPORTER_OTLP_ENDPOINT, { onError })
      closing.push(tracing.close)
    }
    let api: Awaited<ReturnType<typeof import('./start-api.ts').startApi>> | undefined
    if (role !== 'worker') {
      const { startApi } = await import('./start-api.ts')
      api = await startApi(config, services, { role, logger, metrics, traceRequests: tracing?.traceRequests }, closing)
    }
    if (role !== 'api') {
      const { startBackground } = await import('./background.ts')
      const background = await startBackground(config, services, logger, workCounters(metrics.registry))
      closing.push(() => background.stop())
    }
    measureService(metrics.registry, {
      database: services.store,
      pools: { background: services.store.pool, ...api?.pools },
      freeBytes: () => freeBytes(services.store.files ?? config.DATA_DIR),
    })
    if (config.METRICS_PORT !== undefined) {
      const checks = () => operatorChecks(services.store.within(AbortSignal.timeout(operatorMs)), config, new Date())
      const pages = {
        '/': { type: 'text/html; charset=utf-8', text: async () => operatorPage(await checks(), new Date()) },
        '/operation.json': { type: 'application/json', text: async () => JSON.stringify(await checks()) },
      }
      const server = await serveMetrics(metrics.registry, pages, config.METRICS_PORT, config.METRICS_HOST)
      logger.info({ port: server.port }, 'metrics are served')
      closing.push(server.close)
    }
    // The API closes first: it accepts no more requests and answers those in flight before the rest stops.
    if (api) closing.push(api.close)

    if (api && config.PORT !== 0) keepServedUrl(config)
    return { url: api?.url, ready, stop }
  } catch (error) {
    await sample.stop()
    await stop()
    throw error
  }
}

/** The state of the database is shown also while something, which it names, keeps the sources from being read. */
export const operatorChecks = async (db: Db, settings: BackupSettings, now: Date): Promise<Check[]> => {
  const [feeds, status] = await Promise.all([
    sourceStates(db, now).then(feedsFinding, (error: unknown) => fail(`cannot be read: ${messageOf(error)}`)),
    databaseStatus(db, settings.BACKUP_DIR),
  ])
  return [{ name: 'feeds', ...feeds }, ...databaseChecks(status, settings, now)]
}

/** `pages` by their path. */
export const serveMetrics = async (
  registry: Registry,
  pages: Readonly<Record<string, { type: string; text(): Promise<string> | string }>>,
  port: number,
  host: string,
) => {
  const all: typeof pages = { ...pages, '/metrics': { type: registry.contentType, text: () => registry.metrics() } }
  const server = createServer(async (request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    const page = request.method === 'GET' && Object.hasOwn(all, path) ? all[path] : undefined
    const send = (status: number, type: string, text: string) => {
      response.writeHead(status, { 'content-type': type, 'x-content-type-options': 'nosniff' })
      response.end(text)
    }
    if (!page)
      return send(404, 'text/plain', `There is no such page here. The pages are ${Object.keys(all).join(', ')}.\n`)
    await Promise.resolve(page.text()).then(
      (text) => send(200, page.type, text),
      (error: unknown) => send(503, 'text/plain', `The database does not answer: ${messageOf(error)}\n`),
    )
  })
  server.requestTimeout = 10_000
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(port, host, done)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}

interface SampleLoaderOptions {
  onFailed: (error: unknown, retryInMs: number) => void
  runCommand?: (args: readonly string[]) => ChildCommand
  /** Doubles with each failure, up to a minute. */
  firstRetryMs?: number
}

const maxRetryMs = 60_000

export const sampleLoader = ({ onFailed, runCommand = runChildCommand, firstRetryMs = 5_000 }: SampleLoaderOptions) => {
  let command: ChildCommand | undefined
  const stopping = new AbortController()
  const { signal } = stopping

  const runDue = async (due: 'load' | 'advance' | undefined): Promise<void> => {
    if (!due || signal.aborted) return
    process.stderr.write(`${messages[due]}\n`)
    command = runCommand(['sample', due])
    await command.done
  }
  return {
    /** Resolves when nothing is due any more, or when it was stopped. */
    run: async (due: () => Promise<'load' | 'advance' | undefined>) => {
      const pauseAfter = (error: unknown, attempt: number) => {
        const retryMs = doubling(firstRetryMs, attempt, maxRetryMs)
        onFailed(error, retryMs)
        return retryMs
      }
      const load = async () => runDue(signal.aborted ? undefined : await due())
      await retry(load, pauseAfter, { signal }).catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
    },
    stop: async () => {
      stopping.abort()
      await command?.stop()
    },
  }
}

const messages = {
  load: 'Loading the sample markets (first start only)…',
  advance: 'Advancing the sample markets to today…',
}
