// The signed links of newsletters and of the mails of watches, and the headers that go with them.
import type { Sealer } from './seal.ts'

export const confirmUrl = (sealer: Sealer, publicUrl: string, subscriberId: string): string =>
  `${publicUrl}/confirm/${subscriberId}/${sealer.sign('confirm', subscriberId)}`

/** Ends a newsletter subscription, the mails of a watch, or those of all watches of the address of a key. */
export const unsubscribeUrl = (sealer: Sealer, publicUrl: string, id: string): string =>
  `${publicUrl}/unsubscribe/${id}/${sealer.sign('unsubscribe', id)}`

/** RFC 8058: lets the mail program unsubscribe without opening a page. */
export const unsubscribeHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})
