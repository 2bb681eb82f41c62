// What every page handler receives, and the caller that pages read data as: public, 25 rows per page, full history.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Caller, type Context, callerOf, type Services } from '../operations/context.ts'
import { publicPageResults } from '../wire/plans.ts'
import type { Assets } from './assets.ts'
import type { Notice } from './notice.ts'
import { queryOf } from './query.ts'

export interface LimitResult {
  allowed: boolean
  remaining: number
  resetMs: number
}

export interface PageOptions {
  services: Services
  /** Shared with the API, so that several processes count together. */
  limits: { hit(bucket: string, limit: number): LimitResult | Promise<LimitResult> }
  /** The name under which an IP address is rate limited. */
  clientOf: (address: string) => string
  /** True until the sample data is loaded and assessed. Rejects when the database does not answer. */
  loading?: () => Promise<boolean>
  /** False when mail is only written to a folder, so that no page promises an email. */
  sendsMail: boolean
  /** URL of a MapLibre style that replaces our own base map. */
  mapStyleUrl?: string
  /** A PMTiles file with the base map. */
  mapPmtiles?: string
  /** An aerial layer for Explore; `url` has {z}, {x} and {y}. */
  mapAerial?: { url: string; attribution: string }
  /** Hosts from which pages load listing photos; `*.example.com` means its subdomains. */
  photoHosts?: readonly string[]
  /** What Pro costs and how to get it, for the page of the plans. */
  proOffer?: string
  clock?: () => Date
}

/** A page, or a family of pages under one path. */
export interface PageRow {
  /** The page itself, or the first page of the family. */
  path: string
  /** Its name in the navigation, if it is there. */
  navigation?: string
  /** True for a page that search engines may list; the paths of a family. */
  sitemap?: true | (() => readonly string[])
  /** What it shows, for the pages that llms.txt lists. Those have a name in the navigation. */
  summary?: string
  mount: (app: FastifyInstance, site: Site) => void
}

export interface Site extends Omit<PageOptions, 'clock' | 'loading'> {
  assets: Assets
  pages: readonly PageRow[]
  clock: () => Date
  notice: () => Promise<Notice>
}

export const pagesPerMinute = 60

/** Queries are canceled when the page times out or its visitor disconnects. */
export const servicesOf = (site: Site, request: FastifyRequest): Services => ({ ...site.services, db: request.db! })

export const contextOf = (site: Site, request: FastifyRequest): Context => ({
  ...servicesOf(site, request),
  now: site.clock(),
  surface: 'page',
  caller: publicCaller(site.clientOf(request.ip)),
})

/** True if the request has an API key. The API reads the key itself. */
export const hasKey = (request: FastifyRequest): boolean =>
  request.headers['x-api-key'] !== undefined ||
  /^Bearer /i.test(request.headers.authorization ?? '') ||
  queryOf(request).apiKey !== undefined

const publicCaller = (client: string): Caller => {
  const limits = { requestsPerMinute: pagesPerMinute, historyDays: null, webhooks: false }
  return callerOf('demo', { maxResults: publicPageResults, ...limits }, client)
}
