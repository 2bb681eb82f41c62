// Ends a newsletter subscription. The link in each mail contains the subscriber and a signature.
import { notFound } from '../contract/errors.ts'
import { unsubscribe } from '../store/keys/subscribers.ts'
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

export const endSubscription = async (
  services: Pick<Services, 'db' | 'sealer'>,
  link: UnsubscribeLink,
  now: Date,
): Promise<void> => {
  checkUnsubscribeLink(services, link)
  await unsubscribe(services.db, link.id, now)
}
