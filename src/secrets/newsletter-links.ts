// The signed links of newsletter mails, and the headers that go with them.
import type { Sealer } from './seal.ts'

/** Confirms one subscription. */
export const confirmUrl = (sealer: Sealer, publicUrl: string, subscriberId: string): string =>
  `${publicUrl}/confirm/${subscriberId}/${sealer.sign('confirm', subscriberId)}`

/** Ends one subscription. */
export const unsubscribeUrl = (sealer: Sealer, publicUrl: string, subscriberId: string): string =>
  `${publicUrl}/unsubscribe/${subscriberId}/${sealer.sign('unsubscribe', subscriberId)}`

/** RFC 8058: lets the mail program unsubscribe without opening a page. */
export const unsubscribeHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})
