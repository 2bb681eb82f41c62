// Errors as pages: always for our page routes, and elsewhere outside /api when a browser asks for HTML.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, diskFull, tooSlow } from '../common/errors.ts'
import { isDatabaseUnavailable, isDiskFull, isStatementTimeout } from '../operations/data-status.ts'
import { type Html, html } from './html.ts'
import { formOf } from './query.ts'
import { sendPage, viewOf } from './send-page.ts'
import { documentOf, type Page } from './shell.ts'
import type { Site } from './site.ts'

export const handlePageError =
  (site: Site) =>
  async (thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const error = apiErrorOf(thrown)
    // Not logged: a 503 without a cause is overload, which logging would add to, and a query canceled by a disconnect.
    const expected = error.status === 503 && (error.cause === undefined || reply.raw.destroyed)
    if (error.status >= 500 && !expected) request.log.error({ err: thrown, req: request }, 'page failed')
    if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter)
    return sendPage(
      site,
      request,
      reply,
      errorPage(error.status, error.message, request.url, retryOf(request, error.status)),
    )
  }

/** Turns a JSON error outside /api into a page with the same status when a browser asked for it. */
export const errorPagesOutsideApi = (app: FastifyInstance, site: Site): void => {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode < 400 || !wantsPage(request) || !isJson(reply)) return done(null, payload)
    reply.type('text/html; charset=utf-8').removeHeader('content-length')
    reply.header(
      'content-security-policy',
      "default-src 'none'; style-src 'self'; font-src 'self'; script-src 'self'; img-src 'self'; frame-ancestors 'none'",
    )
    viewOf(site, request, reply.statusCode).then(
      (view) => done(null, documentOf(site, errorPage(reply.statusCode, undefined, request.url), view)),
      (error: Error) => done(error),
    )
  })
}

const alwaysJson = /^\/(api|mcp|metrics|healthz|readyz|assets|openapi\.json)([/?]|$)/

const wantsPage = (request: FastifyRequest) =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  (request.headers.accept ?? '').includes('text/html') &&
  !alwaysJson.test(request.url)

const isJson = (reply: FastifyReply) => String(reply.getHeader('content-type') ?? '').startsWith('application/json')

const apiErrorOf = (thrown: unknown): ApiError => {
  if (thrown instanceof ApiError) return thrown
  if (isDiskFull(thrown)) return diskFull(thrown)
  if (isStatementTimeout(thrown)) return tooSlow(thrown)
  if (isDatabaseUnavailable(thrown))
    return new ApiError(503, 'The data could not be read in time. Try again in a few seconds.', {
      retryAfter: 2,
      cause: thrown,
    })
  const status = (thrown as { statusCode?: number }).statusCode
  if (status !== undefined && status >= 400 && status < 500)
    return new ApiError(status, 'The server could not read this request. Go back and try again.')
  return new ApiError(500, 'Something went wrong on our side. The error was logged; try again.', {
    cause: thrown,
  })
}

const titles: Record<number, string> = {
  400: 'Bad request',
  404: 'Page not found',
  429: 'Too many requests',
  500: 'Server error',
  503: 'Temporarily unavailable',
}

/** Fields that a person types, with their names on the page. All others of a form are sent again as they were. */
const typedFields: ReadonlyMap<string, string> = new Map([
  ['name', 'Name'],
  ['note', 'Note'],
  ['email', 'Email'],
])

/** Sends what failed again. A form keeps what was typed: pages with a form are not stored, so that “Back” would open it empty. */
const retryOf = (request: FastifyRequest, status: number): Html | undefined => {
  // Never the address of another host.
  const url = `/${request.url.replace(/^[/\\]+/, '')}`
  if (request.method === 'GET')
    return status === 429 || status >= 500 ? html`<a class="button" href="${url}">Try again</a>` : undefined
  const fields = Object.entries(formOf(request)).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  // A key is not written into a page, and a file is not kept.
  if (
    fields.length !== Object.keys(formOf(request)).length ||
    fields.length === 0 ||
    url.startsWith('/account/sign-in')
  )
    return undefined
  return html`<form class="watch-form" method="post" action="${url}">${fields.map(([name = '', value]) =>
    typedFields.has(name)
      ? html`<label>${typedFields.get(name)}<textarea name="${name}" rows="${name === 'note' ? 4 : 1}">${value}</textarea></label>`
      : html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button class="button">Try again</button></form>`
}

const errorPage = (status: number, message: string | undefined, url: string, retry?: Html): Page => {
  const title = titles[status] ?? 'This request failed'
  return {
    title,
    description: 'An error page.',
    path: url.split('?')[0]!,
    private: true,
    status,
    body: html`<section class="error-page"><p class="kicker">Error ${status}</p><h1>${title}</h1>
<p class="lede">${message ?? (status === 404 ? 'There is no page at this URL.' : 'The server could not handle this request.')}</p>
${retry && html`<div class="retry">${retry}</div>`}
<p class="next-steps"><a class="button${retry ? ' quiet' : ''}" href="/explore">Explore properties</a> <a href="/permits">Search permits</a> <a href="/docs">Read the docs</a></p></section>`,
  }
}
