import { expect, test } from 'vitest'
import { confirmSubscription } from '../../src/operations/subscriptions.ts'
import { type Db, inTransaction, sql } from '../../src/store/engine/database.ts'
import { openMail } from '../../src/store/keys/mails.ts'
import { claimSubscribers, unsubscribe } from '../../src/store/keys/newsletter.ts'
import { ask } from '../setup/ask.ts'
import { useService } from '../setup/service.ts'

const service = useService()
const subscribe = (body: unknown, ip = '192.0.2.1') => ask(service(), '/v1/subscribe', { body, ip })
const subscribers = async () => {
  const { rows } = await sql<{
    email: string
    market: string
  }>`select email, market from subscriber order by created_at`.execute(service().db)
  return rows.map(({ email, market }) => `${email} ${market}`)
}
const mails = async () => {
  const { rows } = await sql<{
    data: { sealed: string }
  }>`select data from pgboss.job where name = 'mail' order by created_on`.execute(service().db)
  return rows.map(({ data }) => openMail(service().services.sealer, data.sealed))
}

test('an email address subscribes to a market once, in any spelling', async () => {
  for (const email of ['reader@example.com', 'reader@example.com', 'READER@example.com']) {
    const { status, body } = await subscribe({ email, source: 'footer' })
    expect([status, body]).toEqual([200, { success: true }])
  }
  expect(await subscribers()).toEqual(['reader@example.com sf-peninsula'])
  expect(await mails()).toHaveLength(3)
})

const linkIn = (text: string) => /http:\/\/lotline\.test(\/confirm\/sub_\w+\/[\w-]{32})/.exec(text)![1]!

test('a subscriber gets the newsletter only after confirming, also after unsubscribing and subscribing again', async () => {
  const due = () => claimedIn(service().db)
  await subscribe({ email: 'slow@example.com', market: 'nantucket' }, '192.0.2.40')
  expect(await due()).toEqual([])
  const { text } = (await mails()).at(-1)!
  const [, , id, token] = linkIn(text).split('/') as [string, string, string, string]
  await expect(confirmSubscription(service().services, { id, token: 'x'.repeat(32) }, new Date())).rejects.toThrow(
    /incomplete/,
  )
  expect(await due()).toEqual([])
  await confirmSubscription(service().services, { id, token }, new Date())
  expect(await due()).toEqual(['slow@example.com'])
  const before = (await mails()).length
  await subscribe({ email: 'slow@example.com', market: 'nantucket' }, '192.0.2.41')
  expect(await mails()).toHaveLength(before)
  await unsubscribe(service().db, id, new Date())
  expect(await confirmSubscription(service().services, { id, token }, new Date())).toBe(false)
  await subscribe({ email: 'slow@example.com', market: 'nantucket' }, '192.0.2.42')
  expect(await due()).toEqual([])
  await confirmSubscription(service().services, { id, token }, new Date())
  expect(await due()).toEqual(['slow@example.com'])
  await sql`delete from subscriber where id = ${id}`.execute(service().db)
})

/** Who would get this week’s newsletter; the claim is rolled back. */
const claimedIn = async (db: Db): Promise<string[]> => {
  let emails: string[] = []
  await inTransaction(db, async (tx) => {
    emails = (await claimSubscribers(tx, 'nantucket', '2026-W46', 100, new Date())).map(({ email }) => email)
    throw new Error('rolled back')
  }).catch(() => {})
  return emails
}

test('one mailbox gets at most three confirmation mails a day, with any +tag and from any address', async () => {
  const before = (await mails()).length
  for (let i = 0; i < 8; i++)
    expect((await subscribe({ email: `victim+${i}@example.org` }, `192.0.2.${100 + i}`)).body).toEqual({
      success: true,
    })
  expect((await mails()).length - before).toBe(3)
  await sql`delete from subscriber where email like 'victim%'`.execute(service().db)
})

test('each market has its own list, and the Peninsula has an alias', async () => {
  await subscribe({ email: 'reader@example.com', market: 'nantucket' })
  await subscribe({ email: 'other@example.com', market: 'peninsula' })
  expect((await subscribers()).slice(1)).toEqual(['reader@example.com nantucket', 'other@example.com sf-peninsula'])
})

test('the confirmation mail is text and HTML with a link to confirm and a one-click unsubscribe', async () => {
  const [mail] = await mails()
  const url = mail!.headers!['List-Unsubscribe']!.slice(1, -1)
  expect(mail!.headers!['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
  expect(url).toMatch(/^http:\/\/lotline\.test\/unsubscribe\/sub_\w+\/[\w-]{32}$/)
  for (const body of [mail!.text, mail!.html]) {
    expect(body).toContain(url)
    expect(linkIn(body)).toBeTruthy()
  }
})

test('an unknown market is 400 with the list of markets', async () => {
  const { status, body } = await subscribe({ email: 'a@example.com', market: 'mars' })
  expect(status).toBe(400)
  expect(body.error).toMatch(/sf-peninsula.*nantucket/)
})

test('one client can subscribe 20 addresses a day, and rejected requests do not count', async () => {
  const ip = '192.0.2.2'
  for (let i = 0; i < 5; i++) await subscribe({ email: 'nonsense' }, ip)
  const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => subscribe({ email: `s${i}@example.com` }, ip)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
  const refused = answers.find(({ status }) => status === 429)!
  expect([refused.headers['x-ratelimit-limit'], refused.headers['x-ratelimit-remaining']]).toEqual(['20', '0'])
})
