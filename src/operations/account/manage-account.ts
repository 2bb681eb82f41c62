// What an account page manages beside keys: sessions, requests by day, and the end of the account.
import { notFound } from '../../common/errors.ts'
import { dayOf } from '../../domain/day.ts'
import { inTransaction } from '../../store/engine/database.ts'
import { endLinks } from '../../store/keys/account-tokens.ts'
import { deleteKeys } from '../../store/keys/keys.ts'
import {
  deleteSession,
  deleteSessions,
  eraseAddress,
  familiesOf,
  ownerOf,
  type Session,
  sessionsOf,
} from '../../store/keys/sessions.ts'
import { usageSince } from '../../store/keys/usage.ts'
import { deleteDeliveriesOf } from '../../store/webhooks/deliveries.ts'
import type { Context, Services } from '../context.ts'
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

/** By link: every key of the address with what it owns, the sessions and the mail log. With a key: that key and those it replaced. */
export const deleteAccount = async ({ db }: Pick<Services, 'db'>, { session }: SignedIn): Promise<void> => {
  const owner = ownerOf(session)
  // The log of deliveries can be long: deleted in steps, so that a second try continues where the first ran out of time.
  await deleteDeliveriesOf(db, await familiesOf(db, owner))
  await inTransaction(db, async (tx) => {
    await deleteKeys(tx, await familiesOf(tx, owner))
    if ('email' in owner) await eraseAddress(tx, owner.email)
  })
}

export const usageDays = 30

/** Every day of the last 30, newest first. A key's requests include those of the keys it replaced. */
export const usageByDay = async ({ db, now }: Pick<Context, 'db' | 'now'>, family: string) => {
  const days = Array.from({ length: usageDays }, (_, back) => dayOf(new Date(now.getTime() - back * 86_400_000)))
  const counted = new Map((await usageSince(db, family, days.at(-1)!)).map((row) => [row.day, row]))
  return days.map((day) => counted.get(day) ?? { day, requests: 0, refused: 0 })
}
