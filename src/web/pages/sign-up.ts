// The sign-up and newsletter forms. Without JavaScript they are posted and answered with a page.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { badRequest } from '../../common/errors.ts'
import { marketIds, markets } from '../../domain/packs/markets.ts'
import { createKey, subscribe } from '../../wire/operations/keys.ts'
import { plans } from '../../wire/plans.ts'
import { type Html, html } from '../html.ts'
import { formOf, textIn } from '../query.ts'
import { runOperation } from '../run-operation.ts'
import { sendPage } from '../send-page.ts'
import { contextOf, type Site } from '../site.ts'

export const signUpForm = ({ sendsMail }: Site): Html =>
  html`<form class="inline-form" method="post" action="/sign-up" data-sign-up${sendsMail ? html` data-mailed` : ''}>
<label for="sign-up-email">Get a free API key</label>
<div class="row"><input id="sign-up-email" name="email" type="email" required maxlength="254" autocomplete="email" placeholder="you@example.com"><button class="button">Get key</button></div>
<p class="hint">Free plan: ${plans.free.maxResults} results per page, ${plans.free.requestsPerMinute} requests per minute, the last ${plans.free.historyDays ?? 30} days of permits and sales.${sendsMail ? ' We also email you the key.' : ''}</p>
<div data-outcome aria-live="polite"></div></form>`

export const newsletterForm = (
  site: Site,
): Html => html`<form class="inline-form" method="post" action="/subscribe" data-subscribe="${confirmNotice(site)}">
<label for="newsletter-email">Email</label>
<div class="row"><input id="newsletter-email" name="email" type="email" required maxlength="254" autocomplete="email" placeholder="you@example.com">
<select name="market" aria-label="Market">${markets().map(({ id, name }) => html`<option value="${id}">${name}</option>`)}</select>
<button class="button quiet">Subscribe</button></div>
<div data-outcome aria-live="polite"></div></form>`

export const mountSignUp = (app: FastifyInstance, site: Site): void => {
  app.post('/sign-up', async (request, reply) => {
    const { key } = await runOperation(createKey, contextOf(site, request), { email: emailIn(request) })
    reply.header('cache-control', 'no-store')
    return sendPage(site, request, reply, {
      title: 'Your API key',
      description: 'Your new API key.',
      path: '/sign-up',
      private: true,
      body: html`<section class="narrow"><h1>Your API key</h1><p class="lede">${keyNotice(site)}</p>
<pre class="code key" data-copy><code>${key}</code></pre><p>Try it:</p>
<pre class="code" data-copy><code>curl -H "x-api-key: ${key}" "${site.services.publicUrl}/api/v1/market-signals"</code></pre>
<p><a class="button" href="/playground">Open the playground</a> <a href="/docs">Quick start</a></p></section>`,
    })
  })

  app.post('/subscribe', async (request, reply) => {
    const market = markets().find(({ id }) => id === textIn(formOf(request), 'market'))
    if (!market) throw badRequest(`Market must be one of ${marketIds().join(', ')}.`)
    const input: Static<typeof subscribe.input> = { email: emailIn(request), market: market.id, source: 'home' }
    await runOperation(subscribe, contextOf(site, request), input)
    return sendPage(site, request, reply, {
      title: 'Confirm your subscription',
      description: 'Confirm your newsletter subscription.',
      path: '/subscribe',
      private: true,
      body: html`<section class="narrow"><h1>Confirm your subscription</h1><p class="lede">${confirmNotice(site)}</p><p><a class="button" href="/">Back to the home page</a></p></section>`,
    })
  })
}

const confirmNotice = ({ sendsMail }: Site) =>
  sendsMail
    ? 'Check your email and open the link to confirm your subscription.'
    : 'Your subscription starts when you confirm it. This installation does not send email: ask its operator for the confirmation link.'

const keyNotice = ({ sendsMail }: Site) =>
  sendsMail
    ? 'Copy your key now. It won’t be shown again. We also sent it to your email address.'
    : 'Copy your key now. It won’t be shown again.'

/** The pattern of `<input type=email>` in the HTML standard, with at least one dot in the domain. */
const looksLikeEmail =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i

export const emailIn = (request: FastifyRequest): string => {
  // A form on another site must not use up the visitor's daily number of keys.
  if (request.headers['sec-fetch-site'] === 'cross-site')
    throw badRequest('This form was sent from another site. Use the form on our home page.')
  const email = textIn(formOf(request), 'email', 254)
  if (!email || !looksLikeEmail.test(email)) throw badRequest('Enter an email address, for example you@example.com.')
  return email
}
