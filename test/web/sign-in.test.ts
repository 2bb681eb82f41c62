import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/store/engine/database.ts'
import { insertKey, revokeKey, rotateKey } from '../../src/store/keys/keys.ts'
import { mailedLink, openBrowser, queuedMails, signInByMail, signInWithKey } from './account.ts'
import { startSite, type TestSite } from './site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.close())

let people = 0
/** Another address for each test, so that they share no limit. */
const person = () => ({ email: `person${++people}@example.com`, ip: `192.0.2.${people}` })
const browserOf = (ip: string) => openBrowser(() => site, ip)
const keyFor = (email: string, given: Partial<Parameters<typeof insertKey>[1]> = {}) =>
  insertKey(site.db, { plan: 'free', email, ...given })
const confirmed = { confirmedAt: new Date('2026-11-01') }
const mailsTo = async (email: string) => (await queuedMails(site)).filter(({ to }) => to === email)
const kindsTo = async (email: string) => (await mailsTo(email)).map(({ kind }) => kind)

test('a key signs in, its session cookie is HttpOnly and Lax, and signing out ends it', async () => {
  const { email, ip } = person()
  const { key } = await keyFor(email)
  const browser = browserOf(ip)
  const answer = await signInWithKey(browser, key)
  expect([answer.status, answer.headers.location]).toEqual([303, '/account'])
  expect(answer.setCookies[0]).toMatch(/^lotline-session=\w{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/)
  expect((await browser.get('/account')).body).toContain(key.slice(-4))
  const stolen = browser.cookies.get('lotline-session')!
  await browser.submit('/account', '/account/sign-out')
  expect(browser.cookies.has('lotline-session')).toBe(false)
  browser.cookies.set('lotline-session', stolen)
  expect((await browser.get('/account')).headers.location).toBe('/account/sign-in')
})

test('with an https address the cookie has the prefix __Host- and is Secure', async () => {
  const { email, ip } = person()
  const { key } = await keyFor(email)
  const before = site.services.publicUrl
  site.services.publicUrl = 'https://lotline.example'
  try {
    const answer = await signInWithKey(browserOf(ip), key)
    expect(answer.setCookies[0]).toMatch(
      /^__Host-lotline-session=\w{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=/,
    )
  } finally {
    site.services.publicUrl = before
  }
})

test('neither tokens nor cookies are stored or logged, and sign-in pages are neither cached nor indexed', async () => {
  const { email, ip } = person()
  await keyFor(email)
  const browser = browserOf(ip)
  await browser.submit('/account/sign-in', '/account/sign-in/link', { email })
  const link = await mailedLink(site, 'sign-in', email)
  for (const url of ['/account/sign-in', link]) {
    const { headers, body } = await browser.get(url)
    expect([headers['cache-control'], headers['referrer-policy']]).toEqual(['no-store', 'no-referrer'])
    expect(body).toContain('<meta name="robots" content="noindex">')
  }
  // An error with the link in its URL is logged.
  const { headers } = await browser.post(link, { token: 'wrong' })
  expect([headers['cache-control'], headers['referrer-policy']]).toEqual(['no-store', 'no-referrer'])
  await browser.submit(link, link)
  const secrets = [link.split('/').at(-1)!, browser.cookies.get('lotline-session')!]
  for (const table of ['account_token', 'account_session']) {
    const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.id(table)} t`.execute(site.db)
    for (const secret of secrets) expect(rows.map(({ text }) => text).join()).not.toContain(secret)
  }
  for (const secret of secrets) expect(site.logs.join()).not.toContain(secret)
})

test('the demo key, a replaced key, a revoked key and an invalid key cannot sign in', async () => {
  const { email, ip } = person()
  const replaced = await keyFor(email)
  await rotateKey(site.db, replaced.id, new Date(Date.now() + 86_400_000))
  const revoked = await keyFor(email)
  await revokeKey(site.db, revoked.id, new Date())
  const browser = browserOf(ip)
  for (const [key, problem] of [
    ['demo', 'demo key cannot sign in'],
    [replaced.key, 'was replaced'],
    [revoked.key, 'not valid'],
    ['ll_free_wrong', 'not valid'],
  ] as const) {
    const answer = await signInWithKey(browser, key)
    expect(answer.body).toContain(problem)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    if (key.startsWith('ll_')) expect(answer.body).not.toContain(key)
  }
  expect(browser.cookies.has('lotline-session')).toBe(false)
})

test('a mailed link signs in once, for 15 minutes', async () => {
  const { email, ip } = person()
  await keyFor(email)
  const browser = browserOf(ip)
  expect((await signInByMail(site, browser, email)).headers.location).toBe('/account')
  expect((await browser.get('/account')).body).toContain(email)
  const link = await mailedLink(site, 'sign-in', email)
  const other = browserOf(ip)
  expect((await other.get(link)).status).toBe(404)
  expect((await other.submit('/account/sign-in', link)).status).toBe(404)
  expect(other.cookies.has('lotline-session')).toBe(false)

  await other.submit('/account/sign-in', '/account/sign-in/link', { email })
  const late = await mailedLink(site, 'sign-in', email)
  await sql`update account_token set expires_at = expires_at - interval '15 minutes' where email = ${email}`.execute(
    site.db,
  )
  expect((await other.submit('/account/sign-in', late)).status).toBe(404)
})

test('of two browsers that use a link at the same time, one is signed in', async () => {
  const { email, ip } = person()
  await keyFor(email)
  const browsers = [browserOf(ip), browserOf(ip)]
  await browsers[0]!.submit('/account/sign-in', '/account/sign-in/link', { email })
  const link = await mailedLink(site, 'sign-in', email)
  const answers = await Promise.all(browsers.map((browser) => browser.submit('/account/sign-in', link)))
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 404])
})

test('a mail scanner that opens the link does not use it up', async () => {
  const { email, ip } = person()
  await keyFor(email)
  const browser = browserOf(ip)
  await browser.submit('/account/sign-in', '/account/sign-in/link', { email })
  const link = await mailedLink(site, 'sign-in', email)
  for (const method of ['GET', 'HEAD', 'GET', 'OPTIONS'] as const)
    expect((await site.app.inject({ method, url: link })).headers['set-cookie'] ?? '').not.toContain('session')
  // A scanner that also presses buttons, without the cookie of the page.
  expect((await openBrowser(() => site).post(link, { token: 'x' })).status).toBe(400)
  expect((await browser.submit(link, link)).status).toBe(303)
})

test('the answer to a request for a link is the same for every address, and over the limits', async () => {
  const { email, ip } = person()
  await keyFor(email)
  const browser = browserOf(ip)
  const ask = async (to: string, from = browser) => {
    const { status, body } = await from.submit('/account/sign-in', '/account/sign-in/link', { email: to })
    return { status, body: body.replace(/value="[^"]*"/g, '') }
  }
  const known = await ask(email)
  expect(known.status).toBe(200)
  expect(await ask('nobody@example.com')).toEqual(known)
  for (let count = 0; count < 6; count++) expect(await ask(email)).toEqual(known)
  expect((await kindsTo(email)).filter((kind) => kind === 'sign-in')).toHaveLength(5)
  for (let count = 0; count < 3; count++) expect(await ask('nobody@example.com')).toEqual(known)
  expect(await mailsTo('nobody@example.com')).toHaveLength(2)
})

test('an account needs only an address: the link makes the free key, and the form that asked for it comes back', async () => {
  const { email, ip } = person()
  const browser = browserOf(ip)
  const wanted =
    '/account/saved?criteria=%7B%22market%22%3A%22sf-peninsula%22%2C%22id%22%3A%5B%22p_1%22%5D%7D&name=1+Oak+St'
  expect((await browser.get(wanted)).headers.location).toBe('/account/sign-in')
  expect((await browser.get('/account/sign-in')).body).toContain('Sign in to save homes.')
  await browser.submit('/account/sign-in', '/account/sign-in/link', { email })
  const mail = (await mailsTo(email)).at(-1)!
  expect(mail.text).toContain('creates your free account')
  const keys = async () =>
    (
      await sql<{ plan: string; confirmed: boolean }>`select plan, confirmed_at is not null as confirmed from api_key
      where email = ${email}`.execute(site.db)
    ).rows
  const link = await mailedLink(site, 'sign-in', email)
  expect((await browser.get(link)).body).toContain('Create my account')
  // Neither the request nor a look at the link makes an account.
  expect(await keys()).toEqual([])
  const opened = await browser.submit(link, link)
  expect(opened.headers.location).toBe(wanted)
  expect(await keys()).toEqual([{ plan: 'free', confirmed: true }])
  const { body } = await browser.get(wanted)
  expect(body).toContain('Save this home')
  // The link ran nothing: saving is the visitor's own click.
  const saved = await sql`select 1 from watch w join api_key k on k.id = w.key_id where k.email = ${email}`.execute(
    site.db,
  )
  expect(saved.rows).toEqual([])
  // Signing in again makes no second key.
  await signInByMail(site, browserOf(ip), email)
  expect(await keys()).toHaveLength(1)
})

test('an address whose only key is not confirmed gets an account of its own by link', async () => {
  const { email, ip } = person()
  const { id } = await keyFor(email)
  const browser = browserOf(ip)
  await signInByMail(site, browser, email)
  const { rows } = await sql<{ id: string }>`
    select id from api_key where email = ${email} and confirmed_at is not null`.execute(site.db)
  expect(rows.map((row) => row.id === id)).toEqual([false])
  // Ending the session of this browser signs it out.
  const [, session] = /name="session" value="([^"]+)"/.exec((await browser.get('/account/sessions')).body)!
  const ended = await browser.submit('/account/sessions', '/account/sessions/revoke', { session: session! })
  expect([ended.headers.location, browser.cookies.has('lotline-session')]).toEqual(['/account/sign-in', false])
})

test('accounts are counted like keys of their client; over the limit the link stays usable', async () => {
  const { ip } = person()
  const links: string[] = []
  for (let count = 0; count < 6; count++) {
    const { email } = person()
    await browserOf(ip).submit('/account/sign-in', '/account/sign-in/link', { email })
    links.push(await mailedLink(site, 'sign-in', email))
  }
  const statuses = []
  for (const link of links) statuses.push((await browserOf(ip).submit(link, link)).status)
  expect(statuses).toEqual([303, 303, 303, 303, 303, 429])
  expect((await browserOf(person().ip).submit(links[5]!, links[5]!)).status).toBe(303)
})

test('made-up addresses do not use up the mails of those who have an account', async () => {
  const { email, ip } = person()
  await keyFor(email)
  const domain = 'made-up.example'
  await sql`insert into daily_count (day, purpose, subject, used)
    values ((now() at time zone 'utc')::date, 'sign-up-mails', 'all', 1000)
    on conflict (day, purpose, subject) do update set used = 1000`.execute(site.db)
  await browserOf(ip).submit('/account/sign-in', '/account/sign-in/link', { email: `new@${domain}` })
  expect(await mailsTo(`new@${domain}`)).toEqual([])
  await signInByMail(site, browserOf(ip), email)
  await sql`delete from daily_count where purpose = 'sign-up-mails'`.execute(site.db)
})

test('a mailbox gets 5 links an hour and 20 a day in any spelling, a client asks for 20 an hour', async () => {
  const spellings = ['some.one@gmail.com', 'someone@gmail.com', 'SomeOne+x@googlemail.com']
  for (const email of spellings) await keyFor(email)
  const links = async () =>
    (await queuedMails(site)).filter(({ kind, to }) => kind === 'sign-in' && /@g/.test(to)).length
  let client = 0
  const askOften = async (times: number) => {
    for (let count = 0; count < times; count++)
      await browserOf(`198.51.100.${++client % 250}`).submit('/account/sign-in', '/account/sign-in/link', {
        email: spellings[count % 3]!,
      })
  }
  await askOften(8)
  expect(await links()).toBe(5)
  for (let hour = 0; hour < 4; hour++) {
    await sql`update account_token set created_at = created_at - interval '61 minutes',
      expires_at = expires_at - interval '61 minutes'`.execute(site.db)
    await askOften(6)
  }
  expect(await links()).toBe(20)

  const browser = browserOf('198.51.100.251')
  const statuses = []
  for (let count = 0; count < 21; count++)
    statuses.push(
      (await browser.submit('/account/sign-in', '/account/sign-in/link', { email: `n${count}@example.com` })).status,
    )
  expect(statuses).toEqual([...Array(20).fill(200), 429])
})

test('links use PUBLIC_URL, never the Host header, and sign-in opens the account, never a given address', async () => {
  const { email, ip } = person()
  await keyFor(email)
  const browser = browserOf(ip)
  const forged = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
  await browser.submit(
    '/account/sign-in',
    '/account/sign-in/link?next=https://evil.example',
    { email, next: 'https://evil.example', returnTo: '//evil.example' },
    forged,
  )
  const mail = (await mailsTo(email)).at(-1)!
  expect(mail.text + mail.html).not.toContain('evil')
  expect(mail.text).toContain(`${site.services.publicUrl}/account/sign-in/`)
  const link = await mailedLink(site, 'sign-in', email)
  const answer = await browser.submit(link, `${link}?next=//evil.example`, { next: 'https://evil.example' }, forged)
  expect([answer.status, answer.headers.location]).toEqual([303, '/account'])
})

test('sign-in opens the page that asked for it, and no address that a planted cookie names', async () => {
  const { email, ip } = person()
  const { key } = await keyFor(email)
  const page = '/account/watches?kind=listings&criteria=%7B%22city%22%3A%22palo-alto%22%7D'
  for (const byMail of [false, true]) {
    const browser = browserOf(ip)
    expect((await browser.get(page)).headers.location).toBe('/account/sign-in')
    const answer = byMail ? await signInByMail(site, browser, email) : await signInWithKey(browser, key)
    expect(answer.headers.location).toBe(page)
    expect(browser.cookies.has('lotline-next')).toBe(false)
  }
  const visitor = browserOf(ip)
  await visitor.get('/today')
  expect((await signInWithKey(visitor, key)).headers.location).toBe('/today?days=1')
  for (const planted of ['//evil.example/account/x', 'https://evil.example/account/watches', '/account/x?\r\nX: y']) {
    const browser = browserOf(ip)
    browser.cookies.set('lotline-next', Buffer.from(planted).toString('base64url'))
    expect((await signInWithKey(browser, key)).headers.location).toBe('/account')
  }
})

test('a session planted before sign-in is not the session after it, and the previous session ends', async () => {
  const { email, ip } = person()
  const { key } = await keyFor(email)
  const attacker = browserOf(ip)
  await signInWithKey(attacker, (await keyFor(person().email)).key)
  for (const planted of ['A'.repeat(43), attacker.cookies.get('lotline-session')!]) {
    const victim = browserOf(ip)
    victim.cookies.set('lotline-session', planted)
    await victim.get('/account')
    victim.cookies.set('lotline-session', planted)
    const token = site.services.sealer.sign('form', planted)
    expect((await victim.post('/account/sign-in/key', { key, token })).status).toBe(303)
    expect(victim.cookies.get('lotline-session')).not.toBe(planted)
    expect((await victim.get('/account')).body).toContain(key.slice(-4))
    attacker.cookies.set('lotline-session', planted)
    expect((await attacker.get('/account')).status).toBe(303)
  }
})

test('a session made with a key ends when the key is rotated, revoked or expires; one made by link stays', async () => {
  const { email, ip } = person()
  const ends = [
    (id: string) => rotateKey(site.db, id, new Date(Date.now() + 86_400_000)),
    (id: string) => revokeKey(site.db, id, new Date()),
    (id: string) => sql`update api_key set expires_at = now() - interval '1 second' where id = ${id}`.execute(site.db),
  ]
  const byLink = browserOf(ip)
  await keyFor(email)
  await signInByMail(site, byLink, email)
  for (const end of ends) {
    const { id, key } = await keyFor(email, confirmed)
    const browser = browserOf(ip)
    await signInWithKey(browser, key)
    expect((await browser.get('/account')).status).toBe(200)
    await end(id)
    const { status, headers } = await browser.get('/account')
    expect([status, headers.location]).toEqual([303, '/account/sign-in'])
  }
  expect((await byLink.get('/account')).status).toBe(200)
})

test('a session ends after 30 days', async () => {
  const { email, ip } = person()
  const { key } = await keyFor(email)
  const browser = browserOf(ip)
  await signInWithKey(browser, key)
  await sql`update account_session set expires_at = expires_at - interval '30 days'
    where key_id = (select id from api_key where email = ${email})`.execute(site.db)
  expect((await browser.get('/account')).status).toBe(303)
})

test('a form sent from another site changes nothing', async () => {
  const { email, ip } = person()
  const { id, key } = await keyFor(email, confirmed)
  const browser = browserOf(ip)
  // Signing the visitor in to another account is refused too.
  expect((await browser.post('/account/sign-in/key', { key })).status).toBe(400)
  await signInWithKey(browser, key)
  const other = browserOf(ip)
  const foreign = /name="token" value="([^"]+)"/.exec((await other.get('/account/sign-in')).body)![1]!
  for (const [fields, headers] of [
    [{}, {}],
    [{ token: foreign }, {}],
    [{ token: 'x' }, { 'sec-fetch-site': 'same-origin' }],
  ] as const)
    for (const [action, more] of [
      ['/account/keys/revoke', { key: id }],
      ['/account/sign-out', {}],
    ] as const)
      expect((await browser.post(action, { ...fields, ...more }, headers)).status).toBe(400)
  for (const from of ['cross-site', 'same-site'])
    expect(
      (await browser.submit('/account', '/account/keys/revoke', { key: id }, { 'sec-fetch-site': from })).status,
    ).toBe(400)
  expect((await browser.get('/account')).status).toBe(200)
})

test('no endpoint under /api accepts the session cookie', async () => {
  const { email, ip } = person()
  const browser = browserOf(ip)
  await signInWithKey(browser, (await keyFor(email)).key)
  for (const url of ['/api/v1/usage', '/api/v1/permits', '/api/v1/webhooks'])
    expect((await browser.get(url)).status).toBe(401)
})

test('a key made for somebody else’s address causes one mail a day, and its owner can revoke it', async () => {
  const { email, ip } = person()
  const make = (from: string) =>
    site.app.inject({ method: 'POST', url: '/api/v1/keys', payload: { email }, remoteAddress: from })
  const made = []
  for (let count = 0; count < 6; count++) made.push((await make(`203.0.113.${count + 1}`)).json())
  const attacker = browserOf(ip)
  // None of these mails the address: the keys are not confirmed.
  await signInWithKey(attacker, made[0].key)
  await attacker.submit('/account', '/account/keys/mail-confirmation', { key: made[0].id })
  const headers = { 'x-api-key': made[1].key }
  await site.app.inject({ method: 'POST', url: '/api/v1/keys/rotate', headers, payload: {} })
  await site.app.inject({ method: 'DELETE', url: '/api/v1/keys/current', headers })
  expect(await kindsTo(email)).toEqual(['key'])
  // A session opened with the key sees and changes no other key of the address.
  expect((await attacker.get('/account/keys')).body).not.toContain(made[2].key.slice(-4))
  for (const action of ['revoke', 'confirm'])
    expect((await attacker.submit('/account', `/account/keys/${action}`, { key: made[2].id })).status).toBeGreaterThan(
      400,
    )
  expect((await attacker.submit('/account', '/account/keys/confirm', { key: made[0].id })).status).toBe(403)
  expect((await attacker.submit('/account', '/account/keys/create')).status).toBe(403)

  const owner = browserOf('192.0.2.200')
  await signInByMail(site, owner, email)
  expect((await owner.get('/account')).body).not.toContain(made[0].key.slice(-4))
  expect((await owner.get('/account/keys')).body).toContain('unconfirmed')
  expect((await owner.submit('/account', '/account/keys/revoke', { key: made[0].id })).status).toBe(303)
  expect((await attacker.get('/account')).status).toBe(303)
  const used = await site.app.inject({ url: '/api/v1/usage', headers: { 'x-api-key': made[0].key } })
  expect(used.statusCode).toBe(401)
})

test('the link in the mail of a key that was rotated confirms the key that replaced it', async () => {
  const { email, ip } = person()
  const { id } = (
    await site.app.inject({ method: 'POST', url: '/api/v1/keys', payload: { email }, remoteAddress: ip })
  ).json()
  const link = await mailedLink(site, 'key', email)
  const next = await rotateKey(site.db, id, new Date('2026-11-30'))
  expect((await browserOf(ip).submit(link, link)).body).toContain('Your key is confirmed')
  const { rows } = await sql`select id from api_key where email = ${email} and confirmed_at is not null`.execute(
    site.db,
  )
  expect(rows).toEqual([{ id: next.id }])
})

test('the link in the key mail names the key, and its button confirms it once', async () => {
  const { email, ip } = person()
  const { key, id } = (
    await site.app.inject({ method: 'POST', url: '/api/v1/keys', payload: { email }, remoteAddress: ip })
  ).json()
  const mail = (await mailsTo(email))[0]!
  expect(mail.text).toContain(`ending in ${key.slice(-4)}, created `)
  const link = await mailedLink(site, 'key', email)
  const isConfirmed = async () =>
    (await sql<{ yes: boolean }>`select confirmed_at is not null as yes from api_key where id = ${id}`.execute(site.db))
      .rows[0]!.yes
  const browser = browserOf(ip)
  for (const method of ['GET', 'HEAD'] as const) await site.app.inject({ method, url: link })
  expect((await browser.post(link)).status).toBe(400)
  expect(await isConfirmed()).toBe(false)
  expect((await browser.submit(link, link)).body).toContain('Your key is confirmed')
  expect(await isConfirmed()).toBe(true)
  expect((await browser.submit('/account/sign-in', link)).status).toBe(404)
  // Now its owner hears of a sign-in and of a rotation, and the new key stays confirmed.
  await signInWithKey(browser, key)
  await site.app.inject({ method: 'POST', url: '/api/v1/keys/rotate', headers: { 'x-api-key': key }, payload: {} })
  expect(await kindsTo(email)).toEqual(['key', 'signed-in', 'key-changed'])
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from api_key where email = ${email} and confirmed_at is not null`.execute(site.db)
  expect(rows[0]!.n).toBe(2)
})

test('a mailbox gets at most 10 mails a day about sign-ins and keys, over all its keys', async () => {
  const { email, ip } = person()
  const keys = [await keyFor(email, confirmed), await keyFor(email.replace('@', '+2@'), confirmed)]
  for (let count = 0; count < 12; count++) await signInWithKey(browserOf(ip), keys[count % 2]!.key)
  const sent = (await queuedMails(site)).filter(({ to }) => to.startsWith(email.split('@')[0]!))
  expect(sent).toHaveLength(10)
})

test('a key created in a session by link is shown once, confirmed, free, and counts for the client’s day', async () => {
  const { email, ip } = person()
  await keyFor(email)
  const browser = browserOf(ip)
  await signInByMail(site, browser, email)
  const { body } = await browser.submit('/account/keys', '/account/keys/create')
  const [key] = /ll_free_\w+/.exec(body)!
  const list = (await browser.get('/account/keys')).body
  expect(list).not.toContain(key)
  expect(list).toContain(key.slice(-4))
  expect((await browser.get('/account')).body).toContain(key.slice(-4))
  for (let count = 0; count < 4; count++) await browser.submit('/account/keys', '/account/keys/create')
  expect((await browser.submit('/account/keys', '/account/keys/create')).status).toBe(429)
})

test('a session by link lists and ends the sessions of its address, a session with a key only its own', async () => {
  const { email, ip } = person()
  const { key } = await keyFor(email, confirmed)
  const [byLink, byKey, stranger] = [browserOf(ip), browserOf(ip), browserOf(ip)]
  await signInByMail(site, byLink, email)
  await signInWithKey(byKey, key)
  await signInWithKey(stranger, (await keyFor(person().email)).key)
  const idsAt = async (browser: typeof byLink) => [
    ...new Set((await browser.get('/account/sessions')).body.match(/ses_\w+/g)),
  ]
  expect(await idsAt(byKey)).toHaveLength(1)
  const [own] = await idsAt(byKey)
  expect(await idsAt(byLink)).toHaveLength(2)
  expect((await stranger.submit('/account', '/account/sessions/revoke', { session: own! })).status).toBe(404)
  expect((await byLink.submit('/account', '/account/sessions/revoke', { session: own! })).status).toBe(303)
  expect((await byKey.get('/account')).status).toBe(303)
})

test('the last link of an hour works until the next may be sent, and a used link ends the others', async () => {
  const { email, ip } = person()
  await keyFor(email)
  const links: string[] = []
  for (let count = 0; count < 6; count++) {
    await browserOf(`198.51.101.${count}`).submit('/account/sign-in', '/account/sign-in/link', { email })
    links.push(await mailedLink(site, 'sign-in', email))
    await sql`update account_token set created_at = created_at - interval '3 minutes',
      expires_at = expires_at - interval '3 minutes' where email = ${email}`.execute(site.db)
  }
  expect(links[5]).toBe(links[4])
  const { rows } = await sql<{ minutes: number }>`
    select round(extract(epoch from expires_at - created_at) / 60)::int as minutes from account_token
    where email = ${email} and purpose = 'sign-in' and expires_at > created_at order by created_at`.execute(site.db)
  expect(rows.map(({ minutes }) => minutes)).toEqual([15, 15, 15, 15, 48])
  const browser = browserOf(ip)
  expect((await browser.get(links[3]!)).status).toBe(200)
  await browser.submit(links[4]!, links[4]!)
  expect((await browserOf(ip).get(links[3]!)).status).toBe(404)
})

test('a browser that signed in before gets its link although strangers used up the mailbox’s', async () => {
  const { email, ip } = person()
  await keyFor(email)
  const owner = browserOf(ip)
  await signInByMail(site, owner, email)
  for (let count = 0; count < 8; count++)
    await browserOf(`198.51.102.${count}`).submit('/account/sign-in', '/account/sign-in/link', { email })
  const links = async () => (await kindsTo(email)).filter((kind) => kind === 'sign-in').length
  const before = await links()
  await browserOf('198.51.102.99').submit('/account/sign-in', '/account/sign-in/link', { email })
  expect(await links()).toBe(before)
  await owner.submit('/account', '/account/sign-out')
  expect((await signInByMail(site, owner, email)).status).toBe(303)
  expect(await links()).toBe(before + 1)
  const other = person().email
  await keyFor(other)
  owner.cookies.delete('lotline-session')
  for (let count = 0; count < 6; count++)
    await owner.submit('/account/sign-in', '/account/sign-in/link', { email: other })
  expect((await kindsTo(other)).filter((kind) => kind === 'sign-in')).toHaveLength(5)
})

test('notices of a neighbor with a similar name, or of sign-ins, do not use up the mail about a replaced key', async () => {
  const { email, ip } = person()
  const neighbor = email.replace('@', '-7@')
  const { key } = await keyFor(email, confirmed)
  const other = await keyFor(neighbor, confirmed)
  for (let count = 0; count < 11; count++) await signInWithKey(browserOf('198.51.103.1'), other.key)
  for (let count = 0; count < 11; count++) await signInWithKey(browserOf(ip), key)
  const rotated = await site.app.inject({
    method: 'POST',
    url: '/api/v1/keys/rotate',
    headers: { 'x-api-key': key },
    payload: { expireNow: true },
  })
  expect(rotated.statusCode).toBe(200)
  const kinds = await kindsTo(email)
  expect(kinds.filter((kind) => kind === 'signed-in')).toHaveLength(10)
  expect(kinds.at(-1)).toBe('key-changed')
})

test('"Sign out everywhere" ends every session of the address and its unused links', async () => {
  const { email, ip } = person()
  const { key } = await keyFor(email, confirmed)
  const [first, second, withKey] = [browserOf(ip), browserOf(ip), browserOf(ip)]
  await signInByMail(site, first, email)
  await signInByMail(site, second, email)
  await signInWithKey(withKey, key)
  await browserOf(ip).submit('/account/sign-in', '/account/sign-in/link', { email })
  const link = await mailedLink(site, 'sign-in', email)
  const answer = await first.submit('/account/sessions', '/account/sessions/revoke-all')
  expect([answer.status, answer.headers.location]).toEqual([303, '/account/sign-in'])
  for (const browser of [first, second, withKey]) expect((await browser.get('/account')).status).toBe(303)
  expect((await browserOf(ip).get(link)).status).toBe(404)
})
