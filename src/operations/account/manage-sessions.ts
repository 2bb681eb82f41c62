// The sessions of an account, and their end.
import { notFound } from '../../common/errors.ts'
import { inTransaction } from '../../store/engine/database.ts'
import { endLinks } from '../../store/keys/account-tokens.ts'
import { deleteSession, deleteSessions, ownerOf, type Session, sessionsOf } from '../../store/keys/sessions.ts'
import type { Services } from '../context.ts'
import type { SignedIn } from './signed-in.ts'

export const listedSessions = ({ db }: Pick<Services, 'db'>, { session }: SignedIn, now: Date): Promise<Session[]> =>
  sessionsOf(db, ownerOf(session), now)

export const revokeSession = async ({ db }: Pick<Services, 'db'>, { session }: SignedIn, id: string): Promise<void> => {
  if (!(await deleteSession(db, ownerOf(session), id))) throw notFound('Your account has no such session.')
}

/** Ends every session that this one lists, and every unused sign-in link of its address. */
export const signOutEverywhere = ({ db }: Pick<Services, 'db'>, { session }: SignedIn, now: Date): Promise<void> =>
  inTransaction(db, async (tx) => {
    await deleteSessions(tx, ownerOf(session))
    if (session.email !== null) await endLinks(tx, session.email, now)
  })
