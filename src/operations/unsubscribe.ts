// Ends a newsletter subscription or the mails of watches. The link in each mail contains an id and a signature.
import { notFound } from '../common/errors.ts'
import { unsubscribe } from '../store/keys/subscribers.ts'
import { stopWatchMails } from '../store/watches/watch-mails.ts'
import type { Services } from './context.ts'

interface UnsubscribeLink {
  id: string
  token: string
}

/** Throws a 404 for a link whose signature does not match. */
export const checkUnsubscribeLink = ({ sealer }: Pick<Services, 'sealer'>, { id, token }: UnsubscribeLink): void => {
  if (!sealer.verify('unsubscribe', id, token))
    throw notFound('This unsubscribe link is incomplete. Open the full link from the email.')
}

/** What the link ends: a subscriber has another kind of id than a watch and a key. */
export const isNewsletterLink = ({ id }: UnsubscribeLink): boolean => id.startsWith('sub_')

export const endSubscription = async (
  services: Pick<Services, 'db' | 'sealer'>,
  link: UnsubscribeLink,
  now: Date,
): Promise<void> => {
  checkUnsubscribeLink(services, link)
  if (isNewsletterLink(link)) await unsubscribe(services.db, link.id, now)
  else await stopWatchMails(services.db, link.id)
}
