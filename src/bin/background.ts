// The work behind the service: deliveries and mails, the day's sample, scheduled sources, assessments.

import manifest from '../../package.json' with { type: 'json' }
import type { openLogger } from '../api/logging.ts'
import { type readConfig, tokenNamed } from '../config.ts'
import { startWorker } from '../events/worker.ts'
import { ingestJobs } from '../ingest/schedule.ts'
import type { OpenServices } from './open-services.ts'
import { runOwnCommand } from './own-command.ts'
import { sampleDue } from './sample-markets.ts'

export const startBackground = async (
  config: ReturnType<typeof readConfig>,
  services: OpenServices,
  logger: ReturnType<typeof openLogger>,
): Promise<{ stop(): Promise<void> }> => {
  const { boss } = services.queue
  const worker = await startWorker({ services, config, logger, version: manifest.version })

  // A day a day, so that the 30-day window never runs dry.
  await boss.schedule('sample-day', '5 10 * * *')
  await boss.work('sample-day', { pollingIntervalSeconds: 30 }, async () => {
    if (await sampleDue(services, config.SAMPLE_DATA, new Date())) await runOwnCommand(['sample', 'advance']).done
  })
  await ingestJobs(boss, {
    sourcesDir: config.SOURCES_DIR,
    store: { ...services.store, queue: services.queue },
    highValueUsd: config.HIGH_VALUE_PERMIT_USD,
    token: tokenNamed,
    onDone: ({ sourceId, counts }) => logger.info({ source: sourceId, ...counts }, 'ingested'),
    onFailed: (source, error) => logger.error({ source, err: error }, 'ingest failed'),
  })
  return { stop: () => worker.stop() }
}
