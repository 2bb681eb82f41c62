import { escapeHtml } from '../contract/escape-html.ts'
import type { Mail } from '../store/keys/mails.ts'
import type { DisabledEndpoint } from '../store/webhooks/deliveries.ts'
import { mailPage } from './mail-page.ts'

/** Tells an endpoint's owner that nothing is sent there any more, and how to go on. */
export const endpointDisabledMail = ({ id, url, email, reason }: DisabledEndpoint, publicUrl: string): Mail => ({
  kind: 'endpoint-disabled',
  to: email,
  subject: 'Your Lotline webhook has been disabled',
  text: `We have stopped sending events to

  ${url}

because ${reason}. No event is lost: GET ${publicUrl}/api/v1/events has the last 30 days.

When the receiver works again:

  curl -X POST -H "x-api-key: YOUR_KEY" ${publicUrl}/api/v1/webhooks/${id}/enable

What was tried, and what came back: GET ${publicUrl}/api/v1/webhooks/${id}/deliveries
`,
  html: mailPage(`
<p>We have stopped sending events to <code>${escapeHtml(url)}</code>, because ${escapeHtml(reason)}.</p>
<p>No event is lost: <code>GET ${escapeHtml(publicUrl)}/api/v1/events</code> has the last 30 days.</p>
<p>When the receiver works again:</p>
<pre>curl -X POST -H "x-api-key: YOUR_KEY" ${escapeHtml(publicUrl)}/api/v1/webhooks/${escapeHtml(id)}/enable</pre>
<p>What was tried, and what came back: <code>GET ${escapeHtml(publicUrl)}/api/v1/webhooks/${escapeHtml(id)}/deliveries</code></p>`),
})
