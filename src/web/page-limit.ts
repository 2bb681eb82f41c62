// Rate limit for pages, per client IP address. Tiles and map moves are counted apart from pages.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { tooManyRequests } from '../common/errors.ts'
import { pagesPerMinute, type Site } from './site.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for a page route that is not rate limited. */
    unlimited?: boolean
    /** Counted under this name with this limit, instead of as a page. */
    ownLimit?: { bucket: string; perMinute: number }
  }
}

export const limitPages = (site: Site) => async (request: FastifyRequest, _reply: FastifyReply) => {
  const { unlimited, ownLimit } = request.routeOptions.config
  if (unlimited) return
  const client = site.clientOf(request.ip)
  const { bucket, perMinute } = ownLimit ?? { bucket: 'pages', perMinute: pagesPerMinute }
  await count(site, `${bucket}:${client}`, perMinute)
}

export const count = async ({ limits }: Site, bucket: string, limit: number, what?: string) => {
  const { allowed, resetMs } = await limits.hit(bucket, limit)
  if (!allowed) throw tooManyRequests(limit, resetMs, what)
}
