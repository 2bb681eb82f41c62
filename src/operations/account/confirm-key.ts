// Confirms a key by the link in its mail. Opening the link changes nothing; the button on its page uses it up.
import { type Db, inTransaction } from '../../store/engine/database.ts'
import { insertToken, takeToken, usableToken } from '../../store/keys/account-tokens.ts'
import { confirmKey } from '../../store/keys/keys.ts'
import { accountKeys } from '../../store/keys/sessions.ts'
import type { Services } from '../context.ts'
import { mailboxOf } from '../mailbox.ts'

/** A key is mailed once a day at most, so its link works longer than a sign-in link, which opens more. */
const linkMs = 7 * 86_400_000

export const confirmKeyUrl = async (
  { db, publicUrl }: Pick<Services, 'db' | 'publicUrl'>,
  { id, email }: { id: string; email: string },
  now: Date,
): Promise<string> => {
  const expiresAt = new Date(now.getTime() + linkMs)
  const token = await insertToken(
    db,
    { purpose: 'confirm', email, keyId: id, mailbox: mailboxOf(email), expiresAt },
    now,
  )
  return `${publicUrl}/account/confirm/${token}`
}

/** The key that a link confirms, while it can be used. */
export const keyOfLink = async ({ db }: Pick<Services, 'db'>, token: string, now: Date) => {
  const stored = await usableToken(db, 'confirm', token, now)
  return stored && keyNamed(db, stored.keyId!, now)
}

/** Uses the link up. Undefined if it was used, has expired, or its key is revoked. */
export const confirmKeyByLink = (services: Pick<Services, 'db'>, token: string, now: Date) =>
  inTransaction(services.db, async (tx) => {
    const stored = await takeToken(tx, 'confirm', token, now)
    const key = stored && (await keyNamed(tx, stored.keyId!, now))
    return key && (await confirmKey(tx, key.id, now)) ? key : undefined
  })

const keyNamed = async (db: Db, keyId: string, now: Date) => (await accountKeys(db, { keyId }, now))[0]
