import { tooManyToday } from '../common/errors.ts'
import { markets } from '../domain/packs/markets.ts'
import { confirmUrl, unsubscribeUrl } from '../secrets/unsubscribe-links.ts'
import { inTransaction } from '../store/engine/database.ts'
import { claimForClient, secondsToMidnight } from '../store/keys/daily-counts.ts'
import { enqueueMail } from '../store/keys/mails.ts'
import { addSubscriber } from '../store/keys/subscribers.ts'
import { subscribe } from '../wire/operations/keys.ts'
import { dailyAllowance } from '../wire/plans.ts'
import { implement } from './context.ts'
import { confirmMail } from './mail-texts.ts'
import { claimMail } from './mailbox.ts'
import { requestedMarket } from './requested-market.ts'

export const subscribeRun = implement(subscribe, (context, input) =>
  inTransaction(context.db, async (tx) => {
    const { caller, now, publicUrl, sealer } = context
    const used = await claimForClient(tx, 'subscriptions', caller.client, dailyAllowance.subscriptions, now)
    if (used === undefined)
      throw tooManyToday('subscriptions are taken', dailyAllowance.subscriptions, secondsToMidnight(now))
    caller.remaining = dailyAllowance.subscriptions - used
    const market = requestedMarket(input.market)
    const { id, confirmed } = await addSubscriber(tx, { email: input.email, market, origin: input.source })
    // The response is the same whether or not a mail is sent, so that it reveals nothing about the mailbox.
    if (!confirmed && (await claimMail(tx, 'newsletter-mails', input.email, now))) {
      const name = markets().find((each) => each.id === market)!.name
      const links = { confirm: confirmUrl(sealer, publicUrl, id), unsubscribe: unsubscribeUrl(sealer, publicUrl, id) }
      await enqueueMail(tx, context, confirmMail(input.email, name, links))
    }
    return { success: true as const }
  }),
)
