// Getting a key and the newsletter: in place where scripts run, as plain forms where they do not.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { badRequest } from '../../contract/errors.ts'
import { markets } from '../../contract/markets.ts'
import { createKey, subscribe } from '../../contract/operations/keys.ts'
import { type Html, html } from '../html.ts'
import { type Query, textIn } from '../query.ts'
import { run } from '../run.ts'
import { sendPage } from '../send-page.ts'
import { contextOf, type Site } from '../site.ts'

export const signUpForm = ({ sendsMail }: Site): Html =>
  html`<form class="inline-form" method="post" action="/sign-up" data-sign-up${sendsMail ? html` data-mailed` : ''}>
<label for="sign-up-email">Free API key</label>
<div class="row"><input id="sign-up-email" name="email" type="email" required maxlength="254" autocomplete="email" placeholder="you@example.com"><button class="button">Get a key</button></div>
<p class="hint">Shown once${sendsMail ? ' and mailed to you' : ''}. 25 rows a page, 30 requests a minute, the last 30 days of permits and sales.</p>
<div data-outcome aria-live="polite"></div></form>`

export const newsletterForm =
  (): Html => html`<form class="inline-form" method="post" action="/subscribe" data-subscribe>
<label for="letter-email">Newsletter</label>
<div class="row"><input id="letter-email" name="email" type="email" required maxlength="254" autocomplete="email" placeholder="you@example.com">
<select name="market" aria-label="Market">${markets.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}</select>
<button class="button quiet">Subscribe</button></div>
<div data-outcome aria-live="polite"></div></form>`

export const mountSignUp = (app: FastifyInstance, site: Site): void => {
  app.post('/sign-up', async (request, reply) => {
    const { key } = await run(createKey, contextOf(site, request), { email: emailIn(request) })
    return shownOnce(site, request, reply, key)
  })

  app.post('/subscribe', async (request, reply) => {
    const market = markets.find(({ id }) => id === textIn(request.body as Query, 'market'))
    if (!market) throw badRequest(`market must be one of ${markets.map(({ id }) => id).join(', ')}.`)
    const input: Static<typeof subscribe.input> = { email: emailIn(request), market: market.id, source: 'home' }
    await run(subscribe, contextOf(site, request), input)
    return sendPage(site, request, reply, {
      title: 'Subscribed',
      description: 'You are on the list.',
      path: '/subscribe',
      private: true,
      body: html`<section class="narrow"><h1>You are on the list</h1><p class="lede">The week in ${market.name} will come to your mailbox. Every mail has a link that stops it with one click.</p><p><a class="button" href="/">Back to the start</a></p></section>`,
    })
  })
}

const shownOnce = (site: Site, request: FastifyRequest, reply: FastifyReply, key: string) => {
  reply.header('cache-control', 'no-store')
  return sendPage(site, request, reply, {
    title: 'Your key',
    description: 'Your new API key.',
    path: '/sign-up',
    private: true,
    body: html`<section class="narrow"><h1>Your key</h1><p class="lede">${shownNow(site)}</p>
<pre class="code key" data-copy><code>${key}</code></pre><p>Try it:</p>
<pre class="code" data-copy><code>curl -H "x-api-key: ${key}" "${site.services.publicUrl}/api/v1/market-signals"</code></pre>
<p><a class="button" href="/playground">Open the playground</a> <a href="/docs">Quick start</a></p></section>`,
  })
}

const shownNow = ({ sendsMail }: Site) =>
  sendsMail
    ? 'This is the only time it is shown here. It is also on its way to your mailbox.'
    : 'This is the only time it is shown: keep it now.'

/** The same test a browser's own e-mail field makes (HTML standard), plus a dot in the domain. */
const looksLikeEmail =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i

const emailIn = (request: FastifyRequest): string => {
  // Another site's form must not spend a visitor's daily allowance.
  if (request.headers['sec-fetch-site'] === 'cross-site') throw badRequest('Please use the form on our own page.')
  const email = textIn((request.body ?? {}) as Query, 'email', 254)
  if (!email || !looksLikeEmail.test(email)) throw badRequest('That does not look like an e-mail address.')
  return email
}
