// The unsubscribe link and headers of newsletter mails.
import type { Sealer } from './seal.ts'

/** A signed link for one subscriber. */
export const unsubscribeUrl = (sealer: Sealer, publicUrl: string, subscriberId: string): string =>
  `${publicUrl}/unsubscribe/${subscriberId}/${sealer.sign('unsubscribe', subscriberId)}`

/** RFC 8058: lets the mail program unsubscribe without opening a page. */
export const unsubscribeHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})
