// Confirms a newsletter subscription. The link in the confirmation mail contains the subscriber and a signature.
import { notFound } from '../common/errors.ts'
import { confirmSubscriber, isSubscribed } from '../store/keys/subscribers.ts'
import type { Services } from './context.ts'

interface ConfirmLink {
  id: string
  token: string
}

type Needs = Pick<Services, 'db' | 'sealer'>

const checkSignature = ({ sealer }: Needs, { id, token }: ConfirmLink): void => {
  if (!sealer.verify('confirm', id, token))
    throw notFound('This confirmation link is incomplete. Open the full link from the email.')
}

/** False if the subscription was deleted or ended meanwhile. Throws a 404 for a link whose signature does not match. */
export const canConfirm = async (services: Needs, link: ConfirmLink): Promise<boolean> => {
  checkSignature(services, link)
  return isSubscribed(services.db, link.id)
}

/** False, and nothing changes, if the subscription was deleted or ended meanwhile. */
export const confirmSubscription = async (services: Needs, link: ConfirmLink, now: Date): Promise<boolean> => {
  checkSignature(services, link)
  return confirmSubscriber(services.db, link.id, now)
}
