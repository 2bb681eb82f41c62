// The event work of a worker process: webhook deliveries, mails, and daily pruning.
import { join } from 'node:path'
import { marketIds } from '../domain/packs/markets.ts'
import { recordTableSizes } from '../store/engine/database-status.ts'
import { prune } from '../store/engine/prune.ts'
import { traceJob } from '../store/engine/trace-channels.ts'
import { recountMarket } from '../store/ingest/dataset-counts.ts'
import { queueWatchMails } from '../store/watches/watch-mails.ts'
import { announceMatches } from '../watches/announce.ts'
import { matchChanges } from '../watches/matching.ts'
import { openWatchIndex } from '../watches/watch-index.ts'
import { type DeliveryOptions, openDeliveryWorker } from './delivery-worker.ts'
import type { Log } from './log.ts'
import { type MailOptions, openMailWorker } from './mail-worker.ts'
import { openMailer, pruneOutbox } from './mailer.ts'
import { pollLoop } from './poll-loop.ts'

interface EventWorkerOptions {
  services: Pick<MailOptions, 'db' | 'queue' | 'sealer' | 'publicUrl' | 'decisionsOf' | 'todayMail'> & {
    webhookAllowPrivate: boolean
  }
  config: { SMTP_URL?: string; MAIL_FROM: string; DATA_DIR: string }
  logger: Log
  version: string
  counters?: {
    delivered: DeliveryOptions['onOutcome']
    mailed: MailOptions['onOutcome']
  }
}

/** Daily at 03:17 UTC, away from the full hour at which other scheduled work starts. */
const pruneSchedule = '17 3 * * *'

/** An instant watch is announced this long after the run that changed it, at most. */
const watchPollMs = 15_000

/** How long mails in the folder are kept. */
const outboxDays = 30

export const startEventWorker = async ({
  services,
  config,
  logger,
  version,
  counters,
}: EventWorkerOptions): Promise<{ stop(): Promise<void> }> => {
  const { db, queue, webhookAllowPrivate } = services
  if (webhookAllowPrivate)
    logger.warn(
      {},
      'WEBHOOK_ALLOW_PRIVATE is on: webhooks may use private addresses and plain http. Do not use it in production.',
    )
  const outboxDir = join(config.DATA_DIR, 'outbox')
  const mailer = openMailer({ smtpUrl: config.SMTP_URL, from: config.MAIL_FROM, outboxDir })
  const mails = openMailWorker({ ...services, mailer, log: logger, onOutcome: counters?.mailed })
  const deliveries = openDeliveryWorker({
    ...services,
    allowPrivate: webhookAllowPrivate,
    version,
    log: logger,
    onOutcome: counters?.delivered,
  })
  const index = openWatchIndex()
  const watches = pollLoop(
    { busyFrom: 1, busyMs: watchPollMs, quietMs: watchPollMs },
    {
      poll: () =>
        traceJob('watches', async () => {
          await matchChanges(db, new Date(), index)
          const announced = await announceMatches(db, services, new Date())
          await queueWatchMails(db, queue, new Date())
          return announced
        }),
      onError: (error) =>
        logger.error({ err: error }, 'changes could not be matched with watches or announced and will be retried'),
    },
  )
  await queue.boss.schedule('prune', pruneSchedule)
  const pruning = await queue.boss.work('prune', { pollingIntervalSeconds: 30 }, () =>
    traceJob('prune', async () => {
      const now = new Date()
      const outbox = await pruneOutbox(outboxDir, new Date(now.getTime() - outboxDays * 86_400_000))
      logger.info({ ...(await prune(db, now)), outbox }, 'pruned')
      for (const market of marketIds()) await recountMarket(db, market)
      await recordTableSizes(db, now).catch((error: unknown) =>
        logger.warn({ err: error }, 'sizes of tables not recorded; will retry tomorrow'),
      )
    }),
  )
  mails.start()
  deliveries.start()
  watches.start()
  return {
    stop: async () => {
      await queue.boss.offWork('prune', { id: pruning, wait: false })
      await Promise.all([deliveries.stop(), mails.stop(), watches.stop()])
    },
  }
}
