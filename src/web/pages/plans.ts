// What the plans include, and how to get Pro. The limits are those that the service applies.
import type { FastifyInstance } from 'fastify'
import { mostAssumptionSets, mostSavedHomes, mostWatches, type Plan, type PlanName, plans } from '../../wire/plans.ts'
import { count, plural } from '../formats.ts'
import { html } from '../html.ts'
import { sendPage } from '../send-page.ts'
import type { Site } from '../site.ts'

const visitor = 'Without an account'

const rows: readonly [title: string, none: string, of: (plan: Plan, name: Exclude<PlanName, 'demo'>) => string][] = [
  ['Pages: homes, maps, permits, comparisons', 'all', () => 'all'],
  ['Saved homes with notes', '–', () => count(mostSavedHomes)],
  ['My numbers, used on every page', 'on one page at a time', (_, name) => plural(mostAssumptionSets[name], 'set')],
  ['Watches by email or feed', '–', (_, name) => count(mostWatches[name])],
  ['How often a watch tells you', '–', (_, name) => (name === 'pro' ? 'daily, weekly or at once' : 'daily or weekly')],
  ['Rows in a CSV of a list', '25', ({ maxResults }) => count(maxResults)],
  ['Exports of whole lists, scoring your own list', '–', (_, name) => (name === 'pro' ? 'yes' : '–')],
  [
    'API and downloads: permits and sales of',
    'all time, 5 rows',
    ({ historyDays }) => (historyDays === null ? 'all time' : `the last ${historyDays} days`),
  ],
  ['API: requests per minute', String(plans.demo.requestsPerMinute), (plan) => count(plan.requestsPerMinute)],
  ['Webhooks', '–', ({ webhooks }) => (webhooks ? 'yes' : '–')],
]

export const mountPlans = (app: FastifyInstance, site: Site): void => {
  app.get('/plans', (request, reply) =>
    sendPage(site, request, reply, {
      title: 'Plans',
      description: 'What a free account and Pro include.',
      path: '/plans',
      body: html`<section class="plans"><h1>Plans</h1><p class="lede">Every page is open to everybody. An account keeps your homes, numbers and watches; it needs only an email address.</p>
<table class="data cards" aria-label="Plans"><thead><tr><th scope="col">What you get</th><th scope="col">${visitor}</th><th scope="col">Free</th><th scope="col">Pro</th></tr></thead>
<tbody>${rows.map(([title, none, of]) => html`<tr><th scope="row">${title}</th><td data-name="${visitor}">${none}</td><td data-name="Free">${of(plans.free, 'free')}</td><td data-name="Pro">${of(plans.pro, 'pro')}</td></tr>`)}</tbody></table>
<p><a class="button" href="/account">Create a free account</a></p>
<h2>How to get Pro</h2><p>${site.proOffer ?? 'The operator of this installation gives Pro to an account and decides what it costs. Ask the person who gave you the address of this site.'}</p></section>`,
    }),
  )
}
