// Signing in to the account pages: with a key, or by a link mailed to the address of a key. No endpoint of the API uses sessions.

import { ApiError, badRequest, tooManyLinks } from '../../common/errors.ts'
import { type Db, inTransaction } from '../../store/engine/database.ts'
import {
  countLinks,
  endLinks,
  insertToken,
  type NewToken,
  takeToken,
  usableToken,
} from '../../store/keys/account-tokens.ts'
import { hashOf, keyByHash } from '../../store/keys/keys.ts'
import { enqueueMail, enqueueNothing } from '../../store/keys/mails.ts'
import {
  accountKeys,
  deleteSessionByToken,
  hasKeys,
  insertSession,
  type Owner,
  sessionByToken,
} from '../../store/keys/sessions.ts'
import { isWellFormedKey } from '../../wire/api-key.ts'
import { demoKey } from '../../wire/plans.ts'
import type { Services } from '../context.ts'
import { signedInMail, signInMail } from '../mail-texts.ts'
import { claimCeilings, similarMailboxOf } from '../mailbox.ts'
import { notifyConfirmed } from './notify-owner.ts'

export const linkMinutes = 15
export const sessionDays = 30
const linkMs = linkMinutes * 60_000
const hourMs = 3_600_000
const sessionMs = sessionDays * 86_400_000

/** How many sign-in links may be asked for. */
const linkLimits = { perMailboxAndHour: 5, perMailboxAndDay: 20, perClientAndHour: 20 } as const

/**
 * Mails a link if the address has a key. The caller learns nothing from the answer, nor from its duration: an unknown address or a
 * mailbox over its limit causes the same work. Only a client over its own limit gets an error. `knownBrowser` names a browser that this
 * address signed in with before: it has a count of its own, so that strangers cannot keep the owner out.
 */
export const requestSignInLink = async (
  services: Services,
  { email: given, client, knownBrowser }: { email: string; client: string; knownBrowser?: string | undefined },
  now: Date,
): Promise<void> => {
  const email = given.toLowerCase()
  await inTransaction(services.db, async (tx) => {
    const countedBy = knownBrowser ?? similarMailboxOf(email)
    const expiresAt = await claimLink(tx, { mailbox: countedBy, client }, now)
    const known = await hasKeys(tx, email)
    const mailed = known && expiresAt !== undefined
    const allowed =
      expiresAt !== undefined &&
      (knownBrowser !== undefined || (await claimCeilings(tx, mailed ? 'stranger-mails' : 'unsent-mails', email, now)))
    // Over the limit the token is recorded, so that the client's requests are counted, but it has expired.
    const token = {
      ...newLink(email, expiresAt ?? now, client),
      mailbox: countedBy,
      ...(!allowed && { expiresAt: now }),
    }
    const link = signInUrl(services, await insertToken(tx, token, now))
    const mail = signInMail(email, link, Math.round((token.expiresAt.getTime() - now.getTime()) / 60_000))
    if (known && allowed) await enqueueMail(tx, services, mail)
    else await enqueueNothing(tx, services, mail)
  })
}

/** Until when the link works; undefined if none may be sent now. The last link of an hour works until the next may be sent. */
const claimLink = async (tx: Db, by: { mailbox: string; client: string }, now: Date): Promise<Date | undefined> => {
  const { mailboxHour, mailboxFirst, mailboxDay, clientHour } = await countLinks(tx, by, now)
  if (clientHour >= linkLimits.perClientAndHour) throw tooManyLinks(linkLimits.perClientAndHour)
  if (mailboxHour >= linkLimits.perMailboxAndHour || mailboxDay >= linkLimits.perMailboxAndDay) return undefined
  const inMs = (ms: number) => new Date(now.getTime() + ms)
  if (mailboxDay + 1 === linkLimits.perMailboxAndDay) return inMs(hourMs)
  if (mailboxHour + 1 < linkLimits.perMailboxAndHour || !mailboxFirst) return inMs(linkMs)
  return new Date(Math.max(inMs(linkMs).getTime(), mailboxFirst.getTime() + hourMs))
}

const newLink = (email: string, expiresAt: Date, client?: string): NewToken => ({
  purpose: 'sign-in',
  email,
  mailbox: similarMailboxOf(email),
  client,
  expiresAt,
})

const signInUrl = ({ publicUrl }: Pick<Services, 'publicUrl'>, token: string): string =>
  `${publicUrl}/account/sign-in/${token}`

/** For the operator of a service without a mail server. Undefined if the address has no key. */
export const operatorSignInLink = async (
  services: Pick<Services, 'db' | 'publicUrl'>,
  given: string,
  now: Date,
): Promise<string | undefined> => {
  const email = given.toLowerCase()
  if (!(await hasKeys(services.db, email))) return undefined
  return signInUrl(services, await insertToken(services.db, newLink(email, new Date(now.getTime() + linkMs)), now))
}

/** The address that a link signs in, while it can be used. Looking does not use it up: mail scanners open every link. */
export const addressOfLink = async ({ db }: Pick<Services, 'db'>, token: string, now: Date) =>
  (await usableToken(db, 'sign-in', token, now))?.email

interface Browser {
  name: string
  /** The session it has now, which ends. */
  token?: string | undefined
}

/** Uses the link up. Returns the cookie of a new session and its address, undefined if the link was used or has expired. */
export const signInByLink = (services: Services, link: string, browser: Browser, now: Date) =>
  inTransaction(services.db, async (tx) => {
    const token = await takeToken(tx, 'sign-in', link, now)
    if (!token) return undefined
    const owner = { email: token.email }
    await endLinks(tx, token.email.toLowerCase(), now)
    const keys = await accountKeys(tx, owner, now, { confirmed: true })
    await notifyConfirmed(tx, services, keys[0], (to) => signedInMail(to, undefined, services.publicUrl), now)
    return { cookie: await openSession(tx, owner, browser, now), email: token.email }
  })

/** Returns the cookie of a new session. */
export const signInWithKey = async (services: Services, text: string, browser: Browser, now: Date): Promise<string> => {
  if (text === demoKey) throw badRequest('The demo key cannot sign in. Get a key of your own on the home page.')
  const key = isWellFormedKey(text) ? await keyByHash(services.db, hashOf(text)) : undefined
  if (!key || key.revokedAt || (key.expiresAt && key.expiresAt <= now)) throw invalidSignIn()
  if (key.id !== key.currentKeyId)
    throw badRequest('This key was replaced. Sign in with the key that replaced it, or by email.')
  return inTransaction(services.db, async (tx) => {
    await notifyConfirmed(tx, services, key, (to) => signedInMail(to, key, services.publicUrl), now)
    return openSession(tx, { keyId: key.id }, browser, now)
  })
}

const invalidSignIn = () =>
  new ApiError(401, 'unauthorized', 'This key is not valid. Check it, or sign in by email instead.')

const openSession = async (tx: Db, owner: Owner, browser: Browser, now: Date): Promise<string> => {
  if (browser.token) await deleteSessionByToken(tx, browser.token)
  return insertSession(tx, { owner, browser: browser.name, expiresAt: new Date(now.getTime() + sessionMs) }, now)
}

export const signOut = ({ db }: Pick<Services, 'db'>, token: string) => deleteSessionByToken(db, token)

export const findSession = ({ db }: Pick<Services, 'db'>, token: string, now: Date) => sessionByToken(db, token, now)
