import { afterAll, beforeAll, expect, test } from 'vitest'
import { propertyIdPrefix } from '../../src/domain/property-id.ts'
import { runExport } from '../../src/operations/run-export.ts'
import { unsubscribeUrl } from '../../src/secrets/unsubscribe-links.ts'
import { sql } from '../../src/store/engine/database.ts'
import { insertKey, ownedTables } from '../../src/store/keys/keys.ts'
import { accountPages } from '../../src/web/account/mount-account.ts'
import { assessedAsOf } from '../setup/rows.ts'
import { openBrowser, queuedMails, signInByMail, signInWithKey } from './account.ts'
import { addPermit, addProperty, startSite, type TestSite } from './site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startSite({ service: { webhookAllowPrivate: true } })
})
afterAll(() => site?.close())

let people = 0
const person = () => ({ email: `owner${++people}@example.com`, ip: `192.0.2.${people}` })
const confirmed = { confirmedAt: new Date('2026-11-01') }
const signedInWith = async (key: string, ip: string) => {
  const browser = openBrowser(() => site, ip)
  await signInWithKey(browser, key)
  return browser
}
const register = async (key: string, url: string): Promise<string> =>
  (
    await site.app.inject({
      method: 'POST',
      url: '/api/v1/webhooks/register',
      headers: { 'x-api-key': key },
      payload: { url },
    })
  ).json().id

test('every account page asks a visitor to sign in and answers one who is signed in', async () => {
  const { email, ip } = person()
  const { key } = await insertKey(site.db, { plan: 'pro', email, ...confirmed })
  const browser = await signedInWith(key, ip)
  for (const { path, title } of accountPages) {
    const url = path === '' ? '/account' : `/account/${path}`
    const visitor = await openBrowser(() => site, ip).get(url)
    expect([visitor.status, visitor.headers.location]).toEqual([303, '/account/sign-in'])
    const { status, body, headers } = await browser.get(url)
    expect([url, status, headers['cache-control']]).toEqual([url, 200, 'no-store'])
    expect(body).toContain(`<h1 id="content">${title}</h1>`)
    expect(body).toContain('<meta name="robots" content="noindex">')
    expect(body).toContain('</a><span>Developers:</span><a href="/account/keys"')
    expect(body.match(/Developers:/g)).toHaveLength(1)
    // Every form carries the token.
    for (const [form] of body.matchAll(/<form[^>]*method="post".*?<\/form>/gs)) expect(form).toContain('name="token"')
  }
})

test('usage shows the requests of a day and those over the limit, also of keys that were replaced', async () => {
  const { email, ip } = person()
  const { key } = await insertKey(site.db, { plan: 'free', email, ...confirmed })
  const rotating = await insertKey(site.db, { plan: 'free', email, ...confirmed })
  const use = (sent: string) => site.app.inject({ url: '/api/v1/usage', headers: { 'x-api-key': sent } })
  for (let count = 0; count < 33; count++) await use(key)
  const replace = await site.app.inject({
    method: 'POST',
    url: '/api/v1/keys/rotate',
    headers: { 'x-api-key': rotating.key },
    payload: {},
  })
  await use(replace.json().key)
  await site.usage.flush()
  // Added to what was written before.
  await use(replace.json().key)
  await site.usage.flush()
  const after = await (await signedInWith(replace.json().key, ip)).get('/account/usage')
  expect(after.body).toContain('<p>3 requests</p>')
  const { body } = await (await signedInWith(key, ip)).get('/account/usage')
  expect(body).toContain('<p>33 requests</p>')
  expect(body).toMatch(/<td class="num">33<\/td><td class="num">3<\/td>/)
})

test('webhooks can be tested, replayed and deleted by their owner, and by no other key', async () => {
  const { email, ip } = person()
  const { id: keyId, key } = await insertKey(site.db, { plan: 'pro', email, ...confirmed })
  const endpoint = await register(key, 'http://127.0.0.1:9/hook')
  const browser = await signedInWith(key, ip)
  const log = `/account/webhooks?key=${keyId}&endpoint=${endpoint}`
  expect((await browser.get('/account/webhooks')).body).toContain('http://127.0.0.1:9/hook')
  expect(
    (await browser.submit('/account/webhooks', '/account/webhooks/test', { key: keyId, item: endpoint })).status,
  ).toBe(303)
  const deliveries = async () => [...(await browser.get(log)).body.matchAll(/name="delivery" value="(\w+)"/g)]
  const [[, delivery] = []] = await deliveries()
  expect((await browser.get(log)).body).toContain('webhook.test')
  await browser.submit(log, '/account/webhooks/replay', { key: keyId, endpoint, delivery: delivery! })
  expect(await deliveries()).toHaveLength(2)

  const stranger = await insertKey(site.db, { plan: 'pro', email: person().email, ...confirmed })
  const other = await signedInWith(stranger.key, ip)
  expect((await other.get(log)).status).toBe(404)
  for (const key of [keyId, stranger.id])
    for (const action of ['test', 'delete', 'enable'])
      expect((await other.submit('/account', `/account/webhooks/${action}`, { key, item: endpoint })).status).toBe(404)
  expect(
    (await browser.submit('/account/webhooks', '/account/webhooks/delete', { key: keyId, item: endpoint })).status,
  ).toBe(303)
  expect((await browser.get('/account/webhooks')).body).toContain('No endpoint is registered')
})

test('a session by link shows what its confirmed keys own, not what an unconfirmed key owns', async () => {
  const { email, ip } = person()
  const mine = await insertKey(site.db, { plan: 'pro', email, ...confirmed })
  const theirs = await insertKey(site.db, { plan: 'pro', email: email.toUpperCase() })
  await register(mine.key, 'http://127.0.0.1:9/mine')
  await register(theirs.key, 'http://127.0.0.1:9/theirs')
  const browser = openBrowser(() => site, ip)
  await signInByMail(site, browser, email)
  const { body } = await browser.get('/account/webhooks')
  expect(body).toContain('/mine')
  expect(body).not.toContain('/theirs')
})

test('a page does not lift the limits of the plan', async () => {
  const { email, ip } = person()
  const past = new Date(Date.now() - 1000)
  const key = await insertKey(site.db, { plan: 'free', email, promotionUntil: new Date(Date.now() + 60_000) })
  const endpoint = await register(key.key, 'http://127.0.0.1:9/early')
  await sql`update api_key set promotion_until = ${past} where id = ${key.id}`.execute(site.db)
  const browser = await signedInWith(key.key, ip)
  expect(
    (await browser.submit('/account/webhooks', '/account/webhooks/test', { key: key.id, item: endpoint })).status,
  ).toBe(403)
})

test('a download has the rows, the window and the request count of the chosen key, and is not stored', async () => {
  const { email, ip } = person()
  const free = await insertKey(site.db, { plan: 'free', email, ...confirmed })
  await insertKey(site.db, { plan: 'pro', email, ...confirmed })
  await addPermit(site.db, 'B-old', { issuedOn: '2020-01-01' })
  const browser = openBrowser(() => site, ip)
  await signInByMail(site, browser, email)
  // The largest page is the default, so the Pro key without a window is used.
  const first = await browser.get('/permits.csv')
  expect(first.body).toContain('B-old')
  expect([first.headers['cache-control'], first.headers['x-ratelimit-limit']]).toEqual(['private, no-store', '120'])
  expect((await browser.submit('/account', '/account/choose', { key: free.id })).status).toBe(303)
  const second = await browser.get('/permits.csv')
  expect(second.body).not.toContain('B-old')
  // The page shows older permits, so the file says what it has.
  expect(second.headers['content-disposition']).toMatch(/"permits-since-\d{4}-\d\d-\d\d/)
  expect(first.headers['content-disposition']).not.toContain('since')
  expect([second.headers['x-ratelimit-limit'], second.headers['x-ratelimit-remaining']]).toEqual(['30', '29'])
  expect((await openBrowser(() => site, ip).get('/permits.csv')).body).toContain('B-old')
  const foreign = await insertKey(site.db, { plan: 'pro', email: person().email, ...confirmed })
  expect((await browser.submit('/account', '/account/choose', { key: foreign.id })).status).toBe(404)
})

test('every table with rows of a key passes them to the key that replaces it and loses them with the key', async () => {
  const { rows } = await sql<{ table: string; column: string; rule: string }>`
    select c.conrelid::regclass::text as table, a.attname as column, c.confdeltype as rule
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'api_key'::regclass and c.conrelid <> 'api_key'::regclass`.execute(site.db)
  // Sessions end with their key, and usage is counted by family.
  const ofTheKeyAlone = ['account_session', 'key_usage']
  const owned = rows.filter(({ table }) => !ofTheKeyAlone.includes(table))
  expect(owned.map(({ table }) => table).sort()).toEqual([...ownedTables].sort())
  for (const { table, column, rule } of owned) expect([table, column, rule]).toEqual([table, 'key_id', 'c'])
})

const countOf = async (table: string, condition = sql`true`) => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.id(table)} where ${condition}`.execute(
    site.db,
  )
  return rows[0]!.n
}

test('deleting the account needs the typed word, and removes everything of the address at once', async () => {
  const { email, ip } = person()
  const keys = [
    await insertKey(site.db, { plan: 'pro', email, ...confirmed }),
    await insertKey(site.db, { plan: 'free', email }),
  ]
  await register(keys[0]!.key, 'http://127.0.0.1:9/gone')
  const byKey = await signedInWith(keys[0]!.key, ip)
  const browser = openBrowser(() => site, ip)
  await signInByMail(site, browser, email)
  expect((await browser.submit('/account/delete', '/account/delete/confirm', { word: 'delete' })).status).toBe(400)
  expect(await countOf('api_key', sql`email = ${email}`)).toBe(2)
  const other = await browser.submit('/account/delete', '/account/delete/confirm', { word: 'delete' })
  expect([other.status, other.body.includes('value="delete" aria-invalid="true"')]).toEqual([400, true])
  const answer = await browser.submit('/account/delete', '/account/delete/confirm', { word: 'DELETE' })
  expect(answer.headers.location).toBe('/account/deleted')
  expect(String(answer.headers['set-cookie'])).toContain('session=; ')
  expect((await browser.get('/account/deleted')).body).toContain('<h1>Deleted</h1>')
  for (const table of ['api_key', 'account_session', 'account_token'])
    expect([table, await countOf(table, sql`email = ${email}`)]).toEqual([table, 0])
  expect(await countOf('mail', sql`recipient = ${email}`)).toBe(0)
  expect((await queuedMails(site)).filter(({ to }) => to === email)).toEqual([])
  expect(await countOf('webhook_endpoint', sql`url like '%/gone'`)).toBe(0)
  expect((await byKey.get('/account')).status).toBe(303)
  for (const { key } of keys)
    await expect
      .poll(async () => (await site.app.inject({ url: '/api/v1/usage', headers: { 'x-api-key': key } })).statusCode)
      .toBe(401)
})

test('deleting with a key removes only what that key owns, and the limit of links stays', async () => {
  const { email, ip } = person()
  const mine = await insertKey(site.db, { plan: 'pro', email, ...confirmed })
  const other = await insertKey(site.db, { plan: 'pro', email, ...confirmed })
  const byLink = openBrowser(() => site, ip)
  await signInByMail(site, byLink, email)
  const browser = await signedInWith(mine.key, ip)
  await browser.submit('/account/delete', '/account/delete/confirm', { word: 'DELETE' })
  expect(await countOf('api_key', sql`email = ${email}`)).toBe(1)
  expect(await countOf('api_key', sql`id = ${other.id}`)).toBe(1)
  expect(await countOf('mail', sql`recipient = ${email}`)).toBeGreaterThan(0)
  expect((await byLink.get('/account')).status).toBe(200)
  await byLink.submit('/account/delete', '/account/delete/confirm', { word: 'DELETE' })
  await insertKey(site.db, { plan: 'free', email })
  const stranger = openBrowser(() => site, ip)
  for (let count = 0; count < 6; count++) await stranger.submit('/account/sign-in', '/account/sign-in/link', { email })
  expect(await countOf('mail', sql`recipient = ${email}`)).toBe(4)
})

test('200 newer unconfirmed keys do not push out the confirmed keys of an account', async () => {
  const { email, ip } = person()
  const { key } = await insertKey(site.db, { plan: 'pro', email, ...confirmed })
  await sql`update api_key set created_at = '2020-01-01' where email = ${email}`.execute(site.db)
  for (let at = 0; at < 200; at += 1) await insertKey(site.db, { plan: 'free', email })
  const browser = openBrowser(() => site, ip)
  await signInByMail(site, browser, email)
  expect((await browser.get('/account')).body).toContain(key.slice(-4))
})

test('a download with a key is not stored, leads included', async () => {
  const { email } = person()
  const { key } = await insertKey(site.db, { plan: 'pro', email })
  for (const url of ['/permits.csv', '/leads/adu.csv']) {
    const { statusCode, headers } = await site.app.inject({ url, headers: { 'x-api-key': key } })
    expect([url, statusCode, headers['cache-control']]).toEqual([url, 200, 'private, no-store'])
    expect(headers).toHaveProperty('x-ratelimit-remaining')
  }
})

test('the webhooks page shows the filter and the threshold of an endpoint', async () => {
  const { email, ip } = person()
  const { key } = await insertKey(site.db, { plan: 'pro', email, ...confirmed })
  await site.app.inject({
    method: 'POST',
    url: '/api/v1/webhooks/register',
    headers: { 'x-api-key': key },
    payload: { url: 'https://example.com/hook', filter: { maxPrice: 3_000_000 }, everyChange: true },
  })
  const { body } = await (await signedInWith(key, ip)).get('/account/webhooks')
  expect(body).toContain('3000000')
  expect(body).toContain('every change of a score')
})

test('the feed of a watch has its announced matches within the window, by a secret URL that ends with the watch or is replaced', async () => {
  const { email, ip } = person()
  const { key } = await insertKey(site.db, { plan: 'free', email, ...confirmed })
  const call = async (method: 'POST' | 'PUT' | 'DELETE', path: string, payload: object) =>
    (await site.app.inject({ method, url: `/api/v1/watches${path}`, headers: { 'x-api-key': key }, payload })).json()
      .data
  const watch = { name: 'New & <old> permits', kind: 'permits', criteria: { issued: 'any' }, channels: { atom: true } }
  const { id, atomUrl } = await call('POST', '', watch)
  expect((await call('PUT', `/${id}`, watch)).atomUrl).toBeUndefined()
  const today = new Date().toISOString().slice(0, 10)
  await addPermit(site.db, 'F-new', { issuedOn: today })
  await addPermit(site.db, 'F-old', { issuedOn: '2020-01-05' })
  for (const permitId of ['F-new', 'F-old'])
    await sql`
      insert into watch_match (id, watch_id, market, record, permit_id, address, triggers, after, changed_at, announced_at)
      values (${permitId}, ${id}, 'sf-peninsula', ${permitId}, ${permitId}, '1 A & B St', '{entered}',
        ${JSON.stringify({ market: 'sf-peninsula', citySlug: 'palo-alto', city: 'Palo Alto', numbers: {}, texts: { issuedOn: today } })}::jsonb,
        now(), now())`.execute(site.db)
  const read = (url: string, headers = {}) =>
    site.app.inject({ url: new URL(url).pathname, remoteAddress: ip, headers })
  const first = await read(atomUrl)
  expect(first.headers).toMatchObject({
    'content-type': 'application/atom+xml; charset=utf-8',
    'cache-control': 'private, no-cache',
    'x-robots-tag': 'noindex',
    'referrer-policy': 'no-referrer',
  })
  expect(first.body).toContain('<title>New &amp; &lt;old&gt; permits</title>')
  expect(first.body).toContain('<title>1 A &amp; B St, Palo Alto</title>')
  expect(first.body).toContain('/permits/palo-alto/F-new')
  expect(first.body).not.toContain('F-old')
  // Only sample data of a market of the watch may be in its feed.
  await sql`
    insert into source (id, kind, holds, market, title, sample, config)
    values ('other-sample', 'csv', 'permits', 'nantucket', 'Sample', true, '{}')`.execute(site.db)
  expect((await read(atomUrl)).body).not.toContain('sample data')
  await sql`update source set market = 'sf-peninsula' where id = 'other-sample'`.execute(site.db)
  expect((await read(atomUrl)).body).toContain('<subtitle>Includes generated sample data')
  await sql`delete from source where id = 'other-sample'`.execute(site.db)
  await assessedAsOf(site.db, 'nantucket', '2026-08-31')
  expect((await read(atomUrl)).body).not.toContain('<subtitle>')
  await assessedAsOf(site.db, 'sf-peninsula', '2026-08-31')
  expect((await read(atomUrl)).body).toContain('are those of Aug 31, 2026.</subtitle>')
  for (const market of ['sf-peninsula', 'nantucket']) await assessedAsOf(site.db, market)
  const token = /feeds\/(\w+)\.atom/.exec(atomUrl)![1]!
  expect(first.body).not.toContain(token)
  expect(site.logs.join('')).not.toContain(token)
  expect((await read(atomUrl, { 'if-none-match': first.headers.etag as string })).statusCode).toBe(304)
  const { atomUrl: next } = await call('PUT', `/${id}`, { ...watch, newFeedUrl: true })
  expect([(await read(atomUrl)).statusCode, (await read(next)).statusCode]).toEqual([404, 200])
  await sql`update source set config = '{"uses":["page","api"]}'`.execute(site.db)
  expect((await read(next)).body).not.toContain('F-new')
  await sql`update source set config = '{}'`.execute(site.db)
  for (let count = 0; count < 60; count++) await read(next)
  expect((await read(next)).statusCode).toBe(429)
  await call('DELETE', `/${id}`, {})
  const gone = await site.app.inject({ url: new URL(next).pathname, remoteAddress: '203.0.113.9' })
  expect(gone.statusCode).toBe(404)
})

test('one click in a mail ends the mails of a watch or of all watches, and a wrong link nothing', async () => {
  const { email } = person()
  const { id: keyId, key } = await insertKey(site.db, { plan: 'pro', email, ...confirmed })
  const made = async (name: string) =>
    (
      await site.app.inject({
        method: 'POST',
        url: '/api/v1/watches',
        headers: { 'x-api-key': key },
        payload: { name, kind: 'listings', channels: { email: true } },
      })
    ).json().data.id
  const ids = [await made('one'), await made('two'), await made('three')]
  const mailing = async () =>
    (
      await sql<{ name: string }>`select name from watch where key_id = ${keyId} and email order by created_at`.execute(
        site.db,
      )
    ).rows.map(({ name }) => name)
  const click = async (url: string) =>
    (
      await site.app.inject({
        method: 'POST',
        url: new URL(url).pathname,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'List-Unsubscribe=One-Click',
      })
    ).statusCode
  const link = (id: string) => unsubscribeUrl(site.services.sealer, site.url, id)
  const asked = async (id: string) => (await site.app.inject(new URL(link(id)).pathname)).body
  expect(await asked(ids[0]!)).toContain('Unsubscribe from the emails of this watch?')
  expect(await asked(keyId)).toContain('Unsubscribe from watch emails?')
  expect(await click(link(ids[0]!).slice(0, -1))).toBe(404)
  expect(await mailing()).toEqual(['one', 'two', 'three'])
  expect(await click(link(ids[0]!))).toBe(200)
  expect(await mailing()).toEqual(['two', 'three'])
  expect(await click(link(keyId))).toBe(200)
  expect(await mailing()).toEqual([])
})

test('a list is watched and a home saved from their pages, without JavaScript, and by their owner only', async () => {
  const { email, ip } = person()
  const { id: keyId, key } = await insertKey(site.db, { plan: 'free', email, ...confirmed })
  const home = `${propertyIdPrefix('sf-peninsula')}saved`
  await addProperty(site.db, home, { address: '9 Saved St' })
  const browser = await signedInWith(key, ip)
  const linkIn = async (url: string, text: string) => {
    const found = new RegExp(`href="([^"]+)"[^>]*>${text}<`).exec((await browser.get(url)).body)?.[1]
    return found!.replaceAll('&amp;', '&').replaceAll('&quot;', '"')
  }
  for (const url of ['/permits?keyword=solar', '/leads/sb9', '/leads/adu', '/leads/redevelopment']) {
    const { status, body } = await browser.get(await linkIn(url, 'Watch this search'))
    expect([url, status]).toEqual([url, 200])
    expect(body).toContain('What it would have announced')
  }
  const form = await linkIn('/explore?maxPrice=3000000&city=palo-alto', 'Watch this search')
  const { body } = await browser.get(form)
  expect(body).toMatch(/name="name"[^>]* value="City Palo Alto, [^"]*max price \$3,000,000/)
  const criteria = /name="criteria" value="([^"]+)"/.exec(body)![1]!.replaceAll('&quot;', '"')
  const fields = {
    key: keyId,
    name: 'Mine',
    kind: 'listings',
    criteria,
    'on-price': '1',
    cadence: 'weekly',
    email: '1',
  }
  expect((await browser.submit(form, '/account/watches/preview', fields)).body).toContain(
    'name="on-price" value="1" checked',
  )
  expect((await browser.submit(form, '/account/watches/create', fields)).status).toBe(303)
  const { rows } = await sql<{ id: string; triggers: string[]; cities: string[]; email: boolean; cadence: string }>`
    select id, triggers, cities, email, cadence from watch where key_id = ${keyId}`.execute(site.db)
  expect(rows).toEqual([
    { id: rows[0]!.id, triggers: ['price'], cities: ['palo-alto'], email: true, cadence: 'weekly' },
  ])
  expect((await browser.get(`/account/watches?key=${keyId}&watch=${rows[0]!.id}`)).body).toContain('Nothing yet.')
  const stranger = await signedInWith(
    (await insertKey(site.db, { plan: 'free', email: person().email, ...confirmed })).key,
    '192.0.2.250',
  )
  const item = { key: keyId, item: rows[0]!.id }
  expect((await stranger.submit('/account/watches', '/account/watches/pause', item)).status).toBe(404)
  await browser.submit('/account/watches', '/account/watches/pause', item)
  expect((await browser.get('/account/watches')).body).toContain('paused')

  // The reason why no test is sent is on the page of the watches, and so is that its mail waits.
  await sql`update api_key set confirmed_at = null where id = ${keyId}`.execute(site.db)
  expect((await browser.get('/account/watches')).body).toContain(
    '<small>Mail starts when the key is confirmed.</small>',
  )
  const tested = await browser.submit('/account/watches', '/account/watches/test', item)
  expect([tested.status, tested.body.includes('<h1 id="content">Watches</h1>')]).toEqual([403, true])
  expect(tested.body).toMatch(/role="alert">Mail starts when the owner/)

  const save = await linkIn(`/properties/${home}`, 'Save…')
  const saved = {
    key: keyId,
    name: '9 Saved St',
    criteria: JSON.stringify({ market: 'sf-peninsula', id: [home] }),
    note: 'Nice lot',
  }
  expect((await browser.get('/account/saved')).body).toContain('No home is saved. Find one in <a href="/explore">')
  expect((await browser.get(save)).body).toContain('Save this home')
  await browser.submit(save, '/account/saved/add', saved)
  const page = await browser.get('/account/saved')
  expect(page.body).toContain('Nice lot')
  // A saved home is not offered again, except to others.
  expect(await linkIn(`/properties/${home}`, 'Saved')).toBe('/account/saved')
  expect((await browser.get(save)).body).not.toContain('Save this home')
  expect((await site.app.inject(`/properties/${home}`)).body).toContain('>Save…</a>')
  expect((await browser.get('/account/watches')).body).not.toContain('9 Saved St')
  const [kept] = (
    await sql<{ id: string }>`select id from watch where key_id = ${keyId} and saved_home`.execute(site.db)
  ).rows
  await browser.submit('/account/saved', '/account/saved/note', { key: keyId, item: kept!.id, note: 'Sloped' })
  expect((await browser.get('/account/saved')).body).toContain('Sloped')
  const note = (text: string) =>
    browser.submit('/account/saved', '/account/saved/note', { key: keyId, item: kept!.id, note: text })
  // 2,000 characters, as the browser counts them.
  expect((await note(`${'a'.repeat(1_900)}${'\r\nb'.repeat(50)}`)).status).toBe(303)
  expect((await browser.get('/account/saved')).body).toContain('a\nb\nb')
  const tooLong = await note(`Sloped${'c'.repeat(2_001)}`)
  expect(tooLong.status).toBe(400)
  // What was typed is kept, with a way to send it again.
  expect(tooLong.body).toMatch(/action="\/account\/saved\/note">.*<textarea name="note"[^>]*>Slopedc+<\/textarea>/s)
  expect(tooLong.body).toContain('>Try again</button>')
  expect((await browser.get('/account/saved')).body).toContain('a\nb\nb')
  // The deal of the saved home: edited, marked on its pages, and of one visitor alone.
  const { rows: deals } = await sql<{ id: string }>`select id from deal where watch_id = ${kept!.id}`.execute(site.db)
  const edit = `/account/saved?deal=${deals[0]!.id}&key=${keyId}`
  expect((await browser.get(edit)).body).toContain('Your facts of the home')
  const content = {
    key: keyId,
    item: deals[0]!.id,
    stage: 'offered',
    scheme: 'new_house',
    price: '1.2M',
    note: 'Sloped',
  }
  for (const price of ['0', '2000000000'])
    expect((await browser.submit(edit, '/account/saved/change', { ...content, price })).status).toBe(400)
  const refused = await browser.submit(edit, '/account/saved/change', { ...content, livingSqft: '3' })
  expect([refused.status, refused.body.includes('Living area must be from 50')]).toEqual([400, true])
  await browser.submit(edit, '/account/saved/change', { ...content, livingSqft: '1,650' })
  expect((await browser.get('/account/saved')).body).toMatch(
    /Offered <span class="num">1<.*New house, at \$1,200,000, your facts: living area 1,650/s,
  )
  const [mine, others] = [await browser.get(`/properties/${home}`), await site.app.inject(`/properties/${home}`)]
  expect(mine.body).toContain('Computed with your facts: living area 1,650')
  expect([mine.headers['cache-control'], mine.body.includes('1,650 sq ft')]).toEqual(['private, no-store', true])
  expect(others.body).not.toContain('1,650')
  expect((await browser.get(`/explore/compare?pick=${home}`)).body).toContain('Your living area')
  expect((await browser.get('/account/watches?kind=other&criteria={}')).status).toBe(200)
  expect((await browser.get('/account/watches?kind=listings&criteria={}&own={"costPerSqft":650}')).body).toContain(
    'href="/account/assumption-sets?new=1&amp;costPerSqft=650">keep them as my numbers',
  )
  expect((await browser.get('/account/exports?kind=listings&criteria={}')).body).toContain('href="/plans"')
  const long = { ...fields, name: 'n'.repeat(81) }
  expect((await browser.submit(form, '/account/watches/create', long)).status).toBe(400)
  await browser.submit('/account/watches', '/account/watches/delete', item)
  expect((await browser.get('/account/watches')).body).toContain('No watch yet')
})

test('a form with a file is only accepted where a page has one', async () => {
  const { email, ip } = person()
  const { key } = await insertKey(site.db, { plan: 'pro', email, ...confirmed })
  const browser = await signedInWith(key, ip)
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { 'content-type': 'multipart/form-data; boundary=b', cookie }
  const sent = await site.app.inject({ method: 'POST', url: '/account/sign-out', headers, payload: '--b--' })
  expect(sent.statusCode).toBe(415)
})

test('a watch and an export are made on pages with my numbers', async () => {
  const { email, ip } = person()
  const { id: keyId, key } = await insertKey(site.db, { plan: 'pro', email, ...confirmed })
  const browser = await signedInWith(key, ip)
  const sets = '/account/assumption-sets'
  await browser.submit(`${sets}?new=1`, `${sets}/save`, { name: 'Mine', costPerSqft: '650', use: '1' })
  const form = '/account/watches?kind=listings&criteria=%7B%22market%22%3A%22sf-peninsula%22%7D'
  const set = /<option value="(as_\w+)" selected>Mine/.exec((await browser.get(form)).body.split('<main')[1]!)![1]!
  expect((await browser.get(`${form}&numbers=market`)).body.split('<main')[1]).toContain(`<option value="${set}">Mine`)
  const criteria = '{"market":"sf-peninsula"}'
  const watch = { key: keyId, name: 'Returns', kind: 'listings', criteria, 'on-entered': '1', atom: '1' }
  await browser.submit(form, '/account/watches/create', { ...watch, assumptionSet: set })
  const stored = await sql<{ set: string }>`select assumption_set_id as set from watch where key_id = ${keyId}`.execute(
    site.db,
  )
  expect(stored.rows).toEqual([{ set }])
  const page = form.replace('watches', 'exports')
  expect((await browser.get(page)).body).toContain('CSV, for spreadsheets')
  const asked = { key: keyId, kind: 'listings', criteria, format: 'csv', assumptionSet: set }
  expect((await browser.submit(page, '/account/exports/create', asked)).status).toBe(303)
  const { rows } = await sql<{ request: object }>`select request from export where key_id = ${keyId}`.execute(site.db)
  expect(rows).toEqual([
    { request: { kind: 'listings', criteria: JSON.parse(criteria), format: 'csv', assumptions: { costPerSqft: 650 } } },
  ])
  // The set of another account is not found.
  const other = await signedInWith(
    (await insertKey(site.db, { plan: 'pro', email: person().email, ...confirmed })).key,
    '192.0.2.251',
  )
  const otherKey = /name="key" value="([^"]+)"/.exec((await other.get(form)).body)![1]!
  for (const [action, fields] of [
    ['/account/watches/create', { ...watch, key: otherKey, assumptionSet: set }],
    ['/account/exports/create', { ...asked, key: otherKey }],
  ] as const)
    expect((await other.submit(form, action, fields)).status).toBe(400)
})

test('a list is scored from a file of the form; the page reloads until the CSV can be downloaded', async () => {
  const { email, ip } = person()
  const { id: keyId, key } = await insertKey(site.db, { plan: 'pro', email, ...confirmed })
  const browser = await signedInWith(key, ip)
  const page = await browser.get('/account/exports')
  expect(page.headers.refresh).toBeUndefined()
  const form = new FormData()
  form.set('token', /name="token" value="([^"]+)"/.exec(page.body)![1]!)
  form.set('key', keyId)
  form.set('list', new Blob(['name,address\nNo home,"1 Nowhere Ln, Palo Alto"\n']), 'list.csv')
  const sent = new Response(form)
  const payload = Buffer.from(await sent.arrayBuffer())
  const uploadWith = (cookie: string, body: Buffer) =>
    site.app.inject({
      method: 'POST',
      url: '/account/exports/score',
      remoteAddress: ip,
      headers: { 'content-type': sent.headers.get('content-type')!, cookie },
      payload: body,
    })
  // A body that is read is too large here: 413. Without a session it is not read.
  const tooLarge = Buffer.alloc(6 << 20)
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  expect((await uploadWith(cookie, tooLarge)).statusCode).toBe(413)
  for (const none of ['', `lotline-session=${'x'.repeat(32)}`]) {
    const refused = await uploadWith(none, tooLarge)
    expect([refused.statusCode, refused.headers.location]).toEqual([303, '/account/sign-in'])
  }
  await sql`update api_key set plan = 'free' where id = ${keyId}`.execute(site.db)
  expect((await uploadWith(cookie, tooLarge)).statusCode).toBe(403)
  await sql`update api_key set plan = 'pro' where id = ${keyId}`.execute(site.db)
  const upload = await uploadWith(cookie, payload)
  expect([upload.statusCode, upload.headers.location]).toEqual([303, '/account/exports'])
  const waiting = await browser.get('/account/exports')
  expect(waiting.headers.refresh).toBe('3')
  expect(waiting.body).toContain('0 of 1')
  expect(waiting.body).not.toContain('/account/exports/file')
  const [, id = ''] = /name="item" value="(exp\w+)"/.exec(waiting.body) ?? []
  await runExport(site.services, id, () => new Date())
  const ready = await browser.get('/account/exports')
  expect(ready.headers.refresh).toBeUndefined()
  const download = () => browser.submit('/account/exports', '/account/exports/file', { key: keyId, item: id })
  const file = await download()
  expect(file.headers['content-type']).toContain('text/csv')
  expect(file.body).toMatch(/^name,address,lotline_match.*\r\nNo home,"1 Nowhere Ln, Palo Alto",none/)
  await sql`update api_key set plan = 'free' where id = ${keyId}`.execute(site.db)
  expect((await download()).status).toBe(403)
})
