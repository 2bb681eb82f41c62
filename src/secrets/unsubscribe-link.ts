// The way off the newsletter, in every mail of it.
import type { Sealer } from './seal.ts'

/** A link that only we can make, good for one subscriber. */
export const unsubscribeUrl = (sealer: Sealer, publicUrl: string, subscriberId: string): string =>
  `${publicUrl}/unsubscribe/${subscriberId}/${sealer.sign('unsubscribe', subscriberId)}`

/** RFC 8058: the mail program's own button works without a page. */
export const unsubscribeHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})
