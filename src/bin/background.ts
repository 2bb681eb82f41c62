// Background work: deliveries and mails, the daily sample, scheduled sources, assessments.
import { mkdir } from 'node:fs/promises'
import type { Job } from 'pg-boss'
import manifest from '../../package.json' with { type: 'json' }
import type { openLogger } from '../api/logging.ts'
import { registerAssessJobs } from '../assess/jobs.ts'
import { type Config, tokenNamed } from '../config.ts'
import { startEventWorker } from '../events/worker.ts'
import { ingestJobs } from '../ingest/schedule.ts'
import { decisionTexts } from '../operations/deal-homes.ts'
import { compareDeals, queueTodayMails, todayMailOf } from '../operations/today.ts'
import { marketsToAssessFirst, marketsTouched } from '../store/assessments/assess-runs.ts'
import { backupDue } from '../store/engine/database-status.ts'
import { traceJob } from '../store/engine/trace-channels.ts'
import { announcedAtHour } from '../wire/watches.ts'
import { startAssessor } from './assess-thread.ts'
import { type ChildCommand, runChildCommand } from './child-command.ts'
import type { OpenServices } from './open-services.ts'
import { sampleTask } from './sample-state.ts'
import type { WorkCounters } from './service-metrics.ts'

const anythingTouched = async (db: OpenServices['db'], now: Date): Promise<boolean> =>
  (await marketsTouched(db, now)).length > 0 || (await marketsToAssessFirst(db, now)).length > 0

export const startBackground = async (
  config: Config,
  services: OpenServices,
  logger: ReturnType<typeof openLogger>,
  counters: WorkCounters,
) => {
  const { boss } = services.queue
  const worker = await startEventWorker({
    services: { ...services, decisionsOf: decisionTexts, todayMail: todayMailOf(services) },
    ...{ config, logger, counters, version: manifest.version },
  })

  const children = new Set<ChildCommand>()
  const inChild = (...args: string[]) => {
    const running = runChildCommand(args)
    children.add(running)
    return running.done.finally(() => children.delete(running))
  }
  const work = (queue: string, seconds: number, run: (job: Job<{ id: string }>) => Promise<void>) =>
    boss.work<{ id: string }>(queue, { pollingIntervalSeconds: seconds }, ([job]) => traceJob(queue, () => run(job!)))

  // One day per day, so that the 30-day history window always has data.
  await boss.schedule('sample-day', '5 10 * * *')
  await work('sample-day', 30, async () => {
    if (await sampleTask(services, config.SAMPLE_DATA, new Date())) await inChild('sample', 'advance')
  })

  // Before the hour of daily watches. A mailbox that just got a mail is tried again a quarter of an hour later.
  await boss.schedule('today', '*/15 12-14 * * *')
  await work('today', 30, async () => {
    const now = new Date()
    const moved = await compareDeals(services, now)
    if (now.getUTCHours() < announcedAtHour) return
    logger.info({ moved, mails: await queueTodayMails(services, now) }, 'daily mails')
  })

  let stopping = false
  await work('export', 2, async ({ data }) => {
    await inChild('export', '--job', data.id)
    // The queue starts it again.
    if (stopping) throw new Error('The export was interrupted: the service is stopping.')
  })

  // Only by workers that have a folder for it. Their checks within an hour make one job.
  let backupTimer: NodeJS.Timeout | undefined
  const { BACKUP_DIR } = config
  if (BACKUP_DIR !== undefined) {
    const ask = () =>
      boss
        .send('backup', {}, { singletonSeconds: 3600 })
        .catch((error: unknown) => logger.warn({ err: error }, 'backup not queued; will retry within an hour'))
    backupTimer = setInterval(ask, 3_600_000)
    await ask()
    await work('backup', 30, async () => {
      if (!(await backupDue(services.db, BACKUP_DIR, new Date()))) return
      await mkdir(BACKUP_DIR, { recursive: true })
      await inChild('backup', BACKUP_DIR, '--keep', String(config.BACKUP_KEEP)).catch((error: unknown) =>
        logger.error({ err: error }, 'backup failed; will retry within an hour'),
      )
    })
  }

  const assessor = startAssessor({
    address: services.store.address,
    events: { publicUrl: config.PUBLIC_URL, minScoreChange: config.SCORE_EVENT_MIN_CHANGE },
  })
  await registerAssessJobs({
    queue: services.queue,
    // Checked every minute; the thread with its modules and memory starts only when properties were touched.
    run: async (job) =>
      'touched' in job && job.touched && !(await anythingTouched(services.db, new Date()))
        ? { considered: 0, changed: 0 }
        : assessor.run(job),
    onDone: (job, { begun, ...result }) => {
      for (const market of begun ?? [])
        logger.info({ market }, 'models fitted; the first assessment of all properties started')
      if (result.considered === 0) return
      counters.assessed(result.considered)
      logger.info({ market: job.market, ...result }, 'assessed')
    },
    onFailed: (_job, error) => {
      counters.assessmentFailed()
      logger.error({ err: error }, 'assessment failed')
    },
  })
  const ingest = await ingestJobs(boss, {
    sourcesDir: config.SOURCES_DIR,
    store: { ...services.store, queue: services.queue },
    highValueUsd: config.HIGH_VALUE_PERMIT_USD,
    publicUrl: config.PUBLIC_URL,
    token: tokenNamed,
    onDone: ({ sourceId, counts }) => {
      counters.ingested(counts)
      logger.info({ source: sourceId, ...counts }, 'ingested')
    },
    onFailed: (source, error) => {
      counters.ingestFailed()
      logger.error({ source, err: error }, 'ingest failed')
    },
    onBroken: (file, reason) => logger.error({ file, reason }, 'source file cannot be used; the other sources run'),
    onReadFailed: (error) => logger.error({ err: error }, 'sources could not be read; tried again in 30 seconds'),
  })
  return {
    stop: async () => {
      stopping = true
      clearInterval(backupTimer)
      await Promise.all([...children, worker, assessor, ingest].map((each) => each.stop()))
    },
  }
}
