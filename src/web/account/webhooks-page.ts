// Webhook endpoints: test, enable, delete, and the log of an endpoint with replay.
import {
  deleteWebhook,
  enableWebhook,
  listDeliveries,
  listWebhooks,
  replayDelivery,
  testWebhook,
} from '../../wire/operations/webhooks.ts'
import { dateAndTime, day } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { pathWithQuery, textIn } from '../query.ts'
import { runOperation } from '../run-operation.ts'
import { type AccountPage, ownKey, type Visit } from './account-page.ts'
import { byId, listPage } from './list-page.ts'

const list = listPage({
  path: 'webhooks',
  title: 'Webhooks',
  about: html`Endpoints that receive signed events. <a href="/docs/webhooks">How to register one</a>`,
  empty: html`No endpoint is registered.`,
  items: async (context) => (await runOperation(listWebhooks, context, {})).data,
  columns: [
    { title: 'Endpoint', cell: ({ url }) => html`<span class="address">${url}</span>` },
    {
      title: 'Events',
      cell: ({ events, filter, everyChange, onMarketOnly }) =>
        html`${events.join(', ')}${filter && html`<small>filter ${JSON.stringify(filter)}</small>`}${everyChange && html`<small>every change of a score</small>`}${onMarketOnly && html`<small>scores of homes on the market only</small>`}`,
    },
    {
      title: 'State',
      cell: ({ status, disabledReason, failingSince }) =>
        html`<span class="tag${status === 'enabled' ? ' active' : ' warn'}">${status}</span>${disabledReason && html`<small>${disabledReason}</small>`}${failingSince && html`<small>failing since ${day(failingSince)}</small>`}`,
    },
    { title: 'Log', cell: ({ id }, _visit, key) => html`<a href="${logUrl(key.id, id)}">Deliveries</a>` },
  ],
  actions: {
    test: { label: 'Send a test', when: ({ status }) => status === 'enabled', run: byId(testWebhook) },
    enable: { label: 'Enable', when: ({ status }) => status === 'disabled', run: byId(enableWebhook) },
    delete: {
      label: 'Delete',
      warning: 'Events are no longer sent to this endpoint, and its log is deleted.',
      run: byId(deleteWebhook),
    },
  },
})

export const webhooksPage: AccountPage = {
  ...list,
  show: async (visit) => {
    const endpoint = textIn(visit.query, 'endpoint')
    return endpoint === undefined ? list.show(visit) : logOf(visit, endpoint)
  },
  actions: {
    ...list.actions,
    replay: async (visit, field) => {
      const [keyId, id] = [field('key'), field('endpoint')]
      await runOperation(replayDelivery, visit.as(ownKey(visit, keyId)), { id, deliveryId: field('delivery') })
      return { open: logUrl(keyId, id) }
    },
  },
}

const logUrl = (key: string, endpoint: string): string => pathWithQuery('/account/webhooks', { key, endpoint })

const logOf = async (visit: Visit, endpoint: string): Promise<Html> => {
  const key = ownKey(visit, textIn(visit.query, 'key') ?? '')
  const { data } = await runOperation(listDeliveries, visit.as(key), { id: endpoint, limit: 50 })
  return html`<p class="lede">The last deliveries of <code>${endpoint}</code>. <a href="/account/webhooks">All endpoints</a></p>
${
  data.length === 0
    ? html`<p class="empty">Nothing was sent yet.</p>`
    : html`<table class="data cards account-table" aria-label="Deliveries"><thead><tr><th scope="col">Event</th><th scope="col">Created</th><th scope="col">State</th><th scope="col">Last attempt</th><th scope="col"><span class="visually-hidden">Actions</span></th></tr></thead>
<tbody>${data.map(({ id, event, status, createdAt, attempts, note }) => {
        const last = attempts.at(-1)
        return html`<tr><th scope="row">${event}</th><td data-name="Created">${dateAndTime(createdAt)}</td><td data-name="State"><span class="tag${status === 'delivered' ? ' active' : status === 'failed' ? ' warn' : ''}">${status}</span>${note && html`<small>${note}</small>`}</td>
<td data-name="Last attempt">${last ? html`${last.status ? `HTTP ${last.status}` : last.error}<small>attempt ${last.attempt}, ${last.durationMs} ms</small>` : '–'}</td>
<td class="actions"><form method="post" action="/account/webhooks/replay">${visit.token}<input type="hidden" name="key" value="${key.id}"><input type="hidden" name="endpoint" value="${endpoint}"><input type="hidden" name="delivery" value="${id}"><button class="button quiet">Send again</button></form></td></tr>`
      })}</tbody></table>`
}`
}
