// The account pages: sign-in, and the pages of the list below.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { badRequest } from '../../common/errors.ts'
import { signedIn } from '../../operations/account/signed-in.ts'
import { maxCsvBytes } from '../../wire/operations/lookup.ts'
import type { Site } from '../site.ts'
import { type AccountPage, mountAccountPages, toSignIn } from './account-page.ts'
import { assumptionSetsPage } from './assumption-sets-page.ts'
import { deletePage } from './delete-page.ts'
import { exportsPage } from './exports-page.ts'
import { keysPage } from './keys-page.ts'
import { overviewPage } from './overview-page.ts'
import { savedPage } from './saved-page.ts'
import { sessionToken } from './session-cookie.ts'
import { sessionsPage } from './sessions-page.ts'
import { mountSignIn } from './sign-in-pages.ts'
import { usagePage } from './usage-page.ts'
import { watchesPage } from './watches-page.ts'
import { webhooksPage } from './webhooks-page.ts'

/** In the order of the navigation. A new part of the account is one row. */
export const accountPages: readonly AccountPage[] = [
  overviewPage,
  keysPage,
  usagePage,
  watchesPage,
  savedPage,
  webhooksPage,
  assumptionSetsPage,
  exportsPage,
  sessionsPage,
  deletePage,
]

const multipart = 'multipart/form-data'

/** Forms with a file: the file is a text field like the others. Without a session the file is not read. */
const acceptFiles = (account: FastifyInstance, site: Site): void => {
  account.addHook('preParsing', async (request, reply) => {
    if (!request.headers['content-type']?.toLowerCase().startsWith(multipart)) return
    const token = sessionToken(site, request)
    // The request has no slot and no connection of its own before its body is read; the limit of pages per address applies.
    if (token !== undefined && (await signedIn(site.services, token, site.clock()))) return
    return toSignIn(site, request, reply)
  })
  account.addContentTypeParser(
    multipart,
    { parseAs: 'buffer', bodyLimit: maxCsvBytes + 64 * 1024 },
    async (request: FastifyRequest, body: Buffer) => {
      const sent = new Response(new Uint8Array(body), { headers: { 'content-type': request.headers['content-type']! } })
      const form = await sent.formData().catch(() => {
        throw badRequest('This form could not be read. Go back, reload the page and try again.')
      })
      const fields = [...form].map(async ([name, value]) => [
        name,
        typeof value === 'string' ? value : await value.text(),
      ])
      return Object.fromEntries(await Promise.all(fields))
    },
  )
}

export const mountAccount = (app: FastifyInstance, site: Site): void => {
  app.register(async (account) => {
    // Neither stored nor sent on as a referrer: the pages are private, and the URL of a mailed link contains its token.
    account.addHook('onRequest', (_request, reply, done) => {
      reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
      done()
    })
    acceptFiles(account, site)
    mountSignIn(account, site)
    mountAccountPages(account, site, accountPages)
  })
}
