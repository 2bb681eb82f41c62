// Mounts static files and pages on a Fastify app. The hooks of the pages do not apply to /api.
import fastifyHelmet from '@fastify/helmet'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { badRequest } from '../common/errors.ts'
import { assetsPrefix, readAssets } from './assets.ts'
import { builtDir } from './build-browser.ts'
import { compressText } from './compress.ts'
import { errorPagesOutsideApi, handlePageError } from './error-pages.ts'
import { noticeReader } from './notice.ts'
import { limitPages } from './page-limit.ts'
import { pageTable } from './page-table.ts'
import { mountFeeds } from './pages/feeds.ts'
import { mountSignUp } from './pages/sign-up.ts'
import { mountSiteFiles } from './pages/site-files.ts'
import { securityHeaders } from './security-headers.ts'
import { mountDownloads } from './served-packages.ts'
import type { PageOptions, Site } from './site.ts'
import { mountTiles } from './tiles/mount-tiles.ts'
import { mountPmtiles } from './tiles/pmtiles-file.ts'

/** Call `buildBrowser` first: the built files are read from `browserDir`. */
export const mountPages = (app: FastifyInstance, options: PageOptions & { browserDir?: string }): void => {
  const { browserDir = builtDir, clock = () => new Date(), loading, ...rest } = options
  const site: Site = {
    ...rest,
    clock,
    assets: readAssets(browserDir),
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
