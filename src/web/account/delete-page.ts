// Deletes the account, after the user typed the word.
import { badRequest } from '../../common/errors.ts'
import { deleteAccount } from '../../operations/account/delete-account.ts'
import { html } from '../html.ts'
import type { AccountPage } from './account-page.ts'

const word = 'DELETE'

export const deletePage: AccountPage = {
  path: 'delete',
  title: 'Delete account',
  show: async ({ user, token }) => html`${
    user.byLink
      ? html`<p class="lede">This deletes at once, for ${user.session.email}: every key with this address, unconfirmed ones included, and what the keys own (${owned}), all sessions, and the log of mails.</p>
<p>These stay: a newsletter subscription, which every newsletter can end; hashes of the address that count mails and links, for up to 7 days; the operator’s logs and backups.</p>`
      : html`<p class="lede">This deletes at once: the key that you signed in with, the keys it replaced, and what they own (${owned}), and its sessions.</p>
<p>These stay: other keys of your address, the log of mails to it, a newsletter subscription, and the operator’s logs and backups. To delete everything of your address, sign in by email.</p>`
  }
<form class="inline-form" method="post" action="/account/delete/confirm">${token}<label for="delete-word">Type ${word} to confirm</label>
<div class="row"><input id="delete-word" name="word" required autocomplete="off" autocapitalize="characters" spellcheck="false"><button class="button">Delete for good</button></div></form>`,
  actions: {
    confirm: async ({ context, user }, field) => {
      if (field('word') !== word) throw badRequest(`Type ${word} in capital letters to delete the account.`)
      await deleteAccount(context, user)
      return { open: '/account/deleted', signOut: true }
    },
  },
}

const owned =
  'watches with their matches and feeds, saved homes and notes, webhooks with their logs, assumption sets, exports, usage'
