// The mails sent after a visitor's request: the API key and the confirmation of a newsletter subscription.
import { type MailDocument, mailHtml, mailText } from '../contract/mail-document.ts'
import { unsubscribeHeaders } from '../secrets/newsletter-links.ts'
import type { Mail } from '../store/keys/mails.ts'

export const keyMail = (to: string, key: string, publicUrl: string): Mail => ({
  kind: 'key',
  to,
  ...partsOf({
    title: 'Your Lotline API key',
    blocks: [
      { type: 'paragraph', text: 'Here is your free Lotline API key:' },
      { type: 'code', text: key },
      { type: 'paragraph', text: 'Try it:' },
      {
        type: 'code',
        text: `curl -H "x-api-key: ${key}" "${publicUrl}/api/v1/market-signals?status=for_sale"`,
      },
      {
        type: 'paragraph',
        text: `Store it like a password. To replace it, send POST ${publicUrl}/api/v1/keys/rotate with the key. To delete it, send DELETE ${publicUrl}/api/v1/keys/current.`,
      },
      {
        type: 'paragraph',
        text: 'If you did not request this key, someone entered your email address. That person can use the key too, so delete it.',
      },
      {
        type: 'links',
        links: [
          { label: 'Docs', url: `${publicUrl}/docs` },
          { label: 'Playground', url: `${publicUrl}/playground` },
        ],
      },
    ],
  }),
})

export const keyChangedMail = (to: string, keyId: string, what: 'replaced' | 'deleted', publicUrl: string): Mail => ({
  kind: 'key-changed',
  to,
  ...partsOf({
    title: `Your Lotline API key was ${what}`,
    blocks: [
      {
        type: 'paragraph',
        text: `Your API key with the id ${keyId} was ${what}, by a request that was made with the key itself.`,
      },
      {
        type: 'paragraph',
        text: 'If that was not you, somebody else has your key. Ask the operator of this service to revoke it, and get a new one.',
      },
      { type: 'links', links: [{ label: 'Docs', url: `${publicUrl}/docs` }] },
    ],
  }),
})

export const confirmMail = (
  to: string,
  marketName: string,
  { confirm, unsubscribe }: { confirm: string; unsubscribe: string },
): Mail => ({
  kind: 'confirm',
  to,
  ...partsOf({
    title: `Confirm your Lotline newsletter: ${marketName}`,
    blocks: [
      {
        type: 'paragraph',
        text: `Confirm that you want the weekly newsletter for ${marketName}: new homes for sale, high-value permits and the market heat index.`,
      },
      { type: 'button', label: 'Confirm the subscription', url: confirm },
      {
        type: 'paragraph',
        text: 'If you did not ask for it, ignore this mail. You get no newsletter without confirming.',
      },
      { type: 'links', links: [{ label: 'Unsubscribe', url: unsubscribe }] },
    ],
  }),
  headers: unsubscribeHeaders(unsubscribe),
})

const partsOf = (document: MailDocument): Pick<Mail, 'subject' | 'text' | 'html'> => ({
  subject: document.title,
  text: mailText(document),
  html: mailHtml(document),
})
