// Sends a page as HTML.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { documentOf, type Page, type PageView } from './shell.ts'
import type { Site } from './site.ts'

export const sendPage = async (
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page,
): Promise<FastifyReply> => {
  const view = await viewOf(site, request, page.status)
  // A page that shows an API key has already set `no-store`.
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache')
  // Reloads while the sample data is loading, but never resubmits a form.
  if (view.notice === 'loading' && request.method === 'GET') reply.header('refresh', '5')
  return reply
    .code(page.status ?? 200)
    .type('text/html; charset=utf-8')
    .send(documentOf(site, page, view))
}

/**
 * What differs between two requests for the same page: the notice, the theme and the URL. An error page of the server has no
 * notice, because that takes a query.
 */
export const viewOf = async (site: Site, request: FastifyRequest, status = 200): Promise<PageView> => {
  const cookies = request.headers.cookie ?? ''
  const theme = /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(cookies)?.[1] as PageView['theme']
  const notice = status < 500 ? await site.notice() : undefined
  const noticeClosed = notice === 'sample' && /(?:^|;\s*)notice=closed(?:;|$)/.test(cookies)
  return { notice, noticeClosed, theme, url: request.url }
}
