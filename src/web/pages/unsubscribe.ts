// Unsubscribing from the newsletter: a page with a button for people, a plain POST for mail programs (RFC 8058).
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { checkUnsubscribeLink, endSubscription, type UnsubscribeLink } from '../../operations/unsubscribe.ts'
import { html } from '../html.ts'
import { sendPage } from '../send-page.ts'
import { type Site, servicesOf } from '../site.ts'

export const mountUnsubscribe = (app: FastifyInstance, site: Site): void => {
  const { services } = site

  // Only the POST unsubscribes: mail scanners open every link with GET.
  app.get('/unsubscribe/:id/:token', async (request, reply) => {
    checkUnsubscribeLink(services, linkOf(request))
    return sendPage(site, request, reply, {
      title: 'Unsubscribe',
      description: 'Unsubscribe from the newsletter.',
      path: '/unsubscribe',
      private: true,
      body: html`<section class="narrow"><h1>Unsubscribe from the newsletter?</h1><p class="lede">You will stop receiving the weekly email.</p><form method="post"><button class="button">Unsubscribe</button> <a href="/">Keep my subscription</a></form></section>`,
    })
  })

  app.register(async (oneClick) => {
    // The link holds everything needed, so any body is accepted and ignored: RFC 8058 allows a multipart form, and some
    // mail programs send nothing. Not rate limited: a mail provider unsubscribes many people from one IP address.
    oneClick.removeAllContentTypeParsers()
    oneClick.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null))
    oneClick.post('/unsubscribe/:id/:token', { config: { unlimited: true } }, async (request, reply) => {
      await endSubscription(servicesOf(site, request), linkOf(request), site.clock())
      return sendPage(site, request, reply, {
        title: 'Unsubscribed',
        description: 'You have unsubscribed from the newsletter.',
        path: '/unsubscribe',
        private: true,
        body: html`<section class="narrow"><h1>You are unsubscribed</h1><p class="lede">You will not receive any more newsletters. You can subscribe again on the <a href="/">home page</a>.</p></section>`,
      })
    })
  })
}

const linkOf = (request: FastifyRequest): UnsubscribeLink => request.params as UnsubscribeLink
