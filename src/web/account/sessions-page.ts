// The browsers that are signed in.
import { listedSessions, revokeSession, signOutEverywhere } from '../../operations/account/manage-account.ts'
import { sessionDays } from '../../operations/account/sign-in.ts'
import { dateAndTime, day } from '../formats.ts'
import { html } from '../html.ts'
import type { AccountPage } from './account-page.ts'

export const sessionsPage: AccountPage = {
  path: 'sessions',
  title: 'Sessions',
  show: async ({ context, user, token }) => {
    const sessions = await listedSessions(context, user, context.now)
    return html`<p class="lede">The browsers that are signed in. A session ends after ${sessionDays} days; one opened with a key also ends with the key.</p>
<table class="data cards account-table" aria-label="Sessions"><thead><tr><th scope="col">Browser</th><th scope="col">Signed in</th><th scope="col">Last used</th><th scope="col">Ends</th><th scope="col"><span class="visually-hidden">Actions</span></th></tr></thead>
<tbody>${sessions.map(
      ({ id, browser, keyId, createdAt, usedAt, expiresAt }) =>
        html`<tr><th scope="row">${browser}${id === user.session.id ? html` <span class="tag active">this browser</span>` : ''}<small>${keyId === null ? 'by mailed link' : html`with a key`}</small></th>
<td data-name="Signed in">${dateAndTime(createdAt.toISOString())}</td><td data-name="Last used">${dateAndTime(usedAt.toISOString())}</td><td data-name="Ends">${day(expiresAt.toISOString())}</td>
<td class="actions"><form method="post" action="/account/sessions/revoke">${token}<input type="hidden" name="session" value="${id}"><button class="button quiet">End session</button></form></td></tr>`,
    )}</tbody></table>
<form method="post" action="/account/sessions/revoke-all">${token}<button class="button quiet">Sign out everywhere</button></form>`
  },
  actions: {
    revoke: async ({ context, user }, field) => {
      const id = field('session')
      await revokeSession(context, user, id)
      return id === user.session.id ? { open: '/account/sign-in', signOut: true } : undefined
    },
    'revoke-all': async ({ context, user }) => {
      await signOutEverywhere(context, user, context.now)
      return { open: '/account/sign-in', signOut: true }
    },
  },
}
