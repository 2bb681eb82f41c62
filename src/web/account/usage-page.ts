// Requests by day.

import { usageByDay, usageDays } from '../../operations/account/manage-account.ts'
import type { AccountKey } from '../../operations/account/signed-in.ts'
import { count, day } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { type AccountPage, keyName, type Visit } from './account-page.ts'

export const usagePage: AccountPage = {
  path: 'usage',
  title: 'Usage',
  show: async (visit) => {
    const tables: Html[] = []
    for (const key of visit.user.keys) tables.push(await usageOf(visit, key))
    return html`<p class="lede">Requests of the last ${usageDays} days, by UTC day. The newest ones appear after a few seconds.</p>${
      tables.length === 0 ? html`<p class="empty">This address has no confirmed key.</p>` : tables
    }`
  },
}

const usageOf = async ({ context }: Visit, key: AccountKey): Promise<Html> => {
  const days = await usageByDay(context, key.family)
  const most = Math.max(1, ...days.map(({ requests }) => requests))
  const total = days.reduce((sum, { requests }) => sum + requests, 0)
  return html`<h2>${keyName(key)}</h2><p>${count(total)} requests</p>
${
  total === 0
    ? ''
    : html`<table class="data usage" aria-label="Requests by day"><thead><tr><th scope="col">Day</th><th scope="col" class="num">Requests</th><th scope="col" class="num">Over the limit</th><th scope="col" class="wide-only"><span class="visually-hidden">Share of the busiest day</span></th></tr></thead>
<tbody>${days
        .filter(({ requests }) => requests > 0)
        .map(
          ({ day: date, requests, refused }) =>
            html`<tr><th scope="row">${day(date)}</th><td class="num">${count(requests)}</td><td class="num">${count(refused)}</td><td class="wide-only"><svg class="usage-bar" viewBox="0 0 100 5" preserveAspectRatio="none" aria-hidden="true"><rect width="${Math.round((100 * requests) / most)}" height="5"/></svg></td></tr>`,
        )}</tbody></table>`
}`
}
