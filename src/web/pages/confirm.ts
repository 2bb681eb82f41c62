// Confirming a newsletter subscription from the link in the mail.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type ConfirmLink, checkConfirmLink, confirmSubscription } from '../../operations/confirm-subscription.ts'
import { html } from '../html.ts'
import { sendPage } from '../send-page.ts'
import { type Site, servicesOf } from '../site.ts'

export const mountConfirm = (app: FastifyInstance, site: Site): void => {
  // Only the POST confirms: mail scanners open every link with GET.
  app.get('/confirm/:id/:token', async (request, reply) => {
    checkConfirmLink(site.services, linkOf(request))
    return sendPage(site, request, reply, {
      title: 'Confirm your subscription',
      description: 'Confirm your newsletter subscription.',
      path: '/confirm',
      private: true,
      body: html`<section class="narrow"><h1>Confirm your subscription</h1><p class="lede">You will receive one email per week.</p><form method="post"><button class="button">Confirm</button> <a href="/">Cancel</a></form></section>`,
    })
  })

  app.post('/confirm/:id/:token', async (request, reply) => {
    await confirmSubscription(servicesOf(site, request), linkOf(request), site.clock())
    return sendPage(site, request, reply, {
      title: 'Subscribed',
      description: 'You are subscribed to the newsletter.',
      path: '/confirm',
      private: true,
      body: html`<section class="narrow"><h1>You are subscribed</h1><p class="lede">You will receive the weekly newsletter. Each email has a link to unsubscribe with one click.</p><p><a class="button" href="/">Back to the home page</a></p></section>`,
    })
  })
}

const linkOf = (request: FastifyRequest): ConfirmLink => request.params as ConfirmLink
