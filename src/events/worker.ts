// The events side of a working process: webhook deliveries, mails, and the daily pruning.
import { join } from 'node:path'
import type { Sealer } from '../secrets/seal.ts'
import type { Db } from '../store/engine/database.ts'
import { prune } from '../store/engine/prune.ts'
import type { Queue } from '../store/engine/queue.ts'
import { openDeliveries } from './deliver.ts'
import type { Log } from './log.ts'
import { openMails } from './mail.ts'
import { openMailer } from './mailer.ts'

export interface WorkerOptions {
  services: { db: Db; queue: Queue; sealer: Sealer; publicUrl: string; webhookAllowPrivate: boolean }
  config: { SMTP_URL?: string; MAIL_FROM: string; DATA_DIR: string }
  logger: Log
  version: string
}

/** Daily, at a minute nobody else picks. */
const pruneAt = '17 3 * * *'

export const startWorker = async ({
  services,
  config,
  logger,
  version,
}: WorkerOptions): Promise<{ stop(): Promise<void> }> => {
  const { db, queue, webhookAllowPrivate } = services
  if (webhookAllowPrivate)
    logger.warn(
      {},
      'WEBHOOK_ALLOW_PRIVATE is on: webhooks may reach private addresses and plain http. Never in production.',
    )
  const mailer = openMailer({
    smtpUrl: config.SMTP_URL,
    from: config.MAIL_FROM,
    outboxDir: join(config.DATA_DIR, 'outbox'),
  })
  const mails = openMails({ ...services, mailer, log: logger })
  const deliveries = openDeliveries({ ...services, allowPrivate: webhookAllowPrivate, version, log: logger })
  await queue.boss.schedule('prune', pruneAt)
  const pruning = await queue.boss.work('prune', { pollingIntervalSeconds: 30 }, async () => {
    logger.info(await prune(db, new Date()), 'pruned')
  })
  mails.start()
  deliveries.start()
  return {
    stop: async () => {
      await queue.boss.offWork('prune', { id: pruning, wait: false })
      await Promise.all([deliveries.stop(), mails.stop()])
    },
  }
}
