// Rate limit for pages, per client IP address.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { tooManyRequests } from '../contract/errors.ts'
import { pagesPerMinute, type Site } from './site.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for a page route that is not rate limited. */
    unlimited?: boolean
  }
}

export const limitPages = (site: Site) => async (request: FastifyRequest, _reply: FastifyReply) => {
  if (request.routeOptions.config.unlimited) return
  const counted = await site.limits.hit(`pages:${site.clientOf(request.ip)}`, pagesPerMinute)
  if (!counted.allowed) throw tooManyRequests(pagesPerMinute, Math.max(1, Math.ceil(counted.resetMs / 1000)))
}
