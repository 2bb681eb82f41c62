// The signed-in user of a page: the session, the keys whose data it opens, and the caller that pages use for one of them.

import {
  type AccountKey,
  accountKeys,
  chooseKey,
  ownerOf,
  type Session,
  sessionByToken,
  touchSession,
} from '../../store/keys/sessions.ts'
import { limitsOf } from '../../wire/plans.ts'
import { type Caller, callerOf, type Services } from '../context.ts'

export type { AccountKey }

export interface SignedIn {
  session: Session
  /** True if a mailed link proved the mailbox; only then other keys of the address are listed, confirmed or revoked. */
  byLink: boolean
  /** The working keys whose data is shown: the one signed in with, or the confirmed ones of the address. Anyone can make others. */
  keys: AccountKey[]
  /** The key that downloads use: the one chosen on the account page, or the one with the largest page. */
  chosen: AccountKey | undefined
}

const touchMs = 3_600_000

/** Undefined if the cookie belongs to no session, or to one that has ended. */
export const signedIn = async (services: Pick<Services, 'db'>, token: string, now: Date) => {
  const session = await sessionByToken(services.db, token, now)
  if (!session) return undefined
  if (now.getTime() - session.usedAt.getTime() > touchMs) await touchSession(services.db, session.id, now)
  const byLink = session.email !== null
  const keys = await accountKeys(services.db, ownerOf(session), now, { confirmed: byLink })
  const pageSize = (key: AccountKey) => limitsOf(key, now).maxResults
  const largest = keys.toSorted((a, b) => pageSize(b) - pageSize(a))[0]
  return { session, byLink, keys, chosen: keys.find(({ id }) => id === session.chosenKeyId) ?? largest }
}

type OpenKey = Pick<AccountKey, 'id' | 'family' | 'plan' | 'email' | 'createdAt' | 'promotionUntil' | 'confirmedAt'>

/** The caller of operations for a key whose owner is known without a request of the key. */
export const callerWith = (key: OpenKey, client: string, now: Date): Caller =>
  callerOf(key.plan, limitsOf(key, now), client, { ...key, currentKeyId: key.id })

export const chooseDownloadKey = (
  { db }: Pick<Services, 'db'>,
  { session, keys }: SignedIn,
  keyId: string,
): Promise<unknown> | undefined => (keys.some(({ id }) => id === keyId) ? chooseKey(db, session.id, keyId) : undefined)
