// The API, its pages and agent tools on one port, with the caches and limits they share.
import { answerCache } from '../api/answer-cache.ts'
import { buildApp } from '../api/app.ts'
import { clientOf } from '../api/client-address.ts'
import { knownKeys } from '../api/known-keys.ts'
import type { openLogger } from '../api/logging.ts'
import { memoryLimits, redisLimits } from '../api/rate-limits.ts'
import type { readConfig } from '../config.ts'
import { listen } from '../store/engine/listen.ts'
import { dataChannel } from '../store/ingest/freshness.ts'
import { keyChannel } from '../store/keys/keys.ts'
import { buildBrowser } from '../web/build-browser.ts'
import { mountPages } from '../web/mount-pages.ts'
import { mountMcp } from './mount-mcp.ts'
import type { OpenServices } from './open-services.ts'
import { runOnce } from './run-once.ts'
import { sampleReady } from './sample-state.ts'

type Settings = ReturnType<typeof readConfig>

/** What it opens is put on `closing`, in the order of opening. */
export const openApi = async (
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
  const close = runOnce(() => app.close())
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
