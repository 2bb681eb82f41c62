// The mails about keys and sign-in, and the confirmation of a newsletter subscription.

import { criteriaText } from '../criteria/criteria-text.ts'
import { type Mail, mailOf } from '../store/keys/mails.ts'
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
): Mail =>
  mailOf({ kind: 'key', to }, 'Your Lotline API key', [
    'Here is your free Lotline API key:',
    { type: 'code', text: key },
    confirmText(named),
    { type: 'button', label: 'Confirm this key', url: confirm },
    'Try it:',
    {
      type: 'code',
      text: `curl -H "x-api-key: ${key}" "${publicUrl}/api/v1/market-signals?status=for_sale"`,
    },
    `Store it like a password. To replace it, send POST ${publicUrl}/api/v1/keys/rotate with the key. To delete it, send DELETE ${publicUrl}/api/v1/keys/current.`,
    'If you did not request this key, someone entered your email address. That person can use the key too, so do not confirm it: delete it.',
    {
      type: 'links',
      links: { Docs: `${publicUrl}/docs`, Playground: `${publicUrl}/playground`, Account: `${publicUrl}/account` },
    },
  ])

const confirmText = (key: NamedKey): string =>
  `Confirm the key ${nameOf(key)} if you asked for it. An unconfirmed key works, but we send no mail for it.`

export const confirmKeyMail = (to: string, key: NamedKey, confirm: string): Mail =>
  mailOf({ kind: 'confirm-key', to }, 'Confirm your Lotline API key', [
    confirmText(key),
    { type: 'button', label: 'Confirm this key', url: confirm },
    'If you did not ask for this key, someone entered your email address. Ignore this mail.',
  ])

export const signInMail = (to: string, link: string, minutes: number): Mail =>
  mailOf({ kind: 'sign-in', to }, 'Sign in to Lotline', [
    `This link signs you in to your account. It works once, for ${minutes} minutes.`,
    { type: 'button', label: 'Sign in', url: link },
    'If you did not ask for it, ignore this mail: nobody can sign in without the link.',
  ])

/** To an address without a key. */
export const signUpMail = (to: string, link: string, minutes: number): Mail =>
  mailOf({ kind: 'sign-in', to }, 'Create your Lotline account', [
    `This link creates your free account. It works once, for ${minutes} minutes. Open it in the browser that you asked with: what you wanted to save waits there.`,
    { type: 'button', label: 'Create my account', url: link },
    'If you did not ask for it, someone entered your email address. Ignore this mail: no account is created.',
  ])

/** Without a key: signed in by a mailed link. */
export const signedInMail = (to: string, key: { id: string } | undefined, publicUrl: string): Mail =>
  mailOf({ kind: 'signed-in', to }, 'New sign-in to your Lotline account', [
    key
      ? `Somebody signed in to the account pages with your API key with the id ${key.id}.`
      : 'Somebody signed in to your account with a link that was mailed to you.',
    'If that was not you, sign in by email, revoke the session and replace the key.',
    { type: 'links', links: { Account: `${publicUrl}/account` } },
  ])

/** `by`: the key itself, or its owner on the account page. */
export const keyChangedMail = (
  to: string,
  { id, by }: { id: string; by: 'key' | 'account' },
  what: 'replaced' | 'deleted' | 'revoked',
  publicUrl: string,
): Mail =>
  mailOf({ kind: 'key-changed', to }, `Your Lotline API key was ${what}`, [
    `Your API key with the id ${id} was ${what}, ${by === 'key' ? 'by a request that was made with the key itself' : 'on the account page'}.`,
    'If that was not you, somebody else has access to your key. Sign in by email, revoke it and get a new one.',
    { type: 'links', links: { Account: `${publicUrl}/account` } },
  ])

export const confirmMail = (
  to: string,
  marketName: string,
  { confirm, unsubscribe }: { confirm: string; unsubscribe: string },
): Mail =>
  mailOf({ kind: 'confirm', to, unsubscribe }, `Confirm your Lotline newsletter: ${marketName}`, [
    `Confirm that you want the weekly newsletter for ${marketName}: new homes for sale, high-value permits and the market heat index.`,
    { type: 'button', label: 'Confirm the subscription', url: confirm },
    'If you did not ask for it, ignore this mail. You get no newsletter without confirming.',
    { type: 'links', links: { Unsubscribe: unsubscribe } },
  ])

export const testWatchMail = (
  to: string,
  watch: { name: string; kind: WatchKind; criteria: object; cadence: string },
  unsubscribe: string,
  publicUrl: string,
): Mail =>
  mailOf({ kind: 'watch-test', to, unsubscribe }, `Test: ${watch.name}`, [
    'This is a test. When something matches this watch, a mail like this says what changed.',
    `It watches ${watch.kind}: ${criteriaText(watch) || 'all'}.`,
    {
      type: 'links',
      links: {
        'Your watches': `${publicUrl}/account/watches`,
        'Unsubscribe from the mails of all watches': unsubscribe,
      },
    },
  ])

const longDay = (date: Date): string =>
  date.toLocaleDateString('en-US', { timeZone: 'UTC', year: 'numeric', month: 'short', day: 'numeric' })
