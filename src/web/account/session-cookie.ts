// The cookies of the account pages, and the protection of their forms against requests from other sites.
import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { badRequest } from '../../common/errors.ts'
import { sessionDays } from '../../operations/account/sign-in.ts'
import { type Html, html } from '../html.ts'
import { formOf, textIn } from '../query.ts'
import type { Site } from '../site.ts'

/**
 * `session` after sign-in; `form` before it, so that forms of visitors are protected too; `next` is the page that asked to sign in;
 * `browser` after a sign-in by mailed link, also when the session has ended.
 */
type CookieName = 'session' | 'form' | 'next' | 'browser'

const isSecure = ({ services }: Site) => services.publicUrl.startsWith('https:')

/** Browsers accept `__Host-` only over TLS, from this host and for all paths, so no other host can set the cookie. */
const nameOf = (site: Site, name: CookieName) => `${isSecure(site) ? '__Host-' : ''}lotline-${name}`

const cookieOf = (site: Site, request: FastifyRequest, name: CookieName, longest = 64): string | undefined => {
  const prefix = `${nameOf(site, name)}=`
  const pair = (request.headers.cookie ?? '').split(/;\s*/).find((each) => each.startsWith(prefix))
  const value = pair?.slice(prefix.length)
  return value && value.length <= longest && /^[0-9A-Za-z_-]{16,}$/.test(value) ? value : undefined
}

const setCookie = (site: Site, reply: FastifyReply, name: CookieName, value: string, maxAgeSeconds?: number) => {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`
  const secure = isSecure(site) ? '; Secure' : ''
  reply.header('set-cookie', `${nameOf(site, name)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${age}`)
}

export const sessionToken = (site: Site, request: FastifyRequest) => cookieOf(site, request, 'session')

export const startSession = (site: Site, reply: FastifyReply, token: string) =>
  setCookie(site, reply, 'session', token, sessionDays * 86_400)

export const endSession = (site: Site, reply: FastifyReply) => setCookie(site, reply, 'session', '', 0)

const browserDays = 365
const browserIdLength = 22

/** Remembers that this browser signed in with a link to this address. */
export const rememberBrowser = (site: Site, reply: FastifyReply, email: string): void => {
  const id = randomBytes(16).toString('base64url')
  setCookie(site, reply, 'browser', id + signatureOf(site, id, email), browserDays * 86_400)
}

/** The browser that signed in with a link to this address before. */
export const knownBrowser = (site: Site, request: FastifyRequest, email: string): string | undefined => {
  const cookie = cookieOf(site, request, 'browser')
  const id = cookie?.slice(0, browserIdLength)
  return id && site.services.sealer.verify('browser', signedText(id, email), cookie!.slice(browserIdLength))
    ? `browser ${id}`
    : undefined
}

const signedText = (id: string, email: string) => `${id} ${email.toLowerCase()}`
const signatureOf = ({ services }: Site, id: string, email: string) =>
  services.sealer.sign('browser', signedText(id, email))

/** A page that asks to sign in, with its query, and nothing that a browser could read as another host. */
const ownPage = /^\/(account\/[a-z-]+|today)(\?[!-~]*)?$/
const nextSeconds = 3600
const longestNext = 3_500

/** Opens this page after sign-in. A very long search does not fit into a cookie and is not kept. */
export const rememberPage = (site: Site, reply: FastifyReply, url: string): void => {
  const value = Buffer.from(url).toString('base64url')
  if (ownPage.test(url) && value.length <= longestNext) setCookie(site, reply, 'next', value, nextSeconds)
}

/** The page that opens after sign-in. */
export const pageWanted = (site: Site, request: FastifyRequest): string | undefined => {
  const value = cookieOf(site, request, 'next', longestNext)
  const url = Buffer.from(value ?? '', 'base64url').toString()
  return ownPage.test(url) ? url : undefined
}

/** The page to open after sign-in, once. */
export const takePage = (site: Site, request: FastifyRequest, reply: FastifyReply): string | undefined => {
  const url = pageWanted(site, request)
  if (cookieOf(site, request, 'next', longestNext) !== undefined) setCookie(site, reply, 'next', '', 0)
  return url
}

const formCookie = (site: Site, request: FastifyRequest) =>
  sessionToken(site, request) ?? cookieOf(site, request, 'form')

/**
 * The hidden field of a form: a signature of the visitor's cookie, which another site can neither read nor send along. Sets the
 * cookie of a visitor who has none.
 */
export const formToken = (site: Site, request: FastifyRequest, reply: FastifyReply): Html => {
  let cookie = formCookie(site, request)
  if (cookie === undefined) {
    cookie = randomBytes(24).toString('base64url')
    setCookie(site, reply, 'form', cookie)
  }
  return html`<input type="hidden" name="token" value="${site.services.sealer.sign('form', cookie)}">`
}

/** Throws unless the form was sent from our own page by this visitor. */
export const checkForm = (site: Site, request: FastifyRequest): void => {
  const from = request.headers['sec-fetch-site']
  const token = textIn(formOf(request), 'token') ?? ''
  const cookie = formCookie(site, request)
  const isOurs = cookie !== undefined && site.services.sealer.verify('form', cookie, token)
  if (!isOurs || (from !== undefined && from !== 'same-origin' && from !== 'none'))
    throw badRequest('This form has expired or was sent from another site. Go back, reload the page and try again.')
}
