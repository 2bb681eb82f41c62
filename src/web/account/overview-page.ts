// The overview: the plan of each key, and the key that downloads use.
import { notFound } from '../../common/errors.ts'
import { type AccountKey, chooseDownloadKey } from '../../operations/account/signed-in.ts'
import { limitsOf } from '../../wire/plans.ts'
import { capitalized, count, day } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { type AccountPage, keyName, type Visit } from './account-page.ts'

export const overviewPage: AccountPage = {
  path: '',
  title: 'Your account',
  show: async (visit) => {
    const { user, token } = visit
    if (user.keys.length === 0)
      return html`<p class="empty">This address has no confirmed key. <a href="/account/keys">Confirm a key or create one</a></p>`
    return html`${user.keys.map((key) => planOf(visit, key))}
${
  user.keys.length > 1
    ? html`<h2>Downloads</h2><form class="inline-form" method="post" action="/account/choose">${token}
<label for="download-key">CSV and GeoJSON from list pages use this key</label>
<div class="row"><select id="download-key" name="key">${user.keys.map((key) => html`<option value="${key.id}"${key.id === user.chosen?.id ? html` selected` : ''}>${keyName(key)} (${key.plan})</option>`)}</select><button class="button quiet">Save</button></div></form>`
    : ''
}`
  },
  actions: {
    choose: async ({ context, user }, field) => {
      if (!(await chooseDownloadKey(context, user, field('key')))) throw notFound('Your account has no such key.')
      return undefined
    },
  },
}

const planOf = (visit: Visit, key: AccountKey): Html => {
  const { context } = visit
  const limits = limitsOf(key, context.now)
  const promoted = key.promotionUntil && key.promotionUntil > context.now
  return html`<h2>${capitalized(key.plan)} key ${keyName(key)}</h2>
${key.confirmedAt ? '' : confirmation(visit, key)}
<dl class="ledger"><div><dt>Results per page</dt><dd>${count(limits.maxResults)}</dd></div><div><dt>Requests per minute</dt><dd>${count(limits.requestsPerMinute)}</dd></div>
<div><dt>History</dt><dd>${limits.historyDays === null ? 'complete' : `last ${limits.historyDays} days`}</dd></div><div><dt>Webhooks</dt><dd>${limits.webhooks ? 'yes' : 'no'}</dd></div>
<div><dt>Created</dt><dd>${day(key.createdAt.toISOString())}</dd></div>${promoted && key.promotionUntil ? html`<div><dt>Early access until</dt><dd>${day(key.promotionUntil.toISOString())}</dd></div>` : ''}</dl>`
}

const confirmation = ({ site, token }: Visit, key: AccountKey): Html =>
  site.sendsMail
    ? html`<form method="post" action="/account/keys/mail-confirmation">${token}<input type="hidden" name="key" value="${key.id}"><p class="caution">This key is not confirmed, so Lotline sends no mail for it. <button class="button quiet">Email the confirmation link</button></p></form>`
    : html`<p class="caution">This key is not confirmed. ${confirmByOperator(key.email)}</p>`

/** For a server without a mail server: it writes mails to a folder, with the links in them masked. */
export const confirmByOperator = (email: string): Html =>
  html`This server sends no mail: ask its operator for a sign-in link (<code>npx lotline sign-in ${email}</code>), open it, and confirm the key under <a href="/account/keys">Keys</a>.`
