// The keys of the account: create, confirm and revoke.

import {
  confirmAccountKey,
  createAccountKey,
  listedKeys,
  mailConfirmation,
  revokeAccountKey,
} from '../../operations/account/manage-keys.ts'
import type { AccountKey } from '../../operations/account/signed-in.ts'
import { dailyAllowance } from '../../wire/plans.ts'
import { capitalized, day } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { type AccountPage, keyName, ownKey, type Visit } from './account-page.ts'
import { confirmByOperator } from './overview-page.ts'

export const keysPage: AccountPage = {
  path: 'keys',
  group: 'Developers',
  title: 'Keys',
  show: async (visit) => {
    const { context, user, token } = visit
    const keys = await listedKeys(context, user, context.now)
    return html`${
      user.byLink
        ? html`<p class="lede">Every key with the address ${user.session.email}. Somebody else may have entered your address: revoke a key that you did not ask for.</p>
<form method="post" action="/account/keys/create">${token}<p><button class="button">Create a free key</button> <span class="hint">At most ${dailyAllowance.keys} a day.</span></p></form>`
        : html`<p class="lede">The key that you signed in with. To see and manage all keys of your address, sign in by email.</p>`
    }
<table class="data cards account-table" aria-label="Keys"><thead><tr><th scope="col">Key</th><th scope="col">Plan</th><th scope="col">Created</th><th scope="col">State</th><th scope="col"><span class="visually-hidden">Actions</span></th></tr></thead>
<tbody>${keys.map((key) => rowOf(visit, key))}</tbody></table>`
  },
  actions: {
    create: async ({ context, user }) => {
      const { key } = await createAccountKey(context, user)
      return {
        title: 'Your new API key',
        body: html`<p class="lede">Copy your key now. It won’t be shown again.</p><pre class="code key" data-copy><code>${key}</code></pre><p><a class="button" href="/account/keys">Back to your keys</a></p>`,
      }
    },
    confirm: ({ context, user }, field) => confirmAccountKey(context, user, field('key')),
    revoke: ({ context, user }, field) => revokeAccountKey(context, user, field('key')),
    'mail-confirmation': async (visit, field) => {
      const { context, user, site } = visit
      if (!site.sendsMail)
        return {
          title: 'Ask your operator',
          body: html`<p>${confirmByOperator(ownKey(visit, field('key')).email)}</p>`,
        }
      await mailConfirmation(context, user, field('key'))
      return {
        title: 'Check your email',
        body: html`<p class="lede">We sent a link to the address of the key, unless it got such a mail today.</p><p><a class="button" href="/account">Back</a></p>`,
      }
    },
  },
}

const stateOf = ({ revokedAt, expiresAt, confirmedAt }: AccountKey, now: Date): string =>
  revokedAt ? 'revoked' : expiresAt && expiresAt <= now ? 'expired' : confirmedAt ? 'confirmed' : 'unconfirmed'

const rowOf = ({ context, user, token }: Visit, key: AccountKey): Html => {
  const state = stateOf(key, context.now)
  const action = (name: string, button: Html) =>
    html`<form method="post" action="/account/keys/${name}">${token}<input type="hidden" name="key" value="${key.id}">${button}</form>`
  const working = state === 'confirmed' || state === 'unconfirmed'
  return html`<tr><th scope="row"><code>${keyName(key)}</code></th><td data-name="Plan">${capitalized(key.plan)}</td><td data-name="Created">${day(key.createdAt.toISOString())}</td>
<td data-name="State"><span class="tag${state === 'confirmed' ? ' active' : state === 'unconfirmed' ? ' warn' : ''}">${state}</span></td>
<td class="actions">${state === 'unconfirmed' && user.byLink ? action('confirm', html`<button class="button quiet">Confirm</button>`) : ''}${working ? html`<details><summary>Revoke</summary>${action('revoke', html`<p>Requests with this key fail at once. This cannot be undone.</p><button class="button quiet">Revoke this key</button>`)}</details>` : ''}</td></tr>`
}
