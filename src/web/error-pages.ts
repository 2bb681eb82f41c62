// Refusals as pages: for our own pages always, for everything else outside /api when a browser asks for HTML.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../contract/errors.ts'
import { html } from './html.ts'
import { sendPage, viewingOf } from './send-page.ts'
import { documentOf, type Page } from './shell.ts'
import type { Site } from './site.ts'

export const answerPageError =
  (site: Site) =>
  async (thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const error = refusalOf(thrown)
    if (error.status >= 500) request.log.error({ err: thrown, req: request }, 'page failed')
    if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter)
    return sendPage(site, request, reply, errorPage(error.status, error.message, request.url))
  }

/** An answer of the API's own handlers to a browser that wandered off: the same status, as a page. */
export const errorPagesOutsideTheApi = (app: FastifyInstance, site: Site): void => {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode < 400 || !wantsPage(request) || !isJson(reply)) return done(null, payload)
    reply.type('text/html; charset=utf-8').removeHeader('content-length')
    reply.header('x-content-type-options', 'nosniff')
    reply.header(
      'content-security-policy',
      "default-src 'none'; style-src 'self'; font-src 'self'; script-src 'self'; img-src 'self'; frame-ancestors 'none'",
    )
    viewingOf(site, request).then(
      (view) => done(null, documentOf(site, errorPage(reply.statusCode, undefined, request.url), view)),
      (error: Error) => done(error),
    )
  })
}

const apart = /^\/(api|mcp|metrics|healthz|readyz|assets|openapi\.json)([/?]|$)/

const wantsPage = (request: FastifyRequest) =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  (request.headers.accept ?? '').includes('text/html') &&
  !apart.test(request.url)

const isJson = (reply: FastifyReply) => String(reply.getHeader('content-type') ?? '').startsWith('application/json')

const refusalOf = (thrown: unknown): ApiError => {
  if (thrown instanceof ApiError) return thrown
  const status = (thrown as { statusCode?: number }).statusCode
  if (status !== undefined && status >= 400 && status < 500)
    return new ApiError(status, 'bad_request', 'The page did not understand this request.')
  return new ApiError(500, 'internal_error', 'Something went wrong on our side. It has been noted.', { cause: thrown })
}

const titles: Record<number, string> = {
  404: 'Not on the map',
  429: 'A little slower, please',
  500: 'Something broke',
  503: 'Back in a moment',
}

export const errorPage = (status: number, message: string | undefined, url: string): Page => ({
  title: titles[status] ?? 'That did not work',
  description: 'An error page.',
  path: url.split('?')[0]!,
  private: true,
  status,
  body: html`<section class="error-page"><p class="kicker">${status}</p><h1>${titles[status] ?? 'That did not work'}</h1>
<p class="lede">${message ?? (status === 404 ? 'There is no page at this address.' : 'This request could not be answered.')}</p>
<p class="ways-on"><a class="button" href="/explore">Explore properties</a> <a href="/permits">Search permits</a> <a href="/docs">Read the docs</a></p></section>`,
})
