// Sends a page as HTML.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { formToken } from './account/session-cookie.ts'
import { numbersOfVisitor } from './account/visit.ts'
import { type Html, textOf } from './html.ts'
import { documentOf, type Page, type PageView } from './shell.ts'
import type { Site } from './site.ts'

export const sendPage = async (
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page,
): Promise<FastifyReply> => {
  const view = await viewOf(site, request, page.status)
  const numbers = page.status === undefined || page.status < 500 ? await switchOf(site, request, reply) : undefined
  // A page that shows an API key has already set `no-store`. A page with own numbers must not stay behind after sign-out.
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', `private, ${numbers ? 'no-store' : 'no-cache'}`)
  // Reloads while the sample data is loading, but never resubmits a form.
  if (view.notice?.kind === 'loading' && request.method === 'GET') reply.header('refresh', '5')
  return reply
    .code(page.status ?? 200)
    .type('text/html; charset=utf-8')
    .send(documentOf(site, page, { ...view, numbers }))
}

/** A part of a page, for the script that asked for it. */
export const sendPart = (reply: FastifyReply, part: Html): FastifyReply =>
  reply.header('cache-control', 'private, no-store').type('text/html; charset=utf-8').send(textOf(part))

/** The choice of numbers for the header. A page is served without it when the look-up fails. */
const switchOf = async (site: Site, request: FastifyRequest, reply: FastifyReply): Promise<PageView['numbers']> => {
  // A page that answers a form has no URL to come back to.
  if (request.method !== 'GET') return undefined
  const mine = await numbersOfVisitor(site, request).catch(() => undefined)
  if (!mine || mine.sets.length === 0) return undefined
  return { sets: mine.sets, used: mine.used?.id, token: formToken(site, request, reply) }
}

/**
 * What differs between two requests for the same page: the notice, the theme and the URL. An error page of the server has no
 * notice, because that takes a query.
 */
export const viewOf = async (site: Site, request: FastifyRequest, status = 200): Promise<PageView> => {
  const cookies = request.headers.cookie ?? ''
  const theme = /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(cookies)?.[1] as PageView['theme']
  const notice = status < 500 ? await site.notice() : undefined
  const noticeClosed = notice?.kind === 'sample' && /(?:^|;\s*)notice=closed(?:;|$)/.test(cookies)
  return { notice, noticeClosed, theme, url: request.url }
}
