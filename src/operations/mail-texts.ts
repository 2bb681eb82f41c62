// The mails about keys and sign-in, and the confirmation of a newsletter subscription.

import { type MailBlock, mailParts } from '../common/mail-document.ts'
import { criteriaText } from '../criteria/criteria-text.ts'
import { unsubscribeHeaders } from '../secrets/unsubscribe-links.ts'
import type { Mail } from '../store/keys/mails.ts'
import type { WatchKind } from '../wire/watches.ts'

/** What a mail may say about a key. */
interface NamedKey {
  id: string
  lastFour: string | null
  createdAt: Date
}

const nameOf = ({ lastFour, id, createdAt }: NamedKey): string =>
  `${lastFour === null ? id : `ending in ${lastFour}`}, created ${longDay(createdAt)}`

/** The key, and the link that confirms it. Nothing in it is text of the caller. */
export const keyMail = (
  to: string,
  { key, ...named }: NamedKey & { key: string },
  confirm: string,
  publicUrl: string,
): Mail => ({
  kind: 'key',
  to,
  ...mailParts({
    title: 'Your Lotline API key',
    blocks: [
      { type: 'paragraph', text: 'Here is your free Lotline API key:' },
      { type: 'code', text: key },
      confirmText(named),
      { type: 'button', label: 'Confirm this key', url: confirm },
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
        text: 'If you did not request this key, someone entered your email address. That person can use the key too, so do not confirm it: delete it.',
      },
      {
        type: 'links',
        links: [
          { label: 'Docs', url: `${publicUrl}/docs` },
          { label: 'Playground', url: `${publicUrl}/playground` },
          { label: 'Account', url: `${publicUrl}/account` },
        ],
      },
    ],
  }),
})

const confirmText = (key: NamedKey): MailBlock => ({
  type: 'paragraph',
  text: `Confirm the key ${nameOf(key)} if you asked for it. An unconfirmed key works, but we send no mail for it.`,
})

export const confirmKeyMail = (to: string, key: NamedKey, confirm: string): Mail => ({
  kind: 'confirm-key',
  to,
  ...mailParts({
    title: 'Confirm your Lotline API key',
    blocks: [
      confirmText(key),
      { type: 'button', label: 'Confirm this key', url: confirm },
      {
        type: 'paragraph',
        text: 'If you did not ask for this key, someone entered your email address. Ignore this mail.',
      },
    ],
  }),
})

export const signInMail = (to: string, link: string, minutes: number): Mail => ({
  kind: 'sign-in',
  to,
  ...mailParts({
    title: 'Sign in to Lotline',
    blocks: [
      { type: 'paragraph', text: `This link signs you in to your account. It works once, for ${minutes} minutes.` },
      { type: 'button', label: 'Sign in', url: link },
      { type: 'paragraph', text: 'If you did not ask for it, ignore this mail: nobody can sign in without the link.' },
    ],
  }),
})

/** To an address without a key. */
export const signUpMail = (to: string, link: string, minutes: number): Mail => ({
  kind: 'sign-in',
  to,
  ...mailParts({
    title: 'Create your Lotline account',
    blocks: [
      {
        type: 'paragraph',
        text: `This link creates your free account. It works once, for ${minutes} minutes. Open it in the browser that you asked with: what you wanted to save waits there.`,
      },
      { type: 'button', label: 'Create my account', url: link },
      {
        type: 'paragraph',
        text: 'If you did not ask for it, someone entered your email address. Ignore this mail: no account is created.',
      },
    ],
  }),
})

/** Without a key: signed in by a mailed link. */
export const signedInMail = (to: string, key: { id: string } | undefined, publicUrl: string): Mail => ({
  kind: 'signed-in',
  to,
  ...mailParts({
    title: 'New sign-in to your Lotline account',
    blocks: [
      {
        type: 'paragraph',
        text: key
          ? `Somebody signed in to the account pages with your API key with the id ${key.id}.`
          : 'Somebody signed in to your account with a link that was mailed to you.',
      },
      {
        type: 'paragraph',
        text: 'If that was not you, sign in by email, revoke the session and replace the key.',
      },
      { type: 'links', links: [{ label: 'Account', url: `${publicUrl}/account` }] },
    ],
  }),
})

/** `by`: the key itself, or its owner on the account page. */
export const keyChangedMail = (
  to: string,
  { id, by }: { id: string; by: 'key' | 'account' },
  what: 'replaced' | 'deleted' | 'revoked',
  publicUrl: string,
): Mail => ({
  kind: 'key-changed',
  to,
  ...mailParts({
    title: `Your Lotline API key was ${what}`,
    blocks: [
      {
        type: 'paragraph',
        text: `Your API key with the id ${id} was ${what}, ${by === 'key' ? 'by a request that was made with the key itself' : 'on the account page'}.`,
      },
      {
        type: 'paragraph',
        text: 'If that was not you, somebody else has access to your key. Sign in by email, revoke it and get a new one.',
      },
      { type: 'links', links: [{ label: 'Account', url: `${publicUrl}/account` }] },
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
  ...mailParts({
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

export const testWatchMail = (
  to: string,
  watch: { name: string; kind: WatchKind; criteria: object; cadence: string },
  unsubscribe: string,
  publicUrl: string,
): Mail => ({
  kind: 'watch-test',
  to,
  ...mailParts({
    title: `Test: ${watch.name}`,
    blocks: [
      {
        type: 'paragraph',
        text: 'This is a test. When something matches this watch, a mail like this says what changed.',
      },
      { type: 'paragraph', text: `It watches ${watch.kind}: ${criteriaText(watch) || 'all'}.` },
      {
        type: 'links',
        links: [
          { label: 'Your watches', url: `${publicUrl}/account/watches` },
          { label: 'Unsubscribe from the mails of all watches', url: unsubscribe },
        ],
      },
    ],
  }),
  headers: unsubscribeHeaders(unsubscribe),
})

const longDay = (date: Date): string =>
  date.toLocaleDateString('en-US', { timeZone: 'UTC', year: 'numeric', month: 'short', day: 'numeric' })
