// Links in newsletters and in the mails of watches: confirm a subscription, or end it. A GET shows a button and changes nothing, because mail scanners open
// every link; the POST acts.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  canConfirm,
  checkUnsubscribeLink,
  confirmSubscription,
  endSubscription,
  isNewsletterLink,
  isTodayLink,
  isWatchLink,
} from '../../operations/subscriptions.ts'
import { type Html, html } from '../html.ts'
import { sendPage } from '../send-page.ts'
import { type Site, servicesOf } from '../site.ts'
import { newsletterForm } from './sign-up.ts'

export const mountSubscription = (app: FastifyInstance, site: Site): void => {
  const { services } = site
  const show = (request: FastifyRequest, reply: FastifyReply, path: string, title: string, body: Html, status = 200) =>
    sendPage(site, request, reply, {
      title,
      status,
      description: `${title}: mails of Lotline.`,
      path,
      private: true,
      body: html`<section class="narrow"><h1>${title}</h1>${body}</section>`,
    })

  const showEnded = (request: FastifyRequest, reply: FastifyReply) =>
    show(
      request,
      reply,
      '/confirm',
      'This link is no longer valid',
      html`<p class="lede">This subscription has ended or was never confirmed. To receive the newsletter, subscribe again.</p>${newsletterForm(site)}`,
      404,
    )

  app.get<Link>('/confirm/:id/:token', async (request, reply) =>
    (await canConfirm(servicesOf(site, request), request.params))
      ? show(request, reply, '/confirm', 'Confirm your subscription', confirmForm)
      : showEnded(request, reply),
  )

  app.post<Link>('/confirm/:id/:token', async (request, reply) =>
    (await confirmSubscription(servicesOf(site, request), request.params, site.clock()))
      ? show(request, reply, '/confirm', 'You are subscribed', subscribed)
      : showEnded(request, reply),
  )

  app.get<Link>('/unsubscribe/:id/:token', (request, reply) => {
    checkUnsubscribeLink(services, request.params)
    const { what, lede } = mailsOf(request.params)
    return show(request, reply, '/unsubscribe', `Unsubscribe from ${what}?`, unsubscribeForm(lede))
  })

  app.register(async (oneClick) => {
    // The link holds everything needed, so any body is accepted and ignored: RFC 8058 allows a multipart form, and some
    // mail programs send nothing. Not rate limited: a mail provider unsubscribes many people from one IP address.
    oneClick.removeAllContentTypeParsers()
    oneClick.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null))
    oneClick.post<Link>('/unsubscribe/:id/:token', { config: { unlimited: true } }, async (request, reply) => {
      await endSubscription(servicesOf(site, request), request.params, site.clock())
      const { stopped } = mailsOf(request.params)
      return show(request, reply, '/unsubscribe', 'You are unsubscribed', html`<p class="lede">${stopped}</p>`)
    })
  })
}

const confirmForm = html`<p class="lede">You will receive one email per week.</p><form method="post"><button class="button">Confirm</button> <a href="/">Cancel</a></form>`

const subscribed = html`<p class="lede">You will receive the weekly newsletter. Each email has a link to unsubscribe with one click.</p><p><a class="button" href="/">Back to the home page</a></p>`

const unsubscribeForm = (lede: string): Html =>
  html`<p class="lede">${lede}</p><form method="post"><button class="button">Unsubscribe</button> <a href="/">Keep my subscription</a></form>`

const mails = {
  newsletter: {
    what: 'the newsletter',
    lede: 'You will stop receiving the weekly email.',
    stopped: html`You will not receive any more newsletters. You can subscribe again on the <a href="/">home page</a>.`,
  },
  today: {
    what: 'the daily email',
    lede: 'Your deals are kept. You can turn emails on again on the Today page.',
    stopped: html`You will not receive any more daily emails. The <a href="/today">Today page</a> shows the same information.`,
  },
  watch: {
    what: 'the emails of this watch',
    lede: 'The watch is kept but no longer sends email. Your other watches are not affected.',
    stopped: html`This watch sends no more email. Turn it on again, or stop the emails of your other watches, on your <a href="/account/watches">account page</a>.`,
  },
  watches: {
    what: 'watch emails',
    lede: 'Your watches are kept but no longer send email. You can turn emails on again on your account page.',
    stopped: html`You will not receive any more watch emails. Your watches are on your <a href="/account/watches">account page</a>.`,
  },
}

const mailsOf = (link: Link['Params']) =>
  mails[isNewsletterLink(link) ? 'newsletter' : isTodayLink(link) ? 'today' : isWatchLink(link) ? 'watch' : 'watches']

type Link = { Params: { id: string; token: string } }
