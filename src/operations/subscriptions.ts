// Newsletter subscriptions: made, confirmed and ended. The same link ends the daily mail and the mails of watches.
import { notFound, tooManyToday } from '../common/errors.ts'
import { markets } from '../domain/packs/markets.ts'
import { confirmUrl, unsubscribeUrl } from '../secrets/unsubscribe-links.ts'
import { inTransaction } from '../store/engine/database.ts'
import { claimForClient, secondsToMidnight } from '../store/keys/daily-counts.ts'
import { enqueueMail } from '../store/keys/mails.ts'
import { addSubscriber, confirmSubscriber, isSubscribed, unsubscribe } from '../store/keys/newsletter.ts'
import { stopTodayMail } from '../store/keys/today.ts'
import { stopWatchMails } from '../store/watches/watch-mails.ts'
import { subscribe } from '../wire/operations/keys.ts'
import { dailyAllowance } from '../wire/plans.ts'
import { implement, type Services } from './context.ts'
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

/** A link in a mail has an id and a signature. */
interface Link {
  id: string
  token: string
}

type Needs = Pick<Services, 'db' | 'sealer'>

/** Throws a 404 for a link whose signature does not match. */
const checkLink = ({ sealer }: Pick<Services, 'sealer'>, what: 'confirm' | 'unsubscribe', { id, token }: Link) => {
  const name = what === 'confirm' ? 'confirmation' : what
  if (!sealer.verify(what, id, token))
    throw notFound(`This ${name} link is incomplete. Open the full link from the email.`)
}

/** False if the subscription was deleted or ended meanwhile. */
export const canConfirm = async (services: Needs, link: Link): Promise<boolean> => {
  checkLink(services, 'confirm', link)
  return isSubscribed(services.db, link.id)
}

/** False, and nothing changes, if the subscription was deleted or ended meanwhile. */
export const confirmSubscription = async (services: Needs, link: Link, now: Date): Promise<boolean> => {
  checkLink(services, 'confirm', link)
  return confirmSubscriber(services.db, link.id, now)
}

export const checkUnsubscribeLink = (services: Pick<Services, 'sealer'>, link: Link): void =>
  checkLink(services, 'unsubscribe', link)

/** What the link ends: a subscriber has another kind of id than a watch and a key. */
export const isNewsletterLink = ({ id }: Link): boolean => id.startsWith('sub_')

/** The daily mail of a key. */
export const todayPrefix = 'today_'
export const isTodayLink = ({ id }: Link): boolean => id.startsWith(todayPrefix)

/** One watch, not all of a key. */
export const isWatchLink = ({ id }: Link): boolean => id.startsWith('wat_')

export const endSubscription = async (services: Needs, link: Link, now: Date): Promise<void> => {
  checkUnsubscribeLink(services, link)
  if (isNewsletterLink(link)) await unsubscribe(services.db, link.id, now)
  else if (isTodayLink(link)) await stopTodayMail(services.db, link.id.slice(todayPrefix.length))
  else await stopWatchMails(services.db, link.id)
}
