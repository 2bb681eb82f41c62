// The service, put together. Read it top to bottom: store and queue, the claim to be its API, the cue to the sample that has
// begun before, API, pages and agent tools, listening, background work, and the way down.
import { answerCache } from '../api/answer-cache.ts'
import { buildApp } from '../api/app.ts'
import { clientOf } from '../api/client-address.ts'
import { knownKeys } from '../api/known-keys.ts'
import { openLogger } from '../api/logging.ts'
import { memoryLimits, redisLimits } from '../api/rate-limits.ts'
import type { readConfig } from '../config.ts'
import { dataChannel } from '../store/freshness.ts'
import { keyChannel } from '../store/keys.ts'
import { listen } from '../store/listen.ts'
import { claimApi } from '../store/sole-process.ts'
import { buildBrowser } from '../web/build-browser.ts'
import { mountPages } from '../web/mount-pages.ts'
import { startBackground } from './background.ts'
import type { ComingSample } from './bring-sample.ts'
import { mountMcp } from './mount-mcp.ts'
import { type OpenServices, openServices } from './open-services.ts'
import { sampleDue, sampleReady } from './sample-markets.ts'

export type Role = 'all' | 'api' | 'worker'

export interface Running {
  /** Where the API listens; undefined for a worker. */
  url?: string
  /** Resolves once the sample is loaded and assessed, if it is to be. */
  ready: Promise<void>
  stop(): Promise<void>
}

type Settings = ReturnType<typeof readConfig>

/** `sample`: where this process is to see to it. */
export const serve = async (config: Settings, role: Role, sample?: ComingSample): Promise<Running> => {
  const logger = openLogger(config.LOG_LEVEL)
  const closing: (() => Promise<unknown> | unknown)[] = []
  const stop = once(async () => {
    for (const close of closing.reverse()) await close()
  })
  try {
    const works = role !== 'api'
    if (sample) closing.push(sample.stop)

    const services = await openServices(config, {
      working: works,
      onQueueError: (error) => logger.warn({ err: error }, 'queue'),
    })
    closing.push(() => services.close())
    // Again, since what was begun last is ended first: the store is not put away while it is loaded.
    if (sample) closing.push(sample.stop)

    if (role !== 'worker') {
      const claim = await claimApi(services.store.address, config.REDIS_URL !== undefined)
      closing.push(() => claim.release())
    }

    const ready = sampleDue(services, config.SAMPLE_DATA, new Date()).then((due) => sample?.bring(due))
    ready.catch(() => {})

    const api = role === 'worker' ? undefined : await openApi(config, services, logger, closing)

    if (works) {
      const background = await startBackground(config, services, logger)
      closing.push(() => background.stop())
    }
    // Callers first: nobody is let in any more, and who is in is answered, before the work behind is put away.
    if (api) closing.push(api.close)

    return { url: api?.url, ready, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const openApi = async (
  config: Settings,
  services: OpenServices,
  logger: ReturnType<typeof openLogger>,
  closing: (() => Promise<unknown> | unknown)[],
): Promise<{ url: string; close(): Promise<void> }> => {
  const { address } = services.store
  const limits = config.REDIS_URL ? await redisLimits(config.REDIS_URL) : memoryLimits()
  closing.push(() => limits.close())
  const keys = knownKeys(services.db)
  const answers = answerCache()
  const listener = await listen(address, {
    channels: { [keyChannel]: keys.forget, [dataChannel]: answers.drop },
    onHearing: (hearing) => {
      keys.trust(hearing)
      answers.trust(hearing)
    },
  })
  closing.push(() => listener.close())
  const app = buildApp({
    services,
    keys,
    limits,
    answers,
    logger,
    trustedProxies: config.TRUSTED_PROXIES,
    notReady: () => notReady(config, services),
  })
  mountMcp(app, services)
  await buildBrowser()
  mountPages(app, {
    services,
    limits,
    clientOf,
    mapStyleUrl: config.MAP_STYLE_URL,
    sendsMail: config.SMTP_URL !== undefined,
    loading: async () => !(await sampleReady(services, config.SAMPLE_DATA)),
  })
  const close = once(() => app.close())
  closing.push(close)
  // A burst of new connections waits here; one that finds no room waits a whole second before it tries again.
  const url = await app.listen({ port: config.PORT, host: config.HOST, backlog: 4096 })
  // With PORT=0 the address that answers, pages and mails name is known only now.
  if (services.publicUrl === 'http://localhost:0') services.publicUrl = `http://localhost:${new URL(url).port}`
  return { url, close }
}

/** Asked of the store each time, so that every process says the same and a lost database is noticed. */
const notReady = async (config: Settings, services: OpenServices): Promise<string | undefined> => {
  try {
    return (await sampleReady(services, config.SAMPLE_DATA)) ? undefined : 'the sample markets are being loaded'
  } catch {
    return 'the database does not answer'
  }
}

const once = (work: () => Promise<void>) => {
  let done: Promise<void> | undefined
  return () => {
    done ??= work()
    return done
  }
}
