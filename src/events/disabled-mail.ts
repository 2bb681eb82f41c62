import { escapeHtml } from '../contract/escape-html.ts'
import type { Mail } from '../store/keys/mails.ts'
import type { DisabledEndpoint } from '../store/webhooks/deliveries.ts'
import { mailPage } from './mail-page.ts'

/** Tells the owner of an endpoint that it is disabled, and how to enable it again. */
export const endpointDisabledMail = ({ id, url, email, reason }: DisabledEndpoint, publicUrl: string): Mail => ({
  kind: 'endpoint-disabled',
  to: email,
  subject: 'Your Lotline webhook endpoint is disabled',
  text: `We no longer send events to

  ${url}

because ${reason}. You can read the events of the last 30 days at GET ${publicUrl}/api/v1/events.

When the receiver works again, enable the endpoint:

  curl -X POST -H "x-api-key: YOUR_KEY" ${publicUrl}/api/v1/webhooks/${id}/enable

See the attempts and responses: GET ${publicUrl}/api/v1/webhooks/${id}/deliveries
`,
  html: mailPage(`
<p>We no longer send events to <code>${escapeHtml(url)}</code>, because ${escapeHtml(reason)}.</p>
<p>You can read the events of the last 30 days at <code>GET ${escapeHtml(publicUrl)}/api/v1/events</code>.</p>
<p>When the receiver works again, enable the endpoint:</p>
<pre>curl -X POST -H "x-api-key: YOUR_KEY" ${escapeHtml(publicUrl)}/api/v1/webhooks/${escapeHtml(id)}/enable</pre>
<p>See the attempts and responses: <code>GET ${escapeHtml(publicUrl)}/api/v1/webhooks/${escapeHtml(id)}/deliveries</code></p>`),
})
