// A browser that keeps cookies and fills in forms, for tests of the account pages.
import type { InjectOptions } from 'fastify'
import { sql } from '../../src/store/engine/database.ts'
import { type Mail, openMail } from '../../src/store/keys/mails.ts'
import type { TestSite } from './site.ts'

export interface Browser {
  cookies: Map<string, string>
  get(url: string, headers?: Record<string, string>): Promise<Answer>
  /** Sends a form with the hidden token of the page at `from`. */
  submit(
    from: string,
    action: string,
    fields?: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<Answer>
  /** Sends a form as it is. */
  post(url: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Answer>
}

export interface Answer {
  status: number
  body: string
  headers: Record<string, string>
  setCookies: string[]
}

export const openBrowser = (site: () => TestSite, ip = '192.0.2.1'): Browser => {
  const cookies = new Map<string, string>()
  const request = async (options: InjectOptions): Promise<Answer> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await site().app.inject({
      remoteAddress: ip,
      ...options,
      headers: { ...(cookie && { cookie }), ...options.headers },
    })
    const setCookies = [answer.headers['set-cookie'] ?? []].flat().map(String)
    for (const each of setCookies) {
      const [pair = '', ...attributes] = each.split('; ')
      const [name = '', value = ''] = pair.split('=')
      if (attributes.includes('Max-Age=0')) cookies.delete(name)
      else cookies.set(name, value)
    }
    return {
      status: answer.statusCode,
      body: answer.body,
      headers: answer.headers as Record<string, string>,
      setCookies,
    }
  }
  const post: Browser['post'] = (url, fields = {}, headers = {}) =>
    request({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(fields).toString(),
    })
  return {
    cookies,
    get: (url, headers) => request({ url, headers }),
    post,
    submit: async (from, action, fields = {}, headers) => {
      const token = /name="token" value="([^"]+)"/.exec((await request({ url: from })).body)?.[1]
      return post(action, { ...(token && { token }), ...fields }, headers)
    },
  }
}

export const signInWithKey = (browser: Browser, key: string) =>
  browser.submit('/account/sign-in', '/account/sign-in/key', { key })

/** Every mail in the queue, oldest first. */
export const queuedMails = async ({ db, services }: TestSite): Promise<Mail[]> => {
  const { rows } = await sql<{ data: { sealed: string } }>`
    select j.data from pgboss.job j join mail m on m.id = j.data ->> 'id' where j.name = 'mail'
    order by m.queued_at, j.created_on`.execute(db)
  return rows.map(({ data }) => openMail(services.sealer, data.sealed))
}

/** The path of the newest link of this kind. */
export const mailedLink = async (site: TestSite, kind: string, to: string): Promise<string> => {
  const mail = (await queuedMails(site)).findLast((each) => each.kind === kind && each.to === to)
  const path = /https?:\/\/[^/\s]+(\/account\/\S+)/.exec(mail?.text ?? '')?.[1]
  if (!path) throw new Error(`No ${kind} mail to ${to}.`)
  return path
}

export const signInByMail = async (site: TestSite, browser: Browser, email: string): Promise<Answer> => {
  await browser.submit('/account/sign-in', '/account/sign-in/link', { email })
  const link = await mailedLink(site, 'sign-in', email)
  return browser.submit(link, link)
}
