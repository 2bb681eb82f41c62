// Mounts static files and pages on a Fastify app. The hooks of the pages do not apply to /api.

import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import fastifyHelmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { badRequest } from '../common/errors.ts'
import { keysOf } from '../common/typed.ts'
import { assetsPrefix, readAssets } from './assets.ts'
import { builtDir } from './build-browser.ts'
import { errorPagesOutsideApi, handlePageError } from './error-pages.ts'
import { noticeReader } from './notice.ts'
import { limitPages } from './page-limit.ts'
import { pageTable } from './page-table.ts'
import { mountFeeds } from './pages/feeds.ts'
import { mountSignUp } from './pages/sign-up.ts'
import { mountSiteFiles } from './pages/site-files.ts'
import { mountDownloads } from './served-packages.ts'
import type { PageOptions, Site } from './site.ts'
import { mountTiles } from './tiles/mount-tiles.ts'
import { mountPmtiles } from './tiles/pmtiles-file.ts'

/** Call `buildBrowser` first: the built files are read from `builtDir`. */
export const mountPages = (app: FastifyInstance, options: PageOptions): void => {
  const { clock = () => new Date(), loading, ...rest } = options
  const site: Site = {
    ...rest,
    clock,
    assets: readAssets(builtDir),
    pages: pageTable,
    notice: noticeReader(rest.services, loading),
  }

  app.register(async (files) => {
    files.addHook('onRoute', (route) => {
      route.config = { ...route.config, needsNoSlot: true }
    })
    await files.register(fastifyStatic, {
      root: site.assets.dir,
      prefix: `${assetsPrefix}/`,
      preCompressed: true,
      // Each file name contains a hash of the content.
      immutable: true,
      maxAge: '365d',
      index: false,
      decorateReply: false,
    })
  })

  mountDownloads(app)

  app.register(async (pages) => {
    await pages.register(fastifyHelmet, securityHeaders(site))
    pages.addHook('onRequest', limitPages(site))
    pages.addHook('onSend', compressText)
    pages.setErrorHandler(handlePageError(site))
    acceptForms(pages)
    for (const mount of [...pageTable.map((row) => row.mount), ...otherMounts]) mount(pages, site)
  })

  errorPagesOutsideApi(app, site)
}

/** Files and forms that are no pages. */
const otherMounts = [mountSignUp, mountTiles, mountPmtiles, mountFeeds, mountSiteFiles]

/** More than any form has. */
const maxFields = 300

const acceptForms = (pages: FastifyInstance) => {
  pages.removeAllContentTypeParsers()
  pages.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )
  // Once the request has a slot.
  pages.addHook('preHandler', async (request) => {
    if (typeof request.body !== 'string') return
    if (request.body.split('&', maxFields + 1).length > maxFields)
      throw badRequest(`A form has at most ${maxFields} fields. Go back, reload the page and try again.`)
    request.body = Object.fromEntries(new URLSearchParams(request.body))
  })
}

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

const encoders = {
  // Quality 5 takes about 1 ms for our largest page; higher qualities take longer than they save in transfer.
  br: (text: string) => toBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (text: string) => toGzip(text),
}
/** Preferred first: used when the client accepts several equally. */
const encodings = keysOf(encoders)

/** A smaller body fits into one packet with its headers, so compressing it gains nothing. */
const minLength = 1_000

const compressText = async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
  if (typeof payload !== 'string' || payload.length < minLength || reply.hasHeader('content-encoding')) return payload
  reply.header('vary', 'cookie, accept-encoding')
  const encoding = negotiate(request.headers['accept-encoding'] ?? '', encodings)
  if (!encoding) return payload
  reply.header('content-encoding', encoding).removeHeader('content-length')
  return encoders[encoding](payload)
}

const securityHeaders = ({ services, mapStyleUrl, mapAerial, photoHosts = [] }: Site): FastifyHelmetOptions => {
  // A custom map style loads tiles, glyphs and sprites from hosts that only the style document names.
  const mapHosts = [
    ...(mapStyleUrl ? ['https:', new URL(mapStyleUrl).origin] : []),
    ...(mapAerial ? [new URL(mapAerial.url).origin] : []),
  ]
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        fontSrc: ["'self'"],
        // The stylesheet of the map library contains its button images as data: URLs.
        imgSrc: ["'self'", 'data:', 'blob:', ...photoHosts.map((host) => `https://${host}`), ...mapHosts],
        connectSrc: ["'self'", ...mapHosts],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    xFrameOptions: { action: 'deny' },
    hsts: services.publicUrl.startsWith('https:') ? { maxAge: 31_536_000 } : false,
  }
}
