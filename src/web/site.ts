// What every page is made with, and how pages read: as a public caller, 25 rows a page, full history.
import type { FastifyRequest } from 'fastify'
import { publicPageResults } from '../contract/plans.ts'
import type { Caller, Context, Services } from '../operations/context.ts'
import type { Assets } from './assets.ts'

export interface Counted {
  allowed: boolean
  remaining: number
  resetMs: number
}

export interface PageOptions {
  services: Services
  /** Shared with the API, so that several processes count together. */
  limits: { hit(bucket: string, limit: number): Counted | Promise<Counted> }
  /** What a client's address is counted as. */
  clientOf: (address: string) => string
  /** True while there is little to see yet. Fails when the store does not answer: that is no loading. */
  loading?: () => Promise<boolean>
  /** False where mails are only written to a folder, so that no page promises one. */
  sendsMail: boolean
  /** A real base map in place of our own outlines. */
  mapStyleUrl?: string
  clock?: () => Date
}

export interface Site extends Omit<PageOptions, 'clock'> {
  assets: Assets
  clock: () => Date
}

export const pagesPerMinute = 60

export const contextOf = (site: Site, request: FastifyRequest): Context => ({
  ...site.services,
  now: site.clock(),
  caller: publicCaller(site.clientOf(request.ip)),
})

const publicCaller = (client: string): Caller => ({
  plan: 'demo',
  limits: { maxResults: publicPageResults, requestsPerMinute: pagesPerMinute, historyDays: null, webhooks: false },
  client,
  remaining: 0,
  windowResetsInSeconds: 0,
})
