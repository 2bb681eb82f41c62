// What the keys of a mailbox may have together. Its confirmed keys share one count; its other keys, which anyone can make, share another.
import { advisoryLocks } from '../engine/advisory-locks.ts'
import { type Db, execute, onlyValue, sql } from '../engine/database.ts'

export interface MailboxOwner {
  keyId: string
  /** Hash of the normalized mailbox. */
  mailbox: string
  confirmed: boolean
}

/** Until the transaction ends, the counts of the mailbox and its mails do not change. */
export const lockMailbox = (tx: Db, mailbox: string) =>
  execute(tx)`select pg_advisory_xact_lock(${advisoryLocks.mailboxes}, hashtext(${mailbox}))`

/** Rows of the mailbox's keys other than the one with this id. Locks the mailbox. */
export const countOfMailbox = async (
  tx: Db,
  table: 'watch' | 'assumption_set' | 'deal',
  { mailbox, confirmed }: MailboxOwner,
  { except = '', where = sql`true` }: { except?: string | undefined; where?: ReturnType<typeof sql> } = {},
): Promise<number> => {
  await lockMailbox(tx, mailbox)
  return onlyValue<number>(tx)`
    select count(*) as counted from ${sql.id(table)} t join api_key k on k.id = t.key_id
    where t.mailbox = ${mailbox} and t.id <> ${except} and ${where}
      and k.revoked_at is null and (k.confirmed_at is not null) = ${confirmed}`
}
