// Deletes the account, after the user typed the word.
import { deleteAccount } from '../../operations/account/manage-account.ts'
import { type Html, html } from '../html.ts'
import type { AccountPage, Visit } from './account-page.ts'

const word = 'DELETE'

export const deletePage: AccountPage = {
  path: 'delete',
  title: 'Delete account',
  show: async (visit) => deleteForm(visit),
  actions: {
    confirm: async (visit, field) => {
      const { context, user } = visit
      if (field('word') !== word)
        return { title: 'Delete account', status: 400, body: deleteForm(visit, field('word')) }
      await deleteAccount(context, user)
      return { open: '/account/deleted', signOut: true }
    },
  },
}

/** `typed`: another word, which is kept beside what was asked for. */
const deleteForm = ({ user, token }: Visit, typed?: string): Html => html`${
  user.byLink
    ? html`<p class="lede">This deletes at once, for ${user.session.email}: every key with this address, unconfirmed ones included, and what the keys own (${owned}), all sessions, and the log of mails.</p>
<p>These stay: a newsletter subscription, which every newsletter can end; hashes of the address that count mails and links, for up to 7 days; the operator’s logs and backups.</p>`
    : html`<p class="lede">This deletes at once: the key that you signed in with, the keys it replaced, and what they own (${owned}), and its sessions.</p>
<p>These stay: other keys of your address, the log of mails to it, a newsletter subscription, and the operator’s logs and backups. To delete everything of your address, sign in by email.</p>`
}
<form class="inline-form" method="post" action="/account/delete/confirm">${token}<label for="delete-word">Type ${word} to confirm</label>
<div class="row"><input id="delete-word" name="word" required autocomplete="off" autocapitalize="characters" spellcheck="false"${typed === undefined ? '' : html` value="${typed}" aria-invalid="true" aria-describedby="delete-problem"`}><button class="button">Delete for good</button></div>${typed === undefined ? '' : html`<p class="form-error" id="delete-problem" role="alert">Nothing was deleted. Type ${word} in capital letters.</p>`}</form>`

const owned =
  'watches with their matches and feeds, saved homes and notes, webhooks with their logs, assumption sets, exports, usage'
