// The mail worker: sends what waits in the queue. A mail server that is down delays mails and loses none.

import type { Sealer } from '../secrets/seal.ts'
import { type Db, inTransaction } from '../store/engine/database.ts'
import type { FetchedJob, Queue } from '../store/engine/queue.ts'
import { mailExists, openMail, recordMailAttempt } from '../store/keys/mails.ts'
import type { Log } from './log.ts'
import type { Mailer } from './mailer.ts'
import { workLoop } from './work-loop.ts'

export interface MailOptions {
  db: Db
  queue: Queue
  sealer: Sealer
  mailer: Mailer
  log: Log
  now?: () => Date
}

export interface Mails {
  start(): void
  /** Sends what is due, once. Answers how many mails there were. */
  take(): Promise<number>
  stop(): Promise<void>
}

const atOnce = 5

export const openMails = ({ db, queue, sealer, mailer, log, now = () => new Date() }: MailOptions): Mails => {
  const take = async () => {
    const jobs = await queue.fetch('mail', atOnce)
    await Promise.all(jobs.map(sendOne))
    return jobs.length
  }

  const sendOne = async (job: FetchedJob) => {
    const { id, sealed } = job.data as { id: string; sealed: string }
    // Its record is gone: the subscriber was erased meanwhile.
    if (!(await mailExists(db, id))) return queue.end(db, 'mail', [job])
    try {
      await mailer.send(id, openMail(sealer, sealed))
    } catch (error) {
      const reason = reasonOf(error)
      log.warn({ mail: id, reason }, 'a mail could not be sent; it will be tried again')
      await recordMailAttempt(db, id, now(), reason)
      // Nothing of the mail is written here, and pg-boss waits longer after each failure.
      await queue.boss.fail('mail', { id: job.id, retryCount: job.retryCount }, { reason })
      return
    }
    await inTransaction(db, async (tx) => {
      await recordMailAttempt(tx, id, now())
      await queue.end(tx, 'mail', [job])
    })
  }

  const loop = workLoop(
    { many: atOnce, soonMs: 200, quietMs: 1_000 },
    { take, onError: (error) => log.error({ err: error }, 'the mail worker could not take jobs; it will try again') },
  )
  return {
    start: loop.start,
    take,
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
