// The documentation: guides and methods from Markdown files, the API reference from the contract.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../common/errors.ts'
import { modelAccuracy } from '../../operations/data-status.ts'
import { accuracyTables } from '../accuracy.ts'
import { type DocsMatch, searchDocs } from '../browser/docs-search.ts'
import { type GuidePage, guideAt, guidePages } from '../docs/guide.ts'
import {
  criteriaList,
  eventsBody,
  eventsPath,
  referenceBody,
  referenceIndex,
  referencePages,
} from '../docs/reference.ts'
import { docsSections } from '../docs/search-index.ts'
import { type Html, html } from '../html.ts'
import { queryOf, textIn } from '../query.ts'
import { sendPage } from '../send-page.ts'
import type { Page } from '../shell.ts'
import type { Site } from '../site.ts'

export const mountDocs = (app: FastifyInstance, site: Site): void => {
  const { services } = site

  const show = (request: FastifyRequest, reply: FastifyReply, page: Page, query?: string) =>
    sendPage(site, request, reply, {
      ...{ script: 'docs', ...page, hasContentId: true },
      body: docsLayout(page.path, page.body, query),
    })

  const guide = async (path: string): Promise<Page> => {
    const found = guideAt(path, services.publicUrl)
    if (!found) throw notFound('There is no documentation page at this URL.')
    const { page, content } = found
    const extra = page.section === 'methods' ? await accuracyOf(site, page) : additions[path]?.()
    return {
      title: page.title,
      description: page.summary,
      path,
      script: path === '/docs/webhooks' ? ['docs', 'signature'] : 'docs',
      body: html`${content.body}${extra}`,
    }
  }

  app.get('/docs', async (request, reply) => show(request, reply, await guide('/docs')))
  app.get('/docs/reference', async (request, reply) =>
    show(request, reply, {
      title: 'API reference',
      description: 'Every operation of the Lotline API with its parameters, response, limits and errors.',
      path: '/docs/reference',
      body: referenceIndex(services.publicUrl),
    }),
  )
  app.get<{ Params: { tag: string } }>('/docs/reference/:tag', async (request, reply) => {
    const path = `/docs/reference/${request.params.tag}`
    const page = referencePages().find((each) => each.path === path)
    if (!page && path !== eventsPath) throw notFound('There is no documentation page at this URL.')
    return show(request, reply, {
      title: `API reference: ${page?.title ?? 'webhook events'}`,
      description: page
        ? `${page.operations.map(({ title }) => title).join(', ')}: parameters, response, errors and examples.`
        : 'The bodies that webhooks deliver, with their fields and an example each.',
      path,
      layout: 'wide',
      body: page ? referenceBody(page, services.publicUrl) : eventsBody(),
    })
  })
  app.get('/docs/search', async (request, reply) => {
    const query = textIn(queryOf(request), 'q') ?? ''
    const page = {
      title: query ? `Search: ${query}` : 'Search the documentation',
      description: 'Search guides, methods and the API reference.',
      path: '/docs/search',
      private: true,
      body: searchResults(query, searchDocs(docsSections(), query)),
    }
    return show(request, reply, page, query)
  })
  app.get('/docs/search-index.json', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=600').send(docsSections()),
  )
  app.get('/docs/methods', async (request, reply) =>
    show(request, reply, {
      title: 'Methods',
      description: 'How each score is computed, with its formula and measured accuracy.',
      path: '/docs/methods',
      body: html`<h1>Methods</h1><p class="lede">How each number is computed, which data it uses, and how accurate it is.</p>
<dl class="method-list">${methods().map(({ path, title, summary }) => html`<div><dt><a href="${path}">${title}</a></dt><dd>${summary}</dd></div>`)}</dl>
${(await modelAccuracy(services.db)).length > 0 ? html`<p><a href="/coverage#accuracy">Accuracy of all models</a></p>` : ''}`,
    }),
  )
  app.get<{ Params: { name: string } }>('/docs/:name', async (request, reply) =>
    show(request, reply, await guide(`/docs/${request.params.name}`)),
  )
  for (const section of ['methods', 'research'])
    app.get<{ Params: { name: string } }>(`/docs/${section}/:name`, async (request, reply) =>
      show(request, reply, await guide(`/docs/${section}/${request.params.name}`)),
    )
}

/** What the program itself adds to a guide. */
const additions: Readonly<Record<string, () => Html>> = {
  '/docs/webhooks': () => signatureChecker,
  '/docs/criteria': criteriaList,
}

const methods = () => guidePages().filter(({ section }) => section === 'methods')

const searchResults = (query: string, matches: readonly DocsMatch[]): Html => html`<h1>Search the documentation</h1>
${query === '' ? html`<p>Enter one or more words, for example “rate limit” or “lot split”.</p>` : html`<p role="status">${statusOf(query, matches)}</p>`}
<ol class="docs-results">${matches.map(({ page, heading, url, excerpt }) => html`<li><a href="${url}">${heading ?? page}</a>${heading ? html` <small>${page}</small>` : ''}<p>${excerpt}</p></li>`)}</ol>`

const statusOf = (query: string, matches: readonly DocsMatch[]): Html => {
  if (matches.length === 0) return html`No section contains the words “${query}”. Try other words.`
  if (matches[0]!.missing > 0) return html`No section contains all words of “${query}”. These contain some of them:`
  return html`${matches.length} ${matches.length === 1 ? 'section' : 'sections'} for “${query}”`
}

const docsLayout = (path: string, body: Html, query = ''): Html => {
  const link = (href: string, name: string) =>
    html`<li><a href="${href}"${path === href ? html` aria-current="page"` : ''}>${name}</a></li>`
  const guides = guidePages().filter(({ section }) => section === 'guide')
  return html`<div class="docs${path.startsWith('/docs/reference/') ? ' reference' : ''}"><div class="docs-side"><form class="docs-search" role="search" aria-label="Documentation" action="/docs/search" data-docs-search><label class="visually-hidden" for="docs-q">Search the documentation</label><input id="docs-q" type="search" name="q" value="${query}" placeholder="Search docs" autocomplete="off" aria-keyshortcuts="/"><ul data-suggestions hidden></ul></form>
<nav class="docs-nav" aria-label="Documentation">
<ul>${guides.map((page: GuidePage) => link(page.path, page.title))}${link('/docs/reference', 'API reference')}</ul>
${path.startsWith('/docs/reference') ? html`<h2>Reference</h2><ul>${referencePages().map((page) => html`${link(page.path, page.title)}${page.path === path ? html`<li><ul>${page.operations.map(({ name, title }) => html`<li><a href="#${name}">${title}</a></li>`)}</ul></li>` : ''}`)}${link(eventsPath, 'Webhook events')}</ul>` : ''}
<h2>Methods</h2><ul>${link('/docs/methods', 'Overview')}${methods().map((page) => link(page.path, page.title))}</ul></nav></div>
<div class="docs-body" id="content">${body}</div></div>`
}

/** Accuracy of the model that a method page describes, matched by name. */
const accuracyOf = async ({ services }: Site, page: GuidePage): Promise<Html | ''> => {
  const name = page.path.split('/').at(-1)!
  const key = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')
  const figures = (await modelAccuracy(services.db)).filter(
    (figure) => key(figure.name).includes(key(name)) || key(name).includes(key(figure.name)),
  )
  if (figures.length === 0) return ''
  return html`<h2>Measured accuracy</h2>${accuracyTables(figures)}`
}

const signatureChecker = html`<h2 id="signature-checker">Signature checker</h2>
<p>Paste a delivery to check its signature. The check runs in your browser; nothing is sent.</p>
<form class="signature" data-signature>
<label>Signing secret<input name="secret" autocomplete="off" spellcheck="false" placeholder="whsec_…"></label>
<label>Raw request body<textarea name="body" rows="5" spellcheck="false"></textarea></label>
<label>X-Service-Signature header<input name="signature" autocomplete="off" spellcheck="false" placeholder="sha256=…"></label>
<button class="button" disabled>Check signature</button><output data-result aria-live="polite"></output></form>
<noscript><p class="note">The signature checker needs JavaScript.</p></noscript>`
