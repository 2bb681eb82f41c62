// Mails that a visitor can cause are counted per mailbox, so that nobody can fill the mailbox of another.
import { createHash } from 'node:crypto'
import { needsOwnKey } from '../common/errors.ts'
import type { Db } from '../store/engine/database.ts'
import { claimToday, type MailPurpose } from '../store/keys/daily-counts.ts'
import type { MailboxOwner } from '../store/keys/mailbox-counts.ts'
import type { Context } from './context.ts'

const mailsPerDay: Readonly<Record<MailPurpose, number>> = {
  'key-mails': 1,
  'key-notices': 10,
  'newsletter-mails': 3,
}

/** Whether one more mail of this kind may go to the mailbox today; counts it if so. */
export const claimMail = async (tx: Db, purpose: MailPurpose, email: string, now: Date): Promise<boolean> =>
  (await claimToday(tx, purpose, mailboxOf(email), mailsPerDay[purpose], now)) !== undefined

/** At these providers every address at `name.provider` belongs to the mailbox `name@provider`. */
const subdomainMailboxes = /^([^.]+)\.(fastmail\.(?:com|fm))$/

/**
 * A hash of the mailbox. These make no difference: case, +tag, a number after a hyphen (at Yahoo any word), Gmail's dots and two
 * domains, and a mailbox written as a subdomain. Two people who share a count by this get fewer mails, not each other's.
 */
export const mailboxOf = (email: string): string => {
  const [given = '', host = ''] = email.toLowerCase().split('@')
  const [, owner, provider] = subdomainMailboxes.exec(host) ?? []
  const [local, domain] = owner && provider ? [owner, provider] : [given, host]
  const atYahoo = /^(?:yahoo\.|ymail\.|rocketmail\.)/.test(domain)
  const plain = local.split('+')[0]!.replace(atYahoo ? /(?<=.)-.*$/ : /(?<=.)-\d+$/, '')
  const atGoogle = domain === 'gmail.com' || domain === 'googlemail.com'
  const mailbox = atGoogle ? `${plain.replaceAll('.', '')}@gmail.com` : `${plain}@${domain}`
  return createHash('sha256').update(mailbox).digest('hex')
}

/** Whose count something belongs to. Throws 403 for the demo key, which cannot have `what`. */
export const ownerOf = ({ caller }: Pick<Context, 'caller'>, what: string): MailboxOwner => {
  if (!caller.key) throw needsOwnKey(what)
  const { currentKeyId, email, confirmedAt } = caller.key
  return { keyId: currentKeyId, mailbox: mailboxOf(email), confirmed: confirmedAt !== null }
}
