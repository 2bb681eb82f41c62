// Deletes an account at once. What a key owns is deleted with it by the foreign keys of its tables.
import { inTransaction } from '../../store/engine/database.ts'
import { deleteKeys } from '../../store/keys/keys.ts'
import { eraseAddress, familiesOf, ownerOf } from '../../store/keys/sessions.ts'
import { deleteDeliveriesOf } from '../../store/webhooks/deliveries.ts'
import type { Services } from '../context.ts'
import type { SignedIn } from './signed-in.ts'

/**
 * Signed in by link: every key of the address with what it owns, the sessions and the mail log. Signed in with a key: that key, those it
 * replaced, and what they own.
 */
export const deleteAccount = async ({ db }: Pick<Services, 'db'>, { session }: SignedIn): Promise<void> => {
  const owner = ownerOf(session)
  // The log of deliveries can be long: deleted in steps, so that a second try continues where the first ran out of time.
  await deleteDeliveriesOf(db, await familiesOf(db, owner))
  await inTransaction(db, async (tx) => {
    await deleteKeys(tx, await familiesOf(tx, owner))
    if ('email' in owner) await eraseAddress(tx, owner.email)
  })
}
