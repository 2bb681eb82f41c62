// Signing in to the account pages: with a key, or by a mailed link, which also creates an account for a new address. No endpoint of the
// API uses sessions.

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
import { isWellFormedKey } from '../../store/keys/api-key.ts'
import { hashOf, keyByHash } from '../../store/keys/keys.ts'
import { enqueueMail, enqueueNothing } from '../../store/keys/mails.ts'
import { accountKeys, deleteSessionByToken, hasKeys, insertSession, type Owner } from '../../store/keys/sessions.ts'
import { demoKey } from '../../wire/plans.ts'
import type { Context, Services } from '../context.ts'
import { issueFreeKey } from '../keys.ts'
import { signedInMail, signInMail, signUpMail } from '../mail-texts.ts'
import { claimCeilings, similarMailboxOf } from '../mailbox.ts'
import { notifyConfirmed } from './notify-owner.ts'

export const linkMinutes = 15
export const sessionDays = 30
const linkMs = linkMinutes * 60_000
const hourMs = 3_600_000
const sessionMs = sessionDays * 86_400_000

/** How many sign-in links may be asked for. An address without a key may be that of somebody who never heard of Lotline. */
const linksPerClientAndHour = 20
const linkLimits = { known: { hour: 5, day: 20 }, new: { hour: 2, day: 3 } } as const

/**
 * Mails a link that signs in, or creates an account if the address has no key. The caller learns nothing from the answer, nor from its
 * duration: a mailbox over its limit causes the same work. Only a client over its own limit gets an error. `knownBrowser` names a
 * browser that this address signed in with before: it has a count of its own, so that strangers cannot keep the owner out.
 */
export const requestSignInLink = async (
  services: Services,
  { email: typed, client, knownBrowser }: { email: string; client: string; knownBrowser?: string | undefined },
  now: Date,
): Promise<void> => {
  const email = typed.toLowerCase()
  await inTransaction(services.db, async (tx) => {
    const countedBy = knownBrowser ?? similarMailboxOf(email)
    const known = await hasKeys(tx, email)
    const expiresAt = await claimLink(tx, { mailbox: countedBy, client }, linkLimits[known ? 'known' : 'new'], now)
    const allowed =
      expiresAt !== undefined &&
      (knownBrowser !== undefined || (await claimCeilings(tx, known ? 'stranger-mails' : 'sign-up-mails', email, now)))
    // Over the limit the token is recorded, so that the client's requests are counted, but it has expired.
    const token = {
      ...newLink(email, expiresAt ?? now, client),
      mailbox: countedBy,
      ...(!allowed && { expiresAt: now }),
    }
    const link = signInUrl(services, await insertToken(tx, token, now))
    const minutes = Math.round((token.expiresAt.getTime() - now.getTime()) / 60_000)
    const mail = (known ? signInMail : signUpMail)(email, link, minutes)
    if (allowed) await enqueueMail(tx, services, mail)
    else await enqueueNothing(tx, services, mail)
  })
}

/** Until when the link works; undefined if none may be sent now. The last link of an hour works until the next may be sent. */
const claimLink = async (
  tx: Db,
  by: { mailbox: string; client: string },
  limits: { hour: number; day: number },
  now: Date,
): Promise<Date | undefined> => {
  const { mailboxHour, mailboxFirst, mailboxDay, clientHour } = await countLinks(tx, by, now)
  if (clientHour >= linksPerClientAndHour) throw tooManyLinks(linksPerClientAndHour)
  if (mailboxHour >= limits.hour || mailboxDay >= limits.day) return undefined
  const inMs = (ms: number) => new Date(now.getTime() + ms)
  if (mailboxDay + 1 === limits.day) return inMs(hourMs)
  if (mailboxHour + 1 < limits.hour || !mailboxFirst) return inMs(linkMs)
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

/** For the operator of a service without a mail server. `isNew`: the address has no key, and the link creates an account. */
export const operatorSignInLink = async (services: Pick<Services, 'db' | 'publicUrl'>, typed: string, now: Date) => {
  const email = typed.toLowerCase()
  const token = await insertToken(services.db, newLink(email, new Date(now.getTime() + linkMs)), now)
  return { url: signInUrl(services, token), isNew: !(await hasKeys(services.db, email)) }
}

/** The address that a link signs in; `isNew` if that creates an account. Mail scanners open every link, so looking does not use it up. */
export const addressOfLink = async ({ db }: Pick<Services, 'db'>, token: string, now: Date) => {
  const email = (await usableToken(db, 'sign-in', token, now))?.email
  return email === undefined ? undefined : { email, isNew: !(await hasKeys(db, email)) }
}

interface Browser {
  name: string
  /** The session it has now, which ends. */
  token?: string | undefined
}

/**
 * Uses the link up. Returns the cookie of a new session and its address, undefined if the link was used or has expired. An address
 * without a confirmed key gets a free one, which is counted for the client; over its limit the link stays usable.
 */
export const signInByLink = (context: Context, link: string, browser: Browser) =>
  inTransaction(context.db, async (tx) => {
    const { now } = context
    const token = await takeToken(tx, 'sign-in', link, now)
    if (!token) return undefined
    const owner = { email: token.email }
    await endLinks(tx, token.email.toLowerCase(), now)
    const keys = await accountKeys(tx, owner, now, { confirmed: true })
    if (keys.length === 0) await issueFreeKey({ ...context, db: tx }, token.email, now, 'accounts are created')
    else await notifyConfirmed(tx, context, keys[0], (to) => signedInMail(to, undefined, context.publicUrl), now)
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

const invalidSignIn = () => new ApiError(401, 'This key is not valid. Check it, or sign in by email instead.')

const openSession = async (tx: Db, owner: Owner, browser: Browser, now: Date): Promise<string> => {
  if (browser.token) await deleteSessionByToken(tx, browser.token)
  return insertSession(tx, { owner, browser: browser.name, expiresAt: new Date(now.getTime() + sessionMs) }, now)
}

export const signOut = ({ db }: Pick<Services, 'db'>, token: string) => deleteSessionByToken(db, token)
