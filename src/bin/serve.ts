// The service, put together. Read it top to bottom: store, queue, limits, API, listening, worker, data, and the way down.
import type { FastifyInstance } from 'fastify'
import { answerCache } from '../api/answer-cache.ts'
import { buildApp } from '../api/app.ts'
import { knownKeys } from '../api/known-keys.ts'
import { openLogger } from '../api/logging.ts'
import { memoryLimits, redisLimits } from '../api/rate-limits.ts'
import { type Config, secretKeyOf } from '../config.ts'
import type { Services } from '../operations/context.ts'
import { dataChannel } from '../store/freshness.ts'
import { keyChannel } from '../store/keys.ts'
import { listen } from '../store/listen.ts'
import { openQueue } from '../store/queue.ts'
import { sealerOf } from '../store/seal.ts'
import { claimApi } from '../store/sole-process.ts'
import { openStore } from './open-store.ts'

export const roles = ['all', 'api', 'worker'] as const
export type Role = (typeof roles)[number]

export interface Running {
  /** Where the API listens; undefined for a worker. */
  url?: string
  app?: FastifyInstance
  /** Resolves once the sample is loaded and assessed, if it is to be. */
  ready: Promise<void>
  stop(): Promise<void>
}

export const serve = async (config: Config, role: Role): Promise<Running> => {
  const logger = openLogger(config.LOG_LEVEL)
  const closing: (() => Promise<unknown>)[] = []
  const stop = once(async () => {
    for (const close of closing.reverse()) await close()
  })
  try {
    const store = await openStore(config)
    closing.push(() => store.close())
    const servesApi = role !== 'worker'
    const works = role !== 'api'

    if (servesApi) {
      const claim = await claimApi(store.address, config.REDIS_URL !== undefined)
      closing.push(() => claim.release())
    }
    const queue = await openQueue({
      ...store.address,
      working: works,
      onError: (error) => logger.warn({ err: error }, 'queue'),
    })
    closing.push(() => queue.close())
    const services: Services = {
      db: store.db,
      queue,
      sealer: sealerOf(secretKeyOf(config)),
      publicUrl: config.PUBLIC_URL,
      earlyAccess: config.EARLY_ACCESS,
      webhookAllowPrivate: config.WEBHOOK_ALLOW_PRIVATE,
    }

    let notReady: string | undefined = 'the sample markets are being loaded'
    let app: FastifyInstance | undefined
    let url: string | undefined
    if (servesApi) {
      const limits = config.REDIS_URL ? await redisLimits(config.REDIS_URL) : memoryLimits()
      closing.push(() => limits.close())
      const keys = knownKeys(store.db)
      const answers = answerCache()
      const listener = await listen(store.address, {
        channels: { [keyChannel]: keys.forget, [dataChannel]: answers.drop },
        onHearing: (hearing) => {
          keys.trust(hearing)
          answers.trust(hearing)
        },
      })
      closing.push(() => listener.close())
      app = buildApp({
        services,
        keys,
        limits,
        answers,
        logger,
        trustedProxies: config.TRUSTED_PROXIES,
        notReady: async () => notReady,
      })
      const listening = app
      closing.push(() => listening.close())
      url = await app.listen({ port: config.PORT, host: config.HOST })
    }

    const ready = Promise.resolve().then(() => {
      notReady = undefined
    })
    return { url, app, ready, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const once = (work: () => Promise<void>) => {
  let done: Promise<void> | undefined
  return () => {
    done ??= work()
    return done
  }
}
