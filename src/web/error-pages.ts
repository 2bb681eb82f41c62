// Errors as pages: always for our page routes, and elsewhere outside /api when a browser asks for HTML.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../common/errors.ts'
import { isDatabaseUnavailable } from '../operations/data-status.ts'
import { html } from './html.ts'
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
    return sendPage(site, request, reply, errorPage(error.status, error.message, request.url))
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
  if (isDatabaseUnavailable(thrown))
    return new ApiError(503, 'internal_error', databaseBusy, { retryAfter: 2, cause: thrown })
  const status = (thrown as { statusCode?: number }).statusCode
  if (status !== undefined && status >= 400 && status < 500)
    return new ApiError(status, 'bad_request', 'The server could not read this request. Go back and try again.')
  return new ApiError(500, 'internal_error', 'Something went wrong on our side. The error was logged; try again.', {
    cause: thrown,
  })
}

const databaseBusy = 'The data could not be read in time. Try again in a few seconds, or ask for less at once.'

const titles: Record<number, string> = {
  400: 'Bad request',
  404: 'Page not found',
  429: 'Too many requests',
  500: 'Server error',
  503: 'Temporarily unavailable',
}

const errorPage = (status: number, message: string | undefined, url: string): Page => {
  const title = titles[status] ?? 'This request failed'
  return {
    title,
    description: 'An error page.',
    path: url.split('?')[0]!,
    private: true,
    status,
    body: html`<section class="error-page"><p class="kicker">Error ${status}</p><h1>${title}</h1>
<p class="lede">${message ?? (status === 404 ? 'There is no page at this URL.' : 'The server could not handle this request.')}</p>
<p class="next-steps"><a class="button" href="/explore">Explore properties</a> <a href="/permits">Search permits</a> <a href="/docs">Read the docs</a></p></section>`,
  }
}
