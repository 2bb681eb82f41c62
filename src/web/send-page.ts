// From what a page says to the bytes a browser gets.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sampleLoaded } from '../store/properties/site-index.ts'
import { documentOf, type Page, type Viewing } from './shell.ts'
import type { Site } from './site.ts'

export const sendPage = async (
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page,
): Promise<FastifyReply> => {
  const view = await viewing(site, request)
  // A page that shows a key has said already that it is not to be kept at all.
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache')
  // Looks again by itself while there is little to see; never a page that answers a form.
  if (view.notice === 'loading' && request.method === 'GET') reply.header('refresh', '5')
  return reply
    .code(page.status ?? 200)
    .type('text/html; charset=utf-8')
    .send(documentOf(site, page, view))
}

export const viewing = async (site: Site, request: FastifyRequest): Promise<Viewing> => {
  const theme = /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(request.headers.cookie ?? '')?.[1]
  return { notice: await noticeOf(site), theme: theme as Viewing['theme'], url: request.url }
}

const noticeKeptMs = 30_000
const notices = new WeakMap<object, { at: number; notice: Viewing['notice'] }>()

/** On every page and hardly ever different, so looked up once in a while. A page still shows when the store does not. */
const noticeOf = async ({ services: { db }, loading }: Site): Promise<Viewing['notice']> => {
  const known = notices.get(db)
  if (known && performance.now() - known.at < noticeKeptMs) return known.notice
  try {
    if (await loading?.()) return 'loading'
    const notice = (await sampleLoaded(db)) ? 'sample' : undefined
    notices.set(db, { at: performance.now(), notice })
    return notice
  } catch {
    return known?.notice
  }
}
