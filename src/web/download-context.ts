// Whose limits a download from a page has: those of the key that is sent, of the signed-in visitor's key, or of visitors.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../operations/context.ts'
import { plans, publicPageResults } from '../wire/plans.ts'
import { contextWith, signedInVisitor } from './account/visit.ts'
import { count } from './page-limit.ts'
import { contextOf, hasKey, type Site } from './site.ts'

/** As many rows a minute as with the demo key. */
export const downloadsPerMinute = Math.floor((plans.demo.maxResults * plans.demo.requestsPerMinute) / publicPageResults)

/** With a key, its plan decides how many rows and which dates, and the request counts as one of the key. */
export const downloadContext = async (site: Site, request: FastifyRequest, reply: FastifyReply): Promise<Context> => {
  reply.header('cache-control', 'private, no-store')
  const context = contextOf(site, request)
  if (hasKey(request)) return { ...context, caller: await request.server.authorizeRead(request, reply) }
  const chosen = (await signedInVisitor(site, request))?.chosen
  if (chosen) {
    const { caller } = contextWith(site, request, chosen)
    return { ...context, caller: await request.server.authorizeSignedIn(caller, reply) }
  }
  await count(site, `downloads:${context.caller.client}`, downloadsPerMinute, 'downloads without a key')
  return context
}
