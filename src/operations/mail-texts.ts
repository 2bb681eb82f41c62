// The mails sent after a visitor's request: the API key and the confirmation of a newsletter subscription.

import { escapeHtml } from '../contract/escape-html.ts'
import { unsubscribeHeaders } from '../secrets/newsletter-links.ts'
import type { Mail } from '../store/keys/mails.ts'

export const keyMail = (to: string, key: string, publicUrl: string): Mail => ({
  kind: 'key',
  to,
  subject: 'Your Lotline API key',
  text: `Here is your free Lotline API key:

  ${key}

Try it:

  curl -H "x-api-key: ${key}" "${publicUrl}/api/v1/market-signals?status=for_sale"

Keep it like a password. To replace it, POST ${publicUrl}/api/v1/keys/rotate with the key; to end it, DELETE ${publicUrl}/api/v1/keys/current.

Docs: ${publicUrl}/docs
If you did not request this key, delete this mail. No one else has seen the key.
`,
  html: page(`
<p>Here is your free Lotline API key:</p>
<p><code style="font-size:1.1em">${escapeHtml(key)}</code></p>
<p>Try it:</p>
<pre>curl -H "x-api-key: ${escapeHtml(key)}" "${escapeHtml(publicUrl)}/api/v1/market-signals?status=for_sale"</pre>
<p>Keep it like a password. <a href="${escapeHtml(publicUrl)}/docs">Read the docs</a>.</p>
<p>If you did not request this key, delete this mail. No one else has seen the key.</p>`),
})

export const confirmMail = (
  to: string,
  marketName: string,
  { confirm, unsubscribe }: { confirm: string; unsubscribe: string },
): Mail => ({
  kind: 'confirm',
  to,
  subject: `Confirm your Lotline newsletter: ${marketName}`,
  text: `Confirm that you want the weekly newsletter for ${marketName}: top new signals, high-value permits and how hot the market is.

  ${confirm}

If you did not ask for it, ignore this mail. You get no newsletter without confirming.
To end the subscription: ${unsubscribe}
`,
  html: page(`
<p>Confirm that you want the weekly newsletter for ${escapeHtml(marketName)}: top new signals, high-value permits and how hot the market is.</p>
<p><a href="${escapeHtml(confirm)}">Confirm the subscription</a></p>
<p>If you did not ask for it, ignore this mail. You get no newsletter without confirming.</p>
<p><a href="${escapeHtml(unsubscribe)}">End the subscription</a></p>`),
  headers: unsubscribeHeaders(unsubscribe),
})

const page = (body: string) =>
  `<!doctype html><html lang="en"><body style="font-family:system-ui,sans-serif;line-height:1.5;max-width:36em">${body}</body></html>`
