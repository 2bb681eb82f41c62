// Mails that a visitor can cause are counted per mailbox, so that nobody can fill the mailbox of another.
import { createHash } from 'node:crypto'
import { demoKeyForbidden } from '../common/errors.ts'
import type { Db } from '../store/engine/database.ts'
import { claimToday, type MailPurpose } from '../store/keys/daily-counts.ts'
import type { MailboxOwner } from '../store/keys/mailbox-counts.ts'
import type { Context } from './context.ts'

/** Mails that someone who knows nothing but the address can cause. */
type StrangerMail = Exclude<MailPurpose, 'key-notices'>

const strangerMailsPerDay: Readonly<Record<StrangerMail, number>> = { 'key-mails': 1, 'newsletter-mails': 3 }
const noticesPerDay = 10

/**
 * Mails a day caused by callers that are not signed in: to the mailboxes of one domain, and in all. New addresses are counted apart,
 * so that invented ones cannot keep people who have an account from signing in.
 */
const ceilings = {
  'stranger-mails': { domain: 200, all: 2_000 },
  'sign-up-mails': { domain: 100, all: 1_000 },
} as const

/** Domains of millions of people, of which one stranger must not use up the ceiling. */
const publicDomains =
  /^(?:gmail\.com|proton\.me|icloud\.com|(?:outlook|hotmail|live|msn|aol|gmx)\.[a-z.]+|(?:yahoo|ymail|rocketmail)\.[a-z.]+|comcast\.net)$/

/** Whether one more mail of this kind may go to the mailbox today; counts it if so. */
export const claimMail = async (tx: Db, purpose: StrangerMail, email: string, now: Date): Promise<boolean> =>
  (await claimToday(tx, purpose, similarMailboxOf(email), strangerMailsPerDay[purpose], now)) !== undefined &&
  claimCeilings(tx, 'stranger-mails', email, now)

/** Counts a mail that a stranger caused. `sign-up-mails` are those to addresses without a key. */
export const claimCeilings = async (tx: Db, purpose: keyof typeof ceilings, email: string, now: Date) => {
  const domain = partsOf(email)[1]
  const { domain: ofDomain, all } = ceilings[purpose]
  const perDomain = publicDomains.test(domain) ? all : ofDomain
  return (
    (await claimToday(tx, purpose, hashOf(domain), perDomain, now)) !== undefined &&
    (await claimToday(tx, purpose, 'all', all, now)) !== undefined
  )
}

/** Whether the owner of a confirmed key may get one more mail about a sign-in today; counts it if so. */
export const claimNotice = async (tx: Db, email: string, now: Date): Promise<boolean> =>
  (await claimToday(tx, 'key-notices', mailboxOf(email), noticesPerDay, now)) !== undefined

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Domains of one provider under which every mailbox has the same name. */
const sameProvider: Readonly<Record<string, string>> = {
  'googlemail.com': 'gmail.com',
  'pm.me': 'proton.me',
  'protonmail.com': 'proton.me',
  'me.com': 'icloud.com',
  'mac.com': 'icloud.com',
}

/** Characters that the provider ignores in a name. */
const ignored: Readonly<Record<string, RegExp>> = { 'gmail.com': /\./g, 'proton.me': /[._-]/g }

/** At these providers every address at `name.provider` belongs to the mailbox `name@provider`. */
const subdomainMailboxes = /^([^.]+)\.(fastmail\.(?:com|fm))$/

const partsOf = (email: string): [local: string, domain: string] => {
  const [name = '', host = ''] = email.toLowerCase().split('@')
  const [, owner, provider] = subdomainMailboxes.exec(host) ?? []
  const domain = provider ?? sameProvider[host] ?? host
  const plain = (owner ?? name).split('+')[0]!
  // A name at Yahoo has no hyphen: what follows one is a tag.
  const untagged = /^(?:yahoo|ymail|rocketmail)\./.test(domain) ? plain.replace(/(?<=.)-.*$/, '') : plain
  return [ignored[domain] ? untagged.replace(ignored[domain], '') : untagged, domain]
}

/** A hash of the mailbox, which counts what belongs to a key. One person's forms are one: case, +tag, what the provider ignores. */
export const mailboxOf = (email: string): string => hashOf(partsOf(email).join('@'))

/** Joins also names that differ by a number after a hyphen. Counts only mails of strangers: two people with one count get fewer. */
export const similarMailboxOf = (email: string): string => {
  const [local, domain] = partsOf(email)
  return hashOf(`${local.replace(/(?<=.)-\d+$/, '')}@${domain}`)
}

/** Whose count something belongs to. Throws 403 for the demo key, which cannot have `what`. */
export const ownerOf = ({ caller }: Pick<Context, 'caller'>, what: string): MailboxOwner => {
  if (!caller.key) throw demoKeyForbidden(what)
  const { currentKeyId, email, confirmedAt } = caller.key
  return { keyId: currentKeyId, mailbox: mailboxOf(email), confirmed: confirmedAt !== null }
}
