// What a signed-in user does with keys. Only a session opened by a mailed link lists, creates, confirms or revokes other keys of the
// address; a session opened with a key may revoke that key.
import { ApiError, badRequest, notFound } from '../../common/errors.ts'
import { inTransaction } from '../../store/engine/database.ts'
import { confirmKey, revokeKey } from '../../store/keys/keys.ts'
import { enqueueMail } from '../../store/keys/mails.ts'
import { type AccountKey, accountKeys, ownerOf } from '../../store/keys/sessions.ts'
import type { Context, Services } from '../context.ts'
import { issueFreeKey } from '../keys.ts'
import { confirmKeyMail, keyChangedMail } from '../mail-texts.ts'
import { claimMail } from '../mailbox.ts'
import { confirmKeyUrl } from './confirm-key.ts'
import { notifyConfirmed } from './notify-owner.ts'
import type { SignedIn } from './signed-in.ts'

/** Every key of the account, with the unconfirmed, revoked and expired ones. */
export const listedKeys = ({ db }: Pick<Services, 'db'>, { session }: SignedIn, now: Date): Promise<AccountKey[]> =>
  accountKeys(db, ownerOf(session), now, { ended: true })

const requireLink = ({ byLink, session }: SignedIn): string => {
  if (!byLink || session.email === null)
    throw new ApiError(403, 'Sign in by email to do this. A key opens only what belongs to it.')
  return session.email
}

/** Shown once. The key is confirmed: the mailbox was proven. */
export const createAccountKey = (context: Context, user: SignedIn): Promise<{ id: string; key: string }> =>
  issueFreeKey(context, requireLink(user), context.now)

const listedKey = async (context: Context, user: SignedIn, id: string): Promise<AccountKey> => {
  const key = (await listedKeys(context, user, context.now)).find((each) => each.id === id)
  if (!key) throw notFound('Your account has no such key.')
  return key
}

export const confirmAccountKey = async (context: Context, user: SignedIn, id: string): Promise<void> => {
  requireLink(user)
  const key = await listedKey(context, user, id)
  await inTransaction(context.db, async (tx) => {
    if (!(await confirmKey(tx, key.id, context.now))) throw badRequest('This key is revoked and cannot be confirmed.')
  })
}

/** Revokes the key and those it replaced. */
export const revokeAccountKey = async (context: Context, user: SignedIn, id: string): Promise<void> => {
  const key = await listedKey(context, user, id)
  await inTransaction(context.db, async (tx) => {
    if (!(await revokeKey(tx, key.id, context.now))) return
    const mail = (to: string) => keyChangedMail(to, { id: key.id, by: 'account' }, 'revoked', context.publicUrl)
    await notifyConfirmed(tx, context, key, mail, context.now, { always: true })
  })
}

/** For a user who signed in with an unconfirmed key. The answer is the same if the mailbox has had its mail of the day. */
export const mailConfirmation = async (context: Context, user: SignedIn, id: string): Promise<void> => {
  const key = await listedKey(context, user, id)
  if (key.confirmedAt) return
  await inTransaction(context.db, async (tx) => {
    if (!(await claimMail(tx, 'key-mails', key.email, context.now))) return
    const link = await confirmKeyUrl({ ...context, db: tx }, key, context.now)
    await enqueueMail(tx, context, confirmKeyMail(key.email, key, link))
  })
}
