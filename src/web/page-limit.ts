// Rate limit for pages, per client IP address.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { tooManyRequests } from '../contract/errors.ts'
import { plans, publicPageResults } from '../contract/plans.ts'
import { pagesPerMinute, type Site } from './site.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for a page route that is not rate limited. */
    unlimited?: boolean
    /** Set for a route that hands out rows as data. */
    isDownload?: boolean
  }
}

export const limitPages = (site: Site) => async (request: FastifyRequest, _reply: FastifyReply) => {
  if (request.routeOptions.config.unlimited) return
  const client = site.clientOf(request.ip)
  await count(site, `pages:${client}`, pagesPerMinute)
  if (request.routeOptions.config.isDownload) await count(site, `downloads:${client}`, downloadsPerMinute)
}

/** As many rows a minute as with the demo key. */
export const downloadsPerMinute = Math.floor((plans.demo.maxResults * plans.demo.requestsPerMinute) / publicPageResults)

const count = async ({ limits }: Site, bucket: string, limit: number) => {
  const { allowed, resetMs } = await limits.hit(bucket, limit)
  if (!allowed) throw tooManyRequests(limit, Math.max(1, Math.ceil(resetMs / 1000)))
}
