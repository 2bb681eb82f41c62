// Sign-in by a mailed link, which also creates an account, or with a key; sign-out; the page that confirms a key. A GET of a mailed link
// shows a button and changes nothing, because mail scanners open every link; the POST uses the link up. After sign-in the account page
// that asked for it opens with its form filled in.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, badRequest } from '../../common/errors.ts'
import { confirmKeyByLink, keyOfLink } from '../../operations/account/confirm-key.ts'
import {
  addressOfLink,
  linkMinutes,
  requestSignInLink,
  signInByLink,
  signInWithKey,
  signOut,
} from '../../operations/account/sign-in.ts'
import { day } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { emailIn } from '../pages/sign-up.ts'
import { formOf, textIn } from '../query.ts'
import { sendPage } from '../send-page.ts'
import { contextOf, type Site, servicesOf } from '../site.ts'
import { keyName } from './account-page.ts'
import {
  checkForm,
  endSession,
  formToken,
  knownBrowser,
  pageWanted,
  rememberBrowser,
  sessionToken,
  startSession,
  takePage,
} from './session-cookie.ts'
import { signedInVisitor } from './visit.ts'

/** A key has 178 random bits, so this limit saves work and is not what protects it. */
const signInLimit = { ownLimit: { bucket: 'sign-in', perMinute: 20 } }

type Token = { Params: { token: string } }

export const mountSignIn = (app: FastifyInstance, site: Site): void => {
  const show = (request: FastifyRequest, reply: FastifyReply, title: string, body: Html, status = 200) =>
    sendPage(site, request, reply, {
      title,
      status,
      description: `${title}: your Lotline account.`,
      path: '/account/sign-in',
      private: true,
      body: html`<section class="narrow account"><h1>${title}</h1>${body}</section>`,
    })

  const browserOf = (request: FastifyRequest) => ({
    name: browserName(request.headers['user-agent']),
    token: sessionToken(site, request),
  })

  const enter = (request: FastifyRequest, reply: FastifyReply, token: string) => {
    startSession(site, reply, token)
    return reply.redirect(takePage(site, request, reply) ?? '/account', 303)
  }

  const showForms = (request: FastifyRequest, reply: FastifyReply, problem?: ApiError) =>
    show(
      request,
      reply,
      'Sign in or create an account',
      signInForms(site, formToken(site, request, reply), pageWanted(site, request), problem),
      problem?.status,
    )

  app.get('/account/sign-in', async (request, reply) =>
    (await signedInVisitor(site, request)) ? reply.redirect('/account', 303) : showForms(request, reply),
  )

  app.post('/account/sign-in/key', { config: signInLimit }, async (request, reply) => {
    checkForm(site, request)
    const key = textIn(formOf(request), 'key')
    if (!key) throw badRequest('Enter your API key. It starts with ll_.')
    try {
      const token = await signInWithKey(servicesOf(site, request), key, browserOf(request), site.clock())
      return enter(request, reply, token)
    } catch (error) {
      if (error instanceof ApiError) return showForms(request, reply, error)
      throw error
    }
  })

  app.post('/account/sign-in/link', { config: signInLimit }, async (request, reply) => {
    checkForm(site, request)
    const email = emailIn(request)
    const linkRequest = { email, client: site.clientOf(request.ip), knownBrowser: knownBrowser(site, request, email) }
    await requestSignInLink(servicesOf(site, request), linkRequest, site.clock())
    return show(request, reply, site.sendsMail ? 'Check your email' : 'Ask your operator', linkNotice(site))
  })

  app.get<Token>('/account/sign-in/:token', async (request, reply) => {
    const found = await addressOfLink(servicesOf(site, request), request.params.token, site.clock())
    if (found === undefined) return show(request, reply, 'This link is no longer valid', ended, 404)
    const token = formToken(site, request, reply)
    const body = html`<p class="lede">${found.isNew ? 'Your free account is for' : 'You are about to sign in as'} <b>${found.email}</b>.</p><form method="post">${token}<button class="button">${found.isNew ? 'Create my account' : 'Sign in'}</button> <a href="/">Cancel</a></form>`
    return show(request, reply, found.isNew ? 'Create your account' : 'Sign in to Lotline', body)
  })

  app.post<Token>('/account/sign-in/:token', { config: signInLimit }, async (request, reply) => {
    checkForm(site, request)
    const opened = await signInByLink(contextOf(site, request), request.params.token, browserOf(request))
    if (!opened) return show(request, reply, 'This link is no longer valid', ended, 404)
    rememberBrowser(site, reply, opened.email)
    return enter(request, reply, opened.cookie)
  })

  app.post('/account/sign-out', async (request, reply) => {
    checkForm(site, request)
    const token = sessionToken(site, request)
    if (token !== undefined) await signOut(servicesOf(site, request), token)
    endSession(site, reply)
    return reply.redirect('/', 303)
  })

  app.get('/account/deleted', (request, reply) => show(request, reply, 'Deleted', deleted))

  app.get<Token>('/account/confirm/:token', async (request, reply) => {
    const key = await keyOfLink(servicesOf(site, request), request.params.token, site.clock())
    if (!key) return show(request, reply, 'This link is no longer valid', confirmEnded, 404)
    const token = formToken(site, request, reply)
    const body = html`<p class="lede">The key <b>${keyName(key)}</b> was created on ${day(key.createdAt.toISOString())} with the address ${key.email}.</p>
<p>Confirm it only if you asked for it. Lotline then sends mail for this key to this address.</p><form method="post">${token}<button class="button">Confirm the key</button> <a href="/">Cancel</a></form>`
    return show(request, reply, 'Confirm this API key?', body)
  })

  app.post<Token>('/account/confirm/:token', { config: signInLimit }, async (request, reply) => {
    checkForm(site, request)
    const key = await confirmKeyByLink(servicesOf(site, request), request.params.token, site.clock())
    if (!key) return show(request, reply, 'This link is no longer valid', confirmEnded, 404)
    const body = html`<p class="lede">Lotline can now send mail for the key <b>${keyName(key)}</b>.</p><p><a class="button" href="/account">Open your account</a></p>`
    return show(request, reply, 'Your key is confirmed', body)
  })
}

/** What signing in allows, by the account page that the visitor tried to open. */
const purposes: Partial<Record<string, string>> = {
  saved: 'Sign in to save homes.',
  watches: 'Sign in to save watches.',
}

const signInForms = ({ sendsMail }: Site, token: Html, wanted: string | undefined, problem?: ApiError): Html => html`
<form class="inline-form" method="post" action="/account/sign-in/link">${token}
<label for="sign-in-email">Your email address</label>
<div class="row"><input id="sign-in-email" name="email" type="email" required maxlength="254" autocomplete="email" placeholder="you@example.com"><button class="button">${sendsMail ? 'Email me a link' : 'Request a link'}</button></div>
<p class="hint">${purposes[/^\/account\/([a-z-]+)/.exec(wanted ?? '')?.[1] ?? '']} The link signs you in, or creates a free account if you are new. No password. ${sendsMail ? `The link works once, for at least ${linkMinutes} minutes.` : html`This installation does not send email: its operator makes the link with <code>npx lotline sign-in EMAIL</code>.`}</p></form>
<p class="hint"><a href="/plans">What an account includes</a></p>
<details class="developer"${problem ? html` open` : ''}><summary>Developers: sign in with an API key</summary>
${problem && html`<p class="form-error" role="alert" id="key-problem">${problem.message}</p>`}
<form class="inline-form" method="post" action="/account/sign-in/key">${token}
<label for="sign-in-key">API key</label>
<div class="row"><input id="sign-in-key" name="key" type="password" required${problem ? html` aria-invalid="true" aria-describedby="key-problem"` : ''} maxlength="100" autocomplete="off" spellcheck="false" placeholder="ll_…"><button class="button quiet">Sign in</button></div>
<p class="hint">Signs in to the account of this key: its watches, saved homes and webhooks.</p></form></details>`

/** The same for every address. */
const linkNotice = ({ sendsMail }: Site): Html =>
  sendsMail
    ? html`<p class="lede">We sent you a link that works once, for at least ${linkMinutes} minutes. Open it in this browser.</p><p>Nothing arrived? Check the address and the spam folder. A mailbox gets a few links an hour; the last one works until the next can be sent.</p><p><a href="/account/sign-in">Back</a></p>`
    : html`<p class="lede">This installation does not send email. Its operator can make the link with <code>npx lotline sign-in EMAIL</code>.</p><p><a href="/account/sign-in">Back</a></p>`

const deleted = html`<p class="lede">Everything listed on the previous page was deleted.</p><p><a class="button" href="/">Back to the home page</a></p>`

const ended = html`<p class="lede">It has expired, or it or a newer link was used already.</p><p><a class="button" href="/account/sign-in">Get a new link</a></p>`

const confirmEnded = html`<p class="lede">It was used already, it has expired, or the key was replaced or revoked. To confirm a key, sign in by email.</p><p><a class="button" href="/account/sign-in">Sign in</a></p>`

/** Names by a word of the user agent. The first match counts: Edge also says Chrome, and Chrome also says Safari. */
const browsers = { Edg: 'Edge', OPR: 'Opera', Firefox: 'Firefox', Chrome: 'Chrome', CriOS: 'Chrome', Safari: 'Safari' }
const systems = {
  Android: 'Android',
  iPhone: 'iPhone',
  iPad: 'iPad',
  Windows: 'Windows',
  'Mac OS': 'macOS',
  Linux: 'Linux',
}

const browserName = (userAgent = ''): string => {
  const named = (names: object) => Object.entries(names).find(([word]) => userAgent.includes(word))?.[1]
  const system = named(systems)
  return `${named(browsers) ?? 'Unknown browser'}${system ? ` on ${system}` : ''}`
}
