// Mails of watches. A mail names the matches that were due when it was queued; the mail worker writes its text when it sends it, so
// that a history window is tested then. All watches of an address share a mail, and the mails of a mailbox are counted together.
import { type Db, execute, inTransaction, onlyRow, rowsOf, sql } from '../engine/database.ts'
import type { Queue } from '../engine/queue.ts'
import type { ApiKeyTable, WatchTable } from '../engine/schema.ts'
import { type KeyTerms, keyTerms } from '../keys/key-terms.ts'
import { newId } from '../keys/keys.ts'
import { lockMailbox } from '../keys/mailbox-counts.ts'
import { live } from './changes.ts'
import { matchColumns, type StoredMatch } from './matches.ts'
import { isSavedHome, type SetOfWatch } from './watches.ts'

/** Of one mailbox. */
export const watchMailLimits = { everyMinutes: 15, perDay: 20 } as const

/** After this long, the queue has given up on a mail. */
const unsentDays = 4

const ago = (now: Date, minutes: number) => new Date(now.getTime() - minutes * 60_000)

/** When the mailbox may get its next mail: now, or later. Hold `lockMailbox` to rely on it. */
export const nextWatchMail = async (db: Db, mailbox: string, now: Date): Promise<Date> => {
  const { last, unsent, sent } = await onlyRow<{ last: Date | null; unsent: boolean; sent: Date[] }>(db)`
    select max(coalesce(sent_at, queued_at)) as last, coalesce(bool_or(sent_at is null), false) as unsent,
      coalesce(array_agg(queued_at order by queued_at desc) filter (where queued_at > ${ago(now, 1440)}), '{}') as sent
    from mail where mailbox = ${mailbox} and queued_at > ${ago(now, unsentDays * 1440)}`
  const later = (from: Date, minutes: number) => new Date(from.getTime() + minutes * 60_000)
  const times = [now]
  // While a mail waits for the mail server, the next one would only wait behind it.
  if (last) times.push(later(unsent ? now : last, watchMailLimits.everyMinutes))
  if (sent.length >= watchMailLimits.perDay) times.push(later(sent[watchMailLimits.perDay - 1]!, 1440))
  return new Date(Math.max(...times.map((time) => time.getTime())))
}

type Addressee = Pick<WatchTable, 'mailbox'> & Pick<ApiKeyTable, 'email'>

/** Queues a mail for every address with due matches whose mailbox may get one. */
export const queueWatchMails = async (db: Db, queue: Queue, now: Date): Promise<void> => {
  const rows = await rowsOf<Addressee>(db)`
    select distinct w.mailbox, lower(k.email) as email
    from watch_match m join watch w on w.id = m.watch_id join api_key k on k.id = w.key_id
    where m.mail_due and ${mailing(now)} order by email`
  for (const addressee of rows) await queueOne(db, queue, addressee, now)
}

/** Mail of the watch `w` may go to the owner of its key `k`. */
const mailing = (now: Date) => sql`w.email and k.confirmed_at is not null and ${live(now)}`

const queueOne = (db: Db, queue: Queue, { mailbox, email }: Addressee, now: Date): Promise<void> =>
  inTransaction(db, async (tx) => {
    await lockMailbox(tx, mailbox)
    if ((await nextWatchMail(tx, mailbox, now)) > now) return
    const id = newId('mail')
    const mailed = await execute(tx)`
      update watch_match m set mail_due = false, mail_id = ${id} from watch w join api_key k on k.id = w.key_id
      where m.mail_due and w.id = m.watch_id and w.mailbox = ${mailbox} and lower(k.email) = ${email} and ${mailing(now)}`
    if (mailed === 0) return
    await execute(tx)`
      insert into mail (id, kind, recipient, mailbox, queued_at) values (${id}, 'watch', ${email}, ${mailbox}, ${now})`
    await queue.send(tx, 'mail', { id })
  })

export type MailedMatch = StoredMatch &
  KeyTerms &
  Pick<WatchTable, 'kind' | 'name' | 'criteria' | 'cadence'> &
  Pick<ApiKeyTable, 'email'> &
  SetOfWatch & { watchId: string; keyId: string }

/** The matches of a mail whose watches still send mail, newest first. */
export const matchesOfMail = (db: Db, mailId: string, now: Date) =>
  rowsOf<MailedMatch>(db)`
    select ${matchColumns}, m.watch_id, w.kind, w.name, w.criteria, w.cadence, w.key_id, k.email, ${keyTerms},
      s.market as set_market, s."values", s.by_city
    from watch_match m join watch w on w.id = m.watch_id join api_key k on k.id = w.key_id
    left join assumption_set s on s.id = w.assumption_set_id
    where m.mail_id = ${mailId} and ${mailing(now)}
    order by w.created_at, w.id, m.changed_at desc, m.id`

/** Ends the mails of one watch, or of every watch of the address of a key. What has no channel left and is one home is a saved home. */
export const stopWatchMails = async (db: Db, id: string): Promise<void> => {
  await execute(db)`
    update watch w set email = false,
      saved_home = ${isSavedHome({ email: sql`false`, endpoints: sql`w.endpoints` })}
    from api_key k where k.id = w.key_id and w.email and (
      w.id = ${id} or lower(k.email) = (select lower(o.email) from api_key o where o.id = ${id}))`
}
