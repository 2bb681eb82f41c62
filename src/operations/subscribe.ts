import { tooManyToday } from '../contract/errors.ts'
import { marketOf, markets } from '../contract/markets.ts'
import { subscribe } from '../contract/operations/keys.ts'
import { dailyAllowance } from '../contract/plans.ts'
import { unsubscribeUrl } from '../secrets/unsubscribe-link.ts'
import { inTransaction } from '../store/engine/database.ts'
import { claimToday, secondsToMidnight } from '../store/keys/daily-counts.ts'
import { enqueueMail } from '../store/keys/mails.ts'
import { addSubscriber } from '../store/keys/subscribers.ts'
import { implement } from './context.ts'
import { welcomeMail } from './mail-texts.ts'

export const subscribeRun = implement(subscribe, (context, input) =>
  inTransaction(context.db, async (tx) => {
    const { caller, now, publicUrl, sealer } = context
    const used = await claimToday(tx, 'subscriptions', caller.client, dailyAllowance.subscriptions, now)
    if (used === undefined)
      throw tooManyToday('subscriptions are taken', dailyAllowance.subscriptions, secondsToMidnight(now))
    caller.remaining = dailyAllowance.subscriptions - used
    const market = marketOf(input.market ?? 'sf-peninsula')!
    const { id, added } = await addSubscriber(tx, { email: input.email, market, origin: input.source })
    if (added) {
      const name = markets.find((each) => each.id === market)!.name
      await enqueueMail(tx, context, welcomeMail(input.email, name, unsubscribeUrl(sealer, publicUrl, id), publicUrl))
    }
    return { success: true as const }
  }),
)
