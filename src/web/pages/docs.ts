// The documentation: guides and methods from Markdown, the reference from the contract.
import type { FastifyInstance } from 'fastify'
import { notFound } from '../../contract/errors.ts'
import { modelAccuracy } from '../../operations/data-status.ts'
import { accuracyTables } from '../accuracy.ts'
import { type GuidePage, guideAt, guidePages } from '../docs/guide.ts'
import { referenceBody } from '../docs/reference.ts'
import { type Html, html } from '../html.ts'
import { sendPage } from '../send-page.ts'
import type { Page } from '../shell.ts'
import type { Site } from '../site.ts'

export const mountDocs = (app: FastifyInstance, site: Site): void => {
  const { services } = site

  const guide = async (path: string): Promise<Page> => {
    const found = guideAt(path, services.publicUrl)
    if (!found) throw notFound('There is no such page in the documentation.')
    const { page, content } = found
    const extra =
      page.path === '/docs/webhooks' ? signatureChecker : page.section === 'methods' ? await accuracyOf(site, page) : ''
    return {
      title: page.title,
      description: page.summary,
      path,
      script: page.path === '/docs/webhooks' ? 'signature' : undefined,
      body: docsLayout(path, html`${content.body}${extra}`),
    }
  }

  app.get('/docs', async (request, reply) => sendPage(site, request, reply, await guide('/docs')))
  app.get('/docs/reference', async (request, reply) =>
    sendPage(site, request, reply, {
      title: 'API reference',
      description: 'Every operation of the Lotline API with its inputs, answer, limits and errors.',
      path: '/docs/reference',
      body: docsLayout('/docs/reference', referenceBody(services.publicUrl)),
    }),
  )
  app.get('/docs/methods', async (request, reply) =>
    sendPage(site, request, reply, {
      title: 'Methods',
      description: 'How each score is worked out, with its formula and its measured accuracy.',
      path: '/docs/methods',
      body: docsLayout(
        '/docs/methods',
        html`<h1>Methods</h1><p class="lede">How each number is worked out, what it rests on, and how well it has done when put to the test.</p>
<dl class="method-list">${methods().map(({ path, title, summary }) => html`<div><dt><a href="${path}">${title}</a></dt><dd>${summary}</dd></div>`)}</dl>
${(await modelAccuracy(services)).length > 0 ? html`<p><a href="/coverage#accuracy">All measured accuracy</a></p>` : ''}`,
      ),
    }),
  )
  app.get('/docs/:name', async (request, reply) =>
    sendPage(site, request, reply, await guide(`/docs/${(request.params as { name: string }).name}`)),
  )
  for (const section of ['methods', 'research'])
    app.get(`/docs/${section}/:name`, async (request, reply) =>
      sendPage(site, request, reply, await guide(`/docs/${section}/${(request.params as { name: string }).name}`)),
    )
}

const methods = () => guidePages().filter(({ section }) => section === 'methods')

const docsLayout = (path: string, body: Html): Html => {
  const link = (href: string, name: string) =>
    html`<li><a href="${href}"${path === href ? html` aria-current="page"` : ''}>${name}</a></li>`
  const guides = guidePages().filter(({ section }) => section === 'guide')
  return html`<div class="docs"><nav class="docs-nav" aria-label="Documentation">
<ul>${guides.map((page: GuidePage) => link(page.path, page.title))}${link('/docs/reference', 'API reference')}</ul>
<h2>Methods</h2><ul>${link('/docs/methods', 'Overview')}${methods().map((page) => link(page.path, page.title))}</ul></nav>
<div class="docs-body">${body}</div></div>`
}

/** The figures measured for the model a method page is about: their names share a word. */
const accuracyOf = async ({ services }: Site, page: GuidePage): Promise<Html | ''> => {
  const name = page.path.split('/').at(-1)!
  const key = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')
  const figures = (await modelAccuracy(services)).filter(
    (figure) => key(figure.name).includes(key(name)) || key(name).includes(key(figure.name)),
  )
  if (figures.length === 0) return ''
  return html`<h2>Measured accuracy here</h2>${accuracyTables(figures)}`
}

const signatureChecker = html`<h2 id="signature-checker">Signature checker</h2>
<p>Paste a delivery to see whether its signature is right. Nothing leaves this page.</p>
<form class="signature" data-signature>
<label>Signing secret<input name="secret" autocomplete="off" spellcheck="false" placeholder="whsec_…"></label>
<label>Raw body<textarea name="body" rows="5" spellcheck="false"></textarea></label>
<label>X-Service-Signature<input name="signature" autocomplete="off" spellcheck="false" placeholder="sha256=…"></label>
<button class="button" disabled>Check</button><output data-verdict aria-live="polite"></output></form>
<noscript><p class="note">The checker needs JavaScript; the code above does not.</p></noscript>`
