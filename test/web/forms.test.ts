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

test('without JavaScript, sign-up returns a page with a working key that is not cached', async () => {
  const { body, headers, statusCode } = await post('/sign-up', { email: 'ada@example.com' })
  expect(statusCode).toBe(200)
  expect(headers['cache-control']).toBe('no-store')
  const [key] = /ll_free_\w+/.exec(body)!
  const usage = await site.app.inject({ url: '/api/v1/usage', headers: { 'x-api-key': key } })
  expect(usage.json().data.plan).toBe('free')
})

test('a sign-up from another site or without a valid email gets no key', async () => {
  expect((await post('/sign-up', { email: 'ada@example.com' }, { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(
    400,
  )
  for (const email of ['', 'ada', 'ada@host', 'a b@example.com', '<script>@example.com'])
    expect((await post('/sign-up', { email })).statusCode).toBe(400)
})

test('the sixth key of a day returns an error page', async () => {
  const answers = []
  for (let count = 0; count < 6; count++)
    answers.push((await post('/sign-up', { email: `a${count}@example.com` })).statusCode)
  expect(answers.at(-1)).toBe(429)
})

test('the unsubscribe link shows a button, and only the POST unsubscribes', async () => {
  await post('/subscribe', { email: 'ada@example.com', market: 'nantucket' })
  const { rows } = await sql<{ id: string }>`select id from subscriber`.execute(site.db)
  const { id } = rows[0]!
  const link = `/unsubscribe/${id}/${site.services.sealer.sign('unsubscribe', id)}`
  const unsubscribed = async () =>
    (
      await sql<{ unsubscribed: boolean }>`select unsubscribed_at is not null as unsubscribed from subscriber`.execute(
        site.db,
      )
    ).rows[0]!.unsubscribed
  expect((await site.app.inject({ url: link })).body).toContain('<form method="post">')
  expect(await unsubscribed()).toBe(false)
  expect((await post(`/unsubscribe/${id}/wrong-token`, {})).statusCode).toBe(404)
  expect(await unsubscribed()).toBe(false)
  // The body that RFC 8058 defines.
  expect((await post(link, { 'List-Unsubscribe': 'One-Click' })).statusCode).toBe(200)
  expect(await unsubscribed()).toBe(true)
})

test('the confirmation link shows a button, and only the POST confirms', async () => {
  await sql`insert into subscriber (id, email, market) values ('c1', 'eve@example.com', 'nantucket')`.execute(site.db)
  const link = `/confirm/c1/${site.services.sealer.sign('confirm', 'c1')}`
  const confirmed = async () =>
    (
      await sql<{
        confirmed: boolean
      }>`select confirmed_at is not null as confirmed from subscriber where id = 'c1'`.execute(site.db)
    ).rows[0]!.confirmed
  expect((await site.app.inject({ url: link })).body).toContain('Confirm')
  expect(await confirmed()).toBe(false)
  expect((await post('/confirm/c1/wrong', {})).statusCode).toBe(404)
  expect((await post(link, {})).statusCode).toBe(200)
  expect(await confirmed()).toBe(true)
  await sql`update subscriber set unsubscribed_at = now() where id = 'c1'`.execute(site.db)
  for (const { statusCode, body } of [await site.app.inject({ url: link }), await post(link, {})]) {
    expect(statusCode).toBe(404)
    expect(body).toContain('This link is no longer valid')
    expect(body).toContain('action="/subscribe"')
    expect(body).not.toContain('>Confirm</button>')
  }
  await sql`delete from subscriber where id = 'c1'`.execute(site.db)
})

test('one-click unsubscribe accepts any body and is not rate limited', async () => {
  const limited = await startSite({ pagesPerMinute: 1 })
  try {
    const link = `/unsubscribe/sub_1/${limited.services.sealer.sign('unsubscribe', 'sub_1')}`
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
      await sql`insert into subscriber (id, email, market) values ('sub_1', 'ada@example.com', 'nantucket')
        on conflict (id) do update set unsubscribed_at = null`.execute(limited.db)
      const headers = type === undefined ? {} : { 'content-type': type }
      const { statusCode } = await limited.app.inject({ method: 'POST', url: link, headers, payload })
      const { rows } = await sql`select unsubscribed_at is not null as unsubscribed from subscriber`.execute(limited.db)
      expect({ type, statusCode, rows }).toEqual({ type, statusCode: 200, rows: [{ unsubscribed: true }] })
    }
    const pages = [await limited.app.inject({ url: link }), await limited.app.inject({ url: link })]
    expect(pages.map(({ statusCode }) => statusCode)).toEqual([200, 429])
  } finally {
    await limited.close()
  }
})
