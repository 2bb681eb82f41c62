// The overview: the plan, and with several keys the one that downloads and new items use.
import { notFound } from '../../common/errors.ts'
import { type AccountKey, chooseDownloadKey } from '../../operations/account/signed-in.ts'
import { limitsOf, mostSavedHomes, mostWatches } from '../../wire/plans.ts'
import { capitalized, count, day } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { type AccountPage, keyName, type Visit } from './account-page.ts'

export const overviewPage: AccountPage = {
  path: '',
  title: 'Your account',
  show: async (visit) => {
    const { user, token } = visit
    if (user.keys.length === 0)
      return html`<p class="empty">Your account has no plan: its keys were revoked. <a href="/account/keys">Create a free key</a></p>`
    return html`${user.keys.map((key) => planOf(visit, key))}
${
  user.keys.length > 1
    ? html`<h2>Which key is used</h2><form class="inline-form" method="post" action="/account/choose">${token}
<label for="download-key">Downloads and new homes, watches and numbers use this key</label>
<div class="row"><select id="download-key" name="key">${user.keys.map((key) => html`<option value="${key.id}"${key.id === user.chosen?.id ? html` selected` : ''}>${keyName(key)} (${key.plan})</option>`)}</select><button class="button quiet">Save</button></div></form>`
    : ''
}`
  },
  actions: {
    choose: async ({ context, user }, field) => {
      if (!(await chooseDownloadKey(context, user, field('key')))) throw notFound('Your account has no such key.')
    },
  },
}

const planOf = (visit: Visit, key: AccountKey): Html => {
  const { context } = visit
  const limits = limitsOf(key, context.now)
  const promoted = key.promotionUntil && key.promotionUntil > context.now
  return html`<h2>${capitalized(key.plan)} plan</h2>
${key.confirmedAt ? '' : confirmation(visit, key)}
<dl class="ledger"><div><dt>Saved homes</dt><dd>up to ${count(mostSavedHomes)}</dd></div><div><dt>Watches</dt><dd>up to ${count(mostWatches[key.plan])}</dd></div>
<div><dt>Rows in a download</dt><dd>${count(limits.maxResults)}</dd></div><div><dt>Permits and sales in downloads</dt><dd>${limits.historyDays === null ? 'of all time' : `of the last ${limits.historyDays} days`}</dd></div>
<div><dt>Since</dt><dd>${day(key.createdAt.toISOString())}</dd></div>${promoted && key.promotionUntil ? html`<div><dt>Early access until</dt><dd>${day(key.promotionUntil.toISOString())}</dd></div>` : ''}<div><dt>API key</dt><dd><a href="/account/keys"><code>${keyName(key)}</code></a></dd></div></dl><p><a href="/plans">What the plans include</a></p>`
}

const confirmation = ({ site, token }: Visit, key: AccountKey): Html =>
  site.sendsMail
    ? html`<form method="post" action="/account/keys/mail-confirmation">${token}<input type="hidden" name="key" value="${key.id}"><p class="caution">This key is not confirmed, so Lotline sends no mail for it. <button class="button quiet">Email the confirmation link</button></p></form>`
    : html`<p class="caution">This key is not confirmed. ${confirmByOperator(key.email)}</p>`

/** For a server without a mail server: it writes mails to a folder, with the links in them masked. */
export const confirmByOperator = (email: string): Html =>
  html`This server sends no mail: ask its operator for a sign-in link (<code>npx lotline sign-in ${email}</code>), open it, and confirm the key under <a href="/account/keys">Keys</a>.`
