// The mail worker: sends the mails in the queue. When the mail server is down, mails are delayed and none is lost.

import { inTransaction } from '../store/engine/database.ts'
import type { FetchedJob } from '../store/engine/queue.ts'
import { traceJob } from '../store/engine/trace-channels.ts'
import { deleteMail, type Mail, mailExists, openMail, recordMailAttempt } from '../store/keys/mails.ts'
import type { TodayMailJob } from '../store/keys/today.ts'
import { watchMail } from '../watches/mail.ts'
import type { NewsletterServices } from '../watches/newsletter.ts'
import type { Log } from './log.ts'
import type { Mailer } from './mailer.ts'
import { pollLoop } from './poll-loop.ts'

export interface MailOptions extends NewsletterServices {
  mailer: Mailer
  log: Log
  /** Writes a daily mail. Undefined if it must no longer be sent. */
  todayMail: (job: TodayMailJob, now: Date) => Promise<Mail | undefined>
  /** Called for every attempt. */
  onOutcome?: (outcome: 'sent' | 'failed') => void
  now?: () => Date
}

export type MailWorker = ReturnType<typeof openMailWorker>

const concurrentMails = 5

export const openMailWorker = ({
  mailer,
  log,
  todayMail,
  onOutcome,
  now = () => new Date(),
  ...services
}: MailOptions) => {
  const { db, queue, sealer } = services
  const poll = async () => {
    const jobs = await queue.fetch('mail', concurrentMails)
    await Promise.all(jobs.map((job) => traceJob('mail', () => sendOne(job))))
    return jobs.length
  }

  const sendOne = async (job: FetchedJob) => {
    const { id, sealed, today } = job.data as { id: string; sealed?: string; today?: TodayMailJob }
    // The record is deleted together with its subscriber; the mail must no longer be sent.
    if (!(await mailExists(db, id))) return queue.end(db, 'mail', [job])
    // The mails of watches and the daily mail have no text until they are sent: the key may see less by then.
    const written = () => (today ? todayMail(today, now()) : watchMail(services, id, now()))
    const mail = sealed === undefined ? await written() : openMail(sealer, sealed)
    if (!mail)
      return inTransaction(db, async (tx) => {
        await deleteMail(tx, id)
        await queue.end(tx, 'mail', [job])
      })
    try {
      await mailer.send(id, mail)
    } catch (error) {
      const reason = reasonOf(error)
      onOutcome?.('failed')
      log.warn({ mail: id, reason }, 'a mail could not be sent and will be retried')
      await recordMailAttempt(db, id, now(), reason)
      // pg-boss stores only this reason, not the mail, and doubles the wait after each failure.
      await queue.boss.fail('mail', { id: job.id, retryCount: job.retryCount }, { reason })
      return
    }
    onOutcome?.('sent')
    await inTransaction(db, async (tx) => {
      await recordMailAttempt(tx, id, now())
      await queue.end(tx, 'mail', [job])
    })
  }

  const loop = pollLoop(
    { busyFrom: concurrentMails, busyMs: 200, quietMs: 1_000 },
    { poll, onError: (error) => log.error({ err: error }, 'the mail worker could not fetch jobs and will retry') },
  )
  return {
    start: loop.start,
    /** Sends the due mails once. Returns their number. */
    poll,
    stop: async () => {
      await loop.stop()
      mailer.close()
    },
  }
}

const reasonOf = (error: unknown): string => {
  const { code, message } = error as { code?: string; message?: string }
  return [code, message].filter(Boolean).join(': ').slice(0, 300)
}
