// Mounts static files and pages on a Fastify app. The hooks of the pages do not apply to /api.
import fastifyHelmet from '@fastify/helmet'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { mountAccount } from './account/mount-account.ts'
import { assetsPrefix, readAssets } from './assets.ts'
import { builtDir } from './build-browser.ts'
import { compressText } from './compress.ts'
import { errorPagesOutsideApi, handlePageError } from './error-pages.ts'
import { noticeReader } from './notice.ts'
import { limitPages } from './page-limit.ts'
import { mountBuilderPages } from './pages/builders.ts'
import { mountCoverage } from './pages/coverage.ts'
import { mountDocs } from './pages/docs.ts'
import { mountExplore } from './pages/explore.ts'
import { mountCompare } from './pages/explore-compare.ts'
import { mountFeeds } from './pages/feeds.ts'
import { mountFind } from './pages/find.ts'
import { mountHome } from './pages/home.ts'
import { mountLeads } from './pages/leads.ts'
import { mountMarkets } from './pages/markets.ts'
import { mountPermitPages } from './pages/permits.ts'
import { mountPlayground } from './pages/playground.ts'
import { mountProperty } from './pages/property.ts'
import { mountSignUp } from './pages/sign-up.ts'
import { mountSiteFiles } from './pages/site-files.ts'
import { mountSubscription } from './pages/subscription.ts'
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
    for (const mount of mounts) mount(pages, site)
  })

  errorPagesOutsideApi(app, site)
}

const mounts = [
  mountHome,
  mountSignUp,
  mountExplore,
  mountFind,
  mountCompare,
  mountTiles,
  mountPmtiles,
  mountProperty,
  mountLeads,
  mountMarkets,
  mountPermitPages,
  mountBuilderPages,
  mountPlayground,
  mountDocs,
  mountCoverage,
  mountSubscription,
  mountFeeds,
  mountAccount,
  mountSiteFiles,
]

const acceptForms = (pages: FastifyInstance) => {
  pages.removeAllContentTypeParsers()
  pages.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body as string))),
  )
}
