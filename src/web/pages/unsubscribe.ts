// Leaving the newsletter: a page with a button for people, a bare POST for mail programs (RFC 8058).
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { notFound } from '../../contract/errors.ts'
import { unsubscribe } from '../../store/keys/subscribers.ts'
import { html } from '../html.ts'
import { sendPage } from '../send-page.ts'
import type { Site } from '../site.ts'

export const mountUnsubscribe = (app: FastifyInstance, site: Site): void => {
  const { db, sealer } = site.services

  const subscriberOf = (request: FastifyRequest): string => {
    const { id, token } = request.params as { id: string; token: string }
    if (!sealer.verify('unsubscribe', id, token))
      throw notFound('This unsubscribe link is not complete. Please use the whole link from the mail.')
    return id
  }

  // A link that unsubscribed on GET would be followed by mail scanners.
  app.get('/unsubscribe/:id/:token', async (request, reply) => {
    subscriberOf(request)
    return sendPage(site, request, reply, {
      title: 'Unsubscribe',
      description: 'Leave the newsletter.',
      path: '/unsubscribe',
      private: true,
      body: html`<section class="narrow"><h1>Leave the newsletter?</h1><p class="lede">One click and no more weekly mail comes to you.</p><form method="post"><button class="button">Unsubscribe</button> <a href="/">Stay on the list</a></form></section>`,
    })
  })

  app.register(async (oneClick) => {
    // RFC 8058 lets a mail program send its form as multipart, and some send nothing: the link says all there is to
    // know, so the body is read and let go. A mail provider unsubscribes many from one address: none is turned away.
    oneClick.removeAllContentTypeParsers()
    oneClick.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null))
    oneClick.post('/unsubscribe/:id/:token', { config: { uncounted: true } }, async (request, reply) => {
      await unsubscribe(db, subscriberOf(request), site.clock())
      return sendPage(site, request, reply, {
        title: 'Unsubscribed',
        description: 'You have left the newsletter.',
        path: '/unsubscribe',
        private: true,
        body: html`<section class="narrow"><h1>You have left the newsletter</h1><p class="lede">No further mail will come. You can come back from the <a href="/">home page</a> at any time.</p></section>`,
      })
    })
  })
}
