// Mails that a visitor can cause are counted per mailbox, so that nobody can fill the mailbox of another.
import { createHash } from 'node:crypto'
import type { Db } from '../store/engine/database.ts'
import { claimToday, type MailPurpose } from '../store/keys/daily-counts.ts'

const mailsPerDay: Readonly<Record<MailPurpose, number>> = { 'key-mails': 3, 'newsletter-mails': 3 }

/** Whether one more mail of this kind may go to the mailbox today; counts it if so. */
export const claimMail = async (tx: Db, purpose: MailPurpose, email: string, now: Date): Promise<boolean> =>
  (await claimToday(tx, purpose, mailboxOf(email), mailsPerDay[purpose], now)) !== undefined

/** A hash of the mailbox. Case, +tag, and Gmail's dots and two domains make no difference. */
export const mailboxOf = (email: string): string => {
  const [local = '', domain = ''] = email.toLowerCase().split('@')
  const plain = local.split('+')[0]!
  const atGoogle = domain === 'gmail.com' || domain === 'googlemail.com'
  const mailbox = atGoogle ? `${plain.replaceAll('.', '')}@gmail.com` : `${plain}@${domain}`
  return createHash('sha256').update(mailbox).digest('hex')
}
