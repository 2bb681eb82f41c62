// Confirms a newsletter subscription. The link in the confirmation mail contains the subscriber and a signature.
import { notFound } from '../contract/errors.ts'
import { confirmSubscriber } from '../store/keys/subscribers.ts'
import type { Services } from './context.ts'

interface ConfirmLink {
  id: string
  token: string
}

/** Throws a 404 for a link whose signature does not match. */
export const checkConfirmLink = ({ sealer }: Pick<Services, 'sealer'>, { id, token }: ConfirmLink): void => {
  if (!sealer.verify('confirm', id, token))
    throw notFound('This confirmation link is incomplete. Open the full link from the email.')
}

/** Throws a 404 for a subscription that was deleted or ended meanwhile. */
export const confirmSubscription = async (
  services: Pick<Services, 'db' | 'sealer'>,
  link: ConfirmLink,
  now: Date,
): Promise<void> => {
  checkConfirmLink(services, link)
  if (!(await confirmSubscriber(services.db, link.id, now)))
    throw notFound('This subscription has expired or was ended. Subscribe again on the home page.')
}
