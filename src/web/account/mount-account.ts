// The account pages: sign-in, and the pages of the list below.
import type { FastifyInstance } from 'fastify'
import type { Site } from '../site.ts'
import { type AccountPage, mountAccountPages } from './account-page.ts'
import { assumptionSetsPage } from './assumption-sets-page.ts'
import { deletePage } from './delete-page.ts'
import { exportsPage } from './exports-page.ts'
import { keysPage } from './keys-page.ts'
import { overviewPage } from './overview-page.ts'
import { savedPage } from './saved-page.ts'
import { sessionsPage } from './sessions-page.ts'
import { mountSignIn } from './sign-in-pages.ts'
import { usagePage } from './usage-page.ts'
import { watchesPage } from './watches-page.ts'
import { webhooksPage } from './webhooks-page.ts'

/** In the order of the navigation. A new part of the account is one row. */
export const accountPages: readonly AccountPage[] = [
  overviewPage,
  savedPage,
  watchesPage,
  assumptionSetsPage,
  exportsPage,
  sessionsPage,
  deletePage,
  keysPage,
  usagePage,
  webhooksPage,
]

export const mountAccount = (app: FastifyInstance, site: Site): void => {
  app.register(async (account) => {
    // Neither stored nor sent on as a referrer: the pages are private, and the URL of a mailed link contains its token.
    account.addHook('onRequest', (_request, reply, done) => {
      reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
      done()
    })
    mountSignIn(account, site)
    mountAccountPages(account, site, accountPages)
  })
}
