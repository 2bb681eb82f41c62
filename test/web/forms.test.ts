import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/store/engine/database.ts'
import { startSite, type TestSite } from './site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

const post = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  site.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
  })

test('without scripts the sign-up form answers with a page that shows a working key, once and uncached', async () => {
  const { body, headers, statusCode } = await post('/sign-up', { email: 'ada@example.com' })
  expect(statusCode).toBe(200)
  expect(headers['cache-control']).toBe('no-store')
  const [key] = /ll_free_\w+/.exec(body)!
  const usage = await site.app.inject({ url: '/api/v1/usage', headers: { 'x-api-key': key } })
  expect(usage.json().data.plan).toBe('free')
})

test('a sign-up from another site or without an address gets no key', async () => {
  expect((await post('/sign-up', { email: 'ada@example.com' }, { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(
    400,
  )
  for (const email of ['', 'ada', 'ada@host', 'a b@example.com', '<script>@example.com'])
    expect((await post('/sign-up', { email })).statusCode).toBe(400)
})

test('the sixth key of a day is refused with a page', async () => {
  const answers = []
  for (let count = 0; count < 6; count++)
    answers.push((await post('/sign-up', { email: `a${count}@example.com` })).statusCode)
  expect(answers.at(-1)).toBe(429)
})

test('the unsubscribe link shows a button, and only pressing it unsubscribes', async () => {
  await post('/subscribe', { email: 'ada@example.com', market: 'nantucket' })
  const { rows } = await sql<{ id: string }>`select id from subscriber`.execute(site.db)
  const { id } = rows[0]!
  const link = `/unsubscribe/${id}/${site.services.sealer.sign('unsubscribe', id)}`
  const left = async () =>
    (await sql<{ left: boolean }>`select unsubscribed_at is not null as left from subscriber`.execute(site.db)).rows[0]!
      .left
  expect((await site.app.inject({ url: link })).body).toContain('<form method="post">')
  expect(await left()).toBe(false)
  expect((await post(`/unsubscribe/${id}/wrong-token`, {})).statusCode).toBe(404)
  expect(await left()).toBe(false)
  // RFC 8058: the body a mail program sends.
  expect((await post(link, { 'List-Unsubscribe': 'One-Click' })).statusCode).toBe(200)
  expect(await left()).toBe(true)
})

test('one-click unsubscribing takes whatever body a mail program sends, and is never one request too many', async () => {
  const limited = await startSite({ pagesAMinute: 1 })
  try {
    const link = `/unsubscribe/s1/${limited.services.sealer.sign('unsubscribe', 's1')}`
    const multipart = '--b\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n'
    const bodies: [string | undefined, string | undefined][] = [
      ['multipart/form-data; boundary=b', multipart],
      ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
      ['text/plain', 'List-Unsubscribe=One-Click'],
      ['application/json', '{not json'],
      [undefined, 'List-Unsubscribe=One-Click'],
      ['multipart/form-data; boundary=b', undefined],
      [undefined, undefined],
    ]
    for (const [type, payload] of bodies) {
      await sql`insert into subscriber (id, email, market) values ('s1', 'ada@example.com', 'nantucket')
        on conflict (id) do update set unsubscribed_at = null`.execute(limited.db)
      const headers = type === undefined ? {} : { 'content-type': type }
      const { statusCode } = await limited.app.inject({ method: 'POST', url: link, headers, payload })
      const { rows } = await sql`select unsubscribed_at is not null as left from subscriber`.execute(limited.db)
      expect({ type, statusCode, rows }).toEqual({ type, statusCode: 200, rows: [{ left: true }] })
    }
    const pages = [await limited.app.inject({ url: link }), await limited.app.inject({ url: link })]
    expect(pages.map(({ statusCode }) => statusCode)).toEqual([200, 429])
  } finally {
    await limited.close()
  }
})
