// Mails to be sent. The content is encrypted in the queue; the table stores only the outcome.
import { type MailBlock, mailParts } from '../../common/mail-document.ts'
import type { Sealer } from '../../secrets/seal.ts'
import { unsubscribeHeaders } from '../../secrets/unsubscribe-links.ts'
import type { Db } from '../engine/database.ts'
import { anyRow, execute } from '../engine/database.ts'
import type { Queue } from '../engine/queue.ts'
import { newId } from './keys.ts'

export interface Mail {
  kind: string
  to: string
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
}

/** A mail whose title is its subject. `unsubscribe`: the link that ends mails of its kind. */
export const mailOf = (
  { kind, to, unsubscribe }: Pick<Mail, 'kind' | 'to'> & { unsubscribe?: string },
  title: string,
  blocks: readonly MailBlock[],
): Mail => ({
  kind,
  to,
  ...mailParts({ title, blocks }),
  ...(unsubscribe === undefined ? {} : { headers: unsubscribeHeaders(unsubscribe) }),
})

const purpose = 'mail'

/** Queues a mail in the transaction of `db`. `mailbox`: it counts as a mail of watches. */
export const enqueueMail = (
  db: Db,
  { queue, sealer }: { queue: Queue; sealer: Sealer },
  mail: Mail,
  counted?: { mailbox: string; now: Date },
) =>
  enqueueContent(
    db,
    queue,
    { ...mail, ...counted },
    { sealed: sealer.seal(purpose, JSON.stringify(mail)).toString('base64') },
  )

/** The same for a mail that the worker writes from `content` when it sends it. */
export const enqueueContent = async (
  db: Db,
  queue: Queue,
  { kind, to, mailbox, now }: Pick<Mail, 'kind' | 'to'> & { mailbox?: string; now?: Date },
  content: object,
) => {
  const id = newId('mail')
  await execute(db)`
    insert into mail (id, kind, recipient, mailbox, queued_at)
    values (${id}, ${kind}, ${to}, ${mailbox ?? null}, coalesce(${now ?? null}::timestamptz, now()))`
  await queue.send(db, 'mail', { id, ...content })
}

/** The work of `enqueueMail` for a mail that is not sent: the worker drops a job without a record. */
export const enqueueNothing = async (db: Db, { queue, sealer }: { queue: Queue; sealer: Sealer }, mail: Mail) =>
  queue.send(db, 'mail', { id: newId('mail'), sealed: sealer.seal(purpose, JSON.stringify(mail)).toString('base64') })

export const openMail = (sealer: Sealer, sealed: string): Mail =>
  JSON.parse(sealer.open(purpose, Buffer.from(sealed, 'base64'))) as Mail

export const recordMailAttempt = (db: Db, id: string, now: Date, error?: string) =>
  execute(db)`update mail set attempts = attempts + 1, last_error = ${error ?? null},
    sent_at = case when ${error ?? null}::text is null then ${now}::timestamptz else sent_at end where id = ${id}`

export const mailExists = (db: Db, id: string) => anyRow(db)`select 1 from mail where id = ${id}`

/** For a mail that is not sent after all. */
export const deleteMail = (db: Db, id: string) => execute(db)`delete from mail where id = ${id}`
