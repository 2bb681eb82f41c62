// The service, put together. Read it top to bottom: store and queue, the claim to be its API, the cue to the sample that has
// begun before, API, pages and agent tools, listening, background work, and the way down.
import { openLogger } from '../api/logging.ts'
import type { readConfig } from '../config.ts'
import { claimApi } from '../store/engine/api-lock.ts'
import { openServices } from './open-services.ts'
import { runOnce } from './run-once.ts'
import type { ComingSample } from './sample-loader.ts'
import { sampleDue } from './sample-state.ts'

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
  const stop = runOnce(async () => {
    for (const close of closing.reverse()) await close()
  })
  try {
    const works = role !== 'api'
    if (sample) closing.push(sample.stop)

    // Read in while the database is started: both take their time, and neither needs the other.
    const reading = Promise.all([
      role === 'worker' ? undefined : import('./open-api.ts'),
      works ? import('./background.ts') : undefined,
    ])
    reading.catch(() => {})
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

    const ready = sample
      ? sampleDue(services, config.SAMPLE_DATA, new Date()).then((due) => sample.bring(due))
      : Promise.resolve()
    ready.catch(() => {})

    const [apiPart, backgroundPart] = await reading
    const api = await apiPart?.openApi(config, services, logger, closing)

    if (backgroundPart) {
      const background = await backgroundPart.startBackground(config, services, logger)
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
