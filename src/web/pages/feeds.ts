// Atom feeds of watches. The token in the URL is the only credential, so nothing on the way may keep the answer or pass the URL on.
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { notFound } from '../../common/errors.ts'
import { watchFeed } from '../../watches/feed.ts'
import { type Site, servicesOf } from '../site.ts'

const feedsPerMinute = 60

export const mountFeeds = (app: FastifyInstance, site: Site): void => {
  const config = { ownLimit: { bucket: 'feeds', perMinute: feedsPerMinute } }
  app.get<{ Params: { file: string } }>('/feeds/:file', { config }, async (request, reply) => {
    reply
      .header('cache-control', 'private, no-cache')
      .header('x-robots-tag', 'noindex')
      .header('referrer-policy', 'no-referrer')
    const token = /^([0-9A-Za-z]{22,64})\.atom$/.exec(request.params.file)?.[1]
    const feed = token && (await watchFeed(servicesOf(site, request), token, site.clock()))
    if (!feed) throw notFound('There is no such feed. Its watch may have been deleted, or its URL replaced.')
    const etag = `"${createHash('sha256').update(feed).digest('base64url').slice(0, 22)}"`
    reply.header('etag', etag)
    if (request.headers['if-none-match']?.split(/\s*,\s*/).some((each) => each.replace(/^W\//, '') === etag))
      return reply.code(304).send()
    return reply.type('application/atom+xml; charset=utf-8').send(feed)
  })
}
