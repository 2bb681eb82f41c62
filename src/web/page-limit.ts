// Sixty pages a minute and client address.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { tooManyRequests } from '../contract/errors.ts'
import { pagesPerMinute, type Site } from './site.ts'

export const limitPages = (site: Site) => async (request: FastifyRequest, _reply: FastifyReply) => {
  const counted = await site.limits.hit(`pages:${site.clientOf(request.ip)}`, pagesPerMinute)
  if (!counted.allowed) throw tooManyRequests(pagesPerMinute, Math.max(1, Math.ceil(counted.resetMs / 1000)))
}
