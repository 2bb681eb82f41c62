import { badRequest, replacedKey, tooManyToday } from '../common/errors.ts'
import { type Db, inTransaction } from '../store/engine/database.ts'
import { claimForClient, secondsToMidnight } from '../store/keys/daily-counts.ts'
import { insertKey, NotRotatable, revokeKey, rotateKey as rotateStoredKey } from '../store/keys/keys.ts'
import { enqueueMail } from '../store/keys/mails.ts'
import { createKey, deleteKey, getUsage, rotateKey } from '../wire/operations/keys.ts'
import { dailyAllowance, promotionEnd } from '../wire/plans.ts'
import { confirmKeyUrl } from './account/confirm-key.ts'
import { notifyConfirmed } from './account/notify-owner.ts'
import { type Context, implement } from './context.ts'
import { historyWindow } from './listing-page.ts'
import { keyChangedMail, keyMail } from './mail-texts.ts'
import { claimMail } from './mailbox.ts'

export const createKeyRun = implement(createKey, (context, { email }) =>
  inTransaction(context.db, async (tx) => {
    const { id, key } = await issueFreeKey({ ...context, db: tx }, email)
    // The response is the same whether or not a mail is sent, so that it reveals nothing about the mailbox.
    if (await claimMail(tx, 'key-mails', email, context.now)) {
      const named = { id, key, lastFour: key.slice(-4), createdAt: context.now }
      const link = await confirmKeyUrl({ ...context, db: tx }, { id, email }, context.now)
      await enqueueMail(tx, context, keyMail(email, named, link, context.publicUrl))
    }
    return { success: true as const, key, tier: 'free' as const, id }
  }),
)

/** Takes one of the day's keys of the client's address. `confirmedAt`: the mailbox was proven before. */
export const issueFreeKey = (
  { db, caller, now, earlyAccess }: Context,
  email: string,
  confirmedAt?: Date,
  what = 'keys are issued',
): Promise<{ id: string; key: string }> =>
  inTransaction(db, async (tx) => {
    const issued = await claimForClient(tx, 'keys', caller.client, dailyAllowance.keys, now)
    if (issued === undefined) throw tooManyToday(what, dailyAllowance.keys, secondsToMidnight(now))
    caller.remaining = dailyAllowance.keys - issued
    const { id, key } = await insertKey(tx, {
      plan: 'free',
      email,
      promotionUntil: earlyAccess ? promotionEnd(now) : undefined,
      confirmedAt,
    })
    return { id, key }
  })

/** How long the old key can read after a rotation. */
const rotationGraceMs = 24 * 3600 * 1000

export const rotateKeyRun = implement(rotateKey, async (context, { expireNow }) => {
  const previousKeyExpiresAt = new Date(context.now.getTime() + (expireNow ? 0 : rotationGraceMs))
  const { id, key, plan } = await inTransaction(context.db, async (tx) => {
    const newKey = await rotateStoredKey(tx, ownKey(context).id, previousKeyExpiresAt)
    await notifyOwner(tx, context, 'replaced')
    return newKey
  }).catch((error) => {
    throw error instanceof NotRotatable ? replacedKey() : error
  })
  return { success: true as const, key, tier: plan, id, previousKeyExpiresAt: previousKeyExpiresAt.toISOString() }
})

export const deleteKeyRun = implement(deleteKey, async (context) => {
  await inTransaction(context.db, async (tx) => {
    await revokeKey(tx, ownKey(context).id, context.now, 'key')
    await notifyOwner(tx, context, 'deleted')
  })
  return { success: true as const }
})

/** Anyone who holds a key can replace it, so its owner gets a mail if the key is confirmed. */
const notifyOwner = async (tx: Db, context: Context, what: 'replaced' | 'deleted'): Promise<void> => {
  const key = ownKey(context)
  const mail = (to: string) => keyChangedMail(to, { id: key.id, by: 'key' }, what, context.publicUrl)
  await notifyConfirmed(tx, context, key, mail, context.now, { always: true })
}

export const getUsageRun = implement(getUsage, async ({ caller, now }) => {
  const { historyDays: _, ...limits } = caller.limits
  const promotion = caller.key?.promotionUntil
  return {
    success: true as const,
    data: {
      plan: caller.plan,
      limits,
      remaining: caller.remaining,
      windowResetsInSeconds: caller.windowResetsInSeconds,
      historyWindow: historyWindow(caller.limits, now),
      promotionEndsAt: promotion && promotion > now ? promotion.toISOString() : null,
      keyId: caller.key?.id,
      createdAt: caller.key?.createdAt.toISOString(),
    },
  }
})

const ownKey = ({ caller }: Context) => {
  if (!caller.key)
    throw badRequest('The shared demo key cannot be rotated or deleted. Get a key of your own from POST /v1/keys.')
  return caller.key
}
