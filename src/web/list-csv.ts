// The CSV of a list. It has the limits of the key that is sent, of the signed-in visitor's key, or of visitors.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { csvOf } from '../common/csv.ts'
import type { Context } from '../operations/context.ts'
import { plans, publicPageResults, windowStart } from '../wire/plans.ts'
import { contextWith, signedInVisitor } from './account/visit.ts'
import { type Html, html } from './html.ts'
import { count } from './page-limit.ts'
import { pathWithQuery } from './query.ts'
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

interface Part {
  offset: number | undefined
  shown: number
  total: number
  /** The rows are counted up to `total` only. */
  capped?: boolean | undefined
}

const isWhole = ({ shown, total }: Part): boolean => shown >= total

/** Visitors and keys get one page, so the link to a longer list states its limit and names the way to all rows. */
export const csvLink = (path: string, params: Parameters<typeof pathWithQuery>[1], part: Part): Html | '' =>
  part.shown === 0
    ? ''
    : html`<a href="${pathWithQuery(path, { ...params, offset: part.offset || undefined })}" download>CSV</a>${isWhole(part) ? '' : html` (up to ${publicPageResults} rows, ${plans.pro.maxResults} with <a href="/plans">Pro</a>)`}`

/** The name of the file says which rows it has, if not all: of a signed-in key with a history window fewer than the page shows. */
export const sendCsv = <Row>(
  reply: FastifyReply,
  { caller, now }: Pick<Context, 'caller' | 'now'>,
  name: string,
  columns: readonly (keyof Row & string)[],
  rows: readonly Row[],
  { offset = 0, total, capped = false }: Omit<Part, 'shown'>,
): FastifyReply => {
  const part = isWhole({ offset, shown: rows.length, total })
    ? ''
    : `-${offset + 1}-${offset + rows.length}${capped ? '' : `-of-${total}`}`
  const since = windowStart(caller.limits, now)
  const window = since === undefined ? '' : `-since-${since}`
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}${window}${rows.length > 0 ? part : ''}.csv"`)
    .send(csvOf(columns, rows))
}
