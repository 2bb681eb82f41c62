// An account page is a row: what it shows, and what its forms do. The routes, the navigation, the session and the protection of the
// forms are the same for all.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { badRequest, notFound, notProPlan } from '../../common/errors.ts'
import { type AccountKey, signedIn } from '../../operations/account/signed-in.ts'
import type { ServedFile } from '../../operations/context.ts'
import { maxCsvBytes } from '../../wire/operations/lookup.ts'
import { type Html, html } from '../html.ts'
import { formOf, type Query, queryOf, textIn } from '../query.ts'
import { sendPage } from '../send-page.ts'
import { contextOf, type Site } from '../site.ts'
import { checkForm, endSession, formToken, rememberPage, sessionToken } from './session-cookie.ts'
import { contextWith, signedInVisitor } from './visit.ts'

export type Visit = NonNullable<Awaited<ReturnType<typeof visitOf>>>

/** Undefined for a visitor who is not signed in. */
const visitOf = async (site: Site, request: FastifyRequest, reply: FastifyReply) => {
  const user = await signedInVisitor(site, request)
  return (
    user && {
      ...{ site, user },
      /** Without a key of its own, for what concerns the whole account. */
      context: contextOf(site, request),
      /** To run operations for one of the user's keys. */
      as: (key: AccountKey) => contextWith(site, request, key),
      /** The hidden field that every form contains. */
      token: formToken(site, request, reply),
      query: queryOf(request),
      /** The browser opens the page again after this time. */
      reloadIn: (seconds: number) => void reply.header('refresh', String(seconds)),
    }
  )
}

/** A page to show instead of the list, for example a new key; a path to open; a file; or nothing, which opens the page again. */
export type Outcome =
  | { title: string; body: Html; status?: number }
  | { open: string; signOut?: true }
  | ServedFile
  | undefined

/** `field`: what the form sends under a name, '' for none. Throws 400 for more than the longest text. */
type Action = (visit: Visit, field: (name: string, maxLength?: number) => string) => Promise<Outcome> | Promise<void>

export interface AccountPage {
  /** Below /account; '' is the overview. */
  path: string
  title: string
  /** The navigation names the group that begins with this page. */
  group?: string
  show: (visit: Visit) => Promise<Html>
  /** By name: POST /account/<path>/<name>. */
  actions?: Readonly<Record<string, Action>>
  /** The same for forms with a file, which need a Pro key. */
  uploads?: Readonly<Record<string, Action>>
}

export const urlOf = (path: string): string => (path === '' ? '/account' : `/account/${path}`)

const toSignIn = (site: Site, request: FastifyRequest, reply: FastifyReply) => {
  if (sessionToken(site, request) !== undefined) endSession(site, reply)
  if (request.method === 'GET') rememberPage(site, reply, request.url)
  return reply.redirect('/account/sign-in', 303)
}

export const mountAccountPages = (app: FastifyInstance, site: Site, pages: readonly AccountPage[]): void => {
  const send = (
    request: FastifyRequest,
    reply: FastifyReply,
    visit: Visit,
    { path, title }: Pick<AccountPage, 'path' | 'title'>,
    body: Html,
    status?: number,
  ) =>
    sendPage(site, request, reply, {
      title,
      status,
      description: `${title}: your Lotline account.`,
      path: urlOf(path),
      private: true,
      hasContentId: true,
      body: html`<section class="account">${navigation(pages, path, visit)}<h1 id="content">${title}</h1>${body}</section>`,
    })

  const mountAction = (scope: FastifyInstance, page: AccountPage, name: string, act: Action) =>
    scope.post(`${urlOf(page.path)}/${name}`, async (request, reply) => {
      checkForm(site, request)
      const visit = await visitOf(site, request, reply)
      if (!visit) return toSignIn(site, request, reply)
      const outcome = await act(visit, (field, maxLength) => fieldIn(formOf(request), field, maxLength))
      if (outcome && 'body' in outcome)
        return send(request, reply, visit, { ...page, title: outcome.title }, outcome.body, outcome.status)
      if (outcome && 'read' in outcome)
        return reply
          .headers({ 'content-type': outcome.type, 'content-disposition': `attachment; filename="${outcome.name}"` })
          .send(Readable.from(outcome.read(0, outcome.bytes - 1)))
      if (outcome?.signOut) endSession(site, reply)
      return reply.redirect(outcome?.open ?? urlOf(page.path), 303)
    })

  for (const page of pages) {
    app.get(urlOf(page.path), async (request, reply) => {
      const visit = await visitOf(site, request, reply)
      return visit ? send(request, reply, visit, page, await page.show(visit)) : toSignIn(site, request, reply)
    })
    for (const [name, act] of Object.entries(page.actions ?? {})) mountAction(app, page, name, act)
    for (const [name, act] of Object.entries(page.uploads ?? {}))
      app.register(async (scope) => {
        acceptUploads(scope, site)
        mountAction(scope, page, name, act)
      })
  }
}

/** A browser counts a line break of a text as one character and sends two. */
const fieldIn = (body: Query, name: string, maxLength = 200): string => {
  const text = String(body[name] ?? '').replaceAll('\r\n', '\n')
  if (text.trim().length > maxLength)
    throw badRequest(`${name} may have at most ${maxLength} characters. Go back and shorten it.`)
  return textIn({ [name]: text }, name, maxLength) ?? ''
}

const navigation = (pages: readonly AccountPage[], current: string, { user, token }: Visit): Html =>
  html`<nav class="account-nav" aria-label="Account">${pages.map(
    ({ path, title, group }) =>
      html`${group ? html`<span>${group}:</span>` : ''}<a href="${urlOf(path)}"${path === current ? html` aria-current="page"` : ''}>${path === '' ? 'Overview' : title}</a>`,
  )}</nav>
<form class="account-user" method="post" action="/account/sign-out">${token}<span>${
    user.byLink
      ? html`Signed in as <b>${user.session.email}</b>`
      : html`Signed in with the key <b>${user.keys[0] && keyName(user.keys[0])}</b>`
  }</span> <button class="button quiet">Sign out</button></form>`

/** The first and the last letters, which tell keys apart without giving one away. */
export const keyName = ({ hint, lastFour }: Pick<AccountKey, 'hint' | 'lastFour'>): string =>
  `${hint}…${lastFour ?? ''}`

export const ownKey = ({ user }: Visit, id: string): AccountKey => {
  const key = user.keys.find((each) => each.id === id)
  if (!key) throw notFound('Your account has no such key.')
  return key
}

/**
 * Forms with a file. Before the body is read: the session, and a key whose plan takes a file. Before the form is taken apart: the
 * slot and its time limit. Before the file is decoded: the form token. A form has few fields, so more are rejected unread. Call in a
 * scope of its own: its routes take no other body.
 */
const acceptUploads = (scope: FastifyInstance, site: Site): void => {
  scope.addHook('preParsing', async (request, reply) => {
    const token = sessionToken(site, request)
    // The request has no slot and no connection of its own before its body is read; the limit of pages per address applies.
    const user = token === undefined ? undefined : await signedIn(site.services, token, site.clock())
    if (!user) return toSignIn(site, request, reply)
    if (!user.keys.some(({ plan }) => plan === 'pro')) throw notProPlan()
  })
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: maxCsvBytes + 64 * 1024 },
    (_request, body, done) => done(null, body),
  )
  scope.addHook('preHandler', async (request) => {
    if (Buffer.isBuffer(request.body))
      request.body = await multipartFields(request.body, request.headers['content-type'] ?? '')
  })
}

const maxParts = 5

/** The fields of a form by name (RFC 7578). Files stay bytes until they are used. */
export const multipartFields = async (body: Buffer, contentType: string): Promise<Record<string, string | Buffer>> => {
  const [, quoted, plain] =
    /;\s*boundary=(?:"([\w'()+,./:=?-]{1,70})"|([\w'()+,./:=?-]{1,70}))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  const delimiter = `\r\n--${boundary}`
  let parts = 0
  for (let at = body.indexOf(delimiter); at >= 0; at = body.indexOf(delimiter, at + 1))
    if (++parts > maxParts)
      throw badRequest(`This form has more than ${maxParts} fields. Go back, reload the page and try again.`)
  // Node gets the boundary that was counted, so that no header makes it find another one.
  const counted = { 'content-type': `multipart/form-data; boundary="${boundary}"` }
  const form = await new Response(new Uint8Array(body), { headers: counted }).formData().catch(() => {
    throw badRequest('This form could not be read. Go back, reload the page and try again.')
  })
  const bytesOf = async (value: FormDataEntryValue) =>
    typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer())
  return Object.fromEntries(
    await Promise.all([...form].map(async ([name, value]) => [name, await bytesOf(value)] as const)),
  )
}
